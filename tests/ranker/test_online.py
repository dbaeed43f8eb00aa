"""Learning weights by key; the slow twin keeps dictionaries, and takes its gradients from differences of the loss."""

from __future__ import annotations

import sys
from collections import Counter
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.ranker.made_up import KEYS, MadeUp, examples_of, made_up

from chorale.errors import ChoraleError
from chorale.ranker.online import Examples, OnlineSettings
from chorale.ranker.weights import KeyWeights

FIRST_SQUARE = 0.01
STEP = 1e-5

A, B, C = KEYS[:3]
CHOICE = MadeUp([[], [A], [B]], [[1, 0], [2, 0]], [0.0, 0.0], [True, False])
"""One program is right, and has the feature A; the other has B."""


def pairs(weights: KeyWeights) -> dict[int, float]:
    return dict(zip(weights.keys.tolist(), weights.weights.tolist(), strict=True))


def content(weights: KeyWeights) -> tuple[bytes, bytes]:
    return weights.keys.tobytes(), weights.weights.tobytes()


# -- the twin ----------------------------------------------------------------------------------------------------------


def loss(one: MadeUp, kept: list[list[int]], weights: dict[int, float], scale: float, none: float) -> float:
    """Of the features of each part that were kept; they count for more by as much as others were left out."""
    scores = [
        prior + sum(weights.get(key, 0.0) for part in program for key in kept[part]) / scale
        for program, prior in zip(one.programs, one.priors, strict=True)
    ]
    total = sum(map(exp, scores))
    return -log(sum(exp(score) / total for score, right in zip(scores, one.right, strict=True) if right) + none)


def slowly_learned(some: list[MadeUp], settings: OnlineSettings, seed: int) -> dict[int, float]:
    useful = [one for one in some if len(one.programs) > 1 and any(one.right)]
    count = Counter(key for one in useful for key in {key for keys in one.features for key in keys})
    features = [[[key for key in keys if count[key] > 1] for keys in one.features] for one in useful]
    weights = {key: 0.0 for key, often in count.items() if often > 1}
    squares, total = dict.fromkeys(weights, FIRST_SQUARE), dict.fromkeys(weights, 0.0)
    rng = np.random.default_rng([seed, 0])
    averaged, scale = min(settings.averaged, settings.passes), 1 - settings.dropout
    for number in range(settings.passes):
        for place in rng.permutation(len(useful)).tolist():
            chances = iter(rng.random(sum(map(len, features[place])), np.float32).tolist())
            kept = [[key for key in keys if next(chances) >= settings.dropout] for keys in features[place]]

            def at(key: int, change: float, place: int = place, kept: list[list[int]] = kept) -> float:
                changed = {**weights, key: weights[key] + change}
                return loss(useful[place], kept, changed, scale, settings.none)

            seen = {key for keys in kept for key in keys}
            gradient = {key: scale * (at(key, STEP) - at(key, -STEP)) / (2 * STEP) for key in sorted(seen)}
            for key, slope in gradient.items():
                squares[key] += slope**2
                weights[key] -= settings.step_size * slope / sqrt(squares[key])
        if number >= settings.passes - averaged:
            total = {key: total[key] + weights[key] / averaged for key in total}
    return total


