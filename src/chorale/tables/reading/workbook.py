"""Sheets of .xlsx files, by openpyxl (extra `tables`). Formulas are not run: what was stored with them is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chorale.errors import ChoraleError
from chorale.plumbing.files import ALWAYS_FINE, MOST_RATIO
from chorale.tables.reading.cells import cell_text
from chorale.tables.reading.grid import Record
from chorale.tables.reading.limits import MOST_BYTES, MOST_CELLS, MOST_COLUMNS, MOST_LETTERS, MOST_ROWS, refused
from chorale.tables.reading.named import chosen

_MOST_PARTS = 10_000  # files in a workbook


@dataclass(frozen=True)
class Sheet:
    """What stands in a sheet."""

    name: str
    records: list[Record]
    numeric: frozenset[int]
    """The columns that hold numbers."""
    others: tuple[str, ...]
    """The other sheets with something in them."""


def sheet(content: bytes, wanted: str | None, where: object) -> Sheet:
    """The sheet that was wanted."""
    try:
        import openpyxl  # noqa: PLC0415 - an extra
    except ImportError:
        raise ChoraleError(f"{where}: workbooks need openpyxl: pip install 'chorale[tables]'") from None
    _check_size(content, where)
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheets = {it.title: it for it in book.worksheets}
        shown = [name for name, it in sheets.items() if it.sheet_state == "visible"] or list(sheets)
        filled = [name for name in shown if _is_filled(sheets[name])]
        name = chosen(filled or shown[:1], wanted, "sheet", where, also=sheets)
        others = tuple(other for other in filled if other != name)
        records, numeric = _records(sheets[name], where)
    except ChoraleError:
        raise
    except MemoryError:
        raise ChoraleError(f"{where}: out of memory while this file was read") from None
    except Exception as error:  # whatever a damaged file makes of openpyxl
        raise ChoraleError(f"{where}: damaged, or no workbook: {type(error).__name__}: {error!s:.100}") from None
    return Sheet(name, records, numeric, others)


def _check_size(content: bytes, where: object) -> None:
    """Refuse what unpacks to much more than it is."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = packed.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise ChoraleError(f"{where}: damaged, or no workbook: {error}") from None
    size = sum(part.file_size for part in parts)
    if size > min(MOST_BYTES, max(ALWAYS_FINE, MOST_RATIO * len(content))) or len(parts) > _MOST_PARTS:
        raise ChoraleError(f"{where}: unpacks to {size >> 20} MiB in {len(parts)} parts, which is more than is read")


def _is_filled(sheet: Any) -> bool:
    return any(record.filled for record, _ in _rows(sheet))


def _rows(sheet: Any) -> Iterator[tuple[Record, list[int]]]:
    """The records of a sheet, and where they have numbers; what a sheet says of its own size is not believed."""
    sheet.reset_dimensions()
    for line, row in enumerate(sheet.iter_rows(), 1):
        texts = [_text(cell) for cell in row]
        yield Record(line, texts), [place for place, cell in enumerate(row) if isinstance(cell.value, int | float)]


def _records(sheet: Any, where: object) -> tuple[list[Record], frozenset[int]]:
    records: list[Record] = []
    numeric: set[int] = set()
    cells = 0
    for record, numbers in _rows(sheet):
        cells += len(record.cells) + 1
        if len(record.cells) > MOST_COLUMNS and any(record.cells[MOST_COLUMNS:]):
            raise refused(f"{where}: sheet {sheet.title!r}, row {record.line}", "columns", MOST_COLUMNS)
        if cells > MOST_CELLS:
            raise refused(f"{where}: sheet {sheet.title!r}", "cells", MOST_CELLS)
        if any(len(it) > MOST_LETTERS for it in record.cells):
            raise refused(f"{where}: sheet {sheet.title!r}, row {record.line}", "letters in a cell", MOST_LETTERS)
        if record.filled:
            records.append(record)
            numeric.update(numbers if len(records) > 1 else ())
    if len(records) > MOST_ROWS:
        raise refused(where, "rows", MOST_ROWS)
    return records, frozenset(numeric)


def _text(cell: Any) -> str:
    """A cell as people see it: a share that is shown in per cent is so here."""
    value = cell.value
    if isinstance(value, int | float) and not isinstance(value, bool) and "%" in (cell.number_format or ""):
        return f"{cell_text(round(100 * value, 6))}%"
    return cell_text(value)
