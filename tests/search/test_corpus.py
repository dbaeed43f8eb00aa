"""A whole corpus: the file is the same however it came about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.search.conftest import Said

from chorale.domain import Hints
from chorale.nlvr.domain import Nlvr
from chorale.search.candidates import Group, Procedure, Result, Searcher, Settings, groups_of
from chorale.search.corpus import Summary, search_corpus
from chorale.search.records import fingerprint
from chorale.training.candidates import read_candidates

Search = Callable[..., Summary]
SETTINGS = Settings(max_actions=9)


class Stopped(Exception):  # noqa: N818 - says what happened
    """The power fails."""


class Failing:
    """A procedure that stops after some groups."""

    def __init__(self, procedure: Procedure, after: int) -> None:
        self.procedure, self.left, self.grounding = procedure, after, procedure.grounding

    def search(self, group: Group) -> list[Result]:
        if not self.left:
            raise Stopped
        self.left -= 1
        return self.procedure.search(group)


@pytest.fixture(scope="session")
def searcher(domain: Nlvr, corpus: list[Said], hints: Callable[[str], Hints]) -> Searcher:
    return Searcher(domain.ground("consistent", corpus), hints, SETTINGS)


@pytest.fixture
def search(searcher: Searcher, hints: Callable[[str], Hints], tmp_path: Path) -> Search:
    def call(after: int | None = None, mark: str = "abc", jobs: int = 1, out: str = "found.jsonl") -> Summary:
        procedure: Procedure = searcher if after is None else Failing(searcher, after)
        groups = groups_of(searcher.grounding, pool=True)
        return search_corpus(procedure, groups, hints, tmp_path / out, mark, jobs=jobs)

    return call


def test_every_utterance_has_a_line_and_training_reads_it(search: Search, corpus: list[Said], tmp_path: Path) -> None:
    summary = search()
    lines = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    assert {line["identifier"]: line["sentence"] for line in lines} == {u.identifier: u.sentence for u in corpus}
    first = next(line["candidates"][0] for line in lines if line["candidates"])
    assert {"program", "actions", "fit", "prior", "wrong"} <= set(first)
    read = read_candidates(tmp_path / "found.jsonl")
    assert read == {line["identifier"]: [found["program"] for found in line["candidates"]] for line in lines}
    assert summary.utterances == len(corpus)
    assert summary.covered == sum(bool(programs) for programs in read.values())
    assert summary.candidates == sum(map(len, read.values()))


@pytest.mark.parametrize("stops", [(0,), (1,), (5, 1), (11, 0)])
@pytest.mark.parametrize("torn", [0, 1, 40])
def test_a_search_that_was_interrupted_and_resumed_writes_the_same_file(
    search: Search, tmp_path: Path, stops: tuple[int, ...], torn: int
) -> None:
    whole = search(out="whole.jsonl")
    for after in stops:
        with pytest.raises(Stopped):
            search(after=after)
        assert not (tmp_path / "found.jsonl").exists()
        part = tmp_path / "found.jsonl.abc.part"
        part.write_bytes(part.read_bytes()[: -torn or None])  # the last line did not reach the disk
    resumed = search()
    assert (tmp_path / "found.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert not list(tmp_path.glob("*.part"))
    for name in ("utterances", "covered", "candidates", "explained", "uniform", "wordless"):
        assert getattr(resumed, name) == getattr(whole, name)


def test_several_processes_write_the_same_file_as_one(search: Search, tmp_path: Path) -> None:
    search(out="one.jsonl")
    search(out="two.jsonl", jobs=2)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_other_settings_start_afresh_and_a_complete_file_stays_until_the_new_one_is(
    search: Search, tmp_path: Path
) -> None:
    search()
    before = (tmp_path / "found.jsonl").read_bytes()
    with pytest.raises(Stopped):
        search(after=3, mark="abc")
    with pytest.raises(Stopped):
        search(after=0, mark="def")
    assert (tmp_path / "found.jsonl.def.part").read_bytes() == b""
    assert (tmp_path / "found.jsonl").read_bytes() == before
    search(mark="def")
    assert (tmp_path / "found.jsonl").read_bytes() == before
    assert not list(tmp_path.glob("*.part"))


def test_an_unfinished_file_that_was_tampered_with_is_written_again(search: Search, tmp_path: Path) -> None:
    search(out="whole.jsonl")
    (tmp_path / "found.jsonl.abc.part").write_bytes(b'{"identifier": "nobody"}\n[]\nnonsense\n')
    search()
    assert (tmp_path / "found.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_odd_utterances_are_counted(
    domain: Nlvr, hints: Callable[[str], Hints], corpus: list[Said], tmp_path: Path
) -> None:
    scenes = corpus[0].contexts
    odd = [
        Said("same", "There is a yellow item", scenes, (True,) * 4),
        Said("words", "Hello world", scenes, (True, False, True, False)),
        Said("none", "There is a yellow item", scenes, (None,) * 4),
        corpus[0],
    ]
    searcher = Searcher(domain.ground("consistent", odd), hints, SETTINGS)
    summary = search_corpus(searcher, groups_of(searcher.grounding, True), hints, tmp_path / "odd.jsonl", "0")
    assert (summary.utterances, summary.uniform, summary.wordless) == (4, 2, 1)


def test_an_empty_corpus_gives_an_empty_file(domain: Nlvr, hints: Callable[[str], Hints], tmp_path: Path) -> None:
    searcher = Searcher(domain.ground("consistent", []), hints, SETTINGS)
    summary = search_corpus(searcher, [], hints, tmp_path / "none.jsonl", "0")
    assert (tmp_path / "none.jsonl").read_bytes() == b""
    assert summary.to_json()["coverage"] == 0


def test_the_fingerprint_changes_with_the_settings() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1, "b": 3})
