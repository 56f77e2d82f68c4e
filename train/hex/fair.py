"""Finds Hex openings that are about even, with searches of crosspath.

    python -m train.hex.fair --program target/release/crosspath > openings/hex-first-stones.txt
    python -m train.hex.fair --program target/release/crosspath --openings 7 --engine net,nodes=1000 > openings/hex-7x7.txt
    python -m train.hex.fair --program target/release/crosspath --swap-map 11 13 --engine net,nodes=10000 > openings/hex-swap-maps.txt

Without --openings and --swap-map: prints a line for each board size from 7 to 19, with the first stones after
which the win chance of First is closest to 50% if there is no swap. Of a stone and its image under
rotation by 180 degrees only the first is listed.

With --openings SIZE: prints random openings of two stones on that board after which the search
gives each side 35% to 65%. No opening occurs twice or together with its rotation by 180 degrees.

With --swap-map SIZE...: prints a grid of First's win chances without the swap for each first stone, in
percent. Second should swap where the chance is above 50."""

import argparse
import json
import math
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SIZES = range(7, 20)
EVEN_TOLERANCE = 0.06  # largest distance from 0.5 at which a win chance counts as even
MIN_STONES, MAX_STONES = 4, 12  # number of stones per line


def chance_of_first(program: str, engine: str, size: int, stone: str) -> float:
    """Returns the win chance of First after this first stone."""
    flags = f"--game hex --size {size} --no-swap --mode 1 --play-as first --seed 1 --json --engine {engine}".split()
    output = subprocess.run([program, *flags], input=f"{stone}\nquit\n", capture_output=True, text=True, check=True).stdout
    reply = next(event for event in map(json.loads, output.splitlines()) if event.get("ply") == 2)
    return 1 / (1 + math.exp(max(-100.0, min(100.0, reply["score"] / 1000))))  # a proved result has a huge score


def chance_of_mover(program: str, engine: str, size: int, opening: tuple) -> float:
    """Returns the win chance of the side to move after an opening.

    If the search proves the winner, it returns 0, so that the opening does not count as even.
    """
    flags = f"--game hex --size {size} --no-swap --mode 2 --seed 1 --json --engine {engine}".split()
    lines = "\n".join([*opening, "eval", "quit"])
    output = subprocess.run([program, *flags], input=lines, capture_output=True, text=True, check=True).stdout
    reply = next(event for event in map(json.loads, output.splitlines()) if event.get("word") == "eval")
    score = re.search(r"score ([+-][0-9.]+)", reply["result"][0])
    return 1 / (1 + math.exp(-float(score.group(1)))) if score else 0.0


def render_swap_map(options: argparse.Namespace, size: int) -> str:
    """Returns the grid of First's win chances after each first stone in percent, one line per row."""
    names = [f"{chr(97 + col)}{row + 1}" for row in range(size) for col in range(size)]
    half = names[: (len(names) + 1) // 2]
    with ThreadPoolExecutor(options.processes) as pool:
        chances = list(pool.map(lambda stone: chance_of_first(options.program, options.engine, size, stone), half))
    # The other half is the same board rotated by 180 degrees.
    cells = [f"{round(100 * chance):4}" for chance in chances + chances[: len(names) // 2][::-1]]
    rows = ["".join(cells[row * size : (row + 1) * size]) for row in range(size)]
    header = "  " + "".join(f"{chr(97 + col):>4}" for col in range(size))
    return "\n".join([header, *(f"{number:2}{row}" for number, row in enumerate(rows, 1))])


def find_even_openings(options: argparse.Namespace) -> list:
    """Returns up to `options.count` random openings of two stones with a win chance of 35% to
    65%."""
    size, rng = options.openings, random.Random(1)
    cells = [(row, col) for row in range(size) for col in range(size)]
    candidates, seen, even = [], set(), []
    while len(candidates) < 40 * options.count:
        pair = tuple(rng.sample(cells, 2))
        if pair in seen:
            continue
        seen |= {pair, tuple((size - 1 - row, size - 1 - col) for row, col in pair)}
        candidates.append(tuple(f"{chr(97 + col)}{row + 1}" for row, col in pair))
        if len(seen) >= len(cells) * (len(cells) - 1):
            break
    with ThreadPoolExecutor(options.processes) as pool:
        for start in range(0, len(candidates), 50):
            batch = candidates[start : start + 50]
            chances = pool.map(lambda opening: chance_of_mover(options.program, options.engine, size, opening), batch)
            even += [opening for opening, chance in zip(batch, chances) if 0.35 <= chance <= 0.65]
            if len(even) >= options.count:
                break
    return even[: options.count]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m train.hex.fair", description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="crosspath", help="crosspath program")
    parser.add_argument("--engine", default="net,nodes=150", help="engine that evaluates the openings")
    parser.add_argument("--processes", type=int, default=1, help="number of searches in parallel")
    parser.add_argument("--openings", type=int, default=0, metavar="SIZE", help="find openings of two stones on this board instead of first stones")
    parser.add_argument("--swap-map", type=int, nargs="*", default=[], metavar="SIZE", help="print the win chances after each first stone on these boards")
    parser.add_argument("--count", type=int, default=50, help="number of openings")
    options = parser.parse_args()
    if options.swap_map:
        print(f"# Win chance of First after each first stone without the swap, in percent, by {options.engine} (train/hex/fair.py).")
        for size in options.swap_map:
            print(f"# {size}x{size}", render_swap_map(options, size), sep="\n", flush=True)
        return 0
    if options.openings:
        openings = find_even_openings(options)
        print(f"# {len(openings)} Hex openings of two stones that are about even according to {options.engine} (train/hex/fair.py)")
        print("\n".join(" ".join(opening) for opening in openings))
        return 0
    print(f"# First stones after which Hex is about even according to {options.engine} (train/hex/fair.py).")
    print("# Each stone stands for its rotation by 180 degrees too. After it: the win chance of First, in percent.")
    for size in SIZES:
        cells = [(row, col) for row in range(size) for col in range(size)]
        stones = [f"{chr(97 + col)}{row + 1}" for row, col in cells[: (len(cells) + 1) // 2]]
        with ThreadPoolExecutor(options.processes) as pool:
            chances = list(pool.map(lambda stone: chance_of_first(options.program, options.engine, size, stone), stones))
        ranked = sorted(zip(stones, chances), key=lambda pair: abs(pair[1] - 0.5))
        even = [pair for pair in ranked[:MAX_STONES] if abs(pair[1] - 0.5) <= EVEN_TOLERANCE]
        listed = even if len(even) >= MIN_STONES else ranked[:MIN_STONES]
        print(f"{size}:", " ".join(f"{stone}={round(100 * chance)}" for stone, chance in listed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
