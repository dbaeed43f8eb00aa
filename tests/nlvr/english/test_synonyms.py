"""What people may say instead of the words of training, and what is a slip of one."""

from __future__ import annotations

import pytest

from chorale.domain import Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.synonyms import ENGLISH, MEANS, SUGGESTS
from chorale.nlvr.english.words import normalise, repairs, unsure, word_counts


def unknown(sentence: str) -> tuple[str, ...]:
    return Nlvr().lexicon("extended").hints(Unlabelled(sentence)).unknown or ()


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("a yellow disc", "a yellow circle"),
        ("two black bricks", "two black blocks"),
        ("a box that holds a cube", "a box that contains a square"),
        ("a circle up against the wall", "a circle touching the wall"),
        ("a stack with a brick atop a brick", "a tower with a block on top of a block"),
    ],
)
def test_synonyms_are_read_as_the_words_of_training_and_are_no_slips(said: str, read: str) -> None:
    assert normalise(said) == read.split()
    assert not repairs(said)
    assert not unknown(said)


def test_all_that_synonyms_mean_or_suggest_is_known() -> None:
    assert not [word for words in (*MEANS.values(), *SUGGESTS.values()) for word in unknown(words)]
    assert not [word for word in SUGGESTS if not unknown(word)]


@pytest.mark.parametrize("word", ["ball", "bell", "back", "tall", "walk", "certain", "reaching", "light", "star"])
def test_english_words_are_no_slips_of_others(word: str) -> None:
    assert word_counts().repair(word) == (word,)
    assert word in unknown(f"there is a {word}") or not unknown(word)


def test_no_word_of_training_is_taken_for_another_english_word() -> None:
    assert not ENGLISH.intersection(word_counts().counts)


@pytest.mark.parametrize(("typed", "read"), [("blak", "black"), ("bleu", "blue"), ("tirangle", "triangle")])
def test_a_slip_that_can_mean_one_word_only_is_repaired(typed: str, read: str) -> None:
    assert normalise(typed) == [read]
    assert not unsure(typed)
    assert not unknown(f"there is a {typed} box")


@pytest.mark.parametrize("typed", ["blck", "bloack"])
def test_a_slip_of_black_or_block_is_not_known(typed: str) -> None:
    assert unsure(f"there is a {typed} box") == [typed]
    assert unknown(f"there is a {typed} box") == (typed,)


@pytest.mark.parametrize("typed", ["xox", "rex", "jall"])
def test_short_words_are_no_slips_of_words_that_begin_otherwise(typed: str) -> None:
    assert word_counts().repair(typed) == (typed,)


def test_squares_of_towers_go_without_saying() -> None:
    lexicon = Nlvr().lexicon("extended")
    assert all(wanted for _, wanted in lexicon.hints(Unlabelled("a tower of four squares")).explains)
    assert not all(wanted for _, wanted in lexicon.hints(Unlabelled("a tower of four triangles")).explains)
