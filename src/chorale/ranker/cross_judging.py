"""How sure a ranker by keys may be of its answers, found out on utterances that it did not learn from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chorale.evaluation.confidence import Confidence, Judged, fit
from chorale.evaluation.doubts import Evidence
from chorale.ranker.online import Examples

Floats = NDArray[np.float64]
_FLIP = 0.02  # answers that are wrong
_CHANCE = 0.02


def cross_confidence(examples: Examples, scores: Sequence[Floats]) -> Confidence:
    """The confidence in answers, by the scores of parts that weights of other folds gave."""
    judged = []
    for posed, right, by_part in zip(examples.posed, examples.right, scores, strict=True):
        if len(posed):
            total = by_part[posed.programs].sum(axis=1) + posed.priors
            shares = np.exp(total - total.max())
            shares /= shares.sum()
            answers = np.bincount(posed.answers, shares)
            best = int(answers.argmax())
            is_right = bool(right[posed.answers == best].any())
            rival = float(np.delete(answers, best).max(initial=0.0))
            judged.append(Judged(Evidence(float(answers[best]), rival, said=1), [is_right]))
    return fit(judged, _FLIP, _CHANCE)
