"""The Hex network, trained with the rounding of the 8-bit program in the loop.

Activations are whole steps of 2^-ACTIVATION_BITS from 0 to 255, weights of the body whole steps of 2^-WEIGHT_BITS of at most
MAX_WEIGHT either way. Learning keeps numbers of full precision beside them and passes gradients straight through the
rounding. The heads are not rounded while learning: their 16-bit weights lose nothing that matters."""

import torch
from torch import Tensor, nn
from torch.nn import functional

ACTIVATION_BITS = 5
WEIGHT_BITS = 7
MAX_WEIGHT = 63  # with it two products of an activation and a weight fit in 16 bits
TOP = 255


def _rounded(sums: Tensor, bias: Tensor) -> Tensor:
    """Adds biases to rows of sums and rounds: sums (cells, channels) of any precision, the result in that of the sums."""
    steps = torch.floor((sums.float() + bias) * 2**ACTIVATION_BITS + 0.5)
    return (steps.clamp(0, TOP) * 2**-ACTIVATION_BITS).to(sums.dtype)


def _rounded_skip(sums: Tensor, bias: Tensor, skip: Tensor) -> Tensor:
    steps = torch.floor((sums.float() + bias + skip.float()) * 2**ACTIVATION_BITS + 0.5)
    return (steps.clamp(0, TOP) * 2**-ACTIVATION_BITS).to(sums.dtype)


def _passed(gradient: Tensor, out: Tensor) -> Tensor:
    """Lets the gradient through where the activation was neither zero nor at the top, and where it leads away from the top."""
    is_inside = (out > 0) & ((out < TOP * 2**-ACTIVATION_BITS) | (gradient > 0))
    return torch.where(is_inside, gradient, 0.0)


_FUSED = {}


def _fused(function, tensor: Tensor):
    """The function, as one kernel where a GPU computes."""
    if not tensor.is_cuda:
        return function
    if function not in _FUSED:
        compiled = torch.compile(function, dynamic=True)

        def fused(*arguments):
            try:
                return compiled(*arguments)
            except RuntimeError as error:  # no compiler there: slower, not wrong
                print(f"plain kernels, as none could be compiled: {str(error)[:200]}", flush=True)
                _FUSED[function] = function
                return function(*arguments)

        _FUSED[function] = fused
    return _FUSED[function]


def _rows(x: Tensor) -> Tensor:
    """(B, C, H, W) as (B*H*W, C), without a copy where channels come last in memory."""
    return x.permute(0, 2, 3, 1).reshape(-1, x.shape[1])


def _planes(rows: Tensor, like: Tensor) -> Tensor:
    count, channels, height, width = like.shape
    return rows.view(count, height, width, channels).permute(0, 3, 1, 2)


class _Activation(torch.autograd.Function):
    """Adds bias and skip, rounds and clips."""

    @staticmethod
    def forward(ctx, sums, bias, skip):
        rows = _rows(sums)
        if skip is None:
            out = _fused(_rounded, rows)(rows, bias)
        else:
            out = _fused(_rounded_skip, rows)(rows, bias, _rows(skip))
        ctx.save_for_backward(out)
        ctx.has_skip = skip is not None
        return _planes(out, sums)

    @staticmethod
    def backward(ctx, gradient):
        (out,) = ctx.saved_tensors
        passed = _fused(_passed, out)(_rows(gradient), out)
        planes = _planes(passed, gradient)
        # Summed board by board first: one long sum over few channels leaves a GPU idle.
        of_boards = passed.view(len(gradient), -1, passed.shape[1]).sum(1, dtype=torch.float32)
        return planes, of_boards.sum(0), planes if ctx.has_skip else None


class _Steps(torch.autograd.Function):
    """Rounds weights to whole steps; gradients pass but where they would push a weight beyond the limit."""

    @staticmethod
    def forward(ctx, weight, mask, most):
        ctx.save_for_backward(weight, mask)
        ctx.most = most * 2**-WEIGHT_BITS
        return torch.round(weight * 2**WEIGHT_BITS).clamp(-most, most) * 2**-WEIGHT_BITS * mask

    @staticmethod
    def backward(ctx, gradient):
        weight, mask = ctx.saved_tensors
        is_inside = (weight.abs() < ctx.most) | (weight * gradient > 0)
        return gradient * mask * is_inside, None, None


