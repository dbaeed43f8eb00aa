"""Groups on the disk, searched one by one, are those of a corpus in memory."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.people import PeopleDomain, questions
from tests.search.conftest import Said

from chorale.domain import Domain
from chorale.nlvr.domain import Nlvr
from chorale.search.groups import groups_of
from chorale.search.on_disk import GroupSearch, grouped
from chorale.search.search import search
from chorale.search.settings import SearchSettings

DOMAIN = Nlvr()
SETTINGS = SearchSettings(max_actions=7)
SENTENCES = ["There is a box.", "there IS a box", "There is no box", "One black item", "One  black item!", "\u00e9"]


@given(st.lists(st.sampled_from(SENTENCES)), st.booleans(), st.sampled_from(["meaning", "reference"]))
def test_groups_are_those_of_a_corpus_in_memory(sentences: list[str], pool: bool, procedure: str) -> None:
    said = [Said(str(number), sentence, (), ()) for number, sentence in enumerate(sentences)]
    how = SearchSettings.model_validate({"pool": pool, "procedure": procedure})
    with grouped(DOMAIN, "consistent", said, how) as groups:
        assert list(groups) == list(groups) == groups_of(DOMAIN, "consistent", said, how)
        for group in groups:
            assert groups.members(group) == [(place, said[place]) for place in group]
            assert groups.first(group) is said[group[0]]


@settings(max_examples=10)
@given(st.data())
def test_a_group_by_itself_has_the_candidates_that_it_has_in_its_corpus(
    corpus: list[Said], data: st.DataObject
) -> None:
    some = data.draw(st.lists(st.sampled_from(corpus), min_size=1, max_size=10, unique_by=lambda it: it.identifier))
    noise = data.draw(st.sampled_from([0.0, 0.05]))
    how = SETTINGS.model_copy(update={"noise": noise, "pool": data.draw(st.booleans())})
    work = pickle.loads(pickle.dumps(GroupSearch.of(DOMAIN, "consistent", some, how)))
    whole = search(DOMAIN, "consistent", DOMAIN.ground("consistent", some), how)
    with grouped(DOMAIN, "consistent", some, how) as groups:
        for group, expected in zip(groups, whole, strict=True):
            found = work(groups.members(group))
            assert {group[place]: candidates for place, candidates in found.items()} == expected


def test_utterances_that_bring_constants_of_their_own_are_searched_by_themselves(tmp_path: Path) -> None:
    path, domain = tmp_path / "questions.jsonl", PeopleDomain()
    path.write_text("\n".join(questions(6, seed=1)))
    how = SearchSettings(max_actions=8)
    with domain.opened(path) as asked:
        grounding = domain.ground("asking", asked)
        work = GroupSearch.of(domain, "asking", asked, how)
        with grouped(domain, "asking", asked, how) as groups:
            found = [work(groups.members(group))[0] for group in groups]
    assert found == [one for group in search(domain, "asking", grounding, how) for one in group.values()]
    assert any(found)


def test_a_domain_is_only_asked_to_read_if_it_does_not_say_how_files_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(questions(3, seed=1)))
    domain: Domain = PeopleDomain()
    with domain.opened(path) as asked:
        assert list(asked) == list(domain.read(path))


class Many(Sequence[Said]):
    """Utterances that are made when they are asked for."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        return Said(str(range(self._count)[place]), f"There are {place // 3} boxes", (), ())


def test_what_is_held_in_memory_hardly_grows_with_the_corpus() -> None:
    def peak(count: int) -> int:
        said = Many(count)
        with grouped(DOMAIN, "consistent", said, SETTINGS):
            pass
        tracemalloc.start()
        try:
            with grouped(DOMAIN, "consistent", said, SETTINGS) as groups:
                assert sum(len(groups.members(group)) for group in groups) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # Python keeps some small values for later, but a list of 7,000 more utterances would take more than a megabyte.
    assert peak(8_000) < peak(1_000) + 400_000


@pytest.mark.parametrize("count", [0, 1])
def test_a_corpus_of_nothing_or_one_utterance_has_as_many_groups(corpus: list[Said], count: int) -> None:
    with grouped(DOMAIN, "consistent", corpus[:count], SETTINGS) as groups:
        assert list(groups) == [(0,)][:count]
