"""Network inputs for Hex as NumPy arrays.

A position is seen by the side to move (the mover), which connects top to bottom: when Second is to
move, the board is mirrored along the long diagonal and the colours are exchanged."""

from typing import Tuple

import numpy as np

NAME = "hex"
PLANES = 2
# The cell and its six neighbours among the 3x3 cells around it, row by row.
NEIGHBOURS = ((0, 1, 1), (1, 1, 1), (1, 1, 0))
# Networks train without the swap rule, and the first stone is random.
SETTINGS = {"swap": "off"}
OPENING_PLIES = 1


def add_border(mover_stones: np.ndarray, opponent_stones: np.ndarray) -> np.ndarray:
    """Returns the planes (B, 2, N+2, N+2) for stones (B, N, N) in the mover's view.

    The border has the stones of the side that each edge belongs to. The four corners belong to
    both.
    """
    count, size, _ = mover_stones.shape
    planes = np.zeros((count, PLANES, size + 2, size + 2), np.float32)
    planes[:, 0, 1:-1, 1:-1] = mover_stones
    planes[:, 1, 1:-1, 1:-1] = opponent_stones
    planes[:, 0, 0, :] = planes[:, 0, -1, :] = 1
    planes[:, 1, :, 0] = planes[:, 1, :, -1] = 1
    return planes


def stones_in_mover_view(first: np.ndarray, second: np.ndarray, is_second: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the stones of the mover and of the opponent in the mover's view.

    `first` and `second` are the stones of the two sides, each of shape (B, N, N).
    """
    is_mirrored = is_second[:, None, None]
    mover_stones = np.where(is_mirrored, second.transpose(0, 2, 1), first)
    opponent_stones = np.where(is_mirrored, first.transpose(0, 2, 1), second)
    return mover_stones, opponent_stones


def from_bytes(data: bytes, count: int, size: int) -> Tuple[np.ndarray, np.ndarray]:
    """Decodes positions of the evaluator protocol.

    Returns their planes, and for each position whether Second is to move.
    """
    rows = np.frombuffer(data, np.uint8).reshape(count, 2 + size * size)
    cells = rows[:, 2:].reshape(count, size, size)
    is_second = rows[:, 0] == 1
    return add_border(*stones_in_mover_view(cells == 1, cells == 2, is_second)), is_second


def from_plies(plies: np.ndarray, ply: np.ndarray, size: int) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the planes of the positions before move `ply` (B), and whether Second is to move.

    `plies` (B, N*N) has the number of the move that placed a stone on each cell, or a number larger
    than all moves if the cell is empty.
    """
    is_placed = plies < ply[:, None]
    first = (is_placed & (plies % 2 == 0)).reshape(-1, size, size)
    second = (is_placed & (plies % 2 == 1)).reshape(-1, size, size)
    is_second = ply % 2 == 1
    return add_border(*stones_in_mover_view(first, second, is_second)), is_second


def to_mover_view(cells: np.ndarray, is_second: np.ndarray, size: int) -> np.ndarray:
    """Converts cell numbers to the mover's view. Applied twice, it restores them."""
    return np.where(is_second, cells % size * size + cells // size, cells)


def rows_to_mover_view(numbers: np.ndarray, is_second: np.ndarray, size: int) -> np.ndarray:
    """Reorders one number per cell, of shape (B, N*N), to the mover's view.

    Applied twice, it restores the order.
    """
    grids = numbers.reshape(-1, size, size)
    return np.where(is_second[:, None, None], grids.transpose(0, 2, 1), grids).reshape(-1, size * size)


def move_logits(logits: np.ndarray, is_second: np.ndarray, size: int) -> np.ndarray:
    """Converts logits of cells in the mover's view to logits of all move numbers, including the
    swap."""
    return np.pad(rows_to_mover_view(logits, is_second, size), ((0, 0), (0, 1)))
