"""Contexts as users give them; tests/test_model.py has those of NLVR."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.people import PeopleDomain

from chorale.domain import Codec, Domain
from chorale.domain.contexts import contexts_of
from chorale.errors import ChoraleError

ROW, OTHER = {"name": "anna"}, {"name": "bert"}


class Anything(Domain):
    """A domain that says nothing about its contexts."""

    name = "anything"


class Mappings(Anything):
    context_type = dict


class Pairs(Anything):
    context_type = tuple


class Plain(Anything):
    """Contexts that are JSON already."""

    codec = Codec()


def test_a_domain_that_says_nothing_gets_what_was_given() -> None:
    assert contexts_of(Anything(), None) == ()
    assert contexts_of(Anything(), [ROW, "text", 3]) == (ROW, "text", 3)
    assert contexts_of(Anything(), ((3, 4), (5, 0))) == ((3, 4), (5, 0))
    assert contexts_of(Anything(), ROW) == (ROW,)


def test_a_domain_that_says_what_its_contexts_are_refuses_others() -> None:
    assert contexts_of(Mappings(), [{}]) == ({},)
    with pytest.raises(ChoraleError, match="expected dict, or a list of such; found int 3"):
        contexts_of(Mappings(), [3])


@pytest.mark.parametrize(
    ("given", "contexts"),
    [
        ((3, 4), ((3, 4),)),
        ([(3, 4), (5, 0)], ((3, 4), (5, 0))),
        (((3, 4), (5, 0)), ((3, 4), (5, 0))),
        ((), ((),)),
        ([], ()),
    ],
)
def test_a_tuple_is_a_context_where_the_domain_says_so(given: Any, contexts: tuple[Any, ...]) -> None:
    assert contexts_of(Pairs(), given) == contexts


@pytest.mark.parametrize(
    ("given", "contexts"),
    [
        ([ROW, OTHER], ((ROW, OTHER),)),
        ((ROW, OTHER), ((ROW, OTHER),)),
        ([[ROW], [OTHER, ROW]], ((ROW,), (OTHER, ROW))),
        ([(ROW,), [OTHER]], ((ROW,), (OTHER,))),
        ([[], []], ((), ())),
    ],
)
def test_a_list_of_rows_is_one_context_for_a_codec_that_reads_it_so(given: Any, contexts: tuple[Any, ...]) -> None:
    assert contexts_of(PeopleDomain(), given) == contexts


def test_a_list_is_several_contexts_for_a_codec_that_reads_its_parts_as_well() -> None:
    assert contexts_of(Plain(), [ROW, OTHER]) == (ROW, OTHER)
    assert contexts_of(Plain(), ROW) == (ROW,)


def test_files_are_read_by_the_codec_and_what_it_cannot_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps([ROW]))
    assert contexts_of(PeopleDomain(), path) == contexts_of(PeopleDomain(), [str(path)]) == ((ROW,),)
    with pytest.raises(ChoraleError, match="expected a table, its file, or its JSON, or a list of such; found int 3"):
        contexts_of(PeopleDomain(), 3)
    with pytest.raises(ChoraleError, match="expected a table: a list of rows"):
        contexts_of(PeopleDomain(), ROW)
    with pytest.raises(ChoraleError, match="expected a context, its file, or its JSON, or a list of such; found int 3"):
        contexts_of(Plain(), 3)
