"""Entries: the sub-programs of one state with one number of actions, as columns.

A column (a *batch*) holds the values of all entries, and one call computes it. A language that *stacks*
(`Language.stacks`) lets its functions work on values with one more axis in front, one row a program. Its values are
arrays, or objects with `take`, `joined` and `keys`. The values of any other language are kept in plain lists and its
functions are called row by row.

What an entry was made of is kept as numbers as well: a *source* (a production with the entries of its children) and a
row in each of these. Nothing is built per entry until somebody asks for its program.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.search.budget import Usage

Rows = NDArray[np.intp]
Ref = tuple[int, int, int]  # state, cost, row
Source = tuple[int, tuple[tuple[int, int], ...]]  # production, and for each child: state, cost


@cache
def number_of(name: str) -> int:
    """A number of 64 bits that looks random, so that different collections of names have different sums."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())


@dataclass
class Entries:
    """Entries, one a row."""

    values: list[Any]
    """Batches: one for a basic type, one per probe for a function, none for the name of a head."""
    usage: Usage
    """What each entry uses of the budget."""
    gaps: Usage
    """How far each entry and its parts are from the order of the words: phrases in between that others say
    (`Budget.gaps`), and functions that stand after what they are called with (`Budget.turned`)."""
    names: NDArray[np.uint64]
    """Which functions and constants each entry uses, and how often, as the sum of their numbers (`number_of`)."""
    sources: tuple[Source, ...]
    made: NDArray[np.intp]
    """Which source each entry has, (entry,)."""
    parts: NDArray[np.intp]
    """The rows of its children, (entry, child)."""

    @staticmethod
    def of(
        values: list[Any],
        usage: Usage,
        gaps: Usage,
        names: NDArray[np.uint64],
        source: Source,
        parts: Sequence[Rows | int],
        width: int,
    ) -> Entries:
        """Entries that have one source; a part may be the same row for all of them."""
        rows = np.zeros((len(usage), width), dtype=np.intp)
        for child, part in enumerate(parts):
            rows[:, child] = part
        return Entries(values, usage, gaps, names, (source,), np.zeros(len(usage), dtype=np.intp), rows)

    @staticmethod
    def joined(several: Sequence[Entries]) -> Entries:
        """Entries one after another."""
        if len(several) == 1:
            return several[0]
        starts = np.cumsum([0, *(len(entries.sources) for entries in several[:-1])])
        return Entries(
            [joined(batches) for batches in zip(*(entries.values for entries in several), strict=True)],
            np.concatenate([entries.usage for entries in several]),
            np.concatenate([entries.gaps for entries in several]),
            np.concatenate([entries.names for entries in several]),
            tuple(source for entries in several for source in entries.sources),
            np.concatenate([entries.made + start for entries, start in zip(several, starts, strict=True)]),
            np.concatenate([entries.parts for entries in several]),
        )

    def take(self, rows: Rows) -> Entries:
        """Some of the entries."""
        values = [take(batch, rows) for batch in self.values]
        usage, gaps, names = self.usage[rows], self.gaps[rows], self.names[rows]
        return Entries(values, usage, gaps, names, self.sources, self.made[rows], self.parts[rows])

    def __len__(self) -> int:
        return len(self.usage)

    def production(self, row: int) -> int:
        """The production at the root of an entry."""
        return self.sources[self._listed[0][row]][0]

    @cached_property
    def least(self) -> int:
        """What each of the entries uses at least: a count has no bit in it that all of theirs do not have."""
        return int(np.bitwise_and.reduce(self.usage))

    def collection(self, row: int) -> int:
        """The number of the functions and constants that an entry uses."""
        return self._listed[2][row]

    def children(self, row: int) -> list[Ref]:
        """What an entry was made of."""
        made, parts, _ = self._listed
        _, sources = self.sources[made[row]]
        return [(state, cost, part) for (state, cost), part in zip(sources, parts[row], strict=False)]

    @cached_property
    def _listed(self) -> tuple[list[int], list[list[int]], list[int]]:
        """What entries were made of and use, as lists: to take single numbers out of arrays is slow."""
        return self.made.tolist(), self.parts.tolist(), self.names.tolist()


@dataclass
class Offer:
    """Entries that could be made: what each would use is known, all else is computed for those that are wanted."""

    usage: Usage
    gaps: Usage
    make: Callable[[Rows], Entries]
    """Some of them, by their rows, which ascend."""

    @cached_property
    def whole(self) -> Entries:
        """All of them."""
        return self.make(np.arange(len(self.usage)))

    @staticmethod
    def of(entries: Entries) -> Offer:
        """Entries that were made already."""
        offer = Offer(entries.usage, entries.gaps, entries.take)
        offer.__dict__["whole"] = entries
        return offer


def chosen_of(offers: Sequence[Offer], rows: Rows) -> Entries:
    """Entries of several offers, by rows that ascend and count through all of them."""
    ends = np.cumsum([len(offer.usage) for offer in offers])
    bounds = np.searchsorted(rows, ends)
    pieces = []
    for number, (start, end) in enumerate(zip([0, *bounds[:-1]], bounds, strict=True)):
        if start < end:
            before = ends[number - 1] if number else 0
            pieces.append(offers[number].make(rows[start:end] - before))
    return Entries.joined(pieces)


# -- batches -----------------------------------------------------------------------------------------------------------


def take(batch: Any, rows: Rows) -> Any:
    """Some rows of a batch."""
    if isinstance(batch, list):
        return [batch[row] for row in rows]
    return batch[rows] if isinstance(batch, np.ndarray) else batch.take(rows)


def joined(batches: Sequence[Any]) -> Any:
    """Batches one after another."""
    if isinstance(batches[0], list):
        return [value for batch in batches for value in batch]
    return np.concatenate(batches) if isinstance(batches[0], np.ndarray) else batches[0].joined(batches)


def called(function: Callable[..., Any], arguments: Sequence[Any], stacks: bool) -> Any:
    """The function's values for all rows."""
    return function(*arguments) if stacks else [function(*row) for row in zip(*arguments, strict=True)]


def equal(one: Any, other: Any) -> NDArray[np.bool_]:
    """Which rows of two batches have the same value; batches that are not kept alike have none."""
    if isinstance(one, list):
        return np.array([value == same for value, same in zip(one, other, strict=True)], dtype=bool)
    left, right = _words(one), _words(other)
    if left.shape != right.shape:
        return np.zeros(len(left), dtype=bool)
    same: NDArray[np.bool_] = (left == right).reshape(len(left), -1).all(axis=1)
    return same


def keys(batches: Sequence[Any], usage: Usage) -> list[Hashable]:
    """What tells entries apart: their values and what they use."""
    if all(isinstance(batch, list) for batch in batches):
        return list(zip(usage.tolist(), *batches, strict=True))
    columns = [np.ascontiguousarray(column) for column in (usage, *map(_words, batches))]
    table = np.concatenate([column.view(np.uint8).reshape(len(usage), -1) for column in columns], axis=1)
    width, data = table.shape[1], table.tobytes()
    return [data[start : start + width] for start in range(0, len(data), width)]


def _words(batch: Any) -> NDArray[Any]:
    """The values of a batch as machine words."""
    words: NDArray[Any] = batch if isinstance(batch, np.ndarray) else batch.keys()
    return words
