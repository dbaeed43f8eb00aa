"""Parts: the programs that a search found for a question, as lists of things that templates look at (`features`).

Programs are not walked one by one. Entries of the search are rows of arrays, so the parts of all entries of a type are
found at once: those of the arguments, and what the call adds. Parts are numbered, and those that many programs have in
common are made once. Part 0 is none, so that programs with few parts have rows as long as those with many.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.language import Basic
from chorale.search.stages import Source, Stages
from chorale.tables import features
from chorale.tables.costs import TableCosts
from chorale.tables.english import PASSED
from chorale.tables.language import TableLanguage
from chorale.tables.language.conditions import KINDS
from chorale.tables.language.types import CELLS, CONTRAST, DATE, NUMBER, TIME, TRUTH
from chorale.tables.linking import Span
from chorale.tables.sentence import Sentence

Ints = NDArray[np.int64]

_GLUE = frozenset({"cells", "rows_where", "rows_where_both", "rows_where_all_three", "all_rows", "pair", "pair_where"})
"""Functions that no word asks for."""
_PASSED_ON = frozenset({"Cells", "Sums", "Averages"})
"""Types whose columns belong to the function that takes them."""
_COARSE = {
    **dict.fromkeys(("equals", "contains", "begins_like", "has_item"), "is"),
    **dict.fromkeys(("over", "at_least", "under", "at_most"), "compared"),
    **dict.fromkeys(("after_date", "since_date", "before_date", "until_date"), "compared"),
    **dict.fromkeys(("is_win", "is_loss", "is_draw"), "result"),
}
"""Kinds of conditions that are one in skeletons."""
_MOST_VIEWS = 1 << 20


@dataclass
class _Entries:
    """What is known of the entries of a type; arrays have one row for each."""

    parts: NDArray[np.int32]
    """(entry, part); 0 is none."""
    shape: Ints
    """The skeleton with the kinds of conditions, as a number of `_Texts`."""
    frame: Ints
    """The skeleton without."""
    conditions: Ints
    """The columns of all conditions, one a bit."""
    used: Ints
    """All columns."""
    column: Ints
    """The column that a function was given last, or -1: that of an answer."""
    view: Ints
    best: Ints
    """The column by which rows were chosen that have the most, or -1."""
    base: Ints
    """The function that made rows of conditions."""
    top: Ints
    """The function that made rows of these."""


class _Texts:
    """Texts by numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.texts: list[str] = []

    def put(self, text: str) -> int:
        number = self.numbers.get(text)
        if number is None:
            number = self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return number


