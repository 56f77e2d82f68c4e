"""The commands `python -m train hex ...`."""

import argparse
import json
import signal
from pathlib import Path

import torch

from .. import flags
from . import export, plain, taught
from .run import Run

SMOKE_SETTINGS = {"channels": 16, "blocks": 1, "batch": 128}


def add_commands(parser: argparse.ArgumentParser):
    """Adds the commands `plain`, `taught` and `write`."""
    commands = parser.add_subparsers(dest="command", required=True)
    plain_parser = commands.add_parser("plain", help="train from random weights on the results of games without a search")
    defaults = plain.Settings()
    flags.add_training_flags(plain_parser)
    _add_length_flags(plain_parser)
    _add_network_flags(plain_parser, defaults.rate, defaults.batch)
    cells = defaults.cells if torch.cuda.is_available() else 100_000
    plain_parser.add_argument("--cells", type=int, default=cells, help="total number of board cells of the games of a round")
    plain_parser.set_defaults(run=run_plain)
    taught_parser = commands.add_parser("taught", help="train on searches with the network itself")
    defaults = taught.Settings()
    flags.add_training_flags(taught_parser)
    _add_length_flags(taught_parser)
    _add_network_flags(taught_parser, defaults.rate, defaults.batch)
    taught_parser.add_argument("--program", default="", help="crosspath program that plays and searches (default: PyTorch does)")
    taught_parser.add_argument("--nodes", type=int, default=defaults.nodes, help="network evaluations per search")
    taught_parser.add_argument("--judged", type=int, default=0, help="positions to search per round (default: 1,500; on a GPU 16,384)")
    taught_parser.add_argument("--window", type=int, default=defaults.window, help="size of the training window, in searched positions")
    taught_parser.add_argument("--reused", type=float, default=defaults.reused, help="training samples per searched position")
    taught_parser.add_argument("--temperature", type=float, default=defaults.temperature, help="temperature of the games")
    taught_parser.add_argument("--sharpness", type=float, default=1.0, help="factor for the policy logits at the start of a run (about 4 after plain)")
    taught_parser.add_argument("--revive", action="store_true", help="re-initialize dead units (never active) at the start of a run")
    taught_parser.add_argument("--solved", type=int, default=defaults.solved, help="largest board on which the prover replaces the search, at most 7")
    taught_parser.add_argument("--boards", default="", help="board sizes and their shares, such as 7:0.2,11:0.8")
    taught_parser.add_argument("--games", type=int, default=1, help="number of games that the program plays in parallel")
    taught_parser.set_defaults(run=run_taught)
    write_parser = commands.add_parser("write", help="write the network file of a run")
    flags.add_export_flags(write_parser)
    write_parser.set_defaults(run=run_write)


def _add_length_flags(parser: argparse.ArgumentParser):
    parser.add_argument("--samples", type=int, default=5_000_000, help="length of the run, in training samples")
    parser.add_argument("--minutes", type=float, default=0.0, help="length of the run in minutes of work, instead of samples")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop this call after SECONDS; the next call continues the run")
    parser.add_argument("--rounds", type=int, default=0, help="stop this call after ROUNDS rounds")
    parser.add_argument("--start", default="", help="checkpoint to begin with if the folder has none")
    parser.add_argument("--small", default="", help="when the call ends, also write the averaged weights in 16 bits to this file")


def _add_network_flags(parser: argparse.ArgumentParser, rate: float, batch: int):
    parser.add_argument("--channels", type=int, default=64, help="channels of each convolution")
    parser.add_argument("--blocks", type=int, default=6, help="number of residual blocks, each of two convolutions")
    parser.add_argument("--rate", type=float, default=rate, help="initial learning rate")
    parser.add_argument("--batch", type=int, default=batch, help="batch size")
    parser.add_argument("--seed", type=int, default=1, help="random seed")


def _common_settings(options: argparse.Namespace) -> dict:
    names = ("minutes", "samples", "channels", "blocks", "rate", "batch", "seed")
    return {name: getattr(options, name) for name in names}


def _execute(run: Run, options: argparse.Namespace) -> int:
    # A run that is ended by SIGTERM writes its checkpoint first.
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(SystemExit(143)))
    try:
        run.run_rounds(options.seconds, options.rounds)
    finally:
        run.stop_background_games()
    if options.small:
        run.write_checkpoint(Path(options.small), is_small=True)
    return 0


def run_plain(options: argparse.Namespace) -> int:
    """Runs `plain`: plain self-play."""
    settings = plain.Settings(**_common_settings(options), cells=options.cells)
    if options.smoke:
        settings = settings._replace(samples=24_000, cells=9_000, rate=6e-3, sizes=((1.0, {3: 1.0}),), **SMOKE_SETTINGS)
    return _execute(plain.PlainRun(options.folder, settings, torch.device(options.device), options.start), options)


def run_taught(options: argparse.Namespace) -> int:
    """Runs `taught`: learning from searches."""
    device = torch.device(options.device)
    positions_per_round = options.judged or (16_384 if device.type == "cuda" else 1_500)
    names = ("nodes", "window", "reused", "temperature", "sharpness", "solved")
    taught_settings = {name: getattr(options, name) for name in names}
    settings = taught.Settings(**_common_settings(options), positions_per_round=positions_per_round, parallel_games=options.games, **taught_settings)
    if options.boards:
        pairs = (pair.split(":") for pair in options.boards.split(","))
        settings = settings._replace(boards=tuple((int(size), float(share)) for size, share in pairs))
    if options.smoke:
        settings = settings._replace(samples=9_000, positions_per_round=400, nodes=min(options.nodes, 30), boards=((3, 1.0),), **SMOKE_SETTINGS)
    run = taught.TaughtRun(options.folder, settings, device, options.start, options.program)
    if options.revive and run.round == 0:
        run.revive()
    return _execute(run, options)


def run_write(options: argparse.Namespace) -> int:
    """Runs `write`: writes the network of a run, its test positions and its description."""
    folder = Path(options.folder)
    checkpoint = torch.load(folder / "state.pt", weights_only=True, map_location="cpu")
    net = Run.averaged_net(checkpoint)
    quantized_net = export.write(net, options.out + ".safetensors")
    Path(options.out + ".positions.jsonl").write_text(export.format_test_positions(quantized_net))
    log = [json.loads(line) for line in open(folder / "log.jsonl")]
    Path(options.out + ".md").write_text(format_description(Path(options.out).name, net, checkpoint, log))
    return 0


def format_description(name: str, net, checkpoint: dict, log: list) -> str:
    """Returns the description of a network in Markdown. Match results are added by hand."""
    shape, last = net.shape, log[-20:]
    searched = sum(entry.get("judged", 0) for entry in log)
    searched_text = f", {searched:,} of them searched" if searched else ""

    def mean(key: str) -> float:
        return sum(entry[key] for entry in last) / len(last)

    return f"""# {name}.safetensors

- Shape: {shape["blocks"]} blocks of two convolutions, {shape["channels"]} channels, {sum(p.numel() for p in net.parameters()):,} parameters in 8 and 16 bits.
- Data: {sum(entry.get("positions", 0) for entry in log):,} positions of self-play{searched_text}; no other games.
- Training: {checkpoint["done"]:,} samples; {checkpoint["seconds"] / 3600:.1f} hours, self-play included.
- Loss of the last {len(last)} rounds: policy {mean("move_loss"):.3f}, value {mean("value_loss"):.3f}.
- Licence: that of the program; trained only on games of the program itself.
"""
