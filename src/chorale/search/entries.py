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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.search.budget import Usage

Rows = NDArray[np.intp]
Ref = tuple[int, int, int]  # state, cost, row
Source = tuple[int, tuple[tuple[int, int], ...]]  # production, and for each child: state, cost


@dataclass(slots=True)
class Entries:
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
    def of(values: list[Any], usage: Usage, source: Source, parts: Sequence[Rows | int], width: int) -> Entries:
        """Entries that have one source; a part may be the same row for all of them."""
        rows = np.zeros((len(usage), width), dtype=np.intp)
        for child, part in enumerate(parts):
            rows[:, child] = part
        return Entries(values, usage, (source,), np.zeros(len(usage), dtype=np.intp), rows)

    @staticmethod
    def joined(several: Sequence[Entries]) -> Entries:
        """Entries one after another."""
        if len(several) == 1:
            return several[0]
        starts = np.cumsum([0, *(len(entries.sources) for entries in several[:-1])])
        return Entries(
            [joined(batches) for batches in zip(*(entries.values for entries in several), strict=True)],
            np.concatenate([entries.usage for entries in several]),
            tuple(source for entries in several for source in entries.sources),
            np.concatenate([entries.made + start for entries, start in zip(several, starts, strict=True)]),
            np.concatenate([entries.parts for entries in several]),
        )

    def take(self, rows: Rows) -> Entries:
        """Some of the entries."""
        values = [take(batch, rows) for batch in self.values]
        return Entries(values, self.usage[rows], self.sources, self.made[rows], self.parts[rows])

    def __len__(self) -> int:
        return len(self.usage)

    def production(self, row: int) -> int:
        """The production at the root of an entry."""
        return self.sources[int(self.made[row])][0]

    def children(self, row: int) -> tuple[Ref, ...]:
        """What an entry was made of."""
        _, sources = self.sources[int(self.made[row])]
        rows = self.parts[row].tolist()
        return tuple((state, cost, part) for (state, cost), part in zip(sources, rows, strict=False))


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
    table = np.hstack([column.view(np.uint8).reshape(len(usage), -1) for column in columns])
    width, data = table.shape[1], table.tobytes()
    return [data[start : start + width] for start in range(0, len(data), width)]


def _words(batch: Any) -> NDArray[Any]:
    """The values of a batch as machine words."""
    words: NDArray[Any] = batch if isinstance(batch, np.ndarray) else batch.keys()
    return words
