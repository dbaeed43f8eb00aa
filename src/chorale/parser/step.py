"""One step of the decoder as one operation with its own gradient.

    x  = tanh(U a + e)                        a: attended before, e: what the last action adds
    i, f, g, o = gates of W [x; h] + b        sigmoid, sigmoid, tanh, sigmoid
    c' = f c + i g        h' = o tanh(c')
    w  = softmax(T h')    a' = T^t w          T: the tokens of the sentence

Written out of single operations this is some thirty of them per step and as many on the way back, each on so little
data that calling it costs more than computing it. The memory of a hypothesis is one row [c; h; a], so that following
the parents of a beam or a trie is one lookup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True)
class StepWeights:
    """The decoder's parameters as `step` takes them."""

    attended: Tensor  # (decoder, decoder) U
    gates: Tensor  # (4 * decoder, 2 * decoder) W
    bias: Tensor  # (4 * decoder,) b

    def detached(self) -> StepWeights:
        """The same numbers without gradient."""
        return StepWeights(self.attended.detach(), self.gates.detach(), self.bias.detach())


def step(memory: Tensor, added: Tensor, weights: StepWeights, tokens: Tensor, padding: Tensor) -> tuple[Tensor, Tensor]:
    """The memory after a step and the attention it paid, for which there is no gradient.

    `memory` is (batch * width, 3 * decoder) and `added` (batch * width, decoder), `tokens` (batch, token, decoder) and
    `padding` (batch, 1, token); the attention is (batch, width, token).
    """
    result: tuple[Tensor, Tensor] = _Step.apply(  # type: ignore[no-untyped-call]
        memory, added, weights.attended, weights.gates, weights.bias, tokens, padding
    )
    return result


def attend(hidden: Tensor, tokens: Tensor, padding: Tensor) -> tuple[Tensor, Tensor]:
    """Attention (batch, width, token) of each hidden state, and the mean of the tokens it weighs."""
    attention = torch.baddbmm(padding, hidden, tokens.transpose(1, 2)).softmax(-1)
    return attention, torch.bmm(attention, tokens)


class _Step(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        memory: Tensor,
        added: Tensor,
        into: Tensor,
        weight: Tensor,
        bias: Tensor,
        tokens: Tensor,
        padding: Tensor,
    ) -> tuple[Tensor, Tensor]:
        size = added.shape[1]
        cell, hidden, attended = memory.chunk(3, 1)
        given = torch.cat([torch.addmm(added, attended, into.t()).tanh_(), hidden], 1)  # (row, 2 * decoder)
        gates = torch.addmm(bias, given, weight.t())  # (row, 4 * decoder)
        gates[:, : 2 * size].sigmoid_()
        gates[:, 2 * size : 3 * size].tanh_()
        gates[:, 3 * size :].sigmoid_()
        i, f, g, o = gates.chunk(4, 1)
        result = torch.empty_like(memory)
        new_cell, new_hidden, new_attended = result.chunk(3, 1)
        torch.addcmul(torch.mul(f, cell), i, g, out=new_cell)
        squashed = new_cell.tanh()
        torch.mul(o, squashed, out=new_hidden)
        by_utterance = new_hidden.view(len(tokens), -1, size)
        attention, seen = attend(by_utterance, tokens, padding)
        new_attended.copy_(seen.view(-1, size))
        ctx.save_for_backward(memory, given, gates, squashed, result, attention, tokens, into, weight)
        ctx.mark_non_differentiable(attention)
        return result, attention

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        memory, given, gates, squashed, result, attention, tokens, into, weight = ctx.saved_tensors
        size, batch = tokens.shape[2], len(tokens)
        i, f, g, o = gates.chunk(4, 1)
        d_cell, d_hidden, d_attended = gradients[0].view(batch, -1, 3 * size).chunk(3, 2)
        d_attention = torch.bmm(d_attended, tokens.transpose(1, 2))
        d_scores = attention * (d_attention - (d_attention * attention).sum(2, keepdim=True))
        d_hidden = torch.baddbmm(d_hidden, d_scores, tokens).view(-1, size)
        new_hidden = result[:, size : 2 * size].view(batch, -1, size)
        d_tokens = torch.bmm(attention.transpose(1, 2), d_attended).baddbmm_(d_scores.transpose(1, 2), new_hidden)
        d_new = torch.addcmul(d_cell.reshape(-1, size), d_hidden * o, 1 - squashed * squashed)
        d_gates = torch.empty_like(gates)
        d_i, d_f, d_g, d_o = d_gates.chunk(4, 1)
        torch.mul(d_new * g, i * (1 - i), out=d_i)
        torch.mul(d_new * memory[:, :size], f * (1 - f), out=d_f)
        torch.mul(d_new * i, 1 - g * g, out=d_g)
        torch.mul(d_hidden * squashed, o * (1 - o), out=d_o)
        d_given = d_gates @ weight
        x = given[:, :size]
        d_added = d_given[:, :size] * (1 - x * x)
        d_memory = torch.empty_like(memory)
        torch.mul(d_new, f, out=d_memory[:, :size])
        d_memory[:, size : 2 * size] = d_given[:, size:]
        torch.mm(d_added, into, out=d_memory[:, 2 * size :])
        d_into = d_added.t() @ memory[:, 2 * size :]
        return d_memory, d_added, d_into, d_gates.t() @ given, d_gates.sum(0), d_tokens, None
