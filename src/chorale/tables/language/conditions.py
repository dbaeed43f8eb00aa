"""Conditions: what a question says of the cells of one column: by words, numbers, scores, or how often they occur.

Words are compared stemmed (see `words`), numbers as a view reads them; a cell without a number fulfils no comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from functools import cached_property
from typing import Any

import numpy as np

from chorale.language import function
from chorale.tables.columns import Values
from chorale.tables.language.types import (
    NO_VIEW,
    Bits,
    Column,
    Condition,
    Decade,
    Floats,
    Ids,
    Moment,
    OverTables,
    Quantity,
    Span,
    View,
    bits,
)

KINDS = (
    "equals",
    "contains",
    "begins_like",
    "is_number",
    "over",
    "at_least",
    "under",
    "at_most",
    "in_decade",
    "on_date",
    "after_date",
    "since_date",
    "before_date",
    "until_date",
    "is_empty",
    "is_filled",
    "begins_with",
    "has_item",
    "is_win",
    "is_loss",
    "is_draw",
    "is_repeated",
    "occurs",
)
"""The functions that make conditions; the kind of one is its place here."""

_YEARS = 10
_DAYS = 372  # of a year whose months all have 31


class Conditions(OverTables):
    """Functions from columns and words to conditions."""

    # -- words ---------------------------------------------------------------------------------------------------------

    @function
    def equals(self, column: Column, span: Span) -> Condition:
        """The cell has these words and no others."""
        return self._worded("equals", column, span, _equal)

    @function
    def contains(self, column: Column, span: Span) -> Condition:
        """The cell has these words, one after the other."""
        return self._worded("contains", column, span, Values.having)

    @function
    def begins_like(self, column: Column, span: Span) -> Condition:
        """A word of the cell begins like this one: Germans like Germany."""
        return self._worded("begins_like", column, span, Values.alike)

    @function
    def begins_with(self, column: Column, span: Span) -> Condition:
        """The cell begins with these letters or words."""
        return self._worded("begins_with", column, span, _begins_with)

    @function
    def has_item(self, column: Column, span: Span) -> Condition:
        """One of the things that the cell lists is called so."""
        mask = np.zeros((len(column), *self.stack.shape), bool)
        for row, (one, words) in enumerate(zip(column.tolist(), span.tolist(), strict=True)):
            if one in self.listing:
                items, flags = self.stack.values[one].items, np.zeros(len(self.stack.values[one]) + 1, bool)
                called = np.array([stem == words for stem in items.values.stems], bool)
                flags[items.lists[called[items.things]]] = True
                mask[row] = flags[self.stack.ids[one]]
        return self._condition("has_item", column, NO_VIEW, mask)

    def _worded(self, kind: str, column: Ids, span: Span, those: Callable[[Values, str], list[int]]) -> Condition:
        mask = np.zeros((len(column), *self.stack.shape), bool)
        for row, (one, words) in enumerate(zip(column.tolist(), span.tolist(), strict=True)):
            values = self.stack.values[one]
            if places := those(values, words):
                flags = np.zeros(len(values) + 1, bool)  # the last is for cells that are not there
                flags[places] = True
                mask[row] = flags[self.stack.ids[one]]
        return self._condition(kind, column, NO_VIEW, mask)

    # -- numbers -------------------------------------------------------------------------------------------------------

    @function
    def is_number(self, view: View, quantity: Quantity) -> Condition:
        return self._compared("is_number", view, quantity, np.equal)

    @function
    def over(self, view: View, quantity: Quantity) -> Condition:
        return self._compared("over", view, quantity, np.greater)

    @function
    def at_least(self, view: View, quantity: Quantity) -> Condition:
        return self._compared("at_least", view, quantity, np.greater_equal)

    @function
    def under(self, view: View, quantity: Quantity) -> Condition:
        return self._compared("under", view, quantity, np.less)

    @function
    def at_most(self, view: View, quantity: Quantity) -> Condition:
        return self._compared("at_most", view, quantity, np.less_equal)

    @function
    def in_decade(self, view: View, decade: Decade) -> Condition:
        """The number is a year of the decade."""
        return self._compared("in_decade", view, decade, lambda it, first: (it >= first) & (it < first + _YEARS))

    def _compared(self, kind: str, view: Ids, number: Floats, holds: Callable[[Floats, Floats], Bits]) -> Condition:
        mask = holds(self.stack.numbers[view], number[:, None, None])
        return self._condition(kind, self.view_columns[view], view, mask)

    # -- scores: which of the two numbers of a cell is larger ----------------------------------------------------------

    @function
    def is_win(self, column: Column) -> Condition:
        """The first number of the score is larger."""
        return self._scored("is_win", column, np.greater)

    @function
    def is_loss(self, column: Column) -> Condition:
        """The second number of the score is larger."""
        return self._scored("is_loss", column, np.less)

    @function
    def is_draw(self, column: Column) -> Condition:
        """Both numbers of the score are the same."""
        return self._scored("is_draw", column, np.equal)

    def _scored(self, kind: str, column: Ids, holds: Callable[[Floats, Floats], Bits]) -> Condition:
        mask = np.zeros((len(column), *self.stack.shape), bool)
        for row, one in enumerate(column.tolist()):
            if one in self._scores:
                mask[row] = holds(*self._scores[one])
        return self._condition(kind, column, NO_VIEW, mask)

    @cached_property
    def _scores(self) -> dict[int, tuple[Floats, Floats]]:
        """The first and second numbers of each column that has them, (table, row)."""
        views = {(view.column, view.kind): place for place, view in enumerate(self.stack.table.views)}
        numbers = self.stack.numbers
        return {
            column: (numbers[views[column, "number"]], numbers[place])
            for (column, kind), place in views.items()
            if kind == "second"
        }

    # -- how often values occur; empty cells have none -----------------------------------------------------------------

    @function
    def is_repeated(self, column: Column) -> Condition:
        """Other rows have the same value."""
        return self._condition("is_repeated", column, NO_VIEW, bits(self._times[column] > 1))

    @function
    def occurs(self, column: Column, quantity: Quantity) -> Condition:
        """So many rows have this value."""
        times = self._times[column]
        return self._condition("occurs", column, NO_VIEW, bits(times == quantity[:, None, None]) & (times > 0))

    @cached_property
    def _times(self) -> Ids:
        """How many rows have the value of each cell, none if it is empty, (column, table, row)."""
        filled = self.there & ~self.stack.empty
        repeats = np.zeros(filled.shape, np.intp)
        for place in np.ndindex(filled.shape[:2]):
            ids = self.stack.ids[place][filled[place]]
            repeats[place][filled[place]] = np.bincount(ids, minlength=1)[ids]
        return repeats

    # -- dates, of which a part may be unknown -------------------------------------------------------------------------

    @function
    def on_date(self, view: View, moment: Moment) -> Condition:
        """The date is this one, or one of the month or year."""
        return self._dated("on_date", view, moment, lambda it, first, last: (it >= first) & (it <= last))

    @function
    def after_date(self, view: View, moment: Moment) -> Condition:
        return self._dated("after_date", view, moment, lambda it, first, last: it > last)

    @function
    def since_date(self, view: View, moment: Moment) -> Condition:
        return self._dated("since_date", view, moment, lambda it, first, last: it >= first)

    @function
    def before_date(self, view: View, moment: Moment) -> Condition:
        return self._dated("before_date", view, moment, lambda it, first, last: it < first)

    @function
    def until_date(self, view: View, moment: Moment) -> Condition:
        return self._dated("until_date", view, moment, lambda it, first, last: it <= last)

    def _dated(
        self, kind: str, view: Ids, moment: Floats, holds: Callable[[Floats, Floats, Floats], Bits]
    ) -> Condition:
        """Dates are compared by the parts that both have: without a year, by month and day."""
        mask = np.zeros((len(view), *self.stack.shape), bool)
        for row, (one, said) in enumerate(zip(view.tolist(), moment, strict=True)):
            if self.view_kinds[one] == "date":
                year, month, day = self._date_parts(int(self.view_columns[one]))
                own = _DAYS * np.where(np.isnan(year), said[0], year) if not np.isnan(said[0]) else 0.0
                own = own + 31 * (month - 1) + np.where(np.isnan(day), 0, day - 1)
                first = _DAYS * np.nan_to_num(said[0]) + 31 * (np.nan_to_num(said[1], nan=1.0) - 1)
                first += np.nan_to_num(said[2], nan=1.0) - 1
                last = first + (0 if not np.isnan(said[2]) else 30 if not np.isnan(said[1]) else _DAYS - 1)
                mask[row] = holds(own, first, last)
        return self._condition(kind, self.view_columns[view], view, mask)

    def _date_parts(self, column: int) -> Floats:
        """The year, month and day of each cell, NaN where it does not say, (part, table, row)."""
        if column not in self._dates:
            known = [(None,) * 3 if it is None else astuple(it) for it in self.stack.values[column].dates]
            parts = np.array([*known, (None,) * 3], np.float64)  # the last is for cells that are not there
            self._dates[column] = parts[self.stack.ids[column]].transpose(2, 0, 1)
        return self._dates[column]

    @cached_property
    def _dates(self) -> dict[int, Floats]:
        return {}

    # -- empty cells ---------------------------------------------------------------------------------------------------

    @function
    def is_empty(self, column: Column) -> Condition:
        return self._condition("is_empty", column, NO_VIEW, self.stack.empty[column])

    @function
    def is_filled(self, column: Column) -> Condition:
        return self._condition("is_filled", column, NO_VIEW, self.there[column] & ~self.stack.empty[column])

    def _condition(self, kind: str, column: Ids, view: Ids | int, mask: Bits) -> Condition:
        condition: Condition = np.zeros(len(column), self.condition_type)
        parts: dict[str, Any] = {"column": column, "kind": KINDS.index(kind), "view": view, "mask": mask}
        for name, part in parts.items():
            condition[name] = part
        return condition


def _equal(values: Values, words: str) -> list[int]:
    return [place for place in values.having(words) if values.stems[place] == words]


def _begins_with(values: Values, words: str) -> list[int]:
    return [place for place, stemmed in enumerate(values.stems) if stemmed.startswith(words)]
