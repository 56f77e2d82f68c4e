"""A training run for Hex: network, running average, optimizer, learning rate, checkpoints and log.

A run is a folder. `state.pt` is its checkpoint, from which the run continues. `log.jsonl` has one
line per round."""

import copy
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from . import planes as hex_planes
from .net import Net

AVERAGE_SAMPLES = 500_000  # time constant of the running average of the weights (EMA), in samples
WARMUP_STEPS = 400  # steps in which the learning rate rises linearly
EAGER_STEPS = 4  # steps per board size before a CUDA graph is recorded
CHECKPOINT_SECONDS = 60  # time between two checkpoints


class Run:
    """A run in a folder. Subclasses implement `run_round` (play and train) and `compute_losses`."""

    def __init__(self, folder: str, settings, device: torch.device, start: str = ""):
        """Continues the run in `folder`. If it has no checkpoint, begins with the checkpoint
        `start`."""
        self.folder, self.settings, self.device = Path(folder), settings, device
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(settings.seed)
        self.net = Net(hex_planes.PLANES, settings.channels, settings.blocks, hex_planes.NEIGHBOURS).to(device)
        decayed = [p for p in self.net.parameters() if p.dim() > 1]
        not_decayed = [p for p in self.net.parameters() if p.dim() <= 1]
        groups = [{"params": decayed, "weight_decay": 1e-2}, {"params": not_decayed, "weight_decay": 0.0}]
        has_gpu = device.type == "cuda"
        self.optimizer = torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.99), fused=has_gpu, capturable=has_gpu)
        # `optimizer_samples` counts the samples since the optimizer was created, for the warm-up.
        self.samples_done, self.optimizer_samples, self.round, self.seconds = 0, 0, 0, 0.0
        # The running average plays better than the current weights.
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        if (self.folder / "state.pt").exists():
            self.load_checkpoint(torch.load(self.folder / "state.pt", weights_only=True, map_location=device))
        elif start:
            self.load_average(torch.load(start, weights_only=True, map_location=device))
        capabilities = torch.cpu.get_capabilities()
        has_bfloat16 = has_gpu or capabilities.get("amx_bf16", False) or capabilities.get("avx512_bf16", False)
        self.dtype = torch.bfloat16 if has_bfloat16 else torch.float32
        self.generator = torch.Generator(device).manual_seed(settings.seed * 1_000_003 + self.round)
        self.rng = np.random.default_rng([settings.seed, self.round])
        # On a GPU the learning rate is a tensor, so that recorded steps see it change.
        self.rate_tensor = torch.tensor(settings.rate, device=device)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate_tensor if has_gpu else settings.rate
        self.graphs = {}  # by board size: [eager steps done, CUDA graph, its inputs, its losses]

    def load_checkpoint(self, checkpoint: dict):
        """Continues from a checkpoint.

        A small checkpoint has only the averaged weights; the optimizer is then reset.
        """
        self.samples_done, self.round, self.seconds = checkpoint["done"], checkpoint["round"], checkpoint["seconds"]
        self.load_average(checkpoint)
        if "optimizer" in checkpoint:
            self.net.load_state_dict(checkpoint["net"])
            self.optimizer.load_state_dict(checkpoint["optimizer"])
            self.optimizer_samples = checkpoint["fresh"]

    def load_average(self, checkpoint: dict):
        """Sets the network and its average to the averaged weights of a checkpoint."""
        weights = {name: tensor.float() for name, tensor in checkpoint["mean"].items()}
        self.net.load_state_dict(weights)
        self.average.load_state_dict(weights)

    def stop_background_games(self):
        """Stops processes that play games in the background, if the run has any."""

    @staticmethod
    def averaged_net(checkpoint: dict) -> Net:
        """Returns the network with the averaged weights of a checkpoint."""
        shape = checkpoint["shape"]
        net = Net(hex_planes.PLANES, shape["channels"], shape["blocks"], hex_planes.NEIGHBOURS, shape["hidden"])
        net.load_state_dict({name: tensor.float() for name, tensor in checkpoint["mean"].items()})
        return net

    def write_checkpoint(self, path: Path = None, is_small: bool = False):
        """Writes a checkpoint (default path: `state.pt`).

        A small one has only the averaged weights, in 16 bits. The file is replaced atomically.
        """
        state = {"done": self.samples_done, "round": self.round, "seconds": self.seconds, "shape": self.net.shape}
        if is_small:
            state["mean"] = {name: tensor.to(torch.float16).cpu() for name, tensor in self.average.state_dict().items()}
        else:
            state.update(net=self.net.state_dict(), mean=self.average.state_dict(), fresh=self.optimizer_samples)
            state["optimizer"] = self.optimizer.state_dict()
        path = path or self.folder / "state.pt"
        temporary = path.with_suffix(".part")
        torch.save(state, temporary)
        temporary.replace(path)

    def progress(self) -> float:
        """Returns the part of the run that is done, 0 to 1."""
        settings = self.settings
        if settings.minutes:
            return min(1.0, self.seconds / (60 * settings.minutes))
        return min(1.0, self.samples_done / settings.samples)

    def learning_rate(self) -> float:
        """Returns the current learning rate: a linear warm-up, then a cosine schedule."""
        settings = self.settings
        decay = settings.last_rate + (1 - settings.last_rate) * (1 + math.cos(math.pi * self.progress())) / 2
        warmup_samples = WARMUP_STEPS * settings.batch
        return settings.rate * decay * min(1.0, (self.optimizer_samples + settings.batch) / warmup_samples)

    def optimizer_step(self, *batch: Tensor) -> Tensor:
        """Makes one step of the optimizer. Returns the policy loss and the value loss."""
        self.optimizer.zero_grad()
        policy_loss, value_loss = self.compute_losses(*batch)
        (policy_loss + self.settings.value_weight * value_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0, foreach=True)
        self.optimizer.step()
        return torch.stack([policy_loss.detach(), value_loss.detach()])

    def train_batch(self, size: int, *batch: Tensor) -> Tensor:
        """Trains on one batch of positions of one board size and updates the running average.

        On a GPU the step is recorded once for each size as a CUDA graph and replayed from then on.
        Returns the policy loss and the value loss.
        """
        if self.device.type == "cuda":
            self.rate_tensor.fill_(self.learning_rate())
            losses = self.replay_step(size, batch)
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = self.learning_rate()
            losses = self.optimizer_step(*batch)
        samples = len(batch[0])
        with torch.no_grad():
            # The average moves faster at the beginning.
            share = max(samples / AVERAGE_SAMPLES, 10 / (self.optimizer_samples / samples + 10))
            torch._foreach_lerp_(list(self.average.parameters()), list(self.net.parameters()), min(share, 1.0))
        self.samples_done += samples
        self.optimizer_samples += samples
        return losses

    def replay_step(self, size: int, batch: tuple) -> Tensor:
        """Makes a step by replaying the CUDA graph for this board size. The first steps run
        eagerly."""
        state = self.graphs.setdefault(size, [0, None, None, None])
        if state[0] < EAGER_STEPS:  # on a side stream, as graph capture requires
            state[0] += 1
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                losses = self.optimizer_step(*batch)
            torch.cuda.current_stream().wait_stream(stream)
            return losses
        if state[1] is None:
            graph, inputs = torch.cuda.CUDAGraph(), [tensor.clone() for tensor in batch]
            self.optimizer.zero_grad(set_to_none=True)
            with torch.cuda.graph(graph):
                losses = self.optimizer_step(*inputs)
            state[1:] = graph, inputs, losses
        graph, inputs, losses = state[1:]
        for tensor, new in zip(inputs, batch):
            tensor.copy_(new)
        graph.replay()
        return losses.clone()

    @staticmethod
    def mean_losses(sums: dict) -> dict:
        """Returns the mean losses as log entries, overall and by board size.

        `sums` maps each size to [number of steps, tensor of the summed policy and value losses].
        """
        entry, steps = {}, max(sum(count for count, _ in sums.values()), 1)
        for index, key in enumerate(("move_loss", "value_loss")):
            entry[key] = sum(total[index].item() for _, total in sums.values()) / steps
            entry.update({f"{key}_{size}": total[index].item() / count for size, (count, total) in sums.items() if count})
        return entry

    def log(self, entry: dict):
        """Appends a line to the log and prints it."""
        line = json.dumps({k: round(v, 5) if isinstance(v, float) else v for k, v in entry.items()})
        with open(self.folder / "log.jsonl", "a") as log:
            log.write(line + "\n")
        print(line, flush=True)

    def run_rounds(self, seconds: float = 0, rounds: int = 0) -> int:
        """Runs rounds until the run is complete, or until `seconds` or `rounds` of this call (0: no
        limit).

        Writes a checkpoint every minute and at the end. Returns the number of rounds.
        """
        began = written = time.monotonic()
        done = 0
        while self.progress() < 1 and not 0 < rounds <= done:
            start = time.monotonic()
            entry = self.run_round()
            self.round += 1
            done += 1
            now = time.monotonic()
            self.seconds += now - start
            # `stretch` is the number of the round; crosspath reads this key.
            self.log({"stretch": self.round, "samples": self.samples_done, "rate": self.learning_rate(), **entry, "seconds": self.seconds})
            if now - written > CHECKPOINT_SECONDS:
                self.write_checkpoint()
                written = now
            # Stops before a round that would exceed the time.
            if seconds and now - began + (now - start) > seconds:
                break
        self.write_checkpoint()
        return done
