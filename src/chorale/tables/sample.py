"""Samples: a few rows of a large table that are read as the whole is.

A program means the same on a sample as on its whole, but for what it gives: columns have the names, types, views and
notations of the whole, though a few rows alone might look otherwise. So programs that were found on a sample run on the
whole, and what features see of columns are figures of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.tables.columns import ColumnType, Kind, Numbers, Values
from chorale.tables.dates import Date
from chorale.tables.table import Column, Table, View

Chosen = NDArray[np.intp]
"""Places of rows, ascending."""


class Sample(Table):
    """Some rows of a table."""

    def __init__(self, whole: Table, chosen: Chosen) -> None:
        self.header, self.path = whole.header, None
        self.notations, self.source, self.notes = whole.notations, None, whole.notes
        self.whole, self.chosen = whole, chosen
        self._rows = tuple(whole.rows[place] for place in chosen.tolist())

    @property
    def _content(self) -> tuple[Any, ...]:
        return Sample, self.chosen.tolist(), self.whole

    @cached_property
    def _hash(self) -> int:
        return hash((self.whole, self.chosen.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Sample, (self.whole, self.chosen)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(map(self._column, self.whole.columns))

    def _column(self, it: Column) -> Column:
        places, ids = np.unique(it.ids[self.chosen], return_inverse=True)
        values = SomeValues(it.values, places.tolist())
        return _SampledColumn(it.name, it.header, it.index, it.source, it.part, values, ids, it.distinct)

    @cached_property
    def views(self) -> tuple[View, ...]:
        return tuple(View(it.column, it.kind, it.numbers[self.chosen]) for it in self.whole.views)

    @cached_property
    def total(self) -> NDArray[np.bool_]:
        return self.whole.total[self.chosen]

    @cached_property
    def total_label(self) -> int | None:
        return self.whole.total_label


@dataclass(frozen=True, eq=False)
class _SampledColumn(Column):
    """A column of a sample."""

    of_whole: float
    """What the whole has as `distinct`."""

    @property
    def distinct(self) -> float:
        return self.of_whole


class SomeValues(Values):
    """Some of the values of a column."""

    def __init__(self, whole: Values, places: Sequence[int]) -> None:
        texts, plains, keys = ([texts[it] for it in places] for texts in (whole.texts, whole.plains, whole.keys))
        super().__init__(texts, plains, keys, whole.notation)
        self._whole, self._places = whole, np.array(places, np.intp)

    @cached_property
    def type(self) -> ColumnType:
        return self._whole.type

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        return self._whole.kinds

    @cached_property
    def look(self) -> str:
        return self._whole.look

    @cached_property
    def whole_share(self) -> float:
        return self._whole.whole_share

    @cached_property
    def dates(self) -> tuple[Date | None, ...]:
        return tuple(self._whole.dates[place] for place in self._places.tolist())

    @cached_property
    def whole(self) -> Numbers:
        return self._whole.whole[self._places]

    def _made(self, kind: Kind) -> Numbers:
        return self._whole.read(kind)[self._places]
