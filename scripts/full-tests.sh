#!/usr/bin/env bash
# Runs the tests that `cargo test` leaves out, one by one, and prints the time of each.
#
#     scripts/full-tests.sh [FILTER]       runs only tests whose names contain FILTER
#     LIMIT=3600 scripts/full-tests.sh     allows each test this many seconds (the default is 3600)
#
# Tests of wall-clock time need a quiet machine. The last line names every test group that was
# skipped, and why. The exit code is 1 if a test failed or took too long.
set -euo pipefail
cd "$(dirname "$0")/.."
filter=${1:-}
limit=${LIMIT:-3600}
log=$(mktemp)
notes=$(mktemp)
trap 'rm -f "$log" "$notes"' EXIT
export CROSSPATH_SKIPPED=$notes

cargo test --release --locked --no-run --test it
list() { cargo test --release --locked --quiet --test it -- --ignored --list --format terse "$filter" 2>/dev/null; }
mapfile -t tests < <(list | sed -n 's/: test$//p')
if [ ${#tests[@]} = 0 ]; then
    echo "error: no ignored test${filter:+ has a name with $filter}" >&2
    exit 1
fi

failed=0
for test in "${tests[@]}"; do
    begin=$(date +%s.%N)
    code=0
    timeout "$limit" cargo test --release --locked --quiet --test it -- --ignored --exact "$test" >"$log" 2>&1 || code=$?
    seconds=$(echo "$(date +%s.%N) $begin" | awk '{ printf "%.1f", $1 - $2 }')
    case $code in
        0) verdict=ok ;;
        124) verdict="FAILED: more than $limit s" ;;
        *) verdict="FAILED: exit code $code" ;;
    esac
    printf '%8s s  %s  %s\n' "$seconds" "$test" "$verdict"
    if [ "$code" != 0 ]; then
        failed=$((failed + 1))
        tail -n 20 "$log" | sed 's/^/    /'
    fi
done
echo "${#tests[@]} tests, $failed failed"
mapfile -t skipped < <(sort -u "$notes")
if [ ${#skipped[@]} = 0 ]; then
    echo 'skipped: none'
else
    printf 'skipped: '
    printf '%s; ' "${skipped[@]}" | sed 's/; $/\n/'
fi
[ "$failed" = 0 ]
