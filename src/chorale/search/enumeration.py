"""Programs by meaning: bottom-up enumeration that keeps one entry per meaning.

For every state of the grammar and every number of actions there is a level of entries. An entry has a value: that of
its type on all contexts, or for a function its results on *probes*, the inputs it will be given (`Language.probes`).
Two entries of a state with equal values are the same meaning (observational equivalence), and only the shorter is
kept. Entries are made level by level, all combinations of an action with smaller entries in one vector operation, and
remember only what they were made of; a program is assembled when somebody asks for it.

A *budget* says how often each word of an utterance may be used: entries count what they use, and combinations that
use more than there is are never computed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.language import Language, Program
from chorale.language.derivation import folded
from chorale.language.execution import evaluate
from chorale.language.grammar import UNREACHABLE, Grammar, Kind
from chorale.language.types import Basic, Function, Type
from chorale.search.batches import Rows, called, joined, keys, take

Ref = tuple[int, int, int]  # state, cost, row
Accept = Callable[[Any], NDArray[np.bool_]]

_BITS = 3  # of an entry's usage, per class of words; a class may be used up to three times
_MOST_CLASSES = 63 // _BITS
_SURE = 3  # single functions of so few actions are never merged: they are called on more than the probes


class Budget:
    """How often an utterance lets its words be used, as arithmetic on one integer per entry.

    `classes` maps a terminal to the class of words that it explains; `limits` says how often each class may be used.
    """

    def __init__(self, classes: Mapping[str, int] | None = None, limits: Sequence[int] = ()) -> None:
        most = (1 << (_BITS - 1)) - 1
        self._limits = [min(limit, most) for limit in limits[:_MOST_CLASSES]]
        self._classes = {name: number for name, number in (classes or {}).items() if number < len(self._limits)}
        self._slack = sum((most - limit) << (_BITS * number) for number, limit in enumerate(self._limits))
        self._guard = sum(1 << (_BITS * number + _BITS - 1) for number in range(len(self._limits)))

    def of(self, name: str) -> int:
        """What one use of a terminal costs."""
        return 1 << (_BITS * self._classes[name]) if name in self._classes else 0

    def allows(self, usage: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which sums of usages stay within the limits."""
        within: NDArray[np.bool_] = ((usage + self._slack) & self._guard) == 0
        return within


@dataclass(slots=True)
class Level:
    """The entries of one state with one number of actions."""

    values: list[Any]
    """Batches: one for a basic type, one per probe for a function, none for the name of a head."""
    usage: NDArray[np.int64]
    origins: list[tuple[int, tuple[Ref, ...]]]
    """Each entry's production and what it was made of."""

    def __len__(self) -> int:
        return len(self.origins)


