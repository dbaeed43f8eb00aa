"""Answers: the cells of some rows, how many there are, what their numbers come to, whether something is so.

Cells without a number are left out of what numbers come to. Where nothing can be said of a table (the average of no
numbers) there is no answer on it; whatever has none on the first table is undefined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chorale.language import function
from chorale.tables.language.types import (
    CELLS,
    NUMBER,
    TRUTH,
    Answer,
    Bits,
    Cells,
    Column,
    Floats,
    Ids,
    OverTables,
    Pair,
    Rows,
    Sums,
    View,
    at_row,
    bits,
    first_of,
)


class Said(OverTables):
    """How answers are put together."""

    def _cells(self, column: NDArray[np.int16], values: Bits) -> Answer:
        """Some values of a column, (batch, table, value)."""
        found: Answer = np.zeros(len(column), self.answer_type)
        found["tag"], found["column"], found["number"] = CELLS, column, np.nan
        found["values"] = np.packbits(values, axis=-1)
        return found

    def _number(self, number: NDArray[np.generic], tag: int = NUMBER) -> Answer:
        """A number on each table, (batch, table)."""
        found: Answer = np.zeros(len(number), self.answer_type)
        plain = np.asarray(number, np.float64) + 0.0  # minus zero has other bytes than zero, and so has minus NaN
        found["tag"], found["number"] = tag, np.where(np.isnan(plain), np.nan, plain)
        return found


class OfCells(Said):
    """Answers about the values that stand in some rows."""

    @function
    def cells(self, column: Column, rows: Rows) -> Cells:
        found: Cells = np.zeros(len(column), self.cells_type)
        found["column"], found["times"] = column, self._per_value(column, rows, None)
        return found

    @function
    def totals(self, column: Column, view: View, rows: Rows) -> Sums:
        """What the numbers of the rows with each value add up to."""
        numbers = self.numbers(view, rows)
        known = ~np.isnan(numbers)
        sums = self._per_value(column, known, numbers)
        found: Sums = np.zeros(len(column), self.sums_type)
        found["column"] = column
        found["sums"] = np.where(self._per_value(column, known, None) > 0, sums + 0.0, np.nan)
        return found

    def _per_value(self, column: Ids, rows: Bits, weights: Floats | None) -> Floats:
        """How many rows have each value, or what they weigh, (batch, table, value)."""
        shape = (*rows.shape[:2], self.most_values)
        batch, table, row = (rows & self.there[column]).nonzero()
        places = np.ravel_multi_index((batch, table, self.stack.ids[column[batch], table, row]), shape)
        heavy = None if weights is None else weights[batch, table, row]
        return np.bincount(places, heavy, minlength=int(np.prod(shape))).reshape(shape)

    @function
    def look_up(self, cells: Cells) -> Answer:
        return self._cells(cells["column"], cells["times"] > 0)

    @function
    def most_common(self, cells: Cells) -> Answer:
        times = cells["times"]
        return self._cells(cells["column"], (times == times.max(axis=-1, keepdims=True)) & (times > 0))

    @function
    def least_common(self, cells: Cells) -> Answer:
        times = np.where(cells["times"] > 0, cells["times"], np.inf)
        return self._cells(cells["column"], (times == times.min(axis=-1, keepdims=True)) & (times < np.inf))

    @function
    def times_most_common(self, cells: Cells) -> Answer:
        return self._number(cells["times"].max(axis=-1))

    @function
    def count_different(self, cells: Cells) -> Answer:
        return self._number((cells["times"] > 0).sum(axis=-1))

    @function
    def most_in_total(self, sums: Sums) -> Answer:
        return self._most(sums["column"], sums["sums"])

    @function
    def least_in_total(self, sums: Sums) -> Answer:
        return self._most(sums["column"], -sums["sums"])

    def _most(self, column: NDArray[np.int16], sums: Floats) -> Answer:
        known = np.where(np.isnan(sums), -np.inf, sums)
        return self._cells(column, (known == known.max(axis=-1, keepdims=True)) & (known > -np.inf))


class OfNumbers(Said):
    """Answers about the numbers in some rows."""

    @function
    def number(self, view: View, rows: Rows) -> Answer:
        """The number of the only row; undefined if the first table has more of them.

        On altered copies there may be several. They are added up, so that copies still tell programs apart.
        """
        single = rows[:, 0].sum(axis=-1) == 1
        return self._number(np.where(single[:, None], _total(self.numbers(view, rows)), np.nan))

    @function
    def total(self, view: View, rows: Rows) -> Answer:
        return self._number(_total(self.numbers(view, rows)))

    @function
    def average(self, view: View, rows: Rows) -> Answer:
        numbers = self.numbers(view, rows)
        return self._number(_total(numbers) / np.maximum(_count(numbers), 1))

    @function
    def range_of(self, view: View, rows: Rows) -> Answer:
        """How far the largest and the smallest are apart."""
        numbers = self.numbers(view, rows)
        most = np.where(np.isnan(numbers), -np.inf, numbers).max(axis=-1)
        least = np.where(np.isnan(numbers), np.inf, numbers).min(axis=-1)
        return self._number(np.where(_count(numbers) > 0, most - least, np.nan))

    @function
    def from_first_to_last(self, view: View, rows: Rows) -> Answer:
        """How far the first and the last are apart."""
        numbers = self.numbers(view, rows)  # NaN if there are no rows
        last = rows.shape[-1] - 1 - first_of(rows[..., ::-1])
        return self._number(np.abs(at_row(numbers, last) - at_row(numbers, first_of(rows))))

    @function
    def difference(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._number(np.abs(one - other))

    @function
    def is_more(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._truth(one > other, np.isnan(one - other))

    @function
    def is_less(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._truth(one < other, np.isnan(one - other))

    def _totals(self, view: Ids, pair: Bits) -> tuple[Floats, Floats]:
        return _total(self.numbers(view, pair[:, 0])), _total(self.numbers(view, pair[:, 1]))

    def _truth(self, truth: Bits, unknown: Bits) -> Answer:
        return self._number(np.where(unknown, np.nan, truth), TRUTH)


class OfRows(Said):
    """Answers about rows as such."""

    @function
    def count(self, rows: Rows) -> Answer:
        return self._number(rows.sum(axis=-1))

    @function
    def difference_in_count(self, pair: Pair) -> Answer:
        times = pair.sum(axis=-1)
        return self._number(np.abs(times[:, 0] - times[:, 1]))

    @function
    def exists(self, rows: Rows) -> Answer:
        return self._number(bits(rows.any(axis=-1)), TRUTH)

    @function
    def longest_run(self, rows: Rows) -> Answer:
        """How many of them follow each other at most."""
        places = np.arange(1, rows.shape[-1] + 1)
        gaps = np.maximum.accumulate(np.where(rows, 0, places), axis=-1)  # the last row up to here that is none of them
        return self._number((places - gaps).max(axis=-1))


def _count(numbers: Floats) -> Ids:
    known: Ids = (~np.isnan(numbers)).sum(axis=-1)
    return known


def _total(numbers: Floats) -> Floats:
    """What numbers add up to, NaN if there are none, (batch, table)."""
    return np.where(_count(numbers) > 0, np.nansum(numbers, axis=-1), np.nan)
