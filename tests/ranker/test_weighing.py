"""Weights in words: they add up to what the ranker summed, and name the words of the sentence itself."""

from __future__ import annotations

import pytest
from tests.ranker.conftest import SENTENCES

from chorale.domain import Unlabelled
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.ranker.ranker import Ranker
from chorale.ranker.weighing import Aligned, aligned, compared, unaligned, weighed

EXTENDED = Nlvr.languages["extended"]
TOP = Unlabelled("There is a tower with a black block at the top")
READ = EXTENDED.parse("some_box(object_exists(black(top)))")
MISREAD = EXTENDED.parse("some_box(object_exists(black))")


@pytest.fixture(scope="module")
def ranker() -> Ranker:
    parser = load("best").parser
    assert isinstance(parser, Ranker)
    return parser


@pytest.mark.parametrize("text", SENTENCES[::3])
def test_parts_weigh_what_their_features_weigh(ranker: Ranker, text: str) -> None:
    utterance = Unlabelled(text)
    for scored in ranker.ranked(utterance)[:5]:
        parts = weighed(ranker, utterance, scored.program)
        reasons = ranker.reasons(utterance, scored.program)
        assert sum(it.weight for it in parts) == pytest.approx(sum(it.weight for it in reasons))
        assert all("{" not in it.text for it in parts)
        assert [abs(it.weight) for it in parts] == sorted((abs(it.weight) for it in parts), reverse=True)


def test_a_part_is_said_with_the_words_of_the_sentence(ranker: Ranker) -> None:
    texts = {it.part for it in weighed(ranker, TOP, READ)}
    assert {'"black" speaks for black', '"tower" speaks for some_box'} <= texts
    without_black = EXTENDED.parse("some_box(object_exists(top))")
    against = [it for it in weighed(ranker, TOP, without_black) if "is left out" in it.part]
    assert against
    assert all('"black"' in it.part for it in against)


def test_between_two_programs_only_what_they_do_not_share_counts(ranker: Ranker) -> None:
    one, other = weighed(ranker, TOP, READ), weighed(ranker, TOP, MISREAD)
    decided = compared(one, other)
    total = sum(it.weight for it in one) - sum(it.weight for it in other)
    assert sum(it.weight for it in decided) == pytest.approx(total)
    assert '"tower" speaks for some_box' not in {it.part for it in decided}
    assert compared(one, one) == []


def test_each_function_has_the_words_it_says(ranker: Ranker) -> None:
    assert aligned(ranker, TOP, READ) == [
        Aligned("some_box", 0, "tower"),
        Aligned("object_exists", 1, ""),
        Aligned("black", 2, "black"),
        Aligned("top", 3, "top"),
    ]
    assert [one.depth for one in unaligned(READ)] == [0, 1, 2, 3]
