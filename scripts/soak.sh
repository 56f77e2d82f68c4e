#!/usr/bin/env bash
# Self-play with everything checked: a program with assertions, all levels, kills at random moments, a ceiling for memory, every game
# replayed by the plain rules. Ends with 1 at the first fault. docs/selfplay.md tells more.
#
#   scripts/soak.sh FOLDER [GAMES [GAME...]]    so many games of each game, 100000 of all three unless given; another start with the
#                                               same FOLDER and number goes on there
#
# CROSSPATH names the program and CHECK_GAMES the checker: target/debug/crosspath and target/debug/examples/check_games unless given.
set -euo pipefail

case "${1:-}" in '' | -*) echo "usage: soak.sh FOLDER [GAMES [GAME...]]" >&2; exit 2 ;; esac
folder=$1 games=${2:-100000}
case "$games" in '' | *[!0-9]* | 0*) echo "GAMES is a number from 1 on" >&2; exit 2 ;; esac
target=$(cd "$(dirname "$0")/.." && pwd)/target/debug
program=${CROSSPATH:-$target/crosspath} check=${CHECK_GAMES:-$target/examples/check_games}
for file in "$program" "$check"; do
    [ -x "$file" ] || { echo "$file is missing; cargo build --bins --examples makes it" >&2; exit 1; }
done
mkdir -p "$folder"
ulimit -v 1048576 # KiB of address space for each process
ulimit -c 0
RANDOM=1 # the moments of the kills repeat themselves

fault() { echo "FAULT: $*" >&2; exit 1; }

# kill_after SECONDS COMMAND...: its exit code, 137 where it was killed.
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

# through_kills COMMAND...: starts it again until it has come to its end, each time with twice the time.
through_kills() {
    local most=200 milliseconds code=137
    while [ "$code" -eq 137 ]; do
        milliseconds=$((RANDOM * most / 32768 + 1)) most=$((2 * most)) code=0 # RANDOM is below 32768
        kill_after "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))" "$@" || code=$?
        [ "$code" -ne 137 ] || kills=$((kills + 1))
    done
    [ "$code" -eq 0 ] || fault "exit code $code of $*"
}

# self_play GAME PERCENT FLAGS...: that part of the games on a board, shared by all levels, in parts of 500 games.
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
        [ "$("$check" "$name.shard")" = "$count" ] || fault "$name has other games than those that were asked for"
        played=$((played + count))
    done
}

# resumed GAME FLAGS...: a match that is killed and goes on has the games of one that is not killed, each once.
resumed() {
    local pairs=$((games / 1000 + 2)) name=$folder/$1-match run
    local match=("$program" arena --engine a=level:3 --engine b=level:2 --nodes 50 --openings random:4 --threads 2 --pairs "$pairs")
    match+=(--quiet --resume --game "$@")
    through_kills "${match[@]}" --out "$name-killed.jsonl"
    "${match[@]}" --out "$name-whole.jsonl" >/dev/null || fault "exit code $? of a match of $1"
    for run in killed whole; do # what a game says, without times
        sed -E 's/"(ms|cpu_ms)":\[[^]]*\],?//g' "$name-$run.jsonl" | sort >"$name-$run.games"
    done
    cmp "$name-killed.games" "$name-whole.games" || fault "games of $name are lost or were played twice"
    [ "$(wc -l <"$name-whole.games")" -eq $((2 * pairs + 1)) ] || fault "$name has not $pairs pairs"
}

# soak GAME: most games on small boards, some on the usual one.
soak() {
    kills=0 played=0
    case "$1" in
        tic-tac-toe)
            self_play "$1" 50 --size 3
            self_play "$1" 45 --size 5 --win-length 4
            self_play "$1" 5 --size 10
            resumed "$1" --size 5 --win-length 4
            ;;
        hex)
            self_play "$1" 70 --size 3
            self_play "$1" 20 --size 4
            self_play "$1" 8 --size 5 --no-swap
            self_play "$1" 2 --size 11
            resumed "$1" --size 5
            ;;
        quoridor)
            self_play "$1" 50 --size 3
            self_play "$1" 45 --size 5
            self_play "$1" 5 --size 9
            resumed "$1" --size 5
            ;;
        *) fault "there is no game $1; games are tic-tac-toe, hex, quoridor" ;;
    esac
    echo "$1: $played games, $kills kills, 0 faults"
}

[ $# -gt 2 ] || set -- "$folder" "$games" tic-tac-toe hex quoridor
for game in "${@:3}"; do
    soak "$game"
done
