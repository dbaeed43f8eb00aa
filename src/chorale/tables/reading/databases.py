"""Tables of databases: SQLite by the standard library, DuckDB and Parquet by duckdb (extra `tables`).

Files are opened for reading alone. Views in them are queries by strangers: DuckDB runs without other files, extensions
and network, and with limits to memory and time, SQLite without extensions and with a limit to its steps.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from chorale.errors import ChoraleError
from chorale.tables.quoting import quoted
from chorale.tables.reading import limits
from chorale.tables.reading.cells import cell_text
from chorale.tables.reading.limits import MOST_CELLS, MOST_COLUMNS, MOST_LETTERS, MOST_ROWS, MOST_STEPS, refused
from chorale.tables.reading.named import chosen

_AT_ONCE = 10_000  # rows, or steps
_GLOB = frozenset("*?[")


@dataclass(frozen=True)
class Content:
    """What stands in a table."""

    name: str
    header: list[str]
    rows: list[list[str]]
    numeric: frozenset[int]
    """The columns that hold numbers."""
    types: tuple[str, ...] = ()
    """What DuckDB says that columns hold."""
    others: tuple[str, ...] = ()
    """The other tables of the file."""


def sqlite_table(path: Path, wanted: str | None) -> Content:
    """A table or view of an SQLite file."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda content: content.decode("utf-8", "replace")
            connection.execute("PRAGMA trusted_schema = OFF")
            left = iter(range(MOST_STEPS // _AT_ONCE))
            connection.set_progress_handler(lambda: next(left, None) is None, _AT_ONCE)
            made = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
                "ESCAPE '\\' ORDER BY rowid"
            )
            names = [cell_text(name) for (name,) in made]
            name = chosen(names, wanted, "table", path)
            cursor = connection.execute(f"SELECT * FROM {quoted(name)}")
            return Content(name, *_fetched(cursor, f"{path}: {name!r:.80}"), others=_others(names, name))
    except sqlite3.Error as error:
        raise ChoraleError(f"{path}: SQLite: {error!s:.200}") from None
    except (OverflowError, ValueError) as error:
        raise _as_error(path, error) from None


def duckdb_table(path: Path, wanted: str | None) -> Content:
    """A table or view of a DuckDB file; those outside the schema `main` are named with their schema."""
    with connected(path, str(path.absolute())) as connection:
        made = connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal UNION ALL "
            "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
        ).fetchall()
        names = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in made}
        name = chosen(list(names), wanted, "table", path)
        cursor = connection.execute(f"SELECT * FROM {'.'.join(map(quoted, names[name]))}")
        return Content(name, *_fetched(cursor, f"{path}: {name!r:.80}"), _types(cursor))


def parquet_table(path: Path) -> Content:
    """The table in a Parquet file."""
    name = str(path.absolute())
    if _GLOB & set(name):
        raise ChoraleError(f"{path}: a Parquet file must not have *, ? or [ in its name; rename it")
    with connected(path, ":memory:", allowed=name) as connection:
        cursor = connection.execute("SELECT * FROM read_parquet(?)", [name])
        return Content("", *_fetched(cursor, str(path)), _types(cursor))


def _others(names: Iterable[str], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)


def _types(cursor: Any) -> tuple[str, ...]:
    return tuple(str(column[1]) for column in cursor.description)


@contextmanager
def connected(path: Path, database: str, allowed: str = "") -> Iterator[Any]:
    """A connection of DuckDB that reads one file and nothing else."""
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise ChoraleError(
            f"{path}: Parquet files, DuckDB files and SQL need duckdb: pip install 'chorale[tables]'"
        ) from None
    if (allowed or database != ":memory:") and not path.is_file():
        raise ChoraleError(f"{path}: no such file")
    config: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "memory_limit": limits.MOST_MEMORY,
        "temp_directory": "",
    }
    try:
        with duckdb.connect(database, read_only=database != ":memory:", config=config) as connection:
            connection.execute("SET allowed_paths = ?", [[allowed] if allowed else []])
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            with _interrupted(connection.interrupt, limits.MOST_SECONDS):
                yield connection
    except duckdb.InterruptException:
        raise ChoraleError(f"{path}: DuckDB: this takes more than {limits.MOST_SECONDS:g} seconds") from None
    except duckdb.Error as error:
        raise ChoraleError(f"{path}: DuckDB: {error!s:.200}") from None
    except (OverflowError, ValueError) as error:
        raise _as_error(path, error) from None


@contextmanager
def _interrupted(interrupt: Callable[[], None], seconds: float) -> Iterator[None]:
    """Interrupt what takes longer."""
    timer = Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _as_error(path: Path, error: Exception) -> Exception:
    return error if isinstance(error, ChoraleError) else ChoraleError(f"{path}: cannot be read: {error!s:.200}")


def _fetched(cursor: Any, where: str) -> tuple[list[str], list[list[str]], frozenset[int]]:
    """What a query gives, as texts, within the limits."""
    header = [cell_text(column[0]) for column in cursor.description]
    if len(header) > MOST_COLUMNS:
        raise refused(where, "columns", MOST_COLUMNS)
    rows: list[list[str]] = []
    numeric: set[int] = set()
    while fetched := cursor.fetchmany(_AT_ONCE):
        if len(rows) + len(fetched) > min(MOST_ROWS, MOST_CELLS // max(1, len(header))):
            raise refused(where, "rows", min(MOST_ROWS, MOST_CELLS // max(1, len(header))))
        for row in fetched:
            rows.append(_texts(row, where))
            numeric.update(place for place, value in enumerate(row) if _is_number(value))
    return header, rows, frozenset(numeric)


def _texts(row: Sequence[Any], where: str) -> list[str]:
    texts = list(map(cell_text, row))
    if any(len(text) > MOST_LETTERS for text in texts):
        raise refused(where, "letters in a cell", MOST_LETTERS)
    return texts


def _is_number(value: Any) -> bool:
    return value is not None and not isinstance(value, str | bytes)
