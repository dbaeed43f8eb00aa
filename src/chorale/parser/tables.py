"""A grammar as tensors: what the decoder may do in each state, and what that leaves on the stack.

A state has few legal productions, so they are listed as *options* rather than masked out of all productions: option
`o` of state `s` is the production `options[s, o]`. Everything that follows a step is then a lookup by (state, option).

Utterances that bring constants of their own have a grammar each. Their tables are laid one after another and the states
renumbered, so that the code which reads them is the same: only the root differs from utterance to utterance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from chorale.language.grammar import UNREACHABLE, Grammar


@dataclass(frozen=True)
class GrammarTables:
    """The options of every state. Rows that are padded are illegal and never cheaper than `UNREACHABLE`."""

    options: Tensor  # (state, option) production
    penalty: Tensor  # (state, option) added to a score: 0, or -inf where the option is illegal
    growth: Tensor  # (state, option) change of the least number of actions that complete the stack
    arity: Tensor  # (state, option) how many states are pushed
    pushed: Tensor  # (state, option, arity) states pushed, last one first, so that the first ends on top
    slots: NDArray[np.int64]  # (state, production) option, or -1 where the production is illegal
    roots: Tensor  # (utterance,) or (1,) if all share one grammar
    shortest: Tensor  # (utterance,) or (1,) length of the shortest program

    @staticmethod
    def of(grammar: Grammar) -> GrammarTables:
        """The tables of one grammar."""
        states, width = len(grammar.states), max(map(len, grammar.children))
        arity = max(len(after) for expansions in grammar.children for after in expansions.values())
        options = np.zeros((states, width), dtype=np.int64)
        growth = np.full((states, width), UNREACHABLE, dtype=np.int64)
        count = np.ones((states, width), dtype=np.int64)
        pushed = np.zeros((states, width, max(arity, 1)), dtype=np.int64)
        slots = np.full((states, len(grammar)), -1, dtype=np.int64)
        for state, expansions in enumerate(grammar.children):
            for slot, (production, after) in enumerate(expansions.items()):
                options[state, slot] = production
                growth[state, slot] = sum(int(grammar.shortest[child]) for child in after) - grammar.shortest[state]
                count[state, slot] = len(after)
                pushed[state, slot, : len(after)] = after[::-1]
                slots[state, production] = slot
        return GrammarTables(
            torch.from_numpy(options),
            _penalty(torch.from_numpy(growth)),
            torch.from_numpy(growth),
            torch.from_numpy(count),
            torch.from_numpy(pushed),
            slots,
            torch.zeros(1, dtype=torch.int64),
            torch.tensor([int(grammar.shortest[0])]),
        )

    @staticmethod
    def joined(tables: Sequence[GrammarTables]) -> GrammarTables:
        """The tables of several grammars, one per utterance, as one."""
        states, width = max(len(t.options) for t in tables), max(t.options.shape[1] for t in tables)
        arity = max(t.pushed.shape[2] for t in tables)
        productions = max(t.slots.shape[1] for t in tables)
        offsets = torch.arange(len(tables)) * states

        def laid(name: str, fill: int) -> Tensor:
            parts = [_padded(getattr(t, name), (states, width), fill) for t in tables]
            return torch.cat(parts)

        pushed = [
            _padded(t.pushed + offset, (states, width, arity), 0) for t, offset in zip(tables, offsets, strict=True)
        ]
        slots = [np.pad(t.slots, _margins(t.slots.shape, (states, productions)), constant_values=-1) for t in tables]
        return GrammarTables(
            laid("options", 0),
            _penalty(growth := laid("growth", UNREACHABLE)),
            growth,
            laid("arity", 1),
            torch.cat(pushed),
            np.concatenate(slots),
            offsets,
            torch.cat([t.shortest for t in tables]),
        )

    def first(self, count: int) -> GrammarTables:
        """The same tables for the first utterances only."""
        return replace(self, roots=self.roots[:count], shortest=self.shortest[:count])

    def to(self, device: torch.device) -> GrammarTables:
        """The same tables on another device."""
        return GrammarTables(
            self.options.to(device),
            self.penalty.to(device),
            self.growth.to(device),
            self.arity.to(device),
            self.pushed.to(device),
            self.slots,
            self.roots.to(device),
            self.shortest.to(device),
        )


def _penalty(growth: Tensor) -> Tensor:
    penalty = torch.zeros(growth.shape).masked_fill(growth >= UNREACHABLE, -torch.inf)
    penalty[(growth >= UNREACHABLE).all(1), 0] = 0  # a context may leave a state without options: no nan from it
    return penalty


def _margins(shape: Sequence[int], wanted: Sequence[int]) -> list[tuple[int, int]]:
    return [(0, want - have) for have, want in zip(shape, wanted, strict=True)]


def _padded(table: Tensor, wanted: Sequence[int], fill: int) -> Tensor:
    padded = np.pad(table.numpy(), _margins(table.shape, wanted), constant_values=fill)
    return torch.from_numpy(padded)
