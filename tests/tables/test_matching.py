"""When an answer is right: cases of the official comparison, and what follows from its rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.tables.dates import Date
from chorale.tables.matching import LUCK, TableAnswers, Value, value_of, value_text

ANSWERS = TableAnswers()

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(value_of)
numbers = st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6).map(value_text).map(value_of))
dates = st.builds(Date, st.integers(1000, 2100), st.none() | st.integers(1, 12), st.none() | st.integers(1, 31))
values: st.SearchStrategy[Value] = st.one_of(texts, numbers, dates)
answers = st.lists(values, max_size=4).map(tuple)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (("Rome",), ("rome",)),
        (("Rome (Italy)[1]",), ("Rome",)),
        (("“Río”",), ("rio",)),
        (("a", "b"), ("b", "a")),
        (("a", "b", "A"), ("a", "b")),  # duplicates do not count
        (("a",), ("a", "a[1]")),
        ((7,), ("7",)),
        ((7,), ("seven",)),
        ((7,), ("7 years",)),
        ((7.0000001,), (7,)),
        ((1200,), ("1,200",)),
        (("1,200",), ("1,200",)),
        (("1200.0",), ("1,200",)),
        ((5_000_000,), ("$5 million",)),
        ((12,), ("12th",)),
        (("12th",), ("12th",)),
        ((45,), ("45%",)),
        ((-3,), ("−3",)),
        ((Date(1998, 5, 3),), ("May 3, 1998",)),
        (("1998-05-03",), ("3 May 1998",)),
        (("1998-5-3",), ("May 3, 1998",)),
        ((Date(None, 5, 3),), ("May 3",)),
        (("xx-05-xx",), ("May",)),
        (("May",), ("May",)),
        (("1998-xx-xx",), ("1998",)),
        (("yes",), ("Yes",)),
        ((), ()),
        ("Rome", "rome"),  # one value may stand for itself
    ],
)
def test_right_answers(said: Any, wanted: Any) -> None:
    assert ANSWERS.agrees(said, wanted)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (("Rome",), ("Oslo",)),
        (("Rome",), ("Rome", "Oslo")),
        (("Rome", "Oslo"), ("Rome",)),
        (("Rome", "Bern"), ("Rome", "Oslo")),
        ((7,), (7.001,)),
        ((7,), ("7 of 9",)),
        (("1,200",), ("1200",)),  # what is said is not read as people write
        (("seven",), ("7",)),
        (("May 3, 1998",), ("1998-05-03",)),
        ((Date(1998, 5),), ("May 3, 1998",)),
        ((Date(None, 5, 3),), ("May 3, 1998",)),
        ((1998,), ("May 3, 1998",)),
        ((), ("Rome",)),
        (("nan",), ("inf",)),
        (("1_000",), ("1000",)),
        (None, ("Rome",)),
        (("Rome",), None),
    ],
)
def test_wrong_answers(said: Any, wanted: Any) -> None:
    assert not ANSWERS.agrees(said, wanted)


def test_agreement_is_no_equivalence() -> None:
    assert ANSWERS.agrees((1200,), ("1,200",))
    assert not ANSWERS.agrees(("1,200",), (1200,))
    assert not ANSWERS.is_equality


@given(answers)
def test_an_answer_agrees_with_itself_in_any_order(answer: tuple[Value, ...]) -> None:
    assert ANSWERS.agrees(answer, answer)
    assert ANSWERS.agrees(answer[::-1], answer)
    assert ANSWERS.key(answer[::-1]) == ANSWERS.key(answer)


@given(answers, answers)
def test_answers_with_the_same_key_are_right_for_each_other(one: tuple[Value, ...], other: tuple[Value, ...]) -> None:
    if ANSWERS.key(one) == ANSWERS.key(other):
        assert ANSWERS.agrees(one, other)


@given(st.lists(values, min_size=1, max_size=4).map(tuple).filter(lambda it: it != ("",)))
def test_an_answer_is_read_back_from_its_text(answer: tuple[Value, ...]) -> None:
    assert ANSWERS.from_text(ANSWERS.text(answer)) == answer


@given(answers)
def test_an_answer_is_read_back_from_json(answer: tuple[Value, ...]) -> None:
    assert ANSWERS.from_json(ANSWERS.to_json(answer)) == answer


@given(values)
def test_a_value_is_what_its_text_stands_for(value: Value) -> None:
    assert value_of(value_text(value)) == value


def test_spellings_of_one_answer_have_one_key() -> None:
    assert ANSWERS.key(("7", "Rome[1]")) == ANSWERS.key(("rome", 7.0, 7))
    assert ANSWERS.key((7,)) != ANSWERS.key(("7 years",))


def test_an_answer_without_values_is_an_empty_text() -> None:
    assert ANSWERS.text(()) == ANSWERS.text(None) == ""
    assert ANSWERS.from_text("") == ()


def test_luck_is_rare_unless_the_answer_is_yes_or_no() -> None:
    assert ANSWERS.chance(("yes",)) == 0.5
    assert ANSWERS.chance(("Rome",)) == ANSWERS.chance(("yes", "no")) == LUCK


@pytest.mark.parametrize("value", [None, {"a": 1}, [["a"]], [None], float("nan")])
def test_json_that_is_no_answer_is_refused(value: Any) -> None:
    with pytest.raises(ChoraleError, match="expected an answer such as"):
        ANSWERS.from_json(value)
