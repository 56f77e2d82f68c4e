#!/usr/bin/env bash
# Lets two programs play Hex over crossed pipes, in the tournament protocol of EP5, and shows the winner.
#
#   examples/ep5-match.sh STARTER SECOND
#
# Each argument is a command to which b or p is appended, such as "target/release/crosspath engine --protocol ep5".
set -uo pipefail
starter=${1:?the command of the program that starts}
second=${2:?the command of the other program}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/to_starter"
# The moves go from one to the other; standard error reports how the game ended.
$starter b <"$folder/to_starter" 2>"$folder/starter" | tee "$folder/first" |
  $second p 2>"$folder/second" | tee "$folder/answers" >"$folder/to_starter"
won=$(grep -ho '^[bp] ganhou' "$folder/starter" "$folder/second" | head -n 1)
if [ -z "$won" ]; then
  echo "the game has no winner"
  sed 's/^/starter: /' "$folder/starter"
  sed 's/^/second: /' "$folder/second"
  exit 1
fi
# If the second program repeats the first move it has swapped. From then on it is b.
b=starter p=second
if [ "$(head -n 1 "$folder/first")" = "$(head -n 1 "$folder/answers")" ]; then
  b=second p=starter
  echo "the second player swapped"
fi
letter=${won%% *}
echo "$won: the ${!letter} wins"
echo "moves of the starter: $(wc -l <"$folder/first"), of the second: $(wc -l <"$folder/answers")"
