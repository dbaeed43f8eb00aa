"""What parsers say about utterances that were held out, and how sure one can be of it.

Utterances of one kind are alike, and so are their mistakes. The standard error therefore counts kinds, not utterances.
With the total x_k and the weight n_k of each of K kinds, the mean and its error are

    m = sum_k x_k / sum_k n_k        e^2 = K / (K - 1) * sum_k (x_k - m n_k)^2 / (sum_k n_k)^2

Over utterances n_k is the number of utterances of the kind (of pairs, for accuracy). Over kinds each x_k is the mean
within the kind, and n_k is 1. The error says how much would change with other sentence templates. It does not say how
much would change with another seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import MEASURES
from chorale.plumbing.checking import Checked

OVER = ("utterances", "groups")


class HeldOut(Checked):
    """What a parser that had never seen the kind of an utterance said about it."""

    fold: int
    group: str
    """The kind, the topic or the structure, as a hash."""
    program: str
    """The best program."""
    right: Annotated[list[bool], Field(min_length=1)]
    """In which contexts it is right."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error, which a single group does not have."""

    mean: float
    error: float | None

    def to_json(self) -> dict[str, float | None]:
        """The estimate for machines."""
        return {"mean": self.mean, "error": self.error}


@dataclass(frozen=True)
class HeldOutFigures:
    """Accuracy and consistency of some utterances."""

    utterances: int
    groups: int
    estimates: Mapping[tuple[str, str], Estimate]
    """By measure, and by what the mean is over: "utterances" or "groups"."""

    def to_json(self) -> dict[str, Any]:
        """The figures for machines."""
        measures = {it: {over: self.estimates[it, over].to_json() for over in OVER} for it in MEASURES}
        return {"utterances": self.utterances, "groups": self.groups, **measures}


def clustered_mean(totals: NDArray[np.float64], weights: NDArray[np.float64]) -> Estimate:
    """The mean of values that were added up in groups, with the weight of each group: both are (group,)."""
    groups, weight = len(totals), float(weights.sum())
    mean = float(totals.sum()) / weight
    if groups < 2:
        return Estimate(mean, None)
    return Estimate(mean, float(np.sqrt(groups / (groups - 1) * ((totals - mean * weights) ** 2).sum()) / weight))


def figures(said: Sequence[HeldOut]) -> HeldOutFigures:
    """Accuracy and consistency, over utterances and over groups."""
    return _figures(said, [one.right for one in said], None)


def differences(before: Mapping[str, HeldOut], after: Mapping[str, HeldOut]) -> HeldOutFigures:
    """What changes from one parser to another, on the utterances both were asked; by identifier."""
    both = [name for name in before if name in after]
    if not both:
        raise ChoraleError("there is nothing to compare: no utterance was held out in both")
    if any((before[name].group, before[name].fold) != (after[name].group, after[name].fold) for name in both):
        raise ChoraleError("these cannot be compared: utterances were held out in other folds, or are of other kinds")
    ours = [before[name] for name in both]
    return _figures(ours, [after[name].right for name in both], [one.right for one in ours])


def _figures(said: Sequence[HeldOut], right: Sequence[list[bool]], less: Sequence[list[bool]] | None) -> HeldOutFigures:
    names, members = np.unique([one.group for one in said], return_inverse=True)
    if not len(names):
        raise ChoraleError("no utterances to score")

    def added(values: Sequence[float]) -> NDArray[np.float64]:  # (group,)
        sums = np.zeros(len(names))
        np.add.at(sums, members, values)
        return sums

    def total(of: Sequence[list[bool]], measure: str) -> NDArray[np.float64]:
        return added([sum(one) if measure == "accuracy" else all(one) for one in of])

    estimates = {}
    for measure in MEASURES:
        weights = added([len(one) if measure == "accuracy" else 1 for one in right])
        totals = total(right, measure) - (0 if less is None else total(less, measure))
        estimates[measure, "utterances"] = clustered_mean(totals, weights)
        estimates[measure, "groups"] = clustered_mean(totals / weights, np.ones(len(names)))
    return HeldOutFigures(len(said), len(names), estimates)
