"""What a query reads of a table: cells as texts, views as numbers, and the number of each row.

Each is made when a query first asks for it, and stands in a WITH at the query's head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from chorale.tables.dates import MONTHS
from chorale.tables.language.said import date_of
from chorale.tables.language.types import Bits
from chorale.tables.quoting import literal, quoted
from chorale.tables.sql import expressions as ways
from chorale.tables.sql.expressions import MOST_LISTED, Expression, NoSqlError, Value, part, reading
from chorale.tables.sql.origin import Origin
from chorale.tables.sql.select import TABLE
from chorale.tables.table import Column, Table

_SHORT, _WIDE = 2, 100  # expressions and letters that fit a line
_VIEWS = {
    "number": "{} as number",
    "second": "{} second number",
    "difference": "{} difference",
    "year": "{} year",
    "date": "{} as date",
    "time": "{} in seconds",
    "items": "{} count",
}
_EXPRESSIONS: Mapping[str, Sequence[Expression]] = {
    "number": ways.NUMBERS,
    "second": ways.SECONDS,
    "difference": (),
    "year": ways.YEARS,
    "date": ways.DATES,
    "time": ways.TIMES,
    "items": tuple(map(ways.length, ways.LISTS)),
}
_TYPED: Mapping[tuple[str, str], Sequence[Expression]] = {
    ("number", "number"): (ways.TYPED,),
    ("number", "year"): (ways.TYPED,),
    ("date", "date"): ways.TYPED_DATES,
    ("date", "year"): ways.TYPED_YEARS,
}
"""By the type that the file says, and the view."""
_PARTS = {
    "first part": [part(separator, 1) for separator in (", ", "\n", " / ", " – ", " - ")],
    "last part": [part(separator, -1) for separator in (", ", "\n", " / ", " – ", " - ")],
    "text before parentheses": [ways.TRIMMED.after(part("(", 1)), part(" (", 1)],
    "text in parentheses": [ways.IN_BRACKETS],
    "first name": [part(" ", 1)],
    "last name": [part(" ", -1)],
}


class Columns:
    """The columns and views of a table that a query uses; `whole` are the columns whose values it tells apart."""

    def __init__(self, table: Table, whole: frozenset[int]) -> None:
        self.table, self.whole, self.origin = table, whole, Origin(table)
        self.made: dict[str, str] = {}
        """What the head of the query adds to the table: names and expressions."""
        self.changed: dict[str, str] = {}
        """The columns that it writes in one way each."""
        self._names: dict[str, str] = {}
        self._known: dict[int, list[tuple[str, str]]] = {}
        self._taken = {name.lower() for name in self.origin.names}

    def free(self, name: str) -> str:
        """A name that no column has, always the same for the same name."""
        if name not in self._names:
            free, number = name, 1
            while free.lower() in self._taken:
                number += 1
                free = f"{name} ({number})"
            self._taken.add(free.lower())
            self._names[name] = free
        return self._names[name]

    def _put(self, name: str, expression: str) -> str:
        free = self.free("".join(letter if letter.isprintable() else "?" for letter in name))
        self.made.setdefault(free, expression)
        return quoted(free)

    @property
    def row(self) -> str:
        """The number of each row."""
        return self._put("row", "row_number() OVER ()")

    # -- texts ---------------------------------------------------------------------------------------------------------

    def text(self, index: int) -> str:
        """The name under which a query has the cells of a column."""
        column = self.table.columns[index]
        if column.is_virtual:
            return self._put(column.name, self._virtual(column))
        if self.origin.types[index] == "nested":
            raise NoSqlError(f"cells of {column.name!r:.60} are no texts in the file")
        name = self.origin.names[index]
        if name not in self.changed:
            wanted = {text: cell or None for text, cell in self._cells(index)}
            if self._is_changed(index, wanted):
                has_blanks = self.origin.has_blank_texts and any(not text for text, _ in self._cells(index))
                same = Expression("nullif({}, '')", str) if has_blanks else ways.SAME
                wanted.pop("", None)
                self.changed[name] = reading(quoted(name), wanted, [same, ways.TRIMMED, ways.CITATION])
        return quoted(name)

    def _is_changed(self, index: int, wanted: Mapping[str, str | None]) -> bool:
        if self.origin.types[index] != "text":
            return False
        has_blanks = self.origin.has_blank_texts and "" in wanted
        return has_blanks or any(text != (cell or "") for text, cell in wanted.items())

    def cells(self, index: int) -> list[str | None]:
        """What each row has there; None where it has nothing."""
        return [cell or None for _, cell in self._cells(index)]

    def _cells(self, index: int) -> list[tuple[str, str]]:
        """The text of each cell in the file, and in the query."""
        if index not in self._known:
            self._known[index] = self._read(index)
        return self._known[index]

    def _read(self, index: int) -> list[tuple[str, str]]:
        column = self.table.columns[index]
        spelled = ["" if key == "" else text for key, text in zip(column.values.keys, column.values.texts, strict=True)]
        texts = [spelled[place] for place in column.ids.tolist()]
        if column.is_virtual:
            return [(text, text) for text in texts]
        own = [row[index] for row in self.table.rows]
        return list(zip(own, texts if index in self.whole else own, strict=True))

    def _virtual(self, column: Column) -> str:
        """What a virtual column is read from."""
        source = self.table.columns[column.source]
        texts = dict(zip((text for text, _ in self._cells(source.index)), self.cells(column.index), strict=True))
        if column.part == "month":
            place = self._place(source.index, "date")
            days = self._wanted(source.index, place)
            month = Expression(
                f"lower(monthname({self.view(place)}))",
                lambda text: (
                    None if not isinstance(day := days[text], float) else MONTHS[(date_of(day).month or 1) - 1]
                ),
            )
            return self._with_exceptions(source.index, texts, [month])
        return self._with_exceptions(source.index, texts, [*_PARTS[column.part], ways.SAME])

    def _with_exceptions(self, index: int, texts: Mapping[str, str | None], expressions: Sequence[Expression]) -> str:
        wanted: dict[str, Value] = {text: it for text, it in texts.items() if self._is_said(text)}
        return reading(self._raw(index), wanted, expressions)

    def _is_said(self, text: str) -> bool:
        """Whether a query may find this text, rather than nothing."""
        return bool(text) or self.origin.has_blank_texts

    def _raw(self, index: int) -> str:
        """The text of a cell as the file has it."""
        if self.table.columns[index].is_virtual:
            return self.text(index)
        name = quoted(self.origin.names[index])
        return name if self.origin.types[index] == "text" else f"CAST({name} AS VARCHAR)"

    def has_nothing(self, index: int, rows: Bits) -> bool:
        """Whether some rows have an empty cell there, which SQL counts otherwise."""
        return any(cell is None for cell, there in zip(self.cells(index), rows.tolist(), strict=True) if there)

    def filled(self, index: int) -> str:
        """Cells as texts, also where nothing stands."""
        name = self.text(index)
        return f"coalesce({name if self.is_text(index) else f'CAST({name} AS VARCHAR)'}, '')"

    def among(self, index: int, rows: Bits) -> str:
        """The condition that just these rows fulfil, of which one cell of each is known."""
        cells, flags = self.cells(index), rows.tolist()
        inside = list(dict.fromkeys(cell for cell, flag in zip(cells, flags, strict=True) if flag))
        outside = list(dict.fromkeys(cell for cell, flag in zip(cells, flags, strict=True) if not flag))
        if not inside:
            return "false"
        name, texts = self.text(index), [it for it in inside if it is not None]
        nothing = [f"{name} IS NULL"] if None in inside else []
        if len(texts) > MOST_LISTED:
            others = [it for it in outside if it is not None]
            if len(others) > MOST_LISTED:
                raise NoSqlError(f"more than {MOST_LISTED} values of {name:.60} are meant, and more are not")
            return either(*nothing, _in(name, others, negated=True) if others else f"{name} IS NOT NULL")
        return either(*nothing, *([_in(name, texts)] if texts else []))

    def none_of(self, index: int, rows: Bits, *, also_empty: bool = False) -> str:
        """The condition that a cell is none of those in some rows."""
        cells, flags = self.cells(index), rows.tolist()
        texts = list(dict.fromkeys(cell for cell, flag in zip(cells, flags, strict=True) if flag and cell))
        name = self.text(index)
        if also_empty and None in cells:
            return f"({_in(name, texts)}) IS NOT TRUE"
        return _in(name, texts, negated=True)

    def is_text(self, index: int) -> bool:
        """Whether a query has texts in a column."""
        return self.table.columns[index].is_virtual or self.origin.types[index] == "text"

    # -- numbers -------------------------------------------------------------------------------------------------------

    def view(self, place: int) -> str:
        """The name under which a query has the numbers of a view."""
        view = self.table.views[place]
        column = self.table.columns[view.column]
        kind = "text" if column.is_virtual else self.origin.types[view.column]
        typed = _TYPED.get((kind, view.kind))
        name = quoted(self.origin.names[view.column]) if typed else self._raw(view.column)
        if view.kind == "difference":
            one, other = (self.view(self._place(view.column, kind)) for kind in ("number", "second"))
            expression = f"abs({one} - {other})"
        else:
            wanted = {text: it for text, it in self._wanted(view.column, place).items() if self._is_said(text)}
            write, kind = (_write_date, "DATE") if view.kind == "date" else (literal, "DOUBLE")
            expression = reading(name, wanted, typed or _EXPRESSIONS[view.kind], write, kind)
        if expression == name:
            return name
        return self._put(_VIEWS[view.kind].format(column.name), expression)

    def _place(self, column: int, kind: str) -> int:
        views = self.table.views
        return next(place for place, view in enumerate(views) if (view.column, view.kind) == (column, kind))

    def _wanted(self, column: int, place: int) -> dict[str, Value]:
        """The number of each text."""
        numbers = self.table.views[place].numbers.tolist()
        return {
            text: None if np.isnan(number) else number
            for (text, _), number in zip(self._cells(column), numbers, strict=True)
        }

    # -- lists ---------------------------------------------------------------------------------------------------------

    def lists(self, index: int) -> str:
        """The name under which a query has what the cells of a column list."""
        values = self.table.columns[index].values
        listed = values.items.each(len(values))
        things = [None if empty else tuple(sorted(it)) for it, empty in zip(listed, values.empty, strict=True)]
        ids = self.table.columns[index].ids.tolist()
        texts = [text for text, _ in self._cells(index)]
        wanted = {text: things[place] for text, place in zip(texts, ids, strict=True) if self._is_said(text)}
        return self._put(
            f"{self.table.columns[index].name} listed", reading(self._raw(index), wanted, ways.LISTS, kind="VARCHAR[]")
        )

    # -- the head ------------------------------------------------------------------------------------------------------

    @cached_property
    def name(self) -> str:
        """What the query calls the table that it reads."""
        return self.origin.name if self.origin.is_file else f"{self.origin.name}_read"

    def finished(self, text: str) -> str:
        """A query with its head, if it needs one, and with the table in its place."""
        relation, rows = self.origin.relation, self.origin.rows
        is_simple = not (self.made or self.changed or rows)
        if is_simple and (text.count(TABLE) == 1 or not (self.origin.is_file or relation != self.origin.plain)):
            return text.replace(TABLE, relation)
        changed = ", ".join(f"{expression} AS {quoted(name)}" for name, expression in self.changed.items())
        parts = [f"* REPLACE ({changed})" if changed else "*"]
        parts += [f"{expression} AS {quoted(name)}" for name, expression in self.made.items()]
        between = ", " if len(parts) <= _SHORT and len(", ".join(parts)) < _WIDE else ",\n    "
        lines = [f"WITH {self.name} AS (", f"  SELECT {between.join(parts)}", f"  FROM {relation}"]
        lines += [f"  WHERE {rows}"] if rows else []
        return "\n".join([*lines, ")", text.replace(TABLE, self.name)])


def either(*conditions: str) -> str:
    """One of several conditions."""
    return conditions[0] if len(conditions) == 1 else f"({' OR '.join(conditions)})"


def _in(name: str, texts: Sequence[str], *, negated: bool = False) -> str:
    if len(texts) == 1:
        return f"{name} {'<>' if negated else '='} {literal(texts[0])}"
    return f"{name} {'NOT ' if negated else ''}IN ({', '.join(map(literal, texts))})"


def _write_date(value: Value) -> str:
    return literal(date_of(value) if isinstance(value, float) else None)
