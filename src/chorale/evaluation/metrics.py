"""Accuracy and consistency: how often a program is right, and how often it is right on everything it was asked.

accuracy     right pairs / all pairs, a pair being one utterance in one of its contexts
consistency  groups right in every context / all groups, a group being the pairs of one utterance

Where every utterance has one context, consistency is accuracy once more. Files have it all the same; tables, plots and
lines for people leave it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chorale.errors import ChoraleError

Right = tuple[bool, ...]
"""For each context of an utterance whether the answer was right."""

MEASURES = ("accuracy", "consistency")
"""All there are; the last of those that a result has is what it is judged by."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many pairs and groups there are, and how many of them are right."""

    pairs: int
    right_pairs: int
    groups: int
    right_groups: int

    @property
    def accuracy(self) -> float:
        return self.right_pairs / self.pairs

    @property
    def consistency(self) -> float:
        return self.right_groups / self.groups

    @property
    def measures(self) -> tuple[str, ...]:
        """Those that say something of these utterances."""
        return _measures(self.pairs > self.groups)

    def to_json(self, prefix: str = "") -> dict[str, float]:
        """Both measures, as files have them."""
        return {f"{prefix}{measure}": getattr(self, measure) for measure in MEASURES}


def score_of(right: Sequence[Right]) -> Score:
    """Accuracy and consistency of utterances.

    >>> score_of([(True, True), (True, False)])
    Score(pairs=4, right_pairs=3, groups=2, right_groups=1)
    """
    if not (pairs := sum(map(len, right))):
        raise ChoraleError("no pairs to score")
    return Score(pairs, sum(map(sum, right)), len(right), sum(map(all, right)))


def measures_of(right: Iterable[Sequence[bool]]) -> tuple[str, ...]:
    """The measures that say something: consistency only where an utterance has several contexts.

    >>> measures_of([(True,), (False,)]), measures_of([(True,), (True, False)])
    (('accuracy',), ('accuracy', 'consistency'))
    """
    return _measures(any(len(one) > 1 for one in right))


def measures_noted(noted: Iterable[Mapping[str, Any]], prefix: str = "") -> tuple[str, ...]:
    """The same of figures that were noted in a file: where they are equal throughout, one is enough."""
    names = [f"{prefix}{measure}" for measure in MEASURES]
    pairs = [[one[name] for name in names] for one in noted if all(name in one for name in names)]
    return _measures(any(accuracy != consistency for accuracy, consistency in pairs))


def percent(noted: Mapping[str, Any], prefix: str = "") -> str:
    """The measures that were noted, in percent; empty if there are none.

    >>> percent({"accuracy": 0.9, "consistency": 0.75}), percent({"accuracy": 0.5, "consistency": 0.5})
    ('90.0 / 75.0', '50.0')
    """
    values = [noted.get(f"{prefix}{measure}") for measure in measures_noted([noted], prefix)]
    return " / ".join(f"{100 * value:.1f}" for value in values if value is not None)


def _measures(several: bool) -> tuple[str, ...]:
    return MEASURES if several else MEASURES[:1]
