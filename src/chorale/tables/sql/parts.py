"""What the parts of a program become: each knows its SQL, and where it holds on the query's own table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chorale.language.terms import Apply
from chorale.tables.language import TableLanguage
from chorale.tables.language.types import Bits
from chorale.tables.quoting import literal
from chorale.tables.sql.columns import Columns
from chorale.tables.sql.expressions import NoSqlError
from chorale.tables.sql.select import Select
from chorale.tables.table import Table


@dataclass(frozen=True)
class Holds:
    """A condition."""

    sql: str
    mask: Bits


@dataclass(frozen=True)
class Chosen:
    """Some rows."""

    select: Select
    mask: Bits

    @property
    def are_single(self) -> bool:
        """Whether there is one at most."""
        return int(self.mask.sum()) <= 1


@dataclass(frozen=True)
class Groups:
    """Two conditions, and what rows of both groups also fulfil."""

    one: Holds
    other: Holds
    both: Holds | None = None

    @property
    def rows(self) -> Select:
        """Where both groups are looked for."""
        return Select() if self.both is None else Select().that(self.both.sql)

    def mask(self, side: Holds) -> Bits:
        return side.mask if self.both is None else side.mask & self.both.mask


@dataclass(frozen=True)
class Grouped:
    """The values of a column in some rows, and what their numbers come to."""

    value: str
    select: Select
    number: str = ""
    rows: Chosen | None = None
    """Where cells of a column stand,"""
    column: int = -1
    """and its place."""


class OverTable:
    """What all parts of the compiler share."""

    def __init__(self, table: Table, language: TableLanguage, columns: Columns) -> None:
        self.table, self.language, self.columns = table, language, columns

    def masks(self, term: Apply) -> Bits:
        """Where a condition holds, or which rows are meant."""
        value: Any = self.language.value(term)
        mask: Bits = value["mask"][0] if value.dtype.names else value[0]
        return mask

    def kind(self, view: int) -> str:
        return self.table.views[view].kind

    def no_date(self, view: int) -> str:
        """The name of a view whose numbers can be added up and compared with others."""
        if self.kind(view) == "date":
            raise NoSqlError("dates are neither added up nor compared with plain numbers")
        return self.columns.view(view)

    def known(self, view: int) -> str:
        """The condition that a row has a number; empty if all have."""
        return f"{self.columns.view(view)} IS NOT NULL" if np.isnan(self.table.views[view].numbers).any() else ""

    def others(self, rows: Chosen) -> str:
        """The condition that a row is none of these."""
        if (condition := rows.select.condition) is not None:
            return f"({condition}) IS NOT TRUE"
        row = self.columns.row
        return f"{row} NOT IN ({rows.select.of(row)})"

    def of_first(self, what: str, rows: Chosen) -> str:
        """What the first of some rows has."""
        if rows.are_single:
            return f"({rows.select.with_what(what)})"
        return f"({rows.select.of(what, order=f'{self.columns.row} LIMIT 1')})"

    def quantity(self, quantity: float) -> str:
        return literal(quantity)
