"""A question, word by word: its numbers, the words that ask for rare functions, and what kind of answer it wants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

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
_MOST_WORDS = 62  # of which each has a bit of its own

LIGHT = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "and",
        "or",
        "is",
        "was",
        "were",
        "are",
        "be",
        "been",
        "did",
        "do",
        "does",
        "has",
        "have",
        "had",
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "how",
        "many",
        "much",
        "that",
        "this",
        "those",
        "these",
        "there",
        "it",
        "its",
        "his",
        "her",
        "their",
        "they",
        "he",
        "she",
        "than",
        "more",
        "less",
        "most",
        "least",
        "number",
        "total",
        "as",
        "after",
        "before",
        "not",
        "no",
        "any",
        "all",
        "each",
        "other",
        "only",
        "also",
        "name",
        "list",
        "if",
        "else",
        "same",
        "between",
        "during",
        "first",
        "last",
        "next",
        "previous",
        "listed",
        "table",
        "per",
        "s",
        "one",
        "i",
        "you",
        "me",
        "my",
        "we",
        "will",
        "would",
        "could",
        "can",
        "about",
        "into",
        "up",
        "out",
        "down",
        "over",
        "under",
        "above",
        "below",
        "time",
    ]
)
"""Words that name no cell by themselves."""

TRIGGERS: dict[str, frozenset[str]] = {
    name: frozenset(text.split())
    for name, text in {
        "negation": "not no without never none except besides other excluding neither nor didn't wasn't isn't weren't "
        "only non least any blank empty don't doesn't",
        "other": "same other another also besides else as different tied shared share",
        "than": "than as exceed above below beat over under",
        "place": "before after above below since prior until following previous previously later earlier preceding "
        "precede next follow preceded followed follows immediately directly",
        "difference": "difference more less fewer between apart",
        "different": "different unique distinct various separate",
        "average": "average mean avg",
        "run": "consecutive row straight consecutively streak",
        "month": "month months",
        "few": "top first last bottom highest lowest largest smallest best most final initial next previous "
        "consecutive",
    }.items()
}
"""Words that ask for functions which most questions do without, by what they ask for."""

_SUPERLATIVES = frozenset(
    [
        "most",
        "least",
        "best",
        "worst",
        "top",
        "bottom",
        "first",
        "last",
        "more",
        "less",
        "fewer",
        "highest",
        "final",
        "maximum",
        "minimum",
        "max",
        "min",
        "initial",
        "recent",
        "higher",
        "lower",
        "longer",
        "shorter",
        "older",
        "younger",
        "larger",
        "smaller",
        "bigger",
        "better",
        "earlier",
        "later",
        "greater",
        "faster",
        "taller",
        "worse",
        "begin",
        "start",
        "end",
        "previous",
        "only",
        "original",
        "finally",
        "newer",
    ]
)
_NO_SUPERLATIVES = frozenset(["west", "contest", "interest", "guest", "request", "forest", "test"])
_AUXILIARIES = frozenset(["is", "was", "were", "are", "did", "do", "does", "has", "have", "had", "can", "could"])
_QUESTION_WORDS = frozenset(["what", "which", "who", "when", "where", "whose", "whom", "how", "name", "list"])
_HEADLESS = LIGHT | {"wa"}


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

    def has(self, trigger: str) -> bool:
        """Whether it has one of the words that ask for something rare."""
        return not self.bag.isdisjoint(TRIGGERS[trigger])

    @cached_property
    def numbers(self) -> dict[int, Number]:
        """The numbers by their places; "first" is none."""
        found: dict[int, Number] = {}
        for place, word in enumerate(self.words):
            after = self.words[place + 1] if place + 1 < len(self.words) else ""
            if word[0].isdigit():
                value = float(word.replace(",", "")) * _SCALES.get(after, 1)
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
    def superlatives(self) -> tuple[int, ...]:
        """The places of words such as highest, most and first."""
        return tuple(place for place, word in enumerate(self.words) if _is_superlative(word))

    @property
    def is_yes_no(self) -> bool:
        return bool(self.words) and self.words[0] in _AUXILIARIES

    @cached_property
    def question_place(self) -> int:
        """The place of the question word; that of the word after "how"; the first if there is none."""
        for place, word in enumerate(self.words):
            if word in _QUESTION_WORDS:
                return place + 1 if word == "how" and place + 1 < len(self.words) else place
        return 0

    @cached_property
    def question_word(self) -> str:
        """What, who, how many ...; "yes/no" or "none" if there is no such word."""
        for place, word in enumerate(self.words):
            if word in _QUESTION_WORDS:
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
    return word in _SUPERLATIVES or (word.endswith("est") and len(word) > 4 and word not in _NO_SUPERLATIVES)
