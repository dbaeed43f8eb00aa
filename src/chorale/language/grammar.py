"""The grammar of a language: which actions may follow each other, as one table of integers.

From the types of the functions these productions are derived:

    application   r -> [<a,b:r>, a, b]        a function with all its arguments
    currying      <b:r> -> [<a,b:r>, a]       all arguments but the last
    composition   <a:c> -> [*, <b:c>, <a:b>]  one function after another
    terminal      <a,b:r> -> name             a function or constant by its name

Left alone these give a program many derivations: `f(g(x))` is also `(f.g)(x)`, `f(k, x)` is also `f(k)(x)`, and
`f.g.h` nests in two ways. They are cut to **one** by restrictions that are carried along the derivation and never by
extra productions: each nonterminal on the stack stands in a *role*, and a state is a type with a role.

Where nothing is excluded, functions are applied one by one. A language may exclude the application of a function type,
such as `Set[Object] -> [<Set[Object]:Set[Object]>, Set[Object]]`. Its functions are then *indirect*: they are used
through composition with the function in front of them, `(f.g)(x)`. So the head of an application is one function with
the indirect ones that follow it, and its last argument begins with a direct one. Roles are made of these marks:

    SINGLE    no composition: left side of a composition, so that compositions nest to the right
    HEAD      function of an application: no currying if `f(k, x)` can be said
    DIRECT    begins with a direct function
    INDIRECT  indirect functions only

Productions that no program uses are dropped. Search, decoder masks and the printer all share `legal`, `children` and
`shortest`.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.language.types import Basic, Function, Type

UNREACHABLE = 1 << 20  # a completion longer than any program


class Kind(IntEnum):
    """How a production builds its left side."""

    APPLY = 0
    CURRY = 1
    COMPOSE = 2
    TERMINAL = 3


class Role(IntFlag):
    """Where a nonterminal stands, which decides what it may become; see the module's text."""

    FREE = 0
    SINGLE = 1
    HEAD = 2
    DIRECT = 4
    INDIRECT = 8


