"""Rewriting: the shortest program that the laws of a language prove to mean the same.

A term is turned into a plain tree first, in which every function has all its arguments: `object_exists(yellow)`, a
function by itself, becomes `λ object_exists(yellow(•))`. So one law serves a filter wherever it stands, and a law is
matched name by name. A tree whose `•` has come to stand anywhere but at the end of the chain cannot be written as a
program; such a step is not taken.

Every step makes the program smaller: fewer names, or as many and an earlier one at the first place where they differ
(in the order of `Laws.order`). So it ends. The smallest program is always rewritten next, up to a number of programs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce
from heapq import heappop, heappush
from typing import NamedTuple
from weakref import WeakKeyDictionary

from chorale.language import derivation
from chorale.language.derivation import DerivationError
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.language.reading import read
from chorale.language.terms import Apply, Term, applied, chained, named
from chorale.language.types import Function, Type, type_of_annotation
from chorale.plumbing.cache import Cache

MOST_PROGRAMS = 32
"""How many programs are looked at before the best so far is good enough."""

_REMEMBERED = 2_048  # programs; the words of a program are asked for after it was simplified
_VARIABLE = re.compile(r"\?(\w+)(?::(\w+))?")
_FIRST = re.compile(r'[?\w]+|"(?:[^"\\]|\\.)*"')  # a name, a variable or a quoted name


class Tree(NamedTuple):
    """A name with all its arguments."""

    name: str
    parts: tuple[Tree, ...] = ()


Bindings = dict[str, Tree]
Key = tuple[int, str]

_HOLE = Tree("\0•")  # no name that a user can write begins so
_FUNCTION = "\0λ"
_MARKS = (_HOLE.name, _FUNCTION)
_BEHIND = chr(0x10FFFF)


class Rule(NamedTuple):
    """One direction of a law."""

    left: Tree
    right: Tree
    made_of: Mapping[str, frozenset[str]]
    """For some variables of the left side: the only names they may stand for."""
    is_sure: bool
    """Whether the right side is smaller whatever the variables stand for; else each case is looked at."""


def rewritten(program: Program, language: type[Language]) -> Program:
    """The smallest program that the language's laws lead to; the program itself if they lead nowhere."""
    if language not in _READY:
        if not language.laws:
            return program
        _READY[language] = Rewriting(language)
    return _READY[language].rewritten(program)


