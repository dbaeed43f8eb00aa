"""What programs for a question cost: which functions and constants there are, how gladly each is used, and what is odd.

Functions that most questions do without are there only if a word asks for them (`asked.TRIGGERS`). What calls cost
beyond that depends on what they give: an answer of thirty values, or one with an empty cell, is seldom meant; some
calls are never meant, such as a comparison that holds of every row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.costs import Costs
from chorale.tables.asked import LIGHT, Asked
from chorale.tables.language import Constants, TableLanguage, constants_of, constants_of_words
from chorale.tables.language.conditions import KINDS
from chorale.tables.linking import Linking
from chorale.tables.table import Table

Floats = NDArray[np.float64]
Batches = Sequence[Any]

_MOST_CELLS = 30  # values of an answer
_MOST_EQUAL = 6  # values that are equally common
_MOST_GROUPS = 3  # values with the same total
_FEW = (2, 25)  # how many rows "the first few" are
_PLACES = (2, 20)  # which of them "the n-th" is
_COMPARED = np.array([kind in {"over", "at_least", "under", "at_most"} for kind in KINDS])
_FROM_BELOW = np.array([kind in {"over", "at_least"} for kind in KINDS])
_NAMED = np.array([kind in {"equals", "contains", "is_number"} for kind in KINDS])
_SAID = ~_COMPARED & np.array([kind not in {"is_empty", "is_filled"} for kind in KINDS])


def costs_of(asked: Asked, table: Table) -> tuple[TableCosts, Constants]:
    """What programs for a question about a table cost, and the constants that they may use."""
    found = _Question(Linking(asked, table))
    return found.costs(), found.constants


class _Question:
    """One question about one table."""

    def __init__(self, linking: Linking) -> None:
        self.linking, self.asked, self.table = linking, linking.asked, linking.table
        self.names: dict[str, float] = {}
        self.says: dict[str, int] = {}
        self.constants: Constants = {}
        self._put_columns()
        self._put_words()
        self._put_functions()

    def costs(self) -> TableCosts:
        return TableCosts(
            self.names, self.says, self.asked.words, self._wanted, linking=self.linking, language=TableLanguage
        )

    @property
    def _wanted(self) -> int:
        """The words that should be said: those of cells, and numbers."""
        wanted = 0
        for span in self.linking.spans:
            if not span.is_stub:
                wanted |= sum(1 << it for it in range(span.start, span.end) if self.asked.words[it] not in LIGHT)
        return wanted | sum(1 << it.place for it in self.asked.numbers.values() if it.is_digits)

    def _put_columns(self) -> None:
        table, namings = self.table, self.linking.namings
        for name, (kind, value) in constants_of(table).items():
            if str(kind) == "Column":
                column = table.columns[int(value)]
                if column.part == "month" and not self.asked.has("month") and "month of" not in name:
                    continue
                dear = 0.9 if column.is_virtual and column.part != "month" else 0.0
                self.names[name] = dear - 0.25 * namings[column.index].level
            else:
                view = table.views[int(value)]
                dear = 0.3 if view.kind in {"second", "difference"} else 0.0
                self.names[name] = dear - 0.8 * namings[view.column].share
            self.constants[name] = kind, value

    def _put_words(self) -> None:
        spans = constants_of_words([span.words for span in self.linking.spans])
        for (name, constant), span in zip(spans.items(), self.linking.spans, strict=True):
            self._put(name, constant, 0.0, span.bits)
        for number in self.asked.numbers.values():
            if number.place not in self.asked.decades:
                [(name, constant)] = constants_of_words(quantities=[number.value]).items()
                self._put(name, constant, 0.0 if number.is_digits else 0.6, 1 << number.place)
        for place, decade in self.asked.decades.items():
            [(name, constant)] = constants_of_words(decades=[decade]).items()
            self._put(name, constant, 0.0, 1 << place)

    def _put(self, name: str, constant: Any, cost: float, says: int) -> None:
        if name not in self.names:
            self.names[name], self.says[name], self.constants[name] = cost, says, constant

    def _put_functions(self) -> None:
        asked = self.asked
        has_superlative = bool(asked.superlatives)
        extreme = 0.8 if has_superlative else 1.8
        ends = 0.8 if has_superlative or asked.has("place") else 1.8
        beside = 0.6 if asked.has("place") else 2.0
        apart = 0.5 if asked.has("difference") else 2.0
        costs: dict[str, float] = {
            **{"all_rows": 0.0, "rows_where": 0.0, "rows_where_both": 0.0, "rows_where_all_three": 0.0},
            **{"rows_where_either": 0.3, "most": extreme, "least": extreme, "first": ends, "last": ends},
            **{"next_row": beside, "previous_row": beside, "cells": 0.0, "pair": 0.0, "pair_where": 0.0},
            "look_up": 1.2 if asked.is_how else 0.6,
            "most_common": 1.2 if has_superlative else 2.0,
            "least_common": 1.2 if has_superlative else 2.0,
            "count_different": 1.2 + (0 if asked.is_how else 1.5) + (0 if asked.has("different") else 0.5),
            "count": 0.1 if asked.is_how_many else 2.0,
            "number": 0.8 if asked.is_how else 1.3,
            "total": 1.0 if asked.is_how_many else 2.0,
            **{"difference": apart, "difference_in_count": apart + 0.3},
            **{"range_of": apart + extreme, "from_first_to_last": apart + ends},
            **{"equals": 0.2, "contains": 0.5, "begins_like": 1.5, "is_number": 0.4, "in_decade": 0.3},
            **dict.fromkeys(("over", "at_least", "under", "at_most"), 1.2),
        }
        self.names |= costs | self._rare(extreme, apart)

    def _rare(self, extreme: float, apart: float) -> dict[str, float]:
        """Functions that a word must ask for."""
        asked, costs = self.asked, dict[str, float]()
        if self.table.total_label is not None:
            costs["all_lines"] = 1.5
        if asked.has("negation") or "have" in asked.bag:
            costs |= {"is_empty": 1.5, "is_filled": 1.8}
        if asked.has("negation"):
            costs |= {"rows_where_not": 1.0, "rows_where_but_not": 1.0}
        if asked.has("place"):
            costs |= {"above": 0.9, "below": 0.9}
        if asked.has("other"):
            costs["same_as"] = 0.9
        if asked.has("than"):
            costs |= {"more_than": 0.9, "less_than": 0.9}
        if asked.is_how:
            costs["times_most_common"] = 2.0
        if asked.superlatives:
            costs |= {"totals": 1.8, "most_in_total": 0.0, "least_in_total": 0.0}
        if asked.has("average"):
            costs["average"] = 0.6
        if asked.is_yes_no:
            costs |= {"exists": 0.3, "is_more": apart + 1, "is_less": apart + 1}
        if self._few:
            costs |= {"first_few": 0.7, "last_few": 0.7, "top": 0.9, "bottom": 0.9}
        if self._places:
            costs |= {"nth": 0.8, "nth_from_last": 0.8, "nth_most": extreme, "nth_least": extreme}
        if asked.has("run"):
            costs["longest_run"] = 0.6
        return costs

    @cached_property
    def _few(self) -> bool:
        """Whether a number may say how many rows are meant: the top five."""
        near = self.asked.words
        return any(
            _FEW[0] <= it.value <= _FEW[1]
            and it.value.is_integer()
            and not FEW_WORDS.isdisjoint(near[max(0, it.place - 2) : it.place + 2])
            for it in self.asked.numbers.values()
        )

    @cached_property
    def _places(self) -> bool:
        """Whether a number may say which row is meant: the second."""
        return any(it.is_ordinal and _PLACES[0] <= it.value <= _PLACES[1] for it in self.asked.numbers.values())


FEW_WORDS = frozenset(
    [
        "top",
        "first",
        "last",
        "bottom",
        "highest",
        "lowest",
        "largest",
        "smallest",
        "best",
        "most",
        "final",
        "initial",
        "next",
        "previous",
        "consecutive",
    ]
)


@dataclass(frozen=True)
class TableCosts(Costs):
    """The costs of a question about a table."""

    linking: Linking = field(kw_only=True)
    language: type[TableLanguage] = field(kw_only=True)

    def extra(self, name: str, arguments: Batches, says: Sequence[NDArray[np.int64]], values: Any) -> Floats | None:
        odd = _ODD.get(name)
        return None if odd is None else odd(self, arguments, values)

    # -- conditions ----------------------------------------------------------------------------------------------------

    def part_of_cell(self, arguments: Batches, values: Any) -> Floats:
        """Words are a small part of all cells that have them."""
        found = np.zeros(len(values))
        columns, spans = arguments
        for row, (column, span) in enumerate(zip(columns.tolist(), spans.tolist(), strict=True)):
            if span in self._stubs or column not in self._worded:
                found[row] = np.inf
                continue
            own = self.linking.table.columns[column].values
            if places := own.having(span):
                shortest = min(len(own.stems[it].split()) for it in places)
                is_whole = span in own.whole_stems
                found[row] = 0.1 if is_whole else 0.3 if len(span.split()) <= 0.4 * shortest else 0.0
        return found

    def whole_cell(self, arguments: Batches, values: Any) -> Floats:
        columns = arguments[0]
        return np.where(np.isin(columns, list(self._worded)), 0.0, np.inf)

    def beginning(self, arguments: Batches, values: Any) -> Floats:
        columns, spans = arguments
        types = [self.linking.table.columns[it].type not in {"number", "year", "time"} for it in columns.tolist()]
        own = columns < self.linking.table.width
        return np.where(np.isin(spans, list(self._stubs)) & np.array(types, bool) & own, 0.0, np.inf)

    @cached_property
    def _stubs(self) -> frozenset[str]:
        return frozenset(span.stems for span in self.linking.spans if span.is_stub)

    @cached_property
    def _worded(self) -> frozenset[int]:
        return frozenset(column.index for column in self.linking.columns_of_words)

    @cached_property
    def _view_kinds(self) -> NDArray[np.str_]:
        return np.array([view.kind for view in self.linking.table.views])

    @cached_property
    def _view_columns(self) -> NDArray[np.intp]:
        return np.array([view.column for view in self.linking.table.views], np.intp)

    @cached_property
    def _tops(self) -> Floats:
        """The largest number of each view."""
        views = self.linking.table.views
        return np.array([np.nanmax(it.numbers) if np.isfinite(it.numbers).any() else 0.0 for it in views])

    def equal_number(self, arguments: Batches, values: Any) -> Floats:
        view, quantity = arguments
        odd = np.isin(self._view_kinds[view], ["date", "time", "difference"])
        return np.where(odd, np.inf, 0.0)

    def comparison(self, arguments: Batches, values: Any) -> Floats:
        """A comparison that all rows fulfil says nothing; a year is compared with years."""
        view, quantity = arguments
        numbers = self.linking.table
        known = np.array([np.count_nonzero(~np.isnan(numbers.views[it].numbers)) for it in view.tolist()])
        all_of_them = values["mask"][:, 0].sum(axis=-1) >= known
        is_year = (quantity >= 1000) & (quantity <= 2100) & (self._tops[view] < 1000)
        return np.where(all_of_them | is_year, np.inf, self.equal_number(arguments, values))

    def emptiness(self, arguments: Batches, values: Any) -> Floats:
        mask = values["mask"][:, 0]
        return np.where(mask.all(axis=-1) | (arguments[0] >= self.linking.table.width), np.inf, 0.0)

    # -- rows ----------------------------------------------------------------------------------------------------------

    def negated(self, arguments: Batches, values: Any) -> Floats:
        return np.where(_NAMED[arguments[0]["kind"]], 0.0, np.inf)

    def joined(self, arguments: Batches, values: Any) -> Floats:
        """Two comparisons are a range of one view."""
        one, other = arguments
        compared = _COMPARED[one["kind"]] & _COMPARED[other["kind"]]
        same_side = _FROM_BELOW[one["kind"]] == _FROM_BELOW[other["kind"]]
        return np.where(compared & ((one["view"] != other["view"]) | same_side), np.inf, 0.0)

    def either(self, arguments: Batches, values: Any) -> Floats:
        one, other = arguments
        fine = (one["column"] == other["column"]) & _SAID[one["kind"]] & _SAID[other["kind"]]
        return np.where(fine, 0.0, np.inf)

    def but_not(self, arguments: Batches, values: Any) -> Floats:
        one, other = arguments
        fine = (one["column"] != other["column"]) & ~_COMPARED[one["kind"]] & ~_COMPARED[other["kind"]]
        return np.where(fine, 0.0, np.inf)

    def paired(self, arguments: Batches, values: Any) -> Floats:
        """Both are said of one column."""
        return self.either(arguments[:2], values)

    def of_single(self, arguments: Batches, values: Any) -> Floats:
        rows = arguments[-1]
        return np.where(rows[:, 0].sum(axis=-1) == 1, 0.0, np.inf)

    def of_several(self, arguments: Batches, values: Any) -> Floats:
        rows = arguments[-1]
        return np.where(rows[:, 0].sum(axis=-1) > 1, 0.0, np.inf)

    def few(self, arguments: Batches, values: Any) -> Floats:
        quantity, rows = arguments[0], arguments[-1]
        fine = (quantity >= _FEW[0]) & (quantity <= _FEW[1]) & (rows[:, 0].sum(axis=-1) > quantity)
        return np.where(fine & (quantity == np.floor(quantity)), 0.0, np.inf)

    def place(self, arguments: Batches, values: Any) -> Floats:
        quantity, rows = arguments[0], arguments[-1]
        fine = (quantity >= _PLACES[0]) & (quantity <= _PLACES[1]) & (rows[:, 0].sum(axis=-1) >= quantity)
        return np.where(fine & (quantity == np.floor(quantity)), 0.0, np.inf)

    # -- answers -------------------------------------------------------------------------------------------------------

    def looked_up(self, arguments: Batches, values: Any) -> Floats:
        """Of many values, of all rows, of an empty cell."""
        [cells] = arguments
        times = cells["times"][:, 0]
        size = (times > 0).sum(axis=-1)
        every = times.sum(axis=-1) >= len(self.linking.table)
        empty = np.array(
            [self._empty(column, row) for column, row in zip(cells["column"].tolist(), times, strict=True)]
        )
        cost = 0.15 * np.minimum(size - 1, 4) + 1.5 * every + 1.0 * empty
        return np.where(size > _MOST_CELLS, np.inf, cost)

    def _empty(self, column: int, times: NDArray[Any]) -> bool:
        empty = self.linking.table.columns[column].values.empty
        return bool((times[: len(empty)] > 0)[empty].any())

    def common(self, arguments: Batches, values: Any) -> Floats:
        [cells] = arguments
        times = cells["times"][:, 0]
        said = np.bitwise_count(values["values"][:, 0]).sum(axis=-1)
        fine = (said <= _MOST_EQUAL) & ((times > 0).sum(axis=-1) > 1) & (times.max(axis=-1) > 1)
        return np.where(fine, 0.0, np.inf)

    def times_common(self, arguments: Batches, values: Any) -> Floats:
        times = arguments[0]["times"][:, 0]
        return np.where((times > 0).sum(axis=-1) > 1, 0.0, np.inf)

    def different(self, arguments: Batches, values: Any) -> Floats:
        """Where all values differ it is a count."""
        times = arguments[0]["times"]
        is_count = ((times > 0).sum(axis=-1) == times.sum(axis=-1)).all(axis=-1)
        return np.where(is_count, np.inf, 0.0)

    def grouped(self, arguments: Batches, values: Any) -> Floats:
        """Totals of numbers, for values that occur more than once."""
        column, view, rows = arguments
        table = self.linking.table
        repeats = np.array([it.distinct < 0.95 and not it.is_virtual for it in table.columns])
        plain = np.array(
            [it.kind == "number" and table.columns[it.column].type in {"number", "mixed"} for it in table.views]
        )
        several = (~np.isnan(values["sums"][:, 0])).sum(axis=-1) > 1
        fine = repeats[column] & plain[view] & (self._view_columns[view] != column) & several
        return np.where(fine, 0.0, np.inf)

    def most_grouped(self, arguments: Batches, values: Any) -> Floats:
        said = np.bitwise_count(values["values"][:, 0]).sum(axis=-1)
        return np.where(said <= _MOST_GROUPS, 0.0, np.inf)

    def one_number(self, arguments: Batches, values: Any) -> Floats:
        """A cell that is a number is looked up."""
        view, rows = arguments
        table = self.linking.table
        whole = np.array(
            [table.columns[it.column].values.share(table.columns[it.column].values.whole) for it in table.views]
        )
        kinds = self._view_kinds[view]
        fine = ((kinds != "number") | (whole[view] < 0.95)) & (kinds != "date")
        return np.where(fine, 0.0, np.inf)

    def added(self, arguments: Batches, values: Any) -> Floats:
        """More than one number, of a kind that can be added up."""
        view, rows = arguments
        several = (~np.isnan(self._numbers_of(view)) & rows[:, 0]).sum(axis=-1) > 1
        fine = np.isin(self._view_kinds[view], ["number", "difference", "time"]) & several
        return np.where(fine, 0.0, np.inf)

    def _numbers_of(self, view: NDArray[np.intp]) -> Floats:
        return np.stack([it.numbers for it in self.linking.table.views])[view]

    def apart(self, arguments: Batches, values: Any) -> Floats:
        view = arguments[0]
        is_nothing = (self._view_kinds[view] == "date") | (values["number"][:, 0] == 0)
        return np.where(is_nothing, np.inf, 0.0)

    def subtracted(self, arguments: Batches, values: Any) -> Floats:
        return np.where(self._view_kinds[arguments[0]] == "date", np.inf, 0.0)

    def counted(self, arguments: Batches, values: Any) -> Floats:
        """One row is seldom counted, nor are all."""
        rows = arguments[0][:, 0]
        count = rows.sum(axis=-1)
        return 0.3 * (count >= len(self.linking.table)) + 0.0 * count


Odd = Callable[[TableCosts, Batches, Any], Floats]
_ODD: Mapping[str, Odd] = {
    "equals": TableCosts.whole_cell,
    "contains": TableCosts.part_of_cell,
    "begins_like": TableCosts.beginning,
    "is_number": TableCosts.equal_number,
    "in_decade": TableCosts.equal_number,
    **dict.fromkeys(("over", "at_least", "under", "at_most"), TableCosts.comparison),
    **dict.fromkeys(("is_empty", "is_filled"), TableCosts.emptiness),
    "rows_where_not": TableCosts.negated,
    "rows_where_both": TableCosts.joined,
    "rows_where_either": TableCosts.either,
    "rows_where_but_not": TableCosts.but_not,
    **dict.fromkeys(("pair", "pair_where"), TableCosts.paired),
    **dict.fromkeys(
        ("next_row", "previous_row", "above", "below", "same_as", "more_than", "less_than"), TableCosts.of_single
    ),
    **dict.fromkeys(("most", "least", "first", "last"), TableCosts.of_several),
    **dict.fromkeys(("first_few", "last_few", "top", "bottom"), TableCosts.few),
    **dict.fromkeys(("nth", "nth_from_last", "nth_most", "nth_least"), TableCosts.place),
    "look_up": TableCosts.looked_up,
    **dict.fromkeys(("most_common", "least_common"), TableCosts.common),
    "times_most_common": TableCosts.times_common,
    "count_different": TableCosts.different,
    "totals": TableCosts.grouped,
    **dict.fromkeys(("most_in_total", "least_in_total"), TableCosts.most_grouped),
    "number": TableCosts.one_number,
    **dict.fromkeys(("total", "average"), TableCosts.added),
    **dict.fromkeys(("range_of", "from_first_to_last"), TableCosts.apart),
    **dict.fromkeys(("difference", "is_more", "is_less"), TableCosts.subtracted),
    "count": TableCosts.counted,
}
