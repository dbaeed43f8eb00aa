"""What a lexicon says about the sentences of a batch, as tensors: which phrases ask for which terminals.

    asked      a token's vector is that of its word plus the mean vector of the terminals that its phrases ask for
    missing    1 for a terminal that some phrase asks for which no action has answered yet
    said       1 for a terminal that was used before
    attended   the attention on tokens whose phrases ask for the terminal

The last three have a learned weight each, and are added to the scores of terminals, step by step. Terminals that the
lexicon does not allow are as good as forbidden. So a word never seen in a place still points to what it means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from chorale.domain import Hints
from chorale.language.grammar import Grammar

FORBIDDEN = -1e4
"""Added to the score of a terminal that is not allowed; finite, as a state may have no others."""


@dataclass(frozen=True)
class Lexical:
    """What the phrases of a batch of sentences ask for."""

    asks: Tensor  # (batch, phrase, production) 1 where a phrase asks for a terminal
    wanted: Tensor  # (batch, phrase) how many of its terminals must have been said to answer it; 0 for padding
    tokens: Tensor  # (batch, token, production) 1 where a phrase of which the token is a part asks for a terminal
    terminals: Tensor  # (batch, production) 1 for a terminal, 0 for what holds them together
    penalty: Tensor  # (batch, production) 0, or FORBIDDEN

    @staticmethod
    def of(hints: Sequence[Hints], grammars: Sequence[Grammar], lengths: Sequence[int]) -> Lexical:
        """The hints of some utterances, each with its grammar and its number of tokens."""
        productions = max(map(len, grammars))
        phrases = max((len(one.explains) for one in hints), default=0)
        asks = np.zeros((len(hints), phrases, productions), dtype=np.float32)
        wanted = np.zeros((len(hints), phrases), dtype=np.float32)
        tokens = np.zeros((len(hints), max(lengths), productions), dtype=np.float32)
        terminals, penalty = np.zeros((2, len(hints), productions), dtype=np.float32)
        for row, (one, grammar) in enumerate(zip(hints, grammars, strict=True)):
            ids, times = grammar.terminal_ids, Counter[tuple[str, frozenset[str]]]()
            for number, phrase in enumerate(one.explains):
                asked = [ids[name] for name in phrase[1] if name in ids]
                times[phrase] += 1
                asks[row, number, asked] = 1
                wanted[row, number] = times[phrase] if asked else 0  # a word that occurs twice wants two
                if one.tokens:
                    start, end = one.tokens[number]
                    tokens[row, start:end, asked] = 1
            terminals[row, list(ids.values())] = 1
            penalty[row, [number for name, number in ids.items() if name not in one.allowed]] = FORBIDDEN
        return Lexical(*map(torch.from_numpy, (asks, wanted, tokens, terminals, penalty)))

    def to(self, like: Tensor) -> Lexical:
        """The same numbers on the device and in the precision of another tensor."""
        return Lexical(*(it.to(like) for it in self._all))

    def first(self, count: int) -> Lexical:
        """The same for the first utterances only."""
        return Lexical(*(it[:count] for it in self._all))

    @property
    def _all(self) -> tuple[Tensor, ...]:
        return self.asks, self.wanted, self.tokens, self.terminals, self.penalty

    def asked(self, actions: Tensor, extra: Tensor | None) -> Tensor:
        """The mean vector of what each token asks for: (batch, token, embedding).

        `actions` are the vectors of shared productions, `extra` those of the contexts' own.
        """
        shares = functional.normalize(self.tokens, p=1, dim=2)
        total = shares[..., : len(actions)] @ actions
        return total if extra is None else total + shares[..., len(actions) :] @ extra

    def start(self) -> Tensor:
        """How often each production was used before the first step: (batch, production)."""
        return torch.zeros_like(self.penalty)

    def added(self, weights: Tensor, said: Tensor, attention: Tensor) -> Tensor:
        """What is added to the scores of productions, (batch * width, production).

        `said` (batch * width, production) counts what was used, `attention` is (batch, width, token), and `weights`
        are those of missing, said and attended.
        """
        batch, width, _ = attention.shape
        said = said.view(batch, width, -1)
        answered = torch.bmm(said, self.asks.transpose(1, 2)) >= self.wanted.unsqueeze(1)  # (batch, width, phrase)
        missing = torch.bmm((~answered).to(said.dtype), self.asks).clamp(max=1)
        before = said.clamp(max=1) * self.terminals.unsqueeze(1)
        attended = torch.bmm(attention, self.tokens)
        added = weights[0] * missing + weights[1] * before + weights[2] * attended
        return (added + self.penalty.unsqueeze(1)).flatten(0, 1)


def using(said: Tensor, actions: Tensor) -> Tensor:
    """What was used after these actions: (row, production), (row,)."""
    return said.scatter_add(1, actions[:, None], torch.ones_like(said[:, :1]))
