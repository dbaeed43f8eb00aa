"""Answers about two groups of rows: how far they are apart, which has more, what they have in common.

A group has the number that its rows add up to; most have one row.
"""

from __future__ import annotations

import numpy as np

from chorale.language import function
from chorale.tables.language.answers import OfCells, ratio_of, total_of
from chorale.tables.language.types import Answer, Bits, Column, Contrast, Floats, Ids, Pair, View, bits


class OfPairs(OfCells):
    """Answers about two groups of rows."""

    # -- numbers -------------------------------------------------------------------------------------------------------

    @function
    def difference(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._number(np.abs(one - other))

    @function
    def difference_in_count(self, pair: Pair) -> Answer:
        times = pair.sum(axis=-1)
        return self._number(np.abs(times[:, 0] - times[:, 1]))

    @function
    def times_as_much(self, view: View, pair: Pair) -> Answer:
        """How many times the number of the second group the first one has."""
        return self._number(ratio_of(*self._totals(view, pair)))

    @function
    def times_as_many(self, pair: Pair) -> Answer:
        """How many times the rows of the second group the first one has."""
        times = pair.sum(axis=-1)
        return self._number(ratio_of(times[:, 0], times[:, 1]))

    # -- yes or no -----------------------------------------------------------------------------------------------------

    @function
    def is_more(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._truth(one > other, np.isnan(one - other))

    @function
    def is_less(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._truth(one < other, np.isnan(one - other))

    @function
    def is_equal(self, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._truth(bits(one == other), np.isnan(one - other))

    @function
    def have_same(self, column: Column, pair: Pair) -> Answer:
        """Whether both groups have a value in common."""
        one, other = self._both(column, pair)
        unknown = ~(one.any(axis=-1) & other.any(axis=-1))
        return self._truth(bits((one & other).any(axis=-1)), bits(unknown))

    @function
    def compare(self, contrast: Contrast, view: View, pair: Pair) -> Answer:
        """Whether the first group has more or less than the second."""
        one, other = self._totals(view, pair)
        return self._contrast(contrast, one - other)

    # -- cells ---------------------------------------------------------------------------------------------------------

    @function
    def shared(self, column: Column, pair: Pair) -> Answer:
        """The values that both groups have."""
        one, other = self._both(column, pair)
        return self._cells(column.astype(np.int16), one & other)

    @function
    def which_has_more(self, column: Column, view: View, pair: Pair) -> Answer:
        """The values of the group with the larger number, of both if they are equal."""
        one, other = self._totals(view, pair)
        return self._of_better(column, pair, one - other)

    @function
    def which_has_less(self, column: Column, view: View, pair: Pair) -> Answer:
        one, other = self._totals(view, pair)
        return self._of_better(column, pair, other - one)

    def _of_better(self, column: Ids, pair: Bits, difference: Floats) -> Answer:
        """The first group's values where it is at least as good, and the second one's where it is not better."""
        rows = (pair[:, 0] & (difference >= 0)[..., None]) | (pair[:, 1] & (difference <= 0)[..., None])
        return self._cells(column.astype(np.int16), bits(self._per_value(column, rows) > 0))

    def _both(self, column: Ids, pair: Bits) -> tuple[Bits, Bits]:
        """Which values each group has, (batch, table, value)."""
        one, other = (bits(self._per_value(column, pair[:, side]) > 0) for side in (0, 1))
        return one, other

    def _totals(self, view: Ids, pair: Bits) -> tuple[Floats, Floats]:
        return total_of(self.numbers(view, pair[:, 0])), total_of(self.numbers(view, pair[:, 1]))
