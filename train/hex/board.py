"""Many games of Hex at once as tensors: positions from records, and who has connected when. Any device.

Cells are counted row by row; First connects top and bottom, Second left and right. `plies` (games, N*N) holds the number of the
move with which each cell got its stone, NEVER for none; move 0 is First's."""

import torch
from torch import Tensor

NEVER = 30_000


def planes(plies: Tensor, ply: Tensor, size: int, dtype=torch.float32) -> Tensor:
    """The network's input (B, 2, N+2, N+2) for the positions before the moves number `ply` (B): stones of the mover and of the
    other side, in the view of the mover, who connects top and bottom. Edges stand round the board as stones."""
    lies = plies < ply[:, None]
    parity = (plies & 1).bool()
    is_second = (ply & 1).bool()
    own = (lies & (parity == is_second[:, None])).view(-1, size, size)
    other = (lies & (parity != is_second[:, None])).view(-1, size, size)
    stones = torch.stack([own, other], 1)
    stones = torch.where(is_second[:, None, None, None], stones.transpose(2, 3), stones)
    out = torch.zeros((len(ply), 2, size + 2, size + 2), dtype=dtype, device=plies.device)
    out[:, :, 1:-1, 1:-1] = stones.to(dtype)
    out[:, 0, 0, :] = out[:, 0, -1, :] = 1
    out[:, 1, :, 0] = out[:, 1, :, -1] = 1
    return out


def in_view(cells: Tensor, is_second: Tensor, size: int) -> Tensor:
    """Numbers of cells in the mover's view, and back."""
    return torch.where(is_second, cells % size * size + cells // size, cells)


def rows_in_view(numbers: Tensor, is_second: Tensor, size: int) -> Tensor:
    """Numbers for all cells (B, N*N) in the mover's view, and back."""
    grids = numbers.view(-1, size, size)
    return torch.where(is_second[:, None, None], grids.transpose(1, 2), grids).reshape(-1, size * size)


def connected_at(plies: Tensor, size: int, side: int) -> Tensor:
    """The number of the move with which a side (0 or 1) connected its edges, NEVER where it has not: int32 (games).

    Of all chains between the edges one is complete first: the least over the chains of their latest stones."""
    own = ((plies & 1) == side) & (plies < NEVER)
    stone = torch.where(own, plies, NEVER).to(torch.int32).view(-1, size, size)
    if side:
        stone = stone.transpose(1, 2)
    # A border of NEVER, so that shifts do not wrap.
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
