"""Questions that need two tables: they name another table of the same file, and are not answered."""

from __future__ import annotations

from chorale.domain.reading import Doubt
from chorale.tables.table import Table
from chorale.tables.words import stems


def elsewhere(sentence: str, table: Table) -> Doubt | None:
    """That a question names another table of its file, unless something in this one is called so as well."""
    asked = f" {' '.join(stems(sentence))} "
    for other in table.source.others if table.source else ():
        name = " ".join(stems(other))
        if name and f" {name} " in asked and not _is_here(name, table):
            return Doubt("elsewhere", f"{other!r:.60} is another table of this file; a question is about one table")
    return None


def _is_here(name: str, table: Table) -> bool:
    """Whether the table, a column or a cell has these words."""
    own = [table.source.table if table.source else "", *table.header]
    if any(f" {name} " in f" {' '.join(stems(text))} " for text in own):
        return True
    return any(column.values.having(name) for column in table.columns)
