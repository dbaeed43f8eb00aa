"""Two systems side by side, each with several seeds: mean, deviation, and whether the difference is more than luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Right, score_of
from chorale.evaluation.significance import Bootstrap, almost_stochastic_order, bootstrap, mean_and_deviation

MEASURES = ("accuracy", "consistency")


@dataclass(frozen=True)
class System:
    """One row of a table: a name and, for each seed, which utterances were right."""

    name: str
    seeds: Sequence[dict[str, Right]]

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
    found = []
    for measure, (share, weights) in shares.items():
        ours, theirs = (_means(system, names, share) for system in (first, second))
        before, after = first.scores(measure), second.scores(measure)
        found.append(
            Comparison(
                measure,
                mean_and_deviation(before),
                mean_and_deviation(after),
                bootstrap(ours, theirs, weights=weights),
                almost_stochastic_order(after, before) if min(len(before), len(after)) > 1 else None,
            )
        )
    return found


def _means(system: System, names: Sequence[str], share: Callable[[Right], float]) -> NDArray[np.float64]:
    """The mean share of each utterance over the seeds: (utterance,)."""
    shares = [[share(right[name]) for name in names] for right in system.seeds]  # (seed, utterance)
    return np.asarray(np.mean(shares, axis=0))
