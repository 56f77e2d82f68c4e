"""Learning from searches: positions of self-play are judged by a search with the network itself.

The network plays games without a search; of each game two positions are searched. The head of the cells learns how often the
search visited each move, the head of the board half the result and half the value of the search. Judged positions are learnt
from several times, as long as they are among the last. Where a GPU is at hand games and searches run on it as tensors;
elsewhere the program itself plays and searches (`crosspath selfplay --teacher`), which computes in 8 bits and knows proofs."""

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from . import board, export, games as program_games, ladders, plain, search
from .run import Run

LADDERS = -1  # in place of a number of random plies
VALUE_SHARE = 0.5  # of the search in what a judged position is worth; the rest is the result
MOST = 1.5  # times as many judged positions as `window` are held at most, over all sizes
OPENINGS = {0: 0.02, 1: 0.42, 2: 0.16, 3: 0.16, 5: 0.09, LADDERS: 0.15}  # random plies before games of the program, and how often
LEAST_LADDERS = 9  # the smallest board that games begin on with a ladder
HEAT = ((1.0, 0.75), (2.5, 0.25))  # factors of the temperature
PROVER = "level:8,nodes=400"  # judges small boards by proofs
BOARDS = {5: 0.02, 6: 0.03, 7: 0.1, 8: 0.05, 9: 0.14, 10: 0.05, 11: 0.38, 12: 0.02, 13: 0.14, 14: 0.04, 15: 0.02, 19: 0.01}


class Settings(NamedTuple):
    """What a run does. Its length is a time on the machine that it runs on, or a number of samples."""

    minutes: float = 0.0  # of work in all, over every call; 0: by samples
    samples: int = 0
    channels: int = 64
    blocks: int = 6
    rate: float = 6e-4
    last_rate: float = 0.03  # of the first
    batch: int = 1024
    value_weight: float = 1.0  # of the loss of positions
    nodes: int = 96  # evaluations of a search
    judged: int = 16_384  # positions of a round that are searched, on 11x11
    reused: float = 6.0  # samples for every judged position
    window: int = 1_500_000  # judged positions that are learnt from
    temperature: float = 0.4  # of the games
    sharpness: float = 1.0  # factor of the policy's logits when the run begins
    solved: int = 4  # the largest board on which the prover judges, in games of the program
    threads: int = 1  # games of the program at a time
    boards: tuple = tuple(BOARDS.items())
    seed: int = 1


class Judged(NamedTuple):
    """Judged positions of one size: rows are positions, cells as First sees them."""

    plies: Tensor  # (n, cells) i16: the game up to the position
    ply: Tensor  # (n) i16: moves before it
    shares: Tensor  # (n, cells) f16: of each move, they sum to one
    worth: Tensor  # (n) f32: the mover's chance

    def joined(self, other: "Judged", most: int) -> "Judged":
        """These and others after them, the last `most` of all."""
        return Judged(*(torch.cat(pair)[-most:] for pair in zip(self, other)))


