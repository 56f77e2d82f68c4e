"""Learning from searches: a search with the network itself evaluates positions of self-play.

The network plays games without a search, and about two positions of each game are searched. The
policy head learns how the search divided its visits among the moves. The value head learns half the
result of the game and half the value of the search. The latest searched positions form the training
window; each of them is used several times.

Without a program, games and searches are tensor operations, which is best on a GPU. With
`--program`, crosspath plays and searches (`crosspath selfplay --teacher`). It computes in 8 bits,
its search can prove results, and its games can begin with ladders."""

import time
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from . import board, export, games as program_games, ladders, plain, search
from .run import Run

# These stand for other openings, instead of a number of random plies.
LADDER_OPENINGS, EVEN_OPENINGS = -1, -2
SEARCH_SHARE = 0.5  # of the search's value in the value target; the rest is the result
WINDOW_SLACK = 1.5  # the windows of all sizes together hold up to this many times `window` positions
FULL_WEIGHT_POSITIONS = 2_000  # a board size with fewer searched positions is drawn less often
# Random plies before the games of the program, and the probability of each number.
OPENINGS = {0: 0.02, 1: 0.22, 2: 0.1, 3: 0.1, 5: 0.06, LADDER_OPENINGS: 0.1, EVEN_OPENINGS: 0.4}
MAX_EVEN_PLIES = 4  # random plies of even openings
EVEN_SHARE = 0.25  # of the random openings that are drawn, those with the most even win chances are used
MIN_LADDER_SIZE = 9  # smallest board on which games begin with ladders
TEMPERATURE_FACTORS = ((1.0, 0.75), (2.5, 0.25))  # (factor, probability), drawn per game
PROVER = "level:8,nodes=400"  # teacher on small boards, which it can solve
MAIN_SIZE = 11  # without a program, every round has this board and one other
BOARDS = {5: 0.02, 6: 0.03, 7: 0.1, 8: 0.05, 9: 0.14, 10: 0.05, 11: 0.38, 12: 0.02, 13: 0.14, 14: 0.04, 15: 0.02, 19: 0.01}


class Settings(NamedTuple):
    """Settings of a run. Its length is a time (`minutes`) or a number of samples."""

    minutes: float = 0.0  # length in minutes of work, over all calls; 0: use `samples`
    samples: int = 0
    channels: int = 64
    blocks: int = 6
    rate: float = 6e-4  # initial learning rate
    last_rate: float = 0.03  # final learning rate, as a share of the initial one
    batch: int = 1024
    value_weight: float = 1.0  # weight of the value loss
    nodes: int = 96  # network evaluations per search
    positions_per_round: int = 16_384  # positions to search per round, on 11x11
    reused: float = 6.0  # training samples per searched position
    window: int = 1_500_000  # size of the training window, in searched positions
    temperature: float = 0.4  # temperature of the games
    sharpness: float = 1.0  # factor for the policy logits at the start of the run
    solved: int = 4  # largest board on which the prover is the teacher (with a program)
    parallel_games: int = 1  # number of games that the program plays in parallel
    boards: tuple = tuple(BOARDS.items())  # pairs of board size and share
    seed: int = 1


class SearchedPositions(NamedTuple):
    """Searched positions of one board size. Rows are positions; cells are numbered as First sees
    them."""

    plies: Tensor  # (n, cells) i16: number of the move that placed each stone, or board.NEVER
    ply: Tensor  # (n) i16: number of moves before the position
    policy: Tensor  # (n, cells) f16: shares of the visits, with sum 1
    value: Tensor  # (n) f32: value target, the win chance of the mover

    def append(self, other: "SearchedPositions", limit: int) -> "SearchedPositions":
        """Returns these positions followed by others, and of all these the last `limit`."""
        return SearchedPositions(*(torch.cat(pair)[-limit:] for pair in zip(self, other)))


