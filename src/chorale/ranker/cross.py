"""Cross-fitting: what a ranker says of utterances that it did not learn from, fold by fold.

Utterances about the same thing (`Domain.topic`: the same table) are in one fold, so that the tables asked about are
new, as they will be.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from chorale.plumbing.files import fold_of
from chorale.ranker.online import Examples, OnlineSettings
from chorale.ranker.weights import KeyWeights, summed

FOLDS = 5
Floats = NDArray[np.float64]


def folds_of(topics: Sequence[Hashable], folds: int = FOLDS) -> list[int]:
    """The fold of each utterance, by what it is about; it depends on the data alone."""
    numbers: dict[Hashable, int] = {}
    for topic in topics:
        numbers.setdefault(topic, len(numbers))
    return [fold_of(str(numbers[topic]), folds) for topic in topics]


def cross_fitted(
    examples: Examples,
    fold: Sequence[int],
    settings: OnlineSettings,
    seed: int,
    tick: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[list[Floats], KeyWeights]:
    """The score of each part of each utterance, by weights that were learned from other folds; and their mean.

    The mean is better than weights that are learned once, from all folds. With one fold it is learned from itself.
    """
    scores: list[Floats] = [np.zeros(0)] * len(examples)
    weights = []
    numbers = sorted(set(fold))
    for done, number in enumerate(numbers, 1):
        others = {it for it, own in enumerate(fold) if own != number or len(numbers) == 1}
        learned = examples.learn(settings, seed, only=others)
        for it, own in enumerate(fold):
            if own == number:
                posed = examples.posed[it]
                scores[it] = summed(posed.part, learned.of(posed.keys), posed.parts)
        weights.append(learned)
        tick(done, len(numbers))
    return scores, KeyWeights.mean(weights)
