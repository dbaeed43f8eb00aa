"""What a column holds: its distinct values, what each can be read as, and what type they have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from chorale.tables import values as cells
from chorale.tables.dates import Date, date, is_day_first, seconds
from chorale.tables.notation import Notation
from chorale.tables.words import stem, stems

ColumnType = Literal["text", "number", "mixed", "year", "date", "time"]
"""Mixed are texts with numbers in them: 12th, 3-2, 5 km."""
Kind = Literal["number", "second", "difference", "year", "date", "time", "items"]
"""What cells are read as in a view: their first number, their second, how far these are apart, the year, the date in
days, the time in seconds, how many things they list."""
KINDS: tuple[Kind, ...] = get_args(Kind)

_DATES = _TIMES = _SECONDS = 0.5  # the share of values that must be dates for the column to have that view, and so on
_NUMBERS = _YEARS = 0.4
_YEARS_OF_DATES = 0.3
_WHOLE = 0.7  # a column of numbers, of which some may be missing or have a remark
_MIXED = 0.7
_CODES = 0.5
_LISTS = 0.3  # the share of values that must list several things; commas alone do not make a list of two of them
_LONG_ITEMS = 5  # words, on average: sentences are no lists
_LOOKED_AT = 50  # values that show what all of them look like
_SMALL, _LARGE = 20, 1_000  # numbers
_NAME, _LONG_TEXT = 3, 6  # words

BEGINNING = 5
"""Letters that words have in common which begin alike,"""
LONG = 4
"""and those that a word must have for that."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Items:
    """What the values of a column list: pairs of a value and of a thing that it lists, each once, thing by thing."""

    values: Values
    """The things, of all lists."""
    lists: NDArray[np.intp]
    """The value that lists something, (pair,)."""
    things: NDArray[np.intp]
    """The place of what it lists among the things, (pair,)."""

    def counted(self, times: NDArray[Any]) -> NDArray[Any]:
        """How often each thing is listed if each value stands somewhere so many times, (..., value) to (..., thing)."""
        starts = np.searchsorted(self.things, np.arange(len(self.values)))
        counts: NDArray[Any] = np.add.reduceat(times[..., self.lists], starts, axis=-1)
        return counts

    def each(self, count: int) -> list[list[str]]:
        """What each of so many values lists."""
        things: list[list[str]] = [[] for _ in range(count)]
        for value, thing in zip(self.lists.tolist(), self.things.tolist(), strict=True):
            things[value].append(self.values.texts[thing])
        return things


