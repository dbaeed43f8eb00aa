"""Robustness: how many right answers stay right when the utterance changes and what is right is known.

The changes are the domain's (`domain.probes`). An answer that is right for the right reason stays right under all of
them; one that was luck does not. So the share of right answers that stay right stands beside accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chorale.domain import Answers, Reading, Utterance
from chorale.domain.probes import Probes
from chorale.errors import ChoraleError

Predict = Callable[[Sequence[Utterance]], Sequence[Reading]]


@dataclass(frozen=True)
class Stayed:
    """Of how many right answers something was changed, and how many of these stayed right."""

    changed: int
    right: int

    @property
    def share(self) -> float | None:
        """None if nothing could be changed."""
        return self.right / self.changed if self.changed else None

    def to_json(self) -> dict[str, float | None]:
        return {"changed": self.changed, "share": self.share}


@dataclass(frozen=True)
class Robustness:
    """What `robustness_of` found."""

    utterances: int
    right: int
    """How many were answered rightly before anything was changed."""
    kinds: dict[str, Stayed]
    """By kind of change."""
    every: Stayed
    """Utterances of which something could be changed, and those that were right after each of the changes."""

    def to_json(self) -> dict[str, Any]:
        """The figures for machines."""
        kinds = {kind: one.to_json() for kind, one in self.kinds.items()}
        return {"right": self.right, "kinds": kinds, "every": self.every.to_json()}


def robustness_of(
    predict: Predict, probes: Probes, utterances: Sequence[Utterance], predictions: Sequence[Reading], compared: Answers
) -> Robustness:
    """Change the utterances that were answered rightly, and ask again."""
    if not utterances:
        raise ChoraleError("no utterances to probe")
    right = [
        (utterance, one)
        for utterance, one in zip(utterances, predictions, strict=True)
        if all(compared.right(one.answers or (), utterance.answers))
    ]
    changes = [(place, changed) for place, pair in enumerate(right) for changed in probes.changed(*pair)]
    again = predict([changed.utterance for _, changed in changes])
    stayed = [
        all(compared.right(one.answers or (), changed.utterance.answers))
        for (_, changed), one in zip(changes, again, strict=True)
    ]
    each: dict[int, bool] = {}
    for (place, _), flag in zip(changes, stayed, strict=True):
        each[place] = each.get(place, True) and flag
    kinds = {}
    for kind in probes.kinds:
        flags = [flag for (_, changed), flag in zip(changes, stayed, strict=True) if changed.kind == kind]
        kinds[kind] = Stayed(len(flags), sum(flags))
    return Robustness(len(utterances), len(right), kinds, Stayed(len(each), sum(each.values())))
