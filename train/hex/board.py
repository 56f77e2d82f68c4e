"""Many games of Hex at once as tensors, on any device: network inputs, and when each side
connected.

Cells are numbered row by row. First connects top to bottom, Second left to right. A game is a row
of `plies`, a tensor of shape (games, N*N): the number of the move that placed a stone on each cell,
or NEVER if the cell is empty. Moves are numbered from 0, which is First's."""

import torch
from torch import Tensor

NEVER = 30_000  # larger than every move number: the cell has no stone


def planes(plies: Tensor, ply: Tensor, size: int, dtype=torch.float32) -> Tensor:
    """Returns the network input, of shape (B, 2, N+2, N+2), for the positions before move `ply`
    (B).

    Plane 0 has the stones of the mover, plane 1 those of the opponent, both from the mover's point
    of view: the mover connects top to bottom. The border stands for the edges, filled with the
    stones of the side that each edge belongs to.
    """
    is_placed = plies < ply[:, None]
    parity = (plies & 1).bool()
    is_second = (ply & 1).bool()
    mover_stones = (is_placed & (parity == is_second[:, None])).view(-1, size, size)
    opponent_stones = (is_placed & (parity != is_second[:, None])).view(-1, size, size)
    stones = torch.stack([mover_stones, opponent_stones], 1)
    stones = torch.where(is_second[:, None, None, None], stones.transpose(2, 3), stones)
    out = torch.zeros((len(ply), 2, size + 2, size + 2), dtype=dtype, device=plies.device)
    out[:, :, 1:-1, 1:-1] = stones.to(dtype)
    out[:, 0, 0, :] = out[:, 0, -1, :] = 1
    out[:, 1, :, 0] = out[:, 1, :, -1] = 1
    return out


def to_mover_view(cells: Tensor, is_second: Tensor, size: int) -> Tensor:
    """Converts cell numbers to the mover's point of view. Applied twice, it restores them."""
    return torch.where(is_second, cells % size * size + cells // size, cells)


def rows_to_mover_view(numbers: Tensor, is_second: Tensor, size: int) -> Tensor:
    """Reorders one number per cell, of shape (B, N*N), to the mover's point of view.

    Applied twice, it restores the order.
    """
    grids = numbers.view(-1, size, size)
    return torch.where(is_second[:, None, None], grids.transpose(1, 2), grids).reshape(-1, size * size)


def connected_at(plies: Tensor, size: int, side: int) -> Tensor:
    """Returns the number of the move that connected the edges of `side` (0 or 1), as int32 (games).

    The result is NEVER where the side has not connected. A chain is complete with its latest stone,
    so the result is the minimum over all chains of the maximum of their move numbers. It is
    propagated from the first edge over the board.
    """
    is_own = ((plies & 1) == side) & (plies < NEVER)
    stone = torch.where(is_own, plies, NEVER).to(torch.int32).view(-1, size, size)
    if side:
        stone = stone.transpose(1, 2)
    # The border of NEVER prevents shifts from wrapping around.
    grid = torch.full((len(plies), size + 2, size + 2), NEVER, dtype=torch.int32, device=plies.device)
    reach = grid.clone()
    grid[:, 1:-1, 1:-1] = stone
    reach[:, 1, 1:-1] = stone[:, 0]
    inner = grid[:, 1:-1, 1:-1]
    for round_ in range(size * size):
        near = torch.minimum(reach[:, :-2, 1:-1], reach[:, 2:, 1:-1])
        near = torch.minimum(near, torch.minimum(reach[:, 1:-1, :-2], reach[:, 1:-1, 2:]))
        near = torch.minimum(near, torch.minimum(reach[:, :-2, 2:], reach[:, 2:, :-2]))
        wider = torch.minimum(reach[:, 1:-1, 1:-1], torch.maximum(near, inner))
        if round_ % 8 == 7 and torch.equal(wider, reach[:, 1:-1, 1:-1]):
            break
        reach[:, 1:-1, 1:-1] = wider
    return reach[:, -2, 1:-1].amin(1)
