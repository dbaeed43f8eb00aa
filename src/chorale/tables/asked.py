"""A question, word by word: its numbers, the words that ask for rare functions, and what kind of answer it wants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

from chorale.tables.dates import MONTH_NAMES, Date, date
from chorale.tables.english import AUXILIARIES, LIGHT, NO_SUPERLATIVES, QUESTION_WORDS, SUPERLATIVES, TRIGGERS
from chorale.tables.values import NUMBER_WORDS, plain
from chorale.tables.words import stem, words

ORDINALS = {
    word: number
    for number, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"], 1
    )
}
_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_MOST_WORDS = 62  # of which each has a bit of its own

_HEADLESS = LIGHT | {stem(word) for word in LIGHT}


@dataclass(frozen=True)
class Number:
    """A number that a question names."""

    value: float
    place: int
    is_digits: bool
    is_ordinal: bool


class Asked:
    """What a question says, as its words tell without any table."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        self.words = words(sentence)[:_MOST_WORDS]
        self.stems = [stem(word) for word in self.words]
        self.bag = frozenset(self.words)

    def is_light(self, place: int) -> bool:
        """Whether the word there names no cell by itself; one in capitals may: IT, US."""
        return self.words[place] in LIGHT and self.words[place] not in self._capitals

    @cached_property
    def _capitals(self) -> frozenset[str]:
        """The words that are written in capitals, if not all are."""
        return frozenset() if self.sentence.isupper() else frozenset(map(str.lower, _CAPITALS.findall(self.sentence)))

    def has(self, trigger: str) -> bool:
        """Whether it has one of the words that ask for something rare."""
        return not self.bag.isdisjoint(TRIGGERS[trigger])

    @cached_property
    def numbers(self) -> dict[int, Number]:
        """The numbers by their places; "first" is none."""
        found: dict[int, Number] = {}
        for place, word in enumerate(self.words):
            after = self.words[place + 1] if place + 1 < len(self.words) else ""
            if word[0].isdecimal():
                value = float(word.replace(",", "")) * _SCALES.get(after, 1)
                if isfinite(value):
                    found[place] = Number(value, place, True, after in _ENDINGS)
            elif word in NUMBER_WORDS and word != "zero":
                found[place] = Number(float(NUMBER_WORDS[word]), place, False, False)
            elif word in ORDINALS and word != "first":
                found[place] = Number(float(ORDINALS[word]), place, False, True)
        return found

    @cached_property
    def decades(self) -> dict[int, int]:
        """The decades by their places: the 1990s."""
        text = plain(self.sentence)
        return {
            place: int(number.value)
            for place, number in self.numbers.items()
            if number.is_digits
            and 1000 < number.value < 2100
            and number.value % 10 == 0
            and re.search(rf"\b{int(number.value)}'?s\b", text)
        }

    @cached_property
    def moments(self) -> dict[tuple[int, int], Date]:
        """The dates that it names, by their first place and the one after the last: May, May 1998, 3rd of May 1998."""
        found: dict[tuple[int, int], Date] = {}
        for place, word in enumerate(self.words):
            if word in MONTH_NAMES and self._is_month(place):
                start, end = self._moment(place)
                if (moment := date(" ".join(self.words[start:end]))) is not None:
                    found[start, end] = moment
        return found

    def _is_month(self, place: int) -> bool:
        """Whether a word is a month; "may" and "mar" may be others."""
        if len(self.words[place]) > 3:
            return True
        before = self.words[place - 1] if place else ""
        day = place - 2 if before in _ENDINGS else place - 1
        near = [it for it in (day, place + 1, place + 2) if it in self.numbers and self.numbers[it].is_digits]
        return bool(near) or before in {"in", "of", "during", "since", "until"}

    def _moment(self, place: int) -> tuple[int, int]:
        """Where the date around a month begins and ends."""
        start = place
        if self._is_day(place - 1):
            start = place - 1
        elif place >= 2 and self.words[place - 1] in _ENDINGS | {"of"} and self._is_day(place - 2):
            start = place - 2
        elif place >= 3 and self.words[place - 1] == "of" and self._is_day(place - 3):
            start = place - 3
        end = place + 1
        while end < min(len(self.words), place + 4) and (
            (end in self.numbers and self.numbers[end].is_digits) or self.words[end] in _ENDINGS
        ):
            end += 1
        return start, end

    def _is_day(self, place: int) -> bool:
        return place in self.numbers and self.numbers[place].is_digits and 1 <= self.numbers[place].value <= 31

    @cached_property
    def superlatives(self) -> tuple[int, ...]:
        """The places of words such as highest, most and first."""
        return tuple(place for place, word in enumerate(self.words) if _is_superlative(word))

    @cached_property
    def letters(self) -> tuple[int, ...]:
        """The places of single letters that something may begin with: the letter b, starts with a p."""
        if not self.has("letter"):
            return ()
        last = len(self.words) - 1
        return tuple(
            place
            for place, word in enumerate(self.words)
            if len(word) == 1 and word.isalpha() and (word != "a" or place == last or self.words[place - 1] == "letter")
        )

    @property
    def is_yes_no(self) -> bool:
        return bool(self.words) and self.words[0] in AUXILIARIES

    @cached_property
    def question_place(self) -> int:
        """The place of the question word; that of the word after "how"; the first if there is none."""
        for place, word in enumerate(self.words):
            if word in QUESTION_WORDS:
                return place + 1 if word == "how" and place + 1 < len(self.words) else place
        return 0

    @cached_property
    def question_word(self) -> str:
        """What, who, how many ...; "yes/no" or "none" if there is no such word."""
        for place, word in enumerate(self.words):
            if word in QUESTION_WORDS:
                return f"how {self.words[place + 1]}" if word == "how" and place + 1 < len(self.words) else word
        return "yes/no" if self.is_yes_no else "none"

    @cached_property
    def head(self) -> str:
        """The stem of the first word after the question word that says something: what is asked for."""
        return next((it for it in self.stems[self.question_place + 1 :] if it not in _HEADLESS), "")

    @property
    def is_how(self) -> bool:
        return self.question_word.startswith("how")

    @property
    def is_how_many(self) -> bool:
        return self.question_word in {"how many", "how much"} or not self.bag.isdisjoint({"number", "total"})


def _is_superlative(word: str) -> bool:
    return word in SUPERLATIVES or (word.endswith("est") and len(word) > 4 and word not in NO_SUPERLATIVES)
