"""Tables as JSON and files.

    {"header": ["Name", "Age"], "rows": [["Anna", "31"]]}        or        [{"Name": "Anna", "Age": 31}]

What users keep, such as marks, names a table by its file and the hash of its content: `{"path": ..., "hash": ...}`.
Only `KeptTables` reads that: what comes from a stranger must not name files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chorale.domain.codec import Codec
from chorale.errors import ChoraleError
from chorale.tables.questions import TableFiles
from chorale.tables.table import Table
from chorale.tables.values import number_text

_EXPECTED = 'expected a table such as {"header": ["Name"], "rows": [["Anna"]]}, or [{"Name": "Anna"}]'


class TableCodec(Codec):
    """Tables as JSON, or as a CSV file."""

    def from_json(self, value: Any) -> Table:
        match value:
            case {"header": list(header), "rows": list(rows)} if all(isinstance(row, list) for row in rows):
                return Table(_cells(header), [_cells(row) for row in rows])
            case [dict(), *_] if all(isinstance(row, dict) for row in value):
                header = list(dict.fromkeys(name for row in value for name in row))
                return Table(header, [_cells(row.get(name) for name in header) for row in value])
        raise ChoraleError(f"{_EXPECTED}; found {json.dumps(value, default=repr):.80}")

    def to_json(self, context: Table) -> Any:
        return {"header": list(context.header), "rows": [list(row) for row in context.rows]}

    def read_file(self, path: Path) -> Table:
        """JSON, if its name ends in .json, else CSV."""
        found: Table = super().read_file(path) if path.suffix.lower() == ".json" else Table.from_csv(path)
        return found


class KeptTables(TableCodec):
    """The same, and tables by path and hash, for files that a user keeps; paths are relative to a folder."""

    def __init__(self, folder: Path, files: TableFiles) -> None:
        self._folder, self._files = folder, files

    def from_json(self, value: Any) -> Table:
        match value:
            case {"path": str(path), "hash": str(digest)}:
                table = self._files.find(path, self._folder)
                if table.digest != digest:
                    raise ChoraleError(f"context: {path} has changed since its hash was noted; restore the file")
                return table
        return super().from_json(value)

    def to_json(self, context: Table) -> Any:
        if context.path is None:
            return super().to_json(context)
        return {"path": str(context.path.absolute()), "hash": context.digest}


def _cells(values: Any) -> list[str]:
    return [_cell(value) for value in values]


def _cell(value: Any) -> str:
    """A cell as text, whatever JSON has there."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, str):
        return value
    raise ChoraleError(f"a cell is a text, a number, true, false or null; found {json.dumps(value, default=repr):.60}")