class Enumeration:
    """All meanings of at most `max_actions`, for one language on its contexts.

    `allowed` narrows the terminals, `accept` says which root entries are worth keeping, `most` bounds the entries of
    a level (those that use most of the utterance's words stay), and `outer` the actions of the outer function of a
    composition.
    """

    def __init__(
        self,
        language: Language,
        max_actions: int,
        *,
        allowed: Collection[str] | None = None,
        budget: Budget | None = None,
        accept: Accept | None = None,
        most: int | None = None,
        outer: int | None = None,
    ) -> None:
        self.language, self.grammar = language, language.grammar
        self.max_actions, self.allowed, self.most, self.outer = max_actions, allowed, most, outer
        self.budget = budget or Budget()
        self.accept = accept
        self._plan = plan_of(self.grammar)
        self._levels: list[dict[int, Level]] = [{} for _ in self._plan.expansions]
        self._seen: list[set[Any]] = [set() for _ in self._plan.expansions]
        self._functions: dict[Ref, Any] = {}
        for cost in range(1, max_actions + 1):
            self._grow(cost)

    # -- what was found ----------------------------------------------------------------------------------------

    def found(self) -> Iterator[tuple[int, Level]]:
        """The levels of the root, cheapest first: number of actions, entries."""
        yield from sorted(self._levels[0].items())

    def actions(self, ref: Ref) -> tuple[int, ...]:
        """The action sequence of an entry."""
        actions: list[int] = []
        waiting = [ref]
        while waiting:
            state, cost, row = waiting.pop()
            production, children = self._levels[state][cost].origins[row]
            actions.append(production)
            waiting.extend(reversed(children))
        return tuple(actions)

    def program(self, cost: int, row: int) -> Program:
        """The program behind a root entry."""
        return Program.from_actions(self.actions((0, cost, row)), self.grammar)

    # -- growing -----------------------------------------------------------------------------------------------

    def _grow(self, cost: int) -> None:
        made: dict[tuple[int, tuple[int, ...]], list[Level]] = {}
        for state, expansions in enumerate(self._plan.expansions):
            if cost + self._plan.outside[state] > self.max_actions:
                continue  # no whole program has room for such a part
            parts = []
            for expansion in expansions:
                if expansion not in made:
                    made[expansion] = [part for part in self._expand(expansion, cost) if len(part)]
                parts += made[expansion]
            if parts:
                level = self._without_known(state, cost, parts)
                if len(level):
                    self._levels[state][cost] = level

    def _without_known(self, state: int, cost: int, parts: list[Level]) -> Level:
        """The entries whose meaning is new to the state, and for the root those that are accepted."""
        values = [joined(batches) for batches in zip(*(part.values for part in parts), strict=True)]
        usage = np.concatenate([part.usage for part in parts])
        origins = [origin for part in parts for origin in part.origins]
        rows: Sequence[int] | NDArray[np.intp] = range(len(origins))
        if state == 0 and self.accept is not None:
            rows = np.flatnonzero(self.accept(values[0]))
            values, usage = [take(batch, rows) for batch in values], usage[rows]
            origins = [origins[row] for row in rows]
        if not values or not origins:  # names of functions: nothing to compare
            return Level(values, usage, origins)
        seen, fresh = self._seen[state], []
        sure = cost <= _SURE and self._plan.is_function[state]
        for row, key in enumerate(keys(values, usage)):
            if key not in seen or (sure and self.grammar.productions[origins[row][0]].kind is not Kind.COMPOSE):
                seen.add(key)
                fresh.append(row)
        if self.most is not None and state and len(fresh) > self.most:
            used = np.bitwise_count(usage[fresh])
            fresh = [fresh[place] for place in np.sort(np.argsort(-used.astype(np.int64), kind="stable")[: self.most])]
        kept = np.array(fresh, dtype=np.intp)
        return Level([take(batch, kept) for batch in values], usage[kept], [origins[row] for row in fresh])

    def _expand(self, expansion: tuple[int, tuple[int, ...]], cost: int) -> Iterator[Level]:
        """All entries of this cost that one production makes."""
        number, children = expansion
        production = self.grammar.productions[number]
        if production.kind is Kind.TERMINAL:
            if cost == 1 and (self.allowed is None or production.name in self.allowed):
                yield self._terminal(number)
            return
        make = {Kind.APPLY: self._apply, Kind.CURRY: self._apply, Kind.COMPOSE: self._compose}[production.kind]
        for costs in self._splits(children, cost - 1):
            yield from make(number, children, costs)

    def _splits(self, children: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
        """The ways of dividing `total` actions among children for which there are entries."""
        first, rest = self._levels[children[0]], children[1:]
        if not rest:
            if total in first:
                yield (total,)
            return
        for cost in first:
            if cost < total:
                for others in self._splits(rest, total - cost):
                    yield (cost, *others)

    # -- one production ----------------------------------------------------------------------------------------

    def _terminal(self, number: int) -> Level:
        production = self.grammar.productions[number]
        value = self.language.implementation(production.name)
        usage = np.array([self.budget.of(production.name)], dtype=np.int64)
        if isinstance(production.left, Basic):
            values = [self._stacked(production.left, value)]
        elif self._is_probed(production.left):
            result = production.left.result
            values = [self._stacked(result, value(probe)) for probe in self._probes(production.left)]
        else:
            values = []
        return Level(values, usage, [(number, ())])

    def _compose(self, number: int, children: tuple[int, ...], costs: tuple[int, ...]) -> Iterator[Level]:
        """[*, outer, inner]: each outer function on the values of all inner ones."""
        if self.outer is not None and costs[0] > self.outer:
            return
        outer, inner = (self._levels[child][cost] for child, cost in zip(children, costs, strict=True))
        for place in range(len(outer)):
            total = inner.usage + outer.usage[place]
            rows = np.flatnonzero(self.budget.allows(total))
            if len(rows):
                ref = (children[0], costs[0], place)
                function = self._function(ref)
                values = [called(function, [take(batch, rows)], self.language.stacks) for batch in inner.values]
                origins = [(number, (ref, (children[1], costs[1], row))) for row in rows.tolist()]
                yield Level(values, total[rows], origins)

    def _apply(self, number: int, children: tuple[int, ...], costs: tuple[int, ...]) -> Iterator[Level]:
        """A function with arguments, all of them or (currying) all but the last."""
        production = self.grammar.productions[number]
        levels = [self._levels[child][cost] for child, cost in zip(children, costs, strict=True)]
        if self._is_probed(production.right[0]):
            yield from self._apply_probed(number, children, costs)
            return
        for place in range(len(levels[0])):
            rows, usage = self._combinations(levels[0].usage[place], levels[1:])
            if not len(usage):
                continue
            head: Ref = (children[0], costs[0], place)
            columns = list(zip(children[1:], costs[1:], rows, strict=True))
            function = self._function(head)
            arguments = [
                self._argument(kind, child, cost, chosen)
                for kind, (child, cost, chosen) in zip(production.right[1:], columns, strict=True)
            ]
            values = self._results(production.kind, production.left, function, arguments, len(usage))
            refs = [[(child, cost, row) for row in chosen.tolist()] for child, cost, chosen in columns]
            yield Level(values, usage, [(number, (head, *parts)) for parts in zip(*refs, strict=True)])

    def _results(self, kind: Kind, left: Type, function: Any, arguments: list[Any], count: int) -> list[Any]:
        """The batches of an application's entries."""
        stacks = self.language.stacks
        if isinstance(left, Basic):
            return [called(function, arguments, stacks)]
        if not self._is_probed(left):
            return []
        if kind is Kind.CURRY:
            return [called(partial(_last, function, probe), arguments, stacks) for probe in self._probes(left)]
        return [called(partial(_then, function, probe), arguments, stacks) for probe in self._probes(left)]

    def _apply_probed(self, number: int, children: tuple[int, ...], costs: tuple[int, ...]) -> Iterator[Level]:
        """A function of one argument, whose results on the probes are known already."""
        heads, inputs = (self._levels[child][cost] for child, cost in zip(children, costs, strict=True))
        others = []
        for place in range(len(inputs)):
            argument = (children[1], costs[1], place)
            known = self._known_probe(argument, self.grammar.productions[number].right[0])
            if known is None:
                others.append(place)
                continue
            total = heads.usage + inputs.usage[place]
            rows = np.flatnonzero(self.budget.allows(total))
            origins = [(number, ((children[0], costs[0], row), argument)) for row in rows.tolist()]
            yield Level([take(heads.values[known], rows)], total[rows], origins)
        if not others:
            return
        places = np.array(others, dtype=np.intp)
        batch, usage = take(inputs.values[0], places), inputs.usage[places]
        results: dict[Ref, Any] = {}
        for place in range(len(heads)):
            total = usage + heads.usage[place]
            rows = np.flatnonzero(self.budget.allows(total))
            if len(rows):
                head = (children[0], costs[0], place)
                values = take(self._results_on(head, batch, results), rows)
                origins = [(number, (head, (children[1], costs[1], row))) for row in places[rows].tolist()]
                yield Level([values], total[rows], origins)

    def _known_probe(self, ref: Ref, head: Type) -> int | None:
        """Which probe an input is, if it is one."""
        production = self.grammar.productions[self._levels[ref[0]][ref[1]].origins[ref[2]][0]]
        if production.kind is not Kind.TERMINAL:
            return None
        value = self.language.implementation(production.name)
        return next((index for index, probe in enumerate(self._probes(head)) if probe is value), None)

    def _results_on(self, ref: Ref, batch: Any, results: dict[Ref, Any]) -> Any:
        """A function entry's results on a batch of inputs; the inner parts of chains are computed once."""
        if ref not in results:
            production, parts = self._levels[ref[0]][ref[1]].origins[ref[2]]
            if self.grammar.productions[production].kind is Kind.COMPOSE:
                batch = self._results_on(parts[1], batch, results)
                results[ref] = called(self._function(parts[0]), [batch], self.language.stacks)
            else:
                results[ref] = called(self._function(ref), [batch], self.language.stacks)
        return results[ref]

    def _combinations(self, start: int, levels: list[Level]) -> tuple[list[Rows], NDArray[np.int64]]:
        """Rows of each level for every combination that stays within the budget."""
        usage = np.array([start], dtype=np.int64)
        rows: list[Rows] = []
        for level in levels:
            total = (usage[:, np.newaxis] + level.usage).reshape(-1)
            fits = np.flatnonzero(self.budget.allows(total))
            rows = [chosen[fits // len(level)] for chosen in rows]
            rows.append(fits % len(level))
            usage = total[fits]
        return rows, usage

    # -- values ------------------------------------------------------------------------------------------------

    def _argument(self, kind: Type, state: int, cost: int, rows: Rows) -> Any:
        """The rows of an argument: a batch of values, or functions that recall their results on the probes."""
        level = self._levels[state][cost]
        if isinstance(kind, Basic):
            return take(level.values[0], rows)
        if not self.language.stacks:
            return [self._function((state, cost, int(row))) for row in rows]
        probes = self._probes(kind)
        batches = [take(batch, rows) for batch in level.values]

        def recall(value: Any) -> Any:
            for probe, batch in zip(probes, batches, strict=True):
                if probe is value:
                    return batch
            raise LookupError(f"a function of the language calls its {kind} argument on something that is no probe")

        return recall

    def _function(self, ref: Ref) -> Any:
        """A function entry as something that can be called on any input."""
        if ref not in self._functions:
            state, cost, row = ref
            production = self.grammar.productions[self._levels[state][cost].origins[row][0]]
            if production.kind is Kind.TERMINAL:
                self._functions[ref] = self.language.implementation(production.name)
            else:
                self._functions[ref] = evaluate(folded(self.actions(ref), self.grammar), self.language)
        return self._functions[ref]

    def _stacked(self, kind: Type, value: Any) -> Any:
        return self.language.stacked(kind, value) if self.language.stacks else [value]

    def _is_probed(self, kind: Type) -> bool:
        return isinstance(kind, Function) and kind.is_unary and bool(self.language.probes(kind.arguments[0]))

    def _probes(self, kind: Type) -> Sequence[Any]:
        assert isinstance(kind, Function)
        return self.language.probes(kind.arguments[0])


def _last(function: Any, probe: Any, *arguments: Any) -> Any:
    return function(*arguments, probe)


def _then(function: Any, probe: Any, *arguments: Any) -> Any:
    return function(*arguments)(probe)


@dataclass(frozen=True)
class Plan:
    """The states of a grammar with those that expand alike merged, state 0 being the root."""

    expansions: list[list[tuple[int, tuple[int, ...]]]]
    """For each state its productions with the (merged) states of their children."""
    outside: list[int]
    """For each state the least number of actions that a whole program has around it."""
    is_function: list[bool]
    """For each state whether its entries are functions."""


_plans: dict[str, Plan] = {}


def plan_of(grammar: Grammar) -> Plan:
    """The plan of a grammar; made once."""
    if grammar.fingerprint not in _plans:
        _plans[grammar.fingerprint] = _merge(grammar)
    return _plans[grammar.fingerprint]


def _merge(grammar: Grammar) -> Plan:
    """Partition refinement: states are alike if their productions lead to states that are alike."""
    block = [0] * len(grammar.states)
    while True:
        seen: dict[Any, int] = {}
        refined = []
        for expansions in grammar.children:
            look = tuple((number, tuple(block[child] for child in after)) for number, after in expansions.items())
            refined.append(seen.setdefault(look, len(seen)))
        if len(set(refined)) == len(set(block)):
            break
        block = refined
    order = {old: new for new, old in enumerate(dict.fromkeys(block))}
    plan: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in order]
    shortest, is_function = [0] * len(order), [False] * len(order)
    for state, expansions in enumerate(grammar.children):
        merged = [(number, tuple(order[block[child]] for child in after)) for number, after in expansions.items()]
        plan[order[block[state]]] = merged
        shortest[order[block[state]]] = int(grammar.shortest[state])
        is_function[order[block[state]]] = isinstance(grammar.states[state].type, Function)
    return Plan(plan, _outside(plan, shortest), is_function)


def _outside(plan: list[list[tuple[int, tuple[int, ...]]]], shortest: list[int]) -> list[int]:
    outside = [0] + [UNREACHABLE] * (len(plan) - 1)
    waiting = [0]
    while waiting:
        state = waiting.pop()
        for _, after in plan[state]:
            whole = outside[state] + 1 + sum(shortest[child] for child in after)
            for child in after:
                if whole - shortest[child] < outside[child]:
                    outside[child] = whole - shortest[child]
                    waiting.append(child)
    return outside
