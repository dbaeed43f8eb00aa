"""Tables: texts in rows and columns, and what can be read from them.

A column's distinct values are analysed once (`Values`); a cell is the number of its value. Altered copies of a table
(see `variants`) share the values and rearrange the numbers alone, so that they cost next to nothing.

A *view* reads a column as numbers: the first number of each cell, the second, their difference, the year, the date in
days, the time in seconds, how many things it lists. A column has a view if enough of its values can be read so.
*Virtual columns* are read from others: the month of a date, the parts of "a, b" and of "a (b)", of names.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.plumbing.files import hash_of_all, read_text
from chorale.tables.columns import ColumnType, Kind, Values
from chorale.tables.dates import MONTHS
from chorale.tables.notation import Notation
from chorale.tables.source import Note, Source

Places = NDArray[np.intp]
"""Which row of a table each cell of an altered copy comes from, (column, row)."""

_TOTALS = frozenset({"total", "totals", "total:", "grand total", "overall", "average", "sum"})
_TOTAL_ROWS = 2  # at most
_LABELLED_WITHIN = 3  # columns, of which one says "total"
_FEW = 3  # rows, of which none is a total
_PARTED = 0.6  # the share of cells with a separator from which on they have parts
_REMARKED = 0.4  # and of those with parentheses
_NAMED = 0.8  # and of those that look like the name of a person
_SHARED = 0.9  # the most different names for each different cell, or nobody would ask for them
_SEPARATORS = (", ", "\n", " / ", " – ", " - ")
_NAME = re.compile(r"[^\W\d_]['’\w.-]*(?: [^\W\d_]['’\w.-]*){1,2}")


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table, or a virtual one that is read from it."""

    name: str
    """Its header on one line, told apart from those of other columns."""
    header: str
    """As it stands in the table; of a virtual column, that of its source."""
    index: int
    """Its place among the columns of its table; virtual ones come last."""
    source: int
    """The column that it is read from, or its own place."""
    part: str
    """What a virtual column has of its source: month, first part, last part, text before or in parentheses, first name,
    last name. Empty if it stands in the table."""
    values: Values
    ids: NDArray[np.intp]
    """The value of each cell, as its place among the values, (row,)."""

    @property
    def type(self) -> ColumnType:
        return self.values.type

    @property
    def is_virtual(self) -> bool:
        return bool(self.part)

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Which cells are empty, (row,)."""
        return self.values.empty[self.ids]

    @property
    def distinct(self) -> float:
        """The share of cells that there would be if each value stood there once."""
        return len(self.values) / max(1, len(self.ids))

    def read(self, kind: Kind) -> NDArray[np.float64]:
        """Its cells as numbers, NaN where there is none, (row,); whether or not it has this view."""
        return self.values.read(kind)[self.ids]


@dataclass(frozen=True, eq=False)
class View:
    """A column, read as numbers."""

    column: int
    kind: Kind
    numbers: NDArray[np.float64] = field(repr=False)
    """NaN where a cell has none, (row,)."""


class Table:
    """A header and rows of texts. Tables are equal if their texts are, and are read alike."""

    def __init__(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        path: Path | None = None,
        *,
        notations: Mapping[int, Notation] | None = None,
        source: Source | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        width = len(header)
        if not width:
            raise ChoraleError("a table needs a column at least")
        self.header = tuple(header)
        self.path = path
        """The file that it was read from."""
        self.notations = dict(notations or {})
        """How columns are written that do not tell by themselves, by their places."""
        self.source = source
        """How it was read from its file, if not by `from_csv`."""
        self.notes = tuple(notes)
        """What could have been read otherwise."""
        self._rows = tuple((*row, *[""] * (width - len(row)))[:width] for row in rows)

    @classmethod
    def from_csv(cls, path: Path) -> Table:
        """A table from a file with commas, whose quotes are doubled or have a backslash in front."""
        reader = csv.reader(io.StringIO(read_text(path), newline=""), escapechar="\\", strict=True)
        try:
            header, *rows = (row for row in reader if row)
        except csv.Error as error:
            raise ChoraleError(f"{path}:{reader.line_num}: {error}") from None
        except ValueError:
            raise ChoraleError(f"{path}: empty; expected a line with the names of the columns, and rows") from None
        return cls(header, rows, path)

    # -- texts ---------------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        return self._rows

    @property
    def width(self) -> int:
        """How many columns stand in it, without virtual ones."""
        return len(self.header)

    def __len__(self) -> int:
        """How many rows it has, without the header."""
        return len(self._rows)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self is other or self._content == other._content)

    def __hash__(self) -> int:
        return self._hash

    @property
    def _content(self) -> tuple[Any, ...]:
        if not self.notations:
            return self.header, self.rows
        return self.header, self.rows, sorted((place, *astuple(it)) for place, it in self.notations.items())

    @cached_property
    def _hash(self) -> int:
        return hash((self.header, self.rows))

    @cached_property
    def digest(self) -> str:
        """The hash of its texts, the same everywhere."""
        return hash_of_all(self._content)

    def __repr__(self) -> str:
        written = f", notations={self.notations!r}" if self.notations else ""
        return f"Table({list(self.header)!r}, {[list(row) for row in self.rows]!r}{written})"

    def __reduce__(self) -> tuple[Any, ...]:
        """What other processes get: the texts alone, which are quickly read again."""
        made = partial(Table, notations=self.notations, source=self.source, notes=self.notes)
        return made, (self.header, self.rows, self.path)

    # -- what can be read ----------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Those that stand in it, then the virtual ones."""
        cells = zip(*self.rows, strict=True) if self.rows else [()] * self.width
        names = _names(self.header)
        own = [
            Column(name, header, index, index, "", *Values.of(texts, self.notations.get(index)))
            for index, (name, header, texts) in enumerate(zip(names, self.header, cells, strict=True))
        ]
        virtual = (
            (column, part, *Values.of(texts), f"{part} of {column.name}")
            for column in own
            for part, texts in _parts(column, [row[column.index] for row in self.rows])
        )
        taken, found = set(names), list(own)
        for column, part, values, ids, name in virtual:
            if len(values) > 1:
                free = _free(name, taken)
                found.append(Column(free, column.header, len(found), column.index, part, values, ids))
        return tuple(found)

    def column(self, name: str) -> Column | None:
        """The column of this name."""
        return next((column for column in self.columns if column.name == name), None)

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The views of all columns that stand in it."""
        return tuple(
            View(column.index, kind, column.read(kind))
            for column in self.columns[: self.width]
            for kind in column.values.kinds
        )

    @cached_property
    def total(self) -> NDArray[np.bool_]:
        """The rows that say what the others add up to, (row,); who asks about all rows does not mean them."""
        return np.zeros(len(self), bool) if self.total_label is None else self._says_total(self.total_label)

    @cached_property
    def total_label(self) -> int | None:
        """The column that says which rows are totals; None if there are none."""
        if len(self) <= _FEW:
            return None
        columns = range(min(self.width, _LABELLED_WITHIN))
        return next((it for it in columns if 0 < np.count_nonzero(self._says_total(it)) <= _TOTAL_ROWS), None)

    def _says_total(self, column: int) -> NDArray[np.bool_]:
        it = self.columns[column]
        return np.array([plain in _TOTALS for plain in it.values.plains])[it.ids]

    # -- altered copies ------------------------------------------------------------------------------------------------

    @property
    def original(self) -> Table:
        """The table that this one is an altered copy of, or itself."""
        return self

    @property
    def places(self) -> Places:
        """Which row of the original each cell comes from, (column, row)."""
        return np.broadcast_to(np.arange(len(self)), (self.width, len(self)))

    def altered(self, places: Places) -> Table:
        """A copy whose cells are others of the same column; types, views and totals stay."""
        return _Altered(self, places)


class _Altered(Table):
    """A table that rearranges the cells of another; its texts are put together when somebody reads them."""

    def __init__(self, original: Table, places: Places) -> None:
        self.header, self.path = original.header, None
        self.notations, self.source, self.notes = original.notations, None, original.notes
        self._original, self._places = original, places

    @property
    def original(self) -> Table:
        return self._original

    @property
    def places(self) -> Places:
        return self._places

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        if "_rows" not in self.__dict__:
            cells = self._original.rows
            self._rows = tuple(
                tuple(cells[place][column] for column, place in enumerate(row)) for row in self._places.T.tolist()
            )
        return self._rows

    def __len__(self) -> int:
        return int(self._places.shape[1])

    def __reduce__(self) -> tuple[Any, ...]:
        return _Altered, (self._original, self._places)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(
            Column(it.name, it.header, it.index, it.source, it.part, it.values, it.ids[self._places[it.source]])
            for it in self._original.columns
        )

    @cached_property
    def views(self) -> tuple[View, ...]:
        return tuple(View(it.column, it.kind, it.numbers[self._places[it.column]]) for it in self._original.views)

    @cached_property
    def total(self) -> NDArray[np.bool_]:
        label = self.total_label
        return self._original.total if label is None else self._original.total[self._places[label]]

    @cached_property
    def total_label(self) -> int | None:
        return self._original.total_label


def _names(header: Sequence[str]) -> list[str]:
    """A name for each column: its header on one line, with a number if others have the same.

    >>> _names(["Name", "", "Points\\nhome", "Name"])
    ['Name', 'column 2', 'Points home', 'Name (2)']
    """
    taken: set[str] = set()
    return [_free(" ".join(text.split()) or f"column {place}", taken) for place, text in enumerate(header, 1)]


def _free(name: str, taken: set[str]) -> str:
    """A name that is not taken, and is from now on."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    taken.add(free)
    return free


