"""Queries as values: clauses that can be added to, and are written at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

TABLE = "\0table\0"
"""Stands for the table until it is known how often a query names it; no text has it, see `quoting`."""


@dataclass(frozen=True)
class Select:
    """A query of one table or of another query; without more, all that is there."""

    what: str = "*"
    source: str | Select = TABLE
    where: tuple[str, ...] = ()
    group: str = ""
    qualify: str = ""
    order: str = ""

    def of(self, what: str, group: str = "", qualify: str = "", order: str = "") -> Select:
        """Something else of the same rows."""
        return replace(self.nested, what=what, group=group, qualify=qualify, order=order)

    def with_what(self, what: str) -> Select:
        """Something of each row, also if rows were picked."""
        return replace(self, what=what)

    def that(self, *conditions: str) -> Select:
        """Those rows of it that fulfil more conditions."""
        return replace(self.nested, where=(*self.nested.where, *filter(None, conditions)))

    @property
    def is_picked(self) -> bool:
        """Whether rows were picked by their place, so that what is asked next is asked of the outcome."""
        return bool(self.qualify or self.order)

    @property
    def nested(self) -> Select:
        return Select(source=self) if self.is_picked else self

    @property
    def condition(self) -> str | None:
        """What rows of the table fulfil that are in it; None if that is not a plain condition."""
        return None if self.is_picked or self.source != TABLE else " AND ".join(self.where) or "true"

    def clauses(self) -> Iterator[tuple[str, str | Select]]:
        """The clauses and what each of them says."""
        yield "SELECT", self.what
        yield "FROM", self.source
        parts = {"WHERE": " AND ".join(self.where), "GROUP BY": self.group, "QUALIFY": self.qualify}
        yield from ((name, text) for name, text in (parts | {"ORDER BY": self.order}).items() if text)

    def __str__(self) -> str:
        """In one line."""
        return " ".join(f"{name} {f'({it})' if isinstance(it, Select) else it}" for name, it in self.clauses())

    def lines(self, indent: str = "") -> Iterator[str]:
        """A line for each clause."""
        for name, it in self.clauses():
            if isinstance(it, Select):
                yield f"{indent}{name} ("
                yield from it.lines(f"{indent}  ")
                yield f"{indent})"
            else:
                yield f"{indent}{name} {it}"
