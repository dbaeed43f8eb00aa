"""Records as a header and rows: titles above are left out, the header is found or made, rows get equally many cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from chorale.tables.dates import date
from chorale.tables.reading.limits import MOST_COLUMNS, refused
from chorale.tables.source import Note
from chorale.tables.values import plain

_MOST_TITLES = 5
_LOOKED_AT = 200  # rows, to tell whether there is a header
_MOSTLY = 0.6
_VALUE = re.compile(r"[^\w]{0,4}[a-z]{0,3}[^\w]{0,4}\d[\d\W]*(?:[a-z]{1,4}\W{0,4})?")
_BARE = re.compile(r"\W{0,4}\d[\d.,/:' -]*(?:\W{1,3}|\W?[a-z]{1,3})?")  # what no column is called, unless it is a year
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


@dataclass(frozen=True, slots=True)
class Record:
    """A line of a table."""

    line: int
    cells: Sequence[str]

    @property
    def filled(self) -> int:
        return sum(map(bool, map(str.strip, self.cells)))


@dataclass
class Grid:
    """A header and rows that are equally long."""

    header: list[str]
    rows: list[list[str]]
    has_header: bool
    first_line: int
    notes: list[Note] = field(default_factory=list)


def arranged(records: Sequence[Record], where: object, header: bool | None = None) -> Grid:
    """The grid of some records; `header` says whether the first names the columns."""
    filled = [record for record in records if record.filled]
    notes: list[Note] = []
    titles = _titles(filled) if header is None else 0
    if titles:
        first, last = filled[0].line, filled[titles - 1].line
        lines = f"line {first} was" if first == last else f"lines {first} to {last} were"
        notes.append(Note(f"{lines} taken as a title above the table", "header", True))
        filled = filled[titles:]
    if header is None:
        header, note = _has_header([record.cells for record in filled[: _LOOKED_AT + 1]])
        notes += [note] if note else []
    widths = [_width(record.cells) for record in filled]
    width = max(widths, default=0)
    if width > MOST_COLUMNS:
        raise refused(where, "columns", MOST_COLUMNS)
    if header:
        notes += _ragged(filled, widths)
    rows = [[*record.cells[:width], *[""] * (width - len(record.cells))] for record in filled]
    names = [name.strip() for name in rows.pop(0)] if header and rows else [""] * width
    return Grid(names, rows, header, filled[0].line if filled else 1, notes)


def _width(cells: Sequence[str]) -> int:
    """The place of the last cell that is not empty."""
    width = len(cells)
    while width and not cells[width - 1].strip():
        width -= 1
    return width


def _titles(records: Sequence[Record]) -> int:
    """How many records above the header are titles: they have one cell, and those below have three at least."""
    for place, record in enumerate(records[: _MOST_TITLES + 1]):
        if record.filled != 1:
            following = [it.filled for it in records[place : place + 3]]
            return place if min(following) >= 3 else 0
    return 0


def _ragged(records: Sequence[Record], widths: Sequence[int]) -> list[Note]:
    """What to say of rows that have more cells than the header names."""
    named = len(records[0].cells) if records else 0
    longer = [record.line for record, width in zip(records, widths, strict=True) if width > named]
    if not longer:
        return []
    count = "1 row has" if len(longer) == 1 else f"{len(longer)} rows have"
    return [Note(f"{count} more cells than the header has names, first in line {longer[0]}; they got columns")]


def _has_header(records: Sequence[Sequence[str]]) -> tuple[bool, Note | None]:
    """Whether the first record names the columns, and a note if it is hard to say.

    It does where it has words and those below it have numbers or dates; a word that stands below again is not a name.
    """
    first, rest = (list(records[0]), records[1:]) if records else ([], [])
    if len(first) > 1 and any(first == list(record) for record in rest):  # it is repeated on every page
        return True, None
    names = no_names = 0
    for place, name in enumerate(map(plain, first)):
        below = [plain(it) for record in rest if place < len(record) and (it := record[place].strip())]
        if not name:
            continue
        if not below:
            no_names += not rest and _BARE.fullmatch(name) is not None and not _YEAR.fullmatch(name)
        elif sum(map(_is_value, below)) >= _MOSTLY * len(below):
            if not _is_value(name):
                names += 1
            elif not _YEAR.fullmatch(name):
                no_names += _BARE.fullmatch(name) is not None
            else:
                no_names += sum(map(bool, map(_YEAR.fullmatch, below))) >= _MOSTLY * len(below)
        else:
            no_names += name in below
    if no_names > names:
        return False, Note("the first line was taken as a row: it names no columns", "header", True)
    if no_names or not names:
        return True, Note("the first line was taken as the names of the columns", "header", False)
    return True, None


def _is_value(text: str) -> bool:
    """Whether a plain text is a number or a date, rather than a word."""
    if not any(map(str.isdigit, text)):
        return False
    return len(text) < 60 and (_VALUE.fullmatch(text) is not None or date(text) is not None)
