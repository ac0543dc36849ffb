# The Python packages that tests use, in an environment of their own below target/. To be sourced, after say.sh.

# An S3 server (crates/publish).
PYTHON_PACKAGES=("moto[server]==5.2.5")
# axe-core, which finds faults of accessibility (tests/e2e), as a file in a package whose dependencies are not needed.
PYTHON_FILES=("axe-playwright-python==0.1.8")

# install_python: makes target/tests-python with these packages, where it is not there as it should be.
install_python() {
    local environment=${CARGO_TARGET_DIR:-target}/tests-python wanted="${PYTHON_PACKAGES[*]} ${PYTHON_FILES[*]}" output
    [[ -f $environment/packages && $(<"$environment/packages") == "$wanted" ]] && return
    say "installing $wanted into $environment"
    rm -rf "$environment"
    if ! output=$(python3 -m venv "$environment" 2>&1 &&
        "$environment/bin/pip" --quiet --disable-pip-version-check install "${PYTHON_PACKAGES[@]}" 2>&1 &&
        "$environment/bin/pip" --quiet --disable-pip-version-check install --no-deps "${PYTHON_FILES[@]}" 2>&1); then
        fail "cannot install $wanted: $output"
    fi
    printf '%s\n' "$wanted" >"$environment/packages"
}
