"""The network of boards with six neighbours a cell: an input convolution, blocks with skips, a head with a number for every
cell, and a head with one number for the board. Any board size."""

import torch
from torch import Tensor, nn
from torch.nn import functional


class Conv(nn.Conv2d):
    """A 3 x 3 convolution whose kernels are zero outside the neighbourhood of the board."""

    def __init__(self, inputs: int, outputs: int, neighbours, padding: int):
        super().__init__(inputs, outputs, 3, padding=padding)
        mask = torch.tensor(neighbours, dtype=torch.float32)
        self.register_buffer("mask", mask, persistent=False)
        with torch.no_grad():
            # He: the same variance behind a layer as before it, for the cells that count.
            self.weight.normal_(0, (2 / (inputs * mask.sum().item())) ** 0.5).mul_(mask)
            self.bias.zero_()

    def forward(self, x: Tensor) -> Tensor:
        return functional.conv2d(x, self.weight * self.mask, self.bias, padding=self.padding)


class Block(nn.Module):
    def __init__(self, channels: int, neighbours):
        super().__init__()
        self.one = Conv(channels, channels, neighbours, 1)
        self.two = Conv(channels, channels, neighbours, 1)
        with torch.no_grad():
            self.two.weight.mul_(0.3)  # blocks begin close to doing nothing

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.two(functional.relu(self.one(x))))


class Net(nn.Module):
    """`forward` takes planes (B, planes, N+2, N+2); it gives a number for every cell (B, N*N), and one for the board (B),
    in log odds: of the move, as plain self-play or searches have taught it, and of winning."""

    def __init__(self, planes: int, channels: int, blocks: int, neighbours, hidden: int = 32):
        super().__init__()
        self.shape = {"planes": planes, "channels": channels, "blocks": blocks, "hidden": hidden}
        self.input = Conv(planes, channels, neighbours, 0)
        self.blocks = nn.ModuleList(Block(channels, neighbours) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.value_hidden = nn.Linear(2 * channels, hidden)
        self.value = nn.Linear(hidden, 1)
        self.to(memory_format=torch.channels_last)

    def grow(self, weights: dict):
        """Takes the weights of a network with as many channels and no more blocks; those that are new do nothing at first."""
        missing, unknown = self.load_state_dict(weights, strict=False)
        new = {name.split(".")[1] for name in missing if name.startswith("blocks.")}
        if unknown or len(missing) != 4 * len(new):
            raise ValueError(f"these weights are not those of a network that this one can grow from: {missing + unknown}")
        with torch.no_grad():
            for block in new:
                self.blocks[int(block)].two.weight.zero_()
                self.blocks[int(block)].two.bias.zero_()

    def body(self, planes: Tensor) -> Tensor:
        x = functional.relu(self.input(planes.contiguous(memory_format=torch.channels_last)))
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, planes: Tensor):
        x = self.body(planes)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        value = self.value(functional.relu(self.value_hidden(pooled)))
        return self.policy(x).flatten(1), value.flatten()
