"""Other ways to write a program: curried, composed, with dots, in Lisp, with odd spaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from hypothesis import strategies as st

from chorale.language.terms import Apply, Compose, Term, applied, named, quoted


@dataclass(frozen=True)
class Call:
    function: Spelling
    arguments: tuple[Spelling, ...]


@dataclass(frozen=True)
class Chain:
    links: tuple[Spelling, ...]


Spelling = str | Call | Chain


@st.composite
def spellings(draw: st.DrawFn, term: Term) -> Spelling:
    """A random spelling of a term."""
    if isinstance(term, Compose):
        return Chain(tuple(draw(spellings(part)) for part in term.parts))
    if not term.arguments:
        return quoted(term.name)
    *_, last = term.arguments
    function = _before_last(term)
    ways = ["together", "curried"]
    if isinstance(last, Apply) and last.arguments and last.type == function.type.arguments[0]:  # type: ignore[union-attr]
        inner = _before_last(last)
        if len(function.type.arguments) == len(inner.type.arguments) == 1:  # type: ignore[union-attr]
            ways.append("composed")
    way = draw(st.sampled_from(ways))
    if way == "composed":
        links = (draw(spellings(function)), draw(spellings(inner)))
        return Call(Chain(links), (draw(spellings(last.arguments[-1])),))  # type: ignore[union-attr]
    if way == "curried":
        return Call(draw(spellings(function)), (draw(spellings(last)),))
    before = draw(spellings(function))
    argument = draw(spellings(last))
    if isinstance(before, Call):
        return Call(before.function, (*before.arguments, argument))
    return Call(before, (argument,))


def _before_last(term: Apply) -> Apply:
    function = reduce(applied, term.arguments[:-1], named(term.name, term.declared))
    assert isinstance(function, Apply)
    return function


@st.composite
def call_texts(draw: st.DrawFn, spelling: Spelling) -> str:
    """A spelling in call form, with dots or calls for compositions and spaces anywhere."""
    if isinstance(spelling, str):
        return _spaced(draw, spelling)
    if isinstance(spelling, Chain):
        links = [draw(call_texts(link)) for link in spelling.links]
        if draw(st.booleans()):
            return _spaced(draw, f"({'.'.join(links)})")
        return reduce(lambda inner, outer: f"{outer}({inner})", reversed(links))
    arguments = ",".join(draw(call_texts(argument)) for argument in spelling.arguments)
    return f"{draw(call_texts(spelling.function))}({arguments})"


@st.composite
def lisp_texts(draw: st.DrawFn, spelling: Spelling) -> str:
    """A spelling in Lisp form; a chain of three nests in two ways or stays flat."""
    if isinstance(spelling, str):
        return _spaced(draw, spelling)
    if isinstance(spelling, Call):
        parts = [draw(lisp_texts(part)) for part in (spelling.function, *spelling.arguments)]
        return f"({' '.join(parts)})"
    links = [draw(lisp_texts(link)) for link in spelling.links]
    nesting = draw(st.sampled_from(["flat", "left", "right"]))
    if nesting == "left":
        return reduce(lambda outer, inner: f"(* {outer} {inner})", links)
    if nesting == "right":
        return reduce(lambda inner, outer: f"(* {outer} {inner})", reversed(links))
    return f"(* {' '.join(links)})"


def _spaced(draw: st.DrawFn, text: str) -> str:
    return draw(st.sampled_from(["", "", " ", "\n\t"])) + text + draw(st.sampled_from(["", "", "  "]))
