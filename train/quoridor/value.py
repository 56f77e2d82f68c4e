"""The value network of Quoridor on 9x9: one hidden layer, and several outputs of which one is used,
selected by the number of walls left.

Training is quantization-aware: it uses weights rounded to the steps of the program, 1/255 in the
hidden layer and 1/64 in the outputs. The integer network therefore computes what was trained."""

import json
from typing import List, Tuple

import numpy as np
import torch
from safetensors import numpy as safetensors
from torch import Tensor, nn

from .. import shards, weights as files
from .boards import INPUT_WIDTHS, INPUTS, MAX_WALLS, Positions, build_inputs, mirror_indices

HIDDEN_STEPS = 255  # steps of 1 in the hidden layer; also the largest activation, in steps
OUTPUT_STEPS = 64  # steps of 1 in the output weights
MAX_HIDDEN_WEIGHT = 900  # in steps; 34 weights (at most that many inputs are active) and a bias fit in 16 bits
MAX_OUTPUT_WEIGHT = 127  # in steps
SUM_STEPS = HIDDEN_STEPS * HIDDEN_STEPS * OUTPUT_STEPS  # value of the output sum that is one unit of log odds
UNIT = 250  # units of the search (hundredths of a step) per unit of log odds
VERSION = 2  # of the file format
INPUTS_OF_VERSION_1 = 354  # generations 1 to 3 have no inputs for detours
BUCKETS = (0, 1, 3, 6, 10, 15)  # smallest total number of walls left for which each output is used


def bucket_indices(positions: Positions) -> np.ndarray:
    """Returns the index of the output that is used for each position (n)."""
    return np.searchsorted(BUCKETS, positions.walls_left.sum(1), side="right") - 1


def _round_weight(weight: Tensor, steps: int) -> Tensor:
    """Rounds weights to multiples of 1/steps. Gradients pass straight through."""
    return weight + ((weight * steps).round() / steps - weight).detach()


