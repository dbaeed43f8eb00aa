"""Tables that a program holds already: frames of pandas and polars, tables of Arrow, lists of dicts, dicts of lists.

None of these packages is imported: a frame is known by what it can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chorale.errors import ChoraleError
from chorale.tables.reading.cells import cell_text
from chorale.tables.reading.limits import MOST_COLUMNS, MOST_ROWS, refused

Content = tuple[list[str], list[list[str]], frozenset[int]]
"""Header, rows, and which columns hold numbers or dates rather than texts."""
_EXPECTED = "a file, a frame of pandas or polars, a table of Arrow, a list of dicts or a dict of lists"


def content_of(value: Any) -> Content:
    """The header and the rows of a frame or the like."""
    names, rows = _parts(value)
    header = [cell_text(name) for name in names]
    if not header:
        raise ChoraleError(f"a table needs a column at least; found {type(value).__name__}")
    if len(header) > MOST_COLUMNS:
        raise refused("this table", "columns", MOST_COLUMNS)
    texts: list[list[str]] = []
    typed: set[int] = set()
    for row in rows:
        if len(texts) == MOST_ROWS:
            raise refused("this table", "rows", MOST_ROWS)
        texts.append([cell_text(cell) for cell in row])
        typed.update(place for place, cell in enumerate(row) if cell is not None and not isinstance(cell, str))
    return header, texts, frozenset(typed)


def is_frame(value: Any) -> bool:
    """Whether a value is one of these, as far as its kind tells."""
    if isinstance(value, Mapping):
        return bool(value) and all(_is_list(column) for column in value.values()) and set(value) != {"header", "rows"}
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(row, Mapping) for row in value)
    return any(hasattr(value, name) for name in ("itertuples", "iter_rows", "to_pylist"))


def _parts(value: Any) -> tuple[Sequence[Any], Iterable[Sequence[Any]]]:
    """The names of the columns, and the rows."""
    if isinstance(value, Mapping) and all(_is_list(column) for column in value.values()):
        columns = [list(column) for column in value.values()]
        if len({len(column) for column in columns}) > 1:
            raise ChoraleError("the columns of a table have equally many cells")
        return list(value), zip(*columns, strict=True)
    if isinstance(value, list | tuple) and value and all(isinstance(row, Mapping) for row in value):
        names = list(dict.fromkeys(name for row in value for name in row))
        return names, ([row.get(name) for name in names] for row in value)
    if hasattr(value, "itertuples"):  # pandas
        return list(value.columns), value.itertuples(index=False, name=None)
    if hasattr(value, "iter_rows"):  # polars
        return list(value.columns), value.iter_rows()
    if hasattr(value, "to_pylist") and hasattr(value, "column_names"):  # Arrow
        return list(value.column_names), zip(*(column.to_pylist() for column in value.columns), strict=True)
    raise ChoraleError(f"expected {_EXPECTED}; found {type(value).__name__}")


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
