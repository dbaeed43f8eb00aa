"""Probes: changed versions of an utterance, of which it is known what is right.

A program that is right by accident soon fails when something irrelevant changes, or keeps an answer that is no
longer right. A capability; `chorale evaluate --probe` measures with it how many right answers stay right.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chorale.domain.reading import Reading
from chorale.domain.utterance import Utterance


@dataclass(frozen=True)
class Changed:
    """An utterance after a change; its answers are what is right now."""

    kind: str
    """What was changed; one of `Probes.kinds`."""
    utterance: Utterance


class Probes(ABC):
    """Knows what can be changed about an utterance."""

    kinds: Sequence[str]
    """The kinds of changes, in the order in which they are shown."""

    @abstractmethod
    def changed(self, utterance: Utterance, reading: Reading) -> Iterator[Changed]:
        """Changed versions of an utterance that was answered rightly, one of each kind at most.

        What is right is known from the utterance's own answer where that is certain, else from the program of the
        reading. The same utterance is always changed alike.
        """
