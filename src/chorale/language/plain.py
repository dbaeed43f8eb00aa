"""Plain words: a program said in English, as a question if it is one, by the wording of its language."""

from __future__ import annotations

from typing import Any

from chorale.errors import ChoraleError
from chorale.language.execution import evaluate
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.language.rewriting import rewritten
from chorale.language.types import Function, type_of_annotation


def plain(program: Program, language: type[Language], *, simplify: bool = True) -> str | None:
    """The program in plain words, simplified first; None if there are none for it.

    There are none if the language has no wording, or for a function whose arguments it cannot think of.
    """
    wording = language.wording
    if wording is None:
        return None
    unworded = [name for name in language.grammar.signature if name not in wording.words]
    if unworded:
        raise ChoraleError(f"the wording of {language.grammar.name} has no words for {', '.join(unworded)}")
    phrase: Any = evaluate((rewritten(program, language) if simplify else program).term, wording)
    open_ = {type_of_annotation(it): standing for it, standing in wording.unsaid.items()}
    kind = program.type
    while isinstance(kind, Function):
        if not all(argument in open_ for argument in kind.arguments):
            return None
        phrase, kind = phrase(*(open_[argument] for argument in kind.arguments)), kind.result
    return phrase if isinstance(phrase, str) else str(phrase.said())
