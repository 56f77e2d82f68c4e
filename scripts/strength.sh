#!/bin/sh
# Plays every level against the level below and a strong one against classic, and writes the results
# into the marked tables of docs/engines.md. An interrupted match continues when the script is
# started again with the same folder. Games read from the folder have their times in whole
# milliseconds.
#
#   scripts/strength.sh FOLDER [PAIRS]         writes the games to FOLDER; 50 pairs per match by default
#   scripts/strength.sh --quick FILE FOLDER    plays 2 pairs on tiny boards and writes the tables of FILE
#
# CROSSPATH is the path of the program (default: target/release/crosspath).
set -eu

usage() {
    echo "usage: strength.sh FOLDER [PAIRS], or strength.sh --quick FILE FOLDER" >&2
    exit 2
}

here=$(cd "$(dirname "$0")/.." && pwd)
program=${CROSSPATH:-$here/target/release/crosspath}
page=$here/docs/engines.md
quick=
if [ "${1:-}" = --quick ]; then
    [ $# -eq 3 ] || usage
    quick=yes page=$2 folder=$3 pairs=2
else
    [ $# -eq 1 ] || [ $# -eq 2 ] || usage
    folder=$1 pairs=${2:-50}
fi
case "$pairs" in '' | *[!0-9]* | 0*) usage ;; esac
[ -x "$program" ] || { echo "$program is missing; cargo build --release makes it" >&2; exit 1; }
command -v python3 >/dev/null || { echo "python3 is missing; the script needs it for the tables" >&2; exit 1; }
mkdir -p "$folder"
commit=$(git -C "$here" describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || echo unknown)

# match GAME STRONG WEAK FLAGS...: plays the missing games and saves the report.
match() {
    game=$1 strong=$2 weak=$3
    shift 3
    name=$folder/$game-$strong-$weak
    echo "$game: $strong against $weak" >&2
    nice -n 19 "$program" arena --game "$game" --engine "a=level:$strong" --engine "b=level:$weak" --pairs "$pairs" \
        --out "$name.jsonl" --resume --quiet --json "$@" >"$name.new"
    mv "$name.new" "$name.json"
}

# ladder GAME LEVELS FLAGS...: plays every match of a game.
ladder() {
    game=$1 top=$2 level=2
    shift 2
    while [ "$level" -le "$top" ]; do
        match "$game" "$level" $((level - 1)) "$@"
        level=$((level + 1))
    done
    match "$game" "$top" classic "$@"
}

if [ "$quick" ]; then
    ladder tic-tac-toe 8 --size 3 --openings random:2
    ladder hex 8 --size 3 --no-swap
    ladder quoridor 8 --size 3
else
    ladder tic-tac-toe 8 --size 5 --win-length 4 --openings random:2
    ladder hex 7 --size 11 --no-swap --openings random:2 # level 8 takes two seconds per move
    ladder quoridor 7 --openings "$here/openings/quoridor-9x9.txt"
    match quoridor 8 7 --openings "$here/openings/quoridor-9x9.txt" --cpu-time a=2s
fi

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
python3 - "$page" "$folder" "$(date +%Y-%m-%d), ${cpu:-$(uname -m)}, commit $commit" <<'END'
import json
import os
import re
import sys

page, folder, origin = sys.argv[1:]
OPEN, CLOSE = "<!-- strength:%s -->\n", "<!-- /strength -->"


def elo(estimate):
    """Returns an estimate with its interval, or one bound if all games ended alike."""
    value, low, high = (estimate[key] for key in ("value", "low", "high"))
    if value is None:
        return f"over {low:+.0f}" if low is not None else f"below {high:+.0f}"
    low = "-∞" if low is None else f"{low:+.0f}"
    high = "∞" if high is None else f"{high:+.0f}"
    return f"{value:+.0f} [{low}, {high}]"


def row(name, strong, weak):
    with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
        report = json.load(file)
    # CPU time if the system reports it, so that other programs do not count.
    times = report["ms"] if None in report["cpu_ms"] else report["cpu_ms"]
    nodes, ms = ([sum / max(moves, 1) for sum, moves in zip(sums, report["moves"])] for sums in (report["nodes"], times))
    if report["score"] is None:
        sys.exit(f"{name}: no pair was counted")
    cells = [
        f"{strong} against {weak}",
        str(report["pairs"]),
        f"{100 * report['score']['value']:.1f}%",
        elo(report["elo"]),
        ", ".join(f"{value:.0f}" for value in nodes),
        ", ".join(f"{value:.2f}" for value in ms),
    ]
    return f"| {' | '.join(cells)} |\n"


def board(name):
    """Returns the settings and openings from the header of a match."""
    with open(os.path.join(folder, f"{name}.jsonl"), encoding="utf-8") as file:
        header = json.loads(file.readline())
    keys = list(header)
    settings = {key: header[key] for key in keys[keys.index("game") + 1 : keys.index("seed")]}
    words = [f"{key.replace('_', ' ')} {str(value).replace('False', 'off').replace('True', 'on')}" for key, value in settings.items()]
    openings = header["openings"]
    if os.path.isabs(openings):
        openings = os.path.relpath(openings, os.path.dirname(os.path.dirname(page)))
    return ", ".join([*words, f"openings {openings}"])


def table(game):
    matches = sorted(
        (name[len(game) + 1 : -5].split("-") for name in os.listdir(folder) if re.fullmatch(f"{game}-[0-9]+-[0-9a-z]+[.]json", name)),
        key=lambda match: (match[1] == "classic", int(match[0])),
    )
    if not matches:
        sys.exit(f"{folder} has no match of {game}")
    names = [f"{game}-{strong}-{weak}" for strong, weak in matches]
    lines = ["| match | pairs | score | Elo, 95% interval | nodes per move | ms per move |\n", "|---|---|---|---|---|---|\n"]
    lines += [row(name, *match) for name, match in zip(names, matches)]
    return "".join([*lines, f"\n{board(names[0])}; {origin}\n"])


with open(page, encoding="utf-8") as file:
    text = file.read()
for game in ("tic-tac-toe", "hex", "quoridor"):
    mark = OPEN % game
    if text.count(mark) != 1 or CLOSE not in text.split(mark)[1]:
        sys.exit(f"{page} lacks the lines {mark.strip()} and {CLOSE}")
    before, behind = text.split(mark)
    text = before + mark + table(game) + behind[behind.index(CLOSE) :]
with open(page + ".new", "w", encoding="utf-8") as file:
    file.write(text)
os.replace(page + ".new", page)
END
