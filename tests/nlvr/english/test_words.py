from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chorale.nlvr.english import words
from chorale.nlvr.english.words import WordCounts, distance, lemma, normalise, number, tokens, word_counts
from chorale.nlvr.reader import read

# Texts near the real ones: right words, slips, joined words, punctuation and odd spaces.
PIECES = """There is a box tower at least t ll al lest one 2 2blocks b;ue circ;e hte isa abox there's isn't tower's
    tow blue bottom-right then idle bo s i . , ; ' ½ İ ſ ǅ ﬁ ² thee lower some atleast exacts"""
pieces = st.sampled_from([*PIECES.split(), "\xa0"])
sentences = st.lists(pieces, max_size=8).map(" ".join) | st.lists(pieces, max_size=5).map("".join) | st.text()


def test_tokens_are_lower_case_without_punctuation_and_know_their_characters() -> None:
    sentence = "There\xa0is a Blue block/ at the bottom-right corner, (2)."
    found = tokens(sentence)
    assert [token.text for token in found] == [
        "there",
        "is",
        "a",
        "blue",
        "block",
        "at",
        "the",
        "bottom",
        "right",
        "corner",
        "2",
    ]
    assert all(sentence[token.start : token.end].lower() == token.text for token in found)


@given(sentences)
def test_tokens_never_fail_and_stay_inside_the_sentence(sentence: str) -> None:
    for token in tokens(sentence):
        assert token.text
        assert 0 <= token.start < token.end <= len(sentence)


@given(sentences)
@example("there's a b;ue circ;e on ablue box. there i")
def test_normalising_twice_is_normalising_once(sentence: str) -> None:
    once = normalise(sentence)
    assert normalise(" ".join(once)) == once


def test_no_odd_spelling_leads_to_another() -> None:
    for right in words._ODD.values():
        assert normalise(right) == right.split()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("There is a squere", "there is a square"),
        ("atleast 2 blocks", "at least 2 blocks"),
        ("t least one box", "at least one box"),
        ("al lest 4 items", "at least 4 items"),
        ("ll the towers", "all the towers"),
        ("hte b;ue circ;e", "the blue circle"),
        ("a block bellow a block", "a block below a block"),
        ("ablue triangle in abox", "a blue triangle in a box"),
        ("There isa yelllow trianlge", "there is a yellow triangle"),
        ("there is bo black block", "there is no black block"),
        ("2blocks touhing the egde", "2 blocks touching the edge"),
        ("There's a box; it isn't black", "there is a box it is not black"),
        ("the tower's base", "the tower base"),
        ("box;tower", "box tower"),
        ("exatcly one obejct", "exactly one object"),
        ("a traiagnle", "a triangle"),  # two slips in a long word
    ],
)
def test_slips_are_repaired(typed: str, meant: str) -> None:
    assert normalise(typed) == meant.split()


def test_right_words_and_far_words_are_kept() -> None:
    sentence = "some lower left their them near out ten large corners blacks bases xylophone seen for each end share"
    assert normalise(sentence) == sentence.split()


@pytest.mark.parametrize(
    ("token", "value"),
    [("one", 1), ("nine", 9), ("twelve", 12), ("7", 7), ("10", 10), ("zero", 0), ("block", None), ("9" * 5000, None)],
)
def test_numbers_are_words_or_digits(token: str, value: int | None) -> None:
    assert number(token) == value


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("blocks", "block"), ("boxes", "box"), ("squares", "square"), ("bases", "base"), ("edges", "edge"),
        ("touching", "touch"), ("touches", "touch"), ("stacked", "stack"), ("including", "include"),
        ("contains", "contain"), ("has", "have"), ("are", "be"),
        ("colours", "color"), ("colors", "color"), ("coloured", "color"), ("gray", "grey"),
        ("less", "less"), ("this", "this"), ("as", "as"), ("is", "be"), ("ones", "one"),
    ],
)  # fmt: skip
def test_inflections_share_one_lemma(form: str, base: str) -> None:
    assert lemma(form) == base
    assert lemma(base) == base


def test_frequent_words_are_learned_and_never_changed() -> None:
    counts = WordCounts.learn(["a blok of wood", "a block of wood"] * 3 + ["a blck"], min_count=3)
    assert counts.counts == {"a": 7, "blok": 3, "block": 3, "of": 6, "wood": 6}
    assert counts.repair("blok") == ("blok",)
    assert counts.repair("wodo") == ("wood",)
    assert "blck" not in counts.counts


def test_of_two_near_words_the_more_frequent_is_meant() -> None:
    assert WordCounts({"cart": 5, "card": 9}).repair("carx") == ("card",)
    assert WordCounts({"cart": 9, "card": 5}).repair("carx") == ("cart",)


def slow_distance(left: str, right: str) -> int:
    if not left or not right:
        return len(left) + len(right)
    best = min(
        slow_distance(left[1:], right) + 1,
        slow_distance(left, right[1:]) + 1,
        slow_distance(left[1:], right[1:]) + (left[0] != right[0]),
    )
    if left[:2] == right[1::-1] and len(left) > 1 and len(right) > 1:
        best = min(best, slow_distance(left[2:], right[2:]) + 1)
    return best


@given(st.text("abc", max_size=5), st.text("abc", max_size=5), st.integers(0, 3))
def test_distance_equals_the_recursive_definition(left: str, right: str, limit: int) -> None:
    assert distance(left, right, limit) == min(slow_distance(left, right), limit + 1)


@pytest.mark.nlvr
def test_the_shipped_counts_are_those_of_train(nlvr: Path) -> None:
    learned = WordCounts.learn(utterance.sentence for utterance in read(nlvr / "train.json").utterances)
    assert learned.counts == word_counts().counts


@pytest.mark.nlvr
def test_normalising_is_idempotent_on_train(nlvr: Path) -> None:
    for utterance in read(nlvr / "train.json").utterances:
        once = normalise(utterance.sentence)
        assert normalise(" ".join(once)) == once
