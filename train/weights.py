"""Network files: safetensors with integer tensors, metadata that describe the network, and a
checksum."""

import zlib
from typing import Dict

import numpy as np
from safetensors import numpy as safetensors


class QuantizationError(Exception):
    """A weight of the network is too large for its integer type."""


def quantize(numbers: np.ndarray, bits: int, dtype: type, name: str, limit: int = 0) -> np.ndarray:
    """Rounds numbers to integer steps of 2^-bits.

    Raises QuantizationError if an absolute value exceeds `limit` steps (0: the largest value of
    `dtype`). `name` is the tensor's name for the error message.
    """
    steps = np.round(numbers.astype(np.float64) * 2.0**bits)
    if np.abs(steps).max() > (limit or np.iinfo(dtype).max):
        raise QuantizationError(f"{name}: a weight of {np.abs(steps).max() / 2.0 ** bits:.2f} is too large")
    return steps.astype(dtype)


def write(path: str, tensors: Dict[str, np.ndarray], description: dict):
    """Writes a network file. `description` becomes its metadata, with the CRC-32 of the tensor
    bytes."""
    metadata = {"format": "crosspath-net", **{key: str(value) for key, value in description.items()}}
    data = safetensors.save(tensors, metadata)
    header = int.from_bytes(data[:8], "little")
    metadata["crc32"] = f"{zlib.crc32(data[8 + header:]):08x}"
    with open(path, "wb") as file:
        file.write(safetensors.save(tensors, metadata))
