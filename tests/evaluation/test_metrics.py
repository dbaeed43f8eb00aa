"""Accuracy and consistency, against the definitions spelled out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import score_of

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
    with pytest.raises(ChoraleError, match="nothing to score"):
        score_of(right)
