"""What is known of the entries of a search, and the parts that each has, from the leaves of programs up.

Programs are not walked one by one: entries are rows of arrays, so all that one function made are treated at once. They
have the parts of their arguments, and what the call adds. Parts are numbered, and those that many entries have in
common are made once. Part 0 is none, so that entries with few parts have rows as long as those with many.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, repeat
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

Run = Sequence[tuple[Source, int]]
"""Some of a pool's sources, each with its number of entries."""
Calls = Sequence[tuple[str, int]]
"""Functions, each with its number of calls."""

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


class Texts:
    """Names of functions, and skeletons, by their numbers; skeletons are put together when somebody reads them."""

    def __init__(self) -> None:
        self._texts: list[str | None] = []
        self._skeletons: dict[int, tuple[str, tuple[int, ...]]] = {}

    def add(self, name: str) -> int:
        """The number of a name that is new."""
        return _added(self._texts, name)

    def add_skeleton(self, function: str, below: tuple[int, ...]) -> int:
        """The number of a skeleton that is new: a function, and the skeletons of its arguments."""
        number = _added(self._texts, None)
        self._skeletons[number] = function, below
        return number

    def __getitem__(self, number: int) -> str:
        text = self._texts[number]
        if text is None:
            function, below = self._skeletons[number]
            inside = ",".join(text for it in below if (text := self[it]))
            text = self._texts[number] = f"{function}({inside})" if inside else function
        return text


class Entries:
    """What is known of all entries, type by type."""

    def __init__(self, stages: Stages, sentence: Sentence) -> None:
        self.stages, self.sentence, self.table = stages, sentence, sentence.table
        self.made: list[Any] = [None]
        """The parts by their numbers."""
        self.texts = Texts()
        self.numbers: Numbers[str] = Numbers(self.texts.add)
        self.known: dict[Basic, Ints] = {}
        """By the type of entries, (what, entry)."""
        self.parts: dict[Basic, PartNumbers] = {}
        """By the type of entries, (entry, part)."""
        self._skeletons: NumbersOf[tuple[int, ...]] = NumbersOf(self.texts.add_skeleton)
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
                for sources in _runs(kind, pool.sources):
                    end = start + sum(count for _, count in sources)
                    self._add_made(kind, sources, slice(start, end))
                    start = end

    @cached_property
    def column_bits(self) -> Ints:
        """The column that each column is read from, as a bit, (column,)."""
        return np.array([1 << min(it.source, _MOST_BITS) for it in self.table.columns], np.int64)

    @cached_property
    def _view_columns(self) -> Ints:
        return np.array([it.column for it in self.table.views], np.int64)

    def _add_made(self, kind: Basic, sources: Run, rows: slice) -> None:
        """What functions made that take the same types; or constants, which are all rows."""
        known, first = self.known[kind][:, rows], sources[0][0]
        if first.names:
            known[[SHAPE, FRAME, BASE]] = self.numbers.of(first.names)
            return
        given = []
        for place, one in enumerate(first.kinds):
            if one in self.known:
                own = _joined([source.parts[place] for source, _ in sources])
                given.append(_Given(str(one), own, self.known[one].take(own, axis=1), self.parts[one]))
        run = [(source.name, count) for source, count in sources]
        _hand_on(known, given)
        self._name(known, run, str(kind), given)
        blocks = list(self._blocks(run, str(kind), given))
        width = sum(block.shape[1] for block in blocks)
        if (missing := width - self.parts[kind].shape[1]) > 0:
            more = np.zeros((len(self.parts[kind]), missing), np.int32)
            self.parts[kind] = np.concatenate([self.parts[kind], more], axis=1)
        if blocks:
            np.concatenate(blocks, axis=1, out=self.parts[kind][rows, :width])

    def _name(self, known: Ints, run: Calls, kind: str, given: Sequence[_Given]) -> None:
        """Skeletons, and the functions that made rows."""
        below = [it.known for it in given if it.kind not in {"Column", "View"}]
        if kind in _PASSED_ON:
            known[SHAPE : FRAME + 1] = below[0][SHAPE : FRAME + 1]
            return
        coarse = [(_COARSE_ROWS.get(name, name), count) for name, count in run]
        for which in (SHAPE, FRAME):
            inside = zip(*(it[which].tolist() for it in below), strict=True) if below else repeat((), known.shape[1])
            known[which] = _by_function(self._skeletons, coarse, inside)
        if kind == "Rows":
            kinds = {it.kind for it in given}
            known[TOP if "Rows" in kinds else BASE] = _repeated([(self.numbers[name], count) for name, count in run])
            if kinds >= {"Rows", "View"}:
                known[BEST] = known[COLUMN]

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _blocks(self, run: Calls, kind: str, given: Sequence[_Given]) -> Iterator[PartNumbers]:
        """The parts of calls: that of the function, those of what it is given, and those of its arguments."""
        if kind not in _PASSED_ON and any(name not in _GLUE for name, _ in run):
            yield _block(_repeated([(0 if name in _GLUE else self._calls[name], count) for name, count in run]))
        for place, it in enumerate(given):
            match it.kind:
                case "Condition":
                    roles = [(f"{name} {place}" if name.startswith("pair") else name, count) for name, count in run]
                    yield _block(_by_function(self._links, roles, it.rows.tolist()))
                case "Column" | "View" if kind not in _PASSED_ON:
                    yield self._of_given(run, it.known[COLUMN], it.known[VIEW])
                case "Cells":
                    yield self._of_given(run, it.known[COLUMN])
                case "Sums" | "Averages":
                    yield self._of_given(run, it.known[COLUMN])
                    totals = [("totals", len(it.rows))]
                    yield self._of_given(totals, self._view_columns[it.known[VIEW]], it.known[VIEW])
            if it.kind in {"Rows", "Pair", *_PASSED_ON}:
                yield it.parts.take(it.rows, axis=0)

    def _of_given(self, run: Calls, columns: Ints, views: Ints | None = None) -> PartNumbers:
        read = repeat(-1, len(columns)) if views is None else views.tolist()
        return _block(_by_function(self._given, run, zip(columns.tolist(), read, strict=True)))

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
        rows = int(np.count_nonzero(value["mask"][0]))
        texts = self.sentence.link(KINDS[value["kind"]], role, int(value["column"]), kind, self._span(says), rows)
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


def _runs(kind: Basic, sources: Sequence[tuple[Source, int]]) -> Iterator[Run]:
    """Sources one after the other that take the same types, and none of what the others of their run made."""
    run: list[tuple[Source, int]] = []
    start = end = 0
    for source, count in sources:
        own = (part for one, part in zip(source.kinds, source.parts, strict=True) if one == kind)
        if run and (source.names or source.kinds != run[0][0].kinds or any(part.max() >= start for part in own)):
            yield run
            run, start = [], end
        run.append((source, count))
        end += count
    if run:
        yield run


def _by_function(numbers: NumbersOf[K], run: Calls, keys: Iterable[K]) -> list[int]:
    """The number of each call, by its function and a key."""
    left, numbered = iter(keys), list[int]()
    for function, count in run:
        numbered += numbers[function].of(islice(left, count))
    return numbered


def _repeated(run: Sequence[tuple[int, int]]) -> Ints:
    """Numbers, each so many times."""
    return np.repeat([number for number, _ in run], [count for _, count in run])


def _joined(rows: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    return rows[0] if len(rows) == 1 else np.concatenate(rows)


def _block(numbers: Sequence[int] | Ints) -> PartNumbers:
    return np.array(numbers, np.int32)[:, None]
