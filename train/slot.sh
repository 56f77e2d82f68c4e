#!/usr/bin/env bash
# Trains Hex for MINUTES. Give the same command again to continue the run in FOLDER.
#
#   train/slot.sh MINUTES plain|taught FOLDER [FLAG...]
#
# FLAGs go to `python -m train hex`: --start CHECKPOINT begins a new run from a checkpoint, and
# --program PROGRAM lets crosspath play and search (otherwise PyTorch does, best on a GPU). The
# results in FOLDER are state.pt (the full checkpoint), small.pt (averaged weights in 16 bits) and
# log.jsonl. If OUT is set, they are also copied there. If commands are limited to 10 minutes,
# use at most 9.
set -euo pipefail
if [ $# -lt 3 ]; then
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
minutes=$1 kind=$2 folder=$3
shift 3
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
# The last tenth of the time is reserved: loading takes a moment, and a round in progress is
# finished.
seconds=$(awk -v minutes="$minutes" 'BEGIN { print int(minutes * 54) }')
timeout --signal=TERM --kill-after=20 "$(awk -v minutes="$minutes" 'BEGIN { print int(minutes * 60) + 20 }')" \
    "$python" -m train hex "$kind" --folder "$folder" --seconds "$seconds" --small "$folder/small.pt" "$@"
if [ -n "${OUT:-}" ]; then
    cp "$folder"/state.pt "$folder"/small.pt "$folder"/log.jsonl "$OUT"/
fi
