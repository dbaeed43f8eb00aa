"""Abstracted sentences: what is left of a sentence, and of its programs, when the words that vary are slots.

Sentences with the same abstract utterance mean the same up to their fillings, so a program of one of them, made
abstract and filled again, can be tried on all the others. A domain says which words vary; training ties together what
it learns from sentences that differ only in these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Abstracted(Protocol):
    """A sentence with slots, and what stands in them."""

    @property
    def text(self) -> str:
        """The abstract utterance."""
        ...

    def program(self, text: str) -> str:
        """The text of a program with the slots of this sentence in it."""
        ...

    def fill(self, program: str) -> str | None:
        """An abstract program with what stands in the slots of this sentence; None if it has a slot too many."""
        ...


@dataclass(frozen=True, slots=True)
class Plain:
    """A sentence without slots: it has only its own words in common with others."""

    text: str

    def program(self, text: str) -> str:
        return text

    def fill(self, program: str) -> str | None:
        return program
