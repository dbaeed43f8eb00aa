"""Typing errors; the slow twin of what is nearly the same tries all changes of a word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.model import load
from chorale.tables.spelling import is_nearly, slips
from chorale.tables.table import Table

TOWNS = Table(["Town", "Distance"], [["Marburg", "12"], ["Trier", "7"], ["Anna", "9"], ["Triest", "40"]])
KNOWN = frozenset(["what", "is", "the", "of", "far", "how", "to", "which", "town", "in"])


def changed(word: str, letters: str) -> Iterator[str]:
    """All words that are one slip away."""
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        yield from (head + letter + tail for letter in letters)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in letters)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_words_are_nearly_the_same_if_one_slip_lies_between_them(one: str, other: str) -> None:
    assert is_nearly(one, other) == (one != other and other in set(changed(one, "abc")))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("what is the distence of marbrug", {"distence": "distance", "marbrug": "marburg"}),
        ("how far is marburg", {}),
        ("what is the town of Anne", {}),  # somebody else
        ("which town is Marrburg", {"marrburg": "marburg"}),
        ("how far is triet", {}),  # Trier or Triest
        ("what is the pricce", {"pricce": "price"}),  # not the table's word, but one that asks for columns
        ("how far is zzyzx", {}),
    ],
)
def test_strange_words_are_read_as_the_only_one_that_is_near(sentence: str, expected: dict[str, str]) -> None:
    assert slips(sentence, TOWNS, KNOWN.__contains__) == expected


def test_what_a_model_knows_is_no_typing_error() -> None:
    assert slips("marbrug", TOWNS, KNOWN.union(["marbrug"]).__contains__) == {}


def test_a_model_reads_a_mistyped_word_as_what_is_meant_and_says_so() -> None:
    reply = load("tables").ask(TOWNS, "which town has the largest distence")
    assert "'distence' is read as 'distance'" in [reason.text for reason in reply.reasons]
    assert reply.program == load("tables").ask(TOWNS, "which town has the largest distance").program
