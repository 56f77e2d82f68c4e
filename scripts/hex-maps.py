#!/usr/bin/env python3
"""Generates openings/hex-maps.txt: the proved winner of Hex after every first stone, on boards up
to 7x7.

    scripts/hex-maps.py --program target/release/crosspath > openings/hex-maps.txt

Each line has the board size, the first stone, the winner, and an upper bound for the number of
further moves that the winner needs to connect against any defence. All boards take a minute and a
half."""

import argparse
import json
import subprocess

SIDES = {"first": "Red", "second": "Blue"}


def solve_map(program: str, size: int) -> dict:
    """Returns the results of all first stones of a board, as printed by `solve --map --json`."""
    command = [program, "solve", "--game", "hex", "--size", str(size), "--no-swap", "--map", "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["moves"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="target/release/crosspath", help="crosspath program")
    parser.add_argument("--largest", type=int, default=7, help="largest board size")
    options = parser.parse_args()
    print("# Hex without the swap rule: size, first stone, winner, upper bound for the further moves. By scripts/hex-maps.py")
    for size in range(1, options.largest + 1):
        for stone, result in solve_map(options.program, size).items():
            print(size, stone, SIDES[result["outcome"]], result["plies"] - 1)


if __name__ == "__main__":
    main()
