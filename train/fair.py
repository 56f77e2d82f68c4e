"""Finds the first stones of Hex that are about as good for either side, by searches of the program.

    python -m train.fair --program target/release/crosspath > openings/hex-first-stones.txt

A line for each size: the stones of which the other side, without the swap, wins with a chance closest to one half. Of a stone
and its half turn the first is named."""

import argparse
import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SIZES = range(7, 20)
EVEN = 0.06  # how far from one half a chance may be
LEAST, MOST = 4, 12  # stones of a line


def chance(program: str, engine: str, size: int, stone: str) -> float:
    """How likely First wins with this stone."""
    flags = f"--game hex --size {size} --no-swap --mode 1 --play-as first --seed 1 --json --engine {engine}".split()
    said = subprocess.run([program, *flags], input=f"{stone}\nquit\n", capture_output=True, text=True, check=True).stdout
    answer = next(event for event in map(json.loads, said.splitlines()) if event.get("ply") == 2)
    return 1 / (1 + math.exp(answer["score"] / 1000))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m train.fair", description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="crosspath")
    parser.add_argument("--engine", default="net,nodes=150", help="who judges the stones")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    print(f"# First stones that are about as good for either side, as {options.engine} judges them (train/fair.py).")
    print("# Each stands for its half turn too. Behind a stone: how likely First wins with it, in percent.")
    for size in SIZES:
        cells = [(row, col) for row in range(size) for col in range(size)]
        stones = [f"{chr(97 + col)}{row + 1}" for row, col in cells[: (len(cells) + 1) // 2]]
        with ThreadPoolExecutor(options.processes) as pool:
            chances = list(pool.map(lambda stone: chance(options.program, options.engine, size, stone), stones))
        ranked = sorted(zip(stones, chances), key=lambda pair: abs(pair[1] - 0.5))
        even = [pair for pair in ranked[:MOST] if abs(pair[1] - 0.5) <= EVEN]
        chosen = even if len(even) >= LEAST else ranked[:LEAST]
        print(f"{size}:", " ".join(f"{stone}={round(100 * chance)}" for stone, chance in chosen), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
