"""PUCT tree search over many Hex positions at once, as tensors: one simulation of all trees at a time. Any device.

The trees are the same as those of the program's own search (`src/ai/mcts.rs`), without its solver: a node's value is the network's,
a position in which the last mover has connected is lost for the side to move."""

from typing import NamedTuple

import torch
from torch import Tensor

from . import board

EXPLORATION = 1.25
FIRST_PLAY = 0.2  # how much worse than its parent an unvisited move is thought
NOISE = 0.12  # share of random numbers in the priors of the root
NOISE_MOVES = 8.0  # so many moves get most of that share
DEEPEST = 40  # plies below the root that a simulation goes down at most


class Found(NamedTuple):
    """Results of searches: visits (B, cells) of the root's moves, and the chance of the mover (B)."""

    visits: Tensor
    value: Tensor


def has_connected(plies: Tensor, is_second: Tensor, size: int) -> Tensor:
    """Reports which sides (False: First) have connected their edges: bool (B)."""
    own = ((plies & 1).bool() == is_second[:, None]) & (plies < board.NEVER)
    own = own.view(-1, size, size)
    own = torch.where(is_second[:, None, None], own.transpose(1, 2), own)
    reach = torch.zeros((len(plies), size + 2, size + 2), dtype=torch.bool, device=plies.device)
    reach[:, 1, 1:-1] = own[:, 0]
    inner = reach[:, 1:-1, 1:-1]
    for round_ in range(size * size):
        near = reach[:, :-2, 1:-1] | reach[:, 2:, 1:-1] | reach[:, 1:-1, :-2] | reach[:, 1:-1, 2:]
        near = (near | reach[:, :-2, 2:] | reach[:, 2:, :-2] | inner) & own
        if round_ % 8 == 7 and torch.equal(near, inner):
            break
        inner.copy_(near)
    return inner[:, -1].any(1)


def search(net, plies: Tensor, ply: Tensor, size: int, simulations: int, dtype: torch.dtype, generator: torch.Generator) -> Found:
    """Searches the positions before the moves number `ply` (B) of the games `plies` (B, cells), none of them over."""
    device, count, cells = plies.device, len(plies), size * size
    plies = torch.where(plies < ply[:, None], plies, board.NEVER)
    nodes = simulations + 1
    prior = torch.zeros((count * nodes, cells), dtype=torch.float16, device=device)
    visits = torch.zeros((count * nodes, cells), dtype=torch.int16, device=device)
    worth = torch.zeros((count * nodes, cells), dtype=torch.float32, device=device)
    child = torch.full((count * nodes, cells), -1, dtype=torch.int16, device=device)
    own_value = torch.zeros(count * nodes, dtype=torch.float32, device=device)
    is_over = torch.zeros(count * nodes, dtype=torch.bool, device=device)
    every = torch.arange(count, device=device)
    base = every * nodes

    def expand(at: Tensor, record: Tensor, number: Tensor) -> Tensor:
        """Evaluates positions into the nodes `at`; returns their values for the side to move, -1 to 1."""
        is_second = (number & 1).bool()
        lost = has_connected(record, ~is_second, size)
        with torch.inference_mode():
            logits, value = net(board.planes(record, number, size, dtype))
        logits = board.rows_in_view(logits, is_second, size).masked_fill(record < board.NEVER, -torch.inf)
        value = torch.where(lost, -1.0, torch.tanh(value / 2))
        prior[at] = torch.softmax(logits, 1).nan_to_num(0.0).to(torch.float16)
        own_value[at] = value
        is_over[at] = lost
        return value

    expand(base, plies, ply)
    empty = plies == board.NEVER
    shape = torch.full((count, cells), 1.0 / NOISE_MOVES, device=device).clamp(max=1.0)
    noise = torch._standard_gamma(shape, generator=generator) * empty
    noise = noise / noise.sum(1, keepdim=True).clamp(min=1e-9)
    prior[base] = ((1 - NOISE) * prior[base].float() + NOISE * noise).to(torch.float16)
    for simulation in range(1, nodes):
        record = plies.clone()
        node, active = base.clone(), torch.ones(count, dtype=torch.bool, device=device)
        depth = torch.zeros(count, dtype=torch.int16, device=device)
        path = []
        for step in range(DEEPEST):
            seen = visits[node].float()
            total = seen.sum(1, keepdim=True)
            parent = own_value[node][:, None]
            quality = torch.where(seen > 0, worth[node] / seen.clamp(min=1), parent - FIRST_PLAY)
            score = quality + EXPLORATION * prior[node].float() * torch.sqrt(total + 1) / (1 + seen)
            score = score.masked_fill(record < board.NEVER, -torch.inf)
            move = score.argmax(1)
            path.append((node, move, active))
            number = ply + depth
            placed = torch.where(active, number, record[every, move])
            record[every, move] = placed
            depth = depth + active.to(torch.int16)
            below = child[node, move].long()
            is_new = active & (below < 0)
            child[node, move] = torch.where(is_new, simulation, child[node, move])
            # New nodes stand at the number of the simulation.
            below = torch.where(below < 0, simulation, below) + base
            node = torch.where(active, below, node)
            active = active & ~is_new & ~is_over[node]
            if step >= 2 and not active.any():
                break
        # Trees deeper than allowed stop at a node that is known: its value counts once more.
        value = expand(node, record, ply + depth)
        # The values of nodes evaluated again are the same, so nothing is lost by writing them.
        for step in range(len(path) - 1, -1, -1):
            at, move, was_active = path[step]
            sign = 1 - 2 * ((depth - step) & 1).float()
            worth[at, move] += torch.where(was_active, value * sign, 0.0)
            visits[at, move] += was_active.to(torch.int16)
    seen = visits[base].float()
    value = (worth[base].sum(1) + own_value[base]) / (seen.sum(1) + 1)
    return Found(seen, (value + 1) / 2)