@settings(max_examples=40)
@given(
    st.lists(made_up(), max_size=4),
    st.sampled_from([0.0, 0.3, 0.6]),
    st.sampled_from([0.02, 1.0]),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_learning_follows_the_gradient_of_the_loss(
    some: list[MadeUp], dropout: float, none: float, passes: int, averaged: int
) -> None:
    chosen = OnlineSettings(passes=passes, averaged=averaged, step_size=0.1, l2=0, dropout=dropout, none=none)
    expected = slowly_learned([*some, CHOICE, CHOICE], chosen, 5)
    found = pairs(examples_of([*some, CHOICE, CHOICE]).learn(chosen, 5))
    assert found.keys() <= expected.keys()
    assert {key: found.get(key, 0.0) for key in expected} == pytest.approx(expected, abs=1e-4)


def test_a_step_is_that_of_adagrad_with_weights_drawn_towards_zero() -> None:
    chosen = OnlineSettings(passes=1, averaged=1, step_size=0.1, l2=0.5, dropout=0, none=0.02)
    first = 0.5 * 0.5 / 0.52  # p (1 - p) / (p + none), with p = 0.5
    weight = 0.1 * first / sqrt(FIRST_SQUARE + first**2)
    p = exp(weight) / (exp(weight) + exp(-weight))
    second = p * (1 - p) / (p + 0.02) - 0.5 * weight
    weight += 0.1 * second / sqrt(FIRST_SQUARE + first**2 + second**2)
    assert pairs(examples_of([CHOICE, CHOICE]).learn(chosen, 0)) == pytest.approx({A: weight, B: -weight}, rel=1e-5)


def test_the_last_passes_are_averaged() -> None:
    one, two, both = (
        pairs(examples_of([CHOICE, CHOICE]).learn(OnlineSettings(passes=passes, averaged=averaged), 4))
        for passes, averaged in ((1, 1), (2, 1), (2, 2))
    )
    assert both == pytest.approx({key: (one[key] + two[key]) / 2 for key in one}, rel=1e-5)
    assert one[A] != two[A]


# -- what is learned from ----------------------------------------------------------------------------------------------


def test_what_makes_programs_right_gets_more_weight() -> None:
    found = pairs(examples_of([CHOICE] * 3).learn(OnlineSettings(), 0))
    assert found[A] > 0.1
    assert found[B] < -0.1


def test_features_of_one_utterance_are_not_looked_at() -> None:
    alone = MadeUp([[], [A, C, C], [B]], [[1, 0], [2, 0]], [0.0, 0.0], [True, False])
    assert pairs(examples_of([CHOICE, alone]).learn(OnlineSettings(), 0)).keys() == {A, B}
    assert pairs(examples_of([alone, alone]).learn(OnlineSettings(), 0)).keys() == {A, B, C}


@pytest.mark.parametrize(
    "idle",
    [
        MadeUp([[], [C]], [[1, 0]], [0.0], [True]),  # nothing to choose from
        MadeUp([[], [C], [B]], [[1, 0], [2, 0]], [0.0, 0.0], [False, False]),  # nothing is right
        MadeUp([[]], [], [], []),
    ],
    ids=["one program", "none right", "no program"],
)
def test_utterances_that_teach_nothing_change_nothing(idle: MadeUp) -> None:
    found = examples_of([CHOICE, CHOICE, idle, idle]).learn(OnlineSettings(), 0)
    assert content(found) == content(examples_of([CHOICE, CHOICE]).learn(OnlineSettings(), 0))


def test_where_nothing_can_be_learned_there_are_no_weights() -> None:
    for some in ([], [CHOICE], [MadeUp([[], []], [[1, 0], [0, 0]], [0.0, 0.0], [True, False])] * 2):
        assert len(examples_of(some).learn(OnlineSettings(), 0)) == 0


@settings(max_examples=20)
@given(st.lists(made_up(), min_size=4, max_size=6), st.integers(0, 3))
def test_learning_from_some_is_as_if_there_were_no_others(some: list[MadeUp], left_out: int) -> None:
    chosen = OnlineSettings(passes=2)
    only = [it for it in range(len(some)) if it != left_out]
    found = examples_of(some).learn(chosen, 1, only=set(only))
    assert content(found) == content(examples_of([some[it] for it in only]).learn(chosen, 1))


@settings(max_examples=20)
@given(st.lists(made_up(), min_size=2, max_size=5))
def test_the_same_seed_gives_the_same_bytes(some: list[MadeUp]) -> None:
    one, other = (examples_of([*some, CHOICE, CHOICE]).learn(OnlineSettings(), 7) for _ in range(2))
    assert content(one) == content(other)


def test_another_seed_gives_other_weights() -> None:
    one, other = (examples_of([CHOICE] * 4).learn(OnlineSettings(dropout=0.5), seed) for seed in (0, 1))
    assert content(one) != content(other)


def test_every_pass_is_told() -> None:
    told: list[tuple[int, int]] = []
    Examples().learn(OnlineSettings(passes=3), 0, lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    "wrong", [{"passes": 0}, {"averaged": 0}, {"step_size": 0}, {"l2": -1}, {"dropout": 1}, {"none": 0}], ids=str
)
def test_settings_out_of_bounds_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        OnlineSettings(**wrong)


def test_learning_without_numba_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "chorale.ranker.stepping", raising=False)
    with pytest.raises(ChoraleError, match=r"needs numba; .*chorale\[rankers\]"):
        examples_of([CHOICE, CHOICE]).learn(OnlineSettings(), 0)


def test_an_utterance_may_have_more_features_than_two_bytes_can_number() -> None:
    keys = list(range(1, 70_001))
    many = MadeUp([[], keys, [B]], [[1, 0], [2, 0]], [0.0, 0.0], [True, False])
    learned = examples_of([many, many]).learn(OnlineSettings(passes=1, dropout=0), 0)
    assert learned.of(np.array([keys[0], keys[-1]], np.uint32)).min() > 0
