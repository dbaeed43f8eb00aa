"""Two systems side by side, each with several seeds: mean, deviation, and whether the difference is more than luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Right, measures_of, score_of
from chorale.evaluation.significance import BETTER, Bootstrap, almost_stochastic_order, bootstrap, mean_and_deviation

LEVEL = 0.05
"""A difference that chance makes less often than this is taken for one."""


@dataclass(frozen=True)
class System:
    """One row of a table: a name and, for each seed, which utterances were right."""

    name: str
    seeds: Sequence[dict[str, Right]]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that say something of its utterances."""
        return measures_of(right for seed in self.seeds[:1] for right in seed.values())

    def scores(self, measure: str) -> list[float]:
        """The measure for each seed."""
        return [float(getattr(score_of(list(right.values())), measure)) for right in self.seeds]


@dataclass(frozen=True)
class Comparison:
    """What changes from one system to another in one measure."""

    measure: str
    before: tuple[float, float]
    """Mean and deviation of the first."""
    after: tuple[float, float]
    over_utterances: Bootstrap
    over_seeds: float | None
    """Almost stochastic order: below 0.5 the second is better; None with a single seed, which says nothing."""
    reverse: float | None = None
    """The same with the two exchanged: below 0.5 the first is better."""

    @property
    def verdict(self) -> str:
        """The comparison in one sentence; A is the first, B the second."""
        sample = self.over_utterances
        order = self.over_seeds if sample.difference > 0 else self.reverse
        return said_of(self.measure, sample.difference, sample.error, sample.p, order)

    def to_json(self) -> dict[str, Any]:
        """The comparison for machines."""
        sample = self.over_utterances
        return {
            "measure": self.measure,
            "a": {"mean": self.before[0], "deviation": self.before[1]},
            "b": {"mean": self.after[0], "deviation": self.after[1]},
            "difference": sample.difference,
            "interval": [sample.low, sample.high],
            "p": sample.p,
            "eps_min": self.over_seeds,
            "verdict": self.verdict,
        }


def compare(first: System, second: System) -> list[Comparison]:
    """What changes from `first` to `second`, in accuracy and in consistency, on the utterances both were asked."""
    for system in (first, second):
        if not system.seeds:
            raise ChoraleError(f"{system.name}: there are no finished runs to compare")
        if any(set(right) != set(first.seeds[0]) for right in system.seeds):
            raise ChoraleError(f"{system.name}: its runs were evaluated on other utterances than {first.name}'s")
    names = list(first.seeds[0])
    pairs = np.array([len(first.seeds[0][name]) for name in names], dtype=np.float64)
    shares: dict[str, tuple[Callable[[Right], float], NDArray[np.float64] | None]] = {
        "accuracy": (lambda right: sum(right) / len(right), pairs),
        "consistency": (lambda right: float(all(right)), None),
    }
    steps = []
    for measure, (share, weights) in shares.items():
        ours, theirs = (_means(system, names, share) for system in (first, second))
        before, after = first.scores(measure), second.scores(measure)
        steps.append(
            Comparison(
                measure,
                mean_and_deviation(before),
                mean_and_deviation(after),
                bootstrap(ours, theirs, weights=weights),
                *(
                    almost_stochastic_order(ours, theirs) if min(len(before), len(after)) > 1 else None
                    for ours, theirs in ((after, before), (before, after))
                ),
            )
        )
    return steps


def said_of(measure: str, difference: float, error: float, p: float, order: float | None) -> str:
    """What a difference B - A means; `order` is the almost stochastic order of the better one, if seeds can tell.

    >>> said_of("consistency", 0.012, 0.004, 0.01, 0.02)
    'B is better: +1.2 ± 0.4 points of consistency, p = 0.010'
    >>> said_of("consistency", 0.003, 0.009, 0.72, 0.8)
    'these seeds show no difference: +0.3 ± 0.9 points of consistency, p = 0.720'
    """
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    figures = f"{100 * difference:+.1f} ± {100 * error:.1f} points of {measure}, {chance}"
    if p >= LEVEL or not difference:
        return f"these seeds show no difference: {figures}"
    better = "B" if difference > 0 else "A"
    if order is None:
        return f"{better} is better: {figures}; of a single seed, so others may say otherwise"
    if order >= BETTER:
        return f"{better} is better on these utterances: {figures}; but other seeds may say otherwise"
    return f"{better} is better: {figures}"


def _means(system: System, names: Sequence[str], share: Callable[[Right], float]) -> NDArray[np.float64]:
    """The mean share of each utterance over the seeds: (utterance,)."""
    shares = [[share(right[name]) for name in names] for right in system.seeds]  # (seed, utterance)
    return np.asarray(np.mean(shares, axis=0))
