#!/usr/bin/env bash
# Soak test: self-play of all levels in a program with assertions, with kills at random moments and
# a memory limit. The rules replay every game afterwards. The first fault ends the test with exit
# code 1. See docs/selfplay.md.
#
#   scripts/soak.sh FOLDER [GAMES [GAME...]]    plays GAMES games (default: 100000) of each GAME (default: all three)
#
# Start it again with the same FOLDER and GAMES to continue. CROSSPATH is the path of the program
# (default: target/debug/crosspath), CHECK_GAMES that of the checker (default:
# target/debug/examples/check_games).
set -euo pipefail

case "${1:-}" in '' | -*) echo "usage: soak.sh FOLDER [GAMES [GAME...]]" >&2; exit 2 ;; esac
folder=$1 games=${2:-100000}
case "$games" in '' | *[!0-9]* | 0*) echo "GAMES must be a number, at least 1" >&2; exit 2 ;; esac
target=$(cd "$(dirname "$0")/.." && pwd)/target/debug
program=${CROSSPATH:-$target/crosspath} check=${CHECK_GAMES:-$target/examples/check_games}
for file in "$program" "$check"; do
    [ -x "$file" ] || { echo "$file is missing; cargo build --bins --examples makes it" >&2; exit 1; }
done
mkdir -p "$folder"
ulimit -v 1048576 # KiB of address space for each process
ulimit -c 0
RANDOM=1 # seeds the times of the kills

fault() { echo "FAULT: $*" >&2; exit 1; }

# kill_after SECONDS COMMAND...: runs COMMAND and kills it after SECONDS. Returns its exit code, 137
# if it was killed.
kill_after() {
    local seconds=$1 code=0 process watch
    shift
    "$@" >/dev/null &
    process=$!
    (sleep "$seconds" && kill -KILL "$process") >/dev/null 2>&1 &
    watch=$!
    wait "$process" 2>/dev/null || code=$?
    kill "$watch" 2>/dev/null || true
    return "$code"
}

# through_kills COMMAND...: runs COMMAND until it finishes before it is killed. Each try gets up to
# twice the time.
through_kills() {
    local limit=200 milliseconds code=137
    while [ "$code" -eq 137 ]; do
        milliseconds=$((RANDOM * limit / 32768 + 1)) limit=$((2 * limit)) code=0 # RANDOM is below 32768
        kill_after "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))" "$@" || code=$?
        [ "$code" -ne 137 ] || kills=$((kills + 1))
    done
    [ "$code" -eq 0 ] || fault "exit code $code of $*"
}

# self_play GAME PERCENT FLAGS...: plays PERCENT of the games on one board, divided among all
# levels, in parts of 500.
self_play() {
    local game=$1 count=$(((games * $2 + 899) / 900)) level name part parts
    shift 2
    parts=$(((count + 499) / 500))
    for level in classic level:1 level:2 level:3 level:4 level:5 level:6 level:7 level:8; do
        name=$folder/$game$(printf %s "$*" | tr -d ' ')-${level#level:}
        "$program" selfplay --game "$game" "$@" --engine "$level" --nodes 20 --games "$count" --write-job "$name.json" >/dev/null
        for ((part = 0; part < parts; part++)); do
            through_kills "$program" work --job "$name.json" --index "$part" --count "$parts" --out "$name-$part.shard"
        done
        "$program" merge --job "$name.json" --out "$name.shard" "$name"-*.shard >/dev/null || fault "games of $name are lost"
        [ "$("$check" "$name.shard")" = "$count" ] || fault "$name does not have the $count games of the job"
        played=$((played + count))
    done
}

# check_resume GAME FLAGS...: checks that a match that is killed and resumed has the same games as
# one that is not.
check_resume() {
    local pairs=$((games / 1000 + 2)) name=$folder/$1-match run
    local match=("$program" arena --engine a=level:3 --engine b=level:2 --nodes 50 --openings random:4 --threads 2 --pairs "$pairs")
    match+=(--quiet --resume --game "$@")
    through_kills "${match[@]}" --out "$name-killed.jsonl"
    "${match[@]}" --out "$name-whole.jsonl" >/dev/null || fault "exit code $? of a match of $1"
    for run in killed whole; do # games without their times
        sed -E 's/"(ms|cpu_ms)":\[[^]]*\],?//g' "$name-$run.jsonl" | sort >"$name-$run.games"
    done
    cmp "$name-killed.games" "$name-whole.games" || fault "games of $name are lost or were played twice"
    [ "$(wc -l <"$name-whole.games")" -eq $((2 * pairs + 1)) ] || fault "$name has not $pairs pairs"
}

# soak GAME: plays most games on small boards and some on the standard one.
soak() {
    kills=0 played=0
    case "$1" in
        tic-tac-toe)
            self_play "$1" 50 --size 3
            self_play "$1" 45 --size 5 --win-length 4
            self_play "$1" 5 --size 10
            check_resume "$1" --size 5 --win-length 4
            ;;
        hex)
            self_play "$1" 70 --size 3
            self_play "$1" 20 --size 4
            self_play "$1" 8 --size 5 --no-swap
            self_play "$1" 2 --size 11
            check_resume "$1" --size 5
            ;;
        quoridor)
            self_play "$1" 50 --size 3
            self_play "$1" 45 --size 5
            self_play "$1" 5 --size 9
            check_resume "$1" --size 5
            ;;
        *) fault "there is no game $1; games are tic-tac-toe, hex, quoridor" ;;
    esac
    echo "$1: $played games, $kills kills, 0 faults"
}

[ $# -gt 2 ] || set -- "$folder" "$games" tic-tac-toe hex quoridor
for game in "${@:3}"; do
    soak "$game"
done
