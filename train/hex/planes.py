"""Hex for the networks: how positions become planes. Everything is seen by the side to move: it joins top and bottom, so
Second's boards are mirrored along the long diagonal and the colours exchanged."""

from typing import Tuple

import numpy as np

NAME = "hex"
PLANES = 2
# The six neighbours of a cell and the cell itself, among the 3 x 3 around it, row by row.
NEIGHBOURS = ((0, 1, 1), (1, 1, 1), (1, 1, 0))
# Boards on which networks are trained; the seed of the swap is off, and the first stone lies anywhere.
SETTINGS = {"swap": "off"}
OPENING_PLIES = 1


def with_border(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Planes (B, 2, N+2, N+2) from the stones of the mover and of the other side, each (B, N, N) of the mover's view. Edges
    stand round the board as stones of who joins them; the four corners belong to both."""
    count, size, _ = own.shape
    planes = np.zeros((count, PLANES, size + 2, size + 2), np.float32)
    planes[:, 0, 1:-1, 1:-1] = own
    planes[:, 1, 1:-1, 1:-1] = other
    planes[:, 0, 0, :] = planes[:, 0, -1, :] = 1
    planes[:, 1, :, 0] = planes[:, 1, :, -1] = 1
    return planes


def seen(first: np.ndarray, second: np.ndarray, is_second: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """The stones of the mover and of the other side in the mover's view, from those of First and Second, (B, N, N)."""
    turned = is_second[:, None, None]
    own = np.where(turned, second.transpose(0, 2, 1), first)
    other = np.where(turned, first.transpose(0, 2, 1), second)
    return own, other


def from_bytes(data: bytes, count: int, size: int) -> Tuple[np.ndarray, np.ndarray]:
    """Planes of positions as self-play writes them, and which of them are Second's."""
    rows = np.frombuffer(data, np.uint8).reshape(count, 2 + size * size)
    cells = rows[:, 2:].reshape(count, size, size)
    is_second = rows[:, 0] == 1
    return with_border(*seen(cells == 1, cells == 2, is_second)), is_second


def from_plies(plies: np.ndarray, ply: np.ndarray, size: int) -> Tuple[np.ndarray, np.ndarray]:
    """Planes of positions before the move number `ply` (B), from `plies` (B, N*N): with which move each cell got its stone,
    a large number for none; and which of them are Second's."""
    lies = plies < ply[:, None]
    first = (lies & (plies % 2 == 0)).reshape(-1, size, size)
    second = (lies & (plies % 2 == 1)).reshape(-1, size, size)
    is_second = ply % 2 == 1
    return with_border(*seen(first, second, is_second)), is_second


def turned(numbers: np.ndarray, is_second: np.ndarray, size: int) -> np.ndarray:
    """The numbers of cells in the mover's view, and back."""
    return np.where(is_second, numbers % size * size + numbers // size, numbers)


def in_view(numbers: np.ndarray, is_second: np.ndarray, size: int) -> np.ndarray:
    """Numbers of cells (B, N*N) in the mover's view, and back."""
    grids = numbers.reshape(-1, size, size)
    return np.where(is_second[:, None, None], grids.transpose(0, 2, 1), grids).reshape(-1, size * size)


def logits_of_moves(logits: np.ndarray, is_second: np.ndarray, size: int) -> np.ndarray:
    """Logits of all move numbers, the swap among them, from those of the cells in the mover's view."""
    return np.pad(in_view(logits, is_second, size), ((0, 0), (0, 1)))
