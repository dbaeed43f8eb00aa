"""Abstracted sentences: what is left of a sentence, and of its programs, when the words that vary are slots.

Sentences with the same abstract utterance mean the same up to their fillings, so a program of one of them, made
abstract and filled again, can be tried on all the others. A domain says which words vary; training ties together what
it learns from sentences that differ only in these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol


class Abstracted(Protocol):
    """A sentence with slots, and what stands in them."""

    @property
    def text(self) -> str:
        """The abstract utterance."""
        ...

    @property
    def values(self) -> Mapping[str, str]:
        """What stands in its slots."""
        ...

    def program(self, text: str) -> str:
        """The text of a program with the slots of this sentence in it."""
        ...

    def fill(self, program: str) -> str | None:
        """An abstract program with what stands in the slots of this sentence; None if it has a slot too many."""
        ...


class Abstractions(Protocol):
    """What a domain knows about the slots of its sentences. A capability; Abs. Sup. needs it."""

    def kind(self, sentence: str) -> str:
        """The kind of a sentence, coarser than `slotted`: scores are given for kinds that train has and has not."""
        ...

    def slotted(self, sentence: str) -> Abstracted:
        """The sentence with slots for all words that vary; its programs have them too."""
        ...

    def examples(self, language: str, file: str = "") -> Mapping[str, Sequence[str]]:
        """Abstract utterances, as `slotted` writes them, with abstract programs, the most plausible first.

        They are the domain's own, or those of a file.
        """
        ...

    def filled(self, language: str, rng: Random, total: int, file: str = "") -> list[tuple[str, str]]:
        """About `total` sentences with programs: abstract examples whose slots are filled at random."""
        ...


@dataclass(frozen=True, slots=True)
class Plain:
    """A sentence without slots, for domains without abstractions: it has only its own words in common with others."""

    text: str
    values: Mapping[str, str] = field(default_factory=dict, hash=False)

    def program(self, text: str) -> str:
        return text

    def fill(self, program: str) -> str | None:
        return program
