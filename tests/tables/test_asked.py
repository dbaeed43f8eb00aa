"""Questions word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.tables.asked import Asked, Number
from chorale.tables.dates import Date
from chorale.tables.english import TRIGGERS


def values(sentence: str) -> list[float]:
    return [number.value for number in Asked(sentence).numbers.values()]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("more than 1,200.5 points", [1200.5]),
        ("over 2 million people", [2e6]),
        ("three of the twelve", [3, 12]),
        ("the second and the tenth", [2, 10]),
        ("the first with zero goals", []),
        ("won 3-2 in 1998", [3, 2, 1998]),
    ],
)
def test_numbers_are_read_from_digits_and_words(sentence: str, expected: list[float]) -> None:
    assert values(sentence) == expected


def test_a_number_knows_where_it_stands_and_how_it_is_written() -> None:
    assert Asked("the 3rd of two").numbers == {1: Number(3, 1, True, True), 4: Number(2, 4, False, False)}
    assert Asked("the fifth").numbers == {1: Number(5, 1, False, True)}


@pytest.mark.parametrize("word", ["\u278a", "\u1369", "9" * 400], ids=["dingbat", "ethiopic", "too large"])
def test_what_looks_like_a_number_and_is_none_is_left_alone(word: str) -> None:
    assert values(f"what is {word} of 3") == [3]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("in the 1990s", [1990]),
        ("in the 1990's", [1990]),
        ("in 1990", []),
        ("the 1985s", []),
        ("the 20s", []),
        ("in the 1980s and the 1990s", [1980, 1990]),
    ],
)
def test_decades_end_in_an_s_and_are_whole(sentence: str, expected: list[int]) -> None:
    assert list(Asked(sentence).decades.values()) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("what was opened on may 3, 1998?", {(4, 7): Date(1998, 5, 3)}),
        ("what was opened on 3 may 1998?", {(4, 7): Date(1998, 5, 3)}),
        ("opened on the 3rd of may 1998", {(3, 8): Date(1998, 5, 3)}),
        ("opened on 3rd june", {(2, 5): Date(None, 6, 3)}),
        ("opened on the 3rd may", {(3, 6): Date(None, 5, 3)}),
        ("opened in june", {(2, 3): Date(None, 6)}),
        ("since may", {(1, 2): Date(None, 5)}),
        ("who may play in 1998", {}),
        ("how far did mar go", {}),
        ("from june 1998 to july 1999", {(1, 3): Date(1998, 6), (4, 6): Date(1999, 7)}),
        ("32 june", {(1, 2): Date(None, 6)}),
    ],
)
def test_dates_are_read_from_their_first_word_to_their_last(
    sentence: str, expected: dict[tuple[int, int], Date]
) -> None:
    assert Asked(sentence).moments == expected


@pytest.mark.parametrize(
    ("sentence", "word", "place", "head"),
    [
        ("which team won?", "which", 0, "team"),
        ("in 1998, which of the players scored?", "which", 2, "player"),
        ("how many goals were scored?", "how many", 1, "goal"),
        ("was she first?", "yes/no", 0, ""),
        ("tell me the capital", "none", 0, "capital"),
        ("which one is the oldest?", "which", 0, "oldest"),
        ("and how", "how", 1, ""),
        ("", "none", 0, ""),
    ],
)
def test_what_is_asked_for_follows_the_question_word(sentence: str, word: str, place: int, head: str) -> None:
    asked = Asked(sentence)
    assert (asked.question_word, asked.question_place) == (word, place)
    assert asked.head == head


def test_counts_are_asked_for_in_several_ways() -> None:
    for sentence in ("how many teams?", "how much money?", "the number of teams", "what is the total?"):
        assert Asked(sentence).is_how_many, sentence
    assert Asked("how long is it?").is_how
    assert not Asked("how long is it?").is_how_many
    assert not Asked("which team is here?").is_how


def test_superlatives_are_found_by_form_but_for_words_that_only_look_so() -> None:
    assert Asked("the largest and most western guest of the west").superlatives == (1, 3)
    assert Asked("the best test").superlatives == (1,)


@pytest.mark.parametrize(
    ("sentence", "letters"),
    [
        ("names that start with the letter b", ["b"]),
        ("names beginning with a", ["a"]),
        ("names beginning with the letter a please", ["a"]),
        ("names beginning with a p", ["p"]),
        ("names starting with a vowel", []),
        ("group b", []),
    ],
)
def test_letters_are_found_where_something_begins_with_them(sentence: str, letters: list[str]) -> None:
    asked = Asked(sentence)
    assert [asked.words[place] for place in asked.letters] == letters


def test_only_so_many_words_are_looked_at_as_have_a_bit() -> None:
    asked = Asked("word " * 100 + "1998")
    assert len(asked.words) == len(asked.stems) == 62
    assert asked.numbers == {}


@pytest.mark.parametrize("trigger", sorted(TRIGGERS))
def test_each_trigger_has_words_that_questions_can_have(trigger: str) -> None:
    for word in TRIGGERS[trigger]:
        assert Asked(f"which {word} teams").has(trigger), word
    assert not Asked("xyzzy").has(trigger)


@given(
    st.text(max_size=60) | st.lists(st.sampled_from(["may", "of", "3", "rd", "1990", "s", "how", "the"])).map(" ".join)
)
def test_anything_may_be_asked(sentence: str) -> None:
    asked = Asked(sentence)
    size = len(asked.words)
    assert all(0 <= place < size for place in (*asked.numbers, *asked.superlatives))
    assert all(0 <= start < end <= size for start, end in asked.moments)
    assert asked.decades.keys() <= asked.numbers.keys()
    assert asked.question_place == 0 or asked.question_place < size
    assert isinstance(asked.head, str)
