"""Plain self-play from nothing: the network plays thousands of games at once without a search and learns who won them.

Of each move played it learns whether it won: the head of the cells learns the log odds of the move played, the head of the
board those of the position. A move is worth RESULT_SHARE of the result, and for the rest what the next position was thought
worth. Games and learning happen on one device, by turns; a round is one set of games and what is learnt from it."""

import time
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from . import board
from .net import Net
from .run import Run

RESULT_SHARE = 0.85
TAKEN = 0.3  # positions of a round that are learnt from
GRAIN = 1024  # games: whole multiples keep the number of shapes small for which a GPU prepares
CHECKED_EVERY = 4  # plies between two looks at who has connected
OPENINGS = ((1, 0.62), (2, 0.12), (3, 0.1), (4, 0.06), (6, 0.06), (10, 0.04))  # random stones before a game, and how often
HEAT = ((1.0, 0.75), (3.0, 0.17), (10.0, 0.08))  # factors of the temperature, drawn for each game
# Shares of the boards in each round, by the part of a run: small ones first, for what is learnt there helps on the large ones.
# Every round has several sizes, or the network forgets the others. RARE: one of these takes its turn in each round.
RARE = (5, 6, 8, 10, 12, 14, 15, 14, 12, 10, 8, 19)
SIZES = (
    (0.02, {5: 0.3, 7: 0.7}),
    (0.08, {7: 0.3, 9: 0.7}),
    (1.00, {7: 0.05, 9: 0.1, 11: 0.57, 13: 0.18, RARE: 0.1}),
)


class Settings(NamedTuple):
    """What a run does. Its length is a time on the machine that it runs on, or a number of samples."""

    minutes: float = 0.0  # of work in all, over every call; 0: by samples
    samples: int = 0
    channels: int = 64
    blocks: int = 6
    rate: float = 3e-3
    last_rate: float = 0.02  # of the first
    batch: int = 2048
    cells: int = 4_000_000  # cells of all boards of a round
    value_weight: float = 0.5  # of the loss of positions
    hot: float = 0.14  # the temperature of the games at the beginning, and at the end
    cold: float = 0.05
    sizes: tuple = SIZES
    seed: int = 1


class Games(NamedTuple):
    """Finished games of one size as tensors: rows are games."""

    size: int
    plies: Tensor  # (games, cells): the move with which each cell got its stone
    moves: Tensor  # (games, plies): cells, -1 after the end
    length: Tensor  # (games): moves played
    values: Tensor  # (games, plies): the chance that the network gave the mover of each position


