"""Parts: the programs that a search found for a question, as lists of things that templates look at (`features`).

Most parts belong to entries of the search (`entries`). The others look at a whole program: its skeleton, what it leaves
unsaid, what its answer is, and how its columns hang together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.language import Basic
from chorale.search.stages import Stages
from chorale.tables import features
from chorale.tables.costs import TableCosts
from chorale.tables.english import PASSED
from chorale.tables.entries import BASE, BEST, COLUMN, CONDITIONS, FRAME, SHAPE, TOP, USED, Entries, Ints, PartNumbers
from chorale.tables.language import TableLanguage
from chorale.tables.language.types import CELLS, CONTRAST, DATE, NUMBER, TIME, TRUTH
from chorale.tables.sentence import Sentence

_ANSWER = Basic("Answer")


class Parts:
    """The parts of all programs that were found for a question."""

    def __init__(self, stages: Stages, costs: TableCosts, language: TableLanguage) -> None:
        self.stages, self.costs, self.language = stages, costs, language
        self.sentence = Sentence(costs.linking)
        self._entries = Entries(stages, self.sentence)
        self._text = self._entries.texts
        self.rows = self._whole()
        """The parts of each program that was found, cheapest first, (program, part)."""

    @property
    def made(self) -> list[Any]:
        """All parts by their numbers; the first is none."""
        return self._entries.made

    def _whole(self) -> PartNumbers:
        found = self.stages.whole_programs
        if not len(found):
            return np.zeros((0, 1), np.int32)
        known, below = self._entries.known[_ANSWER][:, found.rows], self._entries.parts[_ANSWER][found.rows]
        names = self._names[found.rows]
        last = [
            self._skeleton_parts(known, names),
            self._unsaid(known, found.says, names),
            self._said(found.values, names),
            self._joint(known, names),
        ]
        parts = np.concatenate([below, *(it[:, None] for it in last)], axis=1)
        return parts[:, parts.any(axis=0)]

    @property
    def _names(self) -> Ints:
        """The function of each answer, as its number."""
        sources = self.stages.pools[_ANSWER].sources
        numbers = self._entries.numbers.of(source.name for source, _ in sources)
        return np.repeat(np.array(numbers, np.int64), [count for _, count in sources])

    def _numbered(self, columns: Sequence[NDArray[Any]], make: Callable[..., Any]) -> PartNumbers:
        """A part for each different row of some columns of numbers; `make` gets one row."""
        rows = np.empty((len(columns[0]), len(columns)), np.int64)
        for place, column in enumerate(columns):
            rows[:, place] = column
        mixed = (rows * _FACTORS[: len(columns)]).sum(axis=1)
        _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
        numbers = [self._entries.put(make(*row)) for row in rows[first].tolist()]
        return np.array(numbers, np.int32)[inverse]

    def _skeleton_parts(self, known: Ints, names: Ints) -> PartNumbers:
        s, text = self.sentence, self._text

        def make(root: int, shape: int, frame: int) -> features.Skeleton:
            return features.Skeleton(
                text[root], text[shape], text[frame], s.question, s.head_is, s.first_two, s.bag, s.pairs, s.triples
            )

        return self._numbered([names, known[SHAPE], known[FRAME]], make)

    def _unsaid(self, known: Ints, says: Ints, names: Ints) -> PartNumbers:
        s, text = self.sentence, self._text
        wanted, digits = self.costs.wanted, sum(1 << it.place for it in s.asked.numbers.values() if it.is_digits)
        used, inverse = np.unique(known[USED], return_inverse=True)
        named, open_ = np.array([self._unused(it) for it in used.tolist()], np.int64).T[:, inverse]
        left = open_ & ~says
        columns = [
            np.bitwise_count(wanted & ~says),
            np.bitwise_count(digits & ~says),
            named,
            np.bitwise_count(left & s.bits_of_any_name),
            np.bitwise_count(left & s.linked),
            names,
        ]
        total = wanted.bit_count()

        def make(unsaid: int, numbers: int, named: int, words: int, linked: int, root: int) -> features.Unsaid:
            function = text[root] if text[root] in {"count", "look_up"} else "other"
            nothing = f"{'nothing' if unsaid == total else 'some'} of {'some' if total else 'none'}"
            return features.Unsaid(
                str(min(unsaid, 4)), str(min(numbers, 3)), str(min(total, 6)), nothing, function, str(min(named, 3)),
                s.question, str(min(words, 4)), str(min(linked, 4)),
            )  # fmt: skip

        return self._numbered(columns, make)

    def _unused(self, used: int) -> tuple[int, int]:
        """How many names of columns are said whose columns are not used; the words of no name of those, one a bit."""
        s = self.sentence
        own = [it for it in range(s.table.width) if used >> min(it, 62) & 1]
        first = {s.names[it][0] for it in own if s.names[it]}
        said = {s.names[it][0] for it in range(s.table.width) if s.levels[it] == 3 and s.names[it]} - first
        open_ = self._heavy
        for it in own:
            open_ &= ~s.bits_of_name[it]
        return len(said), open_

    @cached_property
    def _heavy(self) -> int:
        """The words that are worth saying, one a bit."""
        return sum(1 << place for place, word in enumerate(self.sentence.asked.words) if word not in PASSED)

    def _said(self, values: Any, names: Ints) -> PartNumbers:
        s, text = self.sentence, self._text
        size, in_question, empty = self._cells_said(values)
        number = values["number"][:, 0]
        asked = np.array([it.value for it in s.asked.numbers.values()])
        bucket, whole = _number_buckets(number), np.floor(number) == number
        is_number = values["tag"] == NUMBER
        numbers = [
            np.where(is_number, bucket, -1),
            is_number & whole,
            is_number & (number == len(s.table)),
            is_number & (number[:, None] == asked).any(axis=1),
        ]
        types = [*(column.type for column in s.table.columns), *["item"] * len(self.language.listing)]
        columns = [
            names,
            values["tag"],
            np.where(values["tag"] == CELLS, values["column"], -1),
            size,
            in_question,
            empty,
        ]

        def make(
            root: int,
            tag: int,
            column: int,
            size: int,
            within: int,
            empty: int,
            value: int,
            whole: int,
            rows: int,
            said: int,
        ) -> features.Said:
            kind = types[column] if tag == CELLS else _TAGS.get(tag, "groups")
            if tag == NUMBER and text[root] in {"count", "count_different", "difference_in_count", "longest_run"}:
                kind = "count"
            return features.Said(
                text[root], kind, str(size), s.question, s.head, str(within), "or" if "or" in s.asked.bag else "no or",
                "empty" if empty else "filled", "many" if s.is_plural else "one", "several" if size > 1 else "one",
                _BUCKETS[value] if value >= 0 else "", "whole" if whole else "broken", "all rows" if rows else "some",
                "said" if said else "unsaid",
            )  # fmt: skip

        return self._numbered([*columns, *numbers], make)

    def _cells_said(self, values: Any) -> tuple[Ints, Ints, Ints]:
        """How many cells an answer has, in steps; how many of one or two the question names; whether one is empty."""
        is_cells = values["tag"] == CELLS
        size = np.where(is_cells, np.bitwise_count(values["values"][:, 0]).sum(axis=-1, dtype=np.int64), 1)
        width = self.language.most_values
        tables = self.language.values
        flags = np.zeros((2, len(tables), width), bool)  # (named or empty, column, value)
        for index, own in enumerate(tables):
            flags[0, index, : len(own)], flags[1, index, : len(own)] = self.sentence.in_question(own), own.empty
        few = np.flatnonzero(is_cells & (size <= 2))
        said = np.unpackbits(values["values"][few, 0], axis=-1, count=width).astype(bool)
        counts = (flags[:, values["column"][few]] & said).sum(axis=-1)  # (named or empty, program)
        named, empty = np.zeros(len(values), np.int64), np.zeros(len(values), np.int64)
        named[few], empty[few] = counts[0], counts[1] > 0
        steps = np.where(size < 3, size, np.where(size < 6, 3, np.where(size < 11, 6, 11)))
        return steps, named, empty

    def _joint(self, known: Ints, names: Ints) -> PartNumbers:
        s, text = self.sentence, self._text
        levels = np.array([*s.levels, -1], np.int64)  # the last is for no column
        bits = np.append(self._entries.column_bits, 0)
        column, best, conditions = known[COLUMN], known[BEST], known[CONDITIONS]
        columns = [
            names, known[FRAME], known[BASE], known[TOP],
            (bits[column] & conditions) != 0, (bits[best] & bits[column]) != 0, (bits[best] & conditions) != 0,
            levels[column], levels[best],
        ]  # fmt: skip

        def make(
            root: int, frame: int, base: int, top: int, same: int, superlative: int, within: int, one: int, two: int
        ) -> features.Joint:
            return features.Joint(
                text[root], s.question, text[frame], text[base], text[top], "same" if same else "other",
                "same" if superlative else "other", "in" if within else "out", f"{one} {two}",
            )  # fmt: skip

        return self._numbered(columns, make)


_TAGS = {NUMBER: "number", TRUTH: "truth", DATE: "date", TIME: "time", CONTRAST: "contrast"}
_FACTORS = np.random.default_rng(0).integers(-(2**62), 2**62, size=16) * 2 + 1
_BUCKETS = ("zero", "negative", "one", "small", "medium", "year", "large")


def _number_buckets(number: NDArray[np.float64]) -> Ints:
    conditions = [number == 0, number < 0, number == 1, number <= 12, number < 100, (number >= 1900) & (number <= 2030)]
    return np.select(conditions, list(range(6)), 6)