@dataclass(frozen=True, slots=True)
class Production:
    """One action. `right` lists the child types; it is empty for a terminal, which has a `name` instead."""

    kind: Kind
    left: Type
    right: tuple[Type, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        if self.kind is Kind.TERMINAL:
            return f"{self.left} -> {self.name}"
        star = ["*"] if self.kind is Kind.COMPOSE else []
        return f"{self.left} -> [{', '.join([*star, *map(str, self.right)])}]"


@dataclass(frozen=True, slots=True)
class State:
    """A nonterminal on the stack: a type in a role."""

    type: Type
    role: Role

    def __str__(self) -> str:
        marks = ", ".join(mark.name.lower() for mark in self.role if mark.name)
        return f"{self.type} ({marks})" if marks else str(self.type)


class Grammar:
    """Productions with stable ids, the states they connect, and what may follow what.

    `legal[state, production]` says whether a state may be expanded so, `children[state][production]` lists the states
    that are pushed (first to be expanded first), and `shortest[state]` is the least number of actions that complete it.
    """

    def __init__(
        self,
        signature: Mapping[str, Type],
        root: Type,
        *,
        composition: bool = True,
        currying: bool = True,
        excluded: frozenset[str] = frozenset(),
        open_types: tuple[Type, ...] = (),
        name: str = "Grammar",
    ) -> None:
        self.name = name
        self.signature = dict(signature)
        self.root = root
        self.open_types = open_types
        self.static = self
        """This grammar without the constants of a context."""
        derived = derived_productions(signature, composition, currying)
        unknown = excluded - {str(production) for production in derived}
        if unknown:
            raise ValueError(f"excluded productions that are not derived: {', '.join(sorted(unknown))}")
        structure = [production for production in derived if str(production) not in excluded]
        terminals = [Production(Kind.TERMINAL, kind, name=name) for name, kind in signature.items()]
        self.applicable = frozenset(made.right[0] for made in structure if made.kind is Kind.APPLY)
        self.indirect = _indirect(structure)
        # The productions that some whole program uses are kept and numbered: structure first, each part by its text.
        self.productions: tuple[Production, ...] = (*sorted(structure, key=str), *sorted(terminals, key=str))
        while len(kept := self._used()) < len(self.productions):  # dropping one may leave others without use
            if not kept:
                raise ValueError(f"no program of type {self.root} can be written in this language")
            self.productions = kept
            self._forget()

    def with_terminals(self, terminals: Mapping[str, Basic]) -> Grammar:
        """This grammar with the constants of one context behind its own productions, whose ids stay as they are."""
        for name, kind in terminals.items():
            if name in self.signature:
                raise ChoraleError(f"the context names a constant {name!r}, which the language already has")
            if kind not in self.open_types:
                allowed = ", ".join(map(str, self.open_types)) or "none"
                raise ChoraleError(
                    f"the context's constant {name!r} is a {kind}; types that a context may add to: {allowed}"
                )
        extended = copy.copy(self)
        extended._forget()
        extended.signature = {**self.signature, **terminals}
        extended.open_types = ()  # what this context does not name cannot be said
        added = [Production(Kind.TERMINAL, kind, name=name) for name, kind in terminals.items()]
        extended.productions = (*self.productions, *added)
        return extended

    # -- construction ------------------------------------------------------------------------------------------

    def _used(self) -> tuple[Production, ...]:
        """The productions that are legal in some state a program can reach."""
        used: set[int] = set()
        seen, waiting = {0}, [0]
        while waiting:
            for number, after in self.children[waiting.pop()].items():
                used.add(number)
                waiting += set(after) - seen
                seen.update(after)
        return tuple(self.productions[number] for number in sorted(used))

    def _forget(self) -> None:
        """The productions are others now."""
        for name, member in vars(Grammar).items():
            if isinstance(member, cached_property):
                self.__dict__.pop(name, None)

    @cached_property
    def _reached(self) -> tuple[list[State], list[dict[int, tuple[int, ...]]]]:
        """The states and what each may become, also where no program can be completed from there."""
        states = [State(self.root, Role.FREE)]
        numbers = {states[0]: 0}
        by_left: dict[Type, list[int]] = {}
        for number, production in enumerate(self.productions):
            by_left.setdefault(production.left, []).append(number)
        children: list[dict[int, tuple[int, ...]]] = []
        for state in states:  # grows while it is walked
            expansions = {}
            for number in by_left.get(state.type, ()):
                production = self.productions[number]
                if self._allowed(state, production):
                    after = [State(kind, role) for kind, role in _roles(state.role, production)]
                    for child in after:
                        if child not in numbers:
                            numbers[child] = len(states)
                            states.append(child)
                    expansions[number] = tuple(numbers[child] for child in after)
            children.append(expansions)
        return states, children

    def _allowed(self, state: State, production: Production) -> bool:
        """Whether the role of a state lets it become this."""
        role, kind = state.role, production.kind
        if kind is Kind.COMPOSE:
            return Role.SINGLE not in role
        if Role.HEAD in role and kind is Kind.CURRY and production.right[0] in self.applicable:
            return False
        if role & (Role.SINGLE | Role.HEAD) and role & (Role.DIRECT | Role.INDIRECT):
            function = production.right[0] if kind is Kind.CURRY else state.type
            return (function in self.indirect) == (Role.INDIRECT in role)
        return True

    # -- tables, made when somebody asks: a search in stages binds a grammar to every utterance and never does -----

    @cached_property
    def states(self) -> list[State]:
        """The nonterminals that can be reached; the root's is the first."""
        return self._reached[0]

    @cached_property
    def children(self) -> list[dict[int, tuple[int, ...]]]:
        """For each state the productions that a program can be completed with, and the states that each pushes."""
        return [
            {
                number: after
                for number, after in expansions.items()
                if all(self.shortest[child] < UNREACHABLE for child in after)
            }
            for expansions in self._reached[1]
        ]

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """Whether each state may be expanded by each production, (state, production)."""
        legal = np.zeros((len(self.states), len(self.productions)), dtype=bool)
        for row, expansions in enumerate(self.children):
            legal[row, list(expansions)] = True
        return legal

    @cached_property
    def shortest(self) -> NDArray[np.int32]:
        """For each state the number of actions of its shortest completion, by fixed-point iteration."""
        least = [1 if state.type in self.open_types else UNREACHABLE for state in self.states]
        shortest = np.array(least, dtype=np.int32)
        changed = True
        while changed:
            changed = False
            for row, expansions in enumerate(self._reached[1]):
                for after in expansions.values():
                    length = 1 + sum(int(shortest[child]) for child in after)
                    if length < shortest[row]:
                        shortest[row] = length
                        changed = True
        return shortest

    # -- looking things up -------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.productions)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each production by its text."""
        return {str(production): number for number, production in enumerate(self.productions)}

    @cached_property
    def terminal_ids(self) -> dict[str, int]:
        """The id of each function's and constant's production by its name."""
        return {p.name: number for number, p in enumerate(self.productions) if p.kind is Kind.TERMINAL}

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever a production, its id or a restriction changes: models store it."""
        rows = zip(self.states, self.children, strict=True)
        table = [[str(state), sorted(expansions.items())] for state, expansions in rows]
        text = json.dumps([list(map(str, self.productions)), table])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def count(self, max_actions: int) -> list[int]:
        """How many programs there are of each length from 0 to `max_actions`, without listing them."""
        counts = [[0] * (max_actions + 1) for _ in self.states]  # state -> length -> derivations
        for length in range(1, max_actions + 1):
            for row, expansions in enumerate(self.children):
                counts[row][length] = sum(_ways(counts, after, length - 1) for after in expansions.values())
        return counts[0]


def _ways(counts: list[list[int]], after: tuple[int, ...], length: int) -> int:
    """In how many ways the states `after` can be completed with exactly `length` actions together."""
    if not after:
        return int(length == 0)
    first, rest = counts[after[0]], after[1:]
    return sum(first[part] * _ways(counts, rest, length - part) for part in range(1, length + 1) if first[part])


def _roles(role: Role, production: Production) -> list[tuple[Type, Role]]:
    """The children of a production with the roles they stand in."""
    if production.kind is Kind.COMPOSE:
        outer, inner = production.right
        if Role.HEAD not in role:
            return [(outer, Role.SINGLE), (inner, Role.FREE)]
        return [(outer, Role.SINGLE | role & ~Role.HEAD), (inner, Role.HEAD | Role.INDIRECT)]
    roles = [Role.HEAD, *[Role.FREE] * (len(production.right) - 1)]
    if production.kind is Kind.APPLY:
        roles[0] |= Role.DIRECT if role is Role.DIRECT else Role.FREE
        roles[-1] = Role.DIRECT
    return list(zip(production.right, roles, strict=False))  # a terminal has no children


def _indirect(structure: list[Production]) -> frozenset[Type]:
    """The function types that the grammar composes but cannot apply, not even after currying."""
    applied = {made.right[0] for made in structure if made.kind is Kind.APPLY}
    composed = {kind for made in structure if made.kind is Kind.COMPOSE for kind in made.right} - applied
    curried = {made.right[0] for made in structure if made.kind is Kind.CURRY and made.left in composed} - applied
    return frozenset(composed | curried)


def derived_productions(signature: Mapping[str, Type], composition: bool, currying: bool) -> list[Production]:
    """All applications, curryings and compositions of the functions, closed under one another."""
    functions: dict[Function, None] = {}
    productions: list[Production] = []
    waiting: list[Type] = list(signature.values())
    while waiting:
        kind = waiting.pop(0)
        if not isinstance(kind, Function) or kind in functions:
            continue
        functions[kind] = None
        made = [Production(Kind.APPLY, kind.result, (kind, *kind.arguments))]
        if currying and not kind.is_unary:
            *first, _ = kind.arguments
            made.append(Production(Kind.CURRY, kind.after(len(first)), (kind, *first)))
        others = [other for other in functions if other.is_unary] if composition and kind.is_unary else []
        for outer, inner in dict.fromkeys(pair for other in others for pair in ((kind, other), (other, kind))):
            if inner.result == outer.arguments[0]:
                made.append(Production(Kind.COMPOSE, Function(inner.arguments, outer.result), (outer, inner)))
        waiting += [*kind.arguments, *(production.left for production in made)]
        productions += made
    return productions
