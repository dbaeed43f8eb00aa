"""Random programs over a table for tests."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from hypothesis import strategies as st

from chorale.language import Function, Program, Type
from chorale.language.terms import Term, applied, named, written
from chorale.language.types import type_of_annotation
from chorale.tables.dates import Date
from chorale.tables.language import Constants, TableLanguage, constants_of, constants_of_words
from chorale.tables.language.types import CONTRASTS
from chorale.tables.table import Table

SPANS = ["rome", "oslo", "norway", "norwe", "bern switzerland", "total", "7", "1998", "may 3", "12", "ann", "r"]
QUANTITIES = [-1.0, 0.0, 1.0, 2.0, 2.5, 3.0, 12.0, 1998.0]
DECADES = [1990, 2000]
MOMENTS = [Date(1998, 5, 3), Date(1998, 5), Date(1998), Date(None, 5), Date(None, 5, 3), Date(2000, 12, 31)]


def all_constants(table: Table) -> Constants:
    """The constants of a table, and some words and numbers."""
    contrasts = [more for more, _ in CONTRASTS]
    return constants_of(table) | constants_of_words(SPANS, QUANTITIES, DECADES, contrasts, MOMENTS)


@st.composite
def programs(draw: st.DrawFn, language: TableLanguage, depth: int = 6) -> Program:
    """A whole program of a language that is bound to a table with views."""
    signature = language.grammar.signature
    return Program(_term(draw, signature, language.grammar.root, depth), language.grammar)


@st.composite
def texts_of(draw: st.DrawFn, language: TableLanguage, annotation: Any, depth: int = 3) -> str:
    """A part of a program, of any type, as its text."""
    return written(_term(draw, language.grammar.signature, type_of_annotation(annotation), depth))


def _term(draw: st.DrawFn, signature: Mapping[str, Type], kind: Type, depth: int) -> Term:
    made = [name for name, it in signature.items() if isinstance(it, Function) and it.result == kind]
    plain = [name for name, it in signature.items() if it == kind]
    name = draw(st.sampled_from(plain if plain and (depth <= 0 or not made) else [*made, *plain]))
    given = signature[name]
    arguments = given.arguments if isinstance(given, Function) else ()
    return reduce(applied, (_term(draw, signature, it, depth - 1) for it in arguments), named(name, given))


# -- programs of which no part is empty --------------------------------------------------------------------------------

WRAPPERS = {
    "Condition": ["count_where", "rows_where", "rows_where_not", "percent_of_rows"],
    "Rows": ["count", "longest_run", "cells", "total", "number", "most", "first", "next_row", "above", "same_as"],
    "Pair": ["difference_in_count", "shared", "is_more", "which_has_more"],
    "Cells": ["look_up", "most_common", "count_different"],
    "Sums": ["most_in_total", "least_in_total"],
    "Averages": ["most_on_average", "least_on_average"],
}
_TRIES = 4


def fitting_constants(table: Table) -> Constants:
    """The constants of a table, and words, numbers and dates that stand in it."""
    found = all_constants(table)
    for column in table.columns:
        words = [" ".join(stem.split()[:2]) for stem in column.values.stems if stem]
        found |= constants_of_words([*words[:3], *(word[:4] for word in words[:1])])
        found |= constants_of_words(moments=[it for it in column.values.dates[:3] if it is not None])
    for view in table.views:
        if view.kind != "date":
            found |= constants_of_words(quantities=[it for it in view.numbers.tolist()[:2] if it == it])  # noqa: PLR0124
    return found


@st.composite
def defined_programs(draw: st.DrawFn, language: TableLanguage, name: str) -> Program | None:
    """A whole program with a function in it, of which no part is empty; None if none was found."""
    term = _call(draw, language, name, 3)
    while term is not None and term.type != language.grammar.root:
        wrapper = draw(st.sampled_from(WRAPPERS[str(term.type)]))
        term = _call(draw, language, wrapper, 1, term)
    return None if term is None else Program(term, language.grammar)


def _call(draw: st.DrawFn, language: TableLanguage, name: str, depth: int, within: Term | None = None) -> Term | None:
    """A call of a function that is defined, with a given part in it."""
    kind = language.grammar.signature[name]
    for _ in range(_TRIES):
        arguments, left = [], within
        for wanted in kind.arguments if isinstance(kind, Function) else ():
            if left is not None and wanted == left.type:
                arguments.append(left)
                left = None
            else:
                arguments.append(_any_defined(draw, language, wanted, depth - 1))
        if None in arguments:
            continue
        term = reduce(applied, [it for it in arguments if it is not None], named(name, kind))
        if is_defined(language, term):
            return term
    return None


def _any_defined(draw: st.DrawFn, language: TableLanguage, kind: Type, depth: int) -> Term | None:
    signature = language.grammar.signature
    plain = [name for name, it in signature.items() if it == kind]
    made = [name for name, it in signature.items() if isinstance(it, Function) and it.result == kind]
    if plain and (depth <= 0 or not made):
        return named(name := draw(st.sampled_from(plain)), signature[name])
    if depth <= 0 and "is_filled" in made:
        made = ["is_filled", "equals", "contains", "over", "at_most"]
    return _call(draw, language, draw(st.sampled_from([*made, *plain])), depth)


def is_defined(language: TableLanguage, term: Term) -> bool:
    """Whether a part of a program is not empty on the table."""
    defined = language.defined(term.type, language.value(term)[None])
    return defined is None or bool(defined[0])
