"""Means with standard errors by group, against slow twins."""

import math
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import score_of
from chorale.sweeps.folds.held_out import HeldOut, differences, figures

rights = st.lists(st.booleans(), min_size=1, max_size=4)
answered = st.builds(
    lambda group, right: HeldOut(fold=0, group=group, program="p", right=right), st.sampled_from("abcde"), rights
)
many = st.lists(answered, min_size=1, max_size=20)


def alone(rights: list[list[bool]]) -> list[HeldOut]:
    """Each of a kind of its own."""
    return [HeldOut(fold=0, group=str(number), program="p", right=right) for number, right in enumerate(rights)]


@given(many)
def test_means_over_utterances_are_accuracy_and_consistency(said: list[HeldOut]) -> None:
    found, score = figures(said), score_of([tuple(one.right) for one in said])
    assert found.estimates["accuracy", "utterances"].mean == pytest.approx(score.accuracy)
    assert found.estimates["consistency", "utterances"].mean == pytest.approx(score.consistency)
    assert (found.utterances, found.groups) == (len(said), len({one.group for one in said}))


@given(many)
def test_over_groups_each_counts_once(said: list[HeldOut]) -> None:
    groups = [[all(one.right) for one in said if one.group == name] for name in sorted({one.group for one in said})]
    means = [mean(map(float, group)) for group in groups]
    found = figures(said).estimates["consistency", "groups"]
    assert found.mean == pytest.approx(mean(means))
    if len(means) == 1:
        assert found.error is None
    else:
        assert found.error == pytest.approx(stdev(means) / math.sqrt(len(means)))


@given(st.lists(rights, min_size=2, max_size=20))
def test_with_a_group_for_each_utterance_the_error_is_the_usual_one(right: list[list[bool]]) -> None:
    found = figures(alone(right)).estimates
    usual = stdev(float(all(one)) for one in right) / math.sqrt(len(right))
    assert found["consistency", "utterances"].error == pytest.approx(usual)
    assert found["consistency", "groups"].error == pytest.approx(usual)


def test_utterances_that_err_together_tell_less() -> None:
    apart = figures(alone([[True], [False]] * 50)).estimates["consistency", "utterances"]
    said = [HeldOut(fold=0, group=str(number // 10), program="p", right=[number < 50]) for number in range(100)]
    together = figures(said).estimates["consistency", "utterances"]
    assert apart.mean == together.mean == 0.5
    assert together.error == pytest.approx(apart.error * math.sqrt(99 / 9))  # ten kinds instead of a hundred


@given(st.lists(st.tuples(answered, rights), min_size=1, max_size=20))
def test_the_difference_is_paired(pairs: list[tuple[HeldOut, list[bool]]]) -> None:
    before = {str(number): one for number, (one, _) in enumerate(pairs)}
    after = {
        name: one.model_copy(update={"right": (right * 4)[: len(one.right)]})
        for (name, one), (_, right) in zip(before.items(), pairs, strict=True)
    }
    step = differences(before, {**after, "elsewhere": pairs[0][0]})
    a, b = figures(list(before.values())), figures(list(after.values()))
    assert step.utterances == len(pairs)
    for key, estimate in step.estimates.items():
        assert estimate.mean == pytest.approx(b.estimates[key].mean - a.estimates[key].mean)
    same = differences(before, before).estimates.values()
    assert all(one.mean == 0 and not one.error for one in same)


def test_what_was_held_out_differently_is_not_compared() -> None:
    one, other = alone([[True], [False]])
    with pytest.raises(ChoraleError, match="no utterance was held out in both"):
        differences({"1": one}, {"2": one})
    with pytest.raises(ChoraleError, match="held out in other folds"):
        differences({"1": one}, {"1": other})
    with pytest.raises(ChoraleError, match="no utterances to score"):
        figures([])
