"""Finds the first stones of Hex that are about as good for either side, by searches of the program.

    python -m train.hex.fair --program target/release/crosspath > openings/hex-first-stones.txt
    python -m train.hex.fair --program target/release/crosspath --openings 7 --engine net,nodes=1000 > openings/hex-7x7.txt

A line for each size: the stones of which the other side, without the swap, wins with a chance closest to one half. Of a stone
and its half turn the first is named. With --openings: openings of two stones of one size, drawn at random, after which the
search gives both sides 35 to 65 percent; none twice, and none with its half turn."""

import argparse
import json
import math
import random
import re
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


def value(program: str, engine: str, size: int, opening: tuple) -> float:
    """The chance of the side to move after an opening; 0 where a search proves who wins, so that it is not even."""
    flags = f"--game hex --size {size} --no-swap --mode 2 --seed 1 --json --engine {engine}".split()
    lines = "\n".join([*opening, "eval", "quit"])
    said = subprocess.run([program, *flags], input=lines, capture_output=True, text=True, check=True).stdout
    answer = next(event for event in map(json.loads, said.splitlines()) if event.get("word") == "eval")
    score = re.search(r"score ([+-][0-9.]+)", answer["result"][0])
    return 1 / (1 + math.exp(-float(score.group(1)))) if score else 0.0


def even_openings(options: argparse.Namespace) -> list:
    """So many openings of two stones after which a search finds either side about as good."""
    size, draw = options.openings, random.Random(1)
    cells = [(row, col) for row in range(size) for col in range(size)]
    drawn, known, found = [], set(), []
    while len(drawn) < 40 * options.count:
        pair = tuple(draw.sample(cells, 2))
        if pair in known:
            continue
        known |= {pair, tuple((size - 1 - row, size - 1 - col) for row, col in pair)}
        drawn.append(tuple(f"{chr(97 + col)}{row + 1}" for row, col in pair))
        if len(known) >= len(cells) * (len(cells) - 1):
            break
    with ThreadPoolExecutor(options.processes) as pool:
        for start in range(0, len(drawn), 50):
            some = drawn[start : start + 50]
            chances = pool.map(lambda opening: value(options.program, options.engine, size, opening), some)
            found += [opening for opening, chance in zip(some, chances) if 0.35 <= chance <= 0.65]
            if len(found) >= options.count:
                break
    return found[: options.count]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m train.hex.fair", description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="crosspath")
    parser.add_argument("--engine", default="net,nodes=150", help="who judges the stones")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--openings", type=int, default=0, metavar="SIZE", help="openings of two stones of this size instead")
    parser.add_argument("--count", type=int, default=50, help="how many openings")
    options = parser.parse_args()
    if options.openings:
        chosen = even_openings(options)
        print(f"# {len(chosen)} openings of Hex of two stones that {options.engine} finds even (train/hex/fair.py)")
        print("\n".join(" ".join(opening) for opening in chosen))
        return 0
    print(f"# First stones that are about as good for either side, as {options.engine} judges them (train/hex/fair.py).")
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
