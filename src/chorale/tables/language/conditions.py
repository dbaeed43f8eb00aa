"""Conditions: what a question says of the cells of one column, by words, by numbers or by their being empty.

Words are compared stemmed (see `words`), numbers as a view reads them; a cell without a number fulfils no comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chorale.language import function
from chorale.tables.columns import BEGINNING, LONG, Values
from chorale.tables.language.types import (
    NO_VIEW,
    Bits,
    Column,
    Condition,
    Decade,
    Floats,
    Ids,
    OverTables,
    Quantity,
    Span,
    View,
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
    "is_empty",
    "is_filled",
)
"""The functions that make conditions; the kind of one is its place here."""

_YEARS = 10


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
        """A word of the cell begins like this one: Norwegian like Norway."""
        return self._worded("begins_like", column, span, _begins_like)

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

    # -- empty cells ---------------------------------------------------------------------------------------------------

    @function
    def is_empty(self, column: Column) -> Condition:
        return self._condition("is_empty", column, NO_VIEW, self.stack.empty[column])

    @function
    def is_filled(self, column: Column) -> Condition:
        return self._condition("is_filled", column, NO_VIEW, self.there[column] & ~self.stack.empty[column])

    def _condition(self, kind: str, column: Ids, view: Ids | int, mask: Bits) -> Condition:
        found: Condition = np.zeros(len(column), self.condition_type)
        parts: dict[str, Any] = {"column": column, "kind": KINDS.index(kind), "view": view, "mask": mask}
        for name, part in parts.items():
            found[name] = part
        return found


def _equal(values: Values, words: str) -> list[int]:
    return [place for place in values.having(words) if values.stems[place] == words]


def _begins_like(values: Values, word: str) -> list[int]:
    start = word[:BEGINNING]
    alike = (it for own, it in values.index.items() if own[:BEGINNING] == start and own.isalpha() and len(own) >= LONG)
    return sorted({place for places in alike for place in places})
