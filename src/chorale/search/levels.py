"""Levels: for every state of the grammar and every number of actions, the entries that were kept.

Entries remember only what they were made of. A level tells what that is: which terminals an entry uses, its term, or
the function it stands for. Entries share most of what they are made of, so all of these are built once.
"""

from __future__ import annotations

from functools import reduce
from itertools import chain
from typing import Any

from chorale.language import Language, terms
from chorale.language.execution import evaluate
from chorale.language.grammar import Kind, Production
from chorale.language.terms import Term
from chorale.search.entries import Entries, Ref


class Levels:
    """The entries of one language on its contexts, by state and number of actions."""

    def __init__(self, language: Language, states: int) -> None:
        self.language, self.grammar = language, language.grammar
        self.of: list[dict[int, Entries]] = [{} for _ in range(states)]
        """For each state its levels, the cheapest first."""
        self._terms: dict[Ref, Term] = {}
        self._functions: dict[Ref, Any] = {}
        self._terminals: dict[int, tuple[str, ...]] = {}  # by `Entries.names`

    def production(self, ref: Ref) -> Production:
        """The production at the root of an entry."""
        return self.grammar.productions[self.of[ref[0]][ref[1]].production(ref[2])]

    def children(self, ref: Ref) -> list[Ref]:
        """What an entry was made of."""
        return self.of[ref[0]][ref[1]].children(ref[2])

    def terminals(self, ref: Ref) -> tuple[str, ...]:
        """The functions and constants of an entry, sorted, each as often as it is used."""
        names = self.of[ref[0]][ref[1]].collection(ref[2])
        if names not in self._terminals:
            children = self.children(ref)
            own = () if children else (self.production(ref).name,)
            self._terminals[names] = tuple(sorted(chain(own, *map(self.terminals, children))))
        return self._terminals[names]

    def term(self, ref: Ref) -> Term:
        """The term of an entry."""
        if ref not in self._terms:
            production = self.production(ref)
            if production.kind is Kind.TERMINAL:
                self._terms[ref] = terms.named(production.name, production.left)
            else:
                join = terms.composed if production.kind is Kind.COMPOSE else terms.applied
                self._terms[ref] = reduce(join, map(self.term, self.children(ref)))
        return self._terms[ref]

    def function(self, ref: Ref) -> Any:
        """A function entry as something that can be called on any input."""
        if ref not in self._functions:
            production = self.production(ref)
            if production.kind is Kind.TERMINAL:
                self._functions[ref] = self.language.implementation(production.name)
            else:
                self._functions[ref] = evaluate(self.term(ref), self.language)
        return self._functions[ref]
