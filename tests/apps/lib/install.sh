# What installs an application. To be sourced by each tests/apps/NAME/install, which gets the folder to keep things in.

lib=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../lib" && pwd)
. "$lib/say.sh"
. "$lib/packages.sh"

# environment FOLDER PACKAGE…: a Python environment in FOLDER/venv with these packages, made again where it is another.
environment() {
    local folder=$1 output
    shift
    [[ -f $folder/packages && $(<"$folder/packages") == "$*" ]] && return
    rm -rf "$folder"
    mkdir -p "$folder"
    if ! output=$(python3 -m venv "$folder/venv" 2>&1 &&
        "$folder/venv/bin/pip" --quiet --disable-pip-version-check install "$@" 2>&1); then
        fail "cannot install $*: $output"
    fi
    printf '%s' "$*" >"$folder/packages"
}
