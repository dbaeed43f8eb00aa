"""Cross-fitting: weights for utterances that they were not learned from, fold by fold.

Utterances about the same thing (`Domain.topic`: the same table) are in one fold, so that the tables asked about are
new, as they will be.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from chorale.plumbing.files import fold_of
from chorale.ranker.online import Examples, OnlineSettings
from chorale.ranker.weights import KeyWeights

FOLDS = 5


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
) -> dict[int, KeyWeights]:
    """For each fold the weights that were learned from the others. With one fold they are learned from itself.

    Their mean is better than weights that are learned once, from all folds.
    """
    weights = {}
    numbers = sorted(set(fold))
    for done, number in enumerate(numbers, 1):
        others = {it for it, own in enumerate(fold) if own != number or len(numbers) == 1}
        weights[number] = examples.learn(settings, seed, only=others)
        tick(done, len(numbers))
    return weights
