"""What teaching changed: the readings of the sentences that were marked, and those of others.

A model that learns from a few marks may forget something else. So a set of other sentences is read before and after,
and every reading that changed is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from chorale.domain import Domain, Reading, Unlabelled, Utterance
from chorale.errors import ChoraleError


class Predicts(Protocol):
    """What a model does."""

    domain: Domain

    def predict(self, utterances: Sequence[Utterance]) -> list[Reading]: ...
    def read(self, utterances: Sequence[Utterance]) -> list[list[Reading]]: ...


@dataclass(frozen=True)
class Retaught:
    """A sentence and its best reading before and after; None if it had none."""

    sentence: str
    before: Reading | None
    after: Reading | None
    right_before: int | None = None
    """With how many marks the reading agreed; None for sentences that were not marked."""
    right_after: int | None = None
    marks: int | None = None

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        shown = {"sentence": self.sentence, "before": _text(self.before), "after": _text(self.after)}
        return {**shown, "right_before": self.right_before, "right_after": self.right_after, "marks": self.marks}


@dataclass(frozen=True)
class Changes:
    """What teaching did."""

    marked: Sequence[Retaught]
    """What was taught, changed or not."""
    others: Sequence[Retaught]
    """Those of the other sentences that changed."""
    looked_at: int
    """How many others there were."""

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        marked, others = ([one.to_json() for one in some] for some in (self.marked, self.others))
        return {"marked": marked, "others": others, "looked_at": self.looked_at}

    def lines(self) -> Iterator[str]:
        """For people."""
        for one in self.marked:
            yield one.sentence
            yield f"  before: {_text(one.before)}  ({one.right_before} of {one.marks} marks)"
            yield f"  after:  {_text(one.after)}  ({one.right_after} of {one.marks} marks)"
        if self.looked_at:
            yield f"{len(self.others)} of {self.looked_at} other sentences are read differently now"
        else:
            yield "no other sentences were looked at; name a data file of them: --others FILE"
        for one in self.others:
            yield one.sentence
            yield f"  before: {_text(one.before)}"
            yield f"  after:  {_text(one.after)}"


def watched(domain: Domain, language: str, others: Sequence[Utterance] | None = None) -> list[Utterance]:
    """The utterances whose readings are compared: those that were named, or the domain's own sentences."""
    if others is not None:
        return list(others)
    own: list[Utterance] = [Unlabelled(sentence) for sentence in dict.fromkeys(domain.sentences)]
    if own and domain.has_constants(language):
        raise ChoraleError(f"{domain.name}: `Domain.sentences` are read without a context, which these sentences need")
    return own


def changes_of(before: Predicts, after: Predicts, marked: Sequence[Utterance], others: Sequence[Utterance]) -> Changes:
    """Compare what two models say about marked utterances, and how they read others."""
    right, taught = before.domain.answers.right, []
    for utterance, old, new in zip(marked, before.predict(marked), after.predict(marked), strict=True):
        one, two = (sum(right(it.answers or (), utterance.answers)) for it in (old, new))
        taught.append(Retaught(utterance.sentence, old, new, one, two, len(utterance.answers)))
    asked = list({before.domain.identity(it): it for it in others}.values())
    changed = []
    for utterance, old_beam, new_beam in zip(asked, before.read(asked), after.read(asked), strict=True):
        first, second = (beam[0] if beam else None for beam in (old_beam, new_beam))
        if _text(first) != _text(second):
            changed.append(Retaught(utterance.sentence, first, second))
    return Changes(taught, changed, len(asked))


def _text(reading: Reading | None) -> str:
    """The program; empty if there is none."""
    return "" if reading is None else reading.program.text
