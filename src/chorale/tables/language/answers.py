"""Answers: the cells of some rows, how many there are, what their numbers come to, whether something is so.

Cells without a number are left out of what numbers come to. Where nothing can be said of a table (the average of no
numbers) there is no answer on it; whatever has none on the first table is undefined.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.language import function
from chorale.tables.language.said import Said
from chorale.tables.language.types import (
    AVERAGES,
    COUNTS,
    TOTALS,
    TRUTH,
    Answer,
    Averages,
    Bits,
    Cells,
    Column,
    Condition,
    Contrast,
    Floats,
    Ids,
    Quantity,
    Rows,
    Sums,
    View,
    at_row,
    bits,
    first_of,
)

_SMALL = np.iinfo(np.int32).max
"""Places up to here are computed as small integers, in half the time."""


class OfCells(Said):
    """Answers about the values that stand in some rows."""

    @function
    def cells(self, column: Column, rows: Rows) -> Cells:
        cells: Cells = np.zeros(len(column), self.cells_type)
        cells["column"], cells["times"] = column, self._per_value(column, rows)
        return cells

    @function
    def totals(self, column: Column, view: View, rows: Rows) -> Sums:
        """What the numbers of the rows with each value add up to."""
        totals: Sums = np.zeros(len(column), self.sums_type)
        totals["column"], totals["sums"] = column, self._sums(column, view, rows)[0]
        return totals

    @function
    def averages(self, column: Column, view: View, rows: Rows) -> Averages:
        """What the numbers of the rows with each value are on average."""
        averages: Averages = np.zeros(len(column), self.sums_type)
        sums, times = self._sums(column, view, rows)
        averages["column"], averages["sums"] = column, sums / np.maximum(times, 1)
        return averages

    def _sums(self, column: Ids, view: Ids, rows: Rows) -> tuple[Floats, Ids]:
        """What a view adds up to where each value stands, NaN if it has no number there, and how many it has."""
        numbers = self.stack.numbers[view]
        known = rows & self.there[column] & ~np.isnan(numbers)
        places = self._places(column, known)
        sums, times = self._tallied(places, len(column), numbers[known]), self._tallied(places, len(column))
        return np.where(times > 0, sums + 0.0, np.nan), times

    @function
    def items(self, column: Column, rows: Rows) -> Cells:
        """The things that the cells list, each as often as cells have it."""
        cells: Cells = np.zeros(len(column), self.cells_type)
        times = self._per_value(column, rows)
        for one in np.unique(column):
            if place := self.listing.get(int(one)):
                items, there = self.stack.values[one].items, column == one
                cells["column"][there] = place
                cells["times"][there, :, : len(items.values)] = items.counted(times[there])
        return cells

    def _per_value(self, column: Ids, rows: Bits) -> Ids:
        """How many rows have each value, (batch, table, value)."""
        return self._tallied(self._places(column, rows & self.there[column]), len(column))

    def _places(self, column: Ids, rows: Bits) -> Ids:
        """The value of each of some rows, as its place among (batch, table, value)."""
        count = len(column) * self.stack.shape[0]
        is_small = count * self.most_values <= _SMALL
        places: NDArray[Any] = (self._small_ids if is_small else self.stack.ids)[column]
        starts = self.most_values * np.arange(count).reshape(len(column), -1, 1)
        places += starts.astype(places.dtype)
        ids: Ids = places[rows]
        return ids

    @cached_property
    def _small_ids(self) -> NDArray[np.int32]:
        return self.stack.ids.astype(np.int32)

    def _tallied(self, places: Ids, batch: int, weights: Floats | None = None) -> NDArray[Any]:
        """How often there is each place, or what it weighs, (batch, table, value)."""
        shape = (batch, self.stack.shape[0], self.most_values)
        return np.bincount(places, weights, minlength=prod(shape)).reshape(shape)

    @function
    def look_up(self, cells: Cells) -> Answer:
        return self._cells(cells["column"], cells["times"] > 0)

    @function
    def most_common(self, cells: Cells) -> Answer:
        times = cells["times"]
        return self._cells(cells["column"], (times == times.max(axis=-1, keepdims=True)) & (times > 0))

    @function
    def least_common(self, cells: Cells) -> Answer:
        times = cells["times"]
        least = np.where(times > 0, times, np.iinfo(times.dtype).max).min(axis=-1, keepdims=True)
        return self._cells(cells["column"], (times == least) & (times > 0))

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

    @function
    def most_on_average(self, averages: Averages) -> Answer:
        return self._most(averages["column"], averages["sums"])

    @function
    def least_on_average(self, averages: Averages) -> Answer:
        return self._most(averages["column"], -averages["sums"])

    @function
    def count_per(self, column: Column, rows: Rows) -> Answer:
        """How many rows have each value."""
        return self._grouped(COUNTS, column, 0, rows & self.there[column])

    @function
    def total_per(self, column: Column, view: View, rows: Rows) -> Answer:
        """What the numbers of the rows with each value add up to."""
        return self._grouped(TOTALS, column, view, rows & self.there[column] & ~np.isnan(self.numbers(view, rows)))

    @function
    def average_per(self, column: Column, view: View, rows: Rows) -> Answer:
        """What the numbers of the rows with each value are on average."""
        return self._grouped(AVERAGES, column, view, rows & self.there[column] & ~np.isnan(self.numbers(view, rows)))

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
        return self._read(view, np.where(single[:, None], total_of(self.numbers(view, rows)), np.nan))

    @function
    def total(self, view: View, rows: Rows) -> Answer:
        return self._read(view, total_of(self.numbers(view, rows)))

    @function
    def average(self, view: View, rows: Rows) -> Answer:
        numbers = self.numbers(view, rows)
        return self._read(view, total_of(numbers) / np.maximum(_count(numbers), 1))

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
    def sum_of_columns(self, one: View, other: View, rows: Rows) -> Answer:
        """What two columns add up to in all rows that have both numbers."""
        return self._number(total_of(self.numbers(one, rows) + self.numbers(other, rows)))

    @function
    def difference_of_columns(self, one: View, other: View, rows: Rows) -> Answer:
        """How far two columns are apart, added up over all rows that have both numbers."""
        return self._number(np.abs(total_of(self.numbers(one, rows) - self.numbers(other, rows))))

    @function
    def percent_of_total(self, view: View, rows: Rows) -> Answer:
        """How many percent of what all rows add up to these rows have."""
        whole = total_of(self.numbers(view, self.stack.rows & ~self.stack.total))
        part = total_of(self.numbers(view, rows))
        return self._number(100 * ratio_of(part, whole))

    @function
    def compare_with(self, contrast: Contrast, view: View, quantity: Quantity, rows: Rows) -> Answer:
        """Whether the rows have more or less than a number."""
        return self._contrast(contrast, total_of(self.numbers(view, rows)) - quantity[:, None])


class OfRows(Said):
    """Answers about rows as such."""

    @function
    def count(self, rows: Rows) -> Answer:
        return self._number(rows.sum(axis=-1))

    @function
    def exists(self, rows: Rows) -> Answer:
        return self._number(bits(rows.any(axis=-1)), TRUTH)

    @function
    def percent_of_rows(self, condition: Condition, rows: Rows) -> Answer:
        """How many percent of the rows fulfil a condition."""
        return self._number(100 * ratio_of((rows & condition["mask"]).sum(axis=-1), rows.sum(axis=-1)))

    @function
    def compare_count(self, contrast: Contrast, quantity: Quantity, rows: Rows) -> Answer:
        """Whether there are more or less rows than so many."""
        return self._contrast(contrast, rows.sum(axis=-1) - quantity[:, None])

    @function
    def longest_run(self, rows: Rows) -> Answer:
        """How many of them follow each other at most."""
        places = np.arange(1, rows.shape[-1] + 1)
        gaps = np.maximum.accumulate(np.where(rows, 0, places), axis=-1)  # the last row up to here that is none of them
        return self._number((places - gaps).max(axis=-1))


class OfConditions(Said):
    """How many rows fulfil conditions, also if none does; rows are never empty in a search, conditions may be."""

    @function
    def count_where(self, condition: Condition) -> Answer:
        return self._number(condition["mask"].sum(axis=-1))

    @function
    def count_where_both(self, one: Condition, other: Condition) -> Answer:
        return self._number((one["mask"] & other["mask"]).sum(axis=-1))

    @function
    def exists_where(self, condition: Condition) -> Answer:
        return self._number(bits(condition["mask"].any(axis=-1)), TRUTH)

    @function
    def exists_where_both(self, one: Condition, other: Condition) -> Answer:
        return self._number(bits((one["mask"] & other["mask"]).any(axis=-1)), TRUTH)


def _count(numbers: Floats) -> Ids:
    known: Ids = (~np.isnan(numbers)).sum(axis=-1)
    return known


def total_of(numbers: Floats) -> Floats:
    """What numbers add up to, NaN if there are none, (batch, table)."""
    known = ~np.isnan(numbers)
    return np.where(known.any(axis=-1), np.where(known, numbers, 0.0).sum(axis=-1), np.nan)


def ratio_of(one: NDArray[Any], other: NDArray[Any]) -> Floats:
    """How many times something is something else, NaN if that is nothing, (batch, table)."""
    return np.where(other == 0, np.nan, one / np.where(other == 0, 1, other))
