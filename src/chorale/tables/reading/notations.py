"""How the columns of a table are written: each cell that can be meant in one way alone votes; others follow.

"1,50" and "1.200,50" have a decimal comma, "1,200.50" has none, "1,200" may have one. A column without a clear cell is
read as the other columns of its table are, else as its currency or separator suggest, and a note says so. It is the
same with days and months: 25/12/1998 is clear, 3/12/1998 is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chorale.tables.dates import date, is_day_first
from chorale.tables.notation import Notation
from chorale.tables.source import Note, Options
from chorale.tables.values import number_text, numbers, plain

_MOST_CELLS = 20_000  # different ones of a column that are looked at
_CELL = re.compile(r"(\(?)[-+]?([^\d\s.,()+-]{0,4})\s?[-+]?((?:\d|[.,' ](?=\d)){1,30})\s?([^\d()]{0,12})\)?")
_GROUPED = re.compile(r"\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*")
_DATE = re.compile(r"\d{1,2}([/.-])\d{1,2}\1\d{2,4}")
_ENGLISH_MONEY = frozenset("$£")
_UNITS = frozenset(
    [
        "mg",
        "g",
        "kg",
        "t",
        "lb",
        "lbs",
        "oz",
        "mm",
        "cm",
        "m",
        "km",
        "ft",
        "mi",
        "ml",
        "cl",
        "l",
        "s",
        "min",
        "h",
        "days",
    ]
)
_MOSTLY = 0.5


@dataclass
class _Column:
    """What the cells of a column tell."""

    name: str
    commas: int = 0
    points: int = 0
    either: str = ""
    """A cell that may be meant in two ways, and how many there are with a comma or with a point."""
    either_commas: int = 0
    either_points: int = 0
    group: str = ""
    brackets: int = 0
    minus_money: bool = False
    money: Counter[str] | None = None
    units: Counter[str] | None = None
    day_first: bool | None = None
    turned: str = ""
    """A date that is another one if day and month change places."""

    @property
    def is_clear(self) -> bool:
        return bool(self.commas or self.points)


def notations(
    names: Sequence[str], columns: Iterable[Sequence[str]], options: Options, *, typed: frozenset[int], suggests: bool
) -> tuple[dict[int, Notation], list[Note]]:
    """The notation of each column that needs one, and notes where it was unsure.

    Columns that are `typed` hold numbers of another program, with points. `suggests` says whether the file looks as if
    it came from where people write commas.
    """
    columns_read = [
        _looked_at(name, cells, place in typed) for place, (name, cells) in enumerate(zip(names, columns, strict=True))
    ]
    commas = options.decimal_comma
    if commas is None:
        clear = {it.commas > it.points for it in columns_read if it.is_clear}
        commas = clear.pop() if len(clear) == 1 else None
    orders = {it.day_first for it in columns_read} - {None}
    day_first = options.day_first if options.day_first is not None else orders.pop() if len(orders) == 1 else None
    made: dict[int, Notation] = {}
    notes: list[Note] = []
    for place, column in enumerate(columns_read):
        notation, said = _numbers(column, commas, options.decimal_comma is not None, suggests)
        notes += said
        order, said = _order(column, day_first, options.day_first is not None, commas is True)
        notes += said
        notation = replace(notation, day_first=order)
        if notation != Notation():
            made[place] = notation
    return made, notes


def _looked_at(name: str, cells: Sequence[str], typed: bool) -> _Column:
    """What the different cells of a column tell, each once."""
    distinct = list(dict.fromkeys(cells))
    distinct = distinct[:: -(-len(distinct) // _MOST_CELLS) or 1]
    column = _Column(name, money=Counter(), units=Counter())
    if typed:
        column.points = 1
        return column
    filled = [plain(text) for text in distinct if len(text) <= 60 and any(map(str.isdigit, text))]
    _dated(column, [text for text in filled if _DATE.search(text)], sum(map(bool, distinct)))
    if not column.turned:
        written = [(text, match) for text in filled if (match := _CELL.fullmatch(text))]
        if len(written) >= _MOSTLY * sum(map(bool, distinct)):
            for text, match in written:
                _counted(column, text, match)
    if column.commas < column.either_commas:  # of many 1,200 the one 1,20 is a slip
        column.commas = 0
    if column.points < column.either_points:
        column.points = 0
    return column


def _dated(column: _Column, texts: Sequence[str], count: int) -> None:
    if texts and len(texts) >= _MOSTLY * count:
        turned = (text for text in texts if date(text, day_first=True) != date(text, day_first=False))
        column.turned, column.day_first = next(turned, ""), is_day_first(texts)


def _counted(column: _Column, text: str, match: re.Match[str]) -> None:
    """Count what one cell tells."""
    bracket, money, number, unit = match.groups()
    assert column.money is not None
    assert column.units is not None
    column.money.update([money] if money in {"$", "€", "£", "¥"} else ())
    column.units.update({unit.strip(" .")} & _UNITS)
    column.brackets += bool(bracket) and text.endswith(")")
    column.minus_money |= bool(money) and text.startswith("-")
    whole, mark = _ungrouped(number)
    column.group = mark or column.group
    match _decimal(whole):
        case ",":
            column.commas += 1
        case ".":
            column.points += 1
        case "?":
            column.either = column.either or text
            column.either_commas += "," in whole
            column.either_points += "." in whole


def _ungrouped(number: str) -> tuple[str, str]:
    """A number without blanks or apostrophes between its thousands, and which of them it had."""
    for mark in " '":
        if mark in number:
            match = _GROUPED.match(number)
            return (number.replace(mark, ""), mark) if match and match[1] == mark else ("", "")
    return number, ""


def _decimal(number: str) -> str:
    """The decimal mark of a number: "," or "."; "?" if it may be either, empty if it has none or is not a number.

    >>> [_decimal(number) for number in ["1,5", "1.200,50", "1,200.50", "1,200,000", "1,200", "0.125", "7", "1.2.24"]]
    [',', ',', '.', '.', '?', '.', '', '']
    """
    marks = [letter for letter in number if letter in ",."]
    if not marks:
        return ""
    last = marks[-1]
    if len(set(marks)) == 2:
        whole, _, _ = number.rpartition(last)
        return last if marks.count(last) == 1 and _GROUPED.fullmatch(whole) else ""
    if not _GROUPED.fullmatch(number) or number.startswith("0"):
        return last if len(marks) == 1 else ""
    if len(marks) > 1:
        return "." if last == "," else ","
    return "?"


def _numbers(column: _Column, commas: bool | None, is_said: bool, suggests: bool) -> tuple[Notation, list[Note]]:
    """How the numbers of a column are read, and what is unsure about it."""
    notes = _mixtures(column)
    comma = column.commas > column.points
    if is_said and not (column.points and not column.either and not column.commas):
        comma = bool(commas)
    elif column.commas and column.points:
        how = "commas" if comma else "points"
        notes.append(_note(column, f"has decimal commas and points; numbers were read with {how}", not comma))
    elif column.either and not column.is_clear:
        comma = suggests if commas is None else commas
        if commas is None and not _ENGLISH_MONEY & set(column.money or ()):
            as_read = number_text(numbers(Notation(comma).english(column.either))[0])
            notes.append(_note(column, f"{column.either!r:.40} was read as {as_read}", not comma))
    brackets = bool(column.brackets and (column.money or column.is_clear or column.either))
    if brackets:
        notes.append(Note(f"column {column.name!r:.60}: numbers in brackets were read as negative"))
    needed = comma and (column.commas or column.points or column.either)
    return Notation(bool(needed), column.group, brackets or column.minus_money), notes


def _note(column: _Column, text: str, otherwise: bool) -> Note:
    return Note(f"column {column.name!r:.60}: {text}", "decimal_comma", otherwise)


def _mixtures(column: _Column) -> list[Note]:
    """What to say of a column with several currencies or units: numbers are compared as they stand."""
    counts: Mapping[str, Counter[str] | None] = {"currencies": column.money, "units": column.units}
    return [
        Note(
            f"column {column.name!r:.60} has several {what} ({', '.join(sorted(orders)[:4])}); "
            "its numbers are compared as they stand"
        )
        for what, orders in counts.items()
        if orders and 2 <= len(orders) <= 4
    ]


def _order(column: _Column, day_first: bool | None, is_said: bool, commas: bool) -> tuple[bool | None, list[Note]]:
    """Whether days stand before months in a column, if its cells alone would not make it so."""
    if not column.turned:
        return None, []
    if is_said:
        return day_first, []
    if column.day_first is not None:
        return None, []
    if day_first is not None:
        return day_first, []
    if "/" not in column.turned:
        return None, []
    first = bool(commas)
    as_read = date(column.turned, day_first=first)
    text = f"column {column.name!r:.60}: {column.turned!r:.40} was read as {as_read}"
    return first, [Note(text, "day_first", not first)]
