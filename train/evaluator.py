#!/usr/bin/env python3
"""Evaluates positions for `crosspath selfplay --evaluator stdio`.

Needs Python 3.8 and only the standard library. docs/selfplay.md specifies the protocol.

    python3 train/evaluator.py [--faulty HOW] PROGRAM ARGUMENT...

starts PROGRAM with its arguments and answers its requests. A stand-in for a network answers them:
it rates all moves and all positions as equally good. With --faulty it breaks the protocol in the
way that HOW names (nan, large, logit, short or end); tests use this."""

import json
import struct
import subprocess
import sys
from typing import BinaryIO, Callable


def serve(requests: BinaryIO, responses: BinaryIO, evaluate: Callable[[dict, int, bytes], bytes]) -> int:
    """Answers requests until the program ends the dialogue. Returns the number of positions
    evaluated.

    `evaluate` receives the greeting of the program, the number of positions in the request and
    their bytes. It returns one float per position (4 bytes, little-endian, from -1 to 1, from the
    point of view of the side to move), and after these `move_count` logits for each position.
    """
    line = requests.readline()
    if not line:
        return 0  # the program had nothing to ask, or has reported an error itself
    greeting = json.loads(line)
    evaluated = 0
    while True:
        head = requests.read(4)
        count = struct.unpack("<I", head)[0] if len(head) == 4 else 0
        if count == 0:
            return evaluated
        positions = requests.read(count * greeting["position_bytes"])
        responses.write(head + evaluate(greeting, count, positions))
        responses.flush()
        evaluated += count


class UniformEvaluator:
    """Evaluates every position as even and every move as equally likely: all numbers are 0.

    The response depends only on the number of positions, so the last one is cached.
    """

    def __init__(self):
        self.cached = (0, b"")

    def __call__(self, greeting: dict, count: int, positions: bytes) -> bytes:
        if self.cached[0] != count:
            self.cached = (count, bytes(4 * count * (1 + greeting["move_count"])))
        return self.cached[1]


class EvaluatorQuit(Exception):
    """Raised by an evaluator that ends before it has answered."""


def faulty_evaluator(fault: str) -> Callable[[dict, int, bytes], bytes]:
    """Returns an evaluator that breaks the protocol.

    `fault` is `nan` or `large` (an invalid value), `logit` (infinite logits), `short` (a missing
    byte) or `end` (no response at all).
    """

    def evaluate(greeting: dict, count: int, positions: bytes) -> bytes:
        response = bytearray(UniformEvaluator()(greeting, count, positions))
        if fault == "end":
            raise EvaluatorQuit
        if fault == "short":
            return bytes(response[:-1])
        if fault == "logit":
            response[4 * count :] = struct.pack("<f", float("inf")) * (count * greeting["move_count"])
        else:
            response[:4] = struct.pack("<f", float("nan") if fault == "nan" else 1.5)
        return bytes(response)

    return evaluate


def main(arguments: list) -> int:
    evaluate = UniformEvaluator()
    if arguments[:1] == ["--faulty"]:
        evaluate, arguments = faulty_evaluator(arguments[1]), arguments[2:]
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
    except (BrokenPipeError, EvaluatorQuit):
        pass  # the program reports the error itself
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
