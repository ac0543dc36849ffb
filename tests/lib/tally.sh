# Counts what passed and what failed. To be sourced, after say.sh.

passed=0
failed=0

# step NAME COMMAND…: runs a step that passes or fails as one. Failing counts as one failure; the rest goes on.
step() {
    local name=$1
    shift
    say "$name"
    if ! "$@"; then
        failed=$((failed + 1))
        say "FAILED: $name"
    fi
}

# tests NAME LOG COMMAND…: runs cargo test, keeps what it prints in LOG as well, and adds up its result lines.
# A test that is ignored counts as a failure: it says nothing about the program.
tests() {
    local name=$1 log=$2 sums status=0
    shift 2
    say "$name"
    "$@" 2>&1 | tee "$log" || status=$?
    sums=$(awk '/^test result: / {
        for (i = 2; i <= NF; i++) {
            if ($i == "passed;") passed += $(i - 1)
            if ($i == "failed;") failed += $(i - 1)
            if ($i == "ignored;") ignored += $(i - 1)
        }
    } END { print passed + 0, failed + 0, ignored + 0 }' "$log")
    local now_passed now_failed now_ignored
    read -r now_passed now_failed now_ignored <<<"$sums"
    [[ $now_ignored -eq 0 ]] || say "FAILED: $now_ignored tests are ignored; a test that does not run proves nothing"
    now_failed=$((now_failed + now_ignored))
    # Where cargo failed and no test did, something did not compile or a test process was killed.
    if [[ $status -ne 0 && $now_failed -eq 0 ]]; then
        now_failed=1
        say "FAILED: $name (exit $status)"
    fi
    if [[ $status -eq 0 && $now_passed -eq 0 ]]; then
        now_failed=$((now_failed + 1))
        say "FAILED: $name: no test ran"
    fi
    passed=$((passed + now_passed))
    failed=$((failed + now_failed))
}

# rows NAME LOG COMMAND…: runs a command whose last line is "N passed, N failed", keeps what it prints in LOG as well,
# and adds these up.
rows() {
    local name=$1 log=$2 status=0 last
    shift 2
    say "$name"
    "$@" | tee "$log" || status=$?
    last=$(tail -n 1 "$log")
    if [[ $last =~ ^([0-9]+)' passed, '([0-9]+)' failed'$ ]] && ((BASH_REMATCH[1] + BASH_REMATCH[2] > 0)); then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        [[ $status -eq 0 || ${BASH_REMATCH[2]} -gt 0 ]] && return
    fi
    failed=$((failed + 1))
    say "FAILED: $name (exit $status)"
}

# tally: prints the last line; its status is 0 if nothing failed.
tally() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [[ $failed -eq 0 ]]
}