class ValueNet(nn.Module):
    """The value network. It corrects the evaluation by terms.

    `forward` takes inputs (B, 482) and indices of outputs (B), and returns corrections (B) to the
    log odds that the mover wins.

    The second half of the hidden units has the weights of the first half, but sees the board
    mirrored left to right, so a position and its mirror image have the same value. Parameters exist
    only for the first half.
    """

    def __init__(self, hidden: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(INPUTS, hidden // 2) * 0.1)
        self.bias = nn.Parameter(torch.full((hidden // 2,), 0.2))
        self.output = nn.Parameter(torch.randn(1, hidden // 2).repeat(len(BUCKETS), 1) * 0.1)
        self.output_bias = nn.Parameter(torch.zeros(len(BUCKETS)))
        self.register_buffer("mirror", torch.from_numpy(mirror_indices()), persistent=False)

    def full_weights(self) -> Tuple[Tensor, Tensor, Tensor]:
        """Returns the weights (482, H), biases (H) and output weights (outputs, H) of all H hidden
        units."""
        weight = torch.cat([self.weight, self.weight[self.mirror]], 1)
        return weight, torch.cat([self.bias, self.bias]), torch.cat([self.output, self.output], 1)

    def forward(self, inputs: Tensor, outputs: Tensor) -> Tensor:
        weight, bias, output = self.full_weights()
        hidden = torch.addmm(_round_weight(bias, HIDDEN_STEPS), inputs, _round_weight(weight, HIDDEN_STEPS)).clamp(0, 1)
        all_outputs = torch.addmm(self.output_bias, hidden * hidden, _round_weight(output, OUTPUT_STEPS).t())
        return all_outputs.gather(1, outputs[:, None]).flatten()

    @torch.no_grad()
    def clip_weights(self):
        """Clips all weights to the ranges of the program's integers."""
        self.weight.clamp_(-MAX_HIDDEN_WEIGHT / HIDDEN_STEPS, MAX_HIDDEN_WEIGHT / HIDDEN_STEPS)
        self.bias.clamp_(-MAX_HIDDEN_WEIGHT / HIDDEN_STEPS, MAX_HIDDEN_WEIGHT / HIDDEN_STEPS)
        self.output.clamp_(-MAX_OUTPUT_WEIGHT / OUTPUT_STEPS, MAX_OUTPUT_WEIGHT / OUTPUT_STEPS)


def quantize(net: ValueNet) -> dict:
    """Returns the integer tensors of the network by their names in the file."""

    def to_steps(tensor: Tensor, scale: int, dtype: type) -> np.ndarray:
        return np.round(tensor.detach().cpu().double().numpy() * scale).astype(dtype)

    weight, bias, output = net.full_weights()
    return {
        "input.weight": to_steps(weight, HIDDEN_STEPS, np.int16),
        "input.bias": to_steps(bias, HIDDEN_STEPS, np.int16),
        "output.weight": to_steps(output, OUTPUT_STEPS, np.int8),
        "output.bias": to_steps(net.output_bias, SUM_STEPS, np.int32),
    }


def compute_sums(tensors: dict, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Computes the output sums of the integer network: i64 (n).

    `inputs` (n, 482) are zeros and ones, `outputs` (n) the indices of the outputs.
    """
    # Sums of small integers are exact in float64, and much faster than in int64.
    hidden = inputs.astype(np.float64) @ tensors["input.weight"].astype(np.float64) + tensors["input.bias"]
    hidden = np.clip(hidden.astype(np.int64), 0, HIDDEN_STEPS)
    return (hidden * hidden * tensors["output.weight"][outputs]).sum(1) + tensors["output.bias"][outputs]


def evaluate_exactly(tensors: dict, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Evaluates positions with the integer network, in the units of the search: i64 (n).

    The arguments are those of `compute_sums`.
    """
    total = compute_sums(tensors, inputs, outputs)
    return np.sign(total) * (np.abs(total) * UNIT // SUM_STEPS)


def check_overflow(tensors: dict):
    """Raises QuantizationError if a sum could overflow the program's integers in any position."""
    weights = np.abs(tensors["input.weight"].astype(np.int64))
    mover_pawn, opponent_pawn, horizontal, vertical, *one_hot = np.split(weights, np.cumsum(INPUT_WIDTHS)[:-1])
    # Of every one-hot group one input is active, of the walls at most those of both sides.
    hidden = np.abs(tensors["input.bias"].astype(np.int64)) + sum(part.max(0) for part in (mover_pawn, opponent_pawn, *one_hot))
    hidden = hidden + np.sort(np.concatenate([horizontal, vertical]), 0)[-2 * MAX_WALLS :].sum(0)
    total = np.abs(tensors["output.weight"].astype(np.int64)).sum(1) * HIDDEN_STEPS * HIDDEN_STEPS
    total = total + np.abs(tensors["output.bias"].astype(np.int64))
    if hidden.max() > np.iinfo(np.int16).max or total.max() > np.iinfo(np.int32).max:
        raise files.QuantizationError(f"sums could overflow: {hidden.max()} in 16 bits, {total.max()} in 32 bits")


def write(net: ValueNet, path: str) -> dict:
    """Quantizes the network and writes it to a file. Returns its tensors."""
    tensors = quantize(net)
    check_overflow(tensors)
    description = {"version": VERSION, "game": "quoridor", "inputs": INPUTS}
    description.update(hidden=len(tensors["input.bias"]), outputs=len(BUCKETS), buckets=",".join(map(str, BUCKETS)))
    description.update(one=HIDDEN_STEPS, output_steps=OUTPUT_STEPS, unit=UNIT)
    files.write(path, tensors, description)
    return tensors


@torch.no_grad()
def load_weights(net: ValueNet, path: str):
    """Loads the weights of a network file into `net`, to continue training from them.

    In a file of version 1, the weights of the missing inputs begin at zero. Raises ValueError if the
    file has another shape.
    """
    tensors, half = safetensors.load_file(path), net.bias.shape[0]
    inputs, units = tensors["input.weight"].shape
    if inputs not in (INPUTS_OF_VERSION_1, INPUTS):
        raise ValueError(f"{path} has {inputs} inputs, not {INPUTS}")
    if units != 2 * half:
        raise ValueError(f"{path} has {units} hidden units, not {2 * half}")
    parameters = (
        ("input.weight", net.weight, HIDDEN_STEPS),
        ("input.bias", net.bias, HIDDEN_STEPS),
        ("output.weight", net.output, OUTPUT_STEPS),
    )
    net.weight.zero_()
    for name, parameter, steps in parameters:
        parameter[: len(tensors[name])].copy_(torch.from_numpy(tensors[name][..., :half].astype(np.float32)) / steps)
    net.output_bias.copy_(torch.from_numpy(tensors["output.bias"].astype(np.float32)) / SUM_STEPS)
    net.clip_weights()


def format_test_positions(tensors: dict, positions: Positions, paths: List[str]) -> str:
    """Returns test positions with the network's exact outputs, one JSON object per line.

    Each has the moves from the start, the output sum, and the value for the mover in the units of
    the search. `paths` are the shards that the positions come from.
    """
    games = [(shard.header["moves"], game.moves) for shard in map(shards.read, paths) for game in shard.games()]
    inputs, outputs = build_inputs(positions), bucket_indices(positions)
    sums, values = compute_sums(tensors, inputs, outputs), evaluate_exactly(tensors, inputs, outputs)
    lines = []
    for game, ply, total, value in zip(positions.game, positions.ply, sums, values):
        names, played = games[game]
        moves = " ".join(names[move] for move in played[:ply])
        lines.append(json.dumps({"moves": moves, "sum": int(total), "value": int(value)}, separators=(",", ":")) + "\n")
    return "".join(lines)
