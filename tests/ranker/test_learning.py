"""Learning: losses and gradients are those of the equation, and what is learned is what labels support."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.ranker.features import Feature
from chorale.ranker.learning import LearningSettings, LogLinear, Problem
from chorale.ranker.parts import Sentence

QUIET = LearningSettings(dropout=0.0)


@dataclass(frozen=True)
class Said:
    """A sentence with made-up programs: each is a list of parts, and each part a list of features."""

    features_of: dict[int, tuple[Feature, ...]]
    programs: list[list[int]]
    priors: list[float]
    right: list[list[list[bool]]]
    """For each utterance and each program, which labels it agrees with."""
    chances: tuple[float, ...] = (0.5,) * 12
    """For each label, how probable it is that a wrong program agrees with it."""

    def features(self, key: Hashable) -> tuple[Feature, ...]:
        return self.features_of[cast(int, key)]


def posed(said: Sequence[Said], flip: float = 0.05) -> Problem:
    """A problem; utterances are numbered one after another."""
    problem, names = Problem(), count()
    for one in said:
        number = problem.add_sentence(cast(Sentence, one), one.programs, one.priors)
        for right in one.right:
            problem.add_utterance(next(names), number, right, flip, one.chances[: len(right[0]) if right else 0])
    return problem


def table(problem: Problem, chosen: list[bool], none: float) -> LogLinear:
    return problem.posed(np.array(chosen, dtype=bool), problem.utterances, none)


def obvious_loss(said: Sequence[Said], weights: dict[Feature, float], flip: float, none: float) -> float:
    """The equation, word by word."""
    loss = 0.0
    for one in said:
        scores = [
            prior + sum(weights.get(feature, 0.0) for part in parts for feature in one.features(part))
            for parts, prior in zip(one.programs, one.priors, strict=True)
        ]
        total = sum(math.exp(score) for score in scores)
        for right in one.right:
            if not right or not right[0]:
                continue
            evidence = none
            for score, agreed in zip(scores, right, strict=True):
                likelihood = math.prod(
                    (1 - flip) / chance if is_right else flip / (1 - chance)
                    for is_right, chance in zip(agreed, one.chances, strict=False)
                )
                evidence += math.exp(score) / total * likelihood
            loss -= math.log(evidence)
    return loss


FEATURES = [(name,) for name in "abcdef"]


@st.composite
def sentences(draw: st.DrawFn) -> Said:
    features_of = {key: tuple(draw(st.lists(st.sampled_from(FEATURES), max_size=3))) for key in range(4)}
    programs = draw(st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=4))
    priors = [draw(st.floats(-5, 0)) for _ in programs]
    right = []
    for _ in range(draw(st.integers(0, 2))):
        labels = draw(st.integers(0, 4))
        right.append([draw(st.lists(st.booleans(), min_size=labels, max_size=labels)) for _ in programs])
    chances = tuple(draw(st.lists(st.floats(0.05, 0.95), min_size=4, max_size=4)))
    return Said(features_of, programs, priors, right, chances)


@given(
    st.lists(sentences(), max_size=4),
    st.lists(st.floats(-3, 3), min_size=6, max_size=6),
    st.floats(0.01, 0.4),
    st.floats(0.0001, 0.1),
)
def test_loss_and_gradient_are_those_of_the_equation(
    said: list[Said], values: list[float], flip: float, none: float
) -> None:
    problem = posed(said, flip)
    names = list(problem.features)
    weights = dict(zip(names, values, strict=False))
    fast = table(problem, [True] * len(names), none)
    loss, gradient = fast.loss_and_gradient(np.array(values[: len(names)], dtype=np.float64))
    assert loss == pytest.approx(obvious_loss(said, weights, flip, none), abs=1e-9)
    step = 1e-5
    for name, rises in zip(names, gradient, strict=True):
        more, less = ({**weights, name: weights[name] + change} for change in (step, -step))
        rise = (obvious_loss(said, more, flip, none) - obvious_loss(said, less, flip, none)) / (2 * step)
        assert rises == pytest.approx(rise, abs=1e-5)


@given(st.lists(sentences(), max_size=4), st.sets(st.sampled_from(FEATURES)))
def test_features_that_are_not_chosen_are_as_if_they_were_not_there(said: list[Said], chosen: set[Feature]) -> None:
    problem = posed(said)
    names = list(problem.features)
    fast = table(problem, [name in chosen for name in names], 0.001)
    kept = [name for name in names if name in chosen]
    weights = {name: 0.1 * (number + 1) for number, name in enumerate(kept)}
    loss, gradient = fast.loss_and_gradient(np.array(list(weights.values()), dtype=np.float64))
    assert len(gradient) == len(kept)
    assert loss == pytest.approx(obvious_loss(said, weights, 0.05, 0.001), abs=1e-9)


def choice(labels: Sequence[Sequence[bool]], own: str = "", priors: tuple[float, float] = (0.0, 0.0)) -> Said:
    """Two programs, "good" and "bad"; a label says whether good is right where bad is wrong, or the other way."""
    features_of: dict[int, tuple[Feature, ...]] = {0: (("good",),), 1: (("bad",),)}
    if own:
        features_of[0] += (("good", own),)
    right = [[list(some), [not agreed for agreed in some]] for some in labels]
    return Said(features_of, [[0], [1]], list(priors), right)


def test_the_program_that_labels_support_is_preferred_even_against_the_prior() -> None:
    weights = posed([choice([[True] * 4], priors=(-1.0, 0.0)) for _ in range(5)]).learn(QUIET, 0)
    assert weights["good",] - 1 > weights["bad",]


def test_what_is_learned_of_some_sentences_holds_for_those_whose_labels_say_nothing() -> None:
    mixed = Said({0: (("good",),), 1: (("bad",),)}, [[0], [1]], [0.0, 0.0], [[[True, False], [False, True]]])
    weights = posed([mixed, *[choice([[True] * 4]) for _ in range(4)]]).learn(QUIET, 0)
    assert weights["good",] > weights["bad",]


def test_wrong_labels_at_the_flip_rate_are_forgiven() -> None:
    rng = Random(1)
    labels = [[rng.random() >= 0.05 for _ in range(4)] for _ in range(60)]
    assert not all(map(all, labels))
    clean = posed([choice([[True] * 4]) for _ in labels]).learn(QUIET, 0)
    noisy = posed([choice([some]) for some in labels]).learn(QUIET, 0)
    assert noisy["good",] > noisy["bad",]
    assert noisy["good",] > 0.7 * clean["good",]


def test_agreeing_by_luck_counts_for_less_the_likelier_it_is_and_disagreeing_never_counts_for_a_program() -> None:
    """Even where hardly any wrong program agrees, one that disagrees is not preferred to luck."""
    for chance in (0.01, 0.5, 0.9):
        problem = posed([Said({0: ()}, [[0], [0]], [0.0, 0.0], [[[True], [False]]], (chance,))])
        [(_, _, (agreeing, disagreeing))] = problem.utterances
        assert agreeing == pytest.approx(math.log(0.95 / chance))
        assert disagreeing < 0


def test_an_utterance_that_fits_no_program_counts_for_next_to_nothing() -> None:
    """That none is meant explains labels that would be absurd otherwise."""
    said = [choice([[True] * 4]) for _ in range(3)]
    absurd = Said({0: (("good",),), 1: (("worse",),)}, [[0], [1]], [0.0, -20.0], [[[False] * 12, [False] * 12]])
    with_it = posed([*said, absurd]).learn(QUIET, 0)
    assert with_it["good",] == pytest.approx(posed(said).learn(QUIET, 0)["good",], rel=0.1)


def test_the_same_seed_gives_the_same_weights_and_another_one_others() -> None:
    problem = posed([choice([[True] * 4, [True, False, True]], own=str(number)) for number in range(6)])
    settings = LearningSettings(dropout=0.4)
    assert problem.learn(settings, 3) == problem.learn(settings, 3)
    assert problem.learn(settings, 3) != problem.learn(settings, 4)


def test_features_of_too_few_sentences_have_no_weight() -> None:
    said = [choice([[True] * 4], own="once"), *[choice([[True] * 4], own="twice") for _ in range(2)]]
    weights = posed(said).learn(QUIET, 0)
    assert ("good", "twice") in weights
    assert ("good", "once") not in weights


def test_some_utterances_teach_what_they_would_teach_alone() -> None:
    said = [choice([[True] * 4, [False, True, True]], own=name) for name in "aabb"]
    both, first = posed(said), posed(said[:2])
    assert both.learn(QUIET, 0, only=range(4)) == pytest.approx(first.learn(QUIET, 0))
    assert ("good", "b") in both.learn(QUIET, 0)
    assert ("good", "b") not in both.learn(QUIET, 0, only={0, 1, 2, 3})


def test_every_step_is_told() -> None:
    told: list[tuple[int, int]] = []
    posed([choice([[True] * 4])]).learn(LearningSettings(steps=5), 0, lambda *it: told.append(it))
    assert told == [(step, 5) for step in range(1, 6)]


def test_large_weights_cost() -> None:
    problem = posed([choice([[True] * 4]) for _ in range(4)])
    small, large = (problem.learn(QUIET.model_copy(update={"l2": l2}), 0)["good",] for l2 in (1.0, 0.0))
    assert 0 < small < large


@pytest.mark.parametrize(
    "said", [[], [Said({}, [], [], [[]])], [choice([[]])]], ids=["nothing", "no program", "no label"]
)
def test_where_there_is_nothing_to_learn_nothing_is_learned(said: list[Any]) -> None:
    assert posed(said).learn(QUIET, 0) == {}
