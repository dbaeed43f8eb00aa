"""One derivation per program: in the languages of the paper, and in any language at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from itertools import islice

import pytest
from hypothesis import given, settings
from tests.enumerated import enumerated
from tests.strategies import grammars

from chorale.language import Grammar, Kind, Production, Program, Type
from chorale.language.derivation import actions_of, term_of
from chorale.language.grammar import derived_productions
from chorale.language.terms import Term, applied, composed, named
from chorale.nlvr import Consistent, Macro

FIGURE_3 = "box_count_equals(1, box_filter(all_boxes, object_count_greater_equals(2)(yellow(square))))"
FIGURE_3_ACTIONS = (
    "bool -> [<int,Set[Box]:bool>, int, Set[Box]]",
    "<int,Set[Box]:bool> -> box_count_equals",
    "int -> 1",
    "Set[Box] -> [<Set[Box],<Set[Object]:bool>:Set[Box]>, Set[Box], <Set[Object]:bool>]",
    "<Set[Box],<Set[Object]:bool>:Set[Box]> -> box_filter",
    "Set[Box] -> all_boxes",
    "<Set[Object]:bool> -> [*, <Set[Object]:bool>, <Set[Object]:Set[Object]>]",
    "<Set[Object]:bool> -> [<int,Set[Object]:bool>, int]",
    "<int,Set[Object]:bool> -> object_count_greater_equals",
    "int -> 2",
    "<Set[Object]:Set[Object]> -> [*, <Set[Object]:Set[Object]>, <Set[Object]:Set[Object]>]",
    "<Set[Object]:Set[Object]> -> yellow",
    "<Set[Object]:Set[Object]> -> square",
)


def test_the_program_of_figure_3_has_exactly_its_13_actions() -> None:
    assert Consistent.parse(FIGURE_3).actions == FIGURE_3_ACTIONS


def test_the_actions_of_figure_3_build_its_program() -> None:
    assert Program.from_actions(FIGURE_3_ACTIONS, Consistent.grammar).text == FIGURE_3


def test_a_yellow_object_above_a_black_one_takes_9_actions() -> None:
    assert len(Consistent.parse("object_exists(yellow(above(black(all_objects))))").actions) == 9


@pytest.mark.parametrize("grammar", [Consistent.grammar, Macro.grammar], ids=["consistent", "macro"])
def test_programs_of_at_most_7_actions_have_one_derivation_each(grammar: Grammar) -> None:
    _check_one_derivation_each(grammar, 7)


@pytest.mark.slow
def test_programs_of_at_most_9_actions_have_one_derivation_each() -> None:
    _check_one_derivation_each(Consistent.grammar, 9)


def _check_one_derivation_each(grammar: Grammar, max_actions: int, most: int | None = None) -> None:
    built: dict[Term, tuple[int, ...]] = {}
    for actions in islice(enumerated(grammar, max_actions), most):
        term = term_of(actions, grammar)
        assert term not in built, f"{Program(term, grammar)} is built by {built[term]} and by {actions}"
        built[term] = actions
        assert actions_of(term, grammar) == actions


# -- nothing is lost ----------------------------------------------------------------------------------------------


def test_restrictions_remove_derivations_and_never_programs() -> None:
    """Whatever the productions build when roles are ignored has a derivation, and it builds the same program."""
    names = (
        "1 all_boxes all_objects box_exists box_filter box_filter_and negate_filter object_count_equals object_exists"
    )
    kept = {name: Consistent.grammar.signature[name] for name in [*names.split(), "object_in_box", "yellow"]}
    grammar = Grammar(kept, Consistent.grammar.root, excluded=Consistent.excluded)
    derived = [made for made in derived_productions(kept, True, True) if str(made) not in Consistent.excluded]
    terms = _unrestricted([*derived, *(Production(Kind.TERMINAL, kind, name=name) for name, kind in kept.items())], 13)
    assert len(terms[grammar.root]) > 400
    for term in terms[grammar.root]:
        assert term_of(actions_of(term, grammar), grammar) == term


def _unrestricted(productions: list[Production], max_actions: int) -> dict[Type, set[Term]]:
    """All terms of each type that some derivation of at most so many actions builds."""
    exact: dict[tuple[Type, int], set[Term]] = defaultdict(set)
    for size in range(1, max_actions + 1):
        for made in productions:
            exact[made.left, size] |= {_built(made, parts) for parts in _parts(made.right, size - 1, exact)}
    together: dict[Type, set[Term]] = defaultdict(set)
    for (kind, _), terms in exact.items():
        together[kind] |= terms
    return together


def _parts(kinds: tuple[Type, ...], size: int, exact: dict[tuple[Type, int], set[Term]]) -> Iterator[tuple[Term, ...]]:
    if not kinds:
        if size == 0:
            yield ()
        return
    for first in range(1, size + 1):
        for term in list(exact[kinds[0], first]):
            for rest in _parts(kinds[1:], size - first, exact):
                yield (term, *rest)


def _built(made: Production, parts: tuple[Term, ...]) -> Term:
    if made.kind is Kind.TERMINAL:
        return named(made.name, made.left)
    return reduce(composed if made.kind is Kind.COMPOSE else applied, parts)


# -- random languages ---------------------------------------------------------------------------------------------


@settings(max_examples=4 * settings.default.max_examples)
@given(grammars())
def test_programs_of_any_language_have_one_derivation_each(grammar: Grammar) -> None:
    _check_one_derivation_each(grammar, 12, most=200)


@settings(max_examples=4 * settings.default.max_examples)
@given(grammars())
def test_in_any_language_texts_are_read_back(grammar: Grammar) -> None:
    for actions in islice(enumerated(grammar, 10), 100):
        program = Program.from_actions(actions, grammar)
        assert Program.parse(program.text, grammar) == program
        assert Program.parse(program.lisp, grammar) == program
