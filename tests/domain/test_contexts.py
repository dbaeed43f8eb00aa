"""Contexts of domains that cannot draw are taken as they are; tests/test_model.py has those of NLVR."""

import pytest
from tests.people import PeopleDomain

from chorale.domain.contexts import contexts_of
from chorale.errors import ChoraleError


class Numbered(PeopleDomain):
    """PeopleDomain whose contexts are known to be of one type."""

    context_type = dict


def test_a_domain_that_cannot_draw_gets_what_was_given() -> None:
    table = {"name": "x"}
    assert contexts_of(PeopleDomain(), None) == ()
    assert contexts_of(PeopleDomain(), [table, "text", 3]) == (table, "text", 3)
    assert contexts_of(PeopleDomain(), ((3, 4), (5, 0))) == ((3, 4), (5, 0))
    assert contexts_of(PeopleDomain(), table) == (table,)


def test_a_domain_that_says_what_its_contexts_are_refuses_others() -> None:
    assert contexts_of(Numbered(), [{}]) == ({},)
    with pytest.raises(ChoraleError, match="expected dict, or a list of such; found int 3"):
        contexts_of(Numbered(), [3])
