#!/usr/bin/env bash
# Lets two programs play Hex over crossed pipes, in the tournament protocol of EP5, and shows the winner.
#
#   examples/ep5-match.sh STARTER SECOND
#
# Each is a command to which b or p is added, such as "target/release/crosspath engine --protocol ep5".
set -euo pipefail
starter=${1:?the command of the program that starts}
second=${2:?the command of the other program}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/to_starter"
# Standard error of both tells who has won; the moves go from one to the other.
$starter b <"$folder/to_starter" 2>"$folder/says" | tee "$folder/moves" | $second p 2>/dev/null >"$folder/to_starter" || true
echo "moves of the starter: $(wc -l <"$folder/moves")"
grep ganhou "$folder/says" || { echo "nobody has won"; exit 1; }
