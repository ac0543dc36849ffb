# The tool that makes the Debian package, at one version. To be sourced, after say.sh, at the top of the repository.

CARGO_DEB_VERSION=3.8.0
cargo_deb=$PWD/target/tools/bin/cargo-deb

# need_cargo_deb: installs it into target/tools/ where it is missing or of another version.
need_cargo_deb() {
    [[ -x $cargo_deb && $("$cargo_deb" --version) == "cargo-deb $CARGO_DEB_VERSION" ]] && return
    say "installing cargo-deb $CARGO_DEB_VERSION"
    cargo install --quiet --locked --force --root target/tools --version "=$CARGO_DEB_VERSION" cargo-deb ||
        fail "cannot install cargo-deb $CARGO_DEB_VERSION to target/tools"
}
