"""Levels: the entries of one state with one number of actions, as columns.

What an entry was made of is kept as numbers as well: a *source* (a production with the levels of its children) and a
row in each of these levels. Nothing is built per entry until somebody asks for its program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.search.batches import Rows, joined, take
from chorale.search.budget import Usage

Ref = tuple[int, int, int]  # state, cost, row
Source = tuple[int, tuple[tuple[int, int], ...]]  # production, and for each child: state, cost


@dataclass(slots=True)
class Level:
    """Entries, one a row."""

    values: list[Any]
    """Batches: one for a basic type, one per probe for a function, none for the name of a head."""
    usage: Usage
    """What each entry uses of the budget."""
    sources: tuple[Source, ...]
    made: NDArray[np.intp]
    """Which source each entry has, (entry,)."""
    parts: NDArray[np.intp]
    """The rows of its children, (entry, child)."""

    @staticmethod
    def of(values: list[Any], usage: Usage, source: Source, parts: Sequence[Rows | int], width: int) -> Level:
        """Entries that have one source; a part may be the same row for all of them."""
        rows = np.zeros((len(usage), width), dtype=np.intp)
        for place, part in enumerate(parts):
            rows[:, place] = part
        return Level(values, usage, (source,), np.zeros(len(usage), dtype=np.intp), rows)

    @staticmethod
    def joined(levels: Sequence[Level]) -> Level:
        """Levels one behind another."""
        if len(levels) == 1:
            return levels[0]
        starts = np.cumsum([0, *(len(level.sources) for level in levels[:-1])])
        return Level(
            [joined(batches) for batches in zip(*(level.values for level in levels), strict=True)],
            np.concatenate([level.usage for level in levels]),
            tuple(source for level in levels for source in level.sources),
            np.concatenate([level.made + start for level, start in zip(levels, starts, strict=True)]),
            np.concatenate([level.parts for level in levels]),
        )

    def take(self, rows: Rows) -> Level:
        """Some of the entries."""
        values = [take(batch, rows) for batch in self.values]
        return Level(values, self.usage[rows], self.sources, self.made[rows], self.parts[rows])

    def __len__(self) -> int:
        return len(self.usage)

    def production(self, row: int) -> int:
        """The production at the root of an entry."""
        number, _ = self.sources[int(self.made[row])]
        return number

    def children(self, row: int) -> tuple[Ref, ...]:
        """What an entry was made of."""
        _, places = self.sources[int(self.made[row])]
        rows = self.parts[row].tolist()
        return tuple((state, cost, part) for (state, cost), part in zip(places, rows, strict=False))
