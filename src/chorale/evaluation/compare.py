"""Two systems side by side, each with several seeds: mean, deviation, and whether the difference is more than luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.evaluation.evaluate import Right, score_of
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
class Step:
    """The step from one system to another in one measure."""

    measure: str
    before: tuple[float, float]
    """Mean and deviation of the first."""
    after: tuple[float, float]
    over_utterances: Bootstrap
    over_seeds: float | None
    """Almost stochastic order: below 0.5 the second is better; None with a single seed, which says nothing."""

    def to_json(self) -> dict[str, Any]:
        """The step for machines."""
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


def compare(first: System, second: System) -> list[Step]:
    """The step from `first` to `second`, in accuracy and in consistency, on the utterances both were asked."""
    for system in (first, second):
        if not system.seeds:
            raise ChoraleError(f"{system.name}: there are no finished runs to compare")
    names = list(first.seeds[0])
    for system in (first, second):
        for right in system.seeds:
            if set(right) != set(names):
                raise ChoraleError(f"{system.name}: its runs were evaluated on other utterances than {first.name}'s")
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
            Step(
                measure,
                mean_and_deviation(before),
                mean_and_deviation(after),
                bootstrap(ours, theirs, weights=weights),
                almost_stochastic_order(after, before) if min(len(before), len(after)) > 1 else None,
            )
        )
    return steps


def _means(system: System, names: Sequence[str], share: Callable[[Right], float]) -> NDArray[np.float64]:
    """The mean share of each utterance over the seeds: (utterance,)."""
    table: NDArray[np.float64] = np.array([[share(right[name]) for name in names] for right in system.seeds])
    means: NDArray[np.float64] = table.mean(axis=0)
    return means


def plot(systems: Sequence[System]) -> str:
    """A picture (SVG) of every seed of every system, and their means."""
    width, row, left, top = 640, 34, 170, 30
    height = top + len(MEASURES) * (len(systems) * row + 40)
    everything = [score for system in systems for measure in MEASURES for score in system.scores(measure)]
    low, high = max(0.0, min(everything) - 0.03), min(1.0, max(everything) + 0.03)

    def place(score: float) -> float:
        return left + (width - left - 60) * (score - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    y = top
    for measure in MEASURES:
        parts.append(f'<text x="10" y="{y}" font-weight="bold">{measure}</text>')
        for system in systems:
            y += row
            scores = system.scores(measure)
            mean, deviation = mean_and_deviation(scores)
            parts.append(f'<text x="10" y="{y + 4}">{escape(system.name)}</text>')
            parts.append(f'<line x1="{left}" x2="{width - 60}" y1="{y}" y2="{y}" stroke="#ddd"/>')
            ends = place(mean - deviation), place(mean + deviation)
            parts.append(
                f'<line x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y}" y2="{y}" stroke="#0072b2" stroke-width="3"/>'
            )
            parts += [
                f'<circle cx="{place(score):.1f}" cy="{y}" r="4" fill="#0072b2" fill-opacity="0.4"/>'
                for score in scores
            ]
            parts.append(f'<circle cx="{place(mean):.1f}" cy="{y}" r="5" fill="#d55e00"/>')
            parts.append(f'<text x="{width - 52}" y="{y + 4}">{100 * mean:.1f}</text>')
        y += 40
    return "\n".join([*parts, "</svg>"]) + "\n"
