"""Hints: slips of a lexicon are told, and words that nobody knows are found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Hints
from chorale.domain.lexicon import check_hints, unknown_words
from chorale.errors import ChoraleError
from chorale.nlvr import Consistent

NAMES = sorted(Consistent.grammar.signature)


@given(st.frozensets(st.sampled_from(NAMES)))
def test_names_of_the_language_are_fine(allowed: frozenset[str]) -> None:
    check_hints(Hints(allowed, (("word", allowed),), frozenset()), Consistent.grammar)


def test_a_name_that_the_language_does_not_have_is_told_with_the_words_that_ask_for_it() -> None:
    asked = Hints(frozenset({"yelow"}), (("gold", frozenset({"yelow"})),), frozenset())
    with pytest.raises(ChoraleError, match=r"the words 'gold' ask for 'yelow', which Con.*did you mean 'yellow'"):
        check_hints(asked, Consistent.grammar)
    with pytest.raises(ChoraleError, match="the lexicon allows 'yelow', which Consistent does not have"):
        check_hints(Hints(frozenset({"yelow"}), (), frozenset({"yelow"})), Consistent.grammar)


WORDS = ("some", "gold", "thing", "glows")
EXPLAINS = (("gold thing", frozenset({"yellow"})),)


def known(word: str) -> bool:
    return word == "some"


def unknown(**about: object) -> tuple[str, ...]:
    return unknown_words(Hints(frozenset(), EXPLAINS, frozenset(), **about), WORDS, known)  # type: ignore[arg-type]


def test_a_lexicon_that_names_unknown_words_is_believed() -> None:
    assert unknown(unknown=("gold",)) == ("gold",)
    assert unknown(unknown=()) == ()


def test_else_those_are_unknown_that_it_says_nothing_about_and_that_are_new() -> None:
    """By where phrases stand, if the lexicon tells, or by their words."""
    assert unknown() == ("glows",)
    assert unknown(tokens=((1, 2),)) == ("thing", "glows")
    assert unknown(spans=((1, 3),), words=WORDS) == ("glows",)
    assert unknown(spans=((0, 1),), words=("gold",)) == ("glows",), "these count other words than the sentence's"
    assert unknown_words(None, WORDS, known) == ("gold", "thing", "glows")


def test_nothing_is_unknown_where_training_is() -> None:
    assert unknown_words(None, WORDS, None) == ()
    assert unknown_words(Hints(frozenset(), EXPLAINS, frozenset()), WORDS, None) == ()
