"""How sure a ranker by key may be of its answers, measured on utterances that it did not learn from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chorale.domain.candidates import Flags
from chorale.evaluation.confidence import Confidence, fit
from chorale.evaluation.confidence import Judged as JudgedAnswer
from chorale.evaluation.doubts import Evidence
from chorale.ranker.best import Best, Judged

Floats = NDArray[np.float64]
_FLIP = 0.02  # answers that are wrong
_CHANCE = 0.02


def confidence_of(judged: Sequence[tuple[Judged, Floats]]) -> Confidence:
    """The confidence in answers, by the log-probabilities that others gave to the best readings of utterances."""
    return fit([_judged(it.best, it.right, logs) for it, logs in judged], _FLIP, _CHANCE)


def _judged(best: Best, right: Flags, log_probabilities: Floats) -> JudgedAnswer:
    probabilities = np.exp(log_probabilities)
    by_answer = np.bincount(best.answers, probabilities)
    first = int(by_answer.argmax())
    among = best.answers == first
    probability, alike = float(probabilities[among].max()), float(by_answer[first])
    return JudgedAnswer(Evidence(probability, alike, said=1), [bool(right[among].any())])
