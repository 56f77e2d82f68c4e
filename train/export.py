"""Writes a network as the program reads it: whole numbers only, so that every machine computes the same bits.

Activations are counted in steps of 2^-activation_bits and lie from 0 to 32,767 steps; weights in steps of 2^-weight_bits; biases
in the product of both. The bits are the most with which no sum can pass 31 bits. docs/learning.md says how a layer is computed. `exact` does it here, plainly, as the oracle of the
program's own inference."""

import json
import zlib
from typing import Dict, NamedTuple, Tuple

import numpy as np
import torch
from safetensors import numpy as safetensors

from . import hex
from .net import Net

TOP = 32_767  # the largest activation, in steps
ACTIVATION_BITS = (9, 8, 7, 6, 5)  # the first with which activations stay below half of that
WEIGHT_BITS = (13, 12, 11, 10, 9, 8)
VERSION = 1
TAPS = [(row, col) for row in range(3) for col in range(3) if hex.NEIGHBOURS[row][col]]
SIZES = list(range(5, 20))


class DoesNotFit(Exception):
    """The network's numbers are too large for whole numbers of this many bits."""


def _steps(tensor: torch.Tensor, bits: int, kind: type, name: str) -> np.ndarray:
    steps = np.round(tensor.detach().cpu().double().numpy() * 2.0**bits)
    if np.abs(steps).max() > np.iinfo(kind).max:
        raise DoesNotFit(f"{name} has a number of {np.abs(steps).max() / 2.0 ** bits:.2f}")
    return steps.astype(kind)


class Whole(NamedTuple):
    """A network in whole numbers: kernels (outputs, inputs, taps) with the taps row by row, the other tensors as they are."""

    tensors: Dict[str, np.ndarray]
    activation_bits: int
    weight_bits: int


def quantized(net: Net) -> Whole:
    """The network in whole numbers."""
    with torch.inference_mode():
        most = max(net.body(torch.from_numpy(_planes(*position)).to(net.input.weight.device)).max().item() for position in _positions())
    for activation_bits in ACTIVATION_BITS:
        for weight_bits in WEIGHT_BITS if 2 * most * 2**activation_bits <= TOP else ():
            try:
                return Whole(_tensors(net, activation_bits, weight_bits), activation_bits, weight_bits)
            except DoesNotFit:
                pass
    raise DoesNotFit(f"no number of bits will do; the largest activation seen was {most:.1f}")


def _tensors(net: Net, activation_bits: int, weight_bits: int) -> Dict[str, np.ndarray]:
    tensors = {}

    def put(name: str, layer, is_conv: bool = False):
        weight = layer.weight
        if is_conv:
            weight = torch.stack([weight[:, :, row, col] for row, col in TAPS], 2)
        weight = weight.flatten(1) if name in ("policy", "value_hidden", "value") else weight
        tensors[f"{name}.weight"] = _steps(weight, weight_bits, np.int16, name)
        tensors[f"{name}.bias"] = _steps(layer.bias, weight_bits + activation_bits, np.int32, name)
        sums = np.abs(tensors[f"{name}.weight"].astype(np.int64)).reshape(layer.weight.shape[0], -1).sum(1)
        most = (sums * TOP + np.abs(tensors[f"{name}.bias"]) + (TOP << weight_bits)).max()
        if most >= 2**31:
            raise DoesNotFit(f"{name} could reach {most}")

    put("input", net.input, True)
    for number, block in enumerate(net.blocks):
        put(f"blocks.{number}.one", block.one, True)
        put(f"blocks.{number}.two", block.two, True)
    put("policy", net.policy)
    put("value_hidden", net.value_hidden)
    put("value", net.value)
    return tensors


def _conv(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Sums (outputs, N, N) of planes with a border (inputs, N+2, N+2)."""
    size = x.shape[1] - 2
    sums = np.repeat(bias.astype(np.int64), size * size).reshape(-1, size, size)
    for tap, (row, col) in enumerate(TAPS):
        sums = sums + np.einsum("oi,ihw->ohw", weight[:, :, tap].astype(np.int64), x[:, row : row + size, col : col + size])
    return sums


def _activation(sums: np.ndarray, bits: int) -> np.ndarray:
    return np.clip((sums + (1 << (bits - 1))) >> bits, 0, TOP)


def _bordered(x: np.ndarray) -> np.ndarray:
    return np.pad(x, ((0, 0), (1, 1), (1, 1)))


def exact(whole: Whole, planes: np.ndarray) -> Tuple[np.ndarray, int]:
    """What the network says about one position (planes, N+2, N+2), in whole numbers: the logits of the cells (N*N) and the
    logit of the board, in steps of 2^-(activation_bits + weight_bits)."""
    bits = whole.weight_bits
    wide = {name: tensor.astype(np.int64) for name, tensor in whole.tensors.items()}

    def conv(x: np.ndarray, name: str) -> np.ndarray:
        return _conv(x, wide[f"{name}.weight"], wide[f"{name}.bias"])

    x = _activation(conv(planes.astype(np.int64) << whole.activation_bits, "input"), bits)
    number = 0
    while f"blocks.{number}.one.weight" in wide:
        y = _activation(conv(_bordered(x), f"blocks.{number}.one"), bits)
        x = _activation(conv(_bordered(y), f"blocks.{number}.two") + (x << bits), bits)
        number += 1
    logits = np.einsum("i,ihw->hw", wide["policy.weight"][0], x).flatten() + wide["policy.bias"][0]
    # Means are counted in quarters of a step, rounded down, and so is the hidden layer's sum.
    cells = x.shape[1] * x.shape[2]
    pooled = np.concatenate([4 * x.sum((1, 2)) // cells, 4 * x.max((1, 2))])
    hidden = _activation(wide["value_hidden.weight"] @ pooled + 4 * wide["value_hidden.bias"], bits + 2)
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
    return hex.from_plies(plies, np.array([len(moves)]), size)[0]


def table(whole: Whole) -> str:
    """The 64 test positions, one JSON object a line: size, cells in the order of their stones, the logit of the board, the
    logits of all cells in the mover's view."""
    lines = []
    for size, moves in _positions():
        logits, value = exact(whole, _planes(size, moves)[0])
        told = {"size": size, "moves": moves, "value": value, "logits": [int(logit) for logit in logits]}
        lines.append(json.dumps(told, separators=(",", ":")) + "\n")
    return "".join(lines)


def write(net: Net, path: str) -> Whole:
    """Writes the network to a file."""
    whole = quantized(net)
    metadata = {"format": "crosspath-net", "version": str(VERSION), "game": hex.NAME}
    metadata.update({key: str(value) for key, value in net.shape.items()})
    metadata.update(activation_bits=str(whole.activation_bits), weight_bits=str(whole.weight_bits))
    data = safetensors.save(whole.tensors, metadata)
    header = int.from_bytes(data[:8], "little")
    metadata["crc32"] = f"{zlib.crc32(data[8 + header:]):08x}"
    with open(path, "wb") as file:
        file.write(safetensors.save(whole.tensors, metadata))
    return whole
