"""Tables of what was held out: a recipe fold by fold, and two recipes side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chorale.errors import ChoraleError
from chorale.evaluation.compare import said_of
from chorale.evaluation.metrics import measures_of
from chorale.sweeps.folds.folding import GROUPS
from chorale.sweeps.folds.held_out import OVER, HeldOutFigures, differences, figures
from chorale.sweeps.folds.runs import FoldsFile


def folds_table(folds: FoldsFile) -> list[list[str]]:
    """The figures of each fold, and of all together if there are several; its first line the heads."""
    groups, measures = GROUPS[folds.by], _measures(folds)
    heads = [f"{measure} over {over}" for measure in measures for over in ("utterances", groups)]
    lines = [["fold", groups, "utterances", *heads]]
    *numbers, total = sorted(folds.figures, key=lambda name: (name == "all", name))
    for name in [*numbers, total] if len(numbers) > 1 else numbers:
        one = folds.figures[name]
        shares = [_share(one[measure][over]) for measure in measures for over in OVER]
        lines.append([name, f"{one['groups']:,}", f"{one['utterances']:,}", *shares])
    return lines


@dataclass(frozen=True)
class FoldsComparison:
    """Two recipes on the utterances that were held out from both."""

    before: FoldsFile
    after: FoldsFile
    sides: tuple[HeldOutFigures, HeldOutFigures]
    step: HeldOutFigures
    """The paired difference, the second minus the first."""

    def to_json(self) -> dict[str, Any]:
        """The comparison for machines."""
        a, b = (figures.to_json() for figures in self.sides)
        verdict = {"verdict": self.verdict}
        return {"by": self.before.by, "a": a, "b": b, "difference": self.step.to_json(), **verdict}

    @property
    def verdict(self) -> str:
        """The comparison in one sentence: the difference over utterances, as a normal distribution has it."""
        measure = _measures(self.before)[0]
        estimate = self.step.estimates[measure, "utterances"]
        if not estimate.error:
            return "no difference that can be judged: there is no standard error"
        p = math.erfc(abs(estimate.mean) / estimate.error / math.sqrt(2))
        return said_of(measure, estimate.mean, estimate.error, p, None)

    @property
    def table(self) -> list[list[str]]:
        """The comparison as text, its first line the heads."""
        words = {"utterances": "utterances", "groups": GROUPS[self.before.by]}
        lines = [["measure", "mean over", "A", "B", "B - A"]]
        for measure in _measures(self.before):
            for over in OVER:
                a, b = (_share(side.estimates[measure, over].to_json()) for side in self.sides)
                step = _share(self.step.estimates[measure, over].to_json(), "+.1f")
                lines.append([measure, words[over], a, b, step])
        return lines


def compared_folds(before: FoldsFile, after: FoldsFile) -> FoldsComparison:
    """What changes from one recipe to another."""
    if (before.by, before.folds) != (after.by, after.folds):
        ours, theirs = (f"{one.folds} by {one.by}" for one in (before, after))
        raise ChoraleError(f"these cannot be compared: the folds of one are {ours}, those of the other {theirs}")
    step = differences(before.utterances, after.utterances)
    both = before.utterances.keys() & after.utterances.keys()
    a, b = (figures([said for name, said in one.utterances.items() if name in both]) for one in (before, after))
    return FoldsComparison(before, after, (a, b), step)


def _measures(folds: FoldsFile) -> tuple[str, ...]:
    """The measures that say something, that which decides first."""
    return measures_of(one.right for one in folds.utterances.values())[::-1]


def _share(estimate: Mapping[str, float | None], form: str = ".1f") -> str:
    """A mean with its standard error, in percent."""
    mean, error = estimate["mean"], estimate["error"]
    return format(100 * (mean or 0.0), form) + (f" ± {100 * error:.1f}" if error is not None else "")
