"""The grammar of each language: sizes, counts, stable ids, and room for the constants of a context."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.enumerated import enumerated
from tests.strategies import programs

from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Grammar, Kind, Language, Program, Type, constants, function, run
from chorale.nlvr import Consistent, Macro


@pytest.mark.parametrize(
    ("grammar", "functions", "productions"),
    [(Consistent.grammar, 64, 94), (Macro.grammar, 86, 114)],
    ids=["consistent", "macro"],
)
def test_sizes(grammar: Grammar, functions: int, productions: int) -> None:
    numbers_colors_and_shapes = {Basic("int"), Basic("Color"), Basic("Shape")}
    kinds = Counter(kind in numbers_colors_and_shapes for kind in grammar.signature.values())
    assert (kinds[False], kinds[True]) == (functions, 15)
    assert len(grammar) == productions
    assert len(grammar.terminal_ids) == len(grammar.signature)


def test_how_many_programs_the_consistent_language_has() -> None:
    counts = Consistent.grammar.count(11)
    assert sum(counts[:8]) == 7_435
    assert sum(counts) == 4_729_490


@pytest.mark.parametrize("grammar", [Consistent.grammar, Macro.grammar], ids=["consistent", "macro"])
def test_count_agrees_with_enumerate(grammar: Grammar) -> None:
    lengths = Counter(map(len, enumerated(grammar, 7)))
    assert [lengths[length] for length in range(8)] == grammar.count(7)


@pytest.mark.parametrize("grammar", [Consistent.grammar, Macro.grammar], ids=["consistent", "macro"])
def test_every_production_is_used_by_some_program(grammar: Grammar) -> None:
    missing = set(range(len(grammar)))
    for actions in enumerated(grammar, 9 if grammar is Consistent.grammar else 7):
        missing -= set(actions)
        if not missing:
            return
    assert {str(grammar.productions[number]) for number in missing} == set()


@pytest.mark.parametrize("grammar", [Consistent.grammar, Macro.grammar], ids=["consistent", "macro"])
def test_legal_and_children_say_the_same_and_shortest_is_the_length_of_a_completion(grammar: Grammar) -> None:
    for place, expansions in enumerate(grammar.children):
        assert set(grammar.legal[place].nonzero()[0]) == set(expansions)
        lengths = [1 + sum(grammar.shortest[child] for child in after) for after in expansions.values()]
        assert grammar.shortest[place] == min(lengths)
        assert all(grammar.productions[number].left == grammar.states[place].type for number in expansions)


def test_a_name_has_one_id_wherever_it_stands() -> None:
    grammar = Consistent.grammar
    assert len({production.name for production in grammar.productions if production.kind is Kind.TERMINAL}) == 79
    assert len({str(production) for production in grammar.productions}) == len(grammar)


# -- fingerprint --------------------------------------------------------------------------------------------------

A, B = Basic("a"), Basic("b")
SMALL: dict[str, Type] = {"x": A, "f": Function((A,), B), "g": Function((B,), B), "h": Function((A, B), B)}


@pytest.mark.parametrize(
    "changed",
    [
        Grammar({**SMALL, "y": A}, B),
        Grammar({**SMALL, "f": Function((A, A), B)}, B),
        Grammar({name: kind for name, kind in SMALL.items() if name != "g"}, B),
        Grammar({"z": A, **{name: kind for name, kind in SMALL.items() if name != "x"}}, B),
        Grammar(SMALL, B, excluded=frozenset({"b -> [<b:b>, b]"})),
        Grammar(SMALL, B, excluded=frozenset({"b -> [<a,b:b>, a, b]"})),
    ],
)
def test_the_fingerprint_changes_with_the_grammar(changed: Grammar) -> None:
    assert changed.fingerprint != Grammar(SMALL, B).fingerprint


def test_ids_and_fingerprint_do_not_depend_on_the_order_of_declaration() -> None:
    turned = Grammar(dict(reversed(SMALL.items())), B)
    assert turned.fingerprint == Grammar(SMALL, B).fingerprint
    assert turned.ids == Grammar(SMALL, B).ids


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_fingerprint_is_the_same_in_every_process(seed: str) -> None:
    code = (
        "from chorale.nlvr import Consistent, Macro; print(Consistent.grammar.fingerprint, Macro.grammar.fingerprint)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout.split() == [Consistent.grammar.fingerprint, Macro.grammar.fingerprint]


# -- restrictions of a language -----------------------------------------------------------------------------------


def test_excluding_what_is_not_derived_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="not derived: b -> "):
        Grammar(SMALL, B, excluded=frozenset({"b -> [<a:a>, a]"}))


def test_a_language_without_programs_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no program of type c"):
        Grammar(SMALL, Basic("c"))


def test_indirect_functions_of_two_arguments_compose_too() -> None:
    """A filter with a constant, `keep(k)`, moves into the head as a plain filter does if neither can be applied."""
    signature: dict[str, Type] = {
        "x": A,
        "f": Function((A,), B),
        "k": B,
        "keep": Function((B, A), A),
        "g": Function((A,), A),
    }
    grammar = Grammar(signature, B, excluded=frozenset({"a -> [<a:a>, a]", "a -> [<b,a:a>, b, a]"}))
    program = Program.parse("f(g(keep(k, g(x))))", grammar)
    assert program.lisp == "((* f (* g (* (keep k) g))) x)"
    assert Program.from_actions(program.actions, grammar) == program


# -- constants of a context ---------------------------------------------------------------------------------------


class Cell(str):
    """A cell of a table."""


class Table(Language):
    """A tiny language over one table, whose cells are its constants."""

    root = bool
    open_types = (Cell,)
    limits = constants(int, {"1": 1, "2": 2})

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows

    @function
    def there(self, cell: Cell) -> bool:
        return cell in self.rows

    @function
    def often(self, times: int, cell: Cell) -> bool:
        return self.rows.count(cell) >= times


CELL = Basic("Cell")
CELLS = st.text(min_size=1).filter(lambda name: name not in Table.grammar.signature)


@given(st.data(), st.sets(CELLS, min_size=1, max_size=5))
def test_constants_of_a_context_round_trip_and_static_ids_stay(data: st.DataObject, cells: set[str]) -> None:
    grammar = Table.grammar.with_terminals(dict.fromkeys(sorted(cells), CELL))
    assert grammar.productions[: len(Table.grammar)] == Table.grammar.productions
    assert [str(state) for state in grammar.states] == [str(state) for state in Table.grammar.states]
    assert (grammar.shortest == Table.grammar.shortest).all()
    program = data.draw(programs(grammar, 6))
    for form in (program.text, program.lisp):
        assert Program.parse(form, grammar) == program
    assert Program.from_actions(program.actions, grammar) == program


@given(st.sets(CELLS, max_size=5), st.booleans())
def test_a_bound_grammar_has_tables_of_its_own(cells: set[str], asked: bool) -> None:
    """Tables are made when somebody asks: in whatever order that is, each grammar has those of its own productions."""
    grammar = Grammar({"there": Function((CELL,), B), "1": CELL}, B, open_types=(CELL,))
    before = (grammar.legal.copy(), grammar.ids) if asked else None
    bound = grammar.with_terminals(dict.fromkeys(sorted(cells), CELL))
    assert bound.legal.shape == (len(bound.states), len(bound))
    assert bound.legal.sum() == sum(map(len, bound.children)) == len(grammar) + len(cells)
    assert set(bound.ids) == {str(production) for production in bound.productions}
    if before:
        assert (grammar.legal == before[0]).all()
        assert grammar.ids == before[1]
    assert grammar.legal.shape == (len(grammar.states), len(grammar))


def test_a_cell_with_spaces_is_quoted_and_the_program_runs() -> None:
    table = Table(["New York", "Rome", "New York"]).with_constants(
        {"New York": (CELL, "New York"), "Rome": (CELL, "Rome")}
    )
    program = Program.parse('often(2, "New York")', table.grammar)
    assert program.text == 'often(2, "New York")'
    assert run(program, table) is True
    assert run(Program.parse("often(2, Rome)", table.grammar), table) is False
    assert "New York" not in Table.grammar.signature


def test_without_constants_nothing_can_be_said() -> None:
    assert Table.grammar.shortest[0] == 3
    assert list(enumerated(Table.grammar.with_terminals({}), 10)) == []


def test_a_context_cannot_take_a_name_of_the_language_or_a_closed_type() -> None:
    with pytest.raises(ChoraleError, match="'there', which the language already has"):
        Table.grammar.with_terminals({"there": CELL})
    with pytest.raises(ChoraleError, match="'3' is a int; types that a context may add to: Cell"):
        Table.grammar.with_terminals({"3": Basic("int")})


def test_a_program_of_one_language_does_not_run_in_another() -> None:
    with pytest.raises(ChoraleError, match="written in Consistent, not in Table"):
        run(Consistent.parse("object_exists(all_objects)"), Table([]))


def test_a_method_without_arguments_may_give_a_function() -> None:
    class Numbers(Language):
        root = int
        one = constants(int, {"1": 1})

        @function
        def successor(self) -> Callable[[int], int]:
            return lambda number: number + 1

    assert run(Numbers.parse("successor(successor(1))"), Numbers()) == 3


def test_a_function_without_annotations_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="'lost' needs a type annotation on: one, return"):

        class Careless(Language):
            root = bool

            @function
            def lost(self, one, two: bool):  # type: ignore[no-untyped-def]
                return one
