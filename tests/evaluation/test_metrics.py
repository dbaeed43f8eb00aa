"""Accuracy and consistency, against the definitions spelled out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import measures_noted, measures_of, percent, score_of

GROUPS = st.lists(st.lists(st.booleans(), min_size=1).map(tuple), min_size=1)


@given(GROUPS)
def test_scores_are_what_the_definitions_say(groups):
    pairs = [right for group in groups for right in group]
    result = score_of(groups)
    assert result.accuracy == sum(pairs) / len(pairs)
    assert result.consistency == sum(False not in group for group in groups) / len(groups)
    assert (result.pairs, result.groups) == (len(pairs), len(groups))


@pytest.mark.parametrize("right", [[], [()]])
def test_nothing_cannot_be_scored(right):
    with pytest.raises(ChoraleError, match="no pairs to score"):
        score_of(right)


@given(GROUPS)
def test_there_is_consistency_where_an_utterance_has_several_contexts(groups):
    has_several = max(map(len, groups)) > 1
    assert score_of(groups).measures == measures_of(groups)
    assert ("consistency" in measures_of(groups)) is has_several
    if not has_several:
        assert score_of(groups).consistency == score_of(groups).accuracy


@given(st.lists(GROUPS, min_size=1))
def test_figures_in_a_file_tell_where_there_is_one_measure(results):
    noted = [score_of(groups).to_json("dev_") for groups in results]
    if all(len(one) == 1 for groups in results for one in groups):
        assert measures_noted(noted, "dev_") == ("accuracy",)
    assert all((" / " in percent(one, "dev_")) is (one["dev_accuracy"] != one["dev_consistency"]) for one in noted)


def test_where_nothing_was_noted_nothing_is_said():
    assert percent({}) == percent({"dev_accuracy": 0.5}) == ""
