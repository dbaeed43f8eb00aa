"""How far an answer is to be trusted, and how well that is known."""

from __future__ import annotations

import random

import numpy as np
import pytest
from benchmarks.trust import risk_coverage
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Answer, Answers, Reading
from chorale.evaluation.confidence import (
    NAMES,
    Confidence,
    Judged,
    calibration_error,
    features,
    fit,
    nonsense,
    reliability,
    trust_of,
)
from chorale.evaluation.doubts import Evidence
from chorale.nlvr import Consistent
from chorale.nlvr.english.words import normalise

FLIP = 0.05
PROGRAM = Consistent.parse("object_exists(all_objects)")


def judged(count: int, seed: int = 0, luck: float = 0.6) -> list[tuple[Judged, bool]]:
    """Answers that are right with their probability, or half as often if a word is left over; labels are noisy."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        chance, left = rng.choice((0.2, 0.5, 0.8, 0.95)), rng.random() < 0.3
        is_right = rng.random() < chance * (0.5 if left else 1)
        agree = [rng.random() < (1 - FLIP if is_right else luck) for _ in range(4)]
        made.append((Judged(Evidence(chance, unsaid=("x",) if left else (), said=1), agree), is_right))
    return made


def test_the_fit_finds_how_often_programs_are_right_behind_wrong_labels() -> None:
    fitted = fit([one for one, _ in judged(3_000)], FLIP)
    fresh = judged(3_000, seed=1)
    sure, right = [fitted.of(one.evidence) for one, _ in fresh], [is_right for _, is_right in fresh]
    assert calibration_error(sure, right) < 0.05
    labelled = [all(one.right) for one, _ in fresh]  # what noisy labels call right is less
    assert np.mean(labelled) < np.mean(right) - 0.03


def test_where_wrong_programs_are_hardly_ever_lucky_one_right_answer_counts_for_more() -> None:
    """Two answers in three are right where luck gives one in ten: what is right once is hardly ever wrong."""
    made = [(Judged(one.evidence, one.right[:1]), is_right) for one, is_right in judged(3_000, luck=0.08)]
    share = np.mean([is_right for _, is_right in made])
    for chance, is_near in ((0.1, True), (0.5, False)):
        fitted = fit([one for one, _ in made], FLIP, chance)
        sure = np.mean([fitted.of(one.evidence) for one, _ in made])
        assert (abs(sure - share) < 0.06) == is_near


def test_what_is_left_over_speaks_against_an_answer() -> None:
    fitted = fit([one for one, _ in judged(2_000)], FLIP)
    assert fitted.of(Evidence(0.9, unsaid=("x",), said=1)) < fitted.of(Evidence(0.9, said=1)) - 0.1


def test_nonsense_is_never_right() -> None:
    strange = Evidence(0.9, unknown=("x", "y"), strange=0.8)
    made = [one for one, _ in judged(1_000)] + [Judged(strange, (), is_nonsense=True)] * 200
    assert fit(made, FLIP).of(strange) < 0.1


def test_an_answer_without_weights_is_as_likely_as_not() -> None:
    assert Confidence().of(Evidence(0.7, said=1)) == 0.5


@given(st.floats(0, 1), st.floats(0, 1), st.lists(st.text(max_size=3), max_size=9))
def test_features_are_finite_and_named(probability: float, rival: float, words: list[str]) -> None:
    values = features(Evidence(probability, rival, unknown=tuple(words)))
    assert len(values) == len(NAMES)
    assert np.isfinite(values).all()


def test_nonsense_holds_words_that_no_repair_touches() -> None:
    rng = random.Random(0)
    for _ in range(20):
        made = nonsense("there is a box with a yellow item", rng)
        assert set(made.split()) - {"there", "is", "a", "box", "with", "yellow", "item"} <= set(normalise(made))


answers = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30)


@given(answers)
def test_the_reliability_curve_counts_every_answer_once_in_its_tenth(pairs: list[tuple[float, bool]]) -> None:
    sure, right = [sure for sure, _ in pairs], [right for _, right in pairs]
    rows = reliability(sure, right)
    assert sum(count for _, _, count in rows) == len(pairs)
    assert sum(mean * count for mean, _, count in rows) == pytest.approx(sum(sure))
    assert sum(share * count for _, share, count in rows) == pytest.approx(sum(right))
    tenths = [low for low in range(10) if any(low / 10 <= it < (low + 1) / 10 + (low == 9) for it in sure)]
    assert [low / 10 - 1e-9 <= mean <= (low + 1) / 10 for low, (mean, _, _) in zip(tenths, rows, strict=True)]


@given(answers, st.integers(0, 9))
def test_the_calibration_error_of_one_tenth_is_how_far_it_is_off(pairs: list[tuple[float, bool]], tenth: int) -> None:
    sure, right = [tenth / 10 + sure / 11 for sure, _ in pairs], [right for _, right in pairs]
    assert calibration_error(sure, right) == pytest.approx(abs(sum(sure) - sum(right)) / len(pairs))
    assert calibration_error([0.0, 1.0], [True, False]) == 1


@given(answers)
def test_the_risk_coverage_curve_ends_with_all_answers(pairs: list[tuple[float, bool]]) -> None:
    sure, right = [sure for sure, _ in pairs], [right for _, right in pairs]
    rows = risk_coverage(sure, right)
    assert rows[-1] == (1.0, pytest.approx(sum(right) / len(right)))
    for coverage, share in rows:  # the slow way: all answers above a threshold
        least = sorted(sure, reverse=True)[round(coverage * len(sure)) - 1]
        kept = [held for confidence, held in pairs if confidence >= least]
        assert share == pytest.approx(sum(kept) / len(kept))


class Said:
    """An utterance with labels."""

    def __init__(self, *answers: bool) -> None:
        self.answers = answers


def test_trust_counts_what_is_answered() -> None:
    predictions = [
        Reading(PROGRAM, answers=(True, True), confidence=0.9),
        Reading(PROGRAM, answers=(True, False), confidence=0.8),
        Reading(PROGRAM, answers=(True, False), confidence=0.2),
    ]
    labelled = [Said(True, True), Said(True, True), Said(False, False)]
    trust = trust_of(labelled, predictions, Answers(), 0.5)  # type: ignore[arg-type]
    assert (trust.answered, trust.consistency) == (pytest.approx(2 / 3), 0.5)
    nobody = trust_of(labelled, predictions, Answers(), 0.95)  # type: ignore[arg-type]
    assert nobody.consistency is None
    assert "consistent" not in str(nobody)

    class Lenient(Answers):
        def agrees(self, said: Answer, wanted: Answer) -> bool:
            return True

    assert trust_of(labelled, predictions, Lenient(), 0.5).consistency == 1.0  # type: ignore[arg-type]
