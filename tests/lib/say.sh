# Messages. To be sourced.

# say TEXT…: reports progress, apart from what the steps print themselves.
say() { printf '\n== %s\n' "$*" >&2; }

# fail TEXT…: ends the script with a message that says what is wrong and what to do.
fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}
