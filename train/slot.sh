#!/usr/bin/env bash
# Trains Hex for MINUTES (at most 9 are sensible where a machine ends commands after 10) and leaves its results in OUT:
#   state.pt (everything to continue), small.pt (averaged weights in 16 bits), log.jsonl.
# The same command continues from what is in FOLDER, or begins with START; on a GPU games, searches and learning are tensors there,
# elsewhere the program plays on all cores where it is given.
#   train/slot.sh MINUTES plain|taught FOLDER [flag...]
set -euo pipefail
if [ $# -lt 3 ]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
minutes=$1 kind=$2 folder=$3
shift 3
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
# Loading takes a moment, and a round that has begun is finished: the last tenth is kept for both.
seconds=$(awk -v minutes="$minutes" 'BEGIN { print int(minutes * 54) }')
timeout --signal=TERM --kill-after=20 "$(awk -v minutes="$minutes" 'BEGIN { print int(minutes * 60) + 20 }')" \
    "$python" -m train hex "$kind" --folder "$folder" --seconds "$seconds" --small "$folder/small.pt" "$@"
if [ -n "${OUT:-}" ]; then
    cp "$folder"/state.pt "$folder"/small.pt "$folder"/log.jsonl "$OUT"/
fi
