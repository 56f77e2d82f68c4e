#!/usr/bin/env python3
"""Generates tests/data/hex_prover.txt: Hex positions that the side to move provably wins, each with
a move that gave the win away.

    scripts/prover-positions.py --program PROGRAM > tests/data/hex_prover.txt

PROGRAM plays the games of MATCHES on 11x11, each opening of openings/hex-11x11.txt from both sides.
In each game the positions with 61 to 85 empty cells are solved, the last one first, with at most
300 prover nodes each, until two are not solved. A position is listed if the side to move provably
wins there, but not after the move it played. The games that give positions are dealt alternately to
two halves. Each line has the engine that chose the move, the moves up to the position, a colon and
the move. All of it takes about 30 CPU-minutes.

The list in the repository was generated with the program of commit 877a594, before the change that
it is used to measure."""

import argparse
import json
import pathlib
import subprocess
import tempfile

SIZE, MIN_EMPTY, MAX_EMPTY = 11, 61, 85
SIDES = ("first", "second")
MATCHES = (
    (150, {"level-7": "level:7", "nodes-1024": "net,nodes=1024"}),
    (300, {"nodes-64": "net,nodes=64", "nodes-128": "net,nodes=128"}),
)
OPENINGS = pathlib.Path(__file__).resolve().parent.parent / "openings" / "hex-11x11.txt"


def play_match(program: str, pairs: int, engines: dict, folder: str) -> list:
    """Plays a match and returns the arena's records of its games."""
    log = pathlib.Path(folder) / f"{next(iter(engines))}.jsonl"
    command = [program, "arena", "--game", "hex", "--size", str(SIZE), "--no-swap", "--openings", str(OPENINGS)]
    command += [f"--engine={name}={spec}" for name, spec in engines.items()]
    command += ["--pairs", str(pairs), "--threads", "1", "--quiet", "--out", str(log)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return [json.loads(line) for line in log.read_text().splitlines()[1:]]


def prove_winner(program: str, moves: list, folder: str) -> str | None:
    """Returns the side that provably wins, or None if the prover does not solve the position."""
    proof = pathlib.Path(folder) / "proof"
    proof.unlink(missing_ok=True)
    command = [program, "solve", "--game", "hex", "--size", str(SIZE), "--no-swap", "--moves", " ".join(moves)]
    command += ["--proof", str(proof), "--nodes", "300", "--movetime", "2s"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not proof.exists():
        return None
    head = dict(line.split()[:2] for line in proof.read_text().splitlines()[1:] if line.startswith("winner"))
    return head["winner"]


def find_lost_wins(program: str, moves: list, folder: str) -> list:
    """Returns the numbers of the moves that gave a proved win of their mover away."""
    cells = SIZE * SIZE
    last = min(cells - MIN_EMPTY, len(moves) - 2)  # the last move ends the game
    after, lost_wins, unsolved = prove_winner(program, moves[: last + 1], folder), [], [0, 0]
    for ply in range(last, cells - MAX_EMPTY - 1, -1):
        now = prove_winner(program, moves[:ply], folder)
        if now == SIDES[ply % 2] and after != now:
            lost_wins.append(ply)
        unsolved[ply % 2] = 0 if now else unsolved[ply % 2] + 1
        if sum(unsolved) >= 2:
            break
        after = now
    return lost_wins


def split_into_halves(games, limit: int) -> tuple:
    """Deals the positions of the games alternately to two halves, each of at most `limit`
    positions."""
    halves, number = ([], []), 0
    for positions in games:
        dealt = halves[0] + halves[1]
        new = [position for position in positions if position not in dealt]
        half = halves[number % 2]
        half += new[: limit - len(half)]
        number += bool(new)
        if all(len(half) >= limit for half in halves):
            break
    return halves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="target/release/crosspath", help="crosspath program")
    parser.add_argument("--pairs", type=int, default=1000, help="largest number of game pairs per match")
    parser.add_argument("--positions", type=int, default=50, help="number of positions in each half")
    options = parser.parse_args()

    def positions_by_game(folder: str):
        """Yields the positions of each game, formatted as lines."""
        for pairs, engines in MATCHES:
            for game in play_match(options.program, min(pairs, options.pairs), engines, folder):
                names, moves = (game["first"], game["second"]), game["opening"] + game["moves"]
                plies = find_lost_wins(options.program, moves, folder)
                yield [f"{names[ply % 2]} {' '.join(moves[:ply])}: {moves[ply]}" for ply in reversed(plies)]

    with tempfile.TemporaryDirectory() as folder:
        first, second = split_into_halves(positions_by_game(folder), options.positions)
    print("# Hex 11x11, no swap: positions with 61 to 85 empty cells that the side to move provably wins (at most 300 prover nodes),")
    print("# each with a move that gave the win away. By scripts/prover-positions.py.")
    print(*first, sep="\n")
    print("# Held-out half: not used until the change was finished.")
    print(*second, sep="\n")


if __name__ == "__main__":
    main()
