"""Rows: those that fulfil conditions, and those that stand out among others or stand beside them.

Where several rows are equally good, all of them are meant. What is compared with some rows is compared with the first
of them. The n-th is counted from one; there are none of a place that no row has.
"""

from __future__ import annotations

import numpy as np

from chorale.language import function
from chorale.tables.language.types import (
    Bits,
    Column,
    Condition,
    Floats,
    OverTables,
    Pair,
    Quantity,
    Rows,
    View,
    at_row,
    bits,
    first_of,
)


class Chosen(OverTables):
    """Rows and pairs of rows that fulfil conditions."""

    @function
    def all_rows(self) -> Rows:
        """All but those that say what others add up to."""
        return self.stack.rows & ~self.stack.total

    @function
    def all_lines(self) -> Rows:
        """All of them, totals as well."""
        return self.stack.rows

    @function
    def rows_where(self, condition: Condition) -> Rows:
        return _mask(condition)

    @function
    def rows_where_not(self, condition: Condition) -> Rows:
        return self.stack.rows & ~_mask(condition)

    @function
    def rows_where_both(self, one: Condition, other: Condition) -> Rows:
        return _mask(one) & _mask(other)

    @function
    def rows_where_all_three(self, one: Condition, other: Condition, third: Condition) -> Rows:
        return _mask(one) & _mask(other) & _mask(third)

    @function
    def rows_where_either(self, one: Condition, other: Condition) -> Rows:
        return _mask(one) | _mask(other)

    @function
    def rows_where_but_not(self, one: Condition, other: Condition) -> Rows:
        return _mask(one) & ~_mask(other)

    @function
    def pair(self, one: Condition, other: Condition) -> Pair:
        return np.stack([_mask(one), _mask(other)], axis=1)

    @function
    def pair_where(self, one: Condition, other: Condition, both: Condition) -> Pair:
        """Rows of one and of the other condition that also fulfil a third."""
        return np.stack([_mask(one), _mask(other)], axis=1) & _mask(both)[:, None]


class Ordered(OverTables):
    """Rows by their place among others."""

    @function
    def first(self, rows: Rows) -> Rows:
        return rows & bits(_places(rows) == 1)

    @function
    def last(self, rows: Rows) -> Rows:
        return rows & bits(_places_from_last(rows) == 1)

    @function
    def first_few(self, quantity: Quantity, rows: Rows) -> Rows:
        return rows & bits(_places(rows) <= quantity[:, None, None])

    @function
    def last_few(self, quantity: Quantity, rows: Rows) -> Rows:
        return rows & bits(_places_from_last(rows) <= quantity[:, None, None])

    @function
    def nth(self, quantity: Quantity, rows: Rows) -> Rows:
        return rows & bits(_places(rows) == quantity[:, None, None])

    @function
    def nth_from_last(self, quantity: Quantity, rows: Rows) -> Rows:
        return rows & bits(_places_from_last(rows) == quantity[:, None, None])


class Extreme(OverTables):
    """Rows by their numbers."""

    @function
    def most(self, view: View, rows: Rows) -> Rows:
        return _best(_descending(self.numbers(view, rows)))

    @function
    def least(self, view: View, rows: Rows) -> Rows:
        return _best(_descending(-self.numbers(view, rows)))

    @function
    def top(self, quantity: Quantity, view: View, rows: Rows) -> Rows:
        """Rows with the most: those that fewer than so many others surpass."""
        return _best_few(quantity, _descending(self.numbers(view, rows)))

    @function
    def bottom(self, quantity: Quantity, view: View, rows: Rows) -> Rows:
        """Rows with the least."""
        return _best_few(quantity, _descending(-self.numbers(view, rows)))

    @function
    def nth_most(self, quantity: Quantity, view: View, rows: Rows) -> Rows:
        """Rows with the n-th of the different numbers, from the largest on."""
        return _nth_best(quantity, _descending(self.numbers(view, rows)))

    @function
    def nth_least(self, quantity: Quantity, view: View, rows: Rows) -> Rows:
        return _nth_best(quantity, _descending(-self.numbers(view, rows)))


