"""A generation of the Quoridor network: self-play games, and a network trained on them.

A generation lives in a folder. Its work can be interrupted at any time and continues from there."""

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

OPENING_PLIES = (4, 2, 6, 3, 5, 8, 4, 2)  # random plies before the games, by shard in turn
TERMS_ENGINE = "lookahead"  # engine without a network
VALIDATION_EVERY = 16  # one game in this many is used for validation
SEARCH_SHARE = 0.5  # of the search's win chance in the training target; the rest is the result
PROOF_MARGIN = 0.4999999  # a win chance further than this from 0.5 is a proof
WARMUP_STEPS = 200  # steps in which the learning rate rises linearly
FINAL_RATE_SHARE = 0.01  # final learning rate, as a share of the initial one
AVERAGE_STEPS = 500  # time constant of the running average of the weights (EMA), in steps
TEST_POSITIONS = 64
VALIDATION_BATCH = 20_000


class Settings(NamedTuple):
    """Settings of a generation. They are saved in `plan.json`."""

    shards: int = 16
    games: int = 2000  # per shard
    nodes: int = 4000  # per move
    walls: int = 10  # per side
    start: str = ""  # file of the network that plays and that training starts from; empty: the fitted terms
    more: Tuple[str, ...] = ()  # shards of earlier generations to train on as well
    hidden: int = 64  # hidden units
    epochs: int = 10
    rate: float = 4e-3  # initial learning rate
    batch: int = 4096
    decay: float = 0.3  # weight decay
    seed: int = 1

    def load_or_save(self, folder: Path) -> "Settings":
        """Returns the settings that the folder was started with, or saves these if it is new.

        Exits with an error if a setting differs from both the saved one and the default.
        """
        path = folder / "plan.json"
        if not path.exists():
            path.write_text(json.dumps(self._asdict(), indent=1) + "\n")
            return self
        saved = Settings(**json.loads(path.read_text()))
        saved = saved._replace(more=tuple(saved.more))
        fields = zip(Settings._fields, self, saved, Settings())
        conflicts = [f"{name} {old}" for name, new, old, default in fields if new not in (old, default)]
        if conflicts:
            raise SystemExit(f"{folder} was started with {', '.join(conflicts)}; use the same settings or another folder")
        return saved


