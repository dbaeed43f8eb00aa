"""Search in stages: one type after another, each filled with its cheapest meanings.

The types of a language hang together: rows are made of conditions, answers of rows and columns. So they are filled in
the order in which they need each other, each once; a type that needs itself (rows of rows) in a few generations. What
could be made of a type is first *priced*, without being computed: by what functions and constants cost the utterance
(`Costs`), and by the words that nothing says,

    price = cost of the function + costs of its arguments + word * (number of wanted words that are not said)

The cheapest are then computed in rounds, until there are enough different meanings or enough was looked at. Of the
spellings of a meaning that a round finds, the cheapest is kept. What is undefined (`Language.defined`) is dropped
everywhere, so that nothing is built upon it.

Entries are rows of arrays: their values, costs, words, and what they were made of. Programs are built for those that
somebody asks for. It knows functions that take all their arguments, none of which is a function; other languages are
searched by length (`enumeration`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.costs import Costs
from chorale.errors import ChoraleError
from chorale.language import Grammar, Language, Program, terms
from chorale.language.quotas import Quota
from chorale.language.terms import Term
from chorale.language.types import Basic, Function, Type, type_of_annotation

Floats = NDArray[np.float64]
Bits = NDArray[np.int64]
Rows = NDArray[np.intp]

ROUND = 2
"""Times as much as is kept is computed in a round,"""
LOOKED_AT = 3
"""and this many times in all rounds together."""
PARTIAL = 400
"""The most combinations of the first arguments that a further argument is joined to."""

Signature = tuple[tuple[str, Type], ...]
Maker = tuple[str, tuple[Basic, ...]]
"""A function, and the types of its arguments."""


@dataclass(frozen=True)
class Plan:
    """How a type is filled."""

    kind: Basic
    makers: tuple[Maker, ...]
    """The functions that make it of other types."""
    again: tuple[Maker, ...]
    """Those that make it of itself."""


@lru_cache(maxsize=1_024)
def _plans(grammar: Grammar, names: tuple[str, ...]) -> tuple[Plan, ...]:
    """How types are filled with these of the functions of a language."""
    return plans_of(tuple((name, grammar.signature[name]) for name in names), _basic(grammar.root, grammar.name))


def plans_of(signature: Signature, root: Basic) -> tuple[Plan, ...]:
    """The types from the leaves to the root. Of types that need each other in a circle, one comes first."""
    makers: dict[Basic, list[Maker]] = {}
    for name, kind in signature:
        if isinstance(kind, Function):
            makers.setdefault(_basic(kind.result, name), []).append(
                (name, tuple(_basic(argument, name) for argument in kind.arguments))
            )
    order: dict[Basic, None] = {}
    seen: set[Basic] = set()

    def visit(kind: Basic) -> None:
        seen.add(kind)
        for _, arguments in makers.get(kind, ()):
            for argument in arguments:
                if argument not in seen:
                    visit(argument)
        order[kind] = None

    visit(root)
    return tuple(
        Plan(
            kind,
            tuple(maker for maker in makers.get(kind, ()) if kind not in maker[1]),
            tuple(maker for maker in makers.get(kind, ()) if kind in maker[1]),
        )
        for kind in order
    )


def _basic(kind: Type, name: str) -> Basic:
    if isinstance(kind, Function):
        raise ChoraleError(f"{name} takes or gives a function, {kind}; such a language cannot be searched in stages")
    return kind


@dataclass
class Source:
    """A function, and the entries that some calls of it were made with; or constants, by their names."""

    name: str
    kinds: tuple[Basic, ...]
    parts: list[Rows]
    """For each argument, its row in the pool of its type, (call,)."""
    names: Sequence[str] = ()
    """Of constants."""

    def take(self, rows: Rows) -> Source:
        """Some of the calls."""
        return Source(self.name, self.kinds, [part[rows] for part in self.parts])


@dataclass
class Batch:
    """Calls that could be made, or were: then their costs are all that they cost."""

    cost: Floats
    says: Bits
    source: Source

    def take(self, rows: Rows) -> Batch:
        """Some of them."""
        return Batch(self.cost[rows], self.says[rows], self.source.take(rows))

    def __len__(self) -> int:
        return len(self.cost)


class Pool:
    """The entries of a type, in the order in which they were made."""

    def __init__(self) -> None:
        self.values: Any = None
        self.cost: Floats = np.zeros(0)
        self.says: Bits = np.zeros(0, np.int64)
        self.keys: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self.sources: list[tuple[Source, int]] = []
        """What the entries were made of, each with its number of entries."""
        self.chosen: Rows = np.zeros(0, np.intp)
        """What others are made of, cheapest first."""

    def __len__(self) -> int:
        return len(self.cost)

    def add(
        self, values: Any, cost: Floats, says: Bits, keys: NDArray[np.uint64], sources: Sequence[tuple[Source, int]]
    ) -> None:
        """More entries; `keys` are those of their meanings."""
        self.values = values if self.values is None else np.concatenate([self.values, values])
        self.cost = np.concatenate([self.cost, cost])
        self.says = np.concatenate([self.says, says])
        self.keys = np.concatenate([self.keys, keys])
        self.sources += sources

    def choose(self, rows: Rows) -> None:
        """Say what others are made of."""
        self.chosen, self.chosen_cost, self.chosen_says = rows, self.cost[rows], self.says[rows]

    def source(self, row: int) -> tuple[str, tuple[Basic, ...], tuple[int, ...]]:
        """The function or constant of an entry, the types of its arguments and their rows."""
        for source, count in self.sources:
            if row < count:
                if source.names:
                    return source.names[row], (), ()
                return source.name, source.kinds, tuple(int(part[row]) for part in source.parts)
            row -= count
        raise IndexError(row)


@dataclass(frozen=True)
class WholePrograms:
    """The entries of the root's type, cheapest first."""

    values: Any
    costs: Floats
    """With the words that are not said."""
    says: Bits
    rows: Rows = field(repr=False)
    """Their rows in the pool."""

    def __len__(self) -> int:
        return len(self.rows)