class Related(OverTables):
    """Rows by others that they stand beside, or are compared with."""

    @function
    def next_row(self, rows: Rows) -> Rows:
        """The row after each."""
        moved = np.zeros_like(rows)
        moved[..., 1:] = rows[..., :-1]
        return moved & self.stack.rows

    @function
    def previous_row(self, rows: Rows) -> Rows:
        """The row before each."""
        moved = np.zeros_like(rows)
        moved[..., :-1] = rows[..., 1:]
        return moved

    @function
    def above(self, rows: Rows) -> Rows:
        """Others that have one of them below."""
        return (_places_from_last(rows) > 0) & ~rows

    @function
    def below(self, rows: Rows) -> Rows:
        """Others that have one of them above."""
        return (_places(rows) > 0) & ~rows & self.stack.rows

    @function
    def same_as(self, column: Column, rows: Rows) -> Rows:
        """Others with the same value as the first of them."""
        ids = self.stack.ids[column]
        own = at_row(ids, first_of(rows))
        return bits(ids == own[..., None]) & self.there[column] & ~rows & rows.any(axis=-1, keepdims=True)

    @function
    def more_than(self, view: View, rows: Rows) -> Rows:
        """Others with a larger number than the first of them."""
        numbers = self.stack.numbers[view]
        return (numbers > _own(numbers, rows)) & ~rows

    @function
    def less_than(self, view: View, rows: Rows) -> Rows:
        """Others with a smaller number than the first of them."""
        numbers = self.stack.numbers[view]
        return (numbers < _own(numbers, rows)) & ~rows

    @function
    def next_more(self, view: View, rows: Rows) -> Rows:
        """Those with the next larger number than the first of them."""
        numbers = self.stack.numbers[view]
        return _best(_descending(-np.where(numbers > _own(numbers, rows), numbers, np.nan)))

    @function
    def next_less(self, view: View, rows: Rows) -> Rows:
        """Those with the next smaller number than the first of them."""
        numbers = self.stack.numbers[view]
        return _best(_descending(np.where(numbers < _own(numbers, rows), numbers, np.nan)))


def _mask(condition: Condition) -> Bits:
    mask: Bits = condition["mask"]
    return mask


def _places(rows: Bits) -> Floats:
    """How many of the rows stand up to here, (batch, table, row)."""
    return rows.cumsum(axis=-1)


def _places_from_last(rows: Bits) -> Floats:
    return rows[..., ::-1].cumsum(axis=-1)[..., ::-1]


def _own(numbers: Floats, rows: Bits) -> Floats:
    """The number of the first of the rows, NaN if there is none, (batch, table, 1)."""
    return np.where(rows.any(axis=-1), at_row(numbers, first_of(rows)), np.nan)[..., None]


# -- the largest numbers; whatever has none is smaller than all --------------------------------------------------------


def _descending(numbers: Floats) -> Floats:
    return np.where(np.isnan(numbers), -np.inf, numbers)


def _best(numbers: Floats) -> Bits:
    return _those_with(numbers, numbers.max(axis=-1))


def _best_few(quantity: Floats, numbers: Floats) -> Bits:
    ordered = -np.sort(-numbers, axis=-1)
    place = np.clip(np.ceil(quantity) - 1, 0, numbers.shape[-1] - 1).astype(np.intp)
    limit = at_row(ordered, np.broadcast_to(place[:, None], numbers.shape[:2]))
    return bits((numbers >= limit[..., None]) & (numbers > -np.inf) & (quantity > 0)[:, None, None])


def _nth_best(quantity: Floats, numbers: Floats) -> Bits:
    ordered = -np.sort(-numbers, axis=-1)
    place = np.ones(numbers.shape)  # among different numbers
    place[..., 1:] += (ordered[..., 1:] != ordered[..., :-1]).cumsum(axis=-1)
    wanted = place == quantity[:, None, None]
    return _those_with(numbers, np.where(wanted, ordered, -np.inf).max(axis=-1))


def _those_with(numbers: Floats, number: Floats) -> Bits:
    return bits((numbers == number[..., None]) & (numbers > -np.inf))
