"""What speaks against an answer."""

from __future__ import annotations

import pytest

from chorale.domain import Hints, Unlabelled
from chorale.evaluation.doubts import Evidence, doubts, evidence, pairs
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended

PROGRAM = "some_box(object_exists(yellow))"


def found(sentence: str, program: str = PROGRAM) -> Evidence:
    hints = Nlvr().lexicon("extended").hints(Unlabelled(sentence))
    return evidence(Extended.parse(program), hints, probability=0.9, unknown=hints.unknown or ())


def kinds(sentence: str, program: str = PROGRAM, confidence: float = 0.3) -> list[str]:
    return [doubt.kind for doubt in doubts(found(sentence, program), "extended", confidence)]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("There is a box with a yellow item", ["split"]),
        ("There is a box with a yelow item", ["split", "typo"]),
        ("There is a box with a yellow elephant", ["unknown word"]),
        ("There is a box with a yellow circle", ["unsaid"]),
        ("There is a box with 15 yellow items", ["beyond"]),
        ("There is a tall box with a yellow item", ["unsayable"]),
        ("The president laughs", ["unknown word", "unknown word", "off topic"]),
    ],
)
def test_a_doubt_for_everything_that_is_left_over(sentence: str, wanted: list[str]) -> None:
    assert kinds(sentence) == wanted


def test_what_no_word_asks_for_is_a_doubt() -> None:
    assert kinds("There is a box with an item", PROGRAM) == ["unasked"]


def test_a_word_said_twice_wants_two_functions() -> None:
    assert found("There is a yellow item over a yellow item").unsaid == ("yellow", "over")


def test_what_a_program_leaves_unsaid_is_told_only_where_the_answer_is_unsure() -> None:
    sentence = "There is a box with a yelow circle"
    assert kinds(sentence, confidence=0.3) == ["unsaid", "typo"]
    assert kinds(sentence, confidence=0.7) == ["typo"]
    assert kinds("There is a tall box", confidence=0.7) == ["unsayable"]


def test_without_a_lexicon_only_the_probability_is_known() -> None:
    assert evidence(Extended.parse(PROGRAM), None, probability=0.3) == Evidence(0.3, 0.3, said=1)
    new = evidence(Extended.parse(PROGRAM), None, probability=0.3, unknown=("elephant",))
    assert [str(doubt) for doubt in doubts(new, "extended", 0.1)] == ["the word 'elephant' is not known"]


def test_words_that_never_stood_side_by_side_are_strange_and_if_most_are_no_sentence() -> None:
    known = pairs("there is a box with a circle").__contains__
    hints = Hints(frozenset({"some_box"}), (("box", frozenset({"some_box"})),), frozenset())

    def read(sentence: str) -> Evidence:
        joints = pairs(sentence)
        return evidence(
            Extended.parse("some_box(object_exists)"), hints, probability=0.9, joints=joints, is_familiar=known
        )

    assert read("there is a box with a box").strange == ("box |",)
    assert not read("there is a box with a box").is_at_a_loss
    assert read("box circle a with is there a").is_salad
    assert [doubt.kind for doubt in doubts(read("box circle a with is there a"), "extended", 0.1)] == ["strange"]


def test_all_forms_of_a_word_are_one() -> None:
    assert (
        pairs("boxes touch", Nlvr().lemma) == pairs("box touching", Nlvr().lemma) == ["| box", "box touch", "touch |"]
    )


def test_new_words_are_no_proof_where_anything_may_have_a_name() -> None:
    hints = Hints(
        frozenset(), (("yellow", frozenset({"yellow"})),), frozenset({"some_box", "object_exists"}), is_open=True
    )
    read = evidence(Extended.parse(PROGRAM), hints, probability=0.9, unknown=("zoe",))
    assert not read.is_at_a_loss
    assert not list(doubts(read, "extended", 0.9))
    assert [str(doubt) for doubt in doubts(read, "extended", 0.3)] == ["the word 'zoe' is not known"]


def test_the_texts_are_for_people() -> None:
    texts = [str(doubt) for doubt in doubts(found("There is a box with a yelow elephant"), "extended", 0.1)]
    assert texts == ["the word 'elephant' is not known", "'yelow' is read as 'yellow'"]


def test_what_would_be_understood_is_told_with_the_words_before_it() -> None:
    texts = [str(doubt) for doubt in doubts(found("There is a yellow ball"), "extended", 0.1)]
    assert texts == ["the word 'ball' is not known; did you mean 'a yellow circle'?"]


def test_hints_of_a_domain_that_says_nothing_of_unknown_words_bring_no_doubt() -> None:
    hints = Hints(frozenset({"yellow"}), (("yellow", frozenset({"yellow"})),), frozenset({"some_box", "object_exists"}))
    assert not list(doubts(evidence(Extended.parse(PROGRAM), hints, probability=0.9), "extended", 0.9))
