"""Programs over tables as SQL for people: the query, and what to know before running it."""

from __future__ import annotations

from chorale.domain.queries import Query
from chorale.language import Program
from chorale.tables.sql import NoSqlError, sql_of
from chorale.tables.sql.origin import Origin
from chorale.tables.table import Table

_UNREAD = {"workbook": "no workbook", "sqlite": "no SQLite file"}


class TableQueries:
    """Writes programs in DuckDB's dialect."""

    def query(self, program: Program, context: Table) -> Query:
        try:
            return Query(sql_of(program, context).text, _remark(context))
        except NoSqlError as error:
            return Query(remark=f"no query: {error}")


def _remark(table: Table) -> str:
    """What the query calls the table, if that is not a file that DuckDB reads by itself."""
    origin, source = Origin(table), table.source
    if origin.source is not None:
        return ""
    why = f"; DuckDB reads {_UNREAD[source.format]} by itself" if source and source.format in _UNREAD else ""
    return f"{origin.plain} stands for the table{why}"