class Rewriting:
    """The laws of a language, ready to be applied."""

    def __init__(self, language: type[Language]) -> None:
        laws, self._signature = language.laws, language.grammar.signature
        self._grammar = language.grammar
        self._remembered: Cache[Program, Program] = Cache(_REMEMBERED)
        names = dict.fromkeys((*laws.order.split(), *self._signature))
        self._ranks = {name: chr(rank + 1) for rank, name in enumerate(names)}  # compared quickly, many at once
        self._variables = {f"?{name}": type_of_annotation(kind) for name, kind in laws.variables.items()}
        self._groups = {name: frozenset((*text.split(), *_MARKS)) for name, text in laws.groups.items()}
        self._rules: dict[tuple[str, str], list[Rule]] = {}  # by the name, and that of its last argument if it has one
        self._unread: dict[str, list[tuple[str, str]]] = {}  # laws by the outermost names of their sides
        for line in laws.lines():
            for number, sides in enumerate(laws.filled(line)):
                if number == 0:
                    list(self.rules(*sides))  # a law that cannot be read is told at once
                for name in {_outermost(side) for side in sides}:
                    self._unread.setdefault(name, []).append(sides)

    def rewritten(self, program: Program) -> Program:
        """The smallest program that laws lead to; it is remembered, unless its grammar is that of a single context."""
        if program.grammar is not self._grammar:
            return self._repeated(program)
        rewritten = self._remembered.get(program, lambda: self._repeated(program))
        return program if rewritten == program else rewritten

    def _repeated(self, program: Program) -> Program:
        before, after = program, self._smallest(program)
        while after is not before:  # the bound may have left something to do
            before, after = after, self._smallest(after)
        return after

    def _smallest(self, program: Program) -> Program:
        start = tree_of(program.term)
        known, waiting = {start}, [(self._key(start), start)]
        smaller: list[tuple[Key, Tree]] = []
        while waiting and len(smaller) < MOST_PROGRAMS:
            _, tree = heappop(waiting)
            for step in self.steps(tree):
                if step not in known:
                    known.add(step)
                    smaller.append((self._key(step), step))
                    heappush(waiting, smaller[-1])
        sayable = (_sayable(tree, program) for _, tree in sorted(smaller))
        return next(filter(None, sayable), program)

    def steps(self, tree: Tree) -> Iterator[Tree]:
        """What the tree becomes when one law is applied at one place, and makes it smaller."""
        name, parts = tree
        last = parts[-1].name if parts else ""
        self._read_about(last if name == _FUNCTION else name)
        for rule in (*self._rules.get((name, last), ()), *(self._rules.get((name, ""), ()) if last else ())):
            bindings: Bindings = {}
            if self._matches(rule.left, tree, rule, bindings):
                after = self._filled(rule.right, bindings)
                if rule.is_sure or self._key(after) < self._key(tree):
                    yield after
        for index, part in enumerate(parts):
            for after in self.steps(part):
                yield Tree(name, (*parts[:index], after, *parts[index + 1 :]))

    # -- laws as rules -----------------------------------------------------------------------------------------

    def _read_about(self, name: str) -> None:
        """Read the laws about a name when the first program has it: most programs need few of them."""
        for left, right in self._unread.pop(name, ()):
            for rule in self.rules(left, right):
                outer, parts = rule.left
                last = parts[-1].name if parts else ""
                if name == (last if outer == _FUNCTION else outer):
                    self._rules.setdefault((outer, "" if last in self._variables else last), []).append(rule)

    def rules(self, left: str, right: str) -> Iterator[Rule]:
        """A law in the directions in which it can be used."""
        limits = {f"?{name}": self._groups[group] for name, group in _VARIABLE.findall(f"{left} {right}") if group}
        sides = [self._pattern(tree_of(self.read(side))) for side in (left, right)]
        for one, other in (sides, reversed(sides)):
            inside = [part for part in _nodes(one) if part.name in self._variables]
            known = {part.name for part in inside}
            # A variable that is called, or one by itself, would match anywhere.
            is_matchable = one.name not in known and not any(part.parts for part in inside)
            is_told = all(part.name in known or part.name not in self._variables for part in _nodes(other))
            if is_matchable and is_told and (is_smaller := self._is_smaller(other, one)) is not False:
                yield Rule(one, other, limits, is_smaller is True)

    def _is_smaller(self, right: Tree, left: Tree) -> bool | None:
        """Whether one side is smaller than the other; None if it depends on what variables stand for."""
        sides = [[part.name for part in _nodes(side) if part.name not in _MARKS] for side in (right, left)]
        variables = [Counter(name for name in names if name in self._variables) for names in sides]
        if len(sides[0]) != len(sides[1]):
            is_shorter = len(sides[0]) < len(sides[1])
            decided = variables[0] <= variables[1] if is_shorter else variables[0] >= variables[1]
            return is_shorter if decided else None
        first = next((pair for pair in zip(*sides, strict=True) if pair[0] != pair[1]), None)
        if variables[0] != variables[1] or (first and any(name in self._variables for name in first)):
            return None
        return first is not None and self._ranks[first[0]] < self._ranks[first[1]]

    def read(self, side: str) -> Term:
        """One side of a law as a term in which variables are names."""
        quoted = _VARIABLE.sub(lambda variable: f'"?{variable[1]}"', side)
        return read(quoted, {**self._signature, **self._variables})

    def _pattern(self, tree: Tree) -> Tree:
        """The tree in which a function that is a mere variable is `λ ?f` instead of `λ ?f(•)`."""
        if tree.name in self._variables and tree.parts == (_HOLE,):
            return Tree(tree.name)
        return Tree(tree.name, tuple(map(self._pattern, tree.parts)))

    # -- matching ----------------------------------------------------------------------------------------------

    def _matches(self, pattern: Tree, tree: Tree, rule: Rule, bindings: Bindings) -> bool:
        """Whether the tree is an instance of the pattern; what its variables stand for is added to the bindings."""
        (name, parts), (function, given) = pattern, tree
        if name in self._variables:
            return _bound(name, tree, rule, bindings)
        if name != function or len(parts) != len(given):
            return False
        for part, other in zip(parts, given, strict=True):  # noqa: SIM110 - a loop, since this is where time goes
            if not self._matches(part, other, rule, bindings):
                return False
        return True

    def _filled(self, tree: Tree, bindings: Bindings) -> Tree:
        """The tree with what its variables stand for."""
        parts = tuple(self._filled(part, bindings) for part in tree.parts)
        if tree.name not in bindings:
            return Tree(tree.name, parts)
        return _put(parts[0], bindings[tree.name]) if parts else bindings[tree.name]

    def _key(self, tree: Tree) -> Key:
        """Smaller is better."""
        names = [part.name for part in _nodes(tree) if part.name not in _MARKS]
        return len(names), "".join([self._ranks.get(name) or f"{_BEHIND}{name}\0" for name in names])


