"""Teaching: a ranker learns from a few marked answers in seconds, and changes as little as it can.

Marks are answers for contexts of one's own. The weights descend the loss of these answers, starting where they are,

    loss = - sum_x log( sum_z p(z | x) prod_i P(mark_i | z)  +  none )  +  pull |w - w_before|^2 / 2

and stop as soon as what fits the marks has most of the probability. Only features of the marked sentences move, and
those that have a weight already move less. They are shared by all sentences, so that a phrase that was taught with blue
blocks is read alike with black ones; and so that other sentences may change with it, which has to be looked at.

Rankers by key descend the same loss (`keyed_teaching`).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chorale.ranker.features import Feature
from chorale.ranker.learning import LogLinear, Problem
from chorale.ranker.ranker import Ranker
from chorale.ranker.weights import summed

Floats = NDArray[np.float64]

ENOUGH = 0.8
"""How much of the probability must fit the marks."""
TEACHING_FLIP = 0.02
"""The probability that a mark is wrong."""
STEPS = 200
STEP_SIZE = 0.5
KNOWN = 0.1
"""How much slower features move that others have taught already."""
PULL = 0.01
"""Back to where the weights were."""
NONE = 1e-6
"""The probability that no program of the list is meant: one who teaches means something."""


class Marked(Protocol):
    """Marked answers as a function of the weights of their features."""

    def fitting(self, weights: Floats) -> Floats:
        """How much of the probability fits the marks of each utterance."""
        ...

    def gradient(self, weights: Floats) -> NDArray[Any]:
        """Of the loss, without the pull."""
        ...


def descended(marked: Marked, before: Floats, step_size: float = STEP_SIZE) -> Floats:
    """The weights after marks."""
    weights, sizes = before.copy(), np.where(before == 0, step_size, step_size * KNOWN)
    for _ in range(STEPS):
        if (marked.fitting(weights) >= ENOUGH).all():
            break
        gradient = marked.gradient(weights) + PULL * (weights - before)
        weights = weights - sizes * gradient
    return weights


def taught(ranker: Ranker, problem: Problem) -> dict[Feature, float]:
    """The weights of a ranker after marks: a problem that was posed of marked utterances with these features."""
    before = np.array([ranker.weights.get(feature, 0.0) for feature in problem.features])
    weights = descended(_Posed(problem), before)
    learned = dict(zip(problem.features, weights.tolist(), strict=True))
    return {**ranker.weights, **{feature: weight for feature, weight in learned.items() if weight}}


class _Posed:
    """A problem as it is descended."""

    def __init__(self, problem: Problem) -> None:
        self.model: LogLinear = problem.posed(np.ones(len(problem.features), dtype=bool), problem.utterances, NONE)
        self.fits = np.concatenate([fit >= fit.max() for _, _, fit in problem.utterances])

    def fitting(self, weights: Floats) -> Floats:
        model = self.model
        probability = model.probabilities(weights)[model.said]
        return summed(model.said_by, probability * self.fits, model.utterances)

    def gradient(self, weights: Floats) -> NDArray[Any]:
        return self.model.loss_and_gradient(weights)[1]
