"""How cells are read in SQL: expressions, each with a twin that says what it gives for a text.

A column is read by the first expression that gives what our own reading gives for all of its cells. If there is none,
cells that are read otherwise are listed in a CASE, as long as they are few. So a query is right for its table without
having been run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite

from chorale.errors import ChoraleError
from chorale.tables.dates import MONTHS, Date
from chorale.tables.quoting import literal

MOST_LISTED = 40
"""The most values that a query lists."""

Value = str | float | tuple[str, ...] | None
"""What a cell is read as; dates are in days."""


class NoSqlError(ChoraleError):
    """A program has no sensible query, for this reason."""


class UnsureError(Exception):
    """A twin does not know what its expression gives."""


@dataclass(frozen=True)
class Expression:
    """SQL in which {} stands for a column, and what it gives for each text."""

    sql: str
    read: Callable[[str], Value]

    def after(self, step: Expression) -> Expression:
        """The same of what another expression makes of the text."""
        return Expression(self.sql.replace("{}", step.sql), lambda text: self.read(str(step.read(text))))


def reading(
    column: str,
    wanted: Mapping[str, Value],
    expressions: Iterable[Expression],
    write: Callable[[Value], str] = literal,
    kind: str = "VARCHAR",
) -> str:
    """SQL that gives what is wanted of each text of a column, and nothing of this kind where nothing is."""
    best, exceptions = "", [text for text, value in wanted.items() if value is not None]
    for expression in expressions:
        misread: list[str] = []
        for text, value in wanted.items():
            if not _gives(expression, text, value):
                misread.append(text)
                if len(misread) >= max(1, min(len(exceptions), MOST_LISTED + 1)):
                    break
        else:
            best, exceptions = expression.sql.replace("{}", column), misread
            if not exceptions:
                return best
    if len(exceptions) > MOST_LISTED:
        raise NoSqlError(f"the cells of {column:.60} are written in too many ways to be read by a short expression")
    listed = " ".join(f"WHEN {literal(text)} THEN {write(wanted[text])}" for text in exceptions)
    if not listed:
        return f"CAST(NULL AS {kind})"
    return f"CASE {column} {listed}{f' ELSE {best}' if best else ''} END"


def _gives(expression: Expression, text: str, value: Value) -> bool:
    try:
        return expression.read(text) == value
    except UnsureError:
        return False


# -- steps: text to text -----------------------------------------------------------------------------------------------

SAME = Expression("{}", lambda text: text)


def _replaced(old: str, new: str) -> Expression:
    return Expression(f"replace({{}}, {literal(old)}, {literal(new)})", lambda text: text.replace(old, new))


def _without(letters: str) -> Expression:
    pattern = re.compile(letters, re.ASCII)
    return Expression(f"regexp_replace({{}}, {literal(letters)}, '', 'g')", lambda text: pattern.sub("", text))


def _extracted(pattern: str, group: int = 0) -> Expression:
    compiled = re.compile(pattern, re.ASCII)

    def read(text: str) -> str:
        match = compiled.search(text)
        return (match[group] or "") if match else ""

    return Expression(f"regexp_extract({{}}, {literal(pattern)}{f', {group}' if group else ''})", read)


def part(separator: str, place: int) -> Expression:
    """The part between separators at a place, counted from one; -1 is the last."""

    def read(text: str) -> str:
        parts = text.split(separator)
        return parts[-1] if place < 0 else parts[place - 1] if place <= len(parts) else ""

    return Expression(f"split_part({{}}, {literal(separator)}, {place})", read)


CITATION = _without(r" ?\[\w*\]")
IN_BRACKETS = _extracted(r"\(([^()]*)\)", 1)
TRIMMED = Expression("trim({})", lambda text: text.strip(" "))

# -- numbers -----------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r" *[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})? *", re.ASCII)
_NUMBERLIKE = re.compile(r"[\d\s.,_+eE-]*\d[\d\s._+eE-]*", re.ASCII)
_MONEY = "$€£¥"


def _cast(text: Value) -> float | None:
    """What DuckDB makes of a text where a number is wanted.

    >>> _cast("7"), _cast("-2.50"), _cast("1,200"), _cast("Rome"), _cast("")
    (7.0, -2.5, None, None, None)
    """
    assert isinstance(text, str)
    if _NUMBER.fullmatch(text):
        if isfinite(number := float(text)):
            return number
        raise UnsureError
    if re.fullmatch(r"\d+[.-]\d+[.-][\d.]+|\d+-\d+", text, re.ASCII):
        return None
    if re.search("inf|nan", text, re.IGNORECASE) or ("," not in text and _NUMBERLIKE.fullmatch(text)):
        raise UnsureError
    return None


def _certain(text: Value) -> float:
    """The same of texts that all are numbers.

    DuckDB 2.0 lets the reader of a file do a TRY_CAST of a bare column, and then fails where it should give NULL.
    """
    number = _cast(text)
    if number is None:
        raise UnsureError
    return number


def _number(*steps: Expression) -> Expression:
    expression = Expression("TRY_CAST({} AS DOUBLE)", _cast if steps else _certain)
    for step in steps:
        expression = expression.after(step)
    return expression


_COMMAS = _replaced(",", "")
_POINT = _replaced(",", ".")
NUMBERS = (
    _number(),
    _number(TRIMMED),
    _number(_COMMAS),
    _number(_replaced("−", "-")),
    _number(_replaced("%", "")),
    _number(_without(f"[{_MONEY}, %]")),
    _number(_POINT),
    _number(_POINT, _replaced(".", "")),
    _number(_POINT, _without(f"[{_MONEY}. %]")),
    _number(_extracted(r"\d+")),
    _number(_extracted(r"\d+\.?\d*")),
    _number(_COMMAS, _extracted(r"\d[\d,]*(\.\d+)?")),
    _number(_COMMAS, _extracted(r"-?\d[\d,]*(\.\d+)?")),
    _number(_without("[^0-9.-]")),
    _number(_POINT, _without("[^0-9,-]")),
    _number(_replaced(")", ""), _replaced("(", "-"), _without(f"[{_MONEY}, %]")),
)
SECONDS = (
    _number(part("-", 2)),
    _number(part("–", 2)),
    _number(_extracted(r"\d+\D+(\d+)", 1)),
    _number(_extracted(r"\d+\D+(\d+\.\d+)", 1)),
)
"""Second numbers."""
YEARS = (_number(), _number(TRIMMED), _number(_extracted(r"\d{4}")), _number(_extracted(r"\b(1\d{3}|20\d{2})\b")))
TYPED = Expression("{}", _cast)
"""Of a column that holds numbers in its file."""

# -- dates and times ---------------------------------------------------------------------------------------------------

_SHORT = tuple(month[:3] for month in MONTHS)
_PARTS = {"%Y": r"\d{4}", "%m": r"\d{1,2}", "%d": r"\d{1,2}", "%B": "[A-Z][a-z]+", "%b": "[A-Z][a-z]{2}"}
_LOOSE = {"%Y": r"[-+]?\d+", "%m": r"\d+", "%d": r"\d+", "%B": "[a-zA-Z]+", "%b": "[a-zA-Z]+", " ": r"\s*"}
_FORMATS = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%B %d, %Y", "%d %B %Y", "%b %d, %Y",
    "%d %b %Y", "%B %d %Y", "%B %Y", "%b %Y", "%B %d", "%d %B", "%b %d", "%d %b", "%B",
)  # fmt: skip
_SHARED_TYPE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)


def _days(year: int, month: int, day: int) -> float | None:
    """The place of a date on the calendar; None if there is none. The year 0 has a leap day."""
    try:
        date(year or 2000, month, day)
    except ValueError:
        return None
    return Date(year or None, month, day).days


def _iso(text: str) -> float | None:
    if match := _SHARED_TYPE.fullmatch(text):
        return _days(*map(int, match.groups()))
    if re.search(r"\d{1,6}[-/ \\]\d|epoch|inf", text, re.IGNORECASE):
        raise UnsureError
    return None


def _certain_day(text: str) -> float:
    day = _iso(text)
    if day is None:
        raise UnsureError
    return day


def _pattern(form: str, parts: Mapping[str, str], capture: bool) -> str:
    """A pattern for the texts that a format stands for."""
    pieces = re.findall("%.| |.", form)
    return "".join(
        (f"({parts[it]})" if capture else parts[it]) if it.startswith("%") else parts.get(it, re.escape(it))
        for it in pieces
    )


def _dated(form: str) -> Expression:
    """Dates in a format; of those without a year in the year 0."""
    full = form if "%Y" in form else f"%Y {form}"
    names = re.findall("%.", form)
    strict = re.compile(_pattern(form, _PARTS, True), re.ASCII)
    loose = re.compile(r"\s*" + _pattern(form, _LOOSE, False) + r"\s*")

    def read(text: str) -> float | None:
        if match := strict.fullmatch(text):
            said = dict(zip(names, match.groups(), strict=True))
            month = _month(said)
            return None if month is None else _days(int(said.get("%Y", 0)), month, int(said.get("%d", 1)))
        if loose.fullmatch(text):
            raise UnsureError
        return None

    column = "{}" if full == form else "'0000 ' || {}"
    return Expression(f"CAST(try_strptime({column}, '{full}') AS DATE)", read)


def _month(said: Mapping[str, str]) -> int | None:
    if "%m" in said:
        return int(said["%m"])
    names, name = (MONTHS, said["%B"].lower()) if "%B" in said else (_SHORT, said["%b"].lower())
    return names.index(name) + 1 if name in names else None


DATES = (
    Expression("TRY_CAST({} AS DATE)", _certain_day),
    Expression("TRY_CAST(trim({}) AS DATE)", _iso),
    *map(_dated, _FORMATS),
    *(_dated(form).after(_extracted(_pattern(form, _PARTS, False))) for form in _FORMATS),
)


def _stamp(text: str) -> float | None:
    return _iso(text[:10])


TYPED_DATES = (Expression("{}", _iso), Expression("CAST({} AS DATE)", _stamp))
TYPED_YEARS = (Expression("year({})", lambda text: float(text[:4])),)
"""Of columns that hold dates in their file."""


def _clock(text: str) -> float | None:
    if match := re.fullmatch(r"(\d{1,2}):(\d\d) ([aApP])[mM]", text, re.ASCII):
        hour, minute = int(match[1]), int(match[2])
        if not 1 <= hour <= 12 or minute > 59:
            return None
        return float((hour % 12 + 12 * (match[3] in "pP")) * 3600 + 60 * minute)
    if re.search(r"\d", text):
        raise UnsureError
    return None


def _added(parts: Sequence[tuple[int, Expression]]) -> Expression:
    """The sum of numbers, each multiplied by something."""

    def read(text: str) -> float | None:
        total = 0.0
        for unit, expression in parts:
            number = expression.read(text)
            if not isinstance(number, float):
                return None
            total += unit * number
        return total

    return Expression(" + ".join(f"{unit} * {it.sql}" if unit > 1 else it.sql for unit, it in parts), read)


TIMES = (
    _added([(60, _number(part(":", 1))), (1, _number(part(":", 2)))]),
    _added([(3600, _number(part(":", 1))), (60, _number(part(":", 2))), (1, _number(part(":", 3)))]),
    Expression("epoch(CAST(try_strptime({}, '%I:%M %p') AS TIME))", _clock),
)

# -- lists -------------------------------------------------------------------------------------------------------------


def _listed(separator: str, *steps: Expression) -> Expression:
    expression = Expression(
        f"string_split({{}}, {literal(separator)})", lambda text: tuple(sorted(text.split(separator)))
    )
    for step in steps:
        expression = expression.after(step)
    return expression


LISTS = (
    *map(_listed, (", ", "; ", ";", "\n")),
    _listed(", ", _replaced(" and ", ", ")),
    _listed(", ", _replaced(" & ", ", ")),
    _listed(", ", _replaced(" and ", ", "), _replaced(", and ", ", ")),
)


def length(lists: Expression) -> Expression:
    """How many things there are in a list."""

    def read(text: str) -> float:
        items = lists.read(text)
        assert isinstance(items, tuple)
        return float(len(items))

    return Expression(f"len({lists.sql})", read)
