"""Arguments in the order of the sentence: one spelling for programs that differ only in the order of equals.

`either_filter(black, blue)` and `either_filter(blue, black)` mean the same, and the search keeps either. A parser that
reads from left to right learns more easily if what is said first stands first. A language names its commutative
functions (`Language.commutative`); the lexicon says which words ask for which terminals.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from chorale.domain import Hints
from chorale.language import Program
from chorale.language.terms import Apply, Compose, Term, chained, subterms
from chorale.language.types import Function

Place = tuple[float, float]
"""Among the phrases that ask for something, and among the words of the sentence."""


def in_sentence_order(program: Program, hints: Hints, words: Sequence[str], commutative: Collection[str]) -> Program:
    """The program with the arguments of commutative functions in the order in which the sentence asks for them.

    The place of a terminal is the mean place of the phrases that ask for it. If these do not decide ("black and blue"
    may be one phrase), it is that of the words in its name. The place of an argument is the mean of its terminals;
    arguments without a place, or at the same, stay as they are.
    """
    asked: dict[str, list[int]] = {}
    for index, (_, wanted) in enumerate(hints.explains):
        for name in wanted:
            asked.setdefault(name, []).append(index)
    named = {name: [index for index, word in enumerate(words) if word in name.split("_")] for name in asked}
    places = {name: (fmean(indices), fmean(named[name] or [0])) for name, indices in asked.items()}
    return Program(_ordered(program.term, places, commutative), program.grammar)


def _ordered(term: Term, places: Mapping[str, Place], commutative: Collection[str]) -> Term:
    if isinstance(term, Compose):
        return chained([_ordered(part, places, commutative) for part in term.parts])
    arguments = [_ordered(argument, places, commutative) for argument in term.arguments]
    if term.name in commutative and isinstance(term.declared, Function):
        kinds = term.declared.arguments
        equals = [index for index, kind in enumerate(kinds[: len(arguments)]) if kind == kinds[0]]
        placed = [(place, index) for index in equals if (place := _place(arguments[index], places)) is not None]
        if len(placed) == len(equals):
            swapped = [arguments[index] for _, index in sorted(placed)]
            for index, argument in zip(equals, swapped, strict=True):
                arguments[index] = argument
    return replace(term, arguments=tuple(arguments))


def _place(term: Term, places: Mapping[str, Place]) -> Place | None:
    names = [part.name for part in subterms(term) if isinstance(part, Apply)]
    known = [places[name] for name in names if name in places]
    return (fmean(place for place, _ in known), fmean(place for _, place in known)) if known else None
