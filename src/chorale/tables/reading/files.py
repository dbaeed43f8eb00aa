"""The door to tables as people have them: files of several formats, standard input, frames.

A format is known by the first bytes of a file, not by its name. What could have been read otherwise stands in the
table's `notes`, and `Options` say how it is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError
from chorale.plumbing.files import STANDARD, read_bytes
from chorale.tables.notation import Notation
from chorale.tables.reading.databases import Content, duckdb_table, parquet_table, sqlite_table
from chorale.tables.reading.delimited import separated
from chorale.tables.reading.encodings import decoded
from chorale.tables.reading.frames import content_of
from chorale.tables.reading.grid import Grid, arranged
from chorale.tables.reading.limits import MOST_BYTES
from chorale.tables.reading.notations import notations
from chorale.tables.reading.workbook import sheet
from chorale.tables.source import Format, Note, Options, Source
from chorale.tables.table import Table

_MAGIC = 16  # bytes
_SQLITE, _PARQUET, _DUCKDB, _ZIP, _OLD_EXCEL = b"SQLite format 3\0", b"PAR1", b"DUCK", b"PK\3\4", b"\xd0\xcf\x11\xe0"
_ALWAYS = Options()


def read_table(path: Path | str, options: Options = _ALWAYS) -> Table:
    """The table in a file, or in standard input if that is `-`."""
    path = Path(path)
    kind = None if path == STANDARD else _format(_begin(path))
    match kind:
        case "sqlite":
            return _database(path, kind, sqlite_table(path, options.table), options)
        case "duckdb":
            return _database(path, kind, duckdb_table(path, options.table), options)
        case "parquet":
            return _database(path, kind, parquet_table(path), options)
    content = read_bytes(path, MOST_BYTES)
    match _format(content[:_MAGIC]):
        case "workbook":
            return _workbook(path, content, options)
        case None:
            return _delimited(path, content, options)
    raise ChoraleError(f"{path}: a database must be a file of its own, not packed and not standard input")


def sent_table(content: bytes, name: str) -> Table:
    """The table in a text that somebody sent, with any name; nothing but texts is read of strangers."""
    if _format(content[:_MAGIC]) is not None:
        raise ChoraleError(f"{name}: not text; save the table as CSV, or ask the file itself: chorale ask {name}")
    found = _delimited(Path(name), content, _ALWAYS)
    return Table(found.header, found.rows, notations=found.notations, notes=found.notes)


def table_of(value: Any, options: Options = _ALWAYS) -> Table:
    """A table, whatever it is given as: a table, a path, a frame, a list of dicts or a dict of lists.

    >>> table_of([{"Name": "Anna", "Age": 31}, {"Name": "Bert"}])
    Table(['Name', 'Age'], [['Anna', '31'], ['Bert', '']])
    """
    if isinstance(value, Table):
        return value
    if isinstance(value, str | Path):
        return read_table(value, options)
    header, rows, typed = content_of(value)
    written, notes = _notations(header, rows, options, typed)
    return Table(header, rows, notations=written, notes=notes)


def _begin(path: Path) -> bytes:
    """The first bytes of a file; nothing if it cannot be read, which `read_bytes` says better."""
    try:
        with open(path, "rb") as stream:
            return stream.read(_MAGIC)
    except (OSError, ValueError):
        return b""


def _format(begin: bytes) -> Format | None:
    """The format of a file that begins so; None if it is text."""
    if begin.startswith(_OLD_EXCEL):
        raise ChoraleError("an old .xls file cannot be read; save it as .xlsx or .csv")
    if begin.startswith(_SQLITE):
        return "sqlite"
    if begin.startswith(_PARQUET):
        return "parquet"
    if begin[8:12] == _DUCKDB:
        return "duckdb"
    return "workbook" if begin.startswith(_ZIP) else None


def _delimited(path: Path, content: bytes, options: Options) -> Table:
    if options.table is not None:
        raise ChoraleError(f"{path}: one table without a name; leave out --table")
    text, encoding, notes = decoded(content, options.encoding, path)
    records, dialect, more = separated(text, options.separator, path)
    grid = _filled(arranged(records, path, options.header), path)
    widths = {len(record.cells) for record in records}
    source = Source(
        path,
        "delimited",
        options,
        separator=dialect.separator,
        encoding=encoding,
        has_header=grid.has_header,
        first_line=grid.first_line,
        escape=dialect.escape,
        width=max(widths, default=0),
        is_even=widths == {len(grid.header)} and grid.first_line == 1,
        has_blanks=any(not record.filled for record in records),
        is_spaced=dialect.is_spaced,
    )
    return _made(grid, source, [*notes, *more], frozenset())


def _workbook(path: Path, content: bytes, options: Options) -> Table:
    found = sheet(content, options.table, path)
    grid = _filled(arranged(found.records, path, options.header), path)
    source = Source(
        path,
        "workbook",
        options,
        found.name,
        found.others,
        has_header=grid.has_header,
        first_line=grid.first_line,
    )
    return _made(grid, source, [], found.numeric)


def _database(path: Path, kind: Format, content: Content, options: Options) -> Table:
    source = Source(path, kind, options, content.name, content.others, types=content.types)
    return _made(Grid(content.header, content.rows, True, 1), source, [], content.numeric)


def _filled(grid: Grid, path: Path) -> Grid:
    if not grid.header:
        raise ChoraleError(f"{path}: empty; expected a line with the names of the columns, and rows")
    return grid


def _made(grid: Grid, source: Source, notes: Sequence[Note], typed: frozenset[int]) -> Table:
    written, more = _notations(grid.header, grid.rows, source.options, typed, suggests=source.separator == ";")
    path = None if source.path == STANDARD else source.path
    notes = [*notes, *grid.notes, *more]
    return Table(grid.header, grid.rows, path, notations=written, source=source, notes=notes)


def _notations(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    options: Options,
    typed: frozenset[int],
    suggests: bool = False,
) -> tuple[dict[int, Notation], list[Note]]:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    names = [name or f"column {place}" for place, name in enumerate(header, 1)]
    return notations(names, columns, options, typed=typed, suggests=suggests)