def _parts(column: Column, texts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The virtual columns of a column: what each is, and its text in each row."""
    values = column.values
    if values.type == "date":
        months = [MONTHS[date.month - 1] if date and date.month else "" for date in values.dates]
        yield "month", [months[place] for place in column.ids]
    if values.type not in {"text", "mixed"}:
        return
    separators = _SEPARATORS[: 1 if values.type == "mixed" else None]
    if between := next((it for it in separators if _share(it in text for text in values.texts) >= _PARTED), None):
        yield "first part", [text.split(between)[0] for text in texts]
        yield "last part", [text.split(between)[-1] for text in texts]
    if values.type == "mixed":  # numbers, which views read
        return
    remarks = list(map(_remark, texts))
    if _share(bool(inside) for _, inside in remarks) >= _REMARKED:
        yield "text before parentheses", [before for before, _ in remarks]
        yield "text in parentheses", [inside for _, inside in remarks]
    elif not between and _share(_is_name(text) for text in values.texts if text) >= _NAMED:
        for part, place in ("first name", 0), ("last name", -1):
            if len({text.split()[place] for text in values.texts if _is_name(text)}) <= _SHARED * len(values):
                yield part, [text.split()[place] if _is_name(text) else "" for text in texts]


def _remark(text: str) -> tuple[str, str]:
    """A text without the parentheses that it ends with, and what stands in them.

    >>> _remark("Rome (Italy)"), _remark("Rome"), _remark("f(x) (y)")
    (('Rome', 'Italy'), ('Rome', ''), ('f(x)', 'y'))
    """
    start = text.rfind("(")
    return (text[:start].strip(), text[start + 1 : -1].strip()) if start > 0 and text.endswith(")") else (text, "")


def _is_name(text: str) -> bool:
    """Whether a text may be the name of a person: two or three words with capitals.

    >>> [_is_name(text) for text in ["Ann O'Neil", "J. S. Bach", "Rome", "the end", "New York City Hall", "Route 66"]]
    [True, True, False, False, False, False]
    """
    return _NAME.fullmatch(text) is not None and all(word[0].isupper() for word in text.split())


def _share(flags: Iterable[bool]) -> float:
    """The share of what is so; of nothing, nothing."""
    found = list(flags)
    return sum(found) / max(1, len(found))
