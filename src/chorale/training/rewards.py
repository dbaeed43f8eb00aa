"""Rewards: is a program right in every context of its utterance?

A program is run on the whole corpus at once and remembered there (see `SharedGrounding`); here it is remembered which
actions make which program, and which actions were right for which utterance, so nothing is worked out twice.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from chorale.domain import Grounding
from chorale.language.program import Program
from chorale.plumbing.cache import Cache

ActionRow = NDArray[np.integer]
"""The actions of one program, without padding; as short integers they take little memory."""


class Rewards:
    """What programs, given as actions, are worth for the utterances of a grounding."""

    def __init__(self, grounding: Grounding, most_remembered: int = 1_000_000) -> None:
        self._grounding = grounding
        self._programs: Cache[tuple[int, bytes], Program] = Cache(most_remembered // 20)  # (grammar, actions); trees
        self._right: Cache[tuple[int, bytes], bool] = Cache(most_remembered)  # (utterance, actions)

    def program(self, utterance: int, actions: ActionRow) -> Program:
        """The program that actions, without padding, build for an utterance."""
        grammar = self._grounding.grammar(utterance)
        key = id(grammar), actions.tobytes()
        return self._programs.get(key, lambda: Program.from_actions(actions.tolist(), grammar))

    def is_right(self, utterance: int, actions: ActionRow) -> bool:
        """Whether the program says the right thing in every context."""
        key = utterance, actions.tobytes()
        return self._right.get(key, lambda: all(self._grounding.right(self.program(utterance, actions), utterance)))

    def of(self, utterances: list[int], actions: Tensor) -> Tensor:
        """1 for right programs and 0 for wrong or missing ones: (batch, beam, step) -> (batch, beam)."""
        rows = short(actions)
        lengths = (rows >= 0).sum(-1)
        result = np.zeros(lengths.shape, dtype=np.float32)
        for row, utterance in enumerate(utterances):
            for rank in np.flatnonzero(lengths[row]):
                result[row, rank] = self.is_right(utterance, rows[row, rank, : lengths[row, rank]])
        return torch.from_numpy(result).to(actions.device)


def short(actions: Tensor) -> ActionRow:
    """Actions as short integers; no grammar has more than 32,767 productions."""
    return actions.numpy(force=True).astype(np.int16)


def renormalised(log_probabilities: Tensor) -> Tensor:
    """Probabilities within the beam (batch, beam); all 0 for an utterance without a program."""
    filled = log_probabilities > -torch.inf
    lowest = torch.finfo(log_probabilities.dtype).min  # not -inf: an empty beam must not give nan
    return log_probabilities.masked_fill(~filled, lowest).softmax(1) * filled
