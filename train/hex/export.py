"""Writes a Hex network as the program reads it: with integers only, so that every machine computes
the same values.

Numbers are fixed-point: "steps of 2^-b" means that an integer counts multiples of 2^-b. Activations
are 8-bit steps of 2^-activation_bits, the weights of the body (the input convolution and the
blocks) 8-bit steps of 2^-weight_bits, and its biases steps of the product of both. The weights of
the heads are 16-bit steps of 2^-head_bits. docs/learning.md describes the computation.
`evaluate_exactly` does it in plain NumPy and serves as the reference for the program's own
inference."""

import json
from typing import Dict, NamedTuple, Tuple

import numpy as np
import torch

from .. import weights
from . import planes as hex_planes
from .net import ACTIVATION_BITS, MAX_ACTIVATION, MAX_INPUT_WEIGHT, MAX_WEIGHT, WEIGHT_BITS, Net

VERSION = 2
MAX_HEAD_BITS, MIN_HEAD_BITS = 12, 5
HIDDEN_EXTRA_BITS = 6  # steps of the hidden layer of the value head are finer than those of activations
MAX_HIDDEN = 32_767  # largest activation of that layer, in steps
TAPS = [(row, col) for row in range(3) for col in range(3) if hex_planes.NEIGHBOURS[row][col]]
TEST_SIZES = list(range(5, 20))
TEST_POSITIONS = 64
EMPTY = 30_000  # larger than every move number: the cell has no stone


class QuantizedNet(NamedTuple):
    """A network with integer weights.

    Convolution weights have the shape (outputs, inputs, taps), with the taps row by row. The other
    tensors have the shapes of the PyTorch modules.
    """

    tensors: Dict[str, np.ndarray]
    head_bits: int


def quantize(net: Net) -> QuantizedNet:
    """Quantizes a network. The weights of the heads get as many bits as fit."""
    for head_bits in range(MAX_HEAD_BITS, MIN_HEAD_BITS - 1, -1):
        try:
            return QuantizedNet(_quantize_tensors(net, head_bits), head_bits)
        except weights.QuantizationError as error:
            failure = error
    raise failure


def _quantize_tensors(net: Net, head_bits: int) -> Dict[str, np.ndarray]:
    tensors = {}

    def to_numpy(tensor: torch.Tensor) -> np.ndarray:
        return tensor.detach().cpu().float().numpy()

    def add_convolution(name: str, layer, max_weight: int):
        kernels = np.stack([to_numpy(layer.quantized_weight())[:, :, row, col] for row, col in TAPS], 2)
        tensors[f"{name}.weight"] = weights.quantize(kernels, WEIGHT_BITS, np.int8, name, max_weight)
        tensors[f"{name}.bias"] = weights.quantize(to_numpy(layer.bias), WEIGHT_BITS + ACTIVATION_BITS, np.int32, name, 2**28)

    def add_head(name: str, layer, extra_bits: int = 0):
        weight = to_numpy(layer.weight).reshape(len(layer.weight), -1)
        tensors[f"{name}.weight"] = weights.quantize(weight, head_bits, np.int16, name)
        bits = head_bits + ACTIVATION_BITS + extra_bits
        tensors[f"{name}.bias"] = weights.quantize(to_numpy(layer.bias), bits, np.int32, name, 2**28)

    add_convolution("input", net.input, MAX_INPUT_WEIGHT)
    for number, block in enumerate(net.blocks):
        add_convolution(f"blocks.{number}.one", block.one, MAX_WEIGHT)
        add_convolution(f"blocks.{number}.two", block.two, MAX_WEIGHT)
    add_head("policy", net.policy)
    add_head("value_hidden", net.value_hidden)
    add_head("value", net.value, HIDDEN_EXTRA_BITS)
    return tensors


