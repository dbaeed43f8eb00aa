"""Completion: the names that may stand next in the text of a program.

What was written so far is read with a *hole* of each type behind it. Where the reader misses nothing but the
end of the text, a hole of that type may stand there, and so may every name that has the type once it is given some of
its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from chorale.language.grammar import Grammar
from chorale.language.reading import ProgramError
from chorale.language.reading import read as read_term
from chorale.language.types import Function, Type

_BEGUN = re.compile(r'(?:\w+|"(?:[^"\\]|\\.)*)$')


def completions(text: str, grammar: Grammar) -> tuple[int, list[tuple[str, Type]]]:
    """Where the name that `text` ends with begins, and the names that may stand there, each with its type.

    >>> from chorale.nlvr.languages.macro import Macro
    >>> start, names = completions("object_exists(bl", Macro.grammar)
    >>> start, [name for name, _ in names if name.startswith("bl")]
    (14, ['black', 'blue'])
    """
    begun = _BEGUN.search(text)
    start = begun.start() if begun else len(text)
    before = text[:start]
    if not before.strip():
        fitting = {grammar.root}
    else:
        kinds = {kind for given in grammar.signature.values() for kind in _after(given)}
        fitting = {kind for kind in kinds if _fits(before, kind, grammar.signature)}
    completing = [(name, kind) for name, kind in grammar.signature.items() if fitting.intersection(_after(kind))]
    return start, completing


def _after(kind: Type) -> Iterator[Type]:
    """The types that a name has with none of its arguments, with the first, and so on."""
    yield kind
    while isinstance(kind, Function):
        kind = kind.after(1)
        yield kind


def _fits(before: str, kind: Type, signature: Mapping[str, Type]) -> bool:
    """Whether a hole of a type may stand behind a text."""
    hole = "hole"
    while hole in signature:
        hole += "_"
    text = f"{before} {hole}"
    try:
        read_term(text, {**signature, hole: kind})
    except ProgramError as error:
        return error.offset >= len(text)
    return True