class Stages:
    """The cheapest meanings of an utterance, in a language that is bound to its contexts and constants."""

    def __init__(self, language: Language, costs: Costs) -> None:
        self.language, self.costs = language, costs
        self.grammar = language.grammar
        self.pools: dict[Basic, Pool] = {}
        self._quotas = {type_of_annotation(kind): quota for kind, quota in language.stages.items()}
        self._terms: dict[tuple[Basic, int], Term] = {}
        self._numbers: dict[Any, int] = {}  # of values that do not stack
        declared = self.grammar.signature
        constants: dict[Basic, list[str]] = {}
        functions: list[str] = []
        for name in costs.names:
            kind = declared[name]
            if isinstance(kind, Basic):
                constants.setdefault(kind, []).append(name)
            else:
                functions.append(name)
        for plan in _plans(self.grammar.static, tuple(functions)):
            self._fill(plan, constants.get(plan.kind, []))

    @property
    def _root(self) -> Basic:
        return _basic(self.grammar.root, self.grammar.name)

    # -- what was found ------------------------------------------------------------------------------------------------

    @property
    def whole_programs(self) -> WholePrograms:
        """The whole programs."""
        pool = self.pools[self._root]
        rows = pool.chosen
        values = np.zeros(0) if pool.values is None else pool.values[rows]
        return WholePrograms(values, self._ranks(pool.cost[rows], pool.says[rows]), pool.says[rows], rows)

    def program(self, row: int) -> Program:
        """The program of an entry of the root's type, by its row in the pool."""
        return Program(self.term(self._root, row), self.grammar)

    def term(self, kind: Basic, row: int) -> Term:
        """The term of an entry; what entries share is built once."""
        known = self._terms.get((kind, row))
        if known is None:
            name, kinds, parts = self.pools[kind].source(row)
            below = tuple(map(self.term, kinds, parts))
            depth = 1 + max((part.depth for part in below), default=0)
            known = terms.Apply(name, below, kind, self.grammar.signature[name], depth)
            self._terms[kind, row] = known
        return known

    # -- filling -------------------------------------------------------------------------------------------------------

    def _ranks(self, cost: Floats, says: Bits) -> Floats:
        """Costs, with those of the words that are not said."""
        ranks: Floats = cost + self.costs.word * np.bitwise_count(self.costs.wanted & ~says)
        return ranks

    def _cheapest(self, pool: Pool, rows: Rows, most: int) -> Rows:
        order = np.argsort(self._ranks(pool.cost[rows], pool.says[rows]), kind="stable")
        return rows[order][:most]

    def _fill(self, plan: Plan, constants: list[str]) -> None:
        pool = self.pools[plan.kind] = Pool()
        quota = self._quotas.get(plan.kind, Quota())
        if constants:
            self._put_constants(pool, constants)
        first = quota.keep if quota.first is None or not plan.again else quota.first
        self._make(plan.kind, pool, plan.makers, first, quota)
        start = 0
        for _ in range(quota.generations if plan.again else 0):
            end = len(pool)
            pool.choose(self._cheapest(pool, np.arange(start, end), quota.build))
            start = end
            self._make(plan.kind, pool, plan.again, quota.keep, quota)
            if len(pool) == end:
                break
        pool.choose(self._cheapest(pool, np.arange(len(pool)), quota.keep))

    def _put_constants(self, pool: Pool, names: list[str]) -> None:
        values = self._batch([self.language.implementation(name) for name in names])
        cost = np.array([self.costs.names[name] for name in names], np.float64)
        says = np.array([self.costs.says.get(name, 0) for name in names], np.int64)
        pool.add(values, cost, says, self._keys(values), [(Source("", (), [], names), len(names))])

    def _make(self, kind: Basic, pool: Pool, makers: Sequence[Maker], most: int, quota: Quota) -> None:
        """Add at most this many entries, the cheapest of all that can be made."""
        offers = self._offers(makers)
        if not offers:
            return
        cost, says = np.concatenate([it.cost for it in offers]), np.concatenate([it.says for it in offers])
        order = np.argsort(self._ranks(cost, says), kind="stable")
        ends = np.cumsum([len(offer) for offer in offers])
        size, missing = min(ROUND * most, 2 * ROUND * quota.keep), most
        for start in range(0, min(len(order), LOOKED_AT * most), size):
            rows = np.sort(order[start : start + size])
            missing -= self._add_new(kind, pool, [offers[one].take(at) for one, at in _split(rows, ends)], missing)
            if missing <= 0:
                break

    def _add_new(self, kind: Basic, pool: Pool, calls: Sequence[Batch], most: int) -> int:
        """Compute calls, and add the meanings that the pool does not have, each in its cheapest spelling.

        At most that many, the cheapest.
        """
        computed = [one for call in calls if (one := self._computed(call)) is not None]
        if not computed:
            return 0
        calls, values = [call for call, _ in computed], _joined([value for _, value in computed])
        cost, says = np.concatenate([one.cost for one in calls]), np.concatenate([one.says for one in calls])
        is_defined = self.language.defined(kind, values)
        kept = np.isfinite(cost) if is_defined is None else np.isfinite(cost) & is_defined
        rows = np.flatnonzero(kept)
        if not len(rows):
            return 0
        if len(rows) < len(kept):
            values, cost, says = values[rows], cost[rows], says[rows]
        keys = self._keys(values)
        order = np.argsort(self._ranks(cost, says), kind="stable")
        _, first = np.unique(keys[order], return_index=True)
        new = order[np.sort(first)]
        if len(pool):
            new = new[~np.isin(keys[new], pool.keys)]
        new = np.sort(new[:most])
        ends = np.cumsum([len(one) for one in calls])
        sources = [(calls[one].source.take(at), len(at)) for one, at in _split(rows[new], ends)]
        pool.add(values[new], cost[new], says[new], keys[new], sources)
        return len(new)

    def _computed(self, calls: Batch) -> tuple[Batch, Any] | None:
        """Calls with all that they cost, and their values; without those that are left out by their arguments alone.

        Others that are left out cost infinitely much.
        """
        source = calls.source
        pools = [self.pools[one] for one in source.kinds]
        arguments = [pool.values[part] for pool, part in zip(pools, source.parts, strict=True)]
        before = self.costs.before(source.name, arguments)
        if before is not None:
            calls.cost = calls.cost + before
            kept = np.flatnonzero(np.isfinite(before))
            if not len(kept):
                return None
            if len(kept) < len(before):
                calls, arguments = calls.take(kept), [argument[kept] for argument in arguments]
        function = self.language.implementation(source.name)
        values = function(*arguments) if self.language.stacks else self._batch(list(map(function, *arguments)))
        words = [pool.says[part] for pool, part in zip(pools, calls.source.parts, strict=True)]
        extra = self.costs.extra(source.name, arguments, words, values)
        if extra is not None:
            calls.cost = calls.cost + extra
        return calls, values

    def _offers(self, makers: Sequence[Maker]) -> list[Batch]:
        """What each function could be called with; functions that look alike have their arguments joined once."""
        joined: dict[Any, tuple[list[Rows], Floats, Bits] | None] = {}
        offers = []
        for name, kinds in makers:
            alike = kinds, self.costs.says.get(name, 0), name in self.language.commutative
            if alike not in joined:
                joined[alike] = self._calls(*alike)
            if (known := joined[alike]) is not None:
                parts, cost, says = known
                offers.append(Batch(cost + self.costs.names[name], says, Source(name, kinds, parts)))
        return offers

    def _calls(
        self, kinds: tuple[Basic, ...], own: int, is_commutative: bool
    ) -> tuple[list[Rows], Floats, Bits] | None:
        """The arguments of all calls that say no word twice, what they cost and say; None if there are none.

        `own` are the words that the function says.
        """
        pools = [pool for kind in kinds if (pool := self.pools.get(kind)) is not None and len(pool.chosen)]
        if len(pools) < len(kinds):
            return None
        parts: list[Rows] = []
        cost, says = np.zeros(1), np.full(1, own, np.int64)
        for index, pool in enumerate(pools):
            if not index and not own:  # nothing to be joined to
                parts, cost, says = [pool.chosen], pool.chosen_cost, pool.chosen_says
            else:
                fits = (says[:, None] & pool.chosen_says) == 0  # (so far, argument)
                if is_commutative and index and kinds[index] == kinds[index - 1]:
                    fits &= parts[-1][:, None] < pool.chosen
                left, right = fits.nonzero()
                parts = [*(part[left] for part in parts), pool.chosen[right]]
                cost, says = cost[left] + pool.chosen_cost[right], says[left] | pool.chosen_says[right]
            if index < len(pools) - 1 and len(cost) > PARTIAL:
                best = np.argsort(self._ranks(cost, says), kind="stable")[:PARTIAL]
                parts, cost, says = [part[best] for part in parts], cost[best], says[best]
        return (parts, cost, says) if len(cost) else None

    # -- values --------------------------------------------------------------------------------------------------------

    def _batch(self, values: list[Any]) -> NDArray[Any]:
        """Values as a batch: with one more axis in front if the language stacks, as objects if not."""
        if self.language.stacks:
            return np.array(values)
        batch = np.empty(len(values), dtype=object)
        batch[:] = values
        return batch

    def _keys(self, values: Any) -> NDArray[np.uint64]:
        if self.language.stacks:
            return hashed(values)
        return np.array([self._numbers.setdefault(_hashable(value), len(self._numbers)) for value in values], np.uint64)


