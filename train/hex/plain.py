"""Plain self-play from random weights: the network plays thousands of games at once without a
search and trains on their results.

The policy head learns the log odds that the move played wins, the value head those of the position.
The target of both is RESULT_SHARE of the result, and for the rest the win chance that the network
gave the next position. A round plays one set of games and then trains on it, all on one device."""

import time
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from . import board
from .net import Net
from .run import Run

RESULT_SHARE = 0.85  # of the result in the training target
TRAINED_SHARE = 0.3  # of the positions of a round
GAME_COUNT_MULTIPLE = 1024  # game counts are multiples of this, so that a GPU compiles few shapes
MIN_GAMES = 64  # per board size and round
CONNECTION_CHECK_PLIES = 4  # plies between two checks for finished games
OPENINGS = ((1, 0.62), (2, 0.12), (3, 0.1), (4, 0.06), (6, 0.06), (10, 0.04))  # (random stones, probability)
TEMPERATURE_FACTORS = ((1.0, 0.75), (3.0, 0.17), (10.0, 0.08))  # (factor, probability), drawn per game
# Shares of the board sizes in a round, by the progress of the run. Small boards come first, because
# what the network learns there helps on large ones. Every round has several sizes, or the network
# forgets the others. Each round has one of RARE_SIZES, in turn.
RARE_SIZES = (5, 6, 8, 10, 12, 14, 15, 14, 12, 10, 8, 19)
SIZE_SCHEDULE = (  # (progress up to which it applies, shares by size)
    (0.02, {5: 0.3, 7: 0.7}),
    (0.08, {7: 0.3, 9: 0.7}),
    (1.00, {7: 0.05, 9: 0.1, 11: 0.57, 13: 0.18, RARE_SIZES: 0.1}),
)


class Settings(NamedTuple):
    """Settings of a run. Its length is a time (`minutes`) or a number of samples."""

    minutes: float = 0.0  # length in minutes of work, over all calls; 0: use `samples`
    samples: int = 0
    channels: int = 64
    blocks: int = 6
    rate: float = 3e-3  # initial learning rate
    last_rate: float = 0.02  # final learning rate, as a share of the initial one
    batch: int = 2048
    cells: int = 4_000_000  # total number of board cells of the games of a round
    value_weight: float = 0.5  # weight of the value loss
    first_temperature: float = 0.14  # temperature of the games at the beginning of the run
    last_temperature: float = 0.05  # and at its end
    sizes: tuple = SIZE_SCHEDULE
    seed: int = 1


class Games(NamedTuple):
    """Finished games of one board size. Rows are games."""

    size: int
    plies: Tensor  # (games, cells): number of the move that placed each stone
    moves: Tensor  # (games, plies): cells, -1 after the end
    length: Tensor  # (games): number of moves
    values: Tensor  # (games, plies): win chance of the mover according to the network