def _outermost(side: str) -> str:
    """The name that one side of a law begins with; nothing if that is a variable, which is not a rule's left side."""
    word = _FIRST.search(side)
    name = "" if word is None or word[0].startswith("?") else word[0]
    return json.loads(name) if name.startswith('"') else name


def _bound(name: str, tree: Tree, rule: Rule, bindings: Bindings) -> bool:
    """Whether a variable may stand for the tree; if so, it does from now on."""
    if name in bindings:
        return bindings[name] == tree
    if name in rule.made_of and not all(part.name in rule.made_of[name] for part in _nodes(tree)):
        return False
    bindings[name] = tree
    return True


def _put(value: Tree, function: Tree) -> Tree:
    """The body of a function with a value in the place of its argument."""
    if function == _HOLE:
        return value
    if function.name == _FUNCTION:
        return function
    return Tree(function.name, tuple(_put(value, part) for part in function.parts))


def _nodes(tree: Tree) -> list[Tree]:
    """All trees inside a tree, outermost first."""
    nodes: list[Tree] = []
    waiting = [tree]
    while waiting:
        nodes.append(waiting.pop())
        waiting.extend(reversed(nodes[-1].parts))
    return nodes


# -- terms and trees ---------------------------------------------------------------------------------------------------


def tree_of(term: Term) -> Tree:
    """The term with all arguments given; a function of one argument gets a hole for it."""
    if isinstance(term.type, Function) and term.type.is_unary:
        body = reduce(lambda inner, part: _given(part, (inner,)), reversed(term.parts), _HOLE)
        return Tree(_FUNCTION, (body,))
    assert isinstance(term, Apply)
    return _given(term, ())


def _given(term: Apply, more: tuple[Tree, ...]) -> Tree:
    return Tree(term.name, (*map(tree_of, term.arguments), *more))


def term_of(tree: Tree, signature: Mapping[str, Type]) -> Term | None:
    """The term behind a tree; None if it cannot be written, because a hole is not at the end of a chain."""
    if tree.name == _HOLE.name:
        return None
    if tree.name != _FUNCTION:
        return _applied(tree.name, tree.parts, signature)
    chain: list[Term] = []
    inner = tree.parts[0]
    while inner != _HOLE:
        function = _applied(inner.name, inner.parts[:-1], signature) if inner.parts else None
        if function is None:
            return None
        chain.append(function)
        inner = inner.parts[-1]
    return chained(chain) if chain else None


def _applied(name: str, parts: tuple[Tree, ...], signature: Mapping[str, Type]) -> Term | None:
    term: Term = named(name, signature[name])
    for part in parts:
        argument = term_of(part, signature)
        if argument is None:
            return None
        term = applied(term, argument)
    return term


def _sayable(tree: Tree, like: Program) -> Program | None:
    """The tree as a program of the same grammar, if it can be written and derived."""
    term = term_of(tree, like.grammar.signature)
    if term is None:
        return None
    try:
        derivation.derived(term, like.grammar)
    except DerivationError:
        return None
    return Program(term, like.grammar)


_READY: WeakKeyDictionary[type[Language], Rewriting] = WeakKeyDictionary()
"""Laws are read once, which takes some hundredths of a second."""
