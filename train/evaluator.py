#!/usr/bin/env python3
"""Judges positions for `crosspath selfplay --evaluator stdio`. Needs Python 3.8 and nothing else; docs/selfplay.md draws
the bytes.

    python3 train/evaluator.py [--faulty HOW] PROGRAM ARGUMENT...

starts a program and answers its questions with a stand-in for a network: it finds all moves and positions equally good.
"""

import json
import struct
import subprocess
import sys
from typing import BinaryIO, Callable


def serve(questions: BinaryIO, answers: BinaryIO, evaluate: Callable[[dict, int, bytes], bytes]) -> int:
    """Answers until the program takes leave; gives the number of positions judged.

    `evaluate` gets the greeting, the number of positions and their bytes. It returns one float a position (4 bytes,
    little-endian, from -1 to 1 for the mover), and behind all of these `move_count` logits for each.
    """
    line = questions.readline()
    if not line:
        return 0  # there is nothing to do, or the program says itself what is wrong
    greeting = json.loads(line)
    judged = 0
    while True:
        head = questions.read(4)
        count = struct.unpack("<I", head)[0] if len(head) == 4 else 0
        if count == 0:
            return judged
        positions = questions.read(count * greeting["position_bytes"])
        answers.write(head + evaluate(greeting, count, positions))
        answers.flush()
        judged += count


class Even:
    """All values and logits are 0. Answers are made once for each number of positions."""

    def __init__(self):
        self.made = (0, b"")

    def __call__(self, greeting: dict, count: int, positions: bytes) -> bytes:
        if self.made[0] != count:
            self.made = (count, bytes(4 * count * (1 + greeting["move_count"])))
        return self.made[1]


class Gone(Exception):
    """The evaluator ends before it has answered."""


def faulty(how: str) -> Callable[[dict, int, bytes], bytes]:
    """What a broken evaluator answers: `nan`, `large`, `logit`, `short`, `end`."""

    def evaluate(greeting: dict, count: int, positions: bytes) -> bytes:
        whole = bytearray(Even()(greeting, count, positions))
        if how == "end":
            raise Gone
        if how == "short":
            return bytes(whole[:-1])
        if how == "logit":
            whole[4 * count :] = struct.pack("<f", float("inf")) * (count * greeting["move_count"])
        else:
            whole[:4] = struct.pack("<f", float("nan") if how == "nan" else 1.5)
        return bytes(whole)

    return evaluate


def main(arguments: list) -> int:
    evaluate = Even()
    if arguments[:1] == ["--faulty"]:
        evaluate, arguments = faulty(arguments[1]), arguments[2:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        program = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        print(f"cannot start {arguments[0]}: {error.strerror}", file=sys.stderr)
        return 1
    try:
        serve(program.stdout, program.stdin, evaluate)
    except (BrokenPipeError, Gone):
        pass  # the program has left, or is to see that nobody answers; it says why itself
    finally:
        try:
            program.stdin.close()
        except BrokenPipeError:
            pass
        program.stdout.read()
        code = program.wait()
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
