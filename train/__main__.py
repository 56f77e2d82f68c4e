"""Trains the networks of crosspath from games that it plays with itself.

    python -m train hex plain --folder runs/plain --samples 5000000            from nothing, by results
    python -m train hex taught --folder runs/taught --start runs/plain/state.pt --program target/release/crosspath
    python -m train hex write --folder runs/taught --out nets/hex              nets/hex.safetensors, test positions and card
    python -m train quoridor learn --folder runs/quoridor --program target/release/crosspath
    python -m train quoridor write --folder runs/quoridor --out nets/quoridor

A run that was killed continues when its command is given again. docs/learning.md describes the whole way."""

import argparse
import sys

import torch


def main(arguments: list) -> int:
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    games = parser.add_subparsers(dest="game", required=True)
    from .hex import command as hex_command
    from .quoridor import command as quoridor_command

    hex_command.add(games.add_parser("hex", help="the network of Hex"))
    quoridor_command.add(games.add_parser("quoridor", help="the network of Quoridor"))
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
