#!/usr/bin/env python3
"""Makes openings/quoridor-book.txt: the best moves of the first plies of Quoridor on 9x9, by searches of our own.

    scripts/quoridor-book.py --program target/release/crosspath > openings/quoridor-book.txt

For either side the book has one move of that side and the likely answers to it. A move is the choice of `genmove` after a long
search; likely answers are those that a short search of every legal one finds not much worse than the best. Positions that mirror
each other are one. A line is `position > position after the move > value`, each position as `h walls / v walls / pawns / hands /
mover`, the value in steps for the mover. Work done is kept in a file and not done again."""

import argparse
import json
import subprocess
import sys
from pathlib import Path


class Engine:
    """A dialogue in the Quoridor Text Protocol, with level 7 for it has no book."""

    def __init__(self, program: str):
        command = [program, "engine", "--protocol", "qtp", "--level", "7", "--seed", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line: str) -> str:
        print(line, file=self.process.stdin, flush=True)
        lines = []
        while True:
            line = self.process.stdout.readline().rstrip("\n")
            if not line and lines:
                break
            lines.append(line)
        answer = "\n".join(lines)
        if not answer.startswith("="):
            raise SystemExit(f"{answer}")
        return answer[1:].strip()

    def judge(self, position: str, nodes: int) -> tuple[str, float]:
        """The best move in a position, and its value in steps for the mover."""
        self.ask(f"position {position}")
        self.ask(f"nodes {nodes}")
        mover = "black" if position.split("/")[4].strip() == "1" else "white"
        self.ask(f"genmove {mover}")
        stats = self.ask("stats").split()
        score = stats[stats.index("score") + 1]
        after = self.ask("get_position")
        return after, {"win": 99.0, "loss": -99.0}.get(score) or float(score)

    def children(self, position: str) -> list[str]:
        """Every position one ply on."""
        self.ask(f"position {position}")
        mover = "black" if position.split("/")[4].strip() == "1" else "white"
        found = []
        for name in self.ask(f"legal {mover}").split("\n"):
            command = f"playwall {mover} {name}" if " " in name else f"playmove {mover} {name}"
            self.ask(command)
            found.append(self.ask("get_position"))
            self.ask("undo")
        return found


def one_of(position: str) -> str:
    """The position or its mirror image, whichever comes first."""
    fields = [field.replace("-", "").split() for field in position.split("/")]

    def text(swap) -> str:
        horizontal, vertical, pawns, *rest = fields
        walls = [sorted(swap(wall, "h") for wall in walls) for walls in (horizontal, vertical)]
        return " / ".join(" ".join(field) or "-" for field in [*walls, [swap(pawn, "i") for pawn in pawns], *rest])

    mirror = lambda cell, last: chr(ord("a") + ord(last) - ord(cell[0])) + cell[1:]
    return min(text(lambda cell, _: cell), text(mirror))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--nodes", type=int, default=2_000_000, help="positions of the search for a move of the book")
    parser.add_argument("--glance", type=int, default=15_000, help="positions of the search that judges an answer")
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--answers", type=int, default=5, help="at most so many answers to a move")
    parser.add_argument("--margin", type=float, default=1.2, help="an answer is no more than so many steps worse than the best")
    parser.add_argument("--kept", default="quoridor-book.jsonl", help="the file of work done")
    options = parser.parse_args()

    engine = Engine(options.program)
    engine.ask("boardsize 9")
    start = one_of(engine.ask("get_position"))
    kept = Path(options.kept)
    done = dict(json.loads(line) for line in kept.read_text().splitlines()) if kept.exists() else {}

    def once(key: str, work):
        if key not in done:
            done[key] = work()
            with kept.open("a") as file:
                print(json.dumps([key, done[key]]), file=file)
        return done[key]

    def answers(position: str) -> list[str]:
        judged = {}
        for child in {one_of(child) for child in engine.children(position)}:
            judged[child] = engine.judge(child, options.glance)[1]
        least = min(judged.values())
        likely = sorted((value, child) for child, value in judged.items() if value <= least + options.margin)
        return [child for _, child in likely[: options.answers]]

    book = {}
    for ours in (0, 1):
        layer = [start]
        for ply in range(options.plies):
            following = []
            for position in layer:
                if ply % 2 == ours:
                    after, value = once(f"best {position}", lambda: engine.judge(position, options.nodes))
                    book[position] = (one_of(after), value)
                    following.append(one_of(after))
                else:
                    following += once(f"answers {position}", lambda: answers(position))
            layer = sorted(set(following))
            print(f"side {ours + 1}, ply {ply + 1}: {len(layer)} positions", file=sys.stderr)
    print(f"# {len(book)} positions of Quoridor on 9x9 and the positions after the best moves, by searches of {options.nodes:,} positions.")
    print("# Made by scripts/quoridor-book.py. A line: position > position after the move > value in steps for the mover.")
    for position, (after, value) in sorted(book.items()):
        print(f"{position} > {after} > {value:+.2f}")


if __name__ == "__main__":
    main()