def play(net: Net, size: int, count: int, temperature: float, dtype: torch.dtype, generator: torch.Generator, heat_factors=HEAT) -> Games:
    """Plays so many games to their ends."""
    device = next(net.parameters()).device
    cells = size * size

    def drawn(table) -> Tensor:
        numbers, shares = zip(*table)
        places = torch.multinomial(torch.tensor(shares, device=device), count, True, generator=generator)
        return torch.tensor(numbers, device=device, dtype=torch.float32)[places]

    opening = drawn(OPENINGS).clamp(max=cells // 4).long()
    heat = temperature * drawn(heat_factors)
    plies = torch.full((count, cells), board.NEVER, dtype=torch.int16, device=device)
    moves = torch.full((count, cells), -1, dtype=torch.int16, device=device)
    values = torch.full((count, cells), 0.5, dtype=torch.float16, device=device)
    live = torch.arange(count, device=device)
    for ply in range(cells):
        part = plies[live]
        at = torch.full((len(live),), ply, dtype=torch.int16, device=device)
        x = board.planes(part, at, size, dtype)
        with torch.inference_mode():
            logits, value = net(x)
        logits = board.rows_in_view(logits, (at & 1).bool(), size)
        noise = -torch.log(-torch.log(torch.rand(logits.shape, device=device, generator=generator).clamp(1e-20, 1 - 1e-7)))
        is_random = (ply < opening[live])[:, None]
        score = torch.where(is_random, noise, logits / heat[live, None] + noise)
        cell = score.masked_fill(part < board.NEVER, -torch.inf).argmax(1)
        moves[live, ply] = cell.to(torch.int16)
        values[live, ply] = torch.sigmoid(value).to(torch.float16)
        plies[live, cell] = ply
        if ply >= 2 * size - 2 and (ply % CHECKED_EVERY == 0 or ply == cells - 1):
            part = plies[live]
            first, second = (board.connected_at(part, size, side) for side in (0, 1))
            going = torch.minimum(first, second) == board.NEVER
            kept = live[going]
            if len(kept) == 0:
                break
            want = min(len(live), -(-len(kept) // GRAIN) * GRAIN)
            if want < len(live):
                done = live[~going][: want - len(kept)]
                live = torch.cat([kept, done])
    ends = [board.connected_at(plies, size, side) for side in (0, 1)]
    length = torch.minimum(*ends).long() + 1
    numbers = torch.arange(cells, device=device)
    moves = torch.where(numbers[None] < length[:, None], moves, -1)
    plies = torch.where(plies < length[:, None], plies, board.NEVER)
    return Games(size, plies, moves, length, values)


def worths(games: Games) -> Tensor:
    """What each move played is worth to its mover, 0 to 1: (games, plies)."""
    numbers = torch.arange(games.moves.shape[1], device=games.moves.device)
    last = games.length[:, None] - 1
    result = ((last - numbers) % 2 == 0).float()
    following = torch.where(numbers < last, 1 - games.values.float().roll(-1, 1), result)
    return RESULT_SHARE * result + (1 - RESULT_SHARE) * following


class Plain(Run):
    """A run of plain self-play."""

    def temperature(self) -> float:
        return self.plan.hot + (self.plan.cold - self.plan.hot) * self.part()

    def sizes(self) -> dict:
        """The boards of this round: how many games of each size."""
        weights = next(weights for until, weights in self.plan.sizes if self.part() <= until)
        of_round = {}
        for size, share in weights.items():
            size = size if isinstance(size, int) else size[self.round % len(size)]
            count = max(64, round(share * self.plan.cells / (size * size)))
            of_round[size] = of_round.get(size, 0) + (-(-count // GRAIN) * GRAIN if count >= GRAIN else count)
        return of_round

    def one_round(self) -> dict:
        """Plays one set of games on several boards and learns from them."""
        began = time.monotonic()
        played = [play(self.mean, size, count, self.temperature(), self.dtype, self.generator) for size, count in self.sizes().items()]
        entry = {"positions": sum(int(games.length.sum()) for games in played), "play_s": time.monotonic() - began}
        entry.update({f"length_{games.size}": games.length.float().mean().item() for games in played})
        return {**entry, **self.learn(played)}

    def learn(self, played: list) -> dict:
        """Learns from positions drawn from the games, each at most once; batches of all sizes by turns."""
        batch, batches = self.plan.batch, []
        for games in played:
            places = (games.moves >= 0).flatten().nonzero().flatten()
            order = torch.randperm(len(places), device=self.device, generator=self.generator)
            places, worth = places[order[: int(TAKEN * len(places))]], worths(games)
            batches += [(games, worth, places[begin : begin + batch]) for begin in range(0, len(places) - batch + 1, batch)]
        sums = {games.size: [0, torch.zeros(2, device=self.device)] for games in played}
        for number in self.chance.permutation(len(batches)):
            games, worth, places = batches[number]
            losses = sums[games.size]
            losses[1] += self.step(games.size, *self.samples(games, worth, places))
            losses[0] += 1
        return self.mean_losses(sums)

    def samples(self, played: Games, worth: Tensor, places: Tensor) -> tuple:
        """Planes, moves and worths of positions, half of them turned by half."""
        size, cells = played.size, played.size**2
        game, ply = places // cells, (places % cells).to(torch.int16)
        is_second = (ply & 1).bool()
        x = board.planes(played.plies[game], ply, size, self.dtype)
        move = board.in_view(played.moves[game, ply.long()].long(), is_second, size)
        half = torch.rand(len(places), device=self.device, generator=self.generator) < 0.5
        x = torch.where(half[:, None, None, None], x.flip(2, 3), x)
        move = torch.where(half, cells - 1 - move, move)
        return x, move, worth[game, ply.long()]

    def losses(self, x: Tensor, move: Tensor, target: Tensor) -> tuple:
        """The cross entropies of the moves played and of the positions."""
        logits, values = self.net(x)
        move_loss = functional.binary_cross_entropy_with_logits(logits.gather(1, move[:, None]).flatten(), target)
        return move_loss, functional.binary_cross_entropy_with_logits(values, target)
