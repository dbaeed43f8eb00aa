"""Confidence: how likely it is that an answer is right, and that its reading is what was meant.

An answer is right because it was understood, or by luck. It is understood if the reading was meant, or another one that
gives the same answers. With q, the probability of all readings that give them, and p, that of the reading alone,

    understood = sigmoid(w . features(q, ...))
    confidence = understood + (1 - understood) luck                         meant = understood p / q

What is known besides q is in `doubts.Evidence`. The weights are fitted on sentences that the parser did not learn from.
Which answers are right is not known, only labels, some of which are wrong, so

    loss = - sum_x log( u(x) prod_i P(label_i | right)  +  (1 - u(x)) prod_i P(label_i | luck) )

where a label agrees with a right answer unless it is flipped, and with another one by a luck that is fitted along. What
no program can say is not understood, whatever q is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chorale.domain import Answers, Reading, Utterance
from chorale.evaluation.doubts import Evidence
from chorale.plumbing.checking import Checked

Floats = NDArray[np.float64]

_MOST = 2  # of words and of joints; more of them are no worse
_ROUNDS = 80
_STEPS = 3  # of Newton's method, in each round
_L2 = 1e-3
_LEAST = math.exp(-6)  # less than this is left of a probability that is as good as certain
_LEAST_LUCK = 0.6  # how lucky wrong answers are at least, as a share of chance
_BEYOND = 700.0  # whose exponential is still a number

NAMES = ("always", "probable", "rest", "strange", "unsaid")
"""What is weighed; see `features`."""

AT_A_LOSS = 0.1
"""The most that an answer is trusted if it says nothing of the sentence, or if no program could say it."""

LEAST = 0.01
"""Readings that are less probable are not asked for their answers."""

Weight = Annotated[float, Field(ge=-100, le=100)]
Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class Sure:
    """How sure an answer is."""

    confidence: float
    """How likely it is right."""
    meant: float
    """How likely its reading is what was meant."""


class Confidence(Checked):
    """The weights of what speaks for a reading and against it."""

    weights: dict[str, Weight] = Field(default_factory=dict)
    luck: Share = 0.0
    """How likely answers that were not understood are right all the same."""

    @property
    def is_known(self) -> bool:
        """Whether these are weights of this version; those of models of before are not."""
        return bool(self.weights) and self.weights.keys() <= set(NAMES)

    def of(self, evidence: Evidence) -> Sure:
        """How sure the answer of a reading is; nothing is certain."""
        total = sum(self.weights.get(name, 0.0) * value for name, value in zip(NAMES, features(evidence), strict=True))
        understood = 1 / (1 + math.exp(min(-total, _BEYOND)))
        confidence = understood + (1 - understood) * self.luck
        most = AT_A_LOSS if evidence.is_at_a_loss else 1.0
        return Sure(min(confidence, most), min(understood * evidence.probability / max(evidence.alike, _LEAST), most))


DEFAULT_CONFIDENCE = Confidence(
    weights={"always": 0.48, "probable": 2.28, "rest": 0.83, "strange": -0.47, "unsaid": -6.79}, luck=0.27
)
"""Of models that have no fit of their own: that of the shipped ranker."""


def features(evidence: Evidence) -> list[float]:
    """What is weighed, in the order of `NAMES`: of the probability both logarithms, which the ends of a scale need."""

    def some(words: Sequence[object]) -> float:
        return float(min(len(words), _MOST))

    probable, rest = max(evidence.alike, _LEAST), max(1 - evidence.alike, _LEAST)
    return [1.0, math.log(probable), -math.log(rest), some(evidence.strange), some(evidence.unsaid)]


@dataclass(frozen=True)
class Judged:
    """An answer that was judged by labels it was not learned from."""

    evidence: Evidence
    right: Sequence[bool]
    """Whether it agrees with each label."""
    weight: float = 1.0
    """How much it counts."""


def fit(judged: Sequence[Judged], flip: float, chance: float = 0.5) -> Confidence:
    """The weights under which the labels are most likely, if each of them is wrong with a probability of `flip`.

    `chance` is how likely a wrong program agrees with a label by luck (`Answers.chance`). It is EM: which answers are
    right is guessed by the weights, and weights are fitted to the guesses by Newton's method.
    """
    if not judged:
        return Confidence()
    values = np.array([features(one.evidence) for one in judged])
    weight = np.array([one.weight for one in judged])
    agree = np.array([sum(one.right) for one in judged], dtype=float)
    differ = np.array([len(one.right) - sum(one.right) for one in judged], dtype=float)
    if_right = np.exp(agree * math.log1p(-flip) + differ * math.log(flip))
    weights, luck = np.zeros(len(NAMES)), chance
    for _ in range(_ROUNDS):
        if_lucky = np.exp(agree * math.log(luck) + differ * math.log1p(-luck))
        understood = _sigmoid(values @ weights)
        share = understood * if_right / (understood * if_right + (1 - understood) * if_lucky)
        weights = _fitted(weights, values, share, weight)
        wrong = weight * (1 - share)
        labels = max(float(wrong @ (agree + differ)), 1e-9)
        luck = float(np.clip(wrong @ agree / labels, _LEAST_LUCK * chance, 1 - 2 * flip))
    named = {name: round(float(it), 4) for name, it in zip(NAMES, weights, strict=True)}
    typical = float(np.median([len(one.right) for one in judged]))
    return Confidence(weights=named, luck=round(luck**typical, 4))


def _fitted(weights: Floats, values: Floats, share: Floats, weight: Floats) -> Floats:
    """The weights of a logistic function that is to have these values."""
    cost = _L2 * weight.sum() * np.abs(values).mean(axis=0) + 1e-6
    for _ in range(_STEPS):
        c = _sigmoid(values @ weights)
        curve = (values.T * (weight * c * (1 - c))) @ values + np.diag(cost)
        weights = weights + np.linalg.solve(curve, values.T @ (weight * (share - c)) - cost * weights)
    return weights


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), np.float64)


# -- how good it is ------------------------------------------------------------------------------------------------


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """The expected calibration error: how far confidence and share of right answers are apart, bin by bin."""
    rows = reliability(confidences, right, bins)
    return sum(abs(mean - share) * count for mean, share, count in rows) / max(len(right), 1)


def reliability(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> list[tuple[float, float, int]]:
    """For each bin that is not empty: mean confidence, share of right answers, how many there are."""
    rows = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [(c, r) for c, r in zip(confidences, right, strict=True) if low <= c < high or c == high == 1]
        if inside:
            count = len(inside)
            rows.append((sum(c for c, _ in inside) / count, sum(r for _, r in inside) / count, count))
    return rows


@dataclass(frozen=True)
class Trust:
    """How well confidence tells right answers from wrong ones."""

    answer_if: float
    answered: float
    """The share of utterances that are answered."""
    consistency: float | None
    """Of these, the share that are right in all their contexts; None if there are none."""
    calibration_error: float

    def to_json(self) -> dict[str, float | None]:
        """For machines."""
        return asdict(self)

    def __str__(self) -> str:
        right = "" if self.consistency is None else f", and {100 * self.consistency:.1f} % of these are right"
        return (
            f"at least {self.answer_if:.0%} sure: {100 * self.answered:.1f} % of the utterances{right}; "
            f"expected calibration error {self.calibration_error:.3f}"
        )


def trust_of(
    utterances: Sequence[Utterance], predictions: Sequence[Reading], compared: Answers, answer_if: float
) -> Trust:
    """How far predictions can be trusted that are at least so sure."""
    right = [
        all(compared.right(one.answers or (), utterance.answers))
        for utterance, one in zip(utterances, predictions, strict=True)
    ]
    sure = [one.confidence or 0.0 for one in predictions]
    answered = [held for confidence, held in zip(sure, right, strict=True) if confidence >= answer_if]
    share = sum(answered) / len(answered) if answered else None
    return Trust(answer_if, len(answered) / max(len(right), 1), share, calibration_error(sure, right))