def play(
    net: Net, size: int, count: int, temperature: float, dtype: torch.dtype, generator: torch.Generator, temperature_factors=TEMPERATURE_FACTORS
) -> Games:
    """Plays `count` games to their ends. Moves are drawn from the softmax of the policy logits."""
    device = next(net.parameters()).device
    cells = size * size

    def draw_per_game(table) -> Tensor:
        """Draws a number for each game from a table of (number, probability)."""
        numbers, probabilities = zip(*table)
        indices = torch.multinomial(torch.tensor(probabilities, device=device), count, True, generator=generator)
        return torch.tensor(numbers, device=device, dtype=torch.float32)[indices]

    opening = draw_per_game(OPENINGS).clamp(max=cells // 4).long()
    game_temperature = temperature * draw_per_game(temperature_factors)
    plies = torch.full((count, cells), board.NEVER, dtype=torch.int16, device=device)
    moves = torch.full((count, cells), -1, dtype=torch.int16, device=device)
    values = torch.full((count, cells), 0.5, dtype=torch.float16, device=device)
    live = torch.arange(count, device=device)  # indices of the games that are played on
    for ply in range(cells):
        live_plies = plies[live]
        live_ply = torch.full((len(live),), ply, dtype=torch.int16, device=device)
        x = board.planes(live_plies, live_ply, size, dtype)
        with torch.inference_mode():
            logits, value = net(x)
        logits = board.rows_to_mover_view(logits, (live_ply & 1).bool(), size)
        # The maximum of logits plus Gumbel noise is a draw from their softmax.
        noise = -torch.log(-torch.log(torch.rand(logits.shape, device=device, generator=generator).clamp(1e-20, 1 - 1e-7)))
        is_random = (ply < opening[live])[:, None]
        score = torch.where(is_random, noise, logits / game_temperature[live, None] + noise)
        cell = score.masked_fill(live_plies < board.NEVER, -torch.inf).argmax(1)
        moves[live, ply] = cell.to(torch.int16)
        values[live, ply] = torch.sigmoid(value).to(torch.float16)
        plies[live, cell] = ply
        if ply >= 2 * size - 2 and (ply % CONNECTION_CHECK_PLIES == 0 or ply == cells - 1):
            live_plies = plies[live]
            first, second = (board.connected_at(live_plies, size, side) for side in (0, 1))
            is_unfinished = torch.minimum(first, second) == board.NEVER
            unfinished = live[is_unfinished]
            if len(unfinished) == 0:
                break
            # Finished games fill up the batch to a multiple. Their extra moves are dropped below.
            wanted = min(len(live), -(-len(unfinished) // GAME_COUNT_MULTIPLE) * GAME_COUNT_MULTIPLE)
            if wanted < len(live):
                padding = live[~is_unfinished][: wanted - len(unfinished)]
                live = torch.cat([unfinished, padding])
    ends = [board.connected_at(plies, size, side) for side in (0, 1)]
    length = torch.minimum(*ends).long() + 1
    numbers = torch.arange(cells, device=device)
    moves = torch.where(numbers[None] < length[:, None], moves, -1)
    plies = torch.where(plies < length[:, None], plies, board.NEVER)
    return Games(size, plies, moves, length, values)


def compute_targets(games: Games) -> Tensor:
    """Returns the training target of each move for its mover, 0 to 1: (games, plies)."""
    numbers = torch.arange(games.moves.shape[1], device=games.moves.device)
    last = games.length[:, None] - 1
    result = ((last - numbers) % 2 == 0).float()
    next_value = torch.where(numbers < last, 1 - games.values.float().roll(-1, 1), result)
    return RESULT_SHARE * result + (1 - RESULT_SHARE) * next_value


class PlainRun(Run):
    """A run of plain self-play."""

    def temperature(self) -> float:
        """Returns the temperature of the games of this round."""
        first, last = self.settings.first_temperature, self.settings.last_temperature
        return first + (last - first) * self.progress()

    def game_counts(self) -> dict:
        """Returns the number of games of this round by board size."""
        shares = next(shares for limit, shares in self.settings.sizes if self.progress() <= limit)
        counts = {}
        for size, share in shares.items():
            size = size if isinstance(size, int) else size[self.round % len(size)]
            count = max(MIN_GAMES, round(share * self.settings.cells / (size * size)))
            if count >= GAME_COUNT_MULTIPLE:
                count = -(-count // GAME_COUNT_MULTIPLE) * GAME_COUNT_MULTIPLE
            counts[size] = counts.get(size, 0) + count
        return counts

    def run_round(self) -> dict:
        """Plays one set of games on several board sizes and trains on it. Returns a log entry."""
        began = time.monotonic()
        temperature = self.temperature()
        played = [play(self.average, size, count, temperature, self.dtype, self.generator) for size, count in self.game_counts().items()]
        entry = {"positions": sum(int(games.length.sum()) for games in played), "play_s": time.monotonic() - began}
        entry.update({f"length_{games.size}": games.length.float().mean().item() for games in played})
        return {**entry, **self.train(played)}

    def train(self, played: list) -> dict:
        """Trains on random positions of the games, each used at most once. Returns the mean losses.

        Each batch has one board size; the batches of all sizes are shuffled.
        """
        batch, batches = self.settings.batch, []
        for games in played:
            positions = (games.moves >= 0).flatten().nonzero().flatten()  # game * cells + ply
            order = torch.randperm(len(positions), device=self.device, generator=self.generator)
            positions, targets = positions[order[: int(TRAINED_SHARE * len(positions))]], compute_targets(games)
            batches += [(games, targets, positions[begin : begin + batch]) for begin in range(0, len(positions) - batch + 1, batch)]
        sums = {games.size: [0, torch.zeros(2, device=self.device)] for games in played}
        for number in self.rng.permutation(len(batches)):
            games, targets, positions = batches[number]
            losses = sums[games.size]
            losses[1] += self.train_batch(games.size, *self.build_batch(games, targets, positions))
            losses[0] += 1
        return self.mean_losses(sums)

    def build_batch(self, games: Games, targets: Tensor, positions: Tensor) -> tuple:
        """Returns planes, moves (cells in the mover's view) and targets of positions.

        Half of the positions are rotated by 180 degrees.
        """
        size, cells = games.size, games.size**2
        game, ply = positions // cells, (positions % cells).to(torch.int16)
        is_second = (ply & 1).bool()
        x = board.planes(games.plies[game], ply, size, self.dtype)
        move = board.to_mover_view(games.moves[game, ply.long()].long(), is_second, size)
        is_rotated = torch.rand(len(positions), device=self.device, generator=self.generator) < 0.5
        x = torch.where(is_rotated[:, None, None, None], x.flip(2, 3), x)
        move = torch.where(is_rotated, cells - 1 - move, move)
        return x, move, targets[game, ply.long()]

    def compute_losses(self, x: Tensor, move: Tensor, target: Tensor) -> tuple:
        """Returns the policy loss and the value loss: cross entropies with the target."""
        logits, values = self.net(x)
        policy_loss = functional.binary_cross_entropy_with_logits(logits.gather(1, move[:, None]).flatten(), target)
        return policy_loss, functional.binary_cross_entropy_with_logits(values, target)
