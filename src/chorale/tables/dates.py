"""Dates and times in cells. A date may be partial: what it does not say is None. All functions take plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import astuple, dataclass

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MONTH_NAMES = (
    {name: number for number, name in enumerate(MONTHS, 1)}
    | {name[:3]: number for number, name in enumerate(MONTHS, 1)}
    | {"sept": 9}
)

_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(?<![\d./-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|(?<=/)\d{2})(?!\d)")  # 10-4-12 is not a date
_SHORT = re.compile(r"(?<!\d)(\d{1,2})[- ]([a-z]{3})[- ]'?(\d{2})(?!\d)")  # 27-jan-68
_MAYBE = re.compile(rf"\d[-/.]\d|{'|'.join(name[:3] for name in MONTHS)}")  # what any date has
_WRITTEN = re.compile(r"(xx|xxxx|\d{1,4})-(xx|\d{1,2})-(xx|\d{1,2})")
_TOKEN = re.compile(r"[a-z]+|\d+")
_BETWEEN = frozenset({"st", "nd", "rd", "th", "of"})  # the 3rd of May
_NEAR = 2  # tokens between a month and its day
_CENTURY_FROM = 30  # 30 is 1930, 29 is 2029

_TIME = re.compile(r"\+?(?:(\d{1,4}):)?(\d{1,4}):(\d\d(?:\.\d{1,9})?)(?!\d)(?:\s*([ap])\.?m\b)?")
_HOUR = re.compile(r"(1[0-2]|[1-9])\s*([ap])\.?m\b")


@dataclass(frozen=True, slots=True)
class Date:
    """A year, a month and a day, each of which may be unknown."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        """As answers are written: 1998-05-xx."""
        return "-".join("xx" if part is None else f"{part:02}" for part in astuple(self))

    @property
    def spelled(self) -> str:
        """For people.

        >>> Date(1998, 5, 3).spelled, Date(None, 5).spelled, Date(1998).spelled
        ('3 May 1998', 'May', '1998')
        """
        month = "" if self.month is None else MONTHS[self.month - 1].capitalize()
        return " ".join(str(part) for part in (self.day, month, self.year) if part)

    @property
    def days(self) -> float:
        """Its place on the calendar in days; the first that it may be, and of the year 0 if that is unknown.

        >>> Date(1998, 5, 3).days - Date(1998, 5, None).days, Date(2000, 3, 1).days - Date(2000, 2, 1).days
        (2.0, 29.0)
        """
        month = self.month or 1
        shifted = (self.year or 0) - (month < 3)  # years that begin in March have their leap day at the end
        months = (month + 9) % 12
        leap_days = shifted // 4 - shifted // 100 + shifted // 400
        return float(365 * shifted + leap_days + (153 * months + 2) // 5 + (self.day or 1) - 1)


def date(text: str, *, day_first: bool | None = None) -> Date | None:
    """The first date in a text that says a month at least.

    3/12/1998 is in March, 3.12.1998 and 3-12-1998 in December, unless `day_first` says how they are meant.

    >>> date("may 3, 1998"), date("3 may"), date("may 1998"), date("june carter")
    (Date(year=1998, month=5, day=3), Date(year=None, month=5, day=3), Date(year=1998, month=5, day=None), None)
    >>> str(date("1998-05-03")), str(date("3/12/98")), str(date("13/12/1998")), str(date("27-jan-68"))
    ('1998-05-03', '1998-03-12', '1998-12-13', '1968-01-27')
    """
    if not _MAYBE.search(text):  # most texts are none
        return None
    if match := _YEAR_FIRST.search(text):
        return _checked(int(match[1]), int(match[3]), int(match[4]))
    if match := _YEAR_LAST.search(text):
        first, second = int(match[1]), int(match[3])
        if day_first is None:
            day_first = match[2] != "/"
        if (day_first and second <= 12) or first > 12:
            first, second = second, first
        return _checked(_full_year(match[4]), first, second)
    if (match := _SHORT.search(text)) and match[2] in MONTH_NAMES:
        return _checked(_full_year(match[3]), MONTH_NAMES[match[2]], int(match[1]))
    return _named(text)


def is_day_first(texts: Iterable[str]) -> bool | None:
    """Whether dates such as 3/12/1998 begin with the day, as the others of their column tell; None if they do not.

    >>> is_day_first(["3/12/1998", "25/12/1998"]), is_day_first(["3/12/1998", "3/25/1998"]), is_day_first(["3/12/1998"])
    (True, False, None)
    """
    pairs = [(int(match[1]), int(match[3])) for text in texts if (match := _YEAR_LAST.search(text))]
    days, months = sum(first > 12 for first, _ in pairs), sum(second > 12 for _, second in pairs)
    return None if days == months else days > months


def written_date(text: str) -> Date | None:
    """The date that an answer states: yyyy-mm-dd, with xx for what is unknown.

    >>> written_date("1998-05-xx"), written_date("xxxx-xx-03"), written_date("3-2")
    (Date(year=1998, month=5, day=None), Date(year=None, month=None, day=3), None)
    """
    match = _WRITTEN.fullmatch(text)
    return Date(*(None if "x" in part else int(part) for part in match.groups())) if match else None


def seconds(text: str) -> float | None:
    """The time that a text begins with, in seconds: how long something took, or what the clock said.

    >>> seconds("1:49.41"), seconds("2:03:14"), seconds("+0:35"), seconds("7:05 pm"), seconds("12 am"), seconds("3-2")
    (109.41, 7394.0, 35.0, 68700.0, 0.0, None)
    """
    if match := _TIME.match(text):
        if match[4]:
            return _clock(int(match[1] or match[2]), match[4]) + (int(match[2]) if match[1] else float(match[3])) * 60
        return int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3])
    if match := _HOUR.match(text):
        return float(_clock(int(match[1]), match[2]))
    return None


def _clock(hour: int, half: str) -> int:
    return (hour % 12 + 12 * (half == "p")) * 3600


def _full_year(text: str) -> int:
    year = int(text)
    return year if len(text) > 2 else year + (1900 if year >= _CENTURY_FROM else 2000)


def _checked(year: int, month: int, day: int) -> Date | None:
    return Date(year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _named(text: str) -> Date | None:
    """A date whose month is named: the first year, and the first number close to the month that can be a day."""
    tokens = [token for token in _TOKEN.findall(text) if token not in _BETWEEN]
    place = next((place for place, token in enumerate(tokens) if token in MONTH_NAMES), None)
    if place is None or (len(tokens) > 1 and not any(token.isdecimal() for token in tokens)):  # somebody's name
        return None
    year = day = None
    for at, token in enumerate(tokens):
        if not token.isdecimal():
            continue
        if len(token) == 4 and 1000 <= int(token) <= 2200:
            year = year or int(token)
        elif len(token) <= 2 and 1 <= int(token) <= 31 and abs(at - place) <= _NEAR:
            day = day or int(token)
    return Date(year, MONTH_NAMES[tokens[place]], day)
