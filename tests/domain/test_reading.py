"""Readings: one type for a program and what is known about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from chorale.domain import Answer, Answers, Reading, TracedPart, Unlabelled
from chorale.errors import ChoraleError
from chorale.nlvr import Consistent

PROGRAM = Consistent.parse("object_exists(yellow(all_objects))")
LONGER = Consistent.parse("object_exists(yellow(yellow(all_objects)))")


class Teller:
    """What gives readings, as a model does."""

    def plain(self, reading: Reading) -> str | None:
        return f"about {reading.program.text}"

    def trace(self, reading: Reading) -> Sequence[TracedPart]:
        return ()

    def explain(self, reading: Reading, *, answer_if: float) -> Any:
        return reading, answer_if

    def answer_text(self, answer: Answer | None) -> str:
        return Answers().text(answer)


def test_labels_and_prior_rank_readings_and_a_parser_gives_probabilities() -> None:
    one = Reading(PROGRAM, -2.0, -0.5, math.log(0.25))
    assert one.score == -2.5
    assert one.probability == pytest.approx(0.25)
    assert (one.decoded, Reading(PROGRAM, simplified_from=LONGER).decoded) == (PROGRAM, LONGER)


@pytest.mark.parametrize(("confidence", "is_known"), [(None, True), (0.5, True), (0.49, False)])
def test_what_is_not_sure_enough_is_not_known(confidence: float | None, is_known: bool) -> None:
    assert Reading(PROGRAM, confidence=confidence).is_known(0.5) is is_known


def test_a_reading_shows_itself_with_its_answers() -> None:
    one = Reading(PROGRAM, answers=(True, ("a", "<b>")), log_probability=math.log(0.5), origin=Teller())
    assert repr(one) == f"<Reading {PROGRAM}, 50.0%, true, a|<b>>"
    assert repr(Reading(PROGRAM)) == f"<Reading {PROGRAM}, 100.0%>"
    page = one._repr_html_()
    assert "a|&lt;b&gt;" in page
    assert "<b>" not in page
    assert "<svg" in page


def test_what_only_a_model_can_say_is_asked_of_it() -> None:
    one = Reading(PROGRAM, origin=Teller())
    assert one.plain == f"about {PROGRAM.text}"
    assert one.explain(answer_if=0.3) == (one, 0.3)
    assert one.trace() == ()
    assert Reading(PROGRAM).plain is None
    for ask in (Reading(PROGRAM).trace, Reading(PROGRAM).explain):
        with pytest.raises(ChoraleError, match=r"this reading does not know its model; take one that `Model\.parse`"):
            ask()


def test_equal_readings_say_the_same_whoever_gave_them() -> None:
    assert Reading(PROGRAM, -1.0, origin=Teller(), utterance=Unlabelled("x")) == Reading(PROGRAM, -1.0)
    assert Reading(PROGRAM, -1.0) != Reading(PROGRAM, -2.0)
