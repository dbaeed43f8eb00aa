"""Names and values in SQL. Whatever strangers wrote passes through here and nowhere else."""

from __future__ import annotations

import re
from itertools import groupby

from chorale.tables.dates import Date

_MOST_WHOLE = 1e15  # larger numbers are written with an exponent
_MOST_DIGITS = 15  # beyond which DuckDB would take a fraction for a decimal and round it otherwise
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")

_WORDS = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check
    collate collation column concurrently constraint create cross default deferrable desc describe distinct do else
    end except false fetch for foreign freeze from full glob group having ilike in initially inner intersect into is
    isnull join lambda lateral leading left like limit natural not notnull null offset on only or order outer
    overlaps pivot pivot_longer pivot_wider placing positional primary qualify recursive references returning right
    select semi show similar some summarize symmetric table tablesample then to trailing true union unique unpack
    unpivot using variadic verbose when where window with
"""
RESERVED = frozenset(_WORDS.split())
"""Words that cannot stand for a table."""


def quoted(name: str) -> str:
    """A name in SQL.

    >>> print(quoted('a "b" c'))
    "a ""b"" c"
    """
    return '"' + name.replace('"', '""') + '"'


def table_name(text: str) -> str:
    """A name for a table that needs no quotes, made from any text.

    >>> table_name("Sales 2024"), table_name("order"), table_name("7 teams"), table_name("")
    ('sales_2024', 'order_', 't_7_teams', 't')
    """
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    name = name if _PLAIN.fullmatch(name) else f"t_{name}".rstrip("_")
    return f"{name}_" if name in RESERVED else name


def literal(value: str | float | Date | tuple[str, ...] | None) -> str:
    """A value in SQL. What cannot be printed is written by its number, so that a query shows all that is in it.

    >>> print(literal("it's"), literal(7.0), literal(-2.5), literal(None), literal(Date(1998, 5)), literal(("a", "b")))
    'it''s' 7 -2.5 NULL DATE '1998-05-01' ['a', 'b']
    >>> print(literal("Rome" + chr(10) + "Oslo"))
    'Rome' || chr(10) || 'Oslo'
    """
    match value:
        case None:
            return "NULL"
        case str():
            return _text(value)
        case Date():
            return f"DATE '{value.year or 0:04}-{value.month or 1:02}-{value.day or 1:02}'"
        case tuple():
            return f"[{', '.join(map(literal, value))}]"
    if value.is_integer() and abs(value) < _MOST_WHOLE:
        return str(int(value))
    text = repr(float(value))
    return f"{text}e0" if "e" not in text and len(text) > _MOST_DIGITS else text


def _text(text: str) -> str:
    parts = []
    for is_printable, letters in groupby(text, str.isprintable):
        if is_printable:
            parts.append("'" + "".join(letters).replace("'", "''") + "'")
        else:
            parts += [f"chr({ord(letter)})" for letter in letters]
    return " || ".join(parts) or "''"
