"""Confidence: how likely it is that the program of a sentence is right wherever it is asked.

It is a logistic function of what is known about the answer (`doubts.Evidence`), fitted on sentences that the parser did
not learn from. Whether a program is right is not known, only labels, some of which are wrong, so

    loss = - sum_x log( c(x) prod_i P(label_i | right)  +  (1 - c(x)) prod_i P(label_i | not right) )

where a label agrees with a right program unless it is flipped, and with another one by a chance that is fitted along.
Sentences about nothing in the contexts have no labels; some are made up (`nonsense`), and for them c should be 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chorale.domain import Answers, Reading, Utterance
from chorale.evaluation.doubts import Evidence
from chorale.plumbing.checking import Checked

Floats = NDArray[np.float64]

_MOST = 3  # words; more of them are no worse
_STEPS = 3_000
_RATE = 0.1
_L2 = 1e-3
_RANGE = 5.0  # a posterior of 0.993
_LUCKIER = 1.2  # how much luckier than by chance alone wrong programs are taken to be, where the fit begins
_LEAST_LUCK = 0.6  # how lucky they are at least, as a share of the same chance

NAMES = (
    "always", "probability", "rival", "unknown", "unsayable", "unsaid", "unasked", "repaired", "silent", "strange",
    "new",
)  # fmt: skip
"""What is weighed; see `features`."""

AT_A_LOSS = 0.1
"""The most that an answer is trusted if it says nothing of the sentence, or if no program could say it."""

Weight = Annotated[float, Field(ge=-100, le=100)]


class Confidence(Checked):
    """The weights of what speaks for an answer and against it."""

    weights: dict[str, Weight] = Field(default_factory=dict)

    def of(self, evidence: Evidence) -> float:
        """How likely it is that the program is right; nothing is certain."""
        total = sum(self.weights.get(name, 0.0) * value for name, value in zip(NAMES, features(evidence), strict=True))
        sure = 1 / (1 + math.exp(-total))
        return min(sure, AT_A_LOSS) if evidence.beyond or not evidence.said else sure


DEFAULT_CONFIDENCE = Confidence(
    weights={
        **{"always": 1.68, "probability": 0.82, "rival": 0.32, "unknown": -1.99, "unsayable": -1.03, "unsaid": -1.03},
        **{"repaired": -0.22, "silent": -0.19, "strange": -1.85, "new": -0.61},
    }
)
"""Of models that have no fit of their own: that of the shipped ranker."""


def features(evidence: Evidence) -> list[float]:
    """What is weighed, in the order of `NAMES`."""

    def some(words: Sequence[object]) -> float:
        return float(min(len(words), _MOST))

    return [
        1.0,
        _logit(evidence.probability),
        _logit(evidence.rival),
        some(evidence.unknown),
        some(evidence.unsayable),
        some(evidence.unsaid),
        some(evidence.unasked),
        some(evidence.repaired),
        float(not evidence.said),
        evidence.strange,
        float(evidence.is_new),
    ]


@dataclass(frozen=True)
class Judged:
    """An answer that was judged by labels it was not learned from."""

    evidence: Evidence
    right: Sequence[bool]
    """Whether it agrees with each label; of a made-up sentence there is none."""
    is_nonsense: bool = False


def fit(judged: Sequence[Judged], flip: float, chance: float = 0.5) -> Confidence:
    """The weights under which the labels are most likely, if each of them is wrong with a probability of `flip`.

    `chance` is how likely a wrong program agrees with a label by luck (`Answers.chance`).
    """
    values = np.array([features(one.evidence) for one in judged])
    agree = np.array([sum(one.right) for one in judged], dtype=float)
    differ = np.array([len(one.right) - sum(one.right) for one in judged], dtype=float)
    nonsense = np.array([one.is_nonsense for one in judged])
    weights, luck = np.zeros(len(NAMES)), _LUCKIER * chance
    scale = np.abs(values).max(axis=0) + 1e-9
    moment, speed = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        confidence = 1 / (1 + np.exp(-values @ weights))
        if_right = np.exp(agree * math.log1p(-flip) + differ * math.log(flip))
        if_wrong = np.exp(agree * math.log(luck) + differ * math.log1p(-luck))
        if_right[nonsense] = 0.0  # what means nothing is never right
        share = confidence * if_right / (confidence * if_right + (1 - confidence) * if_wrong)
        slope = values.T @ (share - confidence) / len(judged) - _L2 * weights * scale
        moment = 0.9 * moment + 0.1 * slope
        speed = 0.999 * speed + 0.001 * slope**2
        weights = weights + _RATE * (moment / (1 - 0.9**step)) / (np.sqrt(speed / (1 - 0.999**step)) + 1e-8)
        wrong = (1 - share) * ~nonsense
        luck = float(np.clip((wrong @ agree) / max(wrong @ (agree + differ), 1e-9), _LEAST_LUCK * chance, 1 - 2 * flip))
    return Confidence(weights={name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)})


def nonsense(sentence: str, random: Random) -> str:
    """A sentence with a few of its words replaced by words that do not exist."""
    words = sentence.split()
    for place in random.sample(range(len(words)), min(len(words), random.choice((1, 2, 3, len(words))))):
        words[place] = "".join(random.choice("bdfgklmprstvz") + random.choice("aeiou") for _ in range(5))
    return " ".join(words)


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


def _logit(probability: float) -> float:
    """The logarithm of the odds, within bounds."""
    if probability <= 0:
        return -_RANGE
    if probability >= 1:
        return _RANGE
    return max(-_RANGE, min(_RANGE, math.log(probability / (1 - probability))))
