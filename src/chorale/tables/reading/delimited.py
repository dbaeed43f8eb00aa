"""Texts with something between the cells: the separator is found, quotes are read, each record knows its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chorale.errors import ChoraleError
from chorale.tables.reading.grid import Record
from chorale.tables.reading.limits import MOST_LETTERS, MOST_ROWS, refused
from chorale.tables.source import Note

_SEPARATORS = "\t;|,"  # commas last: they also stand in numbers and in sentences
_NONE = "\x1f"  # in a file of one column
_HEAD = 1 << 16  # letters, and
_RECORDS = 200  # records, by which the separator is found
_AGREE = 0.8  # the share of records with as many cells as the first
_NAMES = {"\t": "a tab"}


@dataclass(frozen=True)
class Dialect:
    """How a text is cut into cells."""

    separator: str
    escape: str = '"'
    """What stands before a quote that is a part of a cell."""
    is_spaced: bool = False
    """Whether blanks behind separators are no part of a cell."""


def separated(text: str, separator: str | None, where: Path) -> tuple[list[Record], Dialect, list[Note]]:
    """The records of a text, how it was cut, and a note if it could be cut otherwise."""
    notes = []
    if separator is None:
        fitting = _fitting(text, where)
        separator = fitting[0] if fitting else _NONE
        if len(fitting) > 1:
            first, other = (_NAMES.get(it, it) for it in fitting[:2])
            notes.append(Note(f"cells were taken to be separated by {first}, not by {other}", "separator", fitting[1]))
    records, escape = _records(text, separator, where)
    return records, Dialect(separator.strip(_NONE), escape, _is_spaced(text, separator)), notes


def _fitting(text: str, where: Path) -> list[str]:
    """The separators that cut the first records into equally many cells, the best one first."""
    head = text[:_HEAD]
    if len(head) < len(text) and (end := head.rfind("\n")) > 0:
        head = head[:end]
    shares = {mark: _share(head, mark) for mark in _SEPARATORS}
    if where.name.removesuffix(".gz").lower().endswith(".tsv") and shares["\t"]:
        return ["\t"]
    good = [mark for mark in _SEPARATORS if shares[mark] >= _AGREE]
    return good or [mark for mark in sorted(_SEPARATORS, key=lambda mark: -shares[mark])[:1] if shares[mark]]


def _share(head: str, separator: str) -> float:
    """How well a separator fits: the share of records with as many cells as most; none if it cuts hardly any.

    A first record that differs is a title above the table, or the separator is another: it counts half.
    """
    widths = []
    try:
        for record in csv.reader(io.StringIO(head, newline=""), delimiter=separator):
            if any(record):
                widths.append(len(record))
            if len(widths) == _RECORDS:
                break
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    usual = max(sorted(set(widths)), key=widths.count)
    if usual == 1 and widths[0] == 1:
        return 0.0
    share = widths.count(usual) / len(widths) if usual > 1 else sum(it > 1 for it in widths) / len(widths)
    return share if widths[0] == usual else share / 2


def _records(text: str, separator: str, where: Path) -> tuple[list[Record], str]:
    """The records, and what stands before quotes."""
    try:
        return list(_parsed(text, separator, where, None)), '"'
    except ChoraleError:
        if '\\"' not in text:
            raise
        return list(_parsed(text, separator, where, "\\")), "\\"  # other programs escape quotes


def _is_spaced(text: str, separator: str) -> bool:
    return f'{separator} "' in text[:_HEAD]


def _parsed(text: str, separator: str, where: Path, escape: str | None) -> Iterator[Record]:
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        escapechar=escape,
        skipinitialspace=_is_spaced(text, separator),
        strict=True,
    )
    count, line = 0, 1
    try:
        for cells in reader:
            if cells:
                yield Record(line, cells)
                count += 1
                if count > MOST_ROWS:
                    raise refused(where, "rows", MOST_ROWS)
            line = reader.line_num + 1
    except csv.Error as error:
        raise ChoraleError(f"{where}:{line}: {_explained(error)}") from None


def _explained(error: csv.Error) -> str:
    said = str(error)
    if "unexpected end" in said:
        return 'a quote that opens here is never closed; write " within quotes as ""'
    if "expected after" in said:
        return 'something stands behind a closing quote; write " within quotes as ""'
    if "field limit" in said:
        return f'a cell of more than {MOST_LETTERS:,} letters; is a " not closed?'
    return said
