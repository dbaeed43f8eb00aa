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
    AT_A_LOSS,
    DEFAULT_CONFIDENCE,
    NAMES,
    Confidence,
    Judged,
    calibration_error,
    features,
    fit,
    reliability,
    trust_of,
)
from chorale.evaluation.doubts import Evidence
from chorale.nlvr import Consistent

FLIP = 0.05
PROGRAM = Consistent.parse("object_exists(all_objects)")


def known(alike: float, probability: float | None = None, **more: tuple[str, ...]) -> Evidence:
    """What is known of a reading that says something of its sentence."""
    return Evidence(alike if probability is None else probability, alike, said=1, joints=9, **more)


def sure(fitted: Confidence, found: Evidence) -> float:
    return fitted.of(found).confidence


def judged(count: int, seed: int = 0, luck: float = 0.6) -> list[tuple[Judged, bool]]:
    """Answers that are right with their probability, or half as often if a word is left over; labels are noisy."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        chance, left = rng.choice((0.2, 0.5, 0.8, 0.95)), rng.random() < 0.3
        is_right = rng.random() < chance * (0.5 if left else 1)
        agree = [rng.random() < (1 - FLIP if is_right else luck) for _ in range(4)]
        made.append((Judged(known(chance, unsaid=("x",) if left else ()), agree), is_right))
    return made


@pytest.mark.parametrize("luck", [0.5, 0.75])
def test_the_fit_finds_how_often_answers_are_right_behind_wrong_labels(luck: float) -> None:
    fitted = fit([one for one, _ in judged(3_000, luck=luck)], FLIP)
    fresh = judged(3_000, seed=1, luck=luck)
    understood = [fitted.of(one.evidence).meant for one, _ in fresh]
    right = [is_right for _, is_right in fresh]
    assert calibration_error(understood, right) < 0.06
    labelled = [all(one.right) for one, _ in fresh]  # what noisy labels call right is less
    assert np.mean(labelled) < np.mean(right) + (1 - np.mean(right)) * luck**4 - 0.03
    assert fitted.luck == pytest.approx(luck**4, abs=0.07)


def test_what_is_left_over_speaks_against_an_answer() -> None:
    fitted = fit([one for one, _ in judged(2_000)], FLIP)
    assert sure(fitted, known(0.9, unsaid=("x",))) < sure(fitted, known(0.9)) - 0.1


def test_sentences_that_count_more_are_more() -> None:
    rare = [Judged(known(0.5), [True], weight=0.1)] * 500
    often = [Judged(known(0.5), [False])] * 500
    assert sure(fit(rare + often, FLIP, 0.02), known(0.5)) < 0.2
    assert sure(fit(often + rare * 10, FLIP, 0.02), known(0.5)) > 0.4


@pytest.mark.parametrize(
    "loss",
    [{"unknown": ("star",)}, {"unsayable": ("odd",)}, {"beyond": ("15",)}, {"strange": ("a b",) * 6}],
    ids=lambda loss: next(iter(loss)),
)
def test_what_no_program_can_say_is_not_known_whatever_the_rest(loss: dict[str, tuple[str, ...]]) -> None:
    certain = Confidence(weights={"always": 9.0}, luck=0.9)
    assert certain.of(known(1.0)).confidence > 0.99
    found = certain.of(known(1.0, **loss))
    assert found.confidence <= AT_A_LOSS
    assert found.meant <= AT_A_LOSS


@given(st.floats(0, 1), st.floats(0, 1), st.lists(st.text(max_size=3), max_size=9))
def test_answers_are_right_at_least_as_often_as_readings_are_meant(one: float, other: float, words: list[str]) -> None:
    alike, probability = max(one, other), min(one, other)
    found = DEFAULT_CONFIDENCE.of(known(alike, probability, unsaid=tuple(words)))
    assert 0 <= found.meant <= found.confidence <= 1


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_more_probable_an_answer_the_surer_it_is(one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert sure(DEFAULT_CONFIDENCE, known(less)) <= sure(DEFAULT_CONFIDENCE, known(more)) + 1e-12


def test_without_a_judged_answer_nothing_is_known_of_confidence() -> None:
    assert not fit([], FLIP).is_known
    assert not Confidence(weights={"rival": 0.3}).is_known  # of an older model
    assert DEFAULT_CONFIDENCE.is_known


@given(st.floats(0, 1), st.lists(st.text(max_size=3), max_size=9))
def test_features_are_finite_and_named(probability: float, words: list[str]) -> None:
    values = features(known(probability, unsaid=tuple(words)))
    assert len(values) == len(NAMES)
    assert np.isfinite(values).all()


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
