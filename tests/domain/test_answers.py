"""Answers: as text and as JSON, and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chorale.domain import Answer, Answers, TruthValues
from chorale.domain.answers import BETWEEN
from chorale.errors import ChoraleError

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SIMPLE = st.booleans() | st.integers() | FINITE
WORDS = st.text(min_size=1).filter(lambda text: BETWEEN not in text and Answers().from_text(text) == text)
LISTS = st.lists(SIMPLE | WORDS, min_size=2, max_size=4).map(tuple)
NESTED = st.recursive(SIMPLE | st.text(), lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)


def same(one: Any, other: Any) -> bool:
    """Equal, and 1 is not true."""
    return repr(one) == repr(other)


@given(SIMPLE | WORDS | LISTS)
def test_what_is_printed_is_read_as_it_was(answer: Answer) -> None:
    assert same(Answers().from_text(Answers().text(answer)), answer)


@given(st.text())
def test_whatever_somebody_types_is_an_answer(text: str) -> None:
    hash(Answers().from_text(text))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a|", ("a",)),
        ("7|", (7,)),
        ("|", ()),
        ("", ""),
        ("Nan", "Nan"),
        ("inf", "inf"),
        ("1e999", "1e999"),
        ("9" * 400, 10**400 - 1),
    ],
)
def test_lists_of_one_or_none_end_in_a_bar_and_numbers_are_finite(text: str, answer: Answer) -> None:
    assert same(Answers().from_text(text), answer)


def test_a_set_is_printed_in_one_order() -> None:
    assert Answers().text(frozenset({"b", "a", 3})) == "3|a|b"
    assert Answers().to_json(frozenset({"b", "a"})) == ["a", "b"]


@given(NESTED)
def test_what_is_written_as_json_is_read_as_it_was(answer: Answer) -> None:
    assert same(Answers().from_json(json.loads(json.dumps(Answers().to_json(answer)))), answer)


@pytest.mark.parametrize("value", [None, {}, {"a": 1}, [None], [[{}]]])
def test_what_is_no_answer_is_refused(value: Any) -> None:
    with pytest.raises(ChoraleError, match=r"expected an answer such as true, 7 or a\|b; found"):
        Answers().from_json(value)


@given(st.booleans())
def test_truth_values_are_printed_and_read(answer: bool) -> None:
    values = TruthValues()
    assert values.from_text(values.text(answer)) is answer
    assert values.from_json(values.to_json(answer)) is answer


@given(NESTED, st.text())
def test_truth_values_refuse_all_others(value: Any, text: str) -> None:
    assume(not isinstance(value, bool) and text not in {"true", "false"})
    with pytest.raises(ChoraleError, match="expected true or false; found"):
        TruthValues().from_json(TruthValues().to_json(value))
    with pytest.raises(ChoraleError, match="expected true or false; found"):
        TruthValues().from_text(text)


class Rounded(Answers):
    """Numbers are right if they are nearly so."""

    def agrees(self, said: Any, wanted: Any) -> bool:
        return round(said) == round(wanted)


@given(st.lists(st.tuples(FINITE, FINITE)))
def test_each_answer_is_compared_with_its_own_label(pairs: list[tuple[float, float]]) -> None:
    said, wanted = [one for one, _ in pairs], [other for _, other in pairs]
    assert Answers().right(said, wanted) == tuple(one == other for one, other in pairs)
    assert Rounded().right(said, wanted) == tuple(round(one) == round(other) for one, other in pairs)


def test_only_answers_that_are_right_if_equal_may_be_compared_as_arrays() -> None:
    assert Answers().is_equality
    assert TruthValues().is_equality
    assert not Rounded().is_equality


def test_a_wrong_program_is_right_about_truth_values_half_of_the_time_and_more_seldom_about_others() -> None:
    assert Answers().chance(True) == Answers().chance(False) == 0.5
    assert Answers().chance(1) == Answers().chance(("a",)) < 0.5
