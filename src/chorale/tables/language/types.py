"""What programs over tables are made of.

All values are batches: arrays with one axis in front, a row for each program. Behind it come the table (the first one
and its altered copies) and the row of the table, so that rows of a program are a mask (batch, table, row). Values of
several parts are structured arrays without gaps, so that values mean the same if their bytes are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.language import Language
from chorale.tables.columns import Values
from chorale.tables.stack import NOTHING, Stack
from chorale.tables.table import Table

Bits = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ids = NDArray[np.intp]

Span = Annotated[NDArray[np.str_], "Span"]
"""Words of a question, stemmed, with single blanks between."""
Quantity = Annotated[Floats, "Quantity"]
"""A number that a question names."""
Decade = Annotated[Floats, "Decade"]
"""Its first year."""
Contrast = Annotated[Ids, "Contrast"]
"""Two words that a question asks to choose from, as their place among `CONTRASTS`."""
Moment = Annotated[Floats, "Moment"]
"""A date that a question names: year, month and day, NaN for what it does not say."""
Column = Annotated[Ids, "Column"]
"""Its place among the columns of the first table."""
View = Annotated[Ids, "View"]
"""Its place among the views of the first table."""
Condition = Annotated[NDArray[Any], "Condition"]
"""What is said of one column: the column, the kind (`KINDS`), the view or -1, and where it holds."""
Rows = Annotated[Bits, "Rows"]
"""(batch, table, row)."""
Pair = Annotated[Bits, "Pair"]
"""Rows and other rows, (batch, 2, table, row)."""
Cells = Annotated[NDArray[Any], "Cells"]
"""A column, and how often each of its values stands in some rows."""
Sums = Annotated[NDArray[Any], "Sums"]
"""A column, and what a view adds up to where each of its values stands; NaN if it has no number there."""
Averages = Annotated[NDArray[Any], "Averages"]
"""The same for averages."""
Answer = Annotated[NDArray[Any], "Answer"]
"""A tag, and what is said of each table: the values of a column, or a number; NaN if nothing is said."""

NO_VIEW = -1
CELLS, NUMBER, TRUTH, CONTRAST, DATE, TIME, COUNTS, TOTALS, AVERAGES = range(9)
"""Tags of answers. A truth is the number one or zero; a contrast one for its first word, minus one for its second and
zero for neither; dates are in days, times in seconds. Counts, totals and averages are a number for each value of a
column: the answer keeps the rows and, as its number, the view that they are made of (see `said`)."""
GROUPED = (COUNTS, TOTALS, AVERAGES)
CONTRASTS = (("more", "less"), ("above", "below"), ("higher", "lower"), ("larger", "smaller"), ("after", "before"))
"""Words for a larger and for a smaller number."""


class OverTables(Language):
    """What all parts of the language share: the tables, and how values of several parts look."""

    def __init__(self, tables: Sequence[Table]) -> None:
        if not all(map(len, tables)):
            raise ChoraleError("a table without rows: there is nothing to ask about it")
        self.stack = Stack(tables)

    # -- how values look -----------------------------------------------------------------------------------------------

    @cached_property
    def most_values(self) -> int:
        """How many values a column has at most."""
        return max(map(len, self.values))

    @cached_property
    def condition_type(self) -> np.dtype[Any]:
        """How a condition looks."""
        return np.dtype([("column", "i2"), ("kind", "u1"), ("view", "i2"), ("mask", "?", self.stack.shape)])

    @cached_property
    def cells_type(self) -> np.dtype[Any]:
        """How cells look."""
        times = "u2" if self.stack.shape[1] <= np.iinfo("u2").max else "u4"
        return np.dtype([("column", "i2"), ("times", times, (self.stack.shape[0], self.most_values))])

    @cached_property
    def sums_type(self) -> np.dtype[Any]:
        """How sums look."""
        return np.dtype([("column", "i2"), ("sums", "f8", (self.stack.shape[0], self.most_values))])

    @cached_property
    def answer_type(self) -> np.dtype[Any]:
        """How an answer looks; its values are packed, eight a byte, or its rows if it is a number for each value."""
        tables, rows = self.stack.shape
        width = -(-max(self.most_values, rows) // 8)
        return np.dtype(
            [("tag", "u1"), ("column", "i2"), ("number", "f8", (tables,)), ("values", "u1", (tables, width))]
        )

    # -- what is read from the tables ----------------------------------------------------------------------------------

    @cached_property
    def there(self) -> Bits:
        """Which cells are there, (column, table, row)."""
        return bits(self.stack.ids != NOTHING)

    @cached_property
    def values(self) -> tuple[Values, ...]:
        """The values of each column; behind them those that columns list, each as a column of its own."""
        return (*self.stack.values, *(self.stack.values[column].items.values for column in self.listing))

    @cached_property
    def listing(self) -> dict[int, int]:
        """For each column that lists things in its cells the place of these among `values`."""
        columns = [view.column for view in self.stack.table.views if view.kind == "items"]
        return {column: len(self.stack.values) + place for place, column in enumerate(columns)}

    @cached_property
    def view_kinds(self) -> NDArray[np.str_]:
        """What each view reads, (view,)."""
        return np.array([view.kind for view in self.stack.table.views], np.str_)

    @cached_property
    def view_columns(self) -> Ids:
        """The column of each view, (view,)."""
        return np.array([view.column for view in self.stack.table.views], np.intp)

    def numbers(self, view: Ids, rows: Bits) -> Floats:
        """What a view reads in some rows, NaN elsewhere, (batch, table, row)."""
        return np.where(rows, self.stack.numbers[view], np.nan)


def bits(flags: Any) -> Bits:
    """What numpy's comparisons give, which it does not say for all arrays."""
    return np.asarray(flags, np.bool_)


def first_of(rows: Bits) -> Ids:
    """The first of some rows, (batch, table); zero if there is none."""
    ids: Ids = rows.argmax(axis=-1)
    return ids


def at_row(values: NDArray[Any], row: Ids) -> NDArray[Any]:
    """What stands in one row of each table, (batch, table)."""
    return np.take_along_axis(values, row[..., None], axis=-1)[..., 0]
