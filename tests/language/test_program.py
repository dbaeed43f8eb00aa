"""A program survives every way of writing it down."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spellings import call_texts, lisp_texts, spellings
from tests.strategies import programs

from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.language.derivation import MAX_ACTIONS
from chorale.nlvr import Consistent, Macro

ANY = programs(Consistent.grammar, 25) | programs(Macro.grammar, 25)
COMPOSED = "object_exists(yellow(above(black(all_objects))))"


@given(ANY)
def test_text_is_read_back(program: Program) -> None:
    assert Program.parse(program.text, program.grammar) == program
    assert Program.parse(program.text, program.grammar).text == program.text


@given(ANY)
def test_lisp_is_read_back(program: Program) -> None:
    assert Program.parse(program.lisp, program.grammar) == program


@given(ANY)
def test_actions_are_read_back_as_ids_and_as_texts(program: Program) -> None:
    assert Program.from_actions(program.action_ids, program.grammar) == program
    assert Program.from_actions(np.array(program.action_ids), program.grammar) == program
    assert Program.from_actions(program.actions, program.grammar) == program


@given(ANY)
def test_repr_is_python_that_makes_the_program(program: Program) -> None:
    assert eval(repr(program), {"Consistent": Consistent, "Macro": Macro}) == program


@given(st.data(), ANY)
def test_every_spelling_is_the_same_program(data: st.DataObject, program: Program) -> None:
    spelling = data.draw(spellings(program.term))
    for text in (data.draw(call_texts(spelling)), data.draw(lisp_texts(spelling))):
        assert Program.parse(text, program.grammar) == program, text


@pytest.mark.parametrize(
    "text",
    [
        COMPOSED,
        "object_exists(yellow(above(black)))(all_objects)",
        "(object_exists.yellow.above.black)(all_objects)",
        "object_exists((yellow.above)(black(all_objects)))",
        " object_exists\n( (yellow . above) ( black (all_objects ) ) )\t",
        "((* object_exists (* yellow (* above black))) all_objects)",
        "((* (* object_exists yellow) above black) all_objects)",
        "(object_exists (yellow (above (black all_objects))))",
    ],
)
def test_spellings_of_one_program(text: str) -> None:
    assert Consistent.parse(text).text == COMPOSED


@pytest.mark.parametrize(
    "text",
    [
        "box_filter_and(object_exists)(object_color_same, all_objects)",
        "box_filter_and(object_exists, object_color_same, all_objects)",
        "box_filter_and(object_exists, object_color_same)(all_objects)",
    ],
)
def test_arguments_may_go_on_where_a_result_is_a_function(text: str) -> None:
    assert Consistent.parse(text) == Consistent.parse("box_filter_and(object_exists)(object_color_same)(all_objects)")


def test_the_lisp_of_the_reference_is_read_and_written() -> None:
    lisp = "(box_exists (box_filter all_boxes (* object_exists (* black top))))"
    program = Consistent.parse(lisp)
    assert program.text == "box_exists(box_filter(all_boxes, object_exists(black(top))))"
    assert program.lisp == lisp


def test_constants_may_be_given_alone_or_together_with_the_set() -> None:
    together = Consistent.parse("object_count_equals(2, yellow(all_objects))")
    assert Consistent.parse("object_count_equals(2)(yellow)(all_objects)") == together
    assert Consistent.parse("object_count_equals(2)(yellow(all_objects))") == together
    assert Consistent.parse("object_count_equals(2, yellow)(all_objects)") == together
    assert together.text == "object_count_equals(2, yellow(all_objects))"


def test_a_program_is_another_one_in_another_language() -> None:
    text = "object_exists(above(all_objects))"
    assert Consistent.parse(text) != Macro.parse(text)


def test_size_depth_and_subprograms_with_their_types() -> None:
    program = Consistent.parse("box_exists(box_filter(all_boxes, object_count_equals(2)(yellow(top))))")
    assert (program.size, program.depth, str(program.type)) == (7, 5, "bool")
    assert [(part.text, str(part.type)) for part in program.subprograms] == [
        (program.text, "bool"),
        ("box_filter(all_boxes, object_count_equals(2)(yellow(top)))", "Set[Box]"),
        ("all_boxes", "Set[Box]"),
        ("object_count_equals(2)(yellow(top))", "<Set[Object]:bool>"),
        ("object_count_equals(2)", "<Set[Object]:bool>"),
        ("2", "int"),
        ("yellow(top)", "<Set[Object]:Set[Object]>"),
        ("yellow", "<Set[Object]:Set[Object]>"),
        ("top", "<Set[Object]:Set[Object]>"),
    ]


@given(ANY)
def test_every_subprogram_is_a_program_that_is_read_back(program: Program) -> None:
    for part in program.subprograms:
        assert Program.parse(part.text, part.grammar) == part
        assert Program.parse(part.lisp, part.grammar) == part


@given(ANY)
def test_size_counts_names(program: Program) -> None:
    names = [action for action in program.actions if "[" not in action.split(" -> ")[1]]
    assert program.size == len(names)


def test_pretty_is_an_indented_tree() -> None:
    assert Consistent.parse("box_exists(box_filter(all_boxes, object_exists(top)))").pretty() == "\n".join(
        [
            "box_exists  bool",
            "  box_filter  Set[Box]",
            "    all_boxes  Set[Box]",
            "    *  <Set[Object]:bool>",
            "      object_exists  <Set[Object]:bool>",
            "      top  <Set[Object]:Set[Object]>",
        ]
    )


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([], "not complete: bool is still to be expanded"),
        ([11], "not complete"),
        ([999], "action 1: there is no production 999"),
        ([-1], "action 1: there is no production -1"),
        ([0], "action 1 .* is not legal here: expected to expand bool"),
        (["bool -> [<Set[Box]:bool>, Set[Bx]]"], r"did you mean 'bool -> \[<Set\[Box\]:bool>, Set\[Box\]\]'"),
        ([0] * (MAX_ACTIONS + 1), f"at most {MAX_ACTIONS}"),
        ([*Consistent.parse(COMPOSED).action_ids, 0], "action 10 .* already complete"),
    ],
)
def test_actions_that_are_no_program_say_why(actions: list[str | int], message: str) -> None:
    with pytest.raises(ChoraleError, match=message):
        Program.from_actions(actions, Consistent.grammar)


def test_a_part_has_text_but_no_actions() -> None:
    part = Consistent.parse("yellow(all_objects)")
    with pytest.raises(ChoraleError, match="a whole program has type bool"):
        _ = part.actions


def test_very_long_action_sequences_end_in_an_error_not_in_a_stack_overflow() -> None:
    ids = Consistent.grammar.ids
    compose = ids["<Set[Object]:Set[Object]> -> [*, <Set[Object]:Set[Object]>, <Set[Object]:Set[Object]>]"]
    start = [
        ids["bool -> [<Set[Object]:bool>, Set[Object]]"],
        ids["<Set[Object]:bool> -> [*, <Set[Object]:bool>, <Set[Object]:Set[Object]>]"],
        ids["<Set[Object]:bool> -> object_exists"],
    ]
    top = Consistent.grammar.terminal_ids["top"]
    actions = [*start, *[compose, top] * 900, top, Consistent.grammar.terminal_ids["all_objects"]]
    with pytest.raises(ChoraleError, match="levels deep"):
        Program.from_actions(actions, Consistent.grammar)
