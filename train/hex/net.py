"""The Hex network, trained with the rounding of the 8-bit program (quantization-aware training).

Activations are integer steps of 2^-ACTIVATION_BITS from 0 to 255. The weights of the body (the
input convolution and the blocks) are integer steps of 2^-WEIGHT_BITS, inside the blocks at most
MAX_WEIGHT in absolute value. Training keeps the weights in full precision, rounds them in the
forward pass, and passes gradients straight through the rounding. The heads are not rounded in
training: their 16-bit weights are precise enough."""

import torch
from torch import Tensor, nn
from torch.nn import functional

ACTIVATION_BITS = 5
WEIGHT_BITS = 7
MAX_WEIGHT = 63  # so that the sum of two products of activation and weight fits in 16 bits
MAX_INPUT_WEIGHT = 127  # in the input convolution
MAX_ACTIVATION = 255


def _activate(sums: Tensor, bias: Tensor) -> Tensor:
    """Adds the bias to sums (cells, channels) of any precision, rounds and clips them.

    Computes in float32 and returns the dtype of the sums.
    """
    steps = torch.floor((sums.float() + bias) * 2**ACTIVATION_BITS + 0.5)
    return (steps.clamp(0, MAX_ACTIVATION) * 2**-ACTIVATION_BITS).to(sums.dtype)


def _activate_with_skip(sums: Tensor, bias: Tensor, skip: Tensor) -> Tensor:
    """Does the same as `_activate`, and also adds the skip connection."""
    steps = torch.floor((sums.float() + bias + skip.float()) * 2**ACTIVATION_BITS + 0.5)
    return (steps.clamp(0, MAX_ACTIVATION) * 2**-ACTIVATION_BITS).to(sums.dtype)


def _mask_gradient(gradient: Tensor, out: Tensor) -> Tensor:
    """Zeroes the gradient of clipped activations.

    At the upper limit, gradients that lower the activation pass.
    """
    passes = (out > 0) & ((out < MAX_ACTIVATION * 2**-ACTIVATION_BITS) | (gradient > 0))
    return torch.where(passes, gradient, 0.0)


_COMPILED = {}  # compiled functions by their originals


def _compile(function, tensor: Tensor):
    """Returns the function, compiled into one GPU kernel if the tensor is on a GPU."""
    if not tensor.is_cuda:
        return function
    if function not in _COMPILED:
        compiled = torch.compile(function, dynamic=True)

        def call_compiled(*arguments):
            try:
                return compiled(*arguments)
            except RuntimeError as error:  # no compiler: the result is the same, but slower
                print(f"cannot compile GPU kernels, training is slower: {str(error)[:200]}", flush=True)
                _COMPILED[function] = function
                return function(*arguments)

        _COMPILED[function] = call_compiled
    return _COMPILED[function]


def _to_rows(x: Tensor) -> Tensor:
    """Reshapes (B, C, H, W) to (B*H*W, C), without a copy if the memory format is channels-last."""
    return x.permute(0, 2, 3, 1).reshape(-1, x.shape[1])


def _to_planes(rows: Tensor, like: Tensor) -> Tensor:
    """Reshapes (B*H*W, C) to the shape of `like`, (B, C, H, W)."""
    count, channels, height, width = like.shape
    return rows.view(count, height, width, channels).permute(0, 3, 1, 2)


class _QuantizedActivation(torch.autograd.Function):
    """Adds the bias and the optional skip connection, rounds and clips."""

    @staticmethod
    def forward(ctx, sums, bias, skip):
        rows = _to_rows(sums)
        if skip is None:
            out = _compile(_activate, rows)(rows, bias)
        else:
            out = _compile(_activate_with_skip, rows)(rows, bias, _to_rows(skip))
        ctx.save_for_backward(out)
        ctx.has_skip = skip is not None
        return _to_planes(out, sums)

    @staticmethod
    def backward(ctx, gradient):
        (out,) = ctx.saved_tensors
        masked = _compile(_mask_gradient, out)(_to_rows(gradient), out)
        planes = _to_planes(masked, gradient)
        # Sums each board first: one long sum over few channels would leave most of a GPU idle.
        board_sums = masked.view(len(gradient), -1, masked.shape[1]).sum(1, dtype=torch.float32)
        return planes, board_sums.sum(0), planes if ctx.has_skip else None


