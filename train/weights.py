"""Weight files: safetensors with whole numbers, a description and a checksum."""

import zlib
from typing import Dict

import numpy as np
from safetensors import numpy as safetensors


class DoesNotFit(Exception):
    """A network's numbers are too large for whole numbers of this many bits."""


def whole(numbers: np.ndarray, bits: int, kind: type, name: str, most: int = 0) -> np.ndarray:
    """Numbers as whole steps of 2^-bits, at most `most` steps either way (0: as many as the type holds)."""
    steps = np.round(numbers.astype(np.float64) * 2.0**bits)
    if np.abs(steps).max() > (most or np.iinfo(kind).max):
        raise DoesNotFit(f"{name} has a number of {np.abs(steps).max() / 2.0 ** bits:.2f}")
    return steps.astype(kind)


def write(path: str, tensors: Dict[str, np.ndarray], description: dict):
    """Writes a file; the CRC-32 of the tensors' bytes is added to the description."""
    metadata = {"format": "crosspath-net", **{key: str(value) for key, value in description.items()}}
    data = safetensors.save(tensors, metadata)
    header = int.from_bytes(data[:8], "little")
    metadata["crc32"] = f"{zlib.crc32(data[8 + header:]):08x}"
    with open(path, "wb") as file:
        file.write(safetensors.save(tensors, metadata))
