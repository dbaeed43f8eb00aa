"""Queries: programs as SQL, which others can read and run. A capability; `ask`, `explain` and `parse` show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from chorale.language.program import Program


@dataclass(frozen=True)
class Query:
    """A program as SQL."""

    text: str = ""
    """Empty if there is no sensible query."""
    remark: str = ""
    """Why there is none, or what to know before it is run."""


class Queries(Protocol):
    """Writes programs as SQL."""

    def query(self, program: Program, context: Any) -> Query:
        """The query that says of a context what a program says of it."""
        ...
