#!/usr/bin/env python3
"""Draws tests/data/hex_prover.txt: positions on 11x11 that the side to move provably wins, and a move that gave the proof away.

    scripts/prover-positions.py --program PROGRAM > tests/data/hex_prover.txt

PROGRAM plays the games of MATCHES, each of openings/hex-11x11.txt from both sides. In each game the positions with 61 to 85 empty
cells are solved, the last one first, each with at most 300 positions of the prover, until two are not solved. A position is
listed if the side to move provably wins there and not after its next move. Games that give positions go to two halves in turn.
A line is the engine that chose the move, the moves up to the position, a colon, and that move. About 30 CPU-minutes.
The list in the repository was drawn with the program of commit 877a594, before the change that it measures."""

import argparse
import json
import pathlib
import subprocess
import tempfile

SIZE, FEWEST_EMPTY, MOST_EMPTY = 11, 61, 85
SIDES = ("first", "second")
MATCHES = (
    (150, {"level-7": "level:7", "nodes-1024": "net,nodes=1024"}),
    (300, {"nodes-64": "net,nodes=64", "nodes-128": "net,nodes=128"}),
)
OPENINGS = pathlib.Path(__file__).resolve().parent.parent / "openings" / "hex-11x11.txt"


def play(program: str, pairs: int, engines: dict, folder: str) -> list:
    """Plays the games; returns the records of the arena."""
    log = pathlib.Path(folder) / f"{next(iter(engines))}.jsonl"
    command = [program, "arena", "--game", "hex", "--size", str(SIZE), "--no-swap", "--openings", str(OPENINGS)]
    command += [f"--engine={name}={spec}" for name, spec in engines.items()]
    command += ["--pairs", str(pairs), "--threads", "1", "--quiet", "--out", str(log)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return [json.loads(line) for line in log.read_text().splitlines()[1:]]


def winner(program: str, moves: list, folder: str) -> str | None:
    """Returns the side that provably wins, or nothing if 300 positions do not suffice."""
    proof = pathlib.Path(folder) / "proof"
    proof.unlink(missing_ok=True)
    command = [program, "solve", "--game", "hex", "--size", str(SIZE), "--no-swap", "--moves", " ".join(moves)]
    command += ["--proof", str(proof), "--nodes", "300", "--movetime", "2s"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not proof.exists():
        return None
    head = dict(line.split()[:2] for line in proof.read_text().splitlines()[1:] if line.startswith("winner"))
    return head["winner"]


def thrown_away(program: str, moves: list, folder: str) -> list:
    """Returns the numbers of moves before which the mover provably wins, and after which that is not proved."""
    cells = SIZE * SIZE
    last = min(cells - FEWEST_EMPTY, len(moves) - 2)  # the last move ends the game
    after, found, unsolved = winner(program, moves[: last + 1], folder), [], [0, 0]
    for ply in range(last, cells - MOST_EMPTY - 1, -1):
        now = winner(program, moves[:ply], folder)
        if now == SIDES[ply % 2] and after != now:
            found.append(ply)
        unsolved[ply % 2] = 0 if now else unsolved[ply % 2] + 1
        if sum(unsolved) >= 2:
            break
        after = now
    return found


def halves(found_in_games, wanted: int) -> list:
    """Deals the positions of the games to two halves in turn, each of `wanted` positions at most."""
    dealt, number = ([], []), 0
    for found in found_in_games:
        known = dealt[0] + dealt[1]
        lines = [line for line in found if line not in known]
        half = dealt[number % 2]
        half += lines[: wanted - len(half)]
        number += bool(lines)
        if all(len(half) >= wanted for half in dealt):
            break
    return dealt


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="target/release/crosspath", help="crosspath")
    parser.add_argument("--pairs", type=int, default=1000, help="the most pairs of games of a match")
    parser.add_argument("--positions", type=int, default=50, help="how many positions each half has")
    options = parser.parse_args()

    def found(folder: str):
        for pairs, engines in MATCHES:
            for game in play(options.program, min(pairs, options.pairs), engines, folder):
                names, moves = (game["first"], game["second"]), game["opening"] + game["moves"]
                plies = thrown_away(options.program, moves, folder)
                yield [f"{names[ply % 2]} {' '.join(moves[:ply])}: {moves[ply]}" for ply in reversed(plies)]

    with tempfile.TemporaryDirectory() as folder:
        first, second = halves(found(folder), options.positions)
    print("# Hex 11x11, no swap: positions of 61 to 85 empty cells that the side to move provably wins within 300 positions of the")
    print("# prover, and a move that gave the proof away. By scripts/prover-positions.py.")
    print(*first, sep="\n")
    print("# Held out: not looked at until the change was done.")
    print(*second, sep="\n")


if __name__ == "__main__":
    main()
