"""Tables on a page: the rows that a part of a program found are tinted, and the cells that it looked at are marked.

Of a large table the first rows are shown, of a step those that it found; gaps are said. Rows are numbered as in the
text of a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chorale.plumbing.html import Markup, element, wide
from chorale.tables.table import Table
from chorale.tables.tracing import TableStep

_ROWS, _CARD_ROWS = 20, 7
_COLUMNS, _CARD_COLUMNS = 14, 5
_AROUND = 2
"""Rows at the end that are shown of many."""
_LETTERS = 80
_FIGURES = frozenset({"number", "year"})


@dataclass(frozen=True)
class _Marked:
    """What is marked in a table."""

    groups: tuple[tuple[int, ...], ...] = ()
    columns: frozenset[int] = frozenset()

    def kind(self, row: int) -> str:
        """How a row is tinted: as one of the first group, of the second, or not at all."""
        return next((name for name, group in zip(("on", "on other"), self.groups, strict=False) if row in group), "")


class TableShowing:
    """Whole tables and the steps of traces as HTML tables."""

    def show(self, context: Table, steps: Sequence[TableStep] = ()) -> Markup:
        marked = _marked(steps[-1]) if steps else _Marked()
        columns = list(range(context.width))
        must = [it for it in columns if it in marked.columns]
        return wide(_sheet(context, marked, _some(columns, must, _COLUMNS), _ROWS), "the table")

    def show_step(self, step: TableStep) -> Markup:
        columns = sorted({0, *step.shown})
        shown = _some(columns, step.columns, _CARD_COLUMNS)
        return wide(_sheet(step.table, _marked(step), shown, _CARD_ROWS), step.result, "scroll")


def _marked(step: TableStep) -> _Marked:
    return _Marked(step.groups, frozenset(step.columns))


def _some(places: Sequence[int], must: Sequence[int], most: int) -> list[int]:
    """Some places in their order: those that must be there before all others, then the first."""
    return sorted(list(dict.fromkeys([*must, *places]))[:most])


def _sheet(table: Table, marked: _Marked, columns: Sequence[int], most: int) -> Markup:
    """A table, or what fits of it."""
    heads = [element("th", table.columns[it].name, scope="col", class_=_class(table, it)) for it in columns]
    rows = [element("tr", element("th", "", class_="number"), *heads)]
    width, last = len(columns) + 1, -1
    for row in _rows(len(table), marked, most):
        if row > last + 1:
            rows.append(_gap(row - last - 1, width))
        rows.append(_row(table, row, marked, columns))
        last = row
    if last + 1 < len(table):
        rows.append(_gap(len(table) - last - 1, width))
    return element("table", element("tbody", *rows), class_="sheet")


def _rows(count: int, marked: _Marked, most: int) -> list[int]:
    """Which rows are shown: all if they are few, else those that were found and the first."""
    if count <= most:
        return list(range(count))
    rows = sorted(row for group in marked.groups for row in group)
    if len(rows) > most:
        return [*rows[: most - _AROUND], *rows[-_AROUND:]]
    return _some(range(min(count, most)), rows, most)


def _gap(count: int, width: int) -> Markup:
    said = f"⋯ {count:,} more row{'s' if count > 1 else ''}"
    return element("tr", element("td", said, colspan=str(width)), class_="gap")


def _row(table: Table, row: int, marked: _Marked, columns: Sequence[int]) -> Markup:
    kind = marked.kind(row)
    cells = [_cell(table, row, it, bool(kind) and it in marked.columns) for it in columns]
    return element("tr", element("th", str(row + 1), scope="row", class_="number"), *cells, class_=kind)


def _cell(table: Table, row: int, column: int, is_marked: bool) -> Markup:
    text = table.rows[row][column]
    text = text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
    return element("td", element("mark", text) if is_marked and text else text, class_=_class(table, column))


def _class(table: Table, column: int) -> str:
    return "number" * (table.columns[column].type in _FIGURES)