def by_tensors(run: "Taught", size: int, count: int) -> tuple:
    """Judged positions of games on the run's device, and a few figures for the log."""
    net, generator, device = run.mean, run.generator, run.device
    games = plain.play(net, size, max(count // 2, 1), run.plan.temperature, run.dtype, generator, HEAT)
    game = torch.arange(len(games.plies), device=device).repeat(2)
    spot = torch.rand(len(game), device=device, generator=generator)
    ply = (spot * games.length[game]).to(torch.int16)
    plies = torch.where(games.plies[game] < ply[:, None], games.plies[game], board.NEVER)
    found = search.search(net, plies, ply, size, run.plan.nodes, run.dtype, generator)
    # A single visit is mostly the noise at the root.
    visits = torch.where(found.visits > 1, found.visits, 0.0)
    visits = torch.where(visits.sum(1, keepdim=True) > 0, visits, found.visits)
    shares = visits / visits.sum(1, keepdim=True)
    result = ((games.length[game] - 1 - ply) % 2 == 0).float()
    worth = VALUE_SHARE * found.value + (1 - VALUE_SHARE) * result
    best = shares.amax(1).mean().item()
    return Judged(plies, ply, shares.to(torch.float16), worth), {"length": games.length.float().mean().item(), "best": best}


def of_shard(played: program_games.Games, is_solved: bool, device: torch.device) -> Judged:
    """The judged positions of a shard of the program."""
    rows = played.judged
    ply = played.ply[rows].astype(np.int16)
    plies = played.plies[played.game[rows]]
    plies = np.where(plies < ply[:, None], plies, board.NEVER).astype(np.int16)
    shares = played.shares.astype(np.float32)
    shares /= np.maximum(shares.sum(1, keepdims=True), 1)
    share = 1.0 if is_solved else VALUE_SHARE  # nothing is surer than a proof
    worth = share * played.value[rows] + (1 - share) * played.result[rows]
    tensors = (plies, ply, shares.astype(np.float16), worth.astype(np.float32))
    return Judged(*(torch.from_numpy(tensor).to(device) for tensor in tensors))


class Taught(Run):
    """A run of learning from searches. Without a program, games and searches are tensors."""

    def __init__(self, folder: str, plan: Settings, device: torch.device, start: str = "", program: str = ""):
        is_new = not (Path(folder) / "state.pt").exists()
        super().__init__(folder, plan, device, start)
        self.program, self.window, self.ahead = program, {}, None
        if is_new and plan.sharpness != 1:
            with torch.no_grad():
                for net in (self.net, self.mean):
                    net.policy.weight.mul_(plan.sharpness)
                    net.policy.bias.mul_(plan.sharpness)
        for file in sorted(self.folder.glob("judged-*.pt"), key=lambda file: int(file.stem.split("-")[1])):
            size, *tensors = torch.load(file, weights_only=True, map_location=device)
            self.add(size, Judged(*tensors))

    def sizes(self, number: int) -> list:
        """The boards of this round: 11x11 and another one where games are tensors, one where the program plays."""
        sizes, weights = zip(*self.plan.boards)
        chance = np.random.default_rng([self.plan.seed, number])
        if self.program:
            return [int(chance.choice(sizes, p=np.array(weights) / sum(weights)))]
        others = np.array([0 if size == 11 else weight for size, weight in self.plan.boards])
        other = int(chance.choice(sizes, p=others / others.sum()))
        return [11, other] if 11 in sizes else [other]

    def one_round(self) -> dict:
        """Lets positions be judged and learns from the window."""
        began = time.monotonic()
        entry, count = {}, 0
        if self.program:
            played = program_games.as_arrays((self.ahead or self.begin_games(self.round)).games())
            self.ahead = self.begin_games(self.round + 1)
            entry["size"], entry["positions"] = played.size, int(played.ply.size)
            count += self.take(played.size, of_shard(played, played.size <= self.plan.solved, self.device))
        else:
            for size in self.sizes(self.round):
                number = self.plan.judged if size == 11 else round(0.6 * self.plan.judged * (11 / max(size, 9)) ** 2)
                judged, figures = by_tensors(self, size, number)
                count += self.take(size, judged)
                entry.update({f"{name}_{size}": figure for name, figure in figures.items()})
        entry.update(judged=count, play_s=time.monotonic() - began)
        return {**entry, **self.learn(int(self.plan.reused * count))}

    def take(self, size: int, judged: Judged) -> int:
        """Adds judged positions to the window and, where memory is not all there is, to the folder; returns their number."""
        self.add(size, judged)
        if self.device.type == "cpu":
            torch.save([size, *judged], self.folder / f"judged-{self.round}.{size}.part")
            (self.folder / f"judged-{self.round}.{size}.part").rename(self.folder / f"judged-{self.round}-{size}.pt")
            oldest = self.round - int(MOST * self.plan.window / self.plan.judged)
            for file in self.folder.glob(f"judged-{oldest}-*.pt"):
                file.unlink()
        return len(judged.ply)

    def add(self, size: int, judged: Judged):
        """Adds judged positions to the window of their size; the oldest leave."""
        most = int(MOST * self.plan.window * dict(self.plan.boards)[size]) + len(judged.ply)
        self.window[size] = self.window[size].joined(judged, most) if size in self.window else judged

    def begin_games(self, number: int) -> program_games.Playing:
        """Lets the program begin the games of a round."""
        plan, chance = self.plan, np.random.default_rng([self.plan.seed, number, 1])
        (size,) = self.sizes(number)
        file = self.folder / f"net{number % 2}.safetensors"
        export.write(self.mean, str(file))
        every = max(1, round(0.21 * size * size))  # two positions of a game, or a few more
        opening = int(chance.choice(list(OPENINGS), p=list(OPENINGS.values())))
        judge = f"net:{file},nodes={plan.nodes}" if size > plan.solved else PROVER
        beginning = f"random:{opening}"
        if opening == LADDERS and size >= LEAST_LADDERS:
            beginning = self.write_ladders(number, size)
        elif opening == LADDERS:
            beginning = "random:1"
        flags = f"--game hex --size {size} --no-swap --games {round(plan.judged / 2.2)} --openings {beginning}".split()
        flags += f"--seed {plan.seed * 1_000_000 + number} --engine net:{file},temperature={plan.temperature} --temperature-plies 0".split()
        flags += f"--threads {plan.threads} --teacher {judge} --taught-every {every}".split()
        return program_games.Playing(self.program, flags)

    def write_ladders(self, number: int, size: int) -> str:
        """Writes openings with ladders that the network finds open, one for each game of the round; returns the file."""
        found = ladders.ladders(size, round(self.plan.judged / 2.2), self.plan.seed * 1_000_000 + number, lambda drawn: self.chances(drawn, size))
        file = self.folder / f"ladders{number % 2}.txt"
        file.write_text("".join(f"{ladders.text(opening, size)}\n" for opening in found))
        return str(file)

    @torch.no_grad()
    def chances(self, openings: list, size: int) -> list:
        """The mover's chance after each opening, as the averaged network sees it."""
        plies = torch.full((len(openings), size * size), board.NEVER, dtype=torch.int16)
        for row, opening in zip(plies, openings):
            row[opening] = torch.arange(len(opening), dtype=torch.int16)
        ply = torch.tensor([len(opening) for opening in openings], dtype=torch.int16)
        values = [
            self.mean(board.planes(some.to(self.device), count.to(self.device), size))[1]
            for some, count in zip(plies.split(512), ply.split(512))
        ]
        return torch.sigmoid(torch.cat(values)).tolist()

    @torch.no_grad()
    def revive(self):
        """Draws units anew that are never active; what the network computes does not change."""
        games = plain.play(self.mean, 11, 128, 0.1, torch.float32, self.generator)
        ply = (torch.rand(128, device=self.device, generator=self.generator) * games.length).to(torch.int16)
        revived = self.net.revive(board.planes(games.plies, ply, 11))
        self.mean.load_state_dict(self.net.state_dict())
        print(f"{revived} units drawn anew", flush=True)

    def stop(self):
        """Ends games that the program plays ahead."""
        if self.ahead:
            self.ahead.stop()
            self.ahead = None

    def learn(self, samples: int) -> dict:
        """Learns from positions of the window drawn at random, half of them turned by half."""
        sizes = list(self.window)
        wanted = dict(self.plan.boards)
        weights = np.array([wanted[size] * min(1.0, len(self.window[size].ply) / 2_000) for size in sizes])
        sums = {size: [0, torch.zeros(2, device=self.device)] for size in sizes}
        for _ in range(samples // self.plan.batch):
            size = int(self.chance.choice(sizes, p=weights / weights.sum()))
            sums[size][1] += self.step(size, *self.samples(size))
            sums[size][0] += 1
        return self.mean_losses(sums)

    def samples(self, size: int) -> tuple:
        """Planes, shares of the moves and worths of one batch."""
        judged = self.window[size]
        rows = torch.randint(len(judged.ply), (self.plan.batch,), device=self.device, generator=self.generator)
        ply = judged.ply[rows]
        is_second = (ply & 1).bool()
        x = board.planes(judged.plies[rows], ply, size, self.dtype)
        shares = board.rows_in_view(judged.shares[rows].float(), is_second, size)
        half = torch.rand(len(rows), device=self.device, generator=self.generator) < 0.5
        x = torch.where(half[:, None, None, None], x.flip(2, 3), x)
        return x, torch.where(half[:, None], shares.flip(1), shares), judged.worth[rows]

    def losses(self, x: Tensor, shares: Tensor, worth: Tensor) -> tuple:
        """The cross entropies of the search's visits and of the positions."""
        logits, values = self.net(x)
        is_full = x[:, :, 1:-1, 1:-1].sum(1).flatten(1) > 0
        likely = functional.log_softmax(logits.masked_fill(is_full, -1e9), 1)
        return -(shares * likely).sum(1).mean(), functional.binary_cross_entropy_with_logits(values, worth)
