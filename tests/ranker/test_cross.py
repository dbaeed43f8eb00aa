"""Cross-fitting: no utterance is scored by weights that saw what it is about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ranker.made_up import KEYS, TEMPLATES, MadeUp, examples_of, made_up

from chorale.evaluation.confidence import Confidence
from chorale.evaluation.doubts import Evidence
from chorale.ranker.best import judged_by
from chorale.ranker.cross import FOLDS, cross_fitted, folds_of
from chorale.ranker.cross_judging import confidence_of
from chorale.ranker.online import OnlineSettings
from chorale.ranker.weights import KeyWeights

QUICK = OnlineSettings(passes=2, averaged=1)
TOPICS = [f"table {number % 9}" for number in range(24)]


def about(topic: int) -> MadeUp:
    """An utterance whose right program has a feature that all have, and one that its topic alone has."""
    return MadeUp([[], [KEYS[0], 1000 + topic], [KEYS[1]]], [[1, 0], [2, 0]], [0.0, 0.0], [True, False])


def test_utterances_about_the_same_thing_are_in_one_fold() -> None:
    folds = folds_of(TOPICS)
    assert all(0 <= fold < FOLDS for fold in folds)
    assert len({(topic, fold) for topic, fold in zip(TOPICS, folds, strict=True)}) == len(set(TOPICS))
    assert len(set(folds)) > 1
    assert folds == folds_of([(topic,) for topic in TOPICS])  # whatever it is that they are about


def test_no_utterance_is_scored_by_weights_that_saw_what_it_is_about() -> None:
    topics = [number % 9 for number in range(24)]
    one = MadeUp([[], [KEYS[0]], [1000]], [[1, 0], [2, 0]], [0.0, 0.0], [True, False])
    some = [one._replace(features=[[], [KEYS[0]], [1000 + topic]]) for topic in topics]
    folds = folds_of(topics)
    weights = cross_fitted(examples_of(some), folds, QUICK, 0)
    for topic, fold in zip(topics, folds, strict=True):
        own = weights[fold].of(np.array([KEYS[0], 1000 + topic], np.uint32))
        assert own[0] > 0
        assert own[1] == 0  # only other utterances about the same thing have this feature
    assert {1000 + topic for topic in topics} < set(KeyWeights.mean(list(weights.values())).keys.tolist())


@settings(max_examples=10)
@given(st.lists(made_up(), min_size=4, max_size=7), st.data())
def test_the_weights_of_a_fold_are_learned_from_the_others(some: list[MadeUp], data: st.DataObject) -> None:
    folds = [0, 1, *data.draw(st.lists(st.integers(0, 2), min_size=len(some) - 2, max_size=len(some) - 2))]
    weights = cross_fitted(examples_of(some), folds, QUICK, 2)
    assert weights.keys() == set(folds)
    for number, own in weights.items():
        others = [other for other, fold in zip(some, folds, strict=True) if fold != number]
        learned = examples_of(others).learn(QUICK, 2)
        assert own.keys.tolist() == learned.keys.tolist()
        assert own.weights.tolist() == pytest.approx(learned.weights.tolist(), abs=1e-6)


def test_folds_without_an_utterance_are_not_counted() -> None:
    told: list[tuple[int, int]] = []
    examples = examples_of([about(0), about(1), about(2)])
    cross_fitted(examples, [4, 1, 4], QUICK, 0, lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]


def test_weights_are_the_mean_of_what_the_folds_taught() -> None:
    some, folds = [about(number % 4) for number in range(8)], [0, 1, 2, 0] * 2
    weights = KeyWeights.mean(list(cross_fitted(examples_of(some), folds, QUICK, 0).values()))
    taught = [
        examples_of([one for one, fold in zip(some, folds, strict=True) if fold != out]).learn(QUICK, 0)
        for out in range(3)
    ]
    expected = sum(it.of(weights.keys) for it in taught) / 3
    assert weights.weights == pytest.approx(expected, abs=1e-6)


def test_where_all_are_about_one_thing_they_are_learned_from_all_the_same() -> None:
    some = examples_of([about(0)] * 3)
    [weights] = cross_fitted(some, folds_of(["it"] * 3), QUICK, 0).values()
    learned = some.learn(QUICK, 0)
    assert weights.keys.tolist() == learned.keys.tolist()
    assert weights.weights == pytest.approx(learned.weights)


# -- confidence --------------------------------------------------------------------------------------------------------


def fitted(one: MadeUp, sure: list[float], right: list[bool]) -> Confidence:
    """The confidence, if the first program is so much better each time, and right or not."""
    some = [one._replace(right=[is_right, False, False]) for is_right in right]
    return believed(some, sure)


def believed(some: list[MadeUp], sure: list[float]) -> Confidence:
    """The same, if the first feature weighs so much each time."""
    keys, folds = np.array(KEYS[:1], np.uint32), list(range(len(some)))
    weights = {fold: KeyWeights.of_pairs(keys, np.array([by])) for fold, by in zip(folds, sure, strict=True)}
    judged = judged_by(examples_of(some), folds, weights, TEMPLATES, 10)
    return confidence_of([(it, it.best.log_probabilities) for it in judged])


def test_answers_are_believed_as_far_as_such_answers_were_right() -> None:
    choice = MadeUp([[], [KEYS[0]], [KEYS[1]]], [[1, 0], [2, 0], [2, 0]], [0.0] * 3, [], [0, 1, 2])
    fine = fitted(choice, [6.0, 6.0, 6.0, 0.1, 0.1, 0.1], [True, True, True, False, False, False])
    poor = fitted(choice, [6.0] * 6, [False] * 6)
    sure, unsure = Evidence(0.99, 0.99, said=1), Evidence(0.35, 0.35, said=1)
    assert fine.of(sure).confidence > 0.8
    assert fine.of(unsure).confidence < 0.3
    assert poor.of(sure).confidence < 0.3


def test_programs_that_answer_alike_are_judged_together() -> None:
    """The second and third together are more probable than the first, and right."""
    alike = MadeUp([[], [KEYS[0]], [KEYS[1]]], [[1, 0], [2, 0], [2, 0]], [0.0] * 3, [False, True, True], [0, 1, 1])
    found = believed([alike] * 4, [0.3] * 4)
    assert found.of(Evidence(0.3, 0.6, said=1)).confidence > 0.8


def test_utterances_without_programs_are_not_judged() -> None:
    choice = MadeUp([[], [KEYS[0]], [KEYS[1]]], [[1, 0], [2, 0]], [0.0] * 2, [True, False])
    some = [choice, MadeUp([[]], [], [], [])]
    assert believed(some, [1.0, 1.0]) == believed(some[:1], [1.0])
