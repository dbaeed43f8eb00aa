"""Programs by meaning: bottom-up enumeration that keeps one entry per meaning.

For every state of the grammar and every number of actions there is a level of entries. An entry has a value: that of
its type on all contexts, or for a function its results on *probes*, the inputs it will be given (`Language.probes`).
Two entries of a state with equal values are the same meaning (observational equivalence), and only the shorter is
kept. Entries are made level by level, all combinations of an action with smaller entries in one vector operation, and
remember only what they were made of; a program is assembled when somebody asks for it.

A `Budget` says how often each terminal may be used: entries count what they use, and combinations that use more than
there is are never computed. Spellings of a meaning that use different words are different entries, so that a longer
one that says what the sentence says is not lost to a shorter one that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.language import Language, Program
from chorale.language.derivation import folded
from chorale.language.execution import evaluate
from chorale.language.grammar import Kind
from chorale.language.types import Basic, Function, Type
from chorale.search.budget import Budget, Usage
from chorale.search.entries import Entries, Ref, Rows, Source, called, equal, keys, take
from chorale.search.states import Expansion, merged_states

Accept = Callable[[Any], NDArray[np.bool_]]

_SURE = (4, 0)  # single functions and compositions of so few actions are never merged
_THOROUGH = (5, 3)
_CHUNK = 512  # entries that are compared at a time


class Enumeration:
    """All meanings of at most `max_actions`, for one language on its contexts.

    `allowed` narrows the terminals, `accept` says which root entries are worth keeping, `most` bounds the entries of
    a level (those that answer most of the utterance's words stay), `most_whole` those of a level of whole programs, and
    `outer` the actions of the outer function of a composition.

    Functions are merged by what they give on the probes, but compositions call them on more; a `thorough` enumeration
    merges none that are short, and loses no meaning of up to nine actions that way.
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
        most_whole: int | None = None,
        outer: int | None = None,
        thorough: bool = False,
    ) -> None:
        self.language, self.grammar = language, language.grammar
        self.max_actions, self.allowed, self.outer = max_actions, allowed, outer
        self.most, self.most_whole = most, most_whole
        self.budget = budget or Budget()
        self.accept = accept
        self._states = merged_states(self.grammar)
        self._sure = _THOROUGH if thorough else _SURE
        self._levels: list[dict[int, Entries]] = [{} for _ in self._states.expansions]
        self._seen: list[set[Any]] = [set() for _ in self._states.expansions]
        self._functions: dict[Ref, Any] = {}
        self._terminals: dict[Ref, tuple[str, ...]] = {}
        for cost in range(1, max_actions + 1):
            self._grow(cost)

    # -- what was found ----------------------------------------------------------------------------------------

    def found(self) -> list[tuple[int, Entries]]:
        """The levels of the root, cheapest first: number of actions, entries."""
        return list(self._levels[0].items())

    def actions(self, ref: Ref) -> tuple[int, ...]:
        """The action sequence of an entry."""
        actions: list[int] = []
        waiting = [ref]
        while waiting:
            state, cost, row = waiting.pop()
            level = self._levels[state][cost]
            actions.append(level.production(row))
            waiting.extend(reversed(level.children(row)))
        return tuple(actions)

    def terminals(self, ref: Ref) -> tuple[str, ...]:
        """The functions and constants of an entry, sorted, each as often as it is used."""
        if ref not in self._terminals:
            level = self._levels[ref[0]][ref[1]]
            children = level.children(ref[2])
            own = () if children else (self.grammar.productions[level.production(ref[2])].name,)
            self._terminals[ref] = tuple(sorted(chain(own, *map(self.terminals, children))))
        return self._terminals[ref]

    def program(self, cost: int, row: int) -> Program:
        """The program of a root entry."""
        return Program.from_actions(self.actions((0, cost, row)), self.grammar)

    # -- growing -----------------------------------------------------------------------------------------------

    def _grow(self, cost: int) -> None:
        made: dict[Expansion, list[Entries]] = {}
        for state, expansions in enumerate(self._states.expansions):
            if cost + self._states.outside[state] > self.max_actions:
                continue  # no whole program has room for such a part
            parts: list[Entries] = []
            if cost == 1:
                for number in self._states.terminals[state]:
                    if self.allowed is None or self.grammar.productions[number].name in self.allowed:
                        parts.append(self._terminal(number))
            else:
                for expansion in expansions:
                    if expansion not in made:
                        made[expansion] = [part for part in self._expand(expansion, cost) if len(part)]
                    parts += made[expansion]
            if parts:
                level = self._without_known(state, cost, Entries.joined(parts))
                if len(level):
                    self._levels[state][cost] = level

    def _without_known(self, state: int, cost: int, level: Entries) -> Entries:
        """The entries whose meaning is new to the state, and for the root those that are accepted."""
        if state == 0 and self.accept is not None:
            level = level.take(np.flatnonzero(self.accept(level.values[0])))
        if not level.values or not len(level):  # names of functions: nothing to compare
            return level
        limit = self.most if state != 0 else self.most_whole
        most = limit if limit is not None and len(level) > limit else None
        order = np.arange(len(level)) if most is None else np.argsort(-self.budget.answers(level.usage), kind="stable")
        fresh: list[int] = []
        for start in range(0, len(order), _CHUNK):  # what a bounded level leaves out is not even looked at
            fresh += self._fresh(state, cost, level, order[start : start + _CHUNK])
            if most is not None and len(fresh) >= most:
                break
        kept = np.sort(np.array(fresh[:most], dtype=np.intp))
        return level.take(kept) if len(kept) < len(level) else level

    def _fresh(self, state: int, cost: int, level: Entries, rows: Rows) -> list[int]:
        """Those of the rows whose meaning was not seen yet."""
        seen, fresh = self._seen[state], list[int]()
        single, composed = (cost <= most and self._states.is_function[state] for most in self._sure)
        for row, key in zip(rows.tolist(), keys([take(b, rows) for b in level.values], level.usage[rows]), strict=True):
            try:
                is_known = key in seen
            except TypeError:
                raise ChoraleError(
                    f"values of {self.grammar.name} cannot be compared: give values that can be keys (tuples, not "
                    "lists or arrays), or say `stacks = True` and work on arrays with one more axis in front"
                ) from None
            is_composed = self.grammar.productions[level.production(row)].kind is Kind.COMPOSE
            if not is_known or (composed if is_composed else single):
                seen.add(key)
                fresh.append(row)
        return fresh

    def _expand(self, expansion: Expansion, cost: int) -> Iterator[Entries]:
        """All entries of this cost that one production makes."""
        number, children = expansion
        make = self._compose if self.grammar.productions[number].kind is Kind.COMPOSE else self._apply
        for costs in self._splits(children, cost - 1):
            yield from make((number, tuple(zip(children, costs, strict=True))))

    def _splits(self, children: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
        """The ways of dividing `total` actions among children for which there are entries."""
        if len(children) == 1:
            if total in self._levels[children[0]]:
                yield (total,)
            return
        for cost in self._levels[children[0]]:
            if cost < total:
                for others in self._splits(children[1:], total - cost):
                    yield (cost, *others)

    # -- one production ----------------------------------------------------------------------------------------

    def _terminal(self, number: int) -> Entries:
        production = self.grammar.productions[number]
        value = self.language.implementation(production.name)
        usage = np.array([self.budget.of(production.name)], dtype=np.int64)
        kind, results = production.left, [value]
        if not isinstance(kind, Basic):
            kind, results = kind.result, [value(probe) for probe in self._probes(kind)]
        values = [self.language.stacked(kind, result) if self.language.stacks else [result] for result in results]
        return Entries.of(values, usage, (number, ()), (), self._states.width)

    def _compose(self, source: Source) -> Iterator[Entries]:
        """[*, outer, inner]: each outer function on the values of all inner ones."""
        number, ((state, cost), _) = source
        if self.outer is not None and cost > self.outer:
            return
        outer, inner = (self._levels[child][spent] for child, spent in source[1])
        outside = self.grammar.productions[number].right[0]
        is_alike = isinstance(outside, Function) and outside.arguments[0] == outside.result
        for row in range(len(outer)):
            rows, usage = self._affordable(inner.usage + outer.usage[row])
            if len(rows):
                function = self._function((state, cost, row))
                inputs = [take(batch, rows) for batch in inner.values]
                values = [called(function, [batch], self.language.stacks) for batch in inputs]
                level = Entries.of(values, usage, source, (row, rows), self._states.width)
                repeats = self.budget.repeats(inner.usage[rows], int(outer.usage[row]))
                yield _with_effect(level, inputs, repeats) if is_alike and repeats.any() else level

    def _apply(self, source: Source) -> Iterator[Entries]:
        """A function with arguments, all of them or (currying) all but the last."""
        production, children = self.grammar.productions[source[0]], source[1]
        if self._probes(production.right[0]):
            yield from self._apply_probed(source)
            return
        heads, *levels = (self._levels[child][cost] for child, cost in children)
        for row in range(len(heads)):
            rows, usage = self._combinations(heads.usage[row], levels)
            if len(usage):
                function = self._function((*source[1][0], row))
                kinds = zip(production.right[1:], levels, children[1:], rows, strict=True)
                arguments = [self._argument(*chosen) for chosen in kinds]
                functions = [function]
                if not isinstance(production.left, Basic):
                    result = _last if production.kind is Kind.CURRY else _then
                    functions = [partial(result, function, probe) for probe in self._probes(production.left)]
                values = [called(each, arguments, self.language.stacks) for each in functions]
                yield Entries.of(values, usage, source, (row, *rows), self._states.width)

    def _apply_probed(self, source: Source) -> Iterator[Entries]:
        """A function of one argument, whose results on the probes are known already."""
        heads, inputs = (self._levels[child][cost] for child, cost in source[1])
        probes, others = self._probes(self.grammar.productions[source[0]].right[0]), list[int]()
        for row in range(len(inputs)):
            production = self.grammar.productions[inputs.production(row)]
            known = None
            if production.kind is Kind.TERMINAL:
                value = self.language.implementation(production.name)
                known = next((index for index, probe in enumerate(probes) if probe is value), None)
            if known is None:
                others.append(row)
            else:
                rows, usage = self._affordable(heads.usage + inputs.usage[row])
                yield Entries.of([take(heads.values[known], rows)], usage, source, (rows, row), self._states.width)
        if not others:
            return
        remaining = np.array(others, dtype=np.intp)
        batch, spent = take(inputs.values[0], remaining), inputs.usage[remaining]
        results: dict[Ref, Any] = {}
        for row in range(len(heads)):
            rows, usage = self._affordable(spent + heads.usage[row])
            if len(rows):
                values = [take(self._results_on((*source[1][0], row), batch, results), rows)]
                yield Entries.of(values, usage, source, (row, remaining[rows]), self._states.width)

    def _results_on(self, ref: Ref, batch: Any, results: dict[Ref, Any]) -> Any:
        """A function entry's results on a batch of inputs; the inner parts of chains are computed once."""
        if ref not in results:
            level = self._levels[ref[0]][ref[1]]
            outer = ref
            if self.grammar.productions[level.production(ref[2])].kind is Kind.COMPOSE:
                outer, inner = level.children(ref[2])
                batch = self._results_on(inner, batch, results)
            results[ref] = called(self._function(outer), [batch], self.language.stacks)
        return results[ref]

    def _combinations(self, start: int, levels: list[Entries]) -> tuple[list[Rows], Usage]:
        """Rows of each level for every combination that stays within the budget."""
        usage = np.array([start], dtype=np.int64)
        rows: list[Rows] = []
        for level in levels:
            fits, usage = self._affordable((usage[:, np.newaxis] + level.usage).reshape(-1))
            rows = [*(chosen[fits // len(level)] for chosen in rows), fits % len(level)]
        return rows, usage

    def _affordable(self, usage: Usage) -> tuple[Rows, Usage]:
        """The rows that stay within the budget, and what they use."""
        rows = np.flatnonzero(self.budget.allows(usage))
        return rows, usage[rows]

    # -- values ------------------------------------------------------------------------------------------------

    def _argument(self, kind: Type, level: Entries, child: tuple[int, int], rows: Rows) -> Any:
        """The rows of an argument: a batch of values, or functions that recall their results on the probes."""
        if isinstance(kind, Basic):
            return take(level.values[0], rows)
        if not self.language.stacks:
            return [self._function((*child, int(row))) for row in rows]
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
            production = self.grammar.productions[self._levels[ref[0]][ref[1]].production(ref[2])]
            if production.kind is Kind.TERMINAL:
                self._functions[ref] = self.language.implementation(production.name)
            else:
                self._functions[ref] = evaluate(folded(self.actions(ref), self.grammar), self.language)
        return self._functions[ref]

    def _probes(self, kind: Type) -> Sequence[Any]:
        """The inputs that tell functions of a type apart; none if it is no function of one argument."""
        return self.language.probes(kind.arguments[0]) if isinstance(kind, Function) and kind.is_unary else ()


def _with_effect(level: Entries, inputs: list[Any], repeats: NDArray[np.bool_]) -> Entries:
    """The entries that do not merely repeat something: square(yellow(square)) would only seem to answer more words."""
    idle = repeats.copy()
    for before, after in zip(inputs, level.values, strict=True):
        idle &= equal(before, after)
    return level.take(np.flatnonzero(~idle))


def _last(function: Any, probe: Any, *arguments: Any) -> Any:
    return function(*arguments, probe)


def _then(function: Any, probe: Any, *arguments: Any) -> Any:
    return function(*arguments)(probe)
