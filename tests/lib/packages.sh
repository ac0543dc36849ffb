# What the tests need of the machine. To be sourced, after say.sh.

# The Debian package for each thing the tests use: a command of that name, a path, or a module of Python.
# (A compiler for C and the linker: the database and the TLS library are built from source.)
NEEDED=(
    "cc=build-essential"
    "/usr/sbin/nginx=nginx"
    "xmllint=libxml2-utils"
    "sqlite3=sqlite3"
    "/usr/lib/python3/dist-packages/aiosmtpd/smtp.py=python3-aiosmtpd"
    "chromium=chromium"
    "/usr/lib/chromium/chromium-headless-shell=chromium-headless-shell"
    "chromedriver=chromium-driver"
    "mount=mount"
    "python3=python3"
    "python:ensurepip=python3-venv"
    "unshare=util-linux"
    "/etc/ssl/certs/ca-certificates.crt=ca-certificates"
    "/usr/share/doc/postgresql-doc-15/html/index.html=postgresql-doc-15"
    "/usr/share/doc/debian-policy/policy.html/index.html=debian-policy"
)

# What the longer tests use besides: a tool, and documentation as pages to read.
NEEDED_IN_FULL=(
    "valgrind=valgrind"
    "/usr/share/doc/valgrind/html/index.html=valgrind"
    "/usr/share/doc/libexpat1-dev/expat.html/reference.html=libexpat1-dev"
    "/usr/share/doc/libffi8/html/Introduction.html=libffi-dev"
    "/usr/share/gtk-doc/html/libtasn1/index.html=libtasn1-doc"
    "/usr/share/doc/libxslt1-dev/gtk-doc/html/libxslt/libxslt-xslt.html=libxslt1-dev"
    "/usr/share/doc/openjdk-17-jre-headless/api/index.html=openjdk-17-doc"
    "/usr/share/doc/python3.11/html/index.html=python3.11-doc"
    "/usr/share/doc/qemu-utils/qemu-img.html=qemu-utils"
    "/usr/share/doc/rust-doc/html/index.html=rust-doc"
    "/usr/share/doc/shared-mime-info/shared-mime-info-spec.html/index.html=shared-mime-info"
)

# What tests/packaging uses, which is one of the longer tests: tools that read units, YAML, packages, manual pages and
# completions. (The compose of Debian checks a file without Docker.)
NEEDED_FOR_PACKAGING=(
    "systemd-analyze=systemd"
    "systemd-sysusers=systemd"
    "/usr/lib/python3/dist-packages/yaml/__init__.py=python3-yaml"
    "/usr/share/doc/python3-seccomp/copyright=python3-seccomp"
    "docker-compose=docker-compose"
    "dpkg-shlibdeps=dpkg-dev"
    "lintian=lintian"
    "man=man-db"
    "zsh=zsh"
    "fish=fish"
)
NEEDED_IN_FULL+=("${NEEDED_FOR_PACKAGING[@]}")

# present THING: whether this command, path or module is there.
present() {
    case $1 in
        /*) [[ -e $1 ]] ;;
        python:*) python3 -c "import ${1#python:}" 2>/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# missing_packages: the packages of what is not there, one a line.
missing_packages() {
    local entry
    for entry in "${NEEDED[@]}"; do
        present "${entry%%=*}" || printf '%s\n' "${entry#*=}"
    done
}

# as_root COMMAND…: runs a command as root, by sudo where needed.
as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -n "$@"
    else
        fail "must be root, or have sudo, to install: $(missing_packages | tr '\n' ' ')"
    fi
}

# apt_script: installs the packages that follow as arguments. To be run as root by sh.
# Small images leave documentation out of packages, and count these as installed without their files: hence the path
# and --reinstall, for here the documentation is the site that is crawled. No service is started: the tests start
# their own nginx, and one on port 80 is nobody's wish.
apt_script() {
    cat <<'EOF'
set -eu
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi
apt-get -qq update
apt-get -qq --yes install --no-install-recommends --reinstall -o Dpkg::Options::='--path-include=/usr/share/doc/*' "$@"
EOF
}

# install_packages: installs what is missing, quietly, and fails where something is missing still.
install_packages() {
    local packages output
    mapfile -t packages < <(missing_packages)
    [[ ${#packages[@]} -eq 0 ]] && return
    command -v apt-get >/dev/null || fail "no apt-get here: install what corresponds to ${packages[*]}"
    say "installing ${packages[*]}"
    if ! output=$(as_root sh -c "$(apt_script)" apt_script "${packages[@]}" 2>&1); then
        fail "cannot install ${packages[*]}: $output"
    fi
    mapfile -t packages < <(missing_packages)
    [[ ${#packages[@]} -eq 0 ]] || fail "installed, but what they provide is not there: ${packages[*]}"
}

# need_rust: cargo with its formatter and linter.
need_rust() {
    [[ -f ${HOME-}/.cargo/env ]] && . "$HOME/.cargo/env"
    command -v cargo >/dev/null || fail "no cargo on the PATH: install Rust from https://rustup.rs"
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null || fail "cargo lacks rustfmt or clippy: install these components of the toolchain"
    say "adding rustfmt and clippy to the toolchain"
    rustup --quiet component add rustfmt clippy || fail "cannot add rustfmt and clippy to the toolchain"
}
