"""Completion: what is offered fits, and what fits is offered."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from chorale.language.completion import completions
from chorale.language.language import read_program
from chorale.language.reading import ProgramError
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.languages.macro import Macro

PROGRAMS = [
    "object_exists(yellow(above(black(all_objects))))",
    "box_exists(box_filter(all_boxes, object_exists(black(top))))",
    "one_box(object_count_greater_equals(2)(yellow(square)))",
    "some_box(box_filter_and(object_exists(yellow), object_count_equals(2)(black)))",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_every_name_of_a_program_is_offered_where_it_stands(text: str) -> None:
    read_program(text, Extended)
    for name in Extended.grammar.signature:
        for at in [at for at in range(len(text)) if text.startswith(name, at) and not text[at - 1].isalnum()]:
            end = at + len(name)
            if (end < len(text) and (text[end].isalnum() or text[end] == "_")) or (at and text[at - 1] == "_"):
                continue
            for begun in {text[:at], text[: at + 1]}:
                start, names = completions(begun, Extended.grammar)
                assert start == at
                assert name in {offered for offered, _ in names}


def test_what_is_offered_leads_on_and_what_is_not_does_not() -> None:
    """The slow twin: a name fits if the program so far, the name, and arguments of the right types can be read."""
    signature = Macro.grammar.signature
    rng = Random(0)
    counts = "object_count_equals("
    for before in ["", "object_exists(", counts, f"{counts}black(all_objects), ", "object_exists(black("]:
        offered = {name for name, _ in completions(before, Macro.grammar)[1]}
        for name in rng.sample(sorted(signature), 12):
            assert (name in offered) == _leads_on(before, name), (before, name)


def _leads_on(before: str, name: str) -> bool:
    """Whether some program begins with a text and a name: with no arguments, with one, or with a second one as well."""
    names = ["all_objects", "all_boxes", "black", "2", "color_black"]
    given = ["", *(f"({one})" for one in names), *(f"({one}, {other})" for one in names for other in names)]
    close = ")" * (before.count("(") - before.count(")"))
    for own in given:
        for last in ("", ", all_objects", "(all_objects)", ", 2"):
            for ending in (f"{own}{last}{close}", f"{own}{close[:-1]}{last}{close[-1:]}"):
                with suppress(ProgramError):
                    read_program(f"{before}{name}{ending}", Macro)
                    return True
    return False


def test_nothing_is_offered_where_nothing_can_stand() -> None:
    assert completions("object_exists(all_objects)", Macro.grammar)[1] == []
    assert completions("object_exists(all_objects, ", Macro.grammar)[1] == []
