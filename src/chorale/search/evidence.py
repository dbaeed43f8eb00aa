"""Evidence: how well a meaning fits the labels, and how plausible its spelling is.

Labels are sometimes wrong. Each is taken to be wrong with a small probability p, so a program that agrees with a of n
labels has log-likelihood a log(1-p) + (n-a) log p, and a right program survives a wrong label. In strict mode (p = 0)
a program must agree with every label of its utterance.

Among programs that fit, the *prior* prefers few actions, programs that explain every content word of the sentence, and
none that use what no word asks for. It is a log-probability up to a constant, so the two add up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chorale.language.domain import Hints

ACTION = 0.4
"""What each action costs, in nats."""
WORD = 2.0
"""What each content word costs that no action explains."""
TERMINAL = 1.5
"""What each function or constant costs that no word asks for."""


@dataclass(frozen=True)
class Prior:
    """How plausible a program is for a sentence, whatever the labels say."""

    actions: int
    unexplained_words: tuple[str, ...]
    unasked_terminals: tuple[str, ...]

    @property
    def log(self) -> float:
        return -ACTION * self.actions - WORD * len(self.unexplained_words) - TERMINAL * len(self.unasked_terminals)


def prior_of(actions: int, terminals: Sequence[str], hints: Hints) -> Prior:
    """The prior of a program with so many actions and these terminals, each as often as it is used."""
    left = Counter(terminals)
    unexplained = []
    for word, wanted in hints.explains:
        used = next((name for name in sorted(wanted) if left[name] > 0), None)
        if used is not None:
            left[used] -= 1
        elif wanted:
            unexplained.append(word)
    asked = hints.glue.union(*(wanted for _, wanted in hints.explains))
    unasked = [name for name in terminals if name not in asked]
    return Prior(actions, tuple(unexplained), tuple(unasked))


@dataclass(frozen=True)
class Noise:
    """How often labels are wrong: one number, or one per label."""

    rate: float | NDArray[np.float64] = 0.05

    @property
    def is_strict(self) -> bool:
        return isinstance(self.rate, float | int) and self.rate == 0

    def log_likelihood(self, agrees: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Of each row of agreements with the labels, (program, label)."""
        if self.is_strict:
            return np.where(agrees.all(axis=-1), 0.0, -math.inf)
        rate = np.asarray(self.rate, dtype=np.float64)
        gain: NDArray[np.float64] = np.where(agrees, np.log1p(-rate), np.log(rate)).sum(axis=-1)
        return gain


def rater_noise(agreements: dict[str, tuple[int, int]], smoothing: float = 20.0) -> dict[str, float]:
    """How often each rater is wrong, from (agreed, all) counts against a majority or a model; shrunk to the mean."""
    agreed = sum(right for right, _ in agreements.values())
    everything = sum(total for _, total in agreements.values())
    mean = 1 - agreed / everything if everything else 0.05
    return {
        rater: (total - right + smoothing * mean) / (total + smoothing)
        for rater, (right, total) in sorted(agreements.items())
    }
