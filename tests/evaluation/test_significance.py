"""Significance, on cases worked out by hand and against slow twins."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.evaluation.compare import System, compare
from chorale.evaluation.significance import (
    almost_stochastic_order,
    bootstrap,
    mean_and_deviation,
    violation_ratio,
)


@pytest.mark.parametrize(
    ("ours", "theirs", "ratio"),
    [
        ([3, 4], [1, 2], 0.0),  # better throughout
        ([1, 2], [3, 4], 1.0),  # worse throughout
        ([1, 2], [1, 2], 0.5),  # the same
        ([1, 3], [2, 2], 0.5),  # gaps -1 and +1, each on half: (1/2) / 1
        ([1, 4], [2, 2], 0.2),  # gaps -1 and +2: (1/2) / (1/2 + 4/2)
        ([0, 2], [1, 1, 1, 1], 0.5),
        ([0, 3, 3], [1, 2], 2 / 9),  # -1 on 1/3, +2 on 1/6, +1 on 1/6 and on 1/3: (1/3) / (1/3 + 4/6 + 1/6 + 1/3)
        ([5], [1, 9], 0.5),  # +4 and -4
    ],
)
def test_violation_ratio_by_hand(ours: list[float], theirs: list[float], ratio: float) -> None:
    assert violation_ratio(ours, theirs) == pytest.approx(ratio)


scores = st.lists(st.integers(0, 20).map(float), min_size=1, max_size=6)


@given(scores, scores)
def test_violation_ratio_equals_a_sum_over_a_fine_grid(ours: list[float], theirs: list[float]) -> None:
    steps = math.lcm(len(ours), len(theirs))
    above = below = 0.0
    for step in range(steps):
        t = (step + 0.5) / steps
        gap = sorted(ours)[int(t * len(ours))] - sorted(theirs)[int(t * len(theirs))]
        above, below = above + gap**2, below + gap**2 * (gap < 0)
    assert violation_ratio(ours, theirs) == pytest.approx(below / above if above else 0.5)


@given(scores, scores)
def test_the_two_directions_add_up_to_one(ours: list[float], theirs: list[float]) -> None:
    assert violation_ratio(ours, theirs) + violation_ratio(theirs, ours) == pytest.approx(1.0)


def test_order_is_certain_when_all_seeds_are_better() -> None:
    better, worse = [0.75, 0.76, 0.77, 0.78, 0.79], [0.70, 0.71, 0.72, 0.73, 0.74]
    assert almost_stochastic_order(better, worse) == 0.0
    assert almost_stochastic_order(worse, better) == 1.0


def test_order_bound_by_hand_for_a_single_seed_has_no_spread() -> None:
    assert almost_stochastic_order([0.7], [0.6]) == 0.0
    assert almost_stochastic_order([0.6], [0.6]) == 0.5


def test_order_bound_by_hand_for_two_seeds_against_one() -> None:
    # Resampling [1, 4] gives 1,1 (ratio 1), 1,4 or 4,1 (ratio 0.2) and 4,4 (ratio 0), with weights 1, 2, 1 of 4.
    # The mean is 0.35, the variance 0.25 * 0.65^2 + 0.5 * 0.15^2 + 0.25 * 0.35^2 = 0.1475; 1.6449 * 0.38406 + 0.2.
    bound = almost_stochastic_order([1, 4], [2], samples=50_000)
    assert bound == pytest.approx(0.2 + 1.6449 * math.sqrt(0.1475), abs=0.01)


def test_a_looser_level_gives_a_lower_bound() -> None:
    ours, theirs = [0.70, 0.74, 0.78], [0.69, 0.72, 0.79]
    assert almost_stochastic_order(ours, theirs, alpha=0.4) < almost_stochastic_order(ours, theirs, alpha=0.05)


def test_bootstrap_by_hand() -> None:
    # One of four utterances is won. Drawing 4 of 4, the mean difference has variance (1/4)(3/4)/4.
    result = bootstrap(np.array([0.0, 0, 1, 1]), np.array([1.0, 0, 1, 1]), samples=50_000)
    assert result.difference == 0.25
    assert result.error == pytest.approx(math.sqrt(3 / 64), abs=0.005)
    assert (result.low, result.high) == (0.0, 0.75)
    # Around 0: |x - 1/4| >= 1/4 is every draw but the one with exactly one win: 1 - 4 (1/4) (3/4)^3.
    assert result.p == pytest.approx(1 - (3 / 4) ** 3, abs=0.01)


def test_bootstrap_weighs_utterances_by_their_pairs() -> None:
    result = bootstrap(np.array([0.0, 0.0]), np.array([1.0, 0.0]), weights=np.array([3.0, 1.0]))
    assert result.difference == 0.75


def test_bootstrap_finds_a_clear_difference_and_no_difference() -> None:
    rng = np.random.default_rng(1)
    base = (rng.random(300) < 0.5).astype(float)
    better = np.maximum(base, (rng.random(300) < 0.3).astype(float))
    assert bootstrap(base, better).p < 0.001
    assert bootstrap(base, base).p == 1.0


def test_bootstrap_wants_the_same_utterances() -> None:
    with pytest.raises(ChoraleError, match="2 utterances on one side and 3"):
        bootstrap(np.zeros(2), np.zeros(3))


def test_mean_and_deviation() -> None:
    assert mean_and_deviation([2, 4, 6]) == (4.0, 2.0)
    assert mean_and_deviation([5]) == (5.0, 0.0)
    with pytest.raises(ChoraleError, match="no scores"):
        mean_and_deviation([])


def test_a_comparison_is_said_in_one_sentence() -> None:
    good = {str(number): (True, True) for number in range(40)}
    bad = {str(number): (number % 2 == 0, True) for number in range(40)}
    *_, better = compare(System("a", [bad, bad]), System("b", [good, good]))
    *_, worse = compare(System("a", [good, good]), System("b", [bad, bad]))
    *_, equal = compare(System("a", [bad, good]), System("b", [good, bad]))
    *_, single = compare(System("a", [bad]), System("b", [good]))
    *_, torn = compare(System("a", [bad, good, bad]), System("b", [good, good, bad]))
    assert better.verdict.startswith("B is better: +50.0 ± ")
    assert better.verdict.endswith(" points of consistency, p < 0.001")
    assert worse.verdict.startswith("A is better: -50.0 ± ")
    assert equal.verdict.startswith("these seeds show no difference: +0.0 ")
    assert single.verdict.endswith("of a single seed, so others may say otherwise")
    assert torn.verdict.endswith("but other seeds may say otherwise")
    assert better.to_json()["verdict"] == better.verdict
