"""Running programs: each function of a term is called once, on all contexts at once.

A language's methods compute on a whole corpus (see `chorale.nlvr.pictures.worlds`), so one walk over the term gives the
program's value in every context. Only the methods of the language are ever called, never text.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Protocol

from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.language.terms import Compose, Term, calls
from chorale.language.types import Function

if TYPE_CHECKING:
    from chorale.language.language import Language


class Interpretation(Protocol):
    """Whatever gives each function and constant something to compute with: a language, or its words."""

    def implementation(self, name: str) -> Any: ...


def run(program: Program, language: Language) -> Any:
    """The value of a program on the worlds that a language is bound to."""
    if program.grammar is not language.grammar and program.grammar.signature != language.grammar.signature:
        ours, theirs = program.grammar, language.grammar
        foreign = sorted(ours.signature.keys() - theirs.signature.keys())
        if ours.name == theirs.name and foreign:
            raise ChoraleError(f"the program names {foreign[0]!r}, a constant of another context")
        raise ChoraleError(f"the program is written in {ours.name}, not in {theirs.name}")
    return language.executed(program.term)


def evaluate(term: Term, language: Interpretation) -> Any:
    """The value of a term: that of its type, or a callable for a function."""
    if isinstance(term, Compose):
        functions = [evaluate(part, language) for part in reversed(term.parts)]
        return lambda value: reduce(lambda argument, function: function(argument), functions, value)
    value, kind = language.implementation(term.name), term.declared
    for group in calls(term):
        assert isinstance(kind, Function)
        arguments = [evaluate(argument, language) for argument in group]
        value = value(*arguments) if len(group) == len(kind.arguments) else partial(value, *arguments)
        kind = kind.result
    return value
