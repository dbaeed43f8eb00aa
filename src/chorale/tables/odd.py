"""Odd calls: what they cost beyond their functions and constants, by what they give.

An answer of thirty values, or one with an empty cell, is seldom meant; some calls are never meant, such as a comparison
that holds of every row. These cost infinitely much. Nothing here changes what programs mean: it is what a search does
without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.tables.language.conditions import KINDS
from chorale.tables.linking import Linking

Floats = NDArray[np.float64]
Batches = Sequence[Any]

FEW = (2, 25)
"""How many rows "the first few" are."""
PLACES = (2, 20)
"""Which of them "the n-th" is."""
_MOST_CELLS = 30  # values of an answer
_MOST_EQUAL = 6  # values that are equally common
_MOST_GROUPS = 3  # values with the same total
_EMPTY = 1.0  # what a condition costs that no row fulfils


def _among(*kinds: str) -> NDArray[np.bool_]:
    return np.array([kind in kinds for kind in KINDS])


_BY_DATE = ("after_date", "since_date", "before_date", "until_date")
_PLAINLY_COMPARED = ("over", "at_least", "under", "at_most")
_COMPARED = _among(*_PLAINLY_COMPARED, *_BY_DATE)
_FROM_BELOW = _among("over", "at_least", "after_date", "since_date")
_NAMED = _among("equals", "contains", "is_number", "has_item", "on_date")
_SAID = ~_COMPARED & ~_among("is_empty", "is_filled", "is_win", "is_loss", "is_draw", "is_repeated", "occurs")


class Odd:
    """What is odd about calls for one question."""

    def __init__(self, linking: Linking) -> None:
        self.linking, self.table = linking, linking.table

    def before(self, name: str, arguments: Batches) -> Floats | None:
        """What calls of a function cost beyond its price by their arguments alone; None if that is nothing."""
        rule = BY_ARGUMENTS.get(name)
        return None if rule is None else rule(self, arguments)

    def after(self, name: str, arguments: Batches, values: Any) -> Floats | None:
        """What they cost beyond that by what they give; None if that is nothing."""
        rule = BY_VALUES.get(name)
        return None if rule is None else rule(self, arguments, values)

    # -- conditions ----------------------------------------------------------------------------------------------------

    def part_of_cell(self, arguments: Batches) -> Floats:
        """Words are a small part of all cells that have them."""
        columns, spans = arguments
        costs = np.zeros(len(columns))
        for row, (column, span) in enumerate(zip(columns.tolist(), spans.tolist(), strict=True)):
            if span in self._stubs or column not in self._worded:
                costs[row] = np.inf
                continue
            own = self.table.columns[column].values
            if places := own.having(span):
                shortest = min(len(own.stems[it].split()) for it in places)
                is_whole = span in own.whole_stems
                costs[row] = 0.1 if is_whole else 0.3 if len(span.split()) <= 0.4 * shortest else 0.0
        return costs

    def whole_cell(self, arguments: Batches) -> Floats:
        return np.where(self._is_worded[arguments[0]], 0.0, np.inf)

    def beginning(self, arguments: Batches) -> Floats:
        columns, spans = arguments
        is_stub = np.array([it in self._stubs for it in spans.tolist()], bool)
        fits = is_stub & self._has_words[columns] & (columns < self.table.width)
        return np.where(fits, 0.0, np.inf)

    @cached_property
    def _has_words(self) -> NDArray[np.bool_]:
        return np.array([it.type not in {"number", "year", "time"} for it in self.table.columns], bool)

    @cached_property
    def _stubs(self) -> frozenset[str]:
        return frozenset(span.stems for span in self.linking.spans if span.is_stub)

    @cached_property
    def _worded(self) -> frozenset[int]:
        return frozenset(column.index for column in self.linking.columns_of_words)

    @cached_property
    def _is_worded(self) -> NDArray[np.bool_]:
        return np.array([it.index in self._worded for it in self.table.columns], bool)

    def _views_of(self, *kinds: str) -> NDArray[np.bool_]:
        """Which views are of these kinds."""
        return np.array([view.kind in kinds for view in self.table.views], bool)

    @cached_property
    def _view_kinds(self) -> NDArray[np.str_]:
        return np.array([view.kind for view in self.table.views])

    @cached_property
    def _view_columns(self) -> NDArray[np.intp]:
        return np.array([view.column for view in self.table.views], np.intp)

    @cached_property
    def _tops(self) -> Floats:
        """The largest number of each view."""
        views = self.table.views
        return np.array([np.nanmax(it.numbers) if np.isfinite(it.numbers).any() else 0.0 for it in views])

    @cached_property
    def _unlike_numbers(self) -> NDArray[np.bool_]:
        """The views whose numbers nobody compares with plain ones."""
        return self._views_of("date", "time", "difference")

    def plain_number(self, arguments: Batches) -> Floats:
        """Dates and times are not plain numbers."""
        return np.where(self._unlike_numbers[arguments[0]], np.inf, 0.0)

    def some_cell(self, arguments: Batches, values: Any) -> Floats:
        """What no number is equal to is seldom meant."""
        return np.where(values["mask"][:, 0].any(axis=-1), 0.0, np.inf)

    def compared_alike(self, arguments: Batches) -> Floats:
        """A year is compared with years."""
        view, quantity = arguments
        is_year = (quantity >= 1000) & (quantity <= 2100) & (self._tops[view] < 1000)
        return np.where(is_year | self._unlike_numbers[view], np.inf, 0.0)

    def comparison(self, arguments: Batches, values: Any) -> Floats:
        """A comparison that all rows fulfil says nothing."""
        rows = values["mask"][:, 0].sum(axis=-1)
        return np.where(rows >= self._known[arguments[0]], np.inf, _EMPTY * (rows == 0))

    def dated(self, arguments: Batches, values: Any) -> Floats:
        rows = values["mask"][:, 0].sum(axis=-1)
        return np.where(rows >= self._known[arguments[0]], np.inf, 0.0)

    @cached_property
    def _known(self) -> NDArray[np.intp]:
        """How many cells each view has a number for."""
        return np.array([np.count_nonzero(~np.isnan(it.numbers)) for it in self.table.views], np.intp)

    def few_rows(self, arguments: Batches, values: Any) -> Floats:
        """Not of all rows."""
        mask = values["mask"][:, 0]
        return np.where(mask.all(axis=-1) | (arguments[0] >= self.table.width), np.inf, 0.0)

    # -- rows ----------------------------------------------------------------------------------------------------------

    def negated(self, arguments: Batches) -> Floats:
        return np.where(_NAMED[arguments[0]["kind"]], 0.0, np.inf)

    def joined(self, arguments: Batches) -> Floats:
        """Two comparisons are a range of one view."""
        one, other = arguments
        compared = _COMPARED[one["kind"]] & _COMPARED[other["kind"]]
        same_side = _FROM_BELOW[one["kind"]] == _FROM_BELOW[other["kind"]]
        return np.where(compared & ((one["view"] != other["view"]) | same_side), np.inf, 0.0)

    def either(self, arguments: Batches) -> Floats:
        one, other = arguments
        fine = (one["column"] == other["column"]) & _SAID[one["kind"]] & _SAID[other["kind"]]
        return np.where(fine, 0.0, np.inf)

    def but_not(self, arguments: Batches) -> Floats:
        one, other = arguments
        fine = (one["column"] != other["column"]) & ~_COMPARED[one["kind"]] & ~_COMPARED[other["kind"]]
        return np.where(fine, 0.0, np.inf)

    def paired(self, arguments: Batches) -> Floats:
        """Both are said of one column."""
        return self.either(arguments[:2])

    def of_single(self, arguments: Batches) -> Floats:
        rows = arguments[-1]
        return np.where(rows[:, 0].sum(axis=-1) == 1, 0.0, np.inf)

    def of_several(self, arguments: Batches) -> Floats:
        rows = arguments[-1]
        return np.where(rows[:, 0].sum(axis=-1) > 1, 0.0, np.inf)

    def few(self, arguments: Batches) -> Floats:
        quantity, rows = arguments[0], arguments[-1]
        fine = (quantity >= FEW[0]) & (quantity <= FEW[1]) & (rows[:, 0].sum(axis=-1) > quantity)
        return np.where(fine & (quantity == np.floor(quantity)), 0.0, np.inf)

    def place(self, arguments: Batches) -> Floats:
        quantity, rows = arguments[0], arguments[-1]
        fine = (quantity >= PLACES[0]) & (quantity <= PLACES[1]) & (rows[:, 0].sum(axis=-1) >= quantity)
        return np.where(fine & (quantity == np.floor(quantity)), 0.0, np.inf)

    # -- answers -------------------------------------------------------------------------------------------------------

    def looked_up(self, arguments: Batches) -> Floats:
        """Of many values, of all rows, of an empty cell."""
        [cells] = arguments
        times = cells["times"][:, 0]
        size = (times > 0).sum(axis=-1)
        every = times.sum(axis=-1) >= len(self.table)
        empty = ((times > 0) & self._empty(times.shape[-1])[cells["column"]]).any(axis=-1)
        cost = 0.15 * np.minimum(size - 1, 4) + 1.5 * every + 1.0 * empty
        return np.where(size > _MOST_CELLS, np.inf, cost)

    def _empty(self, width: int) -> NDArray[np.bool_]:
        """Which values of each column say nothing; things that cells list, which come last, always say something."""
        columns = self.table.columns
        listing = sum(view.kind == "items" for view in self.table.views)
        empty = np.zeros((len(columns) + listing, width), bool)
        for row, column in zip(empty, columns, strict=False):
            row[: len(column.values)] = column.values.empty
        return empty

    def listing(self, arguments: Batches) -> Floats:
        """Only what lists things has any."""
        return np.where(self._listing[arguments[0]], 0.0, np.inf)

    @cached_property
    def _listing(self) -> NDArray[np.bool_]:
        listing = np.zeros(len(self.table.columns), bool)
        listing[[view.column for view in self.table.views if view.kind == "items"]] = True
        return listing

    def common(self, arguments: Batches) -> Floats:
        """Of several values, some of which stand there more than once."""
        times = arguments[0]["times"][:, 0]
        return np.where(((times > 0).sum(axis=-1) > 1) & (times.max(axis=-1) > 1), 0.0, np.inf)

    def few_common(self, arguments: Batches, values: Any) -> Floats:
        said = np.bitwise_count(values["values"][:, 0]).sum(axis=-1)
        return np.where(said <= _MOST_EQUAL, 0.0, np.inf)

    def times_common(self, arguments: Batches) -> Floats:
        times = arguments[0]["times"][:, 0]
        return np.where((times > 0).sum(axis=-1) > 1, 0.0, np.inf)

    def different(self, arguments: Batches) -> Floats:
        """Where all values differ it is a count."""
        times = arguments[0]["times"]
        is_count = ((times > 0).sum(axis=-1) == times.sum(axis=-1)).all(axis=-1)
        return np.where(is_count, np.inf, 0.0)

    def grouped(self, arguments: Batches) -> Floats:
        """Totals of numbers, for values that occur more than once."""
        return np.where(self._groups(arguments), 0.0, np.inf)

    def several_groups(self, arguments: Batches, values: Any) -> Floats:
        several = (~np.isnan(values["sums"][:, 0])).sum(axis=-1) > 1
        return np.where(several, 0.0, np.inf)

    def listed(self, arguments: Batches) -> Floats:
        """A number for each of several values."""
        column, rows = arguments[0], arguments[-1]
        fine = self._groups(arguments) if len(arguments) > 2 else self._repeats[column]
        return np.where(fine & (rows[:, 0].sum(axis=-1) > 2), 0.0, np.inf)

    def _groups(self, arguments: Batches) -> NDArray[np.bool_]:
        column, view, _ = arguments
        fine: NDArray[np.bool_] = self._repeats[column] & self._plain[view] & (self._view_columns[view] != column)
        return fine

    @cached_property
    def _repeats(self) -> NDArray[np.bool_]:
        """The columns whose values occur more than once."""
        return np.array([it.distinct < 0.95 and not it.is_virtual for it in self.table.columns], bool)

    @cached_property
    def _plain(self) -> NDArray[np.bool_]:
        """The views that read plain numbers."""
        columns = self.table.columns
        return np.array(
            [it.kind == "number" and columns[it.column].type in {"number", "mixed"} for it in self.table.views], bool
        )

    def most_grouped(self, arguments: Batches, values: Any) -> Floats:
        said = np.bitwise_count(values["values"][:, 0]).sum(axis=-1)
        return np.where(said <= _MOST_GROUPS, 0.0, np.inf)

    def one_number(self, arguments: Batches) -> Floats:
        """A cell that is a number, or a date, is looked up; several cells have no one number."""
        view, rows = arguments
        return np.where(self._within[view] & (rows[:, 0].sum(axis=-1) == 1), 0.0, np.inf)

    @cached_property
    def _within(self) -> NDArray[np.bool_]:
        """The views that read a part of a cell."""
        values = [self.table.columns[it.column].values for it in self.table.views]
        whole = np.array([it.whole_share for it in values])
        return np.asarray(((self._view_kinds != "number") | (whole < 0.95)) & (self._view_kinds != "date"), bool)

    def added(self, arguments: Batches) -> Floats:
        """More than one number, of a kind that can be added up."""
        view, rows = arguments
        several = (~np.isnan(self._numbers[view]) & rows[:, 0]).sum(axis=-1) > 1
        return np.where(self._added_up[view] & several, 0.0, np.inf)

    @cached_property
    def _added_up(self) -> NDArray[np.bool_]:
        return self._views_of("number", "difference", "time", "items")

    @cached_property
    def _numbers(self) -> Floats:
        """What each view reads, (view, row)."""
        return np.stack([it.numbers for it in self.table.views])

    def two_columns(self, arguments: Batches) -> Floats:
        """Of a few rows, and of numbers."""
        one, other, rows = arguments
        kinds = self._views_of("number", "second", "year", "time")
        fine = (one != other) & kinds[one] & kinds[other] & (self._view_kinds[one] != "year")
        return np.where(fine & (rows[:, 0].sum(axis=-1) == 1), 0.0, np.inf)

    def apart(self, arguments: Batches, values: Any) -> Floats:
        return np.where(values["number"][:, 0] == 0, np.inf, 0.0)

    def subtracted(self, arguments: Batches) -> Floats:
        return np.where(self._view_kinds[arguments[0]] == "date", np.inf, 0.0)

    def counted(self, arguments: Batches) -> Floats:
        """All rows are seldom counted."""
        return np.where(arguments[0][:, 0].sum(axis=-1) >= len(self.table), 0.3, 0.0)

    def nonzero(self, arguments: Batches, values: Any) -> Floats:
        """Nothing, or as much as the other."""
        number = values["number"][:, 0]
        return np.where((number == 0) | (number == 100), np.inf, 0.0)


BY_ARGUMENTS: Mapping[str, Callable[[Odd, Batches], Floats]] = {
    "equals": Odd.whole_cell,
    "contains": Odd.part_of_cell,
    "begins_like": Odd.beginning,
    **dict.fromkeys(("is_number", "in_decade"), Odd.plain_number),
    **dict.fromkeys(_PLAINLY_COMPARED, Odd.compared_alike),
    "rows_where_not": Odd.negated,
    "rows_where_both": Odd.joined,
    "rows_where_either": Odd.either,
    "rows_where_but_not": Odd.but_not,
    **dict.fromkeys(("pair", "pair_where"), Odd.paired),
    **dict.fromkeys(
        ("next_row", "previous_row", "above", "below", "same_as", "more_than", "less_than", "next_more", "next_less"),
        Odd.of_single,
    ),
    **dict.fromkeys(("most", "least", "first", "last"), Odd.of_several),
    **dict.fromkeys(("first_few", "last_few", "top", "bottom"), Odd.few),
    **dict.fromkeys(("nth", "nth_from_last", "nth_most", "nth_least"), Odd.place),
    "items": Odd.listing,
    "look_up": Odd.looked_up,
    **dict.fromkeys(("most_common", "least_common"), Odd.common),
    "times_most_common": Odd.times_common,
    "count_different": Odd.different,
    **dict.fromkeys(("totals", "averages"), Odd.grouped),
    **dict.fromkeys(("count_per", "total_per", "average_per"), Odd.listed),
    **dict.fromkeys(("sum_of_columns", "difference_of_columns"), Odd.two_columns),
    "number": Odd.one_number,
    **dict.fromkeys(("total", "average"), Odd.added),
    **dict.fromkeys(("range_of", "from_first_to_last", "difference", "is_equal"), Odd.subtracted),
    "count": Odd.counted,
}
"""What is known before anything is computed."""
BY_VALUES: Mapping[str, Callable[[Odd, Batches, Any], Floats]] = {
    **dict.fromkeys(("is_number", "in_decade"), Odd.some_cell),
    **dict.fromkeys(("after_date", "since_date", "before_date", "until_date", "on_date"), Odd.dated),
    **dict.fromkeys(_PLAINLY_COMPARED, Odd.comparison),
    **dict.fromkeys(("is_empty", "is_filled", "is_win", "is_loss", "is_draw", "is_repeated", "occurs"), Odd.few_rows),
    **dict.fromkeys(("most_common", "least_common", "shared", "which_has_more", "which_has_less"), Odd.few_common),
    **dict.fromkeys(("totals", "averages"), Odd.several_groups),
    **dict.fromkeys(("percent_of_total", "percent_of_rows", "times_as_much", "times_as_many"), Odd.nonzero),
    **dict.fromkeys(("most_in_total", "least_in_total", "most_on_average", "least_on_average"), Odd.most_grouped),
    **dict.fromkeys(("range_of", "from_first_to_last"), Odd.apart),
}
"""What is known only then."""