def _split(rows: Rows, ends: NDArray[np.intp]) -> Iterator[tuple[int, Rows]]:
    """Rows that ascend and count through several batches, batch by batch, each from its own start."""
    start, before = 0, 0
    for number, (end, after) in enumerate(zip(np.searchsorted(rows, ends).tolist(), ends.tolist(), strict=True)):
        if start < end:
            yield number, rows[start:end] - before
        start, before = end, after


def _joined(batches: list[Any]) -> Any:
    return batches[0] if len(batches) == 1 else np.concatenate(batches)


def _hashable(value: Any) -> Any:
    return (value.dtype.str, value.tobytes()) if isinstance(value, np.ndarray) else value


_FACTORS = np.random.default_rng(0).integers(1, 2**63, size=4_096, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def hashed(values: NDArray[Any]) -> NDArray[np.uint64]:
    """A number of 64 bits for each row of a batch, equal for rows of equal bytes."""
    flat = values.reshape(len(values), -1)
    if flat.dtype == bool:
        flat = np.packbits(flat, axis=1)
    raw = np.ascontiguousarray(flat).view(np.uint8).reshape(len(flat), -1)
    padded = np.zeros((len(raw), -(-raw.shape[1] // 8) * 8), np.uint8)
    padded[:, : raw.shape[1]] = raw
    words = padded.view(np.uint64)
    mixed = words >> np.uint64(32)  # in place from here on: batches may be large
    mixed ^= words
    mixed *= _FACTORS[0]
    mixed ^= mixed >> np.uint64(29)
    width = words.shape[1]
    factors = _FACTORS[1 : width + 1] if width < len(_FACTORS) else np.resize(_FACTORS[1:], width)
    hashes: NDArray[np.uint64] = mixed @ factors
    return hashes
