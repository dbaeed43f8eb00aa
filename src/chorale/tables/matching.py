"""Answers over tables, and when they are right: the official comparison of WikiTableQuestions.

An answer is a tuple of values: texts, numbers, dates. Duplicates aside, it is right if it has as many values as are
wanted, and each wanted value is matched by one of them:

    by the normal form of its text,
    or if both are numbers, within a millionth,
    or if both are dates, by year, month and day.

What is said is a number only if it reads as one ("1200", not "1,200"), and a date only if it is written as one
("1998-05-xx"). What is wanted is read as people write it: "1,200", "$5 million", "12th", "May 3, 1998". So this is no
equivalence: "1200" is a right answer where "1,200" is wanted, but not the other way round.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

from chorale.domain.answers import BETWEEN, Answers
from chorale.domain.utterance import Answer
from chorale.errors import ChoraleError
from chorale.tables.dates import Date, date, written_date
from chorale.tables.values import CLOSE, amount, normal, number_text, plain

Value = str | int | float | Date
"""A value of an answer. A text that reads as a number or as a date is that number or date, see `value_of`."""

LUCK = 0.02
"""How likely a wrong program gives a right answer: of some 460 meanings of a question, ten do, and one is meant."""
_YES_NO = frozenset({"yes", "no"})
_REMEMBERED = 100_000  # values
_DATE_WORDS = 4  # at most: a sentence with a month in it is not a date
_ESCAPED = {"\\": "\\\\", "\n": "\\n", BETWEEN: "\\p"}
_UNESCAPED = {escaped: plain_text for plain_text, escaped in _ESCAPED.items()}
_ESCAPE = re.compile(r"\\[\\np]")


class TableAnswers(Answers):
    """Tuples of values, compared as WikiTableQuestions does."""

    example = "7, Paris or Paris|Rome"

    def agrees(self, said: Answer, wanted: Answer) -> bool:
        if said is None or wanted is None:
            return False
        predictions = _distinct(map(_said, _values(said)))
        targets = wanted_values(wanted)
        return len(predictions) == len(targets) and all(
            any(target.matches(one) for one in predictions) for target in targets
        )

    def key(self, answer: Answer) -> frozenset[Value]:
        """What two answers have in common if they say the same, in whatever order and spelling."""
        return frozenset(one.key for one in map(_said, _values(answer)))

    def chance(self, wanted: Answer) -> float:
        """Half for yes and no; else few programs of a question give the same answer by luck."""
        said = _values(wanted)
        return 0.5 if len(said) == 1 and said[0] in _YES_NO else LUCK

    def text(self, answer: Answer | None) -> str:
        """The values with | between them; bars, line breaks and backslashes as \\p, \\n and \\\\.

        >>> TableAnswers().text((1200.0, "a|b", Date(1998, 5)))
        '1200|a\\\\pb|1998-05-xx'
        """
        return "" if answer is None else BETWEEN.join(escaped(value_text(value)) for value in _values(answer))

    def shown(self, answer: Answer | None) -> str:
        """The values with commas between; what computing with fractions adds to a number is left out.

        >>> TableAnswers().shown((0.1 + 0.2,)), TableAnswers().shown(("Rome", "a|b", Date(1998, 5)))
        ('0.3', 'Rome, a|b, May 1998')
        """
        texts = [] if answer is None else list(map(_shown, _values(answer)))
        return ("; " if any("," in text for text in texts) else ", ").join(texts)

    def values_of(self, text: str) -> list[str]:
        r"""
        >>> TableAnswers().values_of(r"1200|a\pb")
        ['1200', 'a|b']
        """
        return [unescaped(part) for part in super().values_of(text)]

    def from_text(self, text: str) -> Answer:
        """
        >>> TableAnswers().from_text("1200|a\\\\pb|1,200|1998-05-xx")
        (1200, 'a|b', '1,200', Date(year=1998, month=5, day=None))
        """
        return tuple(map(value_of, self.values_of(text)))

    def to_json(self, answer: Answer | None) -> Any:
        """A list of texts and numbers; dates are texts, and whole numbers are whole.

        >>> TableAnswers().to_json((7.0, 2.5, "Rome", Date(1998, 5)))
        [7, 2.5, 'Rome', '1998-05-xx']
        """
        return None if answer is None else list(map(_as_json, _values(answer)))

    def from_json(self, value: Any) -> Answer:
        """The answer in a list of texts and numbers, or a single one of them.

        >>> TableAnswers().from_json(["Paris", 7, "1998-05-03"]), TableAnswers().from_json(True)
        (('Paris', 7, Date(year=1998, month=5, day=3)), ('yes',))
        """
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(part, str) or (isinstance(part, int | float) and isfinite(part)) for part in parts):
            raise ChoraleError(f"expected an answer such as {self.example}; found {json.dumps(value):.60}")
        return tuple(map(_from_json, parts))


def _as_json(value: Value) -> str | float:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return str(value) if isinstance(value, Date) else value


def _shown(value: Value) -> str:
    match value:
        case Date():
            return value.spelled
        case float():
            return number_text(float(f"{value:.12g}"))
    return str(value)


# -- values ------------------------------------------------------------------------------------------------------------


def value_of(text: str) -> Value:
    """A text as a value of an answer: a number or a date if that is how the text would be written, else the text.

    >>> value_of("7"), value_of("0.25"), value_of("007"), value_of("1,200"), value_of("1998-05-xx")
    (7, 0.25, '007', '1,200', Date(year=1998, month=5, day=None))
    """
    if (number := _as_number(text)) is not None and value_text(number) == text:
        return number
    if (moment := written_date(text)) is not None and str(moment) == text:
        return moment
    return text


def value_text(value: Value) -> str:
    """A value as text."""
    return number_text(value) if isinstance(value, int | float) else str(value)


def escaped(text: str) -> str:
    """A text as files of questions have it."""
    return "".join(_ESCAPED.get(letter, letter) for letter in text)


def unescaped(text: str) -> str:
    """A text that files of questions have escaped.

    >>> unescaped(r"a\\pb\\\\c"), unescaped(r"C:\\temp")
    ('a|b\\\\c', 'C:\\\\temp')
    """
    return _ESCAPE.sub(lambda match: _UNESCAPED[match[0]], text) if "\\" in text else text


def _values(answer: Answer) -> tuple[Any, ...]:
    """The values of an answer; a single value may stand for itself."""
    return tuple(answer) if isinstance(answer, tuple | frozenset) else (answer,)


def _from_json(value: str | float) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value_of(value) if isinstance(value, str) else value


def _as_number(text: str) -> int | float | None:
    """The number that a text reads as, whole numbers as such."""
    if "_" in text:  # Python would take it
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    if not isfinite(number):  # Nan may be somebody's name
        return None
    return int(number) if number.is_integer() else number


# -- comparison --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compared:
    """A value as it is compared."""

    normal: str
    number: float | None = None
    date: Date | None = None

    @property
    def key(self) -> Value:
        """Values with the same key are duplicates."""
        return round(self.number, 6) if self.number is not None else self.date or self.normal

    def matches(self, said: Compared) -> bool:
        """Whether something that was said is this."""
        if self.normal == said.normal:
            return True
        if self.number is not None and said.number is not None:
            return abs(self.number - said.number) < CLOSE
        return self.date is not None and self.date == said.date


@lru_cache(_REMEMBERED)
def _said(value: Value) -> Compared:
    """A value that a program gave: what it reads as, and nothing more."""
    text = value_text(value)
    number, moment = _as_number(text), written_date(text)
    if moment is not None and moment.month is None and moment.day is None:
        return Compared(normal(text), None if moment.year is None else float(moment.year))
    return Compared(normal(text), number, moment)


@lru_cache(_REMEMBERED)
def _wanted(value: Value) -> Compared:
    """A value that somebody wrote down as right: a number or a date as people write them."""
    said = _said(value)
    if said.number is not None or said.date is not None:
        return said
    spelled = plain(value_text(value))
    number = amount(spelled)
    if number is None and len(spelled.split()) <= _DATE_WORDS:
        return Compared(said.normal, date=date(spelled))
    return Compared(said.normal, number)


def said_value(value: Value) -> Compared:
    """A value that a program gave, as it is compared."""
    return _said(value)


def wanted_values(wanted: Answer) -> list[Compared]:
    """The different values of a right answer."""
    return _distinct(map(_wanted, _values(wanted)))


def _distinct(values: Iterable[Compared]) -> list[Compared]:
    """Of values with the same key, the first."""
    by_key: dict[Value, Compared] = {}
    for value in values:
        by_key.setdefault(value.key, value)
    return list(by_key.values())
