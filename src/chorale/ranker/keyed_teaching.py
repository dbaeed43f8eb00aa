"""Teaching for rankers by key: the loss of `teaching`, over the programs that a domain proposes.

A program has hundreds of features here, and all of them move. So a step is as much shorter: what a program gains by
one does not depend on how many features it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Utterance
from chorale.domain.candidates import Flags, Posed
from chorale.domain.templates import Keys
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.teaching import NONE, STEP_SIZE, TEACHING_FLIP, descended
from chorale.ranker.weights import KeyWeights, summed

Floats = NDArray[np.float64]

_USUAL = 50
"""Features of a program for which a step would be as long as that of the other ranker."""


@dataclass(frozen=True)
class Question:
    """A marked utterance."""

    posed: Posed
    features: NDArray[np.intp]
    """The feature of each use, (use,)."""
    right: Flags
    fit: Floats
    """How well each program fits the mark, relative to luck, (program,)."""

    def probabilities(self, weights: Floats) -> Floats:
        """Of each program."""
        by_part = summed(self.posed.part, weights[self.features], self.posed.parts)
        scores = by_part[self.posed.programs].sum(axis=1) + self.posed.priors
        shares = np.exp(scores - scores.max())
        return np.asarray(shares / shares.sum(), np.float64)

    def gradient(self, weights: Floats) -> Floats:
        """Of its loss, by feature."""
        posed, shares = self.posed, self.probabilities(weights)
        likely = shares @ self.fit
        by_score = -shares * (self.fit - likely) / (likely + NONE)
        by_part = summed(posed.programs.reshape(-1), np.repeat(by_score, posed.programs.shape[1]), posed.parts)
        by_part[0] = 0.0
        return summed(self.features, by_part[posed.part], len(weights))


class Questions:
    """Marked utterances, whose features are numbered."""

    def __init__(self, asked: Sequence[tuple[Posed, Flags, float]]) -> None:
        """Programs as arrays, which of them are right, and how likely a wrong one would be by luck."""
        self.keys: Keys = np.unique(np.concatenate([posed.keys for posed, _, _ in asked]))
        self.each = [
            Question(posed, np.searchsorted(self.keys, posed.keys), right, _fit(right, luck))
            for posed, right, luck in asked
        ]

    def fitting(self, weights: Floats) -> Floats:
        return np.array([one.probabilities(weights)[one.right].sum() for one in self.each])

    def gradient(self, weights: Floats) -> Floats:
        total: Floats = np.sum([one.gradient(weights) for one in self.each], axis=0)
        return total

    @property
    def step_size(self) -> float:
        """By how many features a program has."""
        uses = [
            np.bincount(one.posed.part, minlength=one.posed.parts)[one.posed.programs].sum(axis=1).mean()
            for one in self.each
        ]
        return STEP_SIZE * min(1.0, _USUAL / float(max(uses)))


def _fit(right: Flags, luck: float) -> Floats:
    return np.where(right, (1 - TEACHING_FLIP) / luck, TEACHING_FLIP / (1 - luck))


def questions_of(ranker: KeyedRanker, marked: Sequence[Utterance]) -> Questions | None:
    """Those of the marked utterances that some program answers as they are marked; None if there are none."""
    questions = []
    for utterance in marked:
        candidates, wanted = ranker.candidates(utterance), utterance.answers[0]
        if candidates is not None and wanted is not None:
            right = candidates.right(wanted)
            if right.any():
                questions.append((ranker.posed(candidates), right, ranker.domain.answers.chance(wanted)))
    return Questions(questions) if questions else None


def taught_by_key(ranker: KeyedRanker, questions: Questions) -> KeyWeights:
    """The weights of a ranker after marks; those that did not move are kept as they are."""
    before = ranker.weights.of(questions.keys)
    weights = descended(questions, before, questions.step_size)
    moved = weights != before
    return ranker.weights.changed(questions.keys[moved], weights[moved])