class Values:
    """The distinct values of a column. Values with the same normal form are one, spelled as they are first."""

    def __init__(
        self, texts: Sequence[str], plains: Sequence[str], keys: Sequence[str], notation: Notation | None = None
    ) -> None:
        self.texts, self.plains, self.keys = tuple(texts), tuple(plains), tuple(keys)
        self.notation = notation
        self._read: dict[Kind, Numbers] = {}

    @classmethod
    def of(cls, texts: Iterable[str], notation: Notation | None = None) -> tuple[Values, NDArray[np.intp]]:
        """The values of some cells, and which of them each cell has.

        >>> values, ids = Values.of(["Rome", "Oslo", "rome[1]"])
        >>> values.texts, ids.tolist()
        (('Rome', 'Oslo'), [0, 1, 0])
        """
        spelled: dict[str, int] = {}
        known: dict[str, int] = {}
        first: list[tuple[str, str]] = []
        ids = []
        for text in texts:
            place = spelled.get(text)
            if place is None:
                plain, normal = cells.both_forms(text)
                place = spelled[text] = known.setdefault(normal or plain, len(known))
                if place == len(first):
                    first.append((text if normal or plain else "", plain))  # an empty cell, however many blanks
            ids.append(place)
        values = cls([text for text, _ in first], [plain for _, plain in first], list(known), notation)
        return values, np.array(ids, np.intp)

    def __len__(self) -> int:
        return len(self.texts)

    # -- what values are ---------------------------------------------------------------------------------------------

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which values say nothing, (value,)."""
        return np.array([key in cells.EMPTY for key in self.keys], bool)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stemmed words of each value, with single blanks between."""
        return tuple(map(_stemmed, self.plains))

    @cached_property
    def index(self) -> dict[str, list[int]]:
        """The values that have each stem, by their places."""
        places: dict[str, list[int]] = {}
        for place, joined in enumerate(self.stems):
            for word in dict.fromkeys(joined.split()):
                places.setdefault(word, []).append(place)
        return places

    @cached_property
    def whole_stems(self) -> dict[str, int]:
        """The values by all their stems; of several the first."""
        places: dict[str, int] = {}
        for place, joined in enumerate(self.stems):
            places.setdefault(joined, place)
        return places

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What words of the values begin with, `BEGINNING` letters of each."""
        return frozenset(word[:BEGINNING] for word in self.index if word.isalpha() and len(word) >= LONG)

    def having(self, stemmed: str) -> list[int]:
        """The values that have these stems, one after the other."""
        lists = [self.index.get(word) for word in stemmed.split()]
        if not lists or not all(lists):
            return []
        shortest = min((it for it in lists if it), key=len)
        return [it for it in shortest if f" {stemmed} " in f" {self.stems[it]} "]

    def alike(self, word: str) -> list[int]:
        """The values with a word that begins like this one."""
        start = word[:BEGINNING]
        groups = (
            it for own, it in self.index.items() if own[:BEGINNING] == start and own.isalpha() and len(own) >= LONG
        )
        return sorted({place for places in groups for place in places})

    @cached_property
    def dates(self) -> tuple[Date | None, ...]:
        """The date of each value."""
        said = None if self.notation is None else self.notation.day_first
        day_first = is_day_first(self.plains) if said is None else said
        return tuple(date(plain, day_first=day_first) for plain in self.plains)

    @cached_property
    def whole(self) -> Numbers:
        """The number that each value is, if it is nothing else, (value,)."""
        return _array(map(cells.whole_number, self._written))

    @cached_property
    def _written(self) -> tuple[str, ...]:
        """The plain text of each value, with its numbers as they are written here."""
        return self.plains if self.notation is None else tuple(map(self.notation.english, self.plains))

    def read(self, kind: Kind) -> Numbers:
        """The values as numbers, NaN where there is none, (value,); whether or not the column has this view."""
        if kind not in self._read:
            self._read[kind] = self._made(kind)
        return self._read[kind]

    def _made(self, kind: Kind) -> Numbers:
        match kind:
            case "number":
                return _array(next(iter(cells.numbers(plain)), None) for plain in self._written)
            case "second":
                return _array(map(cells.second_number, self._written))
            case "difference":
                return np.abs(self.read("second") - self.read("number"))
            case "year":
                return _array(map(cells.year, self.plains))
            case "date":
                return _array(None if it is None else it.days for it in self.dates)
            case "time":
                return _array(map(seconds, self.plains))
            case "items":
                return np.where(self.empty, np.nan, np.bincount(self.items.lists, minlength=len(self)))

    def share(self, numbers: Numbers) -> float:
        """The share of the values that are not empty for which there is a number."""
        filled = ~self.empty
        count = int(np.count_nonzero(filled))
        return _known(numbers[filled]) / count if count else 0.0

    @cached_property
    def whole_share(self) -> float:
        """The share of the values that are a number and nothing else."""
        return self.share(self.whole)

    @cached_property
    def items(self) -> Items:
        """What the values list."""
        lists_of = [() if empty else cells.items(text) for text, empty in zip(self.texts, self.empty, strict=True)]
        values, things = Values.of(item for items in lists_of for item in items)
        lists = np.repeat(np.arange(len(self)), list(map(len, lists_of)))
        pairs = np.unique(np.stack([things, lists]), axis=1)
        return Items(values, lists=pairs[1], things=pairs[0])

    @cached_property
    def are_lists(self) -> bool:
        """Whether enough values list several things."""
        lists = [cells.items(text) for text, empty in zip(self.texts, self.empty, strict=True) if not empty]
        several = sum(len(items) > 1 for items in lists)
        if not several or several < _LISTS * len(lists):
            return False
        flat = [item for items in lists for item in items]
        if sum(len(item.split()) for item in flat) > _LONG_ITEMS * len(flat):
            return False
        return max(map(len, lists)) > 2 or any("\n" in text or ";" in text for text in self.texts)

    # -- what they have in common --------------------------------------------------------------------------------------

    @cached_property
    def type(self) -> ColumnType:
        """What most values are."""
        kinds = self.kinds
        if "date" in kinds:
            return "date"
        if "time" in kinds:
            return "time"
        if "number" not in kinds:
            return "text"
        if self.whole_share >= _WHOLE:
            return "year" if np.array_equal(self.read("year"), self.read("number"), equal_nan=True) else "number"
        return "mixed" if self.share(self.read("number")) >= _MIXED else "text"

    @cached_property
    def look(self) -> str:
        """What most values look like: names, single words, small numbers, money ..."""
        filled = [text for text, empty in zip(self.texts, self.empty, strict=True) if not empty][:_LOOKED_AT]
        looks = Counter(map(_look, filled))
        return looks.most_common(1)[0][0] if looks else "empty"

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The views that the column has: those that enough values can be read as."""
        kinds = self._numeric_kinds
        return kinds or ("items",) if self.are_lists else kinds

    @cached_property
    def _numeric_kinds(self) -> tuple[Kind, ...]:
        if not any(map(_has_digit, self.plains)) and not any(self.dates):
            return ()
        if self.share(self.read("date")) >= _DATES:
            return ("date", "year") if _known(self.read("year")) >= _YEARS_OF_DATES * len(self) else ("date",)
        if self.share(self.read("time")) >= _TIMES:
            return ("time",)
        number = self.read("number")
        if self.share(number) < _NUMBERS or self._are_codes:
            return ()
        kinds: list[Kind] = ["number"]
        if self.share(self.read("second")) >= _SECONDS:
            kinds += ["second", "difference"]
        years = self.read("year")
        if _known(years) >= _YEARS * len(self) and not np.array_equal(years, number, equal_nan=True):
            kinds.append("year")
        return tuple(kinds)

    @cached_property
    def _are_codes(self) -> bool:
        """Whether the digits of most values with digits belong to a code."""
        with_digits = [plain for plain in self.plains if _has_digit(plain)]
        return sum(map(cells.is_code, with_digits)) > _CODES * len(with_digits)


