#!/usr/bin/env python3
"""Measures how often a short search of Quoridor is contradicted by a long one.

    crosspath arena --game quoridor --engine a=net,nodes=4000 --engine b=net,nodes=4001 --pairs 40 --out games.jsonl
    scripts/quoridor-flips.py games.jsonl --engine old=net:OLD.safetensors --engine new=net --positions 300

Positions are drawn at random from the games of the file, all with the same probability. Every engine searches each of them twice
from an empty table. A position counts as a flip if its win chances differ by more than 23 percentage points, which is as much as
two steps make from an even position. (Two steps alone are no measure: networks differ in the values that they give to positions
which are won or lost anyway.) Prints, per engine, the number of flips and their rate with a 95% interval (Wilson); with two engines,
also the ratio of the rates, second to first, with a 95% interval from 10,000 bootstrap samples of the positions."""

import argparse
import json
import math
import random
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

STEPS_PER_UNIT = 2.0  # steps per unit of log odds, as for win chances on screen (without their correction)
LARGEST_CHANGE = 1 / (1 + math.exp(-1)) - 0.5  # a larger difference of the win chances is a flip


def read_positions(path: Path) -> list:
    """Returns the moves that lead to each position of each game, without the final positions."""
    games = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    lines = [game["opening"] + game["moves"] for game in games if "moves" in game]
    return [moves[:ply] for moves in lines for ply in range(4, len(moves))]


def search(program: str, engine: str, cpu_time: str, moves: list) -> float:
    """Returns the value of a position for the side to move, in steps; infinite if it is won or lost."""
    colours = ("white", "black")
    lines = ["boardsize 9"]
    for ply, move in enumerate(moves):
        wall = re.fullmatch(r"(\w)(\d)([hv])", move)
        # The protocol names a wall by the cell above the one that records use.
        place = f"playwall {{}} {wall[1]}{int(wall[2]) + 1} {wall[3]}" if wall else f"playmove {{}} {move}"
        lines.append(place.format(colours[ply % 2]))
    lines += [f"genmove {colours[len(moves) % 2]}", "stats", "quit"]
    command = [program, "engine", "--protocol", "qtp", "--engine", f"{engine},cpu-time={cpu_time}"]
    output = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    if "?" in output:
        raise SystemExit(f"{engine} rejects {' '.join(moves)}: {output}")
    score = re.search(r"score (\S+)", output)[1]
    return {"win": math.inf, "loss": -math.inf}.get(score) or float(score)


def win_chance(steps: float) -> float:
    """Returns the win chance of a value in steps, infinite if the position is won or lost."""
    return (1 + math.tanh(steps / STEPS_PER_UNIT / 2)) / 2


def is_flip(short: float, long: float) -> bool:
    """Reports whether the long search contradicts the short one."""
    return abs(win_chance(short) - win_chance(long)) > LARGEST_CHANGE


def measure(options: argparse.Namespace, program: str, engine: str, positions: list) -> list:
    """Returns one truth value per position: whether the engine's searches disagree."""
    with ThreadPoolExecutor(options.processes) as pool:
        values = [list(pool.map(partial(search, program, engine, time), positions)) for time in (options.short, options.long)]
    return [is_flip(short, long) for short, long in zip(*values)]


def wilson(count: int, total: int) -> tuple:
    """Returns the 95% interval of a rate."""
    z, rate = 1.96, count / total
    centre = (rate + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    return centre - half, centre + half


def ratio_interval(first: list, second: list, samples: int = 10_000) -> tuple:
    """Returns the 95% bootstrap interval of the ratio of two rates on the same positions."""
    generator, ratios = random.Random(1), []
    pairs = list(zip(first, second))
    for _ in range(samples):
        drawn = generator.choices(pairs, k=len(pairs))
        denominator = sum(pair[0] for pair in drawn)
        ratios.append(sum(pair[1] for pair in drawn) / denominator if denominator else math.inf)
    ratios.sort()
    return ratios[samples // 40], ratios[-samples // 40]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", type=Path, help="games written by arena --out")
    parser.add_argument("--program", action="append", help="crosspath; repeat it for another build per engine, in the same order")
    parser.add_argument("--engine", action="append", metavar="NAME=SPEC", required=True, help="engine to measure; repeat it to compare two")
    parser.add_argument("--positions", type=int, default=1000, help="positions to draw")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the draw")
    parser.add_argument("--short", default="150ms", help="CPU time of the short search")
    parser.add_argument("--long", default="3s", help="CPU time of the long search")
    parser.add_argument("--processes", type=int, default=1, help="searches at a time")
    options = parser.parse_args()
    positions = random.Random(options.seed).sample(read_positions(options.games), options.positions)
    programs = options.program or ["target/release/crosspath"]
    if len(programs) not in (1, len(options.engine)):
        parser.error("give --program once, or once per engine")
    results = {}
    for number, engine in enumerate(options.engine):
        name, spec = engine.split("=", 1)
        flips = results[name] = measure(options, programs[number % len(programs)], spec, positions)
        low, high = wilson(sum(flips), len(flips))
        print(f"{name}: {sum(flips)} of {len(flips)} positions, {sum(flips) / len(flips):.1%} [{low:.1%}, {high:.1%}]", flush=True)
    if len(results) == 2:
        first, second = results.values()
        low, high = ratio_interval(first, second)
        print(f"ratio: {sum(second) / max(1, sum(first)):.2f} [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
