"""PUCT tree search over many Hex positions at once, as tensors on any device.

Each step runs one simulation in every tree. The trees are those of the program's search
(`src/ai/mcts.rs`) without its solver: the value of a node is the network's value, and a position in
which the last mover has connected is lost for the side to move."""

from typing import NamedTuple

import torch
from torch import Tensor

from . import board

EXPLORATION = 1.25  # factor of the exploration term
FIRST_PLAY_URGENCY = 0.2  # penalty subtracted from the parent's value for unvisited moves
ROOT_NOISE_SHARE = 0.12  # share of Dirichlet noise in the priors of the root
ROOT_NOISE_MOVES = 8.0  # number of moves that get most of the noise: alpha is 1 / ROOT_NOISE_MOVES
MAX_DEPTH = 40  # largest depth of a simulation, in plies below the root


class SearchResult(NamedTuple):
    """Results of searches."""

    visits: Tensor  # (B, cells): visits of the root's moves
    value: Tensor  # (B): win chance of the mover, 0 to 1


def has_connected(plies: Tensor, is_second: Tensor, size: int) -> Tensor:
    """Reports whether a side has connected its edges: bool (B).

    `is_second` (B) selects the side of each position: False for First, True for Second.
    """
    stones = ((plies & 1).bool() == is_second[:, None]) & (plies < board.NEVER)
    stones = stones.view(-1, size, size)
    stones = torch.where(is_second[:, None, None], stones.transpose(1, 2), stones)
    reach = torch.zeros((len(plies), size + 2, size + 2), dtype=torch.bool, device=plies.device)
    reach[:, 1, 1:-1] = stones[:, 0]
    inner = reach[:, 1:-1, 1:-1]
    for round_ in range(size * size):
        near = reach[:, :-2, 1:-1] | reach[:, 2:, 1:-1] | reach[:, 1:-1, :-2] | reach[:, 1:-1, 2:]
        near = (near | reach[:, :-2, 2:] | reach[:, 2:, :-2] | inner) & stones
        if round_ % 8 == 7 and torch.equal(near, inner):
            break
        inner.copy_(near)
    return inner[:, -1].any(1)


def search(net, plies: Tensor, ply: Tensor, size: int, simulations: int, dtype: torch.dtype, generator: torch.Generator) -> SearchResult:
    """Searches the positions before move `ply` (B) of the games `plies` (B, cells).

    The games must not be over in these positions.
    """
    device, count, cells = plies.device, len(plies), size * size
    plies = torch.where(plies < ply[:, None], plies, board.NEVER)
    # Tree t has the nodes t * nodes to (t + 1) * nodes - 1, the root first. Node s was added by
    # simulation s. Rows of the tables are nodes, columns are moves.
    nodes = simulations + 1
    prior = torch.zeros((count * nodes, cells), dtype=torch.float16, device=device)
    visits = torch.zeros((count * nodes, cells), dtype=torch.int16, device=device)
    value_sum = torch.zeros((count * nodes, cells), dtype=torch.float32, device=device)
    child = torch.full((count * nodes, cells), -1, dtype=torch.int16, device=device)
    net_value = torch.zeros(count * nodes, dtype=torch.float32, device=device)
    is_over = torch.zeros(count * nodes, dtype=torch.bool, device=device)
    trees = torch.arange(count, device=device)
    roots = trees * nodes

    def expand(leaves: Tensor, leaf_plies: Tensor, leaf_ply: Tensor) -> Tensor:
        """Evaluates positions and stores the results in the nodes `leaves`.

        Returns the values for the side to move, -1 to 1.
        """
        is_second = (leaf_ply & 1).bool()
        lost = has_connected(leaf_plies, ~is_second, size)
        with torch.inference_mode():
            logits, value = net(board.planes(leaf_plies, leaf_ply, size, dtype))
        logits = board.rows_to_mover_view(logits, is_second, size).masked_fill(leaf_plies < board.NEVER, -torch.inf)
        value = torch.where(lost, -1.0, torch.tanh(value / 2))
        prior[leaves] = torch.softmax(logits, 1).nan_to_num(0.0).to(torch.float16)
        net_value[leaves] = value
        is_over[leaves] = lost
        return value

    expand(roots, plies, ply)
    empty = plies == board.NEVER
    alpha = torch.full((count, cells), 1.0 / ROOT_NOISE_MOVES, device=device).clamp(max=1.0)
    noise = torch._standard_gamma(alpha, generator=generator) * empty
    noise = noise / noise.sum(1, keepdim=True).clamp(min=1e-9)
    prior[roots] = ((1 - ROOT_NOISE_SHARE) * prior[roots].float() + ROOT_NOISE_SHARE * noise).to(torch.float16)
    for simulation in range(1, nodes):
        leaf_plies = plies.clone()
        node, active = roots.clone(), torch.ones(count, dtype=torch.bool, device=device)
        depth = torch.zeros(count, dtype=torch.int16, device=device)
        path = []
        for step in range(MAX_DEPTH):
            node_visits = visits[node].float()
            total = node_visits.sum(1, keepdim=True)
            parent = net_value[node][:, None]
            mean_value = value_sum[node] / node_visits.clamp(min=1)
            mean_value = torch.where(node_visits > 0, mean_value, parent - FIRST_PLAY_URGENCY)
            score = mean_value + EXPLORATION * prior[node].float() * torch.sqrt(total + 1) / (1 + node_visits)
            score = score.masked_fill(leaf_plies < board.NEVER, -torch.inf)
            move = score.argmax(1)
            path.append((node, move, active))
            leaf_plies[trees, move] = torch.where(active, ply + depth, leaf_plies[trees, move])
            depth = depth + active.to(torch.int16)
            next_node = child[node, move].long()
            is_new = active & (next_node < 0)
            child[node, move] = torch.where(is_new, simulation, child[node, move])
            # A new node has the number of the simulation.
            next_node = torch.where(next_node < 0, simulation, next_node) + roots
            node = torch.where(active, next_node, node)
            active = active & ~is_new & ~is_over[node]
            if step >= 2 and not active.any():
                break
        # A simulation may end at an existing node: at MAX_DEPTH or when the game is over there. The
        # node is then evaluated again with the same result, and its value counts once more.
        value = expand(node, leaf_plies, ply + depth)
        for step in range(len(path) - 1, -1, -1):
            parents, move, was_active = path[step]
            sign = 1 - 2 * ((depth - step) & 1).float()
            value_sum[parents, move] += torch.where(was_active, value * sign, 0.0)
            visits[parents, move] += was_active.to(torch.int16)
    root_visits = visits[roots].float()
    value = (value_sum[roots].sum(1) + net_value[roots]) / (root_visits.sum(1) + 1)
    return SearchResult(root_visits, (value + 1) / 2)
