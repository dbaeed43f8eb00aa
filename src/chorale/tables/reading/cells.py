"""Cells of other programs as texts: numbers, dates, truth values, what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from chorale.tables.values import number_text

_MISSING = frozenset({"<NA>", "NaT"})
_MOST_ITEMS = 1_000


def cell_text(value: Any) -> str:
    """A value as the text of a cell; empty if there is none.

    >>> [cell_text(value) for value in [None, True, 7.0, Decimal("1.50"), date(2024, 5, 3), float("nan"), ["a", 2]]]
    ['', 'true', '7', '1.5', '2024-05-03', '', 'a, 2']
    """
    match value:
        case str():
            return value
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value.bit_length() < 1_000 else ""
        case float():
            return "" if value != value else number_text(value)  # noqa: PLR0124
        case Decimal():
            return format(value.normalize(), "f") if value.is_finite() and abs(value.adjusted()) < 100 else ""
    return _other_text(value)


def _other_text(value: Any) -> str:
    if str(value) in _MISSING:
        return ""
    match value:
        case datetime():
            return value.isoformat(" ", "seconds").removesuffix(" 00:00:00")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case bytes():
            return value.hex()
        case Mapping():
            return ", ".join(f"{cell_text(name)}: {cell_text(it)}" for name, it in [*value.items()][:_MOST_ITEMS])
        case list() | tuple() | set():
            return ", ".join(map(cell_text, [*value][:_MOST_ITEMS]))
    item = getattr(value, "item", None)  # numpy's own numbers
    if callable(item) and type(plain := item()) is not type(value):
        return cell_text(plain)
    return str(value)
