"""Trains the networks of crosspath on games that it plays against itself.

    python -m train hex plain --folder runs/plain --samples 5000000
        from random weights, on the results of games
    python -m train hex taught --folder runs/taught --start runs/plain/state.pt --program target/release/crosspath
        on searches with the network itself
    python -m train hex write --folder runs/taught --out nets/hex
        writes nets/hex.safetensors, test positions and a description
    python -m train quoridor learn --folder runs/quoridor --program target/release/crosspath
        plays the games of a generation and trains on them
    python -m train quoridor write --folder runs/quoridor --out nets/quoridor
        writes the network of a generation

Give the command of an interrupted run again to continue it. docs/learning.md describes
everything."""

import argparse
import sys

import torch


def main(arguments: list) -> int:
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    games = parser.add_subparsers(dest="game", required=True)
    from .hex import command as hex_command
    from .quoridor import command as quoridor_command

    hex_command.add_commands(games.add_parser("hex", help="train the Hex network"))
    quoridor_command.add_commands(games.add_parser("quoridor", help="train the Quoridor network"))
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
