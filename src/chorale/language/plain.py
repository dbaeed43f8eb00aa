"""Plain words: a program said in English, as a question if it is one, by the wording of its language."""

from __future__ import annotations

from typing import Any

from chorale.language.execution import evaluate
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.language.rewriting import rewritten
from chorale.language.terms import subterms
from chorale.language.types import Function, type_of_annotation


def plain(program: Program, language: type[Language], *, simplify: bool = True) -> str | None:
    """The program in plain words, simplified first; None if there are none for it.

    There are none if the language has no wording, or none for a function of the program, or for a function by itself
    whose arguments the wording cannot think of.
    """
    wording = language.wording
    if wording is None:
        return None
    term = (rewritten(program, language) if simplify else program).term
    names = {part.name for inner in subterms(term) for part in inner.parts}
    if any(name not in wording.words for name in names if name in language.grammar.signature):
        return None
    phrase: Any = evaluate(term, wording)
    open_ = {type_of_annotation(it): standing for it, standing in wording.unsaid.items()}
    kind = program.type
    while isinstance(kind, Function):
        if not all(argument in open_ for argument in kind.arguments):
            return None
        phrase, kind = phrase(*(open_[argument] for argument in kind.arguments)), kind.result
    return phrase if isinstance(phrase, str) else str(phrase.said())
