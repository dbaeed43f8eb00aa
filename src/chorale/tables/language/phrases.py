"""Pieces of English that questions over tables are put together from.

Names of columns come from strangers. One that looks like a plural ("Points") is treated as one, any other as a thing of
which a row has one ("a Team"): "have a Team of Paris and Points over 7".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chorale.language.english import NUMBERS, with_article

_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SINGULAR = re.compile(r"(?i).*(ss|us|is|as|series|news|species)|\S|.*[^a-z]s")
_VIEW = re.compile(r"(?s)\[(.*)\] as (\w+)")
_READ_AS = {
    "second": "second number of {}",
    "difference": "difference in {}",
    "year": "year of {}",
    "items": "number of things in {}",
}
_EXTREMES = {"date": ("latest", "earliest"), "time": ("longest", "shortest")}
_COMPARED = {"date": ("later", "earlier"), "time": ("longer", "shorter")}


@dataclass(frozen=True)
class Thing:
    """A column, or what is read from it."""

    name: str
    kind: str = ""
    """Of a view."""

    @staticmethod
    def of(constant: str) -> Thing:
        """The thing that a constant names.

        >>> Thing.of("[Team]").name, Thing.of("[Day] as year").name, Thing.of("[Points] as number")
        ('Team', 'year of Day', Thing(name='Points', kind='number'))
        """
        if match := _VIEW.fullmatch(constant):
            return Thing(_READ_AS.get(match[2], "{}").format(match[1]), match[2])
        return Thing(constant.removeprefix("[").removesuffix("]"))

    @property
    def is_plural(self) -> bool:
        """Whether the name looks like a plural.

        >>> [name for name in ["Points", "Team", "Class", "Status", "Goals scored", "s"] if Thing(name).is_plural]
        ['Points', 'Goals scored']
        """
        word = self.name.split()[0] if self.name.split() else ""
        words = [word, self.name] if not self.kind or self.kind in {"number", "date", "time"} else [word]
        return any(it.lower().endswith("s") and not _SINGULAR.fullmatch(it) for it in words)

    @property
    def indefinite(self) -> str:
        """What a row has: "a Team", "Points"."""
        return self.with_adjective("")

    def with_adjective(self, word: str) -> str:
        """The same with a word in front: "a higher Salary"."""
        text = f"{word} {self.name}".strip()
        return text if self.is_plural or not text else _with_article(text)

    @property
    def definite(self) -> str:
        """As it stands after "the total of": a column by its name alone."""
        return f"the {self.name}" if self.kind in _READ_AS else self.name

    @property
    def verb(self) -> str:
        return "are" if self.is_plural else "is"

    @property
    def again(self) -> str:
        """What stands for it when it was named."""
        return "those" if self.is_plural else "that"

    @property
    def extremes(self) -> tuple[str, str]:
        """Words for the most and the least of it."""
        return _EXTREMES.get(self.kind, ("highest", "lowest"))

    @property
    def compared(self) -> tuple[str, str]:
        """Words for more and less of it."""
        return _COMPARED.get(self.kind, ("higher", "lower"))


@dataclass(frozen=True)
class Selection:
    """Rows, one and many, without an article: "row that has a Team of Paris"."""

    one: str
    many: str
    does: str = ""
    """If nothing else was said of the rows: what they do, "have a Team of Paris"."""
    is_one: bool = False
    """Whether it is one row at most."""
    is_closed: bool = False
    """Whether rows were picked from others, so that what is said next is said of a part of them."""

    @property
    def the(self) -> str:
        """All of them: "all rows", "the rows that have a Team of Paris", "the first row"."""
        if self in (ALL, LINES):
            return f"all {self.many}"
        return f"the {self.one if self.is_one else self.many}"

    def said(self) -> str:
        """By itself, as a step of a program."""
        return self.the

    @property
    def among(self) -> str:
        """What follows a superlative: nothing, or from which it was picked."""
        return "" if self == ALL else f" among {self.the}"

    @property
    def verb(self) -> str:
        return "does" if self.is_one else "do"

    def picked(self, which: str, *, one: bool = True) -> Selection:
        """The first of them, or the first three."""
        if self.is_closed:
            text = f"{which} of {'just ' if self.is_one else ''}{self.the}"
            return Selection(text, text, is_one=one, is_closed=True)
        text = f"{which} {self.one if one else self.many}"
        return Selection(text if one else f"row among the {text}", text, is_one=one, is_closed=True)

    @staticmethod
    def related(how: str, *, other: bool = False, one: bool = False) -> Selection:
        """Rows that stand somewhere or have something."""
        front = "other " if other else ""
        return Selection(f"{front}row {how}", f"{front}rows {how}", is_one=one, is_closed=True)


ALL = Selection("row", "rows")
LINES = Selection("line", "lines")
"""With rows that say what the others add up to."""


def that(has: str, have: str) -> Selection:
    """Rows that do something."""
    return Selection(f"row that {has}", f"rows that {have}", have)


@dataclass(frozen=True)
class Having:
    """What a row has: "a Team of Paris", and how one says that it does not."""

    what: str
    lacking: str = ""
    """What a row has that does not have it, if "does not have" would not do."""

    def said(self) -> str:
        return self.what


def number(constant: str) -> str:
    """A number in words if it is small.

    >>> number("3"), number("12"), number("2.5")
    ('three', '12', '2.5')
    """
    return NUMBERS[int(constant)] if constant.isdecimal() and int(constant) < len(NUMBERS) else constant


def times(constant: str) -> str:
    """
    >>> times("1"), times("2"), times("3")
    ('once', 'twice', 'three times')
    """
    return {"1": "once", "2": "twice"}.get(constant, f"{number(constant)} times")


def ordinal(constant: str) -> str:
    """
    >>> ordinal("3"), ordinal("12"), ordinal("21"), ordinal("0")
    ('third', '12th', '21st', '0th')
    """
    if constant.isdecimal() and 0 < int(constant) < len(_ORDINALS):
        return _ORDINALS[int(constant)]
    teens = constant[-2:-1] == "1"
    return f"{constant}{'th' if teens else {'1': 'st', '2': 'nd', '3': 'rd'}.get(constant[-1:], 'th')}"


def words(constant: str) -> str:
    """The words of a span."""
    return constant.removeprefix("'").removesuffix("'")


def question(text: str) -> str:
    """A sentence with its mark."""
    return f"{text[:1].upper()}{text[1:]}?"


def _with_article(text: str) -> str:
    return with_article(text) if text[0] in "aeiou" or not text[0].isupper() else f"{_article(text)} {text}"


def _article(text: str) -> str:
    """For a name with a capital: "an Age", but "a URL" and "a Unit"."""
    return "an" if text[0] in "AEIO" or re.match(r"(?i)u(?!ni|r|s|t)", text) else "a"