class Conv(nn.Module):
    """A 3 x 3 convolution whose kernels are zero outside the neighbourhood of the board, with its activation."""

    def __init__(self, inputs: int, outputs: int, neighbours, padding: int, most: int = MAX_WEIGHT):
        super().__init__()
        self.padding, self.most = padding, most
        mask = torch.tensor(neighbours, dtype=torch.float32)
        self.register_buffer("mask", mask, persistent=False)
        # He: the same variance after a layer as before it, for the cells that count.
        deviation = (2 / (inputs * mask.sum().item())) ** 0.5
        weight = (torch.randn(outputs, inputs, 3, 3) * deviation).clamp(-0.45, 0.45) * mask
        self.weight = nn.Parameter(weight)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def steps(self) -> Tensor:
        """The kernels as the program sees them."""
        return _Steps.apply(self.weight, self.mask, self.most)

    def forward(self, x: Tensor, skip=None) -> Tensor:
        weight = self.steps().to(x.dtype).contiguous(memory_format=torch.channels_last)
        sums = functional.conv2d(x, weight, None, padding=self.padding)
        return _Activation.apply(sums, self.bias, skip)


class Block(nn.Module):
    def __init__(self, channels: int, neighbours):
        super().__init__()
        self.one = Conv(channels, channels, neighbours, 1)
        self.two = Conv(channels, channels, neighbours, 1)
        with torch.no_grad():
            self.two.weight.mul_(0.3)  # blocks begin close to doing nothing

    def forward(self, x: Tensor) -> Tensor:
        return self.two(self.one(x), x)


class Net(nn.Module):
    """`forward` takes planes (B, planes, N+2, N+2) and returns a number for every cell (B, N*N), and one for the board (B), both
    in log odds: of the move, as plain self-play or searches have taught it, and of winning."""

    def __init__(self, planes: int, channels: int, blocks: int, neighbours, hidden: int = 64):
        super().__init__()
        self.shape = {"planes": planes, "channels": channels, "blocks": blocks, "hidden": hidden}
        self.input = Conv(planes, channels, neighbours, 0, 127)
        self.blocks = nn.ModuleList(Block(channels, neighbours) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.value_hidden = nn.Linear(2 * channels, hidden)
        self.value = nn.Linear(hidden, 1)

    @torch.no_grad()
    def revive(self, planes: Tensor) -> int:
        """Draws anew the units inside the blocks that are zero in all of these positions; what the network computes for them
        does not change. Returns how many."""
        x = self.input(planes.contiguous(memory_format=torch.channels_last))
        revived = 0
        for block in self.blocks:
            is_dead = block.one(x).amax((0, 2, 3)) == 0
            fan_in = block.one.weight.shape[1] * block.one.mask.sum()
            fresh = torch.randn_like(block.one.weight) * (2 / fan_in) ** 0.5 * block.one.mask
            block.one.weight.copy_(torch.where(is_dead[:, None, None, None], fresh.clamp(-0.45, 0.45), block.one.weight))
            block.one.bias.copy_(torch.where(is_dead, 0.02, block.one.bias))
            block.two.weight.copy_(torch.where(is_dead[None, :, None, None], 0.0, block.two.weight))
            revived += int(is_dead.sum())
            x = block(x)
        return revived

    def body(self, planes: Tensor) -> Tensor:
        x = self.input(planes.contiguous(memory_format=torch.channels_last))
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, planes: Tensor):
        x = self.body(planes)
        logits = (_rows(x).float() @ self.policy.weight.flatten() + self.policy.bias).view(x.shape[0], -1)
        pooled = torch.cat([x.mean((2, 3), dtype=torch.float32), x.amax((2, 3)).float()], 1)
        value = self.value(functional.relu(self.value_hidden(pooled)))
        return logits, value.flatten()
