"""Accuracy and consistency: how often a program is right, and how often it is right on everything it was asked.

accuracy     right pairs / all pairs, a pair being one utterance with one image
consistency  groups right on every image / all groups, a group being the pairs of one utterance
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError

Values = Sequence[Any] | NDArray[Any]


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


def score(denotations: Values, labels: Values, groups: Sequence[Hashable] | NDArray[Any]) -> Score:
    """Compare denotations with labels; `groups` says for each pair which utterance it belongs to.

    >>> score([True, False, True], [True, True, True], ["a", "a", "b"])
    Score(pairs=3, right_pairs=2, groups=2, right_groups=1)
    """
    right = right_pairs(denotations, labels)
    numbers = group_numbers(groups)
    if len(numbers) != len(right):
        raise ChoraleError(f"{len(right)} denotations but {len(numbers)} group ids; each pair has one")
    if not len(right):
        raise ChoraleError("there is nothing to score: no pairs")
    wrong = np.bincount(numbers, weights=~right)  # (group,)
    return Score(len(right), int(right.sum()), len(wrong), int((wrong == 0).sum()))


def accuracy(denotations: Values, labels: Values) -> float:
    """The share of pairs that are right.

    >>> accuracy([True, False], [True, True])
    0.5
    """
    return score(denotations, labels, range(len(labels))).accuracy


def consistency(denotations: Values, labels: Values, groups: Sequence[Hashable] | NDArray[Any]) -> float:
    """The share of groups that are right on every image.

    >>> consistency([True, False, True], [True, True, True], [7, 7, 8])
    0.5
    """
    return score(denotations, labels, groups).consistency


def right_pairs(denotations: Values, labels: Values) -> NDArray[np.bool_]:
    """For each pair, whether the denotation equals the label."""
    if len(denotations) != len(labels):
        raise ChoraleError(f"{len(denotations)} denotations but {len(labels)} labels; each pair has one of both")
    result: NDArray[np.bool_] = np.asarray(denotations) == np.asarray(labels)
    return result


def group_numbers(groups: Sequence[Hashable] | NDArray[Any]) -> NDArray[np.intp]:
    """The groups numbered from 0 in order of first appearance, one number per pair."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
