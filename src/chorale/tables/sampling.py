"""Which rows of a large table a question needs to be understood: those that it speaks of, both ends, and some others.

Programs are found on these rows, and the chosen one is run on the whole (`sample`). So the rows must not have the
answer; they must tell programs apart. A condition should hold on some of them and not on others, two conditions should
hold together if they do so anywhere, a comparison needs rows on both sides, the most common value must be more common
than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from chorale.tables.dates import Date
from chorale.tables.linking import Linking
from chorale.tables.sample import Sample
from chorale.tables.table import Column, Table

MOST = 128
"""The most rows that programs are found on,"""
_TOUCHED = 60
"""those of them that the question speaks of,"""
_BY_ONE = 12
"""and those of one word or number, as long as there are others: counts up to here are as in the whole."""
_ENDS = 3
"""The first rows and the last;"""
_COMMON = 2
"""rows with the most common value of a column."""
_YEARS = 10
_SEED = 0

Rows = NDArray[np.intp]


def is_large(table: Table) -> bool:
    """Whether programs are found on a sample of a table."""
    return len(table) > MOST


def sampled(linking: Linking) -> Sample:
    """The rows of its table that a question needs."""
    table = linking.table
    chosen = _Chosen(len(table))
    links = [rows for rows in _links(linking) if len(rows)]
    _put_touched(chosen, links)
    chosen.put(_ends(len(table)))
    chosen.put(np.flatnonzero(table.total))
    for view in table.views:
        chosen.put(_extremes(view.numbers))
    for column in linking.own:
        chosen.put(_common(column))
    chosen.put(_neighbours(links, len(table)))
    chosen.put(np.random.default_rng(_SEED).permutation(len(table))[: 2 * MOST])  # of which some are there already
    return Sample(table, chosen.rows)


class _Chosen:
    """Rows that were chosen, no more than `MOST`."""

    def __init__(self, count: int) -> None:
        self._flags, self._left = np.zeros(count, bool), MOST

    def put(self, rows: Rows, most: int = MOST) -> int:
        """Choose the first so many of these that are not chosen yet; how many that were."""
        new = rows[~self._flags[rows]][: min(most, self._left)]
        self._flags[new] = True
        self._left -= len(new)
        return len(new)

    def count(self, rows: Rows) -> int:
        """How many of these are chosen."""
        return int(np.count_nonzero(self._flags[rows]))

    @property
    def rows(self) -> Rows:
        return np.flatnonzero(self._flags)


def _put_touched(chosen: _Chosen, links: list[Rows]) -> None:
    """Choose rows that links touch: first those that several do, then some of each link, the rarest first."""
    left = _TOUCHED
    if len(links) > 1:
        touched, times = np.unique(np.concatenate(links), return_counts=True)
        for several in range(int(times.max()), 1, -1):
            left -= chosen.put(_spread(touched[times == several], _BY_ONE), min(left, _BY_ONE))
    for most in (2, _BY_ONE, _TOUCHED):
        for rows in sorted(links, key=len):
            missing = min(left, most, len(rows)) - chosen.count(rows)
            if missing > 0:
                left -= chosen.put(_spread(rows, _TOUCHED), min(missing, left))


def _spread(rows: Rows, most: int) -> Rows:
    """So many of some rows, both ends first, then others at equal distances."""
    if len(rows) <= most:
        return rows
    places = np.linspace(0, len(rows) - 1, most).round().astype(np.intp)
    chosen: Rows = rows[np.concatenate([places[[0, -1]], places[1:-1]])]
    return chosen


# -- what the question speaks of ---------------------------------------------------------------------------------------


def _links(linking: Linking) -> Iterator[Rows]:
    """The rows that each word, number and date of a question may be about, column by column."""
    asked = linking.asked
    for column in linking.columns_of_words:
        for span in linking.spans:
            said = column.values.alike if span.is_stub else column.values.having
            yield _with_values(column, said(span.stems))
    for view in linking.table.views:
        for number in asked.numbers.values():
            yield np.flatnonzero(view.numbers == number.value)
            yield from _around(view.numbers, number.value)
        for decade in asked.decades.values():
            yield np.flatnonzero((view.numbers >= decade) & (view.numbers < decade + _YEARS))
    for moment in asked.moments.values():
        for column in linking.own:
            if column.type == "date":
                yield _with_values(
                    column, [place for place, it in enumerate(column.values.dates) if _is_on(it, moment)]
                )


def _is_on(date: Date | None, moment: Date) -> bool:
    """Whether a date is one that a question names, or one of its month or year."""
    own = (None,) * 3 if date is None else (date.year, date.month, date.day)
    named = moment.year, moment.month, moment.day
    return all(part is None or part == it for part, it in zip(named, own, strict=True))


def _with_values(column: Column, places: Iterable[int]) -> Rows:
    """The rows with some values of a column."""
    flags = np.zeros(len(column.values), bool)
    flags[list(places)] = True
    return np.flatnonzero(flags[column.ids]) if flags.any() else np.zeros(0, np.intp)


def _around(numbers: NDArray[np.float64], number: float) -> Iterator[Rows]:
    """The row with the next smaller number, and that with the next larger one."""
    for side in (np.where(numbers < number, numbers, -np.inf), np.where(numbers > number, -numbers, -np.inf)):
        best = int(side.argmax())
        if side[best] > -np.inf:
            yield np.array([best])


# -- what any question may need ----------------------------------------------------------------------------------------


def _ends(count: int) -> Rows:
    """The first rows and the last."""
    return np.array([place for it in range(_ENDS) for place in (it, count - 1 - it)], np.intp)


def _extremes(numbers: NDArray[np.float64]) -> Rows:
    """The rows with the largest and the smallest number."""
    if np.isnan(numbers).all():
        return np.zeros(0, np.intp)
    return np.array([np.nanargmax(numbers), np.nanargmin(numbers)])


def _common(column: Column) -> Rows:
    """Some rows with the most common value of a column, if there is one, and one that is empty."""
    times = np.bincount(column.ids, minlength=len(column.values))
    empty = np.flatnonzero(column.empty)[:1]
    times[column.values.empty] = 0
    if times.max(initial=0) < 2:
        return empty
    return np.concatenate([np.flatnonzero(column.ids == times.argmax())[:_COMMON], empty])


def _neighbours(links: list[Rows], count: int) -> Rows:
    """The rows beside those that only few are like."""
    few = np.concatenate([np.zeros(0, np.intp), *(rows for rows in links if len(rows) <= 2)])
    beside = np.concatenate([few + 1, few - 1])
    return beside[(beside >= 0) & (beside < count)]