class _QuantizedWeight(torch.autograd.Function):
    """Rounds weights to integer steps of at most `limit` in absolute value.

    Gradients pass unless they would push a weight further beyond the limit.
    """

    @staticmethod
    def forward(ctx, weight, mask, limit):
        ctx.save_for_backward(weight, mask)
        ctx.limit = limit * 2**-WEIGHT_BITS
        return torch.round(weight * 2**WEIGHT_BITS).clamp(-limit, limit) * 2**-WEIGHT_BITS * mask

    @staticmethod
    def backward(ctx, gradient):
        weight, mask = ctx.saved_tensors
        passes = (weight.abs() < ctx.limit) | (weight * gradient > 0)
        return gradient * mask * passes, None, None


class Conv(nn.Module):
    """A 3x3 convolution with bias and clipped activation.

    Its kernels are zero at the two corners that are not neighbours on a hexagonal board. `limit` is
    the largest absolute weight, in steps.
    """

    def __init__(self, inputs: int, outputs: int, neighbours, padding: int, limit: int = MAX_WEIGHT):
        super().__init__()
        self.padding, self.limit = padding, limit
        mask = torch.tensor(neighbours, dtype=torch.float32)
        self.register_buffer("mask", mask, persistent=False)
        # He initialization over the unmasked weights: the layer preserves the variance.
        deviation = (2 / (inputs * mask.sum().item())) ** 0.5
        weight = (torch.randn(outputs, inputs, 3, 3) * deviation).clamp(-0.45, 0.45) * mask
        self.weight = nn.Parameter(weight)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def quantized_weight(self) -> Tensor:
        """Returns the kernels rounded as in the program."""
        return _QuantizedWeight.apply(self.weight, self.mask, self.limit)

    def forward(self, x: Tensor, skip=None) -> Tensor:
        weight = self.quantized_weight().to(x.dtype).contiguous(memory_format=torch.channels_last)
        sums = functional.conv2d(x, weight, None, padding=self.padding)
        return _QuantizedActivation.apply(sums, self.bias, skip)


class Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, channels: int, neighbours):
        super().__init__()
        self.one = Conv(channels, channels, neighbours, 1)
        self.two = Conv(channels, channels, neighbours, 1)
        with torch.no_grad():
            self.two.weight.mul_(0.3)  # the initial block is close to the identity

    def forward(self, x: Tensor) -> Tensor:
        return self.two(self.one(x), x)


class Net(nn.Module):
    """The network: input convolution, residual blocks, policy head and value head.

    `forward` takes planes (B, planes, N+2, N+2). It returns the policy logits of the cells (B, N*N)
    and the value logits (B): the log odds that the mover wins. After plain self-play a policy logit
    is the log odds that the move wins. After learning from searches, the softmax of the policy
    logits predicts the visit shares of a search.
    """

    def __init__(self, planes: int, channels: int, blocks: int, neighbours, hidden: int = 64):
        super().__init__()
        self.shape = {"planes": planes, "channels": channels, "blocks": blocks, "hidden": hidden}
        self.input = Conv(planes, channels, neighbours, 0, MAX_INPUT_WEIGHT)
        self.blocks = nn.ModuleList(Block(channels, neighbours) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.value_hidden = nn.Linear(2 * channels, hidden)
        self.value = nn.Linear(hidden, 1)

    @torch.no_grad()
    def revive(self, planes: Tensor) -> int:
        """Re-initializes dead units: inner units of blocks that are zero in all these positions.

        The output for these positions does not change. Returns the number of units.
        """
        x = self.input(planes.contiguous(memory_format=torch.channels_last))
        revived = 0
        for block in self.blocks:
            is_dead = block.one(x).amax((0, 2, 3)) == 0
            fan_in = block.one.weight.shape[1] * block.one.mask.sum()
            new_weight = torch.randn_like(block.one.weight) * (2 / fan_in) ** 0.5 * block.one.mask
            block.one.weight.copy_(torch.where(is_dead[:, None, None, None], new_weight.clamp(-0.45, 0.45), block.one.weight))
            block.one.bias.copy_(torch.where(is_dead, 0.02, block.one.bias))
            block.two.weight.copy_(torch.where(is_dead[None, :, None, None], 0.0, block.two.weight))
            revived += int(is_dead.sum())
            x = block(x)
        return revived

    def body(self, planes: Tensor) -> Tensor:
        """Returns the output of the last block, (B, channels, N, N)."""
        x = self.input(planes.contiguous(memory_format=torch.channels_last))
        for block in self.blocks:
            x = block(x)
        return x

    def forward(self, planes: Tensor):
        x = self.body(planes)
        logits = (_to_rows(x).float() @ self.policy.weight.flatten() + self.policy.bias).view(x.shape[0], -1)
        pooled = torch.cat([x.mean((2, 3), dtype=torch.float32), x.amax((2, 3)).float()], 1)
        value = self.value(functional.relu(self.value_hidden(pooled)))
        return logits, value.flatten()
