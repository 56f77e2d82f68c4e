"""Makes a network from self-play, and writes it as the program reads it.

    python -m train hex --folder runs/hex --program target/release/crosspath     plays and learns; goes on where it was
    python -m train hex --folder runs/hex --write nets/hex                       writes nets/hex.safetensors and what belongs to it
    python -m train hex --folder runs/smoke --program crosspath --smoke          a toy task, for a test: a minute
    python -m train quoridor --folder runs/quoridor --program target/release/crosspath [--start NET]
    python -m train quoridor --folder runs/quoridor --write nets/quoridor

docs/learning.md tells how the networks of this repository were made."""

import argparse
import json
import sys
from pathlib import Path

import torch

from . import export, generation, learn

# Boards by the part of a run: small ones first, for what is learnt there helps on the large ones.
MIXED = {7: 0.06, 8: 0.06, 9: 0.2, 11: 0.48, 13: 0.18, 15: 0.02}
TAUGHT = {3: 0.001, 4: 0.004, 5: 0.01, 6: 0.035, 7: 0.32, 8: 0.06, 9: 0.2, 10: 0.04, 11: 0.24, 13: 0.07, 15: 0.015, 19: 0.005}
SIZES = [(0.075, {7: 1}), (0.2, {7: 0.2, 8: 0.2, 9: 0.6}), (1.0, MIXED)]


def plan(options: argparse.Namespace) -> learn.Plan:
    shape = {"channels": options.channels, "blocks": options.blocks, "seed": options.seed, "is_on_pipe": options.pipe}
    shape["threads"] = options.games
    if options.smoke and options.nodes:
        return learn.Plan([(1.0, {3: 1})], 12_000, judged=500, nodes=options.nodes, **shape)
    if options.smoke:
        return learn.Plan([(1.0, {3: 1})], 30_000, positions=10_000, **shape)
    if options.nodes:
        rates = {"rate": rate(options), "hot": 0.4, "cold": 0.4}
        weights = (pair.split(":") for pair in options.boards.split(",") if pair)
        boards = {int(size): float(weight) for size, weight in weights} or TAUGHT
        return learn.Plan([(1.0, boards)], options.samples, nodes=options.nodes, solved=options.solved, **rates, **shape)
    return learn.Plan(SIZES, options.samples, **shape)


def rate(options: argparse.Namespace) -> float:
    """The rate at the beginning, of Hex with searches."""
    return options.rate or 1e-3


def card(run: learn.Run, options: argparse.Namespace) -> str:
    """What is to be known about the network; the matches are added by hand."""
    logs = [json.loads(line) for line in open(run.folder / "log.jsonl")]
    last = logs[-20:]
    sizes = sorted({log["size"] for log in logs})
    positions = sum(log["positions"] for log in logs)
    judged = f", {sum(log.get('judged', 0) for log in logs):,} of them judged by searches of {options.nodes}" if options.nodes else ""
    boards = f" --boards {options.boards}" if options.boards else ""
    how = f" --nodes {options.nodes} --rate {rate(options):g} --solved {options.solved}{boards} --start START" if options.nodes else ""
    shape = run.net.shape
    return f"""# {Path(options.write).name}.safetensors

- Shape: {shape["blocks"]} blocks of two convolutions, {shape["channels"]} channels, {sum(p.numel() for p in run.net.parameters()):,} numbers.
- Data: {positions:,} positions of self-play on boards of {sizes[0]} to {sizes[-1]} cells a side{judged}; no other games.
- Learnt: {run.done:,} samples; {run.seconds / 3600:.1f} hours, playing included.
- Command: `python -m train hex --folder FOLDER --samples {options.samples} --channels {shape["channels"]} --blocks {shape["blocks"]} --seed {options.seed}{how}`
- Loss of the last {len(last)} stretches: moves {sum(log["move_loss"] for log in last) / len(last):.3f}, board {sum(log["value_loss"] for log in last) / len(last):.3f}.
- Licence: that of the program; made by it alone.
"""


