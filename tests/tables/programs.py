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
