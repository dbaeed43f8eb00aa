"""Utterances: a sentence, the contexts it was said of, and the right answer in each.

A *context* is what a program runs on: a picture, a table. An *answer* is what it says there: true, a list of values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from chorale.errors import ChoraleError

Answer = Hashable

MOST_LETTERS = 2_000
"""The longest sentence that is read: a search grows with its words, and nobody says so much in one."""


class Utterance(Protocol):
    """Anything with these four; an answer is None where it is not known.

    One whose contexts have names of their own in the data may also have `pairs`: the line and the name of each.
    """

    @property
    def identifier(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def contexts(self) -> Sequence[Any]: ...
    @property
    def answers(self) -> Sequence[Answer | None]: ...


@dataclass(frozen=True)
class Unlabelled:
    """A sentence that someone just said, about contexts without known answers."""

    sentence: str
    contexts: tuple[Any, ...] = ()
    identifier: str = "said"

    def __post_init__(self) -> None:
        check_sentence(self.sentence)

    @property
    def answers(self) -> tuple[None, ...]:
        return (None,) * len(self.contexts)


def check_sentence(sentence: str) -> None:
    """Refuse a sentence that is too long."""
    if len(sentence) > MOST_LETTERS:
        raise ChoraleError(f"a sentence of {len(sentence):,} letters; at most {MOST_LETTERS:,} are read")


def utterances_of(given: Any) -> Sequence[Utterance]:
    """Utterances that somebody gave; raises `ChoraleError` if they are none."""
    if isinstance(given, Sequence) and all(hasattr(one, "sentence") and hasattr(one, "contexts") for one in given):
        return given
    raise ChoraleError(
        f"expected a list of utterances, as `Domain.read` gives it; found {type(given).__name__} {given!r:.60}"
    )


def pairs_of(utterance: Utterance) -> Sequence[tuple[int, str]]:
    """Where each context of an utterance stands in the data, and what it is called there; else they are numbered."""
    named: Sequence[tuple[int, str]] | None = getattr(utterance, "pairs", None)
    return named or [(0, f"{utterance.identifier}-{number}") for number in range(len(utterance.contexts))]
