"""Self-play: the network plays with itself, and learns from the games. By stretches: some games are played, then it learns
from some of their positions. After every stretch everything is written down, and a run that was killed goes on from there.

Two ways, the first from nothing, the second from what the first has made:

- Plain: of each move played it learns whether it won. The head of the cells learns the chance of the move played, the head
  of the board that of the position. What a move is worth is mostly the result, and a little what the next position was
  thought worth.
- Taught: some positions of the games are judged by a search with the network itself. The head of the cells learns how often
  the search looked at each move, the head of the board half the result and half the value of the search. What was judged is
  learnt from several times, as long as it is among the last."""

import copy
import json
import math
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from . import export, games, hex, net, shards

TAKEN = 0.3  # positions of a stretch that are learnt from
MEAN_SHARE = 1 / 500  # of the weights of a step in their running mean
RESULT_SHARE = 0.85  # of the result in what a move is worth; the rest is the next position's value
JUDGED_SHARE = 0.5  # of the search in what a judged position is worth; the rest is the result
REUSED = 8  # samples for every position that is judged
WINDOW = 120  # stretches of judged positions that are learnt from
SOLVER = "level:8"  # plays by the solver on the smallest boards, up to 4x4
PROVER = "level:8,nodes=400"  # plays up to 7x7 by what the prover finds in so many positions; what it does not decide a search judges
HAS_SHORT_NUMBERS = torch.cpu.get_capabilities().get("avx512_bf16", False)
OPENINGS = {0: 0.02, 1: 0.5, 2: 0.16, 3: 0.2, 5: 0.12}  # random plies before taught games, and how often


class Plan(NamedTuple):
    """What a run does. `sizes` says up to which part of the run which boards are played, and how often."""

    sizes: list  # [(until, {size: weight})]
    samples: int
    channels: int = 32
    blocks: int = 4
    rate: float = 5e-3
    last_rate: float = 0.02  # of the first
    batch: int = 256
    positions: int = 120_000  # of a stretch
    hot: float = 0.12  # the temperature of the games at the beginning, and at the end
    cold: float = 0.05
    seed: int = 1
    is_on_pipe: bool = False  # whether PyTorch judges the positions of games, or the program itself
    nodes: int = 0  # positions that a search looks at to judge one; 0: plain self-play
    judged: int = 2_000  # positions of a stretch that are judged
    solved: int = 0  # the largest board on which the solver judges, not a search
    threads: int = 1  # games played at a time


