"""Offers: all that one production makes of smaller entries, in vector operations.

A production applies a function to arguments, gives it all but the last (currying), or composes two functions. A
function is known by its results on *probes*, the inputs it will be given (`Language.probes`), so an entry that is a
function has a batch of values for each of them. Combinations that use more than the `Budget` has are never computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.language.grammar import Kind
from chorale.language.types import Basic, Function, Type
from chorale.search.budget import Budget, Usage
from chorale.search.entries import Entries, Offer, Ref, Rows, Source, called, equal, number_of, take
from chorale.search.levels import Levels
from chorale.search.states import Expansion
from chorale.search.work import Work


class Offers:
    """What could be made of the levels so far; `width` is the most children that a production has.

    `outer` bounds the actions of the outer function of a composition; `work` counts what is computed.
    """

    def __init__(self, levels: Levels, budget: Budget, width: int, outer: int | None, work: Work) -> None:
        self.language, self.grammar = levels.language, levels.grammar
        self.budget, self.width, self.outer = budget, width, outer
        self._work = work
        self._levels = levels
        self._head_probes = [self._probes(one.right[0]) if one.right else () for one in self.grammar.productions]

    def terminal(self, number: int) -> Offer:
        """A function or constant by itself."""
        production = self.grammar.productions[number]
        value = self.language.implementation(production.name)
        usage = np.array([self.budget.of(production.name)], dtype=np.int64)
        kind, results = production.left, [value]
        if not isinstance(kind, Basic):
            kind, results = kind.result, [value(probe) for probe in self._probes(kind)]
        values = [self.language.stacked(kind, result) if self.language.stacks else [result] for result in results]
        names = np.array([number_of(production.name)], dtype=np.uint64)
        return Offer.of(Entries.of(values, usage, np.zeros_like(usage), names, (number, ()), (), self.width))

    def expand(self, expansion: Expansion, cost: int) -> Iterator[Offer]:
        """All entries of this cost that one production makes."""
        number, children = expansion
        make = self._compose if self.grammar.productions[number].kind is Kind.COMPOSE else self._apply
        for costs in self._splits(children, cost - 1):
            parts = tuple(zip(children, costs, strict=True))
            if self.budget.has_room([self._levels.of[child][spent].least for child, spent in parts]):
                yield from make((number, parts))

    def _splits(self, children: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
        """The ways of dividing `total` actions among children for which there are entries."""
        if len(children) == 1:
            if total in self._levels.of[children[0]]:
                yield (total,)
            return
        for cost in self._levels.of[children[0]]:
            if cost < total:
                for others in self._splits(children[1:], total - cost):
                    yield (cost, *others)

    # -- one production ----------------------------------------------------------------------------------------

    def _compose(self, source: Source) -> Iterator[Offer]:
        """[*, outer, inner]: each outer function on the values of all inner ones."""
        number, ((state, cost), _) = source
        if self.outer is not None and cost > self.outer:
            return
        outer, inner = (self._levels.of[child][spent] for child, spent in source[1])
        outside = self.grammar.productions[number].right[0]
        is_alike = isinstance(outside, Function) and outside.arguments[0] == outside.result
        for row in range(len(outer)):
            rows, usage = self._affordable(inner.usage + outer.usage[row])
            if not len(rows):
                continue
            self._work.spend(len(rows) * len(inner.values))
            function = self._levels.function((state, cost, row))
            inputs = [take(batch, rows) for batch in inner.values]
            values = [called(function, [batch], self.language.stacks) for batch in inputs]
            names = outer.names[row] + inner.names[rows]
            gaps = outer.gaps[row] + inner.gaps[rows] + self.budget.gaps(usage)
            gaps += self.budget.turned(int(outer.usage[row]), inner.usage[rows])
            level = Entries.of(values, usage, gaps, names, source, (row, rows), self.width)
            repeats = self.budget.repeats(inner.usage[rows], int(outer.usage[row]))
            yield Offer.of(_with_effect(level, inputs, repeats) if is_alike and repeats.any() else level)

    def _apply(self, source: Source) -> Iterator[Offer]:
        """A function with arguments, all of them or (currying) all but the last."""
        if self._head_probes[source[0]]:
            yield from self._apply_probed(source)
            return
        heads, *levels = (self._levels.of[child][cost] for child, cost in source[1])
        combined, spent = self._combinations(levels)
        if not len(spent):
            return
        before = np.zeros_like(spent)
        for level, chosen in zip(levels, combined, strict=True):
            before += level.gaps[chosen]
        for row, own in enumerate(heads.usage.tolist()):
            fits, usage = self._affordable(spent + own)
            if len(fits):
                gaps = heads.gaps[row] + before[fits] + self.budget.gaps(usage)
                arguments = [chosen[fits] for chosen in combined]
                yield Offer(usage, gaps, partial(self._called, source, row, arguments, usage, gaps))

    def _called(
        self, source: Source, row: int, arguments: Sequence[Rows], usage: Usage, gaps: Usage, wanted: Rows
    ) -> Entries:
        """What one function gives for the wanted ones of many arguments, which are rows of their levels."""
        production, children = self.grammar.productions[source[0]], source[1]
        heads, *levels = (self._levels.of[child][cost] for child, cost in children)
        rows = [argument[wanted] for argument in arguments]
        probes = () if isinstance(production.left, Basic) else self._probes(production.left)
        self._work.spend(len(wanted) * max(1, len(probes)))
        given = [
            self._argument(*chosen) for chosen in zip(production.right[1:], levels, children[1:], rows, strict=True)
        ]
        function = self._levels.function((*children[0], row))
        functions = [function]
        if not isinstance(production.left, Basic):
            result = _last if production.kind is Kind.CURRY else _then
            functions = [partial(result, function, probe) for probe in probes]
        values = [called(each, given, self.language.stacks) for each in functions]
        names = heads.names[row] + sum(level.names[part] for level, part in zip(levels, rows, strict=True))
        return Entries.of(values, usage[wanted], gaps[wanted], names, source, (row, *rows), self.width)

    def _apply_probed(self, source: Source) -> Iterator[Offer]:
        """A function of one argument, whose results on the probes are known already."""
        heads, inputs = (self._levels.of[child][cost] for child, cost in source[1])
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
                gaps = heads.gaps[rows] + inputs.gaps[row] + self.budget.gaps(usage)
                yield Offer.of(Entries.of(values, usage, gaps, names, source, (rows, row), self.width))
        if not others:
            return
        remaining = np.array(others, dtype=np.intp)
        batch, spent = take(inputs.values[0], remaining), inputs.usage[remaining]
        results: dict[Ref, Any] = {}
        for row in range(len(heads)):
            rows, usage = self._affordable(spent + heads.usage[row])
            if len(rows):
                self._work.spend(len(remaining))
                values = [take(self._results_on((*source[1][0], row), batch, results), rows)]
                names = heads.names[row] + inputs.names[remaining[rows]]
                gaps = heads.gaps[row] + inputs.gaps[remaining[rows]] + self.budget.gaps(usage)
                made = Entries.of(values, usage, gaps, names, source, (row, remaining[rows]), self.width)
                yield Offer.of(made)

    def _results_on(self, ref: Ref, batch: Any, results: dict[Ref, Any]) -> Any:
        """A function entry's results on a batch of inputs; the inner parts of chains are computed once."""
        if ref not in results:
            outer = ref
            if self._levels.production(ref).kind is Kind.COMPOSE:
                outer, inner = self._levels.children(ref)
                batch = self._results_on(inner, batch, results)
            results[ref] = called(self._levels.function(outer), [batch], self.language.stacks)
        return results[ref]

    def _combinations(self, levels: list[Entries]) -> tuple[list[Rows], Usage]:
        """Rows of each level for every combination that stays within the budget."""
        usage = levels[0].usage
        rows: list[Rows] = [np.arange(len(usage))]
        for level in levels[1:]:
            self._work.spend(len(usage) * len(level))
            together = usage[:, np.newaxis] + level.usage
            before, own = self.budget.allows(together).nonzero()
            rows, usage = [*(chosen[before] for chosen in rows), own], together[before, own]
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
            return [self._levels.function((*child, int(row))) for row in rows]
        probes = self._probes(kind)
        batches = [take(batch, rows) for batch in level.values]

        def recall(value: Any) -> Any:
            for probe, batch in zip(probes, batches, strict=True):
                if probe is value:
                    return batch
            raise LookupError(f"a function of the language calls its {kind} argument on something that is no probe")

        return recall

    def _probes(self, kind: Type) -> Sequence[Any]:
        """The inputs that tell functions of a type apart; none if it is not a function of one argument."""
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
