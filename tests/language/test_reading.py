"""Texts that are no program: the message points at the place, and nothing but a ChoraleError ever comes out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.language import ProgramError
from chorale.nlvr import Consistent, Macro

NAMES = sorted(Consistent.grammar.signature)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("object_exsts(all_objects)", 1, "unknown name `object_exsts`; did you mean `object_exists`"),
        ("object_exists(yelow(all_objects))", 15, "did you mean `yellow`"),
        ("(object_exists (blak all_objects))", 17, "did you mean `black`"),
        ("zzz", 1, "unknown name `zzz`\n"),
        ("", 1, "expected a program"),
        ("   ", 1, "expected a program"),
        ("object_exists(", 15, "expected the name of a function or constant, but the text ends here"),
        ("object_exists(all_objects", 26, "expected `,` or `)`, but the text ends here"),
        ("object_exists(all_objects))", 27, "found `)`"),
        ("object_exists all_objects", 15, "expected `(`, `.` or the end of the program, found `all_objects`"),
        ("object_exists(all_objects,)", 27, "too many arguments: at most 1 here"),
        ("box_filter(all_boxes,)", 22, "expected the name of a function or constant, found `)`"),
        ("box_filter(all_boxes, black(top))", 23, "takes <Set[Object]:bool>, but black(top) has type"),
        ("object_exists(2)", 15, "object_exists takes Set[Object], but 2 has type int"),
        ("object_count_equals(all_objects, 2)", 21, "takes int, but all_objects has type Set[Object]"),
        ("1(2)", 3, "1 has type int and takes no argument"),
        ("object_exists.all_objects", 15, "only functions with one open argument compose"),
        ("box_exists.yellow", 12, "takes Set[Box], but yellow gives Set[Object]"),
        ("(* box_exists yellow)", 15, "takes Set[Box], but yellow gives Set[Object]"),
        ("(box_exists all_boxes", 22, "a bracket is not closed"),
        ("(* yellow)", 1, "`*` composes two functions or more"),
        ("()", 2, "expected the name of a function or constant"),
        ("object_exists(?)", 15, "unexpected character '?'"),
        ('object_exists("all', 15, "not closed"),
        ('"\\q"', 1, "bad escape"),
        ("object_exists(\x1b[31mall_objects)", 15, "unexpected character '\\x1b'"),
    ],
)
def test_errors_point_at_the_place_and_say_what_was_expected(text: str, column: int, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        Consistent.parse(text)
    problem, shown, caret = str(caught.value).rsplit("\n", 2)
    assert message in problem + "\n"
    assert caret.index("^") - 2 == column - 1
    assert f"column {column}" in caret
    assert len(shown) - 2 == len(text)


def test_the_caret_stands_right_in_a_long_text() -> None:
    text = "object_exists(" + "yellow(" * 30 + "blak" + "(top" * 30
    with pytest.raises(ProgramError) as caught:
        Consistent.parse(text)
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^") :].startswith("blak(")
    assert len(shown) < 120


HOSTILE = {
    "deep brackets": "(" * 9_999,
    "deep brackets, closed": "(" * 4_000 + "top" + ")" * 4_000,
    "deep calls": "top(" * 2_000,
    "deep calls, closed": "top(" * 1_900 + "top" + ")" * 1_900,
    "deep Lisp": "(top " * 2_000,
    "deep Lisp compositions": "(* top " * 1_400,
    "wide Lisp composition": "(* " + "top " * 2_000 + ")",
    "composed chain": "top" + "(top)" * 1_900,
    "dotted chain": ".".join(["top"] * 2_400),
    "negated chain": "negate_filter(" * 700 + "top" + ")" * 700,
    "commas": "," * 10_000,
    "commas in a call": "object_exists(" + "," * 9_000,
    "long name": "a" * 9_999,
    "long text": "top " * 100_000,
    "unclosed quote": '"' + "a" * 9_000,
    "many quotes": '"' * 9_999,
    "backslashes": '"' + "\\" * 9_000,
    "control characters": "".join(map(chr, range(32))) * 300,
    "spaces": " " * 9_999 + "x",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("language", [Consistent, Macro])
def test_hostile_text_ends_in_a_short_error(language: type[Consistent] | type[Macro], text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        language.parse(text)
    assert len(str(caught.value)) < 3_000


@given(st.text() | st.text('()*., "\\abc1', max_size=200))
def test_any_text_gives_a_program_or_a_chorale_error(text: str) -> None:
    _read_calmly(text)


@given(st.lists(st.sampled_from([*"(((())))),.*", " ", *NAMES]), max_size=60))
def test_any_mixture_of_names_and_signs_gives_a_program_or_a_chorale_error(parts: list[str]) -> None:
    _read_calmly("".join(parts))
    _read_calmly(" ".join(parts))


def _read_calmly(text: str) -> None:
    for language in (Consistent, Macro):
        try:
            program = language.parse(text)
        except ChoraleError:
            continue
        assert language.parse(program.text) == program
