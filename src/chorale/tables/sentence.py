"""A question and its table as texts: what the fields of features are made of (`features`).

Everything here depends on the question and the table alone, not on a program; each is made once.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from chorale.tables.asked import Asked
from chorale.tables.columns import Values
from chorale.tables.english import FUNCTION_WORDS, families_of
from chorale.tables.linking import Linking, Span
from chorale.tables.table import Column, Table
from chorale.tables.words import stems, words

START, END = "^", "$"
_NAMELESS = frozenset({"of", "the", "in", "by", "a", "and", "for", "on", "at", "to"})
_NAME_WORDS = 4  # of a column that are looked at
_NEAR = 3  # words after the question word
_HEADS = 3
_DISTINCT = 0.8  # from which on a column of texts may be what the table is about


class Sentence:
    """The words of a question, as features see them."""

    def __init__(self, linking: Linking) -> None:
        self.linking = linking
        self.asked: Asked = linking.asked
        self.table: Table = linking.table
        self.question = self.asked.question_word
        self.head = self.asked.head

    # -- words ---------------------------------------------------------------------------------------------------------

    @cached_property
    def linked(self) -> int:
        """The words that link to cells, one a bit."""
        bits = 0
        for span in self.linking.spans:
            if not span.is_stub:
                bits |= span.bits
        return bits

    @cached_property
    def stems(self) -> list[str]:
        """The stems, numbers as #."""
        numbers = self.asked.numbers
        return [
            "#" if place in numbers and numbers[place].is_digits else word
            for place, word in enumerate(self.asked.stems)
        ]

    @cached_property
    def abstract(self) -> list[str]:
        """The stems, with E for words that link to cells."""
        words: list[str] = []
        for place, word in enumerate(self.stems):
            is_linked = self.linked >> place & 1 and self.asked.words[place] not in FUNCTION_WORDS and word != "#"
            if not is_linked:
                words.append(word)
            elif not words or words[-1] != "E":
                words.append("E")
        return words

    @cached_property
    def more_abstract(self) -> list[str]:
        """The same with C for words of the names of columns."""
        names = self.name_words
        return ["C" if it in names and it not in FUNCTION_WORDS else it for it in self.abstract]

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words of all names of columns."""
        return frozenset(it for name in self.names for it in name)

    @cached_property
    def bits_of_name(self) -> list[int]:
        """The words of the question that the name of each column has, one a bit."""
        places: dict[str, int] = {}
        for place, word in enumerate(self.asked.stems):
            places[word] = places.get(word, 0) | 1 << place
        return [sum(places.get(word, 0) for word in set(name)) for name in self.names]

    @cached_property
    def bits_of_any_name(self) -> int:
        """Those that any name has."""
        return reduce(or_, self.bits_of_name, 0)

    @cached_property
    def bag(self) -> list[str]:
        """All different words."""
        return sorted(set(self.stems))

    @cached_property
    def heavy(self) -> list[str]:
        """Those that say something."""
        return [it for it in self.bag if it not in FUNCTION_WORDS]

    @cached_property
    def pairs(self) -> list[str]:
        """Neighbouring words, with entities abstracted, and with names of columns abstracted too."""
        one = zip([START, *self.abstract], [*self.abstract, END], strict=True)
        two = zip([START, *self.more_abstract], [*self.more_abstract, END], strict=True)
        return sorted({f"{a} {b}" for a, b in one} | {f"{a} {b} *" for a, b in two})

    @cached_property
    def triples(self) -> list[str]:
        it = self.more_abstract
        return sorted({f"{a} {b} {c}" for a, b, c in zip(it, it[1:], it[2:], strict=False)})

    @cached_property
    def first_two(self) -> str:
        return " ".join(self.more_abstract[:2])

    @cached_property
    def first_three(self) -> str:
        return " ".join(self.more_abstract[:3])

    @cached_property
    def superlatives(self) -> list[str]:
        """Words such as most; "none" if there is none."""
        return [self.asked.words[it] for it in self.asked.superlatives] or ["none"]

    @cached_property
    def after_superlatives(self) -> list[str]:
        return [self.word(it + 1) for it in self.asked.superlatives]

    def word(self, place: int) -> str:
        """The stem at a place, or what stands before or after all of them."""
        if place < 0:
            return START
        return self.stems[place] if place < len(self.stems) else END

    @cached_property
    def is_plural(self) -> bool:
        return any(
            word.endswith("s") and own == self.head
            for word, own in zip(self.asked.words, self.asked.stems, strict=True)
        )

    # -- columns -------------------------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> list[list[str]]:
        """The stemmed words of the name of each column."""
        return [stems(column.header) for column in self.table.columns]

    @cached_property
    def levels(self) -> list[int]:
        return [it.level for it in self.linking.namings]

    @cached_property
    def best_level(self) -> int:
        return max(self.levels, default=0)

    @cached_property
    def said_of_names(self) -> list[tuple[int, int, int]]:
        """For each column how many words of its name are said, how many not, and how many are of a family."""
        said = set(self.asked.stems)
        families = self.families
        counts = []
        for column, name in zip(self.table.columns, self.names, strict=True):
            heavy = [it for it in name if it not in _NAMELESS]
            hits = sum(it in said for it in heavy)
            related = len(families_of(words(column.header)) & families)
            counts.append((min(hits, 3), min(len(heavy) - hits, 3), min(related, 2)))
        return counts

    @cached_property
    def families(self) -> frozenset[str]:
        """The families of related words that the question has."""
        return families_of(self.asked.words)

    @cached_property
    def best_said(self) -> float:
        return max((said - 0.3 * unsaid for said, unsaid, _ in self.said_of_names), default=0.0)

    @cached_property
    def subject(self) -> int:
        """The column that the table is about."""
        columns = self.table.columns[: self.table.width]
        return next((it.index for it in columns if it.type == "text" and it.distinct > _DISTINCT), 0)

    @cached_property
    def head_is(self) -> str:
        """What columns have the head in their names: text, numbers, years; or E for an entity."""
        kinds = {
            _coarse(column) for column, name in zip(self.table.columns, self.names, strict=True) if self.head in name
        }
        if kinds:
            return "+".join(sorted(kinds))
        return "E" if any(self.head in span.stems.split() for span in self.linking.spans) else "none"

    @cached_property
    def heads(self) -> list[str]:
        start = self.asked.question_place + 1
        return self.asked.stems[start : start + _HEADS]

    def given(self, function: str, index: int, view: str) -> tuple[object, ...]:
        """The fields of `features.Given`: a column that a function is given, read in some view."""
        if index not in self._columns:
            self._columns[index] = self._column(index)
        column = self.table.columns[index]
        return (
            function, self.question, self.head, self.head_is, column.type, column.values.look, view,
            *self._columns[index],
        )  # fmt: skip

    @cached_property
    def _columns(self) -> dict[int, tuple[object, ...]]:
        return {}

    def _column(self, index: int) -> tuple[object, ...]:
        """What features see of a column, whatever is done with it."""
        column, name, level = self.table.columns[index], self.names[index], self.levels[index]
        place = self.linking.namings[index].place
        said, unsaid, family = self.said_of_names[index]
        near = place >= 0 and 0 <= place - self.asked.question_place <= _NEAR
        few = name[:_NAME_WORDS]
        fars = [place - it for it in self.asked.superlatives if place > it]
        return (
            str(level), str(self.best_level), "best" if level == self.best_level else "not best",
            "near" if near else "far", str(min(index, 4)), "last" if index == self.table.width - 1 else "not last",
            str(int(column.distinct * 3)), "subject" if index == self.subject else "other",
            "head" if self.head in name else "no head", str(said), str(unsaid), str(family),
            "best" if abs(said - 0.3 * unsaid - self.best_said) < 1e-6 else "not best",
            self.word(place - 1) if place >= 0 else "",
            str(min(6, abs(place - self.asked.question_place))) if place >= 0 else "",
            "unnamed" if place < 0 else str(min([*fars, 9])),
            " ".join(name), few,
            [f"{head}: {it}" for head in self.heads for it in few],
            [f"{self.question}: {it}" for it in few],
            self.superlatives, self.heavy,
            [f"{one}: {other}" for one in sorted(self.families) for other in self._related(index)],
            [f"{one}: {it}" for one in self.after_superlatives for it in few],
            [f"{one}: {it}" for one in self.superlatives for it in few],
        )  # fmt: skip

    def _related(self, index: int) -> list[str]:
        return sorted(families_of(words(self.table.columns[index].header)))

    # -- links ---------------------------------------------------------------------------------------------------------

    def link(self, kind: str, role: str, index: int, view: str, span: Span | None, rows: int) -> tuple[object, ...]:
        """The fields of `features.Link`: a condition on a column, the words it says, and how many cells fulfil it."""
        column, name, level = self.table.columns[index], self.names[index], self.levels[index]
        said, unsaid, family = self.said_of_names[index]
        place = self.linking.namings[index].place
        few = name[: _NAME_WORDS - 1]
        common = (
            kind, role, column.type, column.values.look, view, str(level),
            "0" if span is None else str(min(4, span.end - span.start)),
            self._others(span, index), str(said), str(unsaid), str(family), _bucket(rows),
            self._share(span, column), str(min(index, 3)), str(int(column.distinct * 3)),
        )  # fmt: skip
        if span is None:
            return (
                *common,
                "",
                "whole",
                "whole",
                "best",
                str(level),
                "",
                "",
                "",
                "",
                "",
                self.question,
                [],
                [],
                [],
                [],
                self.bag,
            )
        start, end = span.start, span.end
        distance = min(abs(place - start), abs(place - end + 1), 5) if place >= 0 else 9
        best = max((self.levels[it] for it in self._columns_with(span)), default=0)
        before, before_that = self.word(start - 1), self.word(start - 2)
        is_number = kind not in {"equals", "contains", "begins_like"}
        return (
            *common,
            str(distance), "part" if self._is_part(span) else "whole", "exact" if self._is_exact(span) else "no cell",
            "best" if level == best else "not best", str(best),
            before, before_that, self.word(start - 3), self.word(end), self.word(end + 1), self.question,
            few, [f"{around}: {it}" for around in (before, f"{before_that} _", f"_ {self.word(end)}") for it in few],
            self.stems[max(0, start - 4) : start] if is_number else [],
            self.stems[end : end + 3] if is_number else [], [],
        )  # fmt: skip

    def _others(self, span: Span | None, index: int) -> str:
        """How many other columns have the same words."""
        return "0" if span is None else str(min(2, sum(it != index for it in self._columns_with(span))))

    def _columns_with(self, span: Span) -> list[int]:
        if span.stems not in self._having:
            self._having[span.stems] = [
                it.index for it in self.linking.columns_of_words if it.values.having(span.stems)
            ]
        return self._having[span.stems]

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        return {}

    def _share(self, span: Span | None, column: Column) -> str:
        """How much of a cell the words are, in quarters."""
        if span is None:
            return ""
        lengths = [len(column.values.stems[it].split()) for it in column.values.having(span.stems)]
        return str(int(4 * (span.end - span.start) / max(1, min(lengths, default=1))))

    def _is_part(self, span: Span) -> bool:
        return any(it.bits & span.bits == span.bits and it.bits != span.bits for it in self.linking.spans)

    def _is_exact(self, span: Span) -> bool:
        return any(span.stems in it.values.whole_stems for it in self.linking.columns_of_words)

    # -- answers -------------------------------------------------------------------------------------------------------

    def in_question(self, values: Values) -> NDArray[np.bool_]:
        """Which values of a column the question names."""
        return np.array([bool(it) and f" {it} " in self._text for it in values.stems], bool)

    @cached_property
    def _text(self) -> str:
        return f" {' '.join(self.asked.stems)} "


def _coarse(column: Column) -> str:
    if column.type in {"number", "mixed", "time"}:
        return "number"
    return "year" if column.type in {"year", "date"} else "text"


def _bucket(count: int) -> str:
    return str(count if count < 3 else 3 if count < 6 else 6 if count < 11 else 11)
