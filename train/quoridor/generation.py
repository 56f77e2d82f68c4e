"""A generation of Quoridor's network: plays games, learns from them, and goes on where it was when it is started again."""

import copy
import json
import math
import subprocess
import time
from pathlib import Path
from typing import List, NamedTuple, Tuple

import numpy as np
import torch
from torch import nn

from . import boards, value, weigh

OPENINGS = (4, 2, 6, 3, 5, 8, 4, 2)  # random plies in front, shard by shard
TERMS = "lookahead"  # the engine without a network
HELD = 16  # of so many games one is kept apart
SEARCHED = 0.5  # so much of what is learnt is the chance that the search gave, the rest is the result
PROVED = 0.4999999  # a chance so far from even is a proof
WARM = 200  # steps until the rate is reached


class Settings(NamedTuple):
    """What a generation is made of."""

    shards: int = 16
    games: int = 2000  # in each of them
    nodes: int = 4000  # a move
    walls: int = 10  # in each hand
    start: str = ""  # the network that plays, and that learning goes on from; none: the terms
    more: Tuple[str, ...] = ()  # shards of earlier generations
    hidden: int = 64
    epochs: int = 10
    rate: float = 4e-3  # at the beginning
    batch: int = 4096
    decay: float = 0.3
    seed: int = 1

    def settled(self, folder: Path) -> "Settings":
        """The plan that a folder was begun with; what is asked for must be the same or the default."""
        path = folder / "plan.json"
        if not path.exists():
            path.write_text(json.dumps(self._asdict(), indent=1) + "\n")
            return self
        kept = Settings(**json.loads(path.read_text()))
        kept = kept._replace(more=tuple(kept.more))
        named = zip(Settings._fields, self, kept, Settings())
        other = [f"{name} {own}" for name, asked, own, usual in named if asked not in (own, usual)]
        if other:
            raise SystemExit(f"{folder} was begun with {', '.join(other)}; go on with that, or choose another folder")
        return kept