def _convolve(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Returns the sums (outputs, N, N) of a convolution of bordered planes (inputs, N+2, N+2)."""
    size = x.shape[1] - 2
    sums = np.repeat(bias.astype(np.int64), size * size).reshape(-1, size, size)
    for tap, (row, col) in enumerate(TAPS):
        sums = sums + np.einsum("oi,ihw->ohw", weight[:, :, tap].astype(np.int64), x[:, row : row + size, col : col + size])
    return sums


def _shift_and_clamp(sums: np.ndarray, bits: int, maximum: int) -> np.ndarray:
    """Divides by 2^bits, rounds half up and clamps to 0..maximum."""
    return np.clip((sums + (1 << (bits - 1))) >> bits, 0, maximum)


def _add_zero_border(x: np.ndarray) -> np.ndarray:
    return np.pad(x, ((0, 0), (1, 1), (1, 1)))


def evaluate_exactly(net: QuantizedNet, planes: np.ndarray) -> Tuple[np.ndarray, int]:
    """Evaluates one position, given as planes (planes, N+2, N+2), with integers only.

    Returns the policy logits of the cells (N*N) in steps of 2^-(activation_bits + head_bits), and
    the value logit in steps of 2^-(activation_bits + HIDDEN_EXTRA_BITS + head_bits).
    """
    tensors = {name: tensor.astype(np.int64) for name, tensor in net.tensors.items()}

    def convolve(x: np.ndarray, name: str) -> np.ndarray:
        return _convolve(x, tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    x = _shift_and_clamp(convolve(planes.astype(np.int64) << ACTIVATION_BITS, "input"), WEIGHT_BITS, MAX_ACTIVATION)
    number = 0
    while f"blocks.{number}.one.weight" in tensors:
        y = _shift_and_clamp(convolve(_add_zero_border(x), f"blocks.{number}.one"), WEIGHT_BITS, MAX_ACTIVATION)
        sums = convolve(_add_zero_border(y), f"blocks.{number}.two") + (x << WEIGHT_BITS)
        x = _shift_and_clamp(sums, WEIGHT_BITS, MAX_ACTIVATION)
        number += 1
    logits = np.einsum("i,ihw->hw", tensors["policy.weight"][0], x).flatten() + tensors["policy.bias"][0]
    # The inputs of the value head, means and maxima, are in quarters of a step. Means are rounded
    # down.
    cells = x.shape[1] * x.shape[2]
    pooled = np.concatenate([4 * x.sum((1, 2)) // cells, 4 * x.max((1, 2))])
    sums = tensors["value_hidden.weight"] @ pooled + 4 * tensors["value_hidden.bias"]
    hidden = _shift_and_clamp(sums, net.head_bits + 2 - HIDDEN_EXTRA_BITS, MAX_HIDDEN)
    value = tensors["value.weight"][0] @ hidden + tensors["value.bias"][0]
    return logits, int(value)


def _random_test_positions() -> list:
    """Returns test positions as (size, moves): first an empty board of every size, then random
    ones."""
    rng = np.random.default_rng(64)
    positions = []
    for number in range(TEST_POSITIONS):
        size = TEST_SIZES[number % len(TEST_SIZES)]
        stones = 0 if number < len(TEST_SIZES) else int(rng.integers(1, size * size * 3 // 5))
        positions.append((size, [int(cell) for cell in rng.permutation(size * size)[:stones]]))
    return positions


def _planes_of_moves(size: int, moves: list) -> np.ndarray:
    """Returns the planes (1, planes, N+2, N+2) of the position after these moves (cell numbers)."""
    plies = np.full((1, size * size), EMPTY, np.int64)
    plies[0, moves] = np.arange(len(moves))
    return hex_planes.from_plies(plies, np.array([len(moves)]), size)[0]


def format_test_positions(net: QuantizedNet) -> str:
    """Returns test positions with the network's exact outputs, one JSON object per line.

    Each has the board size, the moves (cell numbers in playing order), the value logit, and the
    policy logits of all cells in the mover's view.
    """
    lines = []
    for size, moves in _random_test_positions():
        logits, value = evaluate_exactly(net, _planes_of_moves(size, moves)[0])
        entry = {"size": size, "moves": moves, "value": value, "logits": [int(logit) for logit in logits]}
        lines.append(json.dumps(entry, separators=(",", ":")) + "\n")
    return "".join(lines)


def write(net: Net, path: str) -> QuantizedNet:
    """Quantizes the network and writes it to a file. Returns the quantized network."""
    quantized_net = quantize(net)
    description = {"version": VERSION, "game": hex_planes.NAME, **net.shape}
    description.update(activation_bits=ACTIVATION_BITS, weight_bits=WEIGHT_BITS, head_bits=quantized_net.head_bits)
    weights.write(path, quantized_net.tensors, description)
    return quantized_net
