"""Linking: what the words of a question name in a table, its cells and its columns.

A *span* is a stretch of words that some cell has, the longest there is in each column. A word that no cell has may
begin like one ("Germans", "Germany"). Numbers and decades are compared with whatever can be read as a number. Names of
columns are matched word by word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from chorale.tables.asked import Asked
from chorale.tables.columns import Values
from chorale.tables.english import PLACES, families_of
from chorale.tables.table import Column, Table
from chorale.tables.values import EMPTY
from chorale.tables.words import stems, words

_LONGEST = 10  # words of a span
_LONG = 5  # letters of a word that may begin like another
_ALIKE = 4  # letters in common, if a word is like one of a column's name
_WORDLESS = frozenset({"number", "year", "time"})
_NAMELESS = frozenset({"of", "the", "in", "by", "a"})
_YES = {"yes": "no", "y": "n", "true": "false"}
"""How columns say that something is so, and that it is not;"""
_UN = ("un", "in", "non")
_FLAGS = 4  # values of such a column, empty ones included
MOST_SPANS = 24


@dataclass(frozen=True)
class Span:
    """Some words of a question, one after the other."""

    start: int
    end: int
    words: str
    stems: str
    is_stub: bool = False
    """Whether cells only begin like it."""

    @property
    def bits(self) -> int:
        return (1 << self.end) - (1 << self.start)


@dataclass(frozen=True)
class Naming:
    """How far a question says the name of a column."""

    level: int
    """3 if it says all words of it, 2 if it says some, 1 if it has words alike."""
    place: int
    """Where the first of them stands, or -1."""
    share: float
    """The share of the words of the name that are said."""


class Linking:
    """What a question names in a table."""

    def __init__(self, asked: Asked, table: Table) -> None:
        self.asked, self.table = asked, table
        self.own = table.columns[: table.width]

    def within(self, sample: Table) -> Linking:
        """The same on some rows of the table; words that are linked in the whole are linked."""
        found = Linking(self.asked, sample)
        found.spans, found.namings = self.spans, self.namings
        return found

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The spans that some cell has, then words that some cell begins like; each stretch of words once."""
        found: dict[str, Span] = {}
        for column in self.columns_of_words:
            for start, end in self._spans_in(column.values):
                span = self._span(start, end)
                found.setdefault(span.stems, span)
        linked = {place for span in found.values() for place in range(span.start, span.end)}
        for span in (*self._places(linked), *self._flags()):
            found.setdefault(span.stems, span)
            linked.add(span.start)
        for place, word in enumerate(self.asked.stems):
            is_word = len(word) >= _LONG and word.isalpha() and not self.asked.is_light(place)
            if is_word and place not in linked and any(self._begins(word)):
                found.setdefault(word, self._span(place, place + 1, is_stub=True))
        return tuple(sorted(found.values(), key=lambda it: (it.is_stub, it.start - it.end, it.start)))[:MOST_SPANS]

    @cached_property
    def columns_of_words(self) -> tuple[Column, ...]:
        """The columns in which words are looked for: those of the table, and months."""
        return tuple(column for column in self.table.columns if not column.is_virtual or column.part == "month")

    def _span(self, start: int, end: int, is_stub: bool = False) -> Span:
        said, stemmed = (" ".join(it[start:end]) for it in (self.asked.words, self.asked.stems))
        return Span(start, end, said, stemmed, is_stub)

    def _places(self, linked: set[int]) -> Iterator[Span]:
        """The places of adjectives: Germany for German."""
        for place, word in enumerate(self.asked.words):
            names = PLACES.get(word) or PLACES.get(word.removesuffix("s"), ())  # Germans
            for name in names if place not in linked else ():
                stemmed = " ".join(stems(name))
                if any(stemmed in column.values.whole_stems for column in self.columns_of_words):
                    yield Span(place, place + 1, " ".join(words(name)), stemmed)

    def _flags(self) -> Iterator[Span]:
        """Yes or no, for the name of a column that says nothing else: paid, unpaid."""
        for column in self.own:
            said = set(column.values.keys) if len(column.values) <= _FLAGS else set[str]()
            for yes, no in _YES.items():
                if said & {yes, no} and said - EMPTY <= {yes, no}:
                    yield from self._flag(set(stems(column.header)) - _NAMELESS, yes, no)

    def _flag(self, name: set[str], yes: str, no: str) -> Iterator[Span]:
        for place, word in enumerate(self.asked.stems):
            if word in name:
                yield Span(place, place + 1, yes, yes)
            elif any(word == f"{un}{it}" for un in _UN for it in name):
                yield Span(place, place + 1, no, no)

    def _spans_in(self, values: Values) -> Iterator[tuple[int, int]]:
        """The longest spans that values of a column have, without light words at their ends unless all is a value."""
        found = [(start, end) for start in range(len(self.asked.words)) if (end := self._end(values, start)) > start]
        for start, end in found:
            if any(a <= start and end <= b and (a, b) != (start, end) for a, b in found):
                continue
            if (stemmed := " ".join(self.asked.stems[start:end])) in values.whole_stems:
                if end - start > 1 or not self.asked.is_light(start):
                    yield start, end
                continue
            first, last = start, end
            while first < last and self.asked.is_light(first):
                first += 1
            while last > first and self.asked.is_light(last - 1):
                last -= 1
            if first < last and stemmed:
                yield first, last

    def _end(self, values: Values, start: int) -> int:
        """Where the longest span that begins here ends; where it begins if no value has its first word."""
        stemmed, index = self.asked.stems, values.index
        if stemmed[start] not in index:
            return start
        end, among, text = start + 1, index[stemmed[start]], stemmed[start]
        while end < len(stemmed) and end - start < _LONGEST and stemmed[end] in index:
            text = f"{text} {stemmed[end]}"
            among = [it for it in among if f" {text} " in f" {values.stems[it]} "]
            if not among:
                break
            end += 1
        return end

    def _begins(self, word: str) -> Iterator[Column]:
        for column in self.own:
            if column.type not in _WORDLESS and word[:_LONG] in column.values.beginnings:
                yield column

    # -- names of columns ----------------------------------------------------------------------------------------------

    @cached_property
    def namings(self) -> tuple[Naming, ...]:
        """How far the name of each column is said."""
        said, beginnings = set(self.asked.stems), {it[:_ALIKE] for it in self.asked.stems if len(it) >= _ALIKE}
        related = families_of(self.asked.words)
        return tuple(self._naming(column, said, beginnings, related) for column in self.table.columns)

    def _naming(self, column: Column, said: set[str], beginnings: set[str], related: frozenset[str]) -> Naming:
        name = stems(column.header)
        hits = [it for it in name if it in said]
        share = len(hits) / max(1, len(name))
        heavy = [it for it in hits if it not in _NAMELESS]
        place = min((self.asked.stems.index(it) for it in heavy), default=-1)
        if name and len(hits) == len(name) and heavy:
            return Naming(3, place, share)
        if heavy:
            return Naming(2, place, share)
        is_alike = any(len(it) >= _ALIKE and it[:_ALIKE] in beginnings for it in name)
        return Naming(1 if is_alike or related & families_of(words(column.header)) else 0, -1, share)
