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
from functools import partial, reduce
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.language import Language, Program, terms
from chorale.language.execution import evaluate
from chorale.language.grammar import Kind
from chorale.language.terms import Term
from chorale.language.types import Basic, Function, Type
from chorale.search.budget import Budget, Usage
from chorale.search.entries import Entries, Offer, Ref, Rows, Source, called, chosen_of, equal, keys, number_of, take
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
        self._head_probes = [self._probes(one.right[0]) if one.right else () for one in self.grammar.productions]
        self._terms: dict[Ref, Term] = {}
        self._terminals: dict[int, tuple[str, ...]] = {}  # by `Entries.names`
        for cost in range(1, max_actions + 1):
            self._grow(cost)

    # -- what was found ----------------------------------------------------------------------------------------

    def found(self) -> list[tuple[int, Entries]]:
        """The levels of the root, cheapest first: number of actions, entries."""
        return list(self._levels[0].items())

    def terminals(self, ref: Ref) -> tuple[str, ...]:
        """The functions and constants of an entry, sorted, each as often as it is used."""
        level = self._levels[ref[0]][ref[1]]
        names = int(level.names[ref[2]])
        if names not in self._terminals:
            children = level.children(ref[2])
            own = () if children else (self.grammar.productions[level.production(ref[2])].name,)
            self._terminals[names] = tuple(sorted(chain(own, *map(self.terminals, children))))
        return self._terminals[names]

    def program(self, cost: int, row: int) -> Program:
        """The program of a root entry."""
        return Program(self.term((0, cost, row)), self.grammar)

    def term(self, ref: Ref) -> Term:
        """The term of an entry; entries share most of what they are made of, so parts are built once."""
        if ref not in self._terms:
            level = self._levels[ref[0]][ref[1]]
            production = self.grammar.productions[level.production(ref[2])]
            if production.kind is Kind.TERMINAL:
                self._terms[ref] = terms.named(production.name, production.left)
            else:
                join = terms.composed if production.kind is Kind.COMPOSE else terms.applied
                self._terms[ref] = reduce(join, map(self.term, level.children(ref[2])))
        return self._terms[ref]

    # -- growing -----------------------------------------------------------------------------------------------

    def _grow(self, cost: int) -> None:
        made: dict[Expansion, list[Offer]] = {}
        for state, expansions in enumerate(self._states.expansions):
            if cost + self._states.outside[state] > self.max_actions:
                continue  # no whole program has room for such a part
            offers: list[Offer] = []
            if cost == 1:
                for number in self._states.terminals[state]:
                    if self.allowed is None or self.grammar.productions[number].name in self.allowed:
                        offers.append(Offer.of(self._terminal(number)))
            else:
                for expansion in expansions:
                    if expansion not in made:
                        made[expansion] = [one for one in self._expand(expansion, cost) if len(one.usage)]
                    offers += made[expansion]
            if offers:
                level = self._without_known(state, cost, offers)
                if len(level):
                    self._levels[state][cost] = level

    def _without_known(self, state: int, cost: int, offers: Sequence[Offer]) -> Entries:
        """The entries whose meaning is new to the state, and for the root those that are accepted."""
        if state != 0 and self.most is not None and sum(len(offer.usage) for offer in offers) > self.most:
            return self._best(state, cost, offers, self.most)
        level = Entries.joined([offer.whole for offer in offers])
        if state == 0 and self.accept is not None:
            level = level.take(np.flatnonzero(self.accept(level.values[0])))
        if not level.values or not len(level):  # names of functions: nothing to compare
            return level
        if state == 0 and self.most_whole is not None and len(level) > self.most_whole:
            return self._best(state, cost, [Offer.of(level)], self.most_whole)
        kept = self._fresh(state, cost, level, np.arange(len(level)))
        return level.take(np.array(kept, dtype=np.intp)) if len(kept) < len(level) else level

    def _best(self, state: int, cost: int, offers: Sequence[Offer], most: int) -> Entries:
        """So many new entries, those that answer most words first; the others are not even made."""
        answers = self.budget.answers(np.concatenate([offer.usage for offer in offers]))
        order = np.argsort(-answers, kind="stable")
        kept: list[Entries] = []
        rows: list[Rows] = []
        missing = most
        for start in range(0, len(order), _CHUNK):
            chunk = order[start : start + _CHUNK]
            place = np.argsort(chunk)
            level = chosen_of(offers, chunk[place])
            if not level.values:  # names of functions: nothing to compare
                return Entries.joined([offer.whole for offer in offers])
            fresh = np.array(self._fresh(state, cost, level, np.argsort(place))[:missing], dtype=np.intp)
            kept.append(level.take(fresh))
            rows.append(chunk[place][fresh])
            missing -= len(fresh)
            if not missing:
                break
        return Entries.joined(kept).take(np.argsort(np.concatenate(rows)))

    def _fresh(self, state: int, cost: int, level: Entries, rows: Rows) -> list[int]:
        """Those of the rows whose meaning was not seen yet."""
        seen, fresh = self._seen[state], list[int]()
        found = keys([take(batch, rows) for batch in level.values], level.usage[rows])
        try:
            for row, key, is_kept in zip(rows.tolist(), found, self._kept(state, cost, level, rows), strict=True):
                if is_kept or key not in seen:
                    seen.add(key)
                    fresh.append(row)
        except TypeError:
            raise ChoraleError(
                f"values of {self.grammar.name} cannot be compared: give values that can be keys (tuples, not "
                "lists or arrays), or say `stacks = True` and work on arrays with one more axis in front"
            ) from None
        return fresh

    def _kept(self, state: int, cost: int, level: Entries, rows: Rows) -> list[bool]:
        """Which of the rows are never merged."""
        single, composed = (cost <= most and self._states.is_function[state] for most in self._sure)
        if not (single or composed):
            return [False] * len(rows)
        kinds = [self.grammar.productions[number].kind for number, _ in level.sources]
        kept = [composed if kind is Kind.COMPOSE else single for kind in kinds]
        return [kept[source] for source in level.made[rows].tolist()]

    def _expand(self, expansion: Expansion, cost: int) -> Iterator[Offer]:
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
        names = np.array([number_of(production.name)], dtype=np.uint64)
        return Entries.of(values, usage, names, (number, ()), (), self._states.width)

    def _compose(self, source: Source) -> Iterator[Offer]:
        """[*, outer, inner]: each outer function on the values of all inner ones."""
        number, ((state, cost), _) = source
        if self.outer is not None and cost > self.outer:
            return
        outer, inner = (self._levels[child][spent] for child, spent in source[1])
        outside = self.grammar.productions[number].right[0]
        is_alike = isinstance(outside, Function) and outside.arguments[0] == outside.result
        for row in range(len(outer)):
            rows, usage = self._affordable(inner.usage + outer.usage[row])
            if not len(rows):
                continue
            function = self._function((state, cost, row))
            inputs = [take(batch, rows) for batch in inner.values]
            values = [called(function, [batch], self.language.stacks) for batch in inputs]
            names = outer.names[row] + inner.names[rows]
            level = Entries.of(values, usage, names, source, (row, rows), self._states.width)
            repeats = self.budget.repeats(inner.usage[rows], int(outer.usage[row]))
            yield Offer.of(_with_effect(level, inputs, repeats) if is_alike and repeats.any() else level)

    def _apply(self, source: Source) -> Iterator[Offer]:
        """A function with arguments, all of them or (currying) all but the last."""
        if self._head_probes[source[0]]:
            yield from self._apply_probed(source)
            return
        heads, *levels = (self._levels[child][cost] for child, cost in source[1])
        combined, spent = self._combinations(levels)
        for row in range(len(heads)):
            fits, usage = self._affordable(spent + heads.usage[row])
            if len(fits):
                yield Offer(usage, partial(self._called, source, row, [chosen[fits] for chosen in combined], usage))

    def _called(self, source: Source, row: int, arguments: Sequence[Rows], usage: Usage, wanted: Rows) -> Entries:
        """What one function gives for the wanted ones of many arguments, which are rows of their levels."""
        production, children = self.grammar.productions[source[0]], source[1]
        heads, *levels = (self._levels[child][cost] for child, cost in children)
        rows = [argument[wanted] for argument in arguments]
        given = [
            self._argument(*chosen) for chosen in zip(production.right[1:], levels, children[1:], rows, strict=True)
        ]
        function = self._function((*children[0], row))
        functions = [function]
        if not isinstance(production.left, Basic):
            result = _last if production.kind is Kind.CURRY else _then
            functions = [partial(result, function, probe) for probe in self._probes(production.left)]
        values = [called(each, given, self.language.stacks) for each in functions]
        names = heads.names[row] + sum(level.names[part] for level, part in zip(levels, rows, strict=True))
        return Entries.of(values, usage[wanted], names, source, (row, *rows), self._states.width)

    def _apply_probed(self, source: Source) -> Iterator[Offer]:
        """A function of one argument, whose results on the probes are known already."""
        heads, inputs = (self._levels[child][cost] for child, cost in source[1])
        probes, others = self._head_probes[source[0]], list[int]()
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
                values, names = [take(heads.values[known], rows)], heads.names[rows] + inputs.names[row]
                yield Offer.of(Entries.of(values, usage, names, source, (rows, row), self._states.width))
        if not others:
            return
        remaining = np.array(others, dtype=np.intp)
        batch, spent = take(inputs.values[0], remaining), inputs.usage[remaining]
        results: dict[Ref, Any] = {}
        for row in range(len(heads)):
            rows, usage = self._affordable(spent + heads.usage[row])
            if len(rows):
                values = [take(self._results_on((*source[1][0], row), batch, results), rows)]
                names = heads.names[row] + inputs.names[remaining[rows]]
                made = Entries.of(values, usage, names, source, (row, remaining[rows]), self._states.width)
                yield Offer.of(made)

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

    def _combinations(self, levels: list[Entries]) -> tuple[list[Rows], Usage]:
        """Rows of each level for every combination that stays within the budget."""
        usage = levels[0].usage
        rows: list[Rows] = [np.arange(len(usage))]
        for level in levels[1:]:
            fits, usage = self._affordable((usage[:, np.newaxis] + level.usage).reshape(-1))
            rows = [*(chosen[fits // len(level)] for chosen in rows), fits % len(level)]
        return rows, usage

    def _affordable(self, usage: Usage) -> tuple[Rows, Usage]:
        """The rows that stay within the budget, and what they use."""
        rows = self.budget.allows(usage).nonzero()[0]
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
                self._functions[ref] = evaluate(self.term(ref), self.language)
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
