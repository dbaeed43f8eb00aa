"""Terms: the one tree behind all spellings of a program.

A term is either a named function with the arguments it was given (`Apply`), or a chain of functions (`Compose`).
Building goes through `applied` and `composed`, which keep the tree in normal form: `(f.g)(x)` becomes `f(g(x))`,
`f(k)(x)` becomes `f(k, x)`, and chains are flat. Two programs are the same exactly if their terms are equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

from chorale.errors import ChoraleError
from chorale.language.types import Function, Type

MAX_DEPTH = 100
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*|\d+")


@dataclass(frozen=True, slots=True)
class Apply:
    """A named function or constant, and the arguments given so far, over one or more calls."""

    name: str
    arguments: tuple[Term, ...]
    type: Type
    declared: Type
    depth: int = field(compare=False)

    @property
    def parts(self) -> tuple[Apply, ...]:
        return (self,)


@dataclass(frozen=True, slots=True)
class Compose:
    """Functions one after another, outermost first; never less than two."""

    parts: tuple[Apply, ...]
    type: Function
    depth: int = field(compare=False)


Term = Apply | Compose


def named(name: str, kind: Type) -> Apply:
    """A function or constant by itself."""
    return Apply(name, (), kind, kind, 1)


def applied(function: Term, argument: Term) -> Term:
    """`function(argument)`: application if the argument has the parameter's type, else composition, else an error."""
    kind = function.type
    if not isinstance(kind, Function):
        raise ChoraleError(f"{written(function)} has type {kind} and takes no argument")
    wanted = kind.arguments[0]
    if argument.type == wanted:
        if isinstance(function, Apply):
            depth = _checked(max(function.depth, argument.depth + 1))
            return Apply(function.name, (*function.arguments, argument), kind.after(1), function.declared, depth)
        for part in reversed(function.parts):
            argument = applied(part, argument)
        return argument
    if kind.is_unary and isinstance(given := argument.type, Function) and given.is_unary and given.result == wanted:
        return composed(function, argument)
    raise ChoraleError(f"{written(function)} takes {wanted}, but {written(argument)} has type {argument.type}")


def composed(outer: Term, inner: Term) -> Compose:
    """`outer` after `inner`, both functions of one argument."""
    before, after = _open(inner), _open(outer)
    if before.result != after.arguments[0]:
        wanted, given = after.arguments[0], before.result
        raise ChoraleError(f"{written(outer)} takes {wanted}, but {written(inner)} gives {given}")
    parts = outer.parts + inner.parts
    depth = max(index + part.depth for index, part in enumerate(parts))
    return Compose(parts, Function(before.arguments, after.result), _checked(depth))


def _open(term: Term) -> Function:
    if isinstance(term.type, Function) and term.type.is_unary:
        return term.type
    raise ChoraleError(f"only functions with one open argument compose; {written(term)} has type {term.type}")


def chained(parts: Sequence[Term]) -> Term:
    """The composition of one function or more, outermost first."""
    return reduce(lambda inner, outer: composed(outer, inner), reversed(parts))


def _checked(depth: int) -> int:
    if depth > MAX_DEPTH:
        raise ChoraleError(f"the program is nested more than {MAX_DEPTH} levels deep")
    return depth


def calls(term: Apply) -> list[tuple[Term, ...]]:
    """The arguments, call by call: `negate_filter(yellow)(x)` has two calls of one argument each."""
    groups, given, kind = [], list(term.arguments), term.declared
    while given and isinstance(kind, Function):
        taken = len(kind.arguments)
        groups.append(tuple(given[:taken]))
        given, kind = given[taken:], kind.result
    return groups


def written(term: Term) -> str:
    """The canonical text, with the set pushed inward: `object_count_equals(2, yellow(all_objects))`."""
    if isinstance(term, Compose):
        return reduce(lambda inner, outer: f"{outer}({inner})", map(written, reversed(term.parts)))
    return quoted(term.name) + "".join(f"({', '.join(map(written, group))})" for group in calls(term))


def quoted(name: str) -> str:
    """A name as it stands in a text; one that is not a plain word, such as a cell of a table, in quotes."""
    return name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=not name.isprintable())


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything inside it, outermost first. Functions on their own and the tails of chains count."""
    yield term
    if isinstance(term, Compose):
        yield from subterms(term.parts[0])
        yield from subterms(chained(term.parts[1:]))
    else:
        for argument in term.arguments:
            yield from subterms(argument)
