"""Conditions in SQL. What has no plain form lists the cells that are meant: that is exact, and can be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from chorale.tables.columns import BEGINNING
from chorale.tables.dates import Date
from chorale.tables.language.said import date_of
from chorale.tables.language.types import Bits
from chorale.tables.quoting import literal
from chorale.tables.sql.parts import OverTable
from chorale.tables.sql.select import Select
from chorale.tables.words import stems

_WILD = frozenset("%_\\{}")
_CASED = frozenset("İıſK")  # letters whose other case is an English one, or two letters
_YEARS = 10
_SIGNS = {"after_date": ">", "since_date": ">=", "before_date": "<", "until_date": "<="}


@dataclass(frozen=True)
class Pattern:
    """A condition on texts, and what it says of each."""

    sql: str
    finds: Callable[[str], bool]


class Conditions(OverTable):
    """One method for each condition; each knows where it holds on the table."""

    # -- words ---------------------------------------------------------------------------------------------------------

    def equals(self, mask: Bits, column: int, span: str) -> str:
        return self.columns.among(column, mask)

    def contains(self, mask: Bits, column: int, span: str) -> str:
        return self._found(mask, column, _anywhere(span)) or self.columns.among(column, mask)

    def begins_with(self, mask: Bits, column: int, span: str) -> str:
        return self._found(mask, column, [_like(span, "{}%", str.startswith)]) or self.columns.among(column, mask)

    def begins_like(self, mask: Bits, column: int, span: str) -> str:
        start = "".join(stems(span))[:BEGINNING]
        return self._found(mask, column, _anywhere(start)) or self.columns.among(column, mask)

    def has_item(self, mask: Bits, column: int, span: str) -> str:
        pattern = self._found(mask, column, _anywhere(span)[:1])
        if pattern or not mask.any():
            return pattern or "false"
        items = self.table.columns[column].values.items.values
        wanted = [text for text, own in zip(items.texts, items.stems, strict=True) if own == " ".join(stems(span))]
        return f"list_has_any({self.columns.lists(column)}, {literal(tuple(wanted))})"

    def _found(self, mask: Bits, column: int, patterns: Sequence[Pattern]) -> str:
        """The first pattern that finds just these rows; empty if none does."""
        cells = [cell or "" for cell in self.columns.cells(column)]
        if not self.columns.is_text(column) or any(not _CASED.isdisjoint(cell) for cell in cells):
            return ""
        wanted = mask.tolist()
        for pattern in patterns:
            if pattern.sql and [pattern.finds(cell) for cell in cells] == wanted:
                return pattern.sql.format(self.columns.text(column))
        return ""

    # -- numbers -------------------------------------------------------------------------------------------------------

    def is_number(self, mask: Bits, view: int, quantity: float) -> str:
        return self._compared(mask, view, "{} = " + self.quantity(quantity))

    def over(self, mask: Bits, view: int, quantity: float) -> str:
        return self._compared(mask, view, "{} > " + self.quantity(quantity))

    def at_least(self, mask: Bits, view: int, quantity: float) -> str:
        return self._compared(mask, view, "{} >= " + self.quantity(quantity))

    def under(self, mask: Bits, view: int, quantity: float) -> str:
        return self._compared(mask, view, "{} < " + self.quantity(quantity))

    def at_most(self, mask: Bits, view: int, quantity: float) -> str:
        return self._compared(mask, view, "{} <= " + self.quantity(quantity))

    def in_decade(self, mask: Bits, view: int, decade: float) -> str:
        numbers = self.table.views[view].numbers
        if np.array_equal(numbers, np.round(numbers), equal_nan=True):
            return self._compared(mask, view, f"{{}} BETWEEN {decade:.0f} AND {decade + _YEARS - 1:.0f}")
        return self._compared(mask, view, f"({{0}} >= {decade:.0f} AND {{0}} < {decade + _YEARS:.0f})")

    def _compared(self, mask: Bits, view: int, comparison: str) -> str:
        if self.kind(view) == "date":
            return self.columns.among(self.table.views[view].column, mask)
        return comparison.format(self.columns.view(view))

    # -- scores --------------------------------------------------------------------------------------------------------

    def is_win(self, mask: Bits, column: int) -> str:
        return self._scored(column, ">")

    def is_loss(self, mask: Bits, column: int) -> str:
        return self._scored(column, "<")

    def is_draw(self, mask: Bits, column: int) -> str:
        return self._scored(column, "=")

    def _scored(self, column: int, sign: str) -> str:
        views = {(view.column, view.kind): place for place, view in enumerate(self.table.views)}
        if (column, "second") not in views:
            return "false"
        one, other = (self.columns.view(views[column, kind]) for kind in ("number", "second"))
        return f"{one} {sign} {other}"

    # -- how often values occur ----------------------------------------------------------------------------------------

    def is_repeated(self, mask: Bits, column: int) -> str:
        return self._occurring(column, "count(*) > 1")

    def occurs(self, mask: Bits, column: int, quantity: float) -> str:
        return self._occurring(column, f"count(*) = {self.quantity(quantity)}")

    def _occurring(self, column: int, having: str) -> str:
        name = self.columns.text(column)
        filled = Select(name).that(self._filled(column))
        return f"{name} IN ({filled.of(name, group=f'{name} HAVING {having}')})"

    # -- dates ---------------------------------------------------------------------------------------------------------

    def on_date(self, mask: Bits, view: int, moment: Date) -> str:
        name = self._date(view, moment)
        match moment:
            case _ if not name:
                return self.columns.among(self.table.views[view].column, mask)
            case Date(None, int(month), None):
                return f"month({name}) = {month}"
            case Date(None, _, _):
                return f"strftime({name}, '%m-%d') = {_month_and_day(moment)}"
            case Date(int(year), None, None):
                return f"year({name}) = {year}"
            case Date(_, _, None):
                return f"{name} BETWEEN {literal(moment)} AND {literal(_last(moment))}"
        return f"{name} = {literal(moment)}"

    def after_date(self, mask: Bits, view: int, moment: Date) -> str:
        return self._dated("after_date", mask, view, moment, _last(moment))

    def since_date(self, mask: Bits, view: int, moment: Date) -> str:
        return self._dated("since_date", mask, view, moment, moment)

    def before_date(self, mask: Bits, view: int, moment: Date) -> str:
        return self._dated("before_date", mask, view, moment, moment)

    def until_date(self, mask: Bits, view: int, moment: Date) -> str:
        return self._dated("until_date", mask, view, moment, _last(moment))

    def _dated(self, kind: str, mask: Bits, view: int, moment: Date, limit: Date) -> str:
        name = self._date(view, moment)
        if not name:
            return self.columns.among(self.table.views[view].column, mask)
        if moment.year is None:
            return f"strftime({name}, '%m-%d') {_SIGNS[kind]} {_month_and_day(limit)}"
        return f"{name} {_SIGNS[kind]} {literal(limit)}"

    def _date(self, view: int, moment: Date) -> str:
        """The name of a view of dates that can be compared as such; empty if some lack the year or are not dates."""
        if self.kind(view) != "date" or (moment.month is None and (moment.day or not moment.year)):
            return ""
        column = self.table.columns[self.table.views[view].column]
        for date in filter(None, column.values.dates):
            there = date_of(date.days)
            whole = Date(date.year or None, date.month, date.day or 1)
            if there != whole or (moment.year is not None and date.year is None):
                return ""
        return self.columns.view(view)

    # -- empty cells ---------------------------------------------------------------------------------------------------

    def is_empty(self, mask: Bits, column: int) -> str:
        return self.columns.among(column, mask)

    def is_filled(self, mask: Bits, column: int) -> str:
        return self._filled(column) or f"{self.columns.text(column)} IS NOT NULL"

    def _filled(self, column: int) -> str:
        """The condition that something stands in a cell; empty if something stands in all of them."""
        empty, cells = self.table.columns[column].empty, self.columns.cells(column)
        said = empty & np.array([cell is not None for cell in cells], bool)
        name = self.columns.text(column)
        if said.any():
            return self.columns.none_of(column, said)
        return f"{name} IS NOT NULL" if empty.any() else ""


def _like(words: str, pattern: str, holds: Callable[[str, str], bool]) -> Pattern:
    words = words.lower()
    is_plain = words.isascii() and _WILD.isdisjoint(words)
    sql = f"{{}} ILIKE {literal(pattern.format(words))}" if is_plain else ""
    return Pattern(sql, lambda text: holds(text.lower(), words))


def _anywhere(span: str) -> list[Pattern]:
    """Words anywhere in a text; the same without their endings, also where a word begins."""
    stemmed = " ".join(stems(span))
    begin = re.compile(rf"\b{re.escape(stemmed)}", re.ASCII | re.IGNORECASE)
    is_word = stemmed.isascii() and stemmed.replace(" ", "").isalnum()
    sql = f"regexp_matches({{}}, '(?i)\\b{stemmed}')" if is_word else ""
    patterns = [_like(words, "%{}%", lambda text, it: it in text) for words in dict.fromkeys((span, stemmed))]
    return [*patterns, Pattern(sql, lambda text: begin.search(text) is not None)]


def _last(moment: Date) -> Date:
    """The last day that a date may be."""
    month = moment.month or 12
    if moment.day is not None:
        return Date(moment.year, month, moment.day)
    after = Date((moment.year or 0) + (month == 12), month % 12 + 1, 1)
    before = date_of(after.days - 1)
    return Date(moment.year, before.month, before.day)


def _month_and_day(moment: Date) -> str:
    return literal(f"{moment.month or 1:02}-{moment.day or 1:02}")