class Generation:
    """A generation in a folder.

    `play_games` plays the missing games, and `train` trains the missing epochs. `log.jsonl` has one
    line per epoch, and `state.pt` is the checkpoint.
    """

    def __init__(self, folder: str, settings: Settings, program: str, device: torch.device):
        self.folder, self.program, self.device = Path(folder), program, device
        self.folder.mkdir(parents=True, exist_ok=True)
        self.settings = settings = settings.load_or_save(self.folder)
        self.engine = f"net:{settings.start}" if settings.start else TERMS_ENGINE
        torch.manual_seed(settings.seed)
        self.net = value.ValueNet(settings.hidden).to(device)
        if settings.start:
            value.load_weights(self.net, settings.start)
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=settings.rate, weight_decay=settings.decay)
        self.epoch, self.steps, self.log = 0, 0, []
        if self._state_path.exists():
            state = torch.load(self._state_path, map_location=device)
            self.net.load_state_dict(state["net"])
            self.average.load_state_dict(state["mean"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.epoch, self.steps, self.log = state["epoch"], state["steps"], state["log"]

    @property
    def _state_path(self) -> Path:
        return self.folder / "state.pt"

    def shard_paths(self) -> List[str]:
        """Returns the paths of all shards to train on, the generation's games first."""
        paths = [str(self.folder / f"games-{number}.shard") for number in range(self.settings.shards)]
        return paths + list(self.settings.more)

    def play_games(self, threads: int):
        """Plays the shards that are missing, with `threads` games in parallel."""
        for number, path in enumerate(self.shard_paths()[: self.settings.shards]):
            if Path(path).exists():
                continue
            settings, temporary = self.settings, path + ".torn"
            opening = f"random:{OPENING_PLIES[number % len(OPENING_PLIES)]}"
            Path(temporary).unlink(missing_ok=True)
            command = [self.program, "selfplay", "--game", "quoridor", "--engine", f"{self.engine},nodes={settings.nodes}"]
            command += ["--walls", str(settings.walls), "--openings", opening, "--games", str(settings.games)]
            command += ["--seed", str(1000 * settings.seed + number), "--threads", str(threads)]
            command += ["--out", temporary, "--quiet"]
            subprocess.run(command, check=True)
            Path(temporary).rename(path)

    def train(self):
        """Trains the epochs that are missing, and prints and logs a line for each."""
        settings = self.settings
        if self.epoch == settings.epochs:
            return
        positions = boards.read(self.shard_paths())
        target = _compute_targets(positions)
        # The network learns a correction to the log odds that the terms give.
        terms_log_odds = (weigh.evaluate_by_terms(positions) / value.UNIT).astype(np.float32)
        outputs = value.bucket_indices(positions).astype(np.int64)
        training, validation = _split_rows(positions)
        batch_size = min(settings.batch, len(training))
        total_steps = settings.epochs * (len(training) // batch_size)

        def predict_log_odds(net: nn.Module, rows: np.ndarray) -> torch.Tensor:
            inputs = self._to_tensor(boards.build_inputs(positions.select(rows))).float()
            return net(inputs, self._to_tensor(outputs[rows])) + self._to_tensor(terms_log_odds[rows])

        while self.epoch < settings.epochs:
            began, losses = time.time(), []
            order = np.random.default_rng([settings.seed, self.epoch]).permutation(training)
            for begin in range(0, len(order) - batch_size + 1, batch_size):
                rows = order[begin : begin + batch_size]
                self.optimizer.param_groups[0]["lr"] = self._learning_rate(total_steps)
                log_odds = predict_log_odds(self.net, rows)
                loss = nn.functional.binary_cross_entropy_with_logits(log_odds, self._to_tensor(target[rows]))
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self.optimizer.step()
                self.net.clip_weights()
                self._update_average()
                self.steps += 1
                losses.append(loss.item())
            self.epoch += 1
            with torch.no_grad():
                batches = np.array_split(validation, 1 + len(validation) // VALIDATION_BATCH)
                log_odds = torch.cat([predict_log_odds(self.average, rows) for rows in batches]).cpu().double().numpy()
            result = positions.result[validation]
            entry = {"epoch": self.epoch, "positions": len(training), "loss": float(np.mean(losses))}
            # `kept` is the validation loss of the averaged network, `terms` that of the terms alone.
            entry.update(kept=_cross_entropy(log_odds, result), terms=_cross_entropy(terms_log_odds[validation], result))
            self.log.append({**entry, "seconds": time.time() - began})
            print(json.dumps(self.log[-1]), flush=True)
            self._save()

    def _learning_rate(self, total_steps: int) -> float:
        """Returns the learning rate of the next step: a linear warm-up, then a cosine schedule."""
        cosine = (1 + math.cos(math.pi * self.steps / total_steps)) / 2
        rate = self.settings.rate * (FINAL_RATE_SHARE + (1 - FINAL_RATE_SHARE) * cosine)
        return rate * min(1, (self.steps + 1) / WARMUP_STEPS)

    def _to_tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    @torch.no_grad()
    def _update_average(self):
        """Updates the running average of the weights. It moves faster in the first steps."""
        share = max(1 / AVERAGE_STEPS, 10 / (self.steps + 10))
        for average, current in zip(self.average.parameters(), self.net.parameters()):
            average.lerp_(current, share)

    def _save(self):
        """Writes the checkpoint and the log."""
        state = {"net": self.net.state_dict(), "mean": self.average.state_dict(), "optimizer": self.optimizer.state_dict()}
        temporary = self._state_path.with_suffix(".torn")
        torch.save({**state, "epoch": self.epoch, "steps": self.steps, "log": self.log}, temporary)
        temporary.rename(self._state_path)
        (self.folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in self.log))

    def write(self, path: str):
        """Writes the averaged network, 64 test positions of validation games, and a description.

        `path` is the path of the files without extension.
        """
        tensors = value.write(self.average, path + ".safetensors")
        paths = self.shard_paths()
        positions = boards.read(paths)
        _, validation = _split_rows(positions)
        outputs, generator, rows = value.bucket_indices(positions)[validation], np.random.default_rng(64), []
        # Each output gets an equal number of positions if there are enough; the rest is random.
        for output in range(len(value.BUCKETS)):
            candidates = validation[outputs == output]
            rows.extend(generator.choice(candidates, min(len(candidates), TEST_POSITIONS // len(value.BUCKETS)), replace=False))
        rest = np.setdiff1d(validation, rows)
        rows.extend(generator.choice(rest, TEST_POSITIONS - len(rows), replace=False))
        test_positions = positions.select(np.array(rows))
        Path(path + ".positions.jsonl").write_text(value.format_test_positions(tensors, test_positions, paths))
        Path(path + ".md").write_text(self._format_description(Path(path).name, len(positions.game)))

    def _format_description(self, name: str, position_count: int) -> str:
        """Returns the description of the network in Markdown. Match results are added by hand."""
        settings, last = self.settings, self.log[-1]
        games = settings.shards * settings.games
        more = f", and {len(settings.more)} shards of earlier generations" if settings.more else ""
        defaults, flag_names = Settings(), {"games": "selfplay"}
        flags = "".join(
            f" --{flag_names.get(name, name)} {' '.join(setting) if name == 'more' else setting}"
            for name, setting in zip(Settings._fields, settings)
            if name != "batch" and setting != getattr(defaults, name)
        )
        return f"""# {name}.safetensors

- Shape: {boards.INPUTS} inputs, {settings.hidden} hidden units, {len(value.BUCKETS)} outputs.
- Data: {games:,} games of {self.engine.split(":")[0]} with itself, {settings.nodes:,} nodes per move{more}; {position_count:,} distinct positions.
- Training: {settings.epochs} epochs, {sum(log["seconds"] for log in self.log) / 60:.0f} minutes, self-play not included.
- Command: `python -m train quoridor learn --folder FOLDER{flags}`
- Validation cross entropy: {last["kept"]:.4f}; the fitted terms alone have {last["terms"]:.4f}.
- Licence: that of the program; trained only on games of the program itself.
"""


def _compute_targets(positions: boards.Positions) -> np.ndarray:
    """Returns the training targets, f32 (n): win chances of the mover.

    The target is a mix of the search's win chance and the result. If the search proved the result,
    it is the proof alone.
    """
    search_value = np.where(np.isnan(positions.win_chance), positions.result, positions.win_chance)
    target = (1 - SEARCH_SHARE) * positions.result + SEARCH_SHARE * search_value
    return np.where(abs(search_value - 0.5) > PROOF_MARGIN, search_value, target).astype(np.float32)


def _split_rows(positions: boards.Positions) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the indices of the positions for training and for validation. Games are not
    divided."""
    is_validation = positions.game % VALIDATION_EVERY == VALIDATION_EVERY - 1
    return np.flatnonzero(~is_validation), np.flatnonzero(is_validation)


def _cross_entropy(log_odds: np.ndarray, result: np.ndarray) -> float:
    """Returns the mean cross entropy of results given predicted log odds, in nats."""
    return float(np.mean(np.logaddexp(0, log_odds) - result * log_odds))
