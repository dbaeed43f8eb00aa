"""Running queries, in a DuckDB that reads the table's own file and nothing else, and never writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

from chorale.domain.utterance import Answer
from chorale.plumbing.files import STANDARD
from chorale.tables.dates import Date
from chorale.tables.language.said import date_of, time_text
from chorale.tables.quoting import quoted
from chorale.tables.reading.cells import cell_text
from chorale.tables.reading.databases import connected
from chorale.tables.sql.compiler import Query
from chorale.tables.sql.origin import Origin
from chorale.tables.table import Table

_BEFORE = re.compile(r"0001-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d).*)? \(BC\)")  # the year 0
_DAY = 86_400  # seconds


def run_sql(query: Query, table: Table) -> Answer | None:
    """What a query says of the table that it was made for; None if it says nothing.

    A table without a file, or of a format that DuckDB does not read, is run as a copy in memory.
    """
    with _opened(table) as connection:
        return answer_of(query, connection.execute(query.text).fetchall())


def answer_of(query: Query, rows: list[tuple[Any, ...]]) -> Answer | None:
    """The rows that a query gave, as an answer."""
    if query.kind == "cells":
        return tuple(cell_text(cell) for (cell,) in rows) or None
    if query.kind == "pairs":
        return tuple(f"{cell_text(cell)}: {cell_text(float(number))}" for cell, number in rows) or None
    if len(rows) != 1 or (value := rows[0][0]) is None:
        return None
    match query.kind:
        case "truth":
            return "yes" if value else "no"
        case "word":
            return str(value)
        case "date":
            return date_of(days_of(value))
        case "time":
            return time_text(float(value))
    return float(value)


def days_of(value: Any) -> float:
    """The place on the calendar of what DuckDB gives for a date, or for an average of dates."""
    match value:
        case datetime():
            seconds = value.hour * 3600 + value.minute * 60 + value.second
            return Date(value.year, value.month, value.day).days + seconds / _DAY
        case date():
            return Date(value.year, value.month, value.day).days
    match = _BEFORE.fullmatch(str(value))
    assert match is not None, value
    month, day, *clock = (int(part or 0) for part in match.groups())
    return Date(None, month, day).days + sum(map(int.__mul__, clock, (3600, 60, 1))) / _DAY


@contextmanager
def _opened(table: Table) -> Iterator[Any]:
    """A connection in which a query of the table finds it."""
    origin = Origin(table)
    if origin.source is None or origin.path is None or origin.path == STANDARD:
        with connected(Path("data"), ":memory:") as connection:
            copy_into(connection, table)
            yield connection
    elif origin.source.format == "duckdb":
        with connected(origin.path, str(origin.path)) as connection:
            yield connection
    else:
        with connected(origin.path, ":memory:", allowed=str(origin.path)) as connection:
            yield connection


def copy_into(connection: Any, table: Table) -> None:
    """Put the texts of a table under the name by which its queries call it."""
    origin = Origin(table)
    named = table.source.table if table.source and table.source.table else origin.name
    columns = ", ".join(f"{quoted(name)} VARCHAR" for name in origin.names)
    connection.execute(f"CREATE OR REPLACE TABLE {quoted(named)}({columns})")
    marks = ", ".join("?" for _ in origin.names)
    if table.rows:
        connection.executemany(f"INSERT INTO {quoted(named)} VALUES ({marks})", list(table.rows))
