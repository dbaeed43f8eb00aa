"""What teaching changed: the readings of the sentences that were marked, and those of others.

A model that learns from a few marks may forget something else. So a set of other sentences is read before and after,
and every reading that changed is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from chorale.domain import Utterance, agreement
from chorale.evaluation.predictions import Prediction


class Predicts(Protocol):
    """What a model does."""

    domain: Any

    def predict(self, utterances: Sequence[Utterance]) -> list[Prediction]: ...
    def parse(self, sentence: str) -> Sequence[Any]: ...


@dataclass(frozen=True)
class Change:
    """A sentence and its reading before and after."""

    sentence: str
    before: str
    after: str
    right_before: int | None = None
    """With how many marks the reading agreed; None for sentences that were not marked."""
    right_after: int | None = None
    marks: int | None = None


@dataclass(frozen=True)
class Changes:
    """What teaching did."""

    marked: Sequence[Change]
    """What was taught, changed or not."""
    others: Sequence[Change]
    """Those of the other sentences that changed."""
    looked_at: int
    """How many others there were."""

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """For people."""
        for one in self.marked:
            yield one.sentence
            yield f"  before: {one.before}  ({one.right_before} of {one.marks} marks)"
            yield f"  after:  {one.after}  ({one.right_after} of {one.marks} marks)"
        yield f"{len(self.others)} of {self.looked_at} other sentences are read differently now"
        for one in self.others:
            yield one.sentence
            yield f"  before: {one.before}"
            yield f"  after:  {one.after}"


def changes_of(before: Predicts, after: Predicts, marked: Sequence[Utterance], others: Sequence[str]) -> Changes:
    """Compare what two models say about marked utterances, and how they read other sentences."""
    agrees = before.domain.agrees
    taught = []
    for utterance, old, new in zip(marked, before.predict(marked), after.predict(marked), strict=True):
        one, two = (sum(agreement(it.denotations, utterance.answers, agrees)) for it in (old, new))
        taught.append(Change(utterance.sentence, old.program, new.program, one, two, len(utterance.answers)))
    changed = []
    for sentence in dict.fromkeys(others):
        old_program, new_program = (_reading(model, sentence) for model in (before, after))
        if old_program != new_program:
            changed.append(Change(sentence, old_program, new_program))
    return Changes(taught, changed, len(dict.fromkeys(others)))


def _reading(model: Predicts, sentence: str) -> str:
    """The best program; empty if there is none."""
    found = model.parse(sentence)
    return found[0].program.text if found else ""
