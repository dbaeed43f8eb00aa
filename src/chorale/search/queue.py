"""A queue of entries that are offered: those that answer most words first, and of these those with the fewest gaps.

They are made a chunk at a time. The consumer stops when it has enough, and the rest is never made.
States of a grammar that differ little are offered the same entries, and share a queue.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chorale.search.budget import Budget
from chorale.search.entries import Entries, Offer, Rows, chosen_of, keys

_CHUNK = 512  # entries


@dataclass(frozen=True)
class Chunk:
    """Some entries, ready to be compared."""

    level: Entries
    keys: list[Hashable]
    """What tells them apart."""
    order: list[int]
    """The order in which they are looked at."""
    rows: Rows
    """Their places among all that is offered, which ascend."""

    @staticmethod
    def of(level: Entries) -> Chunk:
        """All entries of a level."""
        order = np.argsort(level.gaps, kind="stable").tolist()  # of equal ones the one nearest to the words stays
        return Chunk(level, keys(level.values, level.usage), order, np.arange(len(level)))


class Queue:
    """Can be gone through as often as needed; a chunk is made when it is first asked for."""

    def __init__(self, offers: Sequence[Offer], budget: Budget) -> None:
        self._offers, self._made = offers, list[Chunk]()
        answers = budget.answers(np.concatenate([offer.usage for offer in offers]))
        gaps = np.concatenate([offer.gaps for offer in offers])
        self._order = np.lexsort((gaps, -answers))

    def __iter__(self) -> Iterator[Chunk]:
        for number, start in enumerate(range(0, len(self._order), _CHUNK)):
            if number == len(self._made):
                self._made.append(self._chunk(self._order[start : start + _CHUNK]))
            yield self._made[number]

    @property
    def whole(self) -> Entries:
        """All that is offered, as it comes."""
        return Entries.joined([offer.whole for offer in self._offers])

    def _chunk(self, wanted: Rows) -> Chunk:
        place = np.argsort(wanted)
        level = chosen_of(self._offers, wanted[place])
        return Chunk(level, keys(level.values, level.usage), np.argsort(place).tolist(), wanted[place])
