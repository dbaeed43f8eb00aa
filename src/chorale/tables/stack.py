"""Several tables as arrays, for functions that work on all of them at once.

Rows of a program are a mask (table, row), and a batch of programs has one axis more in front. All arrays here have the
axes (table, row) at the end: the first table and its altered copies, or any tables with the same columns. A table with
fewer rows, or without one of the columns, has `NOTHING` and NaN there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.tables.columns import Kind, Values
from chorale.tables.table import Column, Table

NOTHING = -1
"""The value of a cell that is not there."""


class Stack:
    """Tables one upon the other. Columns, their types and views are those of the first."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tuple(tables)
        self.table = self.tables[0]
        """Whose columns and views these are."""
        self.shape = len(self.tables), max(map(len, self.tables))
        """How many tables and rows there are."""

    @cached_property
    def _places(self) -> NDArray[np.intp] | None:
        """Where cells come from if all tables rearrange the same one, (column, table, row)."""
        original = self.table.original
        if any(table.original is not original for table in self.tables):
            return None
        return np.stack([table.places for table in self.tables], axis=1)

    @cached_property
    def rows(self) -> NDArray[np.bool_]:
        """Which rows are there, (table, row)."""
        lengths = np.array([len(table) for table in self.tables])
        return np.arange(self.shape[1]) < lengths[:, None]

    @cached_property
    def total(self) -> NDArray[np.bool_]:
        """The rows that say what others add up to, (table, row)."""
        if self._places is None:
            return self._put([table.total for table in self.tables], False, bool)
        total, label = self.table.original.total, self.table.total_label
        return np.zeros(self.shape, bool) if label is None else total[self._places[label]]

    @cached_property
    def values(self) -> tuple[Values, ...]:
        """The distinct values of each column in all tables."""
        return tuple(values for values, _ in self._columns)

    @cached_property
    def ids(self) -> NDArray[np.intp]:
        """Which of the values of its column each cell has, (column, table, row)."""
        return np.stack([ids for _, ids in self._columns])

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which cells are there and empty, (column, table, row)."""
        flags = [np.append(values.empty, False) for values in self.values]  # the last is for cells that are not there
        return np.stack([flag[ids] for flag, ids in zip(flags, self.ids, strict=True)])

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """What the views of the first table read, NaN where there is none, (view, table, row)."""
        views = self.table.views
        if not views:
            return np.zeros((0, *self.shape))
        return np.stack([self.read(view.column, view.kind) for view in views])

    def read(self, column: int, kind: Kind) -> NDArray[np.float64]:
        """The cells of a column as numbers, (table, row); whether or not it has this view."""
        source = self.table.columns[column]
        if self._places is not None:
            shared: NDArray[np.float64] = self.table.original.columns[column].read(kind)[self._places[source.source]]
            return shared
        columns = [table.column(source.name) for table in self.tables]
        return self._put([np.zeros(0) if it is None else it.read(kind) for it in columns], np.nan, float)

    @cached_property
    def _columns(self) -> list[tuple[Values, NDArray[np.intp]]]:
        """The values and the ids of each column."""
        if self._places is not None:
            return [(it.values, it.ids[self._places[it.source]]) for it in self.table.original.columns]
        return [self._merged(column) for column in self.table.columns]

    def _merged(self, column: Column) -> tuple[Values, NDArray[np.intp]]:
        """The values that a column has in any table, and those of each cell."""
        known: dict[str, tuple[int, str, str]] = {}
        ids = []
        for table in self.tables:
            own = table.column(column.name)
            if own is None:
                ids.append(np.zeros(0, np.intp))
                continue
            values = own.values
            of_key = [
                known.setdefault(key, (len(known), text, plain))[0]
                for key, text, plain in zip(values.keys, values.texts, values.plains, strict=True)
            ]
            ids.append(np.array(of_key, np.intp)[own.ids])
        texts, plains = [text for _, text, _ in known.values()], [plain for _, _, plain in known.values()]
        return Values(texts, plains, list(known), column.values.notation), self._put(ids, NOTHING, np.intp)

    def _put(self, parts: Sequence[NDArray[Any]], missing: Any, kind: Any) -> NDArray[Any]:
        """What each table has, one upon the other, (table, row)."""
        whole = np.full(self.shape, missing, kind)
        for row, part in zip(whole, parts, strict=True):
            row[: len(part)] = part
        return whole
