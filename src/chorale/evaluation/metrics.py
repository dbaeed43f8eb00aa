"""Accuracy and consistency: how often a program is right, and how often it is right on everything it was asked.

accuracy     right pairs / all pairs, a pair being one utterance in one of its contexts
consistency  groups right in every context / all groups, a group being the pairs of one utterance
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chorale.errors import ChoraleError

Right = tuple[bool, ...]
"""For each context of an utterance whether the answer was right."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many pairs and groups there are, and how many of them are right."""

    pairs: int
    right_pairs: int
    groups: int
    right_groups: int

    @property
    def accuracy(self) -> float:
        return self.right_pairs / self.pairs

    @property
    def consistency(self) -> float:
        return self.right_groups / self.groups

    @property
    def has_consistency(self) -> bool:
        """Whether an utterance has several contexts; else consistency is accuracy once more."""
        return self.pairs > self.groups


def score_of(right: Sequence[Right]) -> Score:
    """Accuracy and consistency of utterances.

    >>> score_of([(True, True), (True, False)])
    Score(pairs=4, right_pairs=3, groups=2, right_groups=1)
    """
    if not (pairs := sum(map(len, right))):
        raise ChoraleError("there is nothing to score: no pairs")
    return Score(pairs, sum(map(sum, right)), len(right), sum(map(all, right)))
