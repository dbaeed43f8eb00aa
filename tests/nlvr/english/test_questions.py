"""What yes/no questions ask about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.nlvr.english.questions import statement


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Is there a box with a yellow item?", "there is a box with a yellow item"),
        ("Are there exactly two towers?", "there are exactly two towers"),
        ("Is the top block black?", "the top block is black"),
        ("Are all yellow squares touching the wall?", "all yellow squares are touching the wall"),
        ("Does every tower have a black block?", "every tower have a black block"),
        ("Do two boxes contain a circle?", "two boxes contain a circle"),
    ],
)
def test_a_yes_no_question_becomes_a_statement(question: str, claim: str) -> None:
    assert statement(question) == claim


@pytest.mark.parametrize(
    "question",
    ["How many yellow circles are there?", "What is in the box?", "Which box has a circle?", "Why?", "In which box?"],
)
def test_other_questions_claim_nothing(question: str) -> None:
    assert statement(question) is None


@pytest.mark.parametrize("sentence", ["There is a box.", "Two towers are black", "There is a box?", "", "...", "is"])
def test_a_statement_is_its_own(sentence: str) -> None:
    assert statement(sentence) == sentence


@given(st.text(max_size=60))
def test_it_never_fails(sentence: str) -> None:
    statement(sentence)