def _look(text: str) -> str:
    """What a value looks like.

    >>> [_look(text) for text in ["Ann Lee", "Rome", "Oslo, Norway", "7", "1,200", "$5", "12%", "INV-7", "a long way"]]
    ['name', 'word', 'a, b', 'small number', 'large number', 'money', 'percent', 'with digits', 'words']
    """
    if _has_digit(text):
        if any(sign in text for sign in "%$£€¥"):
            return "percent" if "%" in text else "money"
        number = cells.whole_number(cells.plain(text))
        if number is None:
            return "with digits"
        return "small number" if abs(number) <= _SMALL else "medium number" if abs(number) < _LARGE else "large number"
    parts = text.split()
    if ", " in text or "\n" in text:
        return "a, b"
    if text.endswith(")"):
        return "a (b)"
    if len(parts) == 1:
        return "word"
    if len(parts) <= _NAME and all(part[0].isupper() for part in parts):
        return "name"
    return "words" if len(parts) <= _LONG_TEXT else "text"


def _stemmed(plain: str) -> str:
    """The stemmed words of a plain text, with single blanks between; most cells are one word or one number."""
    if plain.isascii() and (plain.isalpha() or plain.isdecimal()):
        return stem(plain)
    return " ".join(stems(plain))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _known(numbers: Numbers) -> int:
    return int(np.count_nonzero(~np.isnan(numbers)))


def _array(numbers: Iterable[float | None]) -> Numbers:
    return np.array([np.nan if number is None else number for number in numbers], np.float64)
