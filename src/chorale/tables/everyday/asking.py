"""A question while it is drawn: its table, what it calls things, and the pieces of programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from random import Random
from typing import TypeVar

from chorale.tables.dates import MONTHS
from chorale.tables.everyday.kept import Kept, Part
from chorale.tables.everyday.words import ADJECTIVES, WAYS, variants
from chorale.tables.values import number_text
from chorale.tables.words import words

T = TypeVar("T")

Drawn = tuple[str, str]
"""A question and its program."""

ALL = "all_rows"
_CALLED_SO = frozenset({"category", "state", "colour", "job"})  # groups whose values are no names
_STEPS = (1000, 500, 100, 50, 10, 5)


class Asking:
    """A question about a table; all that is chosen is drawn."""

    def __init__(self, kept: Kept, rng: Random) -> None:
        self.kept, self.rng = kept, rng

    # -- what is drawn -------------------------------------------------------------------------------------------------

    def happens(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return self.rng.random() < share

    def some(self, ways: Sequence[T]) -> T:
        """One of several."""
        return self.rng.choice(ways)

    def way(self, kind: str, *names: str) -> str:
        """A way to ask, of some in `ways.toml`."""
        return self.some([it for name in names for it in variants(WAYS[kind][name])])

    def part(self, *kinds: str, having: str = "") -> Part | None:
        """A column of one of these kinds, about which one can ask for something."""
        found = [part for part in self.kept.of(*kinds) if not having or part.said(having)]
        return self.some(found) if found else None

    def group(self, having: str = "") -> tuple[Part, str] | None:
        """A column that sorts things, and one of its values."""
        part = self.part("groups", having=having)
        return None if part is None else (part, self.some(part.cells))

    def month(self) -> tuple[str, list[str]]:
        """In May, and the condition; nothing if the table has no such dates."""
        part = self.part("days")
        if part is None or part.role == "born":
            return "", []
        day = self.some(part.days)
        month, year = MONTHS[day.month - 1].capitalize(), self.happens(0.15)
        said = f" in {month} {day.year}" if year else f" in {month}"
        return said, [f'on_date({part.view}, "{day.year if year else "xx"}-{day.month:02}-xx")']

    @cached_property
    def _single(self) -> list[int]:
        """The rows whose thing stands in no other."""
        cells = self.kept.subject.cells
        return [row for row, cell in enumerate(cells) if cells.count(cell) == 1]

    def row(self) -> int:
        """The place of a row."""
        return self.some(self._single)

    def two_rows(self) -> tuple[int, int]:
        """The places of two rows."""
        one, other = self.rng.sample(self._single, 2)
        return one, other

    def repeated(self) -> int | None:
        """The place of a row whose thing stands in others, too."""
        found = [row for row in range(len(self.kept.subject.cells)) if row not in self._single]
        return self.some(found) if found else None

    def limit(self, part: Part) -> float:
        """A round number within those of a column."""
        ordered = sorted(part.numbers)
        number = ordered[self.rng.randrange(len(ordered) // 4, max(1, 3 * len(ordered) // 4) + 1)]
        step = next((step for step in _STEPS if number >= 4 * step), 1)
        return float(round(number / step) * step)

    # -- what things are called ----------------------------------------------------------------------------------------

    def noun(self, part: Part) -> str:
        """What a column is called in a question."""
        header = re.sub(r"\(.*?\)", "", part.header).strip(" ?").lower()
        nouns = part.said("nouns") or part.said("noun")
        return self.some(nouns) if nouns and self.happens(0.5) else header

    def named(self, row: int) -> str:
        """How a question calls what a row is about."""
        subject = self.kept.subject
        if subject.days:
            return self.day(subject.days[row], with_year=self.happens(0.3))
        name = subject.cells[row]
        if self.kept.article:
            name = name if self.happens(0.2) else name.lower()
            return f"the {name}" if self.happens(0.8) else name
        return name if self.happens(0.8) else name.lower()

    def day(self, day: date, *, with_year: bool) -> str:
        """How a question calls a day."""
        month = MONTHS[day.month - 1].capitalize()
        said = f"{day.day} {month}" if self.happens(0.5) else f"{month} {day.day}"
        return f"{said} {day.year}" if with_year else said

    def value(self, part: Part, value: str) -> str:
        """How a question calls a value of a group."""
        is_as_written = self.happens(0.4 if part.role in _CALLED_SO else 0.85)
        return value if is_as_written else value.lower()

    def among(self, part: Part, value: str, *, one: bool = False) -> str:
        """Things with a value: pots from France."""
        said = self.called(part, value)
        return self.filled(self.some(part.said("among")), **said | ({"things": self.kept.thing} if one else {}))

    def called(self, part: Part, value: str) -> dict[str, str]:
        """A value and its adjective, for ways to ask."""
        adjective = ADJECTIVES[value].capitalize() if part.role == "country" else value
        return {"v": self.value(part, value), "adjective": adjective}

    # -- sentences -----------------------------------------------------------------------------------------------------

    def filled(self, way: str, **given: str) -> str:
        """A way to ask with its words."""
        called = {
            "thing": self.kept.thing,
            "things": self.kept.things,
            "one": self.kept.thing,
            "among": self.kept.things,
        }
        return way.format(**called | given)

    def written(self, sentence: str) -> str:
        """A sentence as somebody types it."""
        sentence = " ".join(sentence.replace(" 's", "'s").split())
        if self.happens(0.5):
            sentence = sentence[0].upper() + sentence[1:]
        return sentence + ("?" if self.happens(0.6) else "")

    # -- programs ------------------------------------------------------------------------------------------------------

    def is_row(self, row: int, said: str) -> str:
        """The condition that only this row fulfils, as it is called."""
        subject = self.kept.subject
        if not subject.days:
            return equals(subject, subject.cells[row])
        day = subject.days[row]
        year = day.year if str(day.year) in said else "xx"
        return f'on_date({subject.view}, "{year}-{day.month:02}-{day.day:02}")'

    def things_with(self, rows: str) -> str:
        """The program that names the things in some rows."""
        return look_up(self.kept.subject, rows)


def equals(part: Part, value: str) -> str:
    """The condition that a cell has a value."""
    return f"equals({part.name}, \"'{' '.join(words(value))}'\")"


def compares(part: Part, number: float, *, over: bool) -> str:
    """The condition that a number is larger, or smaller."""
    return f"{'over' if over else 'under'}({part.view}, {number_text(number)})"


def where(*conditions: str) -> str:
    """The rows that fulfil conditions; all if there are none."""
    names = {1: "rows_where", 2: "rows_where_both", 3: "rows_where_all_three"}
    return f"{names[len(conditions)]}({', '.join(conditions)})" if conditions else ALL


def look_up(part: Part, rows: str) -> str:
    """The program that says what stands in some rows."""
    return f"look_up(cells({part.name}, {rows}))"


def best(part: Part, *, most: bool, rows: str = ALL) -> str:
    """The rows with the largest number or date, or the smallest."""
    return f"{'most' if most else 'least'}({part.view}, {rows})"
