"""The commands `python -m train quoridor ...`."""

import argparse

import torch

from .. import flags
from . import generation


def add(parser: argparse.ArgumentParser):
    """Adds the commands of Quoridor."""
    commands = parser.add_subparsers(dest="command", required=True)
    usual = generation.Settings()
    learn = commands.add_parser("learn", help="play the games of a generation and learn from them")
    flags.learning(learn)
    learn.add_argument("--program", default="crosspath", help="the program that plays")
    learn.add_argument("--games", type=int, default=1, help="games at a time")
    learn.add_argument("--shards", type=int, default=usual.shards, help="files of games")
    learn.add_argument("--selfplay", type=int, default=usual.games, help="games in each of them")
    learn.add_argument("--nodes", type=int, default=usual.nodes, help="positions of a search")
    learn.add_argument("--walls", type=int, default=usual.walls, help="walls of each side, at most 10")
    learn.add_argument("--start", default=usual.start, help="the network that plays and that learning begins with (default: the fitted terms)")
    learn.add_argument("--more", nargs="*", default=[], help="shards of earlier generations to learn from as well")
    learn.add_argument("--hidden", type=int, default=usual.hidden, help="hidden units, a multiple of 64")
    learn.add_argument("--epochs", type=int, default=usual.epochs, help="how often each position is learnt from")
    learn.add_argument("--rate", type=float, default=usual.rate, help="learning rate at the beginning")
    learn.add_argument("--decay", type=float, default=usual.decay, help="weight decay")
    learn.add_argument("--seed", type=int, default=usual.seed)
    learn.set_defaults(run=run_learn)
    write = commands.add_parser("write", help="write the network as the program reads it")
    flags.writing(write)
    write.set_defaults(run=run_write)


def run_learn(options: argparse.Namespace) -> int:
    """One generation: its games, and what is learnt from them."""
    names = ("shards", "nodes", "walls", "start", "hidden", "epochs", "rate", "decay", "seed")
    settings = generation.Settings(games=options.selfplay, more=tuple(options.more), **{name: getattr(options, name) for name in names})
    if options.smoke:
        settings = settings._replace(shards=2, games=40, nodes=100, epochs=3, batch=256)
    run = generation.Generation(options.folder, settings, options.program, torch.device(options.device))
    run.play(options.games)
    run.learn()
    return 0


def run_write(options: argparse.Namespace) -> int:
    """Writes the network of a generation: the file, its test positions and its card."""
    run = generation.Generation(options.folder, generation.Settings(), "", torch.device("cpu"))
    run.write(options.out)
    return 0
