"""The commands `python -m train quoridor ...`."""

import argparse

import torch

from .. import flags
from . import generation


def add_commands(parser: argparse.ArgumentParser):
    """Adds the commands `learn` and `write`."""
    commands = parser.add_subparsers(dest="command", required=True)
    defaults = generation.Settings()
    learn = commands.add_parser("learn", help="play the games of a generation and train on them")
    flags.add_training_flags(learn)
    learn.add_argument("--program", default="crosspath", help="crosspath program that plays")
    learn.add_argument("--games", type=int, default=1, help="number of games to play in parallel")
    learn.add_argument("--shards", type=int, default=defaults.shards, help="number of shards (files of games)")
    learn.add_argument("--selfplay", type=int, default=defaults.games, help="number of games per shard")
    learn.add_argument("--nodes", type=int, default=defaults.nodes, help="nodes per move")
    learn.add_argument("--walls", type=int, default=defaults.walls, help="walls per side, at most 10")
    learn.add_argument("--start", default=defaults.start, help="network that plays and that training starts from (default: the fitted terms)")
    learn.add_argument("--more", nargs="*", default=[], help="shards of earlier generations to train on as well")
    learn.add_argument("--hidden", type=int, default=defaults.hidden, help="number of hidden units, a multiple of 64")
    learn.add_argument("--epochs", type=int, default=defaults.epochs, help="number of epochs")
    learn.add_argument("--rate", type=float, default=defaults.rate, help="initial learning rate")
    learn.add_argument("--decay", type=float, default=defaults.decay, help="weight decay")
    learn.add_argument("--seed", type=int, default=defaults.seed, help="random seed")
    learn.set_defaults(run=run_learn)
    write = commands.add_parser("write", help="write the network file of a generation")
    flags.add_export_flags(write)
    write.set_defaults(run=run_write)


def run_learn(options: argparse.Namespace) -> int:
    """Runs `learn`: plays the games of a generation and trains on them."""
    names = ("shards", "nodes", "walls", "start", "hidden", "epochs", "rate", "decay", "seed")
    settings = generation.Settings(games=options.selfplay, more=tuple(options.more), **{name: getattr(options, name) for name in names})
    if options.smoke:
        settings = settings._replace(shards=2, games=40, nodes=100, epochs=3, batch=256)
    run = generation.Generation(options.folder, settings, options.program, torch.device(options.device))
    run.play_games(options.games)
    run.train()
    return 0


def run_write(options: argparse.Namespace) -> int:
    """Runs `write`: writes the network of a generation, its test positions and its description."""
    run = generation.Generation(options.folder, generation.Settings(), "", torch.device("cpu"))
    run.write(options.out)
    return 0
