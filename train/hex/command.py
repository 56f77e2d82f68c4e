"""The commands `python -m train hex ...`."""

import argparse
import json
import signal
from pathlib import Path

import torch

from .. import flags
from . import export, plain, taught
from .run import Run

SMOKE = {"channels": 16, "blocks": 1, "batch": 128}


def add(parser: argparse.ArgumentParser):
    """Adds the commands of Hex."""
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("plain", help="learn from nothing, by the results of games without a search")
    usual = plain.Settings()
    flags.learning(first)
    _length(first)
    _body(first, usual.rate, usual.batch)
    first.add_argument("--cells", type=int, default=100_000 if not torch.cuda.is_available() else usual.cells, help="cells of all boards of a round")
    first.set_defaults(run=run_plain)
    second = commands.add_parser("taught", help="learn from searches of the network itself")
    usual = taught.Settings()
    flags.learning(second)
    _length(second)
    _body(second, usual.rate, usual.batch)
    second.add_argument("--program", default="", help="crosspath, which plays and searches; without it PyTorch does")
    second.add_argument("--nodes", type=int, default=usual.nodes, help="evaluations of a search")
    second.add_argument("--judged", type=int, default=0, help="positions of a round that are searched (default: 1,500; on a GPU 16,384)")
    second.add_argument("--window", type=int, default=usual.window, help="judged positions that are learnt from")
    second.add_argument("--reused", type=float, default=usual.reused, help="samples for every judged position")
    second.add_argument("--temperature", type=float, default=usual.temperature, help="of the games")
    second.add_argument("--sharpness", type=float, default=1.0, help="factor of the policy's logits when the run begins (5 after `plain`)")
    second.add_argument("--revive", action="store_true", help="draw units anew that are never active, when the run begins")
    second.add_argument("--solved", type=int, default=usual.solved, help="largest board on which the prover judges, at most 7")
    second.add_argument("--boards", default="", help="boards and their shares, such as 7:0.2,11:0.8")
    second.add_argument("--games", type=int, default=1, help="games of the program at a time")
    second.set_defaults(run=run_taught)
    last = commands.add_parser("write", help="write the network as the program reads it")
    flags.writing(last)
    last.set_defaults(run=run_write)


def _length(parser: argparse.ArgumentParser):
    parser.add_argument("--samples", type=int, default=5_000_000, help="positions to learn from in all")
    parser.add_argument("--minutes", type=float, default=0.0, help="length of the run in minutes of work, instead of samples")
    parser.add_argument("--seconds", type=float, default=0.0, help="end this call after so many seconds; the run continues with the next one")
    parser.add_argument("--rounds", type=int, default=0, help="end this call after so many rounds")
    parser.add_argument("--start", default="", help="checkpoint to begin with, where the folder is empty")
    parser.add_argument("--small", default="", help="also write the averaged weights in 16 bits to this file when the call ends")


def _body(parser: argparse.ArgumentParser, rate: float, batch: int):
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6, help="residual blocks of two convolutions")
    parser.add_argument("--rate", type=float, default=rate, help="learning rate at the beginning")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--seed", type=int, default=1)


def _shared(options: argparse.Namespace) -> dict:
    names = ("minutes", "samples", "channels", "blocks", "rate", "batch", "seed")
    return {name: getattr(options, name) for name in names}


def _work(run: Run, options: argparse.Namespace) -> int:
    # A run that is ended by a signal writes its checkpoint first.
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(SystemExit(143)))
    try:
        run.work(options.seconds, options.rounds)
    finally:
        run.stop()
    if options.small:
        run.write(Path(options.small), is_small=True)
    return 0


def run_plain(options: argparse.Namespace) -> int:
    """Plain self-play."""
    settings = plain.Settings(**_shared(options), cells=options.cells)
    if options.smoke:
        settings = settings._replace(samples=24_000, cells=9_000, rate=6e-3, sizes=((1.0, {3: 1.0}),), **SMOKE)
    return _work(plain.Plain(options.folder, settings, torch.device(options.device), options.start), options)


def run_taught(options: argparse.Namespace) -> int:
    """Learning from searches."""
    device = torch.device(options.device)
    judged = options.judged or (16_384 if device.type == "cuda" else 1_500)
    more = {name: getattr(options, name) for name in ("nodes", "window", "reused", "temperature", "sharpness", "solved")}
    settings = taught.Settings(**_shared(options), judged=judged, threads=options.games, **more)
    if options.boards:
        pairs = (pair.split(":") for pair in options.boards.split(","))
        settings = settings._replace(boards=tuple((int(size), float(share)) for size, share in pairs))
    if options.smoke:
        settings = settings._replace(samples=9_000, judged=400, nodes=min(options.nodes, 30), boards=((3, 1.0),), **SMOKE)
    run = taught.Taught(options.folder, settings, device, options.start, options.program)
    if options.revive and run.round == 0:
        run.revive()
    return _work(run, options)


def run_write(options: argparse.Namespace) -> int:
    """Writes the network of a run: the file, its test positions and its card."""
    folder = Path(options.folder)
    saved = torch.load(folder / "state.pt", weights_only=True, map_location="cpu")
    net = Run.network(saved)
    whole = export.write(net, options.out + ".safetensors")
    Path(options.out + ".positions.jsonl").write_text(export.table(whole))
    logs = [json.loads(line) for line in open(folder / "log.jsonl")]
    Path(options.out + ".md").write_text(card(Path(options.out).name, net, saved, logs))
    return 0


def card(name: str, net, saved: dict, logs: list) -> str:
    """Describes the network; matches are added by hand."""
    shape, last = net.shape, logs[-20:]
    judged = sum(log.get("judged", 0) for log in logs)
    searched = f", {judged:,} of them judged by searches" if judged else ""

    def mean(kind: str) -> float:
        return sum(log[kind] for log in last) / len(last)

    return f"""# {name}.safetensors

- Shape: {shape["blocks"]} blocks of two convolutions, {shape["channels"]} channels, {sum(p.numel() for p in net.parameters()):,} numbers in 8 and 16 bits.
- Data: {sum(log.get("positions", 0) for log in logs):,} positions of self-play{searched}; no other games.
- Learnt: {saved["done"]:,} samples; {saved["seconds"] / 3600:.1f} hours, playing included.
- Loss of the last {len(last)} rounds: moves {mean("move_loss"):.3f}, positions {mean("value_loss"):.3f}.
- Licence: that of the program; made by it alone.
"""
