"""What speaks against an answer."""

from __future__ import annotations

import pytest

from chorale.domain import Hints, Unlabelled
from chorale.evaluation.doubts import Evidence, doubts, evidence, pairs, strangeness
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended

PROGRAM = "some_box(object_exists(yellow))"


def found(sentence: str, program: str = PROGRAM, **more: float) -> Evidence:
    hints = Nlvr().lexicon("extended").hints(Unlabelled(sentence))
    return evidence(Extended.parse(program), hints, probability=0.9, unknown=hints.unknown or (), **more)


def kinds(sentence: str, program: str = PROGRAM) -> list[str]:
    return [doubt.kind for doubt in doubts(found(sentence, program), "extended")]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("There is a box with a yellow item", []),
        ("There is a box with a yelow item", ["typo"]),
        ("There is a box with a yellow elephant", ["unknown word"]),
        ("There is a box with a yellow circle", ["unsaid"]),
        ("There is a box with 15 yellow items", ["beyond"]),
        ("There is a tall box with a yellow item", ["unsayable"]),
        ("The president laughs", ["unknown word", "unknown word", "unasked", "off topic"]),
    ],
)
def test_a_doubt_for_everything_that_is_left_over(sentence: str, wanted: list[str]) -> None:
    assert kinds(sentence) == wanted


def test_what_no_word_asks_for_is_a_doubt() -> None:
    assert kinds("There is a box with an item", PROGRAM) == ["unasked"]


def test_a_word_said_twice_wants_two_functions() -> None:
    assert found("There is a yellow item over a yellow item").unsaid == ("yellow", "over")


def test_a_rival_half_as_likely_splits_the_beam() -> None:
    split = [doubt.kind for doubt in doubts(Evidence(0.6, 0.35, said=1), "extended")]
    clear = [doubt.kind for doubt in doubts(Evidence(0.6, 0.25, said=1), "extended")]
    assert (split, clear) == (["split"], [])


def test_without_a_lexicon_only_the_probability_is_known() -> None:
    assert evidence(Extended.parse(PROGRAM), None, probability=0.3) == Evidence(0.3, said=1)
    new = evidence(Extended.parse(PROGRAM), None, probability=0.3, unknown=("elephant",))
    assert [str(doubt) for doubt in doubts(new, "extended")] == ["the word 'elephant' is not known"]


def test_strangeness_is_the_share_of_new_neighbours() -> None:
    known = pairs("there is a box")
    assert strangeness("there is a box", known) == 0
    assert strangeness("there is a cat", known) == pytest.approx(2 / 5)
    assert strangeness("", known) == 1


def test_new_kinds_are_told_from_strange_sentences() -> None:
    new = [doubt.kind for doubt in doubts(Evidence(0.9, said=1, is_new=True), "extended")]
    strange = [doubt.kind for doubt in doubts(Evidence(0.9, said=1, is_new=True, strange=0.5), "extended")]
    assert (new, strange) == (["new kind"], ["strange"])


def test_the_texts_are_for_people() -> None:
    texts = [str(doubt) for doubt in doubts(found("There is a box with a yelow elephant"), "extended")]
    assert texts == ["the word 'elephant' is not known", "'yelow' is read as 'yellow'"]


def test_hints_of_a_domain_that_says_nothing_of_unknown_words_bring_no_doubt() -> None:
    hints = Hints(frozenset({"yellow"}), (("yellow", frozenset({"yellow"})),), frozenset({"some_box", "object_exists"}))
    assert not list(doubts(evidence(Extended.parse(PROGRAM), hints, probability=0.9), "extended"))
