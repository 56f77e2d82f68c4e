#!/usr/bin/env python3
"""Makes openings/hex-maps.txt: who wins Hex after every first stone, on boards up to 7x7, by proofs of our own.

    scripts/hex-maps.py --program target/release/crosspath > openings/hex-maps.txt

A line is size, first stone, winner, and a number of further moves within which the winner joins its edges, whatever the other side does:
an upper bound. A minute and a half for all."""

import argparse
import json
import subprocess

SIDES = {"first": "Red", "second": "Blue"}


def proved(program: str, size: int) -> dict:
    """The map of a board, as `solve --map --json` tells it."""
    command = [program, "solve", "--game", "hex", "--size", str(size), "--no-swap", "--map", "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["moves"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="target/release/crosspath", help="crosspath")
    parser.add_argument("--largest", type=int, default=7, help="the largest board")
    options = parser.parse_args()
    print("# Hex without the swap rule: size, first stone, who wins, within how many further moves at most. By scripts/hex-maps.py")
    for size in range(1, options.largest + 1):
        for stone, found in proved(options.program, size).items():
            print(size, stone, SIDES[found["outcome"]], found["plies"] - 1)


if __name__ == "__main__":
    main()
