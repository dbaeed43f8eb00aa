"""Accuracy and consistency, against the definitions spelled out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import accuracy, consistency, score

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("abcde")), min_size=1)


@given(PAIRS)
def test_scores_are_what_the_definitions_say(pairs):
    denotations, labels, groups = zip(*pairs, strict=True)
    right = {name: all(d == label for d, label, group in pairs if group == name) for name in set(groups)}
    result = score(denotations, labels, groups)
    assert accuracy(denotations, labels) == result.accuracy == sum(d == label for d, label, _ in pairs) / len(pairs)
    assert consistency(denotations, labels, groups) == result.consistency == sum(right.values()) / len(right)
    assert score(np.array(denotations), np.array(labels), np.array(groups)) == result


def test_denotations_may_be_any_comparable_values():
    assert accuracy(["Oslo", "Rome"], ["Oslo", "Bern"]) == 0.5


@pytest.mark.parametrize("arguments", [([], [], []), ([True], [], []), ([True], [True], [])])
def test_what_does_not_fit_together_is_an_error(arguments):
    with pytest.raises(ChoraleError):
        score(*arguments)
