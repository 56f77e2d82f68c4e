"""Writes a Hex network as the program reads it: whole numbers only, so that every machine computes the same bits.

Activations are bytes in steps of 2^-activation_bits, weights of the body signed bytes in steps of 2^-weight_bits, its biases in
the product of both; weights of the heads have 16 bits in steps of 2^-head_bits. docs/learning.md says how a layer is computed.
`exact` does it here, plainly, as the oracle of the program's own inference."""

import json
from typing import Dict, NamedTuple, Tuple

import numpy as np
import torch

from .. import weights
from . import planes as hex_planes
from .net import ACTIVATION_BITS, MAX_WEIGHT, TOP, WEIGHT_BITS, Net

VERSION = 2
HEAD_BITS = 12
HIDDEN_BITS = 6  # the hidden layer of the board's head has steps finer than activations by this many bits
HIDDEN_TOP = 32_767
TAPS = [(row, col) for row in range(3) for col in range(3) if hex_planes.NEIGHBOURS[row][col]]
SIZES = list(range(5, 20))


class Whole(NamedTuple):
    """A network in whole numbers: kernels (outputs, inputs, taps) with the taps row by row, the other tensors as they are."""

    tensors: Dict[str, np.ndarray]
    head_bits: int


def quantized(net: Net) -> Whole:
    """The network in whole numbers. The heads get as many bits as fit."""
    for head_bits in range(HEAD_BITS, 4, -1):
        try:
            return Whole(_tensors(net, head_bits), head_bits)
        except weights.DoesNotFit as error:
            failure = error
    raise failure


def _tensors(net: Net, head_bits: int) -> Dict[str, np.ndarray]:
    tensors = {}

    def numbers(tensor: torch.Tensor) -> np.ndarray:
        return tensor.detach().cpu().float().numpy()

    def conv(name: str, layer, most: int):
        kernels = np.stack([numbers(layer.steps())[:, :, row, col] for row, col in TAPS], 2)
        tensors[f"{name}.weight"] = weights.whole(kernels, WEIGHT_BITS, np.int8, name, most)
        tensors[f"{name}.bias"] = weights.whole(numbers(layer.bias), WEIGHT_BITS + ACTIVATION_BITS, np.int32, name, 2**28)

    def head(name: str, layer, extra_bits: int = 0):
        weight = numbers(layer.weight).reshape(len(layer.weight), -1)
        tensors[f"{name}.weight"] = weights.whole(weight, head_bits, np.int16, name)
        bits = head_bits + ACTIVATION_BITS + extra_bits
        tensors[f"{name}.bias"] = weights.whole(numbers(layer.bias), bits, np.int32, name, 2**28)

    conv("input", net.input, 127)
    for number, block in enumerate(net.blocks):
        conv(f"blocks.{number}.one", block.one, MAX_WEIGHT)
        conv(f"blocks.{number}.two", block.two, MAX_WEIGHT)
    head("policy", net.policy)
    head("value_hidden", net.value_hidden)
    head("value", net.value, HIDDEN_BITS)
    return tensors


def _conv(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Sums (outputs, N, N) of planes with a border (inputs, N+2, N+2)."""
    size = x.shape[1] - 2
    sums = np.repeat(bias.astype(np.int64), size * size).reshape(-1, size, size)
    for tap, (row, col) in enumerate(TAPS):
        sums = sums + np.einsum("oi,ihw->ohw", weight[:, :, tap].astype(np.int64), x[:, row : row + size, col : col + size])
    return sums


def _shifted(sums: np.ndarray, bits: int, top: int) -> np.ndarray:
    return np.clip((sums + (1 << (bits - 1))) >> bits, 0, top)


def _bordered(x: np.ndarray) -> np.ndarray:
    return np.pad(x, ((0, 0), (1, 1), (1, 1)))


def exact(whole: Whole, planes: np.ndarray) -> Tuple[np.ndarray, int]:
    """Evaluates one position (planes, N+2, N+2) in whole numbers: the logits of the cells (N*N) in steps of
    2^-(activation_bits + head_bits), the logit of the board in steps finer by HIDDEN_BITS bits."""
    wide = {name: tensor.astype(np.int64) for name, tensor in whole.tensors.items()}

    def conv(x: np.ndarray, name: str) -> np.ndarray:
        return _conv(x, wide[f"{name}.weight"], wide[f"{name}.bias"])

    x = _shifted(conv(planes.astype(np.int64) << ACTIVATION_BITS, "input"), WEIGHT_BITS, TOP)
    number = 0
    while f"blocks.{number}.one.weight" in wide:
        y = _shifted(conv(_bordered(x), f"blocks.{number}.one"), WEIGHT_BITS, TOP)
        x = _shifted(conv(_bordered(y), f"blocks.{number}.two") + (x << WEIGHT_BITS), WEIGHT_BITS, TOP)
        number += 1
    logits = np.einsum("i,ihw->hw", wide["policy.weight"][0], x).flatten() + wide["policy.bias"][0]
    # Means are counted in quarters of a step, rounded down; maxima too.
    cells = x.shape[1] * x.shape[2]
    pooled = np.concatenate([4 * x.sum((1, 2)) // cells, 4 * x.max((1, 2))])
    sums = wide["value_hidden.weight"] @ pooled + 4 * wide["value_hidden.bias"]
    hidden = _shifted(sums, whole.head_bits + 2 - HIDDEN_BITS, HIDDEN_TOP)
    value = wide["value.weight"][0] @ hidden + wide["value.bias"][0]
    return logits, int(value)


def _positions(count: int = 64) -> list:
    """Positions of random play on boards of all sizes, the first ones empty: (size, moves)."""
    chance = np.random.default_rng(64)
    positions = []
    for number in range(count):
        size = SIZES[number % len(SIZES)]
        stones = 0 if number < len(SIZES) else int(chance.integers(1, size * size * 3 // 5))
        positions.append((size, [int(cell) for cell in chance.permutation(size * size)[:stones]]))
    return positions


def _planes(size: int, moves: list) -> np.ndarray:
    """The planes of one position (1, planes, N+2, N+2)."""
    plies = np.full((1, size * size), 30_000, np.int64)
    plies[0, moves] = np.arange(len(moves))
    return hex_planes.from_plies(plies, np.array([len(moves)]), size)[0]


def table(whole: Whole) -> str:
    """The 64 test positions, one JSON object a line: size, cells in the order of their stones, the logit of the board, the
    logits of all cells in the mover's view."""
    lines = []
    for size, moves in _positions():
        logits, value = exact(whole, _planes(size, moves)[0])
        entry = {"size": size, "moves": moves, "value": value, "logits": [int(logit) for logit in logits]}
        lines.append(json.dumps(entry, separators=(",", ":")) + "\n")
    return "".join(lines)


def write(net: Net, path: str) -> Whole:
    """Writes the network to a file."""
    whole = quantized(net)
    description = {"version": VERSION, "game": hex_planes.NAME, **net.shape}
    description.update(activation_bits=ACTIVATION_BITS, weight_bits=WEIGHT_BITS, head_bits=whole.head_bits)
    weights.write(path, whole.tensors, description)
    return whole
