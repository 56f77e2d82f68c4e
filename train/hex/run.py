"""What every run of the Hex training shares: the network, its running mean, the optimizer, checkpoints, the falling rate.

A run lives in a folder: `state.pt` is all that it needs to continue, `log.jsonl` has a line for each round."""

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

MEAN_SAMPLES = 500_000  # the running mean of the weights forgets in so many samples


class Run:
    """A run in a folder. Subclasses play and learn in `one_round`, and compute the losses of a batch in `losses`."""

    def __init__(self, folder: str, plan, device: torch.device, start: str = ""):
        self.folder, self.plan, self.device = Path(folder), plan, device
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        self.net = Net(hex_planes.PLANES, plan.channels, plan.blocks, hex_planes.NEIGHBOURS).to(device)
        decayed = [p for p in self.net.parameters() if p.dim() > 1]
        others = [p for p in self.net.parameters() if p.dim() <= 1]
        groups = [{"params": decayed, "weight_decay": 1e-2}, {"params": others, "weight_decay": 0.0}]
        has_gpu = device.type == "cuda"
        self.optimizer = torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.99), fused=has_gpu, capturable=has_gpu)
        # `fresh` counts the samples since the optimizer began anew: its rate rises first.
        self.done, self.fresh, self.round, self.seconds = 0, 0, 0, 0.0
        # The running mean of the weights plays better than the weights of the moment.
        self.mean = copy.deepcopy(self.net).requires_grad_(False)
        if (self.folder / "state.pt").exists():
            self.load(torch.load(self.folder / "state.pt", weights_only=True, map_location=device))
        elif start:
            self.begin(torch.load(start, weights_only=True, map_location=device))
        abilities = torch.cpu.get_capabilities()
        has_short_numbers = has_gpu or abilities.get("amx_bf16", False) or abilities.get("avx512_bf16", False)
        self.dtype = torch.bfloat16 if has_short_numbers else torch.float32
        self.generator = torch.Generator(device).manual_seed(plan.seed * 1_000_003 + self.round)
        self.chance = np.random.default_rng([plan.seed, self.round])
        # A tensor on a GPU, so that recorded steps see it change.
        self.current_rate = torch.tensor(plan.rate, device=device)
        for group in self.optimizer.param_groups:
            group["lr"] = self.current_rate if has_gpu else plan.rate
        self.steps = {}  # by size of the board: recorded steps

    def load(self, saved: dict):
        """Continues a run. A small checkpoint has the mean of the weights only; the optimizer then begins anew."""
        self.done, self.round, self.seconds = saved["done"], saved["round"], saved["seconds"]
        self.begin(saved)
        if "optimizer" in saved:
            self.net.load_state_dict(saved["net"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.fresh = saved["fresh"]

    def begin(self, saved: dict):
        """Takes the averaged weights of a checkpoint."""
        weights = {name: tensor.float() for name, tensor in saved["mean"].items()}
        self.net.load_state_dict(weights)
        self.mean.load_state_dict(weights)

    def stop(self):
        """Ends what runs beside this process."""

    @staticmethod
    def network(saved: dict) -> Net:
        """The averaged network of a checkpoint."""
        shape = saved["shape"]
        net = Net(hex_planes.PLANES, shape["channels"], shape["blocks"], hex_planes.NEIGHBOURS, shape["hidden"])
        net.load_state_dict({name: tensor.float() for name, tensor in saved["mean"].items()})
        return net

    def write(self, path: Path = None, is_small: bool = False):
        """Writes a checkpoint: everything, or the averaged weights alone in 16 bits."""
        state = {"done": self.done, "round": self.round, "seconds": self.seconds, "shape": self.net.shape}
        if is_small:
            state["mean"] = {name: tensor.to(torch.float16).cpu() for name, tensor in self.mean.state_dict().items()}
        else:
            state.update(net=self.net.state_dict(), mean=self.mean.state_dict(), fresh=self.fresh)
            state["optimizer"] = self.optimizer.state_dict()
        path = path or self.folder / "state.pt"
        beside = path.with_suffix(".part")
        torch.save(state, beside)
        beside.replace(path)

    def part(self) -> float:
        """How much of the run is done, 0 to 1."""
        plan = self.plan
        return min(1.0, self.seconds / (60 * plan.minutes) if plan.minutes else self.done / plan.samples)

    def rate(self) -> float:
        """Rises for a moment, then falls along a cosine."""
        plan = self.plan
        fall = plan.last_rate + (1 - plan.last_rate) * (1 + math.cos(math.pi * self.part())) / 2
        return plan.rate * fall * min(1.0, (self.fresh + plan.batch) / (400 * plan.batch))

    def descend(self, *batch: Tensor) -> Tensor:
        """One step of the optimizer; returns the losses of moves and of positions."""
        self.optimizer.zero_grad()
        move_loss, value_loss = self.losses(*batch)
        (move_loss + self.plan.value_weight * value_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0, foreach=True)
        self.optimizer.step()
        return torch.stack([move_loss.detach(), value_loss.detach()])

    def step(self, size: int, *batch: Tensor) -> Tensor:
        """Learns from one batch. A GPU records the step once for each size, and then repeats it without delay."""
        if self.device.type == "cuda":
            self.current_rate.fill_(self.rate())
            losses = self.recorded(size, batch)
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = self.rate()
            losses = self.descend(*batch)
        samples = len(batch[0])
        with torch.no_grad():
            share = max(samples / MEAN_SAMPLES, 10 / (self.fresh / samples + 10))  # more at the beginning
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), min(share, 1.0))
        self.done += samples
        self.fresh += samples
        return losses

    def recorded(self, size: int, batch: tuple) -> Tensor:
        """A step by the recording for this size, which the first few steps prepare."""
        state = self.steps.setdefault(size, [0, None, None, None])
        if state[0] < 4:  # on a stream of their own, as recording demands
            state[0] += 1
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                losses = self.descend(*batch)
            torch.cuda.current_stream().wait_stream(stream)
            return losses
        if state[1] is None:
            graph, inputs = torch.cuda.CUDAGraph(), [tensor.clone() for tensor in batch]
            self.optimizer.zero_grad(set_to_none=True)
            with torch.cuda.graph(graph):
                losses = self.descend(*inputs)
            state[1:] = graph, inputs, losses
        graph, inputs, losses = state[1:]
        for tensor, new in zip(inputs, batch):
            tensor.copy_(new)
        graph.replay()
        return losses.clone()

    @staticmethod
    def mean_losses(sums: dict) -> dict:
        """Entries of the log from sums of losses by size: size -> (steps, tensor of both sums)."""
        entry, steps = {}, max(sum(count for count, _ in sums.values()), 1)
        for place, kind in enumerate(("move_loss", "value_loss")):
            entry[kind] = sum(total[place].item() for _, total in sums.values()) / steps
            entry.update({f"{kind}_{size}": total[place].item() / count for size, (count, total) in sums.items() if count})
        return entry

    def log(self, entry: dict):
        """Adds a line to the log, and prints it."""
        line = json.dumps({k: round(v, 5) if isinstance(v, float) else v for k, v in entry.items()})
        with open(self.folder / "log.jsonl", "a") as log:
            log.write(line + "\n")
        print(line, flush=True)

    def work(self, seconds: float = 0, rounds: int = 0) -> int:
        """Works for so many seconds or rounds of this call (0: to the end), writing a checkpoint every minute."""
        began = written = time.monotonic()
        done = 0
        while self.part() < 1 and not 0 < rounds <= done:
            start = time.monotonic()
            entry = self.one_round()
            self.round += 1
            done += 1
            now = time.monotonic()
            self.seconds += now - start
            self.log({"stretch": self.round, "samples": self.done, "rate": self.rate(), **entry, "seconds": self.seconds})
            if now - written > 60:
                self.write()
                written = now
            if seconds and now - began + (now - start) > seconds:
                break
        self.write()
        return done
