#!/usr/bin/env python3
"""Generates openings/quoridor-book.txt: the best moves in the first plies of Quoridor on 9x9.

    scripts/quoridor-book.py --program target/release/crosspath > openings/quoridor-book.txt

For each side the book has one move of that side, chosen by a long search, and the likely answers.
An answer is likely if a short search finds it not much worse than the best one. Mirror images count
as one position. Each line is `position > position after the move > value`, with positions as `h
walls / v walls / pawns / walls left / mover` and the value in steps for the mover. Results are
cached in a file, from which an interrupted run continues."""

import argparse
import json
import subprocess
import sys
from pathlib import Path


class Engine:
    """An engine that speaks the Quoridor Text Protocol. It is level 7, because level 8 uses the
    book."""

    def __init__(self, program: str):
        command = [program, "engine", "--protocol", "qtp", "--level", "7", "--seed", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send_command(self, line: str) -> str:
        """Sends a command and returns its response. Exits if the engine reports an error."""
        print(line, file=self.process.stdin, flush=True)
        lines = []
        while True:
            line = self.process.stdout.readline().rstrip("\n")
            if not line and lines:
                break
            lines.append(line)
        response = "\n".join(lines)
        if not response.startswith("="):
            raise SystemExit(response)
        return response[1:].strip()

    def search(self, position: str, nodes: int) -> tuple[str, float]:
        """Returns the position after the best move, and the value in steps for the mover."""
        self.send_command(f"position {position}")
        self.send_command(f"nodes {nodes}")
        mover = "black" if position.split("/")[4].strip() == "1" else "white"
        self.send_command(f"genmove {mover}")
        stats = self.send_command("stats").split()
        score = stats[stats.index("score") + 1]
        after = self.send_command("get_position")
        return after, {"win": 99.0, "loss": -99.0}.get(score) or float(score)

    def children(self, position: str) -> list[str]:
        """Returns the positions after every legal move."""
        self.send_command(f"position {position}")
        mover = "black" if position.split("/")[4].strip() == "1" else "white"
        positions = []
        for name in self.send_command(f"legal {mover}").split("\n"):
            command = f"playwall {mover} {name}" if " " in name else f"playmove {mover} {name}"
            self.send_command(command)
            positions.append(self.send_command("get_position"))
            self.send_command("undo")
        return positions


def canonical(position: str) -> str:
    """Returns the position or its mirror image, whichever is first in alphabetical order."""
    fields = [field.replace("-", "").split() for field in position.split("/")]

    def transform(swap) -> str:
        horizontal, vertical, pawns, *rest = fields
        walls = [sorted(swap(wall, "h") for wall in walls) for walls in (horizontal, vertical)]
        return " / ".join(" ".join(field) or "-" for field in [*walls, [swap(pawn, "i") for pawn in pawns], *rest])

    mirror = lambda cell, last: chr(ord("a") + ord(last) - ord(cell[0])) + cell[1:]
    return min(transform(lambda cell, _: cell), transform(mirror))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="crosspath program")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="nodes of the search for a book move")
    parser.add_argument("--glance", type=int, default=15_000, help="nodes of the search that evaluates an answer")
    parser.add_argument("--plies", type=int, default=6, help="depth of the book in plies")
    parser.add_argument("--answers", type=int, default=5, help="largest number of answers to a move")
    parser.add_argument("--margin", type=float, default=1.2, help="steps by which an answer may be worse than the best one")
    parser.add_argument("--kept", default="quoridor-book.jsonl", help="file that caches results")
    options = parser.parse_args()

    engine = Engine(options.program)
    engine.send_command("boardsize 9")
    start = canonical(engine.send_command("get_position"))
    cache_file = Path(options.kept)
    cache = dict(json.loads(line) for line in cache_file.read_text().splitlines()) if cache_file.exists() else {}

    def cached(key: str, compute):
        if key not in cache:
            cache[key] = compute()
            with cache_file.open("a") as file:
                print(json.dumps([key, cache[key]]), file=file)
        return cache[key]

    def likely_answers(position: str) -> list[str]:
        # Values are for the side to move after the answer, so low ones are good answers.
        values = {}
        for child in {canonical(child) for child in engine.children(position)}:
            values[child] = engine.search(child, options.glance)[1]
        best = min(values.values())
        likely = sorted((value, child) for child, value in values.items() if value <= best + options.margin)
        return [child for _, child in likely[: options.answers]]

    book = {}
    for book_side in (0, 1):
        layer = [start]
        for ply in range(options.plies):
            next_layer = []
            for position in layer:
                if ply % 2 == book_side:
                    after, value = cached(f"best {position}", lambda: engine.search(position, options.nodes))
                    book[position] = (canonical(after), value)
                    next_layer.append(canonical(after))
                else:
                    next_layer += cached(f"answers {position}", lambda: likely_answers(position))
            layer = sorted(set(next_layer))
            print(f"side {book_side + 1}, ply {ply + 1}: {len(layer)} positions", file=sys.stderr)
    print(f"# {len(book)} positions of Quoridor on 9x9 and the positions after the best moves, by searches of {options.nodes:,} nodes.")
    print("# Made by scripts/quoridor-book.py. Each line: position > position after the move > value in steps for the mover.")
    for position, (after, value) in sorted(book.items()):
        print(f"{position} > {after} > {value:+.2f}")


if __name__ == "__main__":
    main()