class Parts:
    """The parts of all programs that were found for a question."""

    def __init__(self, stages: Stages, costs: TableCosts, language: TableLanguage) -> None:
        self.stages, self.costs, self.language = stages, costs, language
        self.sentence = Sentence(costs.linking)
        self.made: list[Any] = [None]
        self._numbers: dict[Hashable, int] = {}
        self._texts = _Texts()
        self._none, self._no_text = self._texts.put("-"), self._texts.put("")
        self._entries: dict[Basic, _Entries] = {}
        for kind in stages.pools:
            self._entries[kind] = self._of_pool(kind)
        self.rows = self._whole()
        """The parts of each program that was found, cheapest first, (program, part)."""

    def _put(self, key: Hashable, make: Callable[[], Any]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.made)
            self.made.append(make())
        return number

    # -- entries -------------------------------------------------------------------------------------------------------

    def _of_pool(self, kind: Basic) -> _Entries:
        pool, name = self.stages.pools[kind], str(kind)
        if name == "Condition":
            return self._of_conditions(pool.values, len(pool))
        if name in {"Column", "View"} and len(pool):
            ids = np.asarray(pool.values, np.int64)
            views = self.language.stack.table.views
            columns = ids if name == "Column" else np.array([views[it].column for it in ids.tolist()], np.int64)
            return self._blank(
                len(pool), used=self._bit_of(columns), column=columns, view=ids if name == "View" else None
            )
        called: list[_Entries] = []
        self._entries[kind] = self._blank(0)
        for source, count in pool.sources:
            own = [rows for one, rows in zip(source.kinds, source.parts, strict=True) if one == kind]
            if any(rows.max() >= len(self._entries[kind].used) for rows in own):  # what is made of itself, so far
                self._entries[kind] = _joined(called)
            called.append(self._of_calls(source, kind, count))
        return _joined(called) if called else self._blank(0)

    def _blank(self, count: int, **known: Any) -> _Entries:
        nothing, zero = np.full(count, -1, np.int64), np.zeros(count, np.int64)
        empty = np.full(count, self._no_text, np.int64)
        defaults: dict[str, Any] = {
            "parts": np.zeros((count, 0), np.int32), "shape": empty, "frame": empty, "conditions": zero, "used": zero,
            "column": nothing, "view": nothing, "best": nothing, "base": np.full(count, self._none, np.int64),
            "top": np.full(count, self._none, np.int64),
        }  # fmt: skip
        return _Entries(**defaults | {name: it for name, it in known.items() if it is not None})

    def _bit_of(self, columns: NDArray[Any]) -> Ints:
        """The column that a column is read from, as a bit."""
        sources = np.array([it.source for it in self.language.stack.table.columns], np.int64)
        return np.asarray(np.left_shift(np.int64(1), np.minimum(sources[columns], 62)), np.int64)

    def _of_conditions(self, values: Any, count: int) -> _Entries:
        if not count:
            return self._blank(0)
        shapes = np.array([self._texts.put(_COARSE.get(kind, kind)) for kind in KINDS], np.int64)
        bits = self._bit_of(values["column"].astype(np.intp))
        return self._blank(count, shape=shapes[values["kind"]], conditions=bits, used=bits)

    def _of_calls(self, source: Source, kind: Basic, count: int) -> _Entries:
        """The entries that one function made."""
        name = source.name
        found = self._blank(count)
        if source.names:  # constants: all rows
            texts = np.array([self._texts.put(it) for it in source.names], np.int64)
            found.shape = found.frame = found.base = texts
            return found
        blocks: list[NDArray[np.int32]] = []
        if str(kind) not in _PASSED_ON and name not in _GLUE:
            blocks.append(np.full((count, 1), self._put(("call", name), lambda: self._call(name)), np.int32))
        below: list[tuple[_Entries, NDArray[np.intp]]] = []
        for place, (argument, rows) in enumerate(zip(source.kinds, source.parts, strict=True)):
            entries = self._entries[argument]
            self._take(found, entries, rows, str(argument))
            match str(argument):
                case "Condition":
                    below.append((entries, rows))
                    blocks.append(self._links(f"{name} {place}" if name.startswith("pair") else name, rows))
                case "Column" | "View" if str(kind) not in _PASSED_ON:
                    blocks.append(self._given(name, entries.column[rows], entries.view[rows]))
                case "Cells" | "Sums" | "Averages":
                    below.append((entries, rows))
                    blocks.append(self._given(name, entries.column[rows], np.full(count, -1, np.int64)))
                    if str(argument) != "Cells":
                        blocks.append(self._given("totals", *self._viewed(entries.view[rows])))
                    blocks.append(entries.parts[rows])
                case "Rows" | "Pair":
                    below.append((entries, rows))
                    blocks.append(entries.parts[rows])
        found.parts = np.concatenate(blocks, axis=1) if blocks else found.parts
        found.shape, found.frame = self._skeletons(name, str(kind), below, count)
        if str(kind) == "Rows":
            number = self._texts.put(name)
            is_base = not any(str(it) == "Rows" for it in source.kinds)
            (found.base if is_base else found.top)[:] = number
            if not is_base and "View" in map(str, source.kinds):
                found.best = found.column.copy()
        return found

    def _viewed(self, view: Ints) -> tuple[Ints, Ints]:
        columns = np.array([it.column for it in self.language.stack.table.views], np.int64)
        return columns[view], view

    def _take(self, found: _Entries, entries: _Entries, rows: NDArray[np.intp], kind: str) -> None:
        """Hand on what is known of an argument."""
        found.conditions = found.conditions | entries.conditions[rows]
        found.used = found.used | entries.used[rows]
        if kind == "Column" or (kind in _PASSED_ON):
            found.column = entries.column[rows].copy()
        if kind == "View":
            found.view = entries.view[rows].copy()
            found.column = np.where(found.column < 0, entries.column[rows], found.column)
        if kind in _PASSED_ON:
            found.view = entries.view[rows].copy()
        if kind in {"Rows", *_PASSED_ON}:
            found.best, found.base, found.top = (it[rows].copy() for it in (entries.best, entries.base, entries.top))

    def _skeletons(
        self, name: str, kind: str, below: Sequence[tuple[_Entries, NDArray[np.intp]]], count: int
    ) -> tuple[Ints, Ints]:
        texts = []
        for which in ("shape", "frame"):
            given = (
                np.stack([getattr(it, which)[rows] for it, rows in below], axis=1)
                if below
                else np.zeros((count, 0), np.int64)
            )
            texts.append(self._skeleton(name, kind, given))
        return texts[0], texts[1]

    def _skeleton(self, name: str, kind: str, given: Ints) -> Ints:
        unique, inverse = _unique_rows(given)
        numbers = []
        for row in unique.tolist():
            inside = ",".join([text for it in row if (text := self._texts.texts[it])])
            whole = f"{name}({inside})" if inside else name
            numbers.append(self._texts.put(inside if kind in _PASSED_ON else whole))
        return np.array(numbers, np.int64)[inverse]

    # -- parts of calls ------------------------------------------------------------------------------------------------

    def _call(self, function: str) -> features.Call:
        s = self.sentence
        return features.Call(
            function, s.question, s.head_is, s.first_two, s.first_three, s.superlatives, s.bag, s.pairs
        )

    def _given(self, function: str, columns: Ints, views: Ints) -> NDArray[np.int32]:
        kinds = self.language.stack.table.views
        codes = columns * _MOST_VIEWS + views + 1
        unique, inverse = np.unique(codes, return_inverse=True)
        numbers = []
        for code in unique.tolist():
            column, view = divmod(code, _MOST_VIEWS)
            kind = kinds[view - 1].kind if view else ""
            numbers.append(
                self._put(
                    ("given", function, column, kind),
                    partial(self._given_part, function, column, kind),
                )
            )
        return np.array(numbers, np.int32)[inverse][:, None]

    def _given_part(self, function: str, column: int, view: str) -> features.Given:
        return features.Given(*self.sentence.given(function, column, view))

    def _links(self, role: str, rows: NDArray[np.intp]) -> NDArray[np.int32]:
        unique, inverse = np.unique(rows, return_inverse=True)
        numbers = [self._put(("link", role, row), partial(self._link, role, row)) for row in unique.tolist()]
        return np.array(numbers, np.int32)[inverse][:, None]

    @cached_property
    def _condition(self) -> Basic:
        return Basic("Condition")

    def _link(self, role: str, row: int) -> features.Link:
        pool = self.stages.pools[self._condition]
        value, says = pool.values[row], int(pool.says[row])
        view = int(value["view"])
        kind = "" if view < 0 else self.language.stack.table.views[view].kind
        found = int(np.count_nonzero(value["mask"][0]))
        return features.Link(
            *self.sentence.link(KINDS[value["kind"]], role, int(value["column"]), kind, self._span(says), found)
        )

    def _span(self, says: int) -> Span | None:
        """The words that a condition says."""
        if not says:
            return None
        start, end = (says & -says).bit_length() - 1, says.bit_length()
        asked = self.sentence.asked
        return Span(start, end, " ".join(asked.words[start:end]), " ".join(asked.stems[start:end]))

    # -- whole programs ------------------------------------------------------------------------------------------------

    def _whole(self) -> NDArray[np.int32]:
        found = self.stages.found
        root = self._entries[Basic("Answer")]
        rows = found.rows
        if not len(rows):
            return np.zeros((0, 1), np.int32)
        whole = _taken(root, rows)
        names = np.array([self._texts.put(name) for name in self._root_names], np.int64)[rows]
        last = [
            self._skeleton_parts(whole, names),
            self._unsaid(whole, found.says, names),
            self._said(found.values, names),
            self._joint(whole, names),
        ]
        parts = np.concatenate([whole.parts, *(it[:, None] for it in last)], axis=1)
        return parts[:, parts.any(axis=0)]

    @cached_property
    def _root_names(self) -> list[str]:
        """The function of each whole program, in the order of the pool."""
        pool = self.stages.pools[Basic("Answer")]
        return [source.name for source, count in pool.sources for _ in range(count)]

    def _numbered(self, tag: str, columns: Sequence[Any], make: Callable[..., Any]) -> NDArray[np.int32]:
        """A part for each different row of some columns of numbers; `make` gets one row."""
        unique, inverse = _unique_rows(np.stack([np.asarray(it, np.int64) for it in columns], axis=1))
        numbers = [self._put((tag, *row), partial(make, *row)) for row in unique.tolist()]
        return np.array(numbers, np.int32)[inverse]

    def _skeleton_parts(self, whole: _Entries, names: Ints) -> NDArray[np.int32]:
        s, text = self.sentence, self._texts.texts

        def make(root: int, shape: int, frame: int) -> features.Skeleton:
            return features.Skeleton(
                text[root], text[shape], text[frame], s.question, s.head_is, s.first_two, s.bag, s.pairs, s.triples
            )

        return self._numbered("skeleton", [names, whole.shape, whole.frame], make)

    def _unsaid(self, whole: _Entries, says: Ints, names: Ints) -> NDArray[np.int32]:
        s, text = self.sentence, self._texts.texts
        unique, inverse = _unique_rows(np.stack([whole.used, np.asarray(says, np.int64)], axis=1))
        counts = np.array([self._unsaid_words(used, said) for used, said in unique.tolist()], np.int64)[inverse]
        wanted = self.costs.wanted
        digits = sum(1 << it.place for it in s.asked.numbers.values() if it.is_digits)
        columns = [
            np.bitwise_count(wanted & ~says),
            np.bitwise_count(digits & ~says),
            counts[:, 0],
            counts[:, 1],
            counts[:, 2],
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

        return self._numbered("unsaid", columns, make)

    def _unsaid_words(self, used: int, says: int) -> tuple[int, int, int]:
        """Names of columns that are said and not used; words of names, and words of cells, that nothing says."""
        s = self.sentence
        own = [it for it in range(s.table.width) if used >> min(it, 62) & 1]
        of_used = {word for it in own for word in s.names[it]}
        first = {s.names[it][0] for it in own if s.names[it]}
        said = {s.names[it][0] for it in range(s.table.width) if s.levels[it] == 3 and s.names[it]} - first
        open_ = [
            place
            for place, word in enumerate(s.asked.stems)
            if not says >> place & 1 and word not in of_used and s.asked.words[place] not in PASSED
        ]
        words = sum(s.asked.stems[it] in s.name_words for it in open_)
        linked = sum(s.linked >> it & 1 for it in open_)
        return len(said), words, linked

    def _said(self, values: Any, names: Ints) -> NDArray[np.int32]:
        s, text = self.sentence, self._texts.texts
        size, in_question, empty = self._cells_said(values)
        number = values["number"][:, 0]
        asked = np.array([it.value for it in s.asked.numbers.values()])
        bucket, whole = _number_buckets(number), np.floor(number) == number
        is_number = values["tag"] == NUMBER
        numbers = [
            np.where(is_number, bucket, -1),
            is_number & whole,
            is_number & (number == len(s.table)),
            is_number & np.isin(number, asked),
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

        return self._numbered("said", [*columns, *numbers], make)

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

    def _joint(self, whole: _Entries, names: Ints) -> NDArray[np.int32]:
        s, text = self.sentence, self._texts.texts
        levels = np.array([*s.levels, -1], np.int64)  # the last is for no column
        has = whole.column >= 0
        bit = np.where(has, self._bit_of(np.maximum(whole.column, 0)), 0)
        best_bit = np.where(whole.best >= 0, self._bit_of(np.maximum(whole.best, 0)), 0)
        columns = [
            names, whole.frame, whole.base, whole.top,
            (bit & whole.conditions) != 0, (best_bit & bit) != 0, (best_bit & whole.conditions) != 0,
            levels[whole.column], levels[whole.best],
        ]  # fmt: skip

        def make(
            root: int, frame: int, base: int, top: int, same: int, superlative: int, within: int, one: int, two: int
        ) -> features.Joint:
            return features.Joint(
                text[root], s.question, text[frame], text[base], text[top], "same" if same else "other",
                "same" if superlative else "other", "in" if within else "out", f"{one} {two}",
            )  # fmt: skip

        return self._numbered("joint", columns, make)


_TAGS = {NUMBER: "number", TRUTH: "truth", DATE: "date", TIME: "time", CONTRAST: "contrast"}
_FACTORS = np.random.default_rng(0).integers(1, 2**63, size=16, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_BUCKETS = ("zero", "negative", "one", "small", "medium", "year", "large")


def _number_buckets(number: NDArray[np.float64]) -> Ints:
    conditions = [number == 0, number < 0, number == 1, number <= 12, number < 100, (number >= 1900) & (number <= 2030)]
    return np.select(conditions, list(range(6)), 6)


def _unique_rows(numbers: Ints) -> tuple[Ints, NDArray[np.intp]]:
    """The different rows, and which of them each is."""
    if not numbers.shape[1]:
        return numbers[:1], np.zeros(len(numbers), np.intp)
    mixed = (numbers.astype(np.uint64) * _FACTORS[: numbers.shape[1]]).sum(axis=1, dtype=np.uint64)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    return numbers[first], inverse


def _joined(parts: Sequence[_Entries]) -> _Entries:
    width = max(it.parts.shape[1] for it in parts)
    wide = [np.pad(it.parts, ((0, 0), (0, width - it.parts.shape[1]))) for it in parts]
    others = {
        name: np.concatenate([getattr(it, name) for it in parts])
        for name in ("shape", "frame", "conditions", "used", "column", "view", "best", "base", "top")
    }
    return _Entries(np.concatenate(wide), **others)


def _taken(entries: _Entries, rows: NDArray[np.intp]) -> _Entries:
    return _Entries(**{name: getattr(entries, name)[rows] for name in _Entries.__dataclass_fields__})