class Generation:
    """One in a folder: `play` makes what is missing of the games, `learn` what is missing of the epochs; `log.jsonl` has a line each."""

    def __init__(self, folder: str, plan: Settings, program: str, device: torch.device):
        self.folder, self.program, self.device = Path(folder), program, device
        self.folder.mkdir(parents=True, exist_ok=True)
        self.plan = plan = plan.settled(self.folder)
        self.player = f"net:{plan.start}" if plan.start else TERMS
        torch.manual_seed(plan.seed)
        self.net = value.ValueNet(plan.hidden).to(device)
        if plan.start:
            value.load(self.net, plan.start)
        self.mean = copy.deepcopy(self.net).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=plan.rate, weight_decay=plan.decay)
        self.epoch, self.steps, self.log = 0, 0, []
        if self._state.exists():
            state = torch.load(self._state, map_location=device)
            self.net.load_state_dict(state["net"])
            self.mean.load_state_dict(state["mean"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.epoch, self.steps, self.log = state["epoch"], state["steps"], state["log"]

    @property
    def _state(self) -> Path:
        return self.folder / "state.pt"

    def paths(self) -> List[str]:
        """The shards it learns from."""
        return [str(self.folder / f"games-{number}.shard") for number in range(self.plan.shards)] + list(self.plan.more)

    def play(self, at_a_time: int):
        """The games that are missing, so many at a time."""
        for number, path in enumerate(self.paths()[: self.plan.shards]):
            if Path(path).exists():
                continue
            seed, torn = 1000 * self.plan.seed + number, path + ".torn"
            command = [self.program, "selfplay", "--game", "quoridor", "--engine", f"{self.player},nodes={self.plan.nodes}"]
            command += ["--walls", str(self.plan.walls), "--openings", f"random:{OPENINGS[number % len(OPENINGS)]}", "--games", str(self.plan.games)]
            Path(torn).unlink(missing_ok=True)
            command += ["--seed", str(seed), "--threads", str(at_a_time)]
            subprocess.run(command + ["--out", torn, "--quiet"], check=True)
            Path(torn).rename(path)

    def learn(self):
        """The epochs that are missing; a line each."""
        plan = self.plan
        if self.epoch == plan.epochs:
            return
        at = boards.read(self.paths())
        told = np.where(np.isnan(at.value), at.result, at.value)
        target = (1 - SEARCHED) * at.result + SEARCHED * told
        target = np.where(abs(told - 0.5) > PROVED, told, target).astype(np.float32)
        terms = (weigh.weigh(at) / value.UNIT).astype(np.float32)
        outputs = value.bucket(at).astype(np.int64)
        kept = np.flatnonzero(at.game % HELD == HELD - 1)
        rows = np.flatnonzero(at.game % HELD != HELD - 1)
        batch = min(plan.batch, len(rows))
        all_steps = plan.epochs * (len(rows) // batch)

        def odds(net: nn.Module, some: np.ndarray) -> torch.Tensor:
            found = self._tensor(boards.inputs(at.taken(some))).float()
            return net(found, self._tensor(outputs[some])) + self._tensor(terms[some])

        while self.epoch < plan.epochs:
            began, losses = time.time(), []
            order = np.random.default_rng([plan.seed, self.epoch]).permutation(rows)
            for begin in range(0, len(order) - batch + 1, batch):
                some = order[begin : begin + batch]
                rate = plan.rate * (0.01 + 0.99 * (1 + math.cos(math.pi * self.steps / all_steps)) / 2)
                self.optimizer.param_groups[0]["lr"] = rate * min(1, (self.steps + 1) / WARM)
                loss = nn.functional.binary_cross_entropy_with_logits(odds(self.net, some), self._tensor(target[some]))
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self.optimizer.step()
                self.net.clip()
                self._follow()
                self.steps += 1
                losses.append(loss.item())
            self.epoch += 1
            with torch.no_grad():
                parts = [odds(self.mean, some) for some in np.array_split(kept, 1 + len(kept) // 20_000)]
            found = torch.cat(parts).cpu().double().numpy()
            told_loss = {"epoch": self.epoch, "positions": len(rows), "loss": float(np.mean(losses))}
            told_loss.update(kept=_loss(found, at.result[kept]), terms=_loss(terms[kept], at.result[kept]))
            self.log.append({**told_loss, "seconds": time.time() - began})
            print(json.dumps(self.log[-1]), flush=True)
            self._save()

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    @torch.no_grad()
    def _follow(self):
        """The mean goes a step towards the network."""
        share = max(1 / 500, 10 / (self.steps + 10))
        for mean, now in zip(self.mean.parameters(), self.net.parameters()):
            mean.lerp_(now, share)

    def _save(self):
        state = {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimizer": self.optimizer.state_dict()}
        torn = self._state.with_suffix(".torn")
        torch.save({**state, "epoch": self.epoch, "steps": self.steps, "log": self.log}, torn)
        torn.rename(self._state)
        (self.folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in self.log))

    def write(self, path: str):
        """The network, 64 test positions of games kept apart, and its card."""
        whole = value.write(self.mean, path + ".safetensors")
        at, paths = boards.read(self.paths()), self.paths()
        kept = np.flatnonzero(at.game % HELD == HELD - 1)
        outputs, generator, rows = value.bucket(at)[kept], np.random.default_rng(64), []
        for number in range(len(value.BUCKETS)):
            some = kept[outputs == number]
            rows.extend(generator.choice(some, min(len(some), 64 // len(value.BUCKETS)), replace=False))
        rest = np.setdiff1d(kept, rows)
        rows.extend(generator.choice(rest, 64 - len(rows), replace=False))
        Path(path + ".positions.jsonl").write_text(value.table(whole, at.taken(np.array(rows)), paths))
        Path(path + ".md").write_text(self._card(Path(path).name, len(at.game)))

    def _card(self, name: str, positions: int) -> str:
        """What is to be known about the network; the matches are added by hand."""
        plan, last = self.plan, self.log[-1]
        games = plan.shards * plan.games
        more = f", and {len(plan.more)} shards of generations before" if plan.more else ""
        usual, names = Settings(), {"games": "selfplay"}
        flags = "".join(
            f" --{names.get(name, name)} {' '.join(own) if name == 'more' else own}"
            for name, own in zip(Settings._fields, plan)
            if name != "batch" and own != getattr(usual, name)
        )
        return f"""# {name}.safetensors

- Shape: {boards.INPUTS} inputs, {plan.hidden} hidden units, {len(value.BUCKETS)} outputs.
- Data: {games:,} games of {self.player.split(":")[0]} with itself, {plan.nodes:,} positions a move{more}; {positions:,} distinct positions.
- Learnt: {plan.epochs} epochs, {sum(log["seconds"] for log in self.log) / 60:.0f} minutes, playing not included.
- Command: `python -m train quoridor --folder FOLDER{flags}`
- Cross entropy with the results of games kept apart: {last["kept"]:.4f}; by the fitted terms alone {last["terms"]:.4f}.
- Licence: that of the program; made by it alone.
"""


def _loss(odds: np.ndarray, result: np.ndarray) -> float:
    return float(np.mean(np.logaddexp(0, odds) - result * odds))