class Run:
    """A run in a folder: `state.pt` is all that it needs to go on, `log.jsonl` what it did."""

    def __init__(self, folder: str, plan: Plan, program: str, device: torch.device, start: str = ""):
        self.folder, self.plan, self.program, self.device = Path(folder), plan, program, device
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        self.net = net.Net(hex.PLANES, plan.channels, plan.blocks, hex.NEIGHBOURS).to(device)
        decayed = [p for p in self.net.parameters() if p.dim() > 1]
        others = [p for p in self.net.parameters() if p.dim() <= 1]
        groups = [{"params": decayed, "weight_decay": 1e-2}, {"params": others, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=plan.rate)
        self.done, self.stretch, self.seconds = 0, 0, 0.0
        self.ahead = None
        self.window = []  # the judged positions of the last stretches
        # The running mean of the weights plays better than the weights of the moment, whatever the rate.
        self.mean = copy.deepcopy(self.net).requires_grad_(False)
        state = self.folder / "state.pt"
        if state.exists():
            kept = torch.load(state, weights_only=True, map_location=device)
            self.net.load_state_dict(kept["net"])
            self.mean.load_state_dict(kept.get("mean", kept["net"]))
            self.optimizer.load_state_dict(kept["optimizer"])
            self.done, self.stretch, self.seconds = kept["done"], kept["stretch"], kept["seconds"]
        elif start:
            self.net.grow(torch.load(start, weights_only=True, map_location=device)["mean"])
            self.mean.load_state_dict(self.net.state_dict())

    def read_window(self):
        """Reads the judged positions of the last stretches again, in a run that goes on."""
        kept = range(max(0, self.stretch - WINDOW), self.stretch)
        files = [self.folder / f"taught-{stretch}.shard" for stretch in kept]
        self.window = [games.as_arrays(shards.read(str(file))) for file in files if file.exists()]

    def part(self) -> float:
        return min(self.done / self.plan.samples, 1.0)

    def rate(self) -> float:
        """Rises for a moment, then falls along a cosine."""
        plan, part = self.plan, self.part()
        fall = plan.last_rate + (1 - plan.last_rate) * (1 + math.cos(math.pi * part)) / 2
        return plan.rate * fall * min(1.0, (self.done + plan.batch) / 50_000)

    def temperature(self) -> float:
        return self.plan.hot + (self.plan.cold - self.plan.hot) * self.part()

    def size(self, chance: np.random.Generator) -> int:
        weights = next(weights for until, weights in self.plan.sizes if self.part() <= until)
        sizes, parts = zip(*weights.items())
        return int(chance.choice(sizes, p=np.array(parts) / sum(parts)))

    def write(self):
        state = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "done": self.done}
        state.update(mean=self.mean.state_dict(), stretch=self.stretch, seconds=self.seconds)
        beside = self.folder / "state.part"
        torch.save(state, beside)
        beside.replace(self.folder / "state.pt")

    def evaluate(self, greeting: dict, count: int, positions: bytes) -> bytes:
        size = greeting["settings"]["size"]
        planes, is_second = hex.from_bytes(positions, count, size)
        with torch.inference_mode():
            logits, values = (tensor.cpu() for tensor in self.mean(torch.from_numpy(planes).to(self.device)))
        empty = planes[:, :, 1:-1, 1:-1].sum(1).reshape(count, -1) == 0
        best = np.where(empty, logits.numpy(), -np.inf).max(1)
        values = np.tanh((values.numpy() + best) / 4)  # tanh(x / 2) is 2 p - 1 for the log odds x
        logits = hex.logits_of_moves(logits.numpy() / self.temperature(), is_second, size)
        return values.astype("<f4").tobytes() + logits.astype("<f4").tobytes()

    def flags(self, stretch: int, size: int, count: int, opening: int = 1) -> list:
        seed = self.plan.seed * 1_000_000 + stretch
        return f"--game hex --size {size} --no-swap --games {count} --openings random:{opening} --seed {seed}".split()

    def begin(self, stretch: int) -> games.Playing:
        """Begins the games of a stretch."""
        plan, chance = self.plan, np.random.default_rng([self.plan.seed, stretch])
        size = self.size(chance)
        file = self.folder / f"net{stretch % 2}.safetensors"
        export.write(self.mean, str(file))
        engine = ["--engine", f"net:{file},temperature={self.temperature():.3f}", "--temperature-plies", "0"]
        engine += ["--threads", str(plan.threads)]
        if not plan.nodes:
            return games.Playing(self.program, self.flags(stretch, size, self.count(size)) + engine)
        every = max(1, round(0.21 * size * size))  # two positions of a game, or a few more
        flags = self.flags(stretch, size, round(plan.judged / 2.2), int(chance.choice(list(OPENINGS), p=list(OPENINGS.values()))))
        judge = f"net:{file},nodes={plan.nodes}"
        if size <= plan.solved:
            judge = SOLVER if size <= 4 else PROVER
        teacher = ["--teacher", judge, "--taught-every", str(every)]
        return games.Playing(self.program, flags + engine + teacher, self.folder / f"taught-{stretch}.shard")

    def count(self, size: int) -> int:
        """The games of a stretch of plain self-play."""
        return max(64, round(self.plan.positions / (0.5 * size * size)))

    def stop(self):
        """Ends what is played ahead."""
        if self.ahead:
            self.ahead.stop()
            self.ahead = None

    def one_stretch(self) -> dict:
        plan, began = self.plan, time.monotonic()
        chance = np.random.default_rng([plan.seed, self.stretch])
        size = self.size(chance)
        if plan.is_on_pipe:
            flags = self.flags(self.stretch, size, self.count(size)) + ["--batch", "512", "--temperature-plies", "10000"]
            shard = games.play_on_pipe(self.program, flags, self.evaluate)
        else:
            shard = (self.ahead or self.begin(self.stretch)).games()
            # The next games are played, by the network of now, while it learns from these.
            taken = REUSED * plan.judged if plan.nodes else TAKEN * plan.positions
            self.ahead = self.begin(self.stretch + 1) if self.done + taken < plan.samples else None
        played = games.as_arrays(shard)
        count = len(played.plies)
        middle = time.monotonic()
        if plan.nodes:
            if not self.window:
                self.read_window()
            self.window = (self.window + [played])[-WINDOW:]
            (self.folder / f"taught-{self.stretch - WINDOW}.shard").unlink(missing_ok=True)
            losses = self.learn_judged(REUSED * played.judged.size, chance)
        else:
            chosen = chance.permutation(played.ply.size)[: int(TAKEN * played.ply.size)]
            losses = self.learn(played, chosen, chance)
        self.stretch += 1
        self.seconds += time.monotonic() - began
        self.write()
        told = {"stretch": self.stretch, "size": played.size, "samples": self.done, "positions": played.ply.size}
        told["judged"] = played.judged.size
        told.update(rate=self.rate(), length=played.ply.size / count, **losses)
        told.update(first=float(played.result[(played.ply == 1)].mean()), play_s=middle - began)
        told.update(learn_s=time.monotonic() - middle, seconds=self.seconds)
        with open(self.folder / "log.jsonl", "a") as log:
            log.write(json.dumps({k: round(v, 5) if isinstance(v, float) else v for k, v in told.items()}) + "\n")
        return told

    def learn(self, played: games.Games, chosen: np.ndarray, chance: np.random.Generator) -> dict:
        """Learns from the chosen positions, once each, some of them turned by half."""
        # Behind each position stands the next of its game, but for the last, which the result alone tells about.
        follows = np.append(played.game[1:] == played.game[:-1], False)
        following = np.where(follows, 1 - np.append(played.value[1:], 0), played.result)
        worth = RESULT_SHARE * played.result + (1 - RESULT_SHARE) * following
        cells, sums, steps = played.size**2, np.zeros(2), 0
        for begin in range(0, chosen.size - self.plan.batch + 1, self.plan.batch):
            rows = chosen[begin : begin + self.plan.batch]
            planes, is_second = hex.from_plies(played.plies[played.game[rows]], played.ply[rows], played.size)
            numbers = hex.turned(played.move[rows], is_second, played.size)
            half = chance.random(rows.size) < 0.5
            planes[half] = planes[half, :, ::-1, ::-1]
            numbers = np.where(half, cells - 1 - numbers, numbers)
            target = torch.from_numpy(worth[rows].astype(np.float32)).to(self.device)
            logits, values = self.guess(torch.from_numpy(planes).to(self.device))
            of_moves = logits.gather(1, torch.from_numpy(numbers).to(self.device)[:, None]).flatten()
            move_loss = functional.binary_cross_entropy_with_logits(of_moves, target)
            value_loss = functional.binary_cross_entropy_with_logits(values, target)
            self.step(move_loss + 0.5 * value_loss, rows.size)
            sums += (move_loss.item(), value_loss.item())
            steps += 1
        return {"move_loss": sums[0] / max(steps, 1), "value_loss": sums[1] / max(steps, 1)}

    def learn_judged(self, samples: int, chance: np.random.Generator) -> dict:
        """Learns from so many judged positions of the window, drawn by chance, half of them turned by half."""
        sums, steps = np.zeros(2), 0
        known = np.array([played.judged.size for played in self.window])
        while steps * self.plan.batch < samples:
            # Boards of one size in a batch, and of several stretches.
            size = self.window[chance.choice(known.size, p=known / known.sum())].size
            alike = [place for place, played in enumerate(self.window) if played.size == size]
            some = chance.choice(alike, 8, p=known[alike] / known[alike].sum())
            parts = [self.judged(self.window[place], self.plan.batch // 8, chance) for place in some]
            planes, shares, worth = (torch.from_numpy(np.concatenate(part)).to(self.device) for part in zip(*parts))
            logits, values = self.guess(planes)
            is_empty = planes[:, :, 1:-1, 1:-1].sum(1).flatten(1) == 0
            likely = functional.log_softmax(logits.masked_fill(~is_empty, -30.0), 1)
            move_loss = -(shares * likely).sum(1).mean()
            value_loss = functional.binary_cross_entropy_with_logits(values, worth)
            self.step(move_loss + value_loss, len(worth))
            sums += (move_loss.item(), value_loss.item())
            steps += 1
        return {"move_loss": sums[0] / max(steps, 1), "value_loss": sums[1] / max(steps, 1)}

    def judged(self, played: games.Games, count: int, chance: np.random.Generator) -> tuple:
        """Planes, shares of the cells and worths of so many judged positions, in the view of the movers."""
        places = chance.integers(played.judged.size, size=count)
        rows = played.judged[places]
        planes, is_second = hex.from_plies(played.plies[played.game[rows]], played.ply[rows], played.size)
        shares = hex.in_view(played.shares[places].astype(np.float32), is_second, played.size)
        half = chance.random(count) < 0.5
        planes[half] = planes[half, :, ::-1, ::-1]
        shares[half] = shares[half, ::-1]
        share = 1 if played.size <= self.plan.solved else JUDGED_SHARE  # nothing is surer than the solver
        worth = share * played.value[rows] + (1 - share) * played.result[rows]
        return planes, shares / shares.sum(1, keepdims=True), worth.astype(np.float32)

    def guess(self, planes: torch.Tensor) -> tuple:
        """What the network that learns says: with short numbers where the processor has them, which takes half the time."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type != "cpu" or HAS_SHORT_NUMBERS):
            logits, values = self.net(planes)
        return logits.float(), values.float()

    def step(self, loss: torch.Tensor, samples: int):
        """Goes down a loss once."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        with torch.no_grad():
            share = max(MEAN_SHARE, 10 / (self.done / self.plan.batch + 10))  # more at the beginning
            for mean, now in zip(self.mean.parameters(), self.net.parameters()):
                mean.lerp_(now, share)
        self.done += samples