def quoridor(options: argparse.Namespace) -> int:
    """One generation: its games, what is learnt from them, and the file."""
    plan = generation.Plan(
        shards=options.shards,
        games=options.selfplay,
        nodes=options.nodes or generation.Plan().nodes,
        walls=options.walls,
        start=options.start,
        more=tuple(options.more),
        hidden=options.hidden,
        epochs=options.epochs,
        rate=options.rate or generation.Plan().rate,
        decay=options.decay,
        seed=options.seed,
    )
    if options.smoke:
        plan = plan._replace(shards=2, games=40, nodes=100, epochs=3, batch=256)
    run = generation.Generation(options.folder, plan, options.program, torch.device(options.device))
    run.play(options.games)
    run.learn()
    if options.write or options.smoke:
        run.write(options.write or str(run.folder / "net"))
    return 0


def main(arguments: list) -> int:
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=["hex", "quoridor"])
    parser.add_argument("--folder", required=True, help="where the run is kept")
    parser.add_argument("--program", default="crosspath", help="the program that plays")
    parser.add_argument("--samples", type=int, default=5_700_000, help="positions to learn from in all")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=0, help="learn from searches of so many positions; 0: plain self-play")
    parser.add_argument("--start", default="", help="the checkpoint (Hex; it may have fewer blocks) or network (Quoridor) to go on from, where the folder is empty")
    parser.add_argument("--boards", default="", help="with --nodes: boards and how often they come, such as 7:0.6,11:0.4")
    parser.add_argument("--solved", type=int, default=4, help="with --nodes: the largest board on which the solver judges, at most 7")
    parser.add_argument("--rate", type=float, help="the rate at the beginning: 0.001 (Hex, with --nodes), 0.004 (Quoridor)")
    parser.add_argument("--games", type=int, default=1, help="games played at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", choices=["cpu", "cuda"], default=device, help="what learns; cuda, a GPU, where there is one")
    parser.add_argument("--stretches", type=int, default=0, help="stop after so many; 0: at the end")
    parser.add_argument("--pipe", action="store_true", help="PyTorch judges the positions of games, over a pipe")
    parser.add_argument("--smoke", action="store_true", help="a toy task: Hex on 3x3, Quoridor with few games")
    parser.add_argument("--shards", type=int, default=16, help="Quoridor: files of games")
    parser.add_argument("--selfplay", type=int, default=2000, help="Quoridor: games in each of them")
    parser.add_argument("--walls", type=int, default=10, help="Quoridor: walls in each hand, at most 10")
    parser.add_argument("--decay", type=float, default=0.3, help="Quoridor: weight decay")
    parser.add_argument("--hidden", type=int, default=64, help="Quoridor: hidden units, a multiple of 64")
    parser.add_argument("--epochs", type=int, default=10, help="Quoridor: how often each position is learnt from")
    parser.add_argument("--more", nargs="*", default=[], help="Quoridor: shards of earlier generations to learn from as well")
    parser.add_argument("--write", default="", help="write the network to this file, .safetensors is added")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    if options.game == "quoridor":
        return quoridor(options)
    run = learn.Run(options.folder, plan(options), options.program, torch.device(options.device), options.start)
    stretches = 0
    while run.part() < 1 and not options.write and not 0 < options.stretches <= stretches:
        told = run.one_stretch()
        stretches += 1
        names = ("stretch", "size", "samples", "length", "move_loss", "value_loss")
        print(" ".join(f"{name} {told[name]:.4g}" if isinstance(told[name], float) else f"{name} {told[name]}" for name in names))
    run.stop()
    if options.write or options.smoke:
        path = options.write or str(run.folder / "net")
        whole = export.write(run.mean, path + ".safetensors")
        Path(path + ".positions.jsonl").write_text(export.table(whole))
        Path(path + ".md").write_text(card(run, options))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
