"""Tables as JSON and files.

    {"header": ["Name", "Age"], "rows": [["Anna", "31"]]}        or        [{"Name": "Anna", "Age": 31}]

The former may say how columns are written, by their places: `"notations": {"1": {"decimal_comma": true}}`.
What users keep, such as marks, names a table by its file and the hash of its content: `{"path": ..., "hash": ...}`,
and by the options that it was read with unless it was a file of WikiTableQuestions: `{..., "options": {}}`.
Only `KeptTables` reads that: what comes from a stranger must not name files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from chorale.domain.codec import Codec
from chorale.errors import ChoraleError
from chorale.tables.notation import Notation
from chorale.tables.questions import TableFiles
from chorale.tables.reading.cells import cell_text
from chorale.tables.reading.files import read_table, sent_table, table_of
from chorale.tables.reading.frames import is_frame
from chorale.tables.source import Options
from chorale.tables.table import Column, Table

MOST_SENT = 150_000
"""Bytes of a file that is sent to a server."""
_EXPECTED = 'expected a table such as {"header": ["Name"], "rows": [["Anna"]]}, or [{"Name": "Anna"}]'


class TableCodec(Codec):
    """Tables as JSON, or as files of any format that `read_table` reads."""

    limits: ClassVar[Mapping[str, int]] = {"file_bytes": MOST_SENT}

    def from_json(self, value: Any) -> Table:
        match value:
            case {"header": list(header), "rows": list(rows), **others} if all(isinstance(row, list) for row in rows):
                return Table(_cells(header), [_cells(row) for row in rows], notations=_notations(others, len(header)))
            case [dict(), *_] if all(isinstance(row, dict) for row in value):
                header = list(dict.fromkeys(name for row in value for name in row))
                return Table(header, [_cells(row.get(name) for name in header) for row in value])
        raise ChoraleError(f"{_EXPECTED}; found {json.dumps(value, default=repr):.80}")

    def to_json(self, context: Table) -> Any:
        content = {"header": list(context.header), "rows": [list(row) for row in context.rows]}
        if not context.notations:
            return content
        return content | {"notations": {str(place): it.to_json() for place, it in context.notations.items()}}

    def taken(self, given: Any, options: Mapping[str, Any]) -> Table | None:
        """A file read with `Options`, a frame, a list of dicts, a dict of lists."""
        chosen = Options.from_json(options)
        if isinstance(given, str | Path):
            return None if _is_json(Path(given)) and not options else self._read(Path(given), chosen)
        if is_frame(given):
            return table_of(given, chosen)
        if options:
            raise ChoraleError(f"{next(iter(options))}: an option for files and frames; found {type(given).__name__}")
        return None

    def _read(self, path: Path, options: Options) -> Table:
        if _is_json(path):
            raise ChoraleError(f"{path}: JSON is read as it is; leave out {', '.join(options.given())}")
        return read_table(path, options)

    def notes(self, context: Table) -> list[str]:
        return list(map(str, context.notes))

    def facts(self, context: Table) -> Any:
        return {"columns": [_facts(column, context) for column in context.columns[: context.width]]}

    def uploaded(self, content: bytes, name: str) -> Table:
        """Texts alone: files of other formats are for those who asked for them on their own machine."""
        if len(content) > MOST_SENT:
            raise ChoraleError(f"{name}: more than {MOST_SENT:,} bytes; ask a part of it, or: chorale ask {name}")
        if _is_json(Path(name)):
            found: Table = super().uploaded(content, name)
            return found
        return sent_table(content, name)

    def read_file(self, path: Path) -> Table:
        """JSON, if its name ends in .json, else whatever format the file has."""
        found: Table = super().read_file(path) if _is_json(path) else read_table(path)
        return found


class KeptTables(TableCodec):
    """The same, and tables by path and hash, for files that a user keeps; paths are relative to a folder."""

    def __init__(self, folder: Path, files: TableFiles) -> None:
        self._folder, self._files = folder, files

    def from_json(self, value: Any) -> Table:
        match value:
            case {"path": str(path), "hash": str(digest), **others}:
                options = Options.from_json(others["options"]) if "options" in others else None
                table = self._files.find(path, self._folder, options)
                if table.digest != digest:
                    raise ChoraleError(f"context: {path} has changed since its hash was noted; restore the file")
                return table
        return super().from_json(value)

    def to_json(self, context: Table) -> Any:
        if context.path is None:
            return super().to_json(context)
        kept = {"path": str(context.path.absolute()), "hash": context.digest}
        return kept if context.source is None else kept | {"options": context.source.options.given()}


def _facts(column: Column, table: Table) -> dict[str, Any]:
    """What a column is, for people."""
    parts = [it.part for it in table.columns[table.width :] if it.source == column.index]
    return {
        "name": column.name,
        "type": column.type,
        "values": len(column.values),
        "empty": int(np.count_nonzero(column.empty)),
        "parts": parts,
    }


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _notations(others: Any, width: int) -> dict[int, Notation]:
    """How columns are written, by their places."""
    match others.get("notations", {}):
        case dict(found) if all(place.isdecimal() and len(place) < 6 and int(place) < width for place in found):
            return {int(place): Notation.from_json(it) for place, it in found.items()}
    raise ChoraleError(f'notations: expected an object such as {{"1": {{"decimal_comma": true}}}}, below {width}')


def _cells(values: Any) -> list[str]:
    cells = list(values)
    for cell in cells:
        if isinstance(cell, list | dict):
            raise ChoraleError(
                f"a cell is a text, a number, true, false or null; found {json.dumps(cell, default=repr):.60}"
            )
    return list(map(cell_text, cells))
