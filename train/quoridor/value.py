"""The network that says what positions of Quoridor on 9x9 are worth: one hidden layer, and an output for each number of walls left.

Numbers are those of the program from the beginning: weights of the hidden layer are rounded to 1/255, those of the output to
1/64, and learning sees the rounded ones. So whole numbers give what was learnt."""

import json
from typing import List, Tuple

import numpy as np
import torch
from safetensors import numpy as safetensors
from torch import Tensor, nn

from .. import shards, weights as files
from .boards import INPUTS, MAX_WALLS, WIDTHS, Positions, inputs, mirror

ONE = 255  # of the hidden layer's steps are 1, the largest activation
OUTPUT_STEPS = 64  # of the output's
MAX_WEIGHT = 1000  # steps of a weight of the hidden layer: 26 of them and a bias stay in 16 bits
MAX_OUTPUT = 127
STEPS = ONE * ONE * OUTPUT_STEPS  # of the output's sum are one of log odds
UNIT = 250  # of the search's units are one of log odds
VERSION = 1  # of the file
BUCKETS = (0, 1, 3, 6, 10, 15)  # walls left in both hands, from which each output is for


def bucket(at: Positions) -> np.ndarray:
    """The number of the output (n)."""
    return np.searchsorted(BUCKETS, at.hands.sum(1), side="right") - 1


def _rounded(weight: Tensor, steps: int) -> Tensor:
    """To so many steps a unit; learning goes on as if it were not rounded."""
    return weight + ((weight * steps).round() / steps - weight).detach()


class ValueNet(nn.Module):
    """`forward` takes inputs (B, 354) and numbers of outputs (B); it gives log odds (B) that the mover wins.

    Half of the hidden units see the board mirrored left to right, so a position and its mirror have the same value. Only the
    other half is learnt."""

    def __init__(self, hidden: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(INPUTS, hidden // 2) * 0.1)
        self.bias = nn.Parameter(torch.full((hidden // 2,), 0.2))
        self.output = nn.Parameter(torch.randn(1, hidden // 2).repeat(len(BUCKETS), 1) * 0.1)
        self.output_bias = nn.Parameter(torch.zeros(len(BUCKETS)))
        self.register_buffer("mirror", torch.from_numpy(mirror()), persistent=False)

    def both_halves(self) -> Tuple[Tensor, Tensor, Tensor]:
        """The weights (354, H), biases (H) and output weights (outputs, H) of all hidden units."""
        weight = torch.cat([self.weight, self.weight[self.mirror]], 1)
        return weight, torch.cat([self.bias, self.bias]), torch.cat([self.output, self.output], 1)

    def forward(self, found: Tensor, outputs: Tensor) -> Tensor:
        weight, bias, output = self.both_halves()
        hidden = torch.addmm(_rounded(bias, ONE), found, _rounded(weight, ONE)).clamp(0, 1)
        all_outputs = torch.addmm(self.output_bias, hidden * hidden, _rounded(output, OUTPUT_STEPS).t())
        return all_outputs.gather(1, outputs[:, None]).flatten()

    @torch.no_grad()
    def clip(self):
        """Keeps all weights in the ranges of the program's numbers."""
        self.weight.clamp_(-MAX_WEIGHT / ONE, MAX_WEIGHT / ONE)
        self.bias.clamp_(-MAX_WEIGHT / ONE, MAX_WEIGHT / ONE)
        self.output.clamp_(-MAX_OUTPUT / OUTPUT_STEPS, MAX_OUTPUT / OUTPUT_STEPS)


def quantized(net: ValueNet) -> dict:
    """The network in whole numbers, by the names of the tensors in the file."""

    def steps(tensor: Tensor, scale: int, kind: type) -> np.ndarray:
        return np.round(tensor.detach().cpu().double().numpy() * scale).astype(kind)

    weight, bias, output = net.both_halves()
    return {
        "input.weight": steps(weight, ONE, np.int16),
        "input.bias": steps(bias, ONE, np.int16),
        "output.weight": steps(output, OUTPUT_STEPS, np.int8),
        "output.bias": steps(net.output_bias, STEPS, np.int32),
    }


def sums(whole: dict, found: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """The sums of the output for inputs (n, 354), 0 or 1, and numbers of outputs (n), in whole numbers: i64 (n)."""
    # Sums of small whole numbers are exact in f64, and much faster.
    hidden = found.astype(np.float64) @ whole["input.weight"].astype(np.float64) + whole["input.bias"]
    hidden = np.clip(hidden.astype(np.int64), 0, ONE)
    return (hidden * hidden * whole["output.weight"][outputs]).sum(1) + whole["output.bias"][outputs]


def exact(whole: dict, found: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """What the network says in whole numbers, in the search's units: i64 (n)."""
    total = sums(whole, found, outputs)
    return np.sign(total) * (np.abs(total) * UNIT // STEPS)


def check(whole: dict):
    """Makes sure that no sum can pass the bits that the program has for it, whatever the position."""
    weights = np.abs(whole["input.weight"].astype(np.int64))
    own, other, across, upright, *others = np.split(weights, np.cumsum(WIDTHS)[:-1])
    most = np.abs(whole["input.bias"].astype(np.int64)) + sum(part.max(0) for part in (own, other, *others))
    most = most + np.sort(np.concatenate([across, upright]), 0)[-2 * MAX_WALLS :].sum(0)
    total = np.abs(whole["output.weight"].astype(np.int64)).sum(1) * ONE * ONE + np.abs(whole["output.bias"].astype(np.int64))
    if most.max() > np.iinfo(np.int16).max or total.max() > np.iinfo(np.int32).max:
        raise files.DoesNotFit(f"sums could reach {most.max()} and {total.max()}")


def write(net: ValueNet, path: str) -> dict:
    """Writes the network to a file; gives its tensors."""
    whole = quantized(net)
    check(whole)
    description = {"version": VERSION, "game": "quoridor", "inputs": INPUTS}
    description.update(hidden=len(whole["input.bias"]), outputs=len(BUCKETS), buckets=",".join(map(str, BUCKETS)))
    description.update(one=ONE, output_steps=OUTPUT_STEPS, unit=UNIT)
    files.write(path, whole, description)
    return whole


@torch.no_grad()
def load(net: ValueNet, path: str):
    """Takes the weights of a file, from which learning goes on."""
    tensors, half = safetensors.load_file(path), net.bias.shape[0]
    named = (("input.weight", net.weight, ONE), ("input.bias", net.bias, ONE), ("output.weight", net.output, OUTPUT_STEPS))
    for name, parameter, steps in named:
        parameter.copy_(torch.from_numpy(tensors[name][..., :half].astype(np.float32)) / steps)
    net.output_bias.copy_(torch.from_numpy(tensors["output.bias"].astype(np.float32)) / STEPS)


def table(whole: dict, at: Positions, paths: List[str]) -> str:
    """Test positions, one JSON object a line: the moves from the start, the output's sum, and what the network says to the mover."""
    games = [(shard.header["moves"], game.moves) for shard in map(shards.read, paths) for game in shard.games()]
    found, outputs = inputs(at), bucket(at)
    lines = []
    for game, ply, total, value in zip(at.game, at.ply, sums(whole, found, outputs), exact(whole, found, outputs)):
        names, played = games[game]
        moves = " ".join(names[move] for move in played[:ply])
        lines.append(json.dumps({"moves": moves, "sum": int(total), "value": int(value)}, separators=(",", ":")) + "\n")
    return "".join(lines)
