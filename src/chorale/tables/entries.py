"""What is known of the entries of a search, and the parts that each has, from the leaves of programs up.

Programs are not walked one by one: entries are rows of arrays, so all that one function made are treated at once. They
have the parts of their arguments, and what the call adds. Parts are numbered, and those that many entries have in
common are made once. Part 0 is none, so that entries with few parts have rows as long as those with many.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from chorale.language import Basic
from chorale.search.stages import Pool, Source, Stages
from chorale.tables import features
from chorale.tables.language import KINDS
from chorale.tables.linking import Span
from chorale.tables.sentence import Sentence

Ints = NDArray[np.int64]
PartNumbers = NDArray[np.int32]

SHAPE, FRAME, CONDITIONS, USED, COLUMN, VIEW, BEST, BASE, TOP = range(9)
"""What is known of an entry: its skeleton with the kinds of conditions and without; the columns of all conditions and
all columns, one a bit; the column and the view that a function was given last, or -1; the column by which rows were
chosen that have the most, or -1; the function that made rows of conditions, and the one that made rows of these.
Skeletons and functions are numbers of texts."""

_GLUE = frozenset({"cells", "rows_where", "rows_where_both", "rows_where_all_three", "all_rows", "pair", "pair_where"})
"""Functions that no word asks for."""
_PASSED_ON = frozenset({"Cells", "Sums", "Averages"})
"""What stands in some rows: their columns belong to the function that takes them, and skeletons do not show them."""
_SEEN = frozenset({"Column", "View", "Condition", "Rows", "Pair", "Answer", *_PASSED_ON})
"""Types of which something is known; words and numbers are seen in conditions."""
_COARSE = {
    **dict.fromkeys(("equals", "contains", "begins_like", "has_item"), "is"),
    **dict.fromkeys(("over", "at_least", "under", "at_most"), "compared"),
    **dict.fromkeys(("after_date", "since_date", "before_date", "until_date"), "compared"),
    **dict.fromkeys(("is_win", "is_loss", "is_draw"), "result"),
}
"""Kinds of conditions that are one in skeletons."""
_COARSE_ROWS = {"most": "extreme", "least": "extreme"}
"""And functions that choose rows."""
_MOST_BITS = 62  # columns beyond share the last
_CONDITION = Basic("Condition")

K = TypeVar("K", bound=Hashable)


class Numbers(dict[K, int], Generic[K]):
    """Numbers by key; a key that is not known yet gets one."""

    def __init__(self, make: Callable[[K], int]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> int:
        number = self[key] = self._make(key)
        return number

    def of(self, keys: Iterable[K]) -> list[int]:
        """The number of each key."""
        return list(map(self.__getitem__, keys))


class NumbersOf(dict[str, Numbers[K]], Generic[K]):
    """Numbers by function and key."""

    def __init__(self, make: Callable[[str, K], int]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, function: str) -> Numbers[K]:
        numbers = self[function] = Numbers(partial(self._make, function))
        return numbers


class Entries:
    """What is known of all entries, type by type."""

    def __init__(self, stages: Stages, sentence: Sentence) -> None:
        self.stages, self.sentence, self.table = stages, sentence, sentence.table
        self.made: list[Any] = [None]
        """The parts by their numbers."""
        self.texts: list[str] = []
        """Names of functions and skeletons, by their numbers."""
        self.numbers: Numbers[str] = Numbers(partial(_added, self.texts))
        self.known: dict[Basic, Ints] = {}
        """By the type of entries, (what, entry)."""
        self.parts: dict[Basic, PartNumbers] = {}
        """By the type of entries, (entry, part)."""
        self._skeletons: NumbersOf[tuple[int, ...]] = NumbersOf(self._skeleton)
        self._calls: Numbers[str] = Numbers(self._call)
        self._given: NumbersOf[tuple[int, int]] = NumbersOf(self._given_part)
        self._links: NumbersOf[int] = NumbersOf(self._link)
        for kind, pool in stages.pools.items():
            if str(kind) in _SEEN:
                self._add(kind, pool)

    def put(self, part: Any) -> int:
        """The number of a part that is new."""
        return _added(self.made, part)

    # -- types ---------------------------------------------------------------------------------------------------------

    def _add(self, kind: Basic, pool: Pool) -> None:
        known = self.known[kind] = np.zeros((TOP + 1, len(pool)), np.int64)
        known[[SHAPE, FRAME]], known[[BASE, TOP]] = self.numbers[""], self.numbers["-"]
        known[[COLUMN, VIEW, BEST]] = -1
        self.parts[kind] = np.zeros((len(pool), 0), np.int32)
        if not len(pool):
            return
        match str(kind):
            case "Column":
                known[COLUMN], known[USED] = pool.values, self.column_bits[pool.values]
            case "View":
                known[VIEW], known[COLUMN] = pool.values, self._view_columns[pool.values]
                known[USED] = self.column_bits[known[COLUMN]]
            case "Condition":
                shapes = self.numbers.of(_COARSE.get(it, it) for it in KINDS)
                known[SHAPE] = np.array(shapes, np.int64)[pool.values["kind"]]
                known[USED] = known[CONDITIONS] = self.column_bits[pool.values["column"]]
            case _:
                start = 0
                for source, count in pool.sources:
                    self._add_made(kind, source, slice(start, start + count))
                    start += count

    @cached_property
    def column_bits(self) -> Ints:
        """The column that each column is read from, as a bit, (column,)."""
        return np.array([1 << min(it.source, _MOST_BITS) for it in self.table.columns], np.int64)

    @cached_property
    def _view_columns(self) -> Ints:
        return np.array([it.column for it in self.table.views], np.int64)

    def _add_made(self, kind: Basic, source: Source, rows: slice) -> None:
        """What one function made; or constants, which are all rows."""
        known = self.known[kind][:, rows]
        if source.names:
            known[[SHAPE, FRAME, BASE]] = self.numbers.of(source.names)
            return
        given = [
            _Given(str(one), own, self.known[one][:, own], self.parts[one])
            for one, own in zip(source.kinds, source.parts, strict=True)
            if one in self.known
        ]
        _hand_on(known, given)
        self._name(known, source.name, str(kind), given)
        blocks = list(self._blocks(known.shape[1], source.name, str(kind), given))
        width = sum(block.shape[1] for block in blocks)
        if (missing := width - self.parts[kind].shape[1]) > 0:
            more = np.zeros((len(self.parts[kind]), missing), np.int32)
            self.parts[kind] = np.concatenate([self.parts[kind], more], axis=1)
        if blocks:
            np.concatenate(blocks, axis=1, out=self.parts[kind][rows, :width])

    def _name(self, known: Ints, name: str, kind: str, given: Sequence[_Given]) -> None:
        """Skeletons, and the functions that made rows."""
        below, own = [it.known for it in given if it.kind not in {"Column", "View"}], self._skeletons[name]
        if kind in _PASSED_ON:
            known[SHAPE : FRAME + 1] = below[0][SHAPE : FRAME + 1]
            return
        for which in (SHAPE, FRAME):
            known[which] = own.of(zip(*(it[which].tolist() for it in below), strict=True)) if below else own[()]
        if kind == "Rows":
            kinds = {it.kind for it in given}
            known[TOP if "Rows" in kinds else BASE] = self.numbers[name]
            if kinds >= {"Rows", "View"}:
                known[BEST] = known[COLUMN]

    def _skeleton(self, function: str, below: tuple[int, ...]) -> int:
        inside = ",".join(text for it in below if (text := self.texts[it]))
        name = _COARSE_ROWS.get(function, function)
        return self.numbers[f"{name}({inside})" if inside else name]

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _blocks(self, count: int, name: str, kind: str, given: Sequence[_Given]) -> Iterator[PartNumbers]:
        """The parts of calls: that of the function, those of what it is given, and those of its arguments."""
        if kind not in _PASSED_ON and name not in _GLUE:
            yield np.full((count, 1), self._calls[name], np.int32)
        for place, it in enumerate(given):
            match it.kind:
                case "Condition":
                    role = f"{name} {place}" if name.startswith("pair") else name
                    yield _block(self._links[role].of(it.rows.tolist()))
                case "Column" | "View" if kind not in _PASSED_ON:
                    yield self._of_given(name, it.known[COLUMN], it.known[VIEW])
                case "Cells":
                    yield self._of_given(name, it.known[COLUMN])
                case "Sums" | "Averages":
                    yield self._of_given(name, it.known[COLUMN])
                    yield self._of_given("totals", self._view_columns[it.known[VIEW]], it.known[VIEW])
            if it.kind in {"Rows", "Pair", *_PASSED_ON}:
                yield it.parts[it.rows]

    def _of_given(self, function: str, columns: Ints, views: Ints | None = None) -> PartNumbers:
        read = repeat(-1, len(columns)) if views is None else views.tolist()
        return _block(self._given[function].of(zip(columns.tolist(), read, strict=True)))

    def _call(self, function: str) -> int:
        s = self.sentence
        texts = s.question, s.head_is, s.first_two, s.first_three, s.superlatives, s.bag, s.pairs
        return self.put(features.Call(function, *texts))

    def _given_part(self, function: str, given: tuple[int, int]) -> int:
        column, view = given
        kind = "" if view < 0 else self.table.views[view].kind
        return self.put(features.Given(*self.sentence.given(function, column, kind)))

    def _link(self, role: str, row: int) -> int:
        pool = self.stages.pools[_CONDITION]
        value, says = pool.values[row], int(pool.says[row])
        view = int(value["view"])
        kind = "" if view < 0 else self.table.views[view].kind
        found = int(np.count_nonzero(value["mask"][0]))
        texts = self.sentence.link(KINDS[value["kind"]], role, int(value["column"]), kind, self._span(says), found)
        return self.put(features.Link(*texts))

    def _span(self, says: int) -> Span | None:
        """The words that a condition says."""
        if not says:
            return None
        start, end = (says & -says).bit_length() - 1, says.bit_length()
        asked = self.sentence.asked
        return Span(start, end, " ".join(asked.words[start:end]), " ".join(asked.stems[start:end]))


@dataclass(frozen=True)
class _Given:
    """An argument of some calls."""

    kind: str
    rows: NDArray[np.intp]
    """Its row in the pool of its type, (call,)."""
    known: Ints
    """(what, call)."""
    parts: PartNumbers
    """Those of all entries of its type."""


def _hand_on(known: Ints, given: Sequence[_Given]) -> None:
    """What is known of arguments is known of the call."""
    for it in given:
        known[CONDITIONS : USED + 1] |= it.known[CONDITIONS : USED + 1]
        if it.kind in {"Column", *_PASSED_ON}:
            known[COLUMN] = it.known[COLUMN]
        elif it.kind == "View":
            known[COLUMN] = np.where(known[COLUMN] < 0, it.known[COLUMN], known[COLUMN])
        if it.kind in {"View", *_PASSED_ON}:
            known[VIEW] = it.known[VIEW]
        if it.kind in {"Rows", *_PASSED_ON}:
            known[BEST:] = it.known[BEST:]


def _added(things: list[Any], thing: Any) -> int:
    """The place of a thing that is added."""
    things.append(thing)
    return len(things) - 1


def _block(numbers: Sequence[int]) -> PartNumbers:
    return np.array(numbers, np.int32)[:, None]