def play_and_search(run: "TaughtRun", size: int, count: int) -> tuple:
    """Plays games on the run's device and searches `count` of their positions.

    Returns the searched positions and a dict of figures for the log.
    """
    net, generator, device = run.average, run.generator, run.device
    games = plain.play(net, size, max(count // 2, 1), run.settings.temperature, run.dtype, generator, TEMPERATURE_FACTORS)
    game = torch.arange(len(games.plies), device=device).repeat(2)
    spot = torch.rand(len(game), device=device, generator=generator)
    ply = (spot * games.length[game]).to(torch.int16)
    plies = torch.where(games.plies[game] < ply[:, None], games.plies[game], board.NEVER)
    result = search.search(net, plies, ply, size, run.settings.nodes, run.dtype, generator)
    # Moves with a single visit are dropped: most of these visits are due to the root noise.
    visits = torch.where(result.visits > 1, result.visits, 0.0)
    visits = torch.where(visits.sum(1, keepdim=True) > 0, visits, result.visits)
    policy = visits / visits.sum(1, keepdim=True)
    won = ((games.length[game] - 1 - ply) % 2 == 0).float()
    value = SEARCH_SHARE * result.value + (1 - SEARCH_SHARE) * won
    figures = {"length": games.length.float().mean().item(), "best": policy.amax(1).mean().item()}
    return SearchedPositions(plies, ply, policy.to(torch.float16), value), figures


def from_program_games(played: program_games.Games, is_solved: bool, device: torch.device) -> SearchedPositions:
    """Returns the searched positions of games that the program played.

    With `is_solved`, values are proofs, and the result of the game is ignored.
    """
    rows = played.searched
    ply = played.ply[rows].astype(np.int16)
    plies = played.plies[played.game[rows]]
    plies = np.where(plies < ply[:, None], plies, board.NEVER).astype(np.int16)
    policy = played.policy.astype(np.float32)
    policy /= np.maximum(policy.sum(1, keepdims=True), 1)
    share = 1.0 if is_solved else SEARCH_SHARE
    value = share * played.value[rows] + (1 - share) * played.result[rows]
    tensors = (plies, ply, policy.astype(np.float16), value.astype(np.float32))
    return SearchedPositions(*(torch.from_numpy(tensor).to(device) for tensor in tensors))


class TaughtRun(Run):
    """A run of learning from searches. Without a program, games and searches are tensor
    operations."""

    def __init__(self, folder: str, settings: Settings, device: torch.device, start: str = "", program: str = ""):
        is_new = not (Path(folder) / "state.pt").exists()
        super().__init__(folder, settings, device, start)
        self.program = program
        self.windows = {}  # training windows by board size
        self.next_games = None  # games of the next round, which the program plays in the background
        if is_new and settings.sharpness != 1:
            with torch.no_grad():
                for net in (self.net, self.average):
                    net.policy.weight.mul_(settings.sharpness)
                    net.policy.bias.mul_(settings.sharpness)
        for file in sorted(self.folder.glob("judged-*.pt"), key=lambda file: int(file.stem.split("-")[1])):
            size, *tensors = torch.load(file, weights_only=True, map_location=device)
            self.add_to_window(size, SearchedPositions(*tensors))

    def round_sizes(self, number: int) -> list:
        """Returns the board sizes of a round.

        With a program it is one random size, without it 11x11 and a random other one.
        """
        sizes, weights = zip(*self.settings.boards)
        rng = np.random.default_rng([self.settings.seed, number])
        if self.program:
            return [int(rng.choice(sizes, p=np.array(weights) / sum(weights)))]
        other_weights = np.array([0 if size == MAIN_SIZE else weight for size, weight in self.settings.boards])
        other = int(rng.choice(sizes, p=other_weights / other_weights.sum()))
        return [MAIN_SIZE, other] if MAIN_SIZE in sizes else [other]

    def run_round(self) -> dict:
        """Plays games, searches positions and trains on the window. Returns a log entry."""
        began = time.monotonic()
        entry, count = {}, 0
        if self.program:
            played = program_games.as_arrays((self.next_games or self.start_games(self.round)).wait())
            self.next_games = self.start_games(self.round + 1)
            entry["size"], entry["positions"] = played.size, int(played.ply.size)
            is_solved = played.size <= self.settings.solved
            count += self.add_positions(played.size, from_program_games(played, is_solved, self.device))
        else:
            for size in self.round_sizes(self.round):
                wanted = self.settings.positions_per_round
                if size != MAIN_SIZE:
                    wanted = round(0.6 * wanted * (MAIN_SIZE / max(size, 9)) ** 2)
                positions, figures = play_and_search(self, size, wanted)
                count += self.add_positions(size, positions)
                entry.update({f"{name}_{size}": figure for name, figure in figures.items()})
        # `judged` is the number of searched positions.
        entry.update(judged=count, play_s=time.monotonic() - began)
        return {**entry, **self.train(int(self.settings.reused * count))}

    def add_positions(self, size: int, positions: SearchedPositions) -> int:
        """Adds searched positions to the window, and returns their number.

        On a CPU they are also saved in the folder, so that a continued run has its window at once.
        """
        self.add_to_window(size, positions)
        if self.device.type == "cpu":
            torch.save([size, *positions], self.folder / f"judged-{self.round}.{size}.part")
            (self.folder / f"judged-{self.round}.{size}.part").rename(self.folder / f"judged-{self.round}-{size}.pt")
            oldest = self.round - int(WINDOW_SLACK * self.settings.window / self.settings.positions_per_round)
            for file in self.folder.glob(f"judged-{oldest}-*.pt"):
                file.unlink()
        return len(positions.ply)

    def add_to_window(self, size: int, positions: SearchedPositions):
        """Adds searched positions to the window of their board size. The oldest ones are
        dropped."""
        limit = int(WINDOW_SLACK * self.settings.window * dict(self.settings.boards)[size]) + len(positions.ply)
        self.windows[size] = self.windows[size].append(positions, limit) if size in self.windows else positions

    def start_games(self, number: int) -> program_games.BackgroundGames:
        """Starts the program in the background to play and search the games of a round."""
        settings, rng = self.settings, np.random.default_rng([self.settings.seed, number, 1])
        (size,) = self.round_sizes(number)
        file = self.folder / f"net{number % 2}.safetensors"
        export.write(self.average, str(file))
        taught_every = max(1, round(0.21 * size * size))  # about two positions per game
        opening = int(rng.choice(list(OPENINGS), p=list(OPENINGS.values())))
        teacher = f"net:{file},nodes={settings.nodes}" if size > settings.solved else PROVER
        openings = f"random:{opening}"
        if opening == EVEN_OPENINGS:
            openings = self.write_openings(number, size, self.draw_even_openings)
        elif opening == LADDER_OPENINGS and size >= MIN_LADDER_SIZE:
            openings = self.write_openings(number, size, ladders.ladders)
        elif opening == LADDER_OPENINGS:
            openings = "random:1"
        flags = f"--game hex --size {size} --no-swap --games {self.game_count()} --openings {openings}".split()
        flags += f"--seed {self.game_seed(number)} --engine net:{file},temperature={settings.temperature} --temperature-plies 0".split()
        flags += f"--threads {settings.parallel_games} --teacher {teacher} --taught-every {taught_every}".split()
        return program_games.BackgroundGames(self.program, flags)

    def game_count(self) -> int:
        """Returns the number of games of the program per round."""
        return round(self.settings.positions_per_round / 2.2)

    def game_seed(self, number: int) -> int:
        """Returns the random seed for the games of a round."""
        return self.settings.seed * 1_000_000 + number

    def write_openings(self, number: int, size: int, draw: Callable) -> str:
        """Writes an opening for each game of a round. Returns the file's path.

        `draw` has the parameters and the result of `ladders.ladders`.
        """
        openings = draw(size, self.game_count(), self.game_seed(number), lambda drawn: self.win_chances(drawn, size))
        file = self.folder / f"openings{number % 2}.txt"
        file.write_text("".join(f"{ladders.format_opening(opening, size)}\n" for opening in openings))
        return str(file)

    @staticmethod
    def draw_even_openings(size: int, count: int, seed: int, win_chances: Callable) -> list:
        """Draws openings of random stones and returns the `count` openings with the most even win
        chances."""
        rng = np.random.default_rng(seed)
        plies = [int(rng.integers(1, min(MAX_EVEN_PLIES, size), endpoint=True)) for _ in range(round(count / EVEN_SHARE))]
        openings = [rng.choice(size * size, drawn, replace=False).tolist() for drawn in plies]
        distance = np.abs(np.array(win_chances(openings)) - 0.5)
        return [openings[i] for i in np.argsort(distance, kind="stable")[:count]]

    @torch.no_grad()
    def win_chances(self, openings: list, size: int) -> list:
        """Returns the mover's win chance after each opening, according to the averaged network."""
        plies = torch.full((len(openings), size * size), board.NEVER, dtype=torch.int16)
        for row, opening in zip(plies, openings):
            row[opening] = torch.arange(len(opening), dtype=torch.int16)
        ply = torch.tensor([len(opening) for opening in openings], dtype=torch.int16)
        values = [
            self.average(board.planes(batch_plies.to(self.device), batch_ply.to(self.device), size))[1]
            for batch_plies, batch_ply in zip(plies.split(512), ply.split(512))
        ]
        return torch.sigmoid(torch.cat(values)).tolist()

    @torch.no_grad()
    def revive(self):
        """Re-initializes dead units, those that are never active in positions of 128 games on
        11x11.

        The output for these positions does not change.
        """
        games = plain.play(self.average, 11, 128, 0.1, torch.float32, self.generator)
        ply = (torch.rand(128, device=self.device, generator=self.generator) * games.length).to(torch.int16)
        revived = self.net.revive(board.planes(games.plies, ply, 11))
        self.average.load_state_dict(self.net.state_dict())
        print(f"re-initialized {revived} dead units", flush=True)

    def stop_background_games(self):
        """Stops the games of the next round."""
        if self.next_games:
            self.next_games.stop()
            self.next_games = None

    def train(self, samples: int) -> dict:
        """Trains on random positions of the window. Returns the mean losses.

        Each batch has one board size, drawn with the shares of the settings.
        """
        sizes = list(self.windows)
        shares = dict(self.settings.boards)
        weights = np.array([shares[size] * min(1.0, len(self.windows[size].ply) / FULL_WEIGHT_POSITIONS) for size in sizes])
        sums = {size: [0, torch.zeros(2, device=self.device)] for size in sizes}
        for _ in range(samples // self.settings.batch):
            size = int(self.rng.choice(sizes, p=weights / weights.sum()))
            sums[size][1] += self.train_batch(size, *self.draw_batch(size))
            sums[size][0] += 1
        return self.mean_losses(sums)

    def draw_batch(self, size: int) -> tuple:
        """Draws one batch from the window and returns its planes, policies and value targets.

        Half of the positions are rotated by 180 degrees.
        """
        window = self.windows[size]
        rows = torch.randint(len(window.ply), (self.settings.batch,), device=self.device, generator=self.generator)
        ply = window.ply[rows]
        is_second = (ply & 1).bool()
        x = board.planes(window.plies[rows], ply, size, self.dtype)
        policy = board.rows_to_mover_view(window.policy[rows].float(), is_second, size)
        is_rotated = torch.rand(len(rows), device=self.device, generator=self.generator) < 0.5
        x = torch.where(is_rotated[:, None, None, None], x.flip(2, 3), x)
        return x, torch.where(is_rotated[:, None], policy.flip(1), policy), window.value[rows]

    def compute_losses(self, x: Tensor, policy: Tensor, value: Tensor) -> tuple:
        """Returns the policy loss and the value loss: cross entropies with the targets."""
        logits, values = self.net(x)
        is_occupied = x[:, :, 1:-1, 1:-1].sum(1).flatten(1) > 0
        log_probabilities = functional.log_softmax(logits.masked_fill(is_occupied, -1e9), 1)
        return -(policy * log_probabilities).sum(1).mean(), functional.binary_cross_entropy_with_logits(values, value)
