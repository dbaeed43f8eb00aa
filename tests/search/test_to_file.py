"""A whole corpus: the file is the same however it came about."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.conftest import Said

from chorale.domain import Grounding, Utterance
from chorale.engines.local import Local
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, generate
from chorale.search.files import line_of, read_candidates
from chorale.search.search import search as search_all
from chorale.search.settings import SearchSettings
from chorale.search.to_file import Summary, search_to_file

Search = Callable[..., Summary]
SETTINGS = SearchSettings(max_actions=9)


class Stopped(Exception):  # noqa: N818 - says what happened
    """The power fails."""


class Failing:
    """A domain with which something happens after some groups."""

    def __init__(self, domain: Nlvr, after: int, happens: Callable[[], None]) -> None:
        self._domain, self._left, self._happens = domain, after, happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._domain, name)

    def ground(self, language: str, utterances: Sequence[Utterance]) -> Grounding:
        if not self._left:
            self._happens()
        self._left -= 1
        return self._domain.ground(language, utterances)


def power_failure() -> None:
    raise Stopped


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def search(domain: Nlvr, corpus: list[Said], tmp_path: Path) -> Search:
    def call(
        after: int | None = None,
        keep: int = 20,
        jobs: int = 1,
        out: str = "found.jsonl",
        happens: Callable[[], None] = power_failure,
        watch: Callable[[Summary], None] = lambda summary: None,
    ) -> Summary:
        used: Any = domain if after is None else Failing(domain, after, happens)
        settings = SearchSettings(max_actions=9, keep=keep)
        return search_to_file(
            used, "consistent", corpus, settings, tmp_path / out, data="abc", engine=Local(jobs), watch=watch
        )

    return call


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.part"))


def test_every_utterance_has_a_line_and_is_read_as_it_was_found(
    search: Search, domain: Nlvr, corpus: list[Said], tmp_path: Path
) -> None:
    summary = search()
    lines = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    assert {line["identifier"]: line["sentence"] for line in lines} == {u.identifier: u.sentence for u in corpus}
    read = read_candidates(tmp_path / "found.jsonl", domain.ground("consistent", corpus))
    for line in lines:
        index = [utterance.identifier for utterance in corpus].index(line["identifier"])
        again = [
            {
                "program": candidate.program.text,
                "actions": len(candidate.program.action_ids),
                "fit": candidate.log_likelihood,
                "prior": candidate.log_prior,
                "wrong": candidate.wrong,
                "unexplained": list(candidate.unexplained),
            }
            for candidate in read.get(index, [])
        ]
        assert again == line["candidates"]
    assert summary.utterances == len(corpus)
    assert summary.covered == len(read)
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
        [part] = parts(tmp_path)
        part.write_bytes(part.read_bytes()[: -torn or None])  # the last line did not reach the disk
    resumed = search()
    assert (tmp_path / "found.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"found.jsonl", "whole.jsonl"}
    for name in ("utterances", "covered", "right", "candidates", "explained", "uniform", "wordless"):
        assert getattr(resumed, name) == getattr(whole, name)


@settings(max_examples=8)
@given(st.data())
def test_the_file_of_a_corpus_on_the_disk_is_that_of_one_in_memory(
    domain: Nlvr, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """However the lines of the utterances are scattered."""
    made = list(generate("train", 6, Knobs(seed=4)))
    said = [replace(made[data.draw(st.integers(0, 5))], number=number) for number in range(8)]
    lines = data.draw(st.permutations([line for one in said for line in one.lines()]))
    folder = tmp_path_factory.mktemp("scattered")
    (folder / "data.json").write_text("\n".join(lines))
    how = SearchSettings(max_actions=5, noise=0.0, pool=data.draw(st.booleans()))
    with domain.opened(folder / "data.json") as utterances:
        search_to_file(domain, "consistent", utterances, how, folder / "found.jsonl", data="0")
    grounding = domain.ground("consistent", domain.read(folder / "data.json"))
    found = [pair for group in search_all(domain, "consistent", grounding, how) for pair in group.items()]
    twin = b"".join(line_of(grounding.utterances[index], candidates) for index, candidates in found)
    assert (folder / "found.jsonl").read_bytes() == twin


def test_several_processes_write_the_same_file_as_one(search: Search, tmp_path: Path) -> None:
    search(out="one.jsonl")
    search(out="two.jsonl", jobs=2)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_a_killed_worker_ends_the_search_with_an_error_and_it_can_be_resumed(search: Search, tmp_path: Path) -> None:
    search(out="whole.jsonl")
    with pytest.raises(ChoraleError, match=r"a worker process was killed, .*fewer --jobs"):
        search(after=2, jobs=2, happens=killed)
    assert len(parts(tmp_path)) == 1
    search(jobs=2)
    assert (tmp_path / "found.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_what_goes_wrong_in_a_worker_is_raised_here(search: Search) -> None:
    with pytest.raises(Stopped):
        search(after=2, jobs=2)


def test_two_searches_do_not_write_one_file(search: Search, tmp_path: Path) -> None:
    refused = []

    def search_as_well(_: Summary) -> None:
        if not refused:
            with pytest.raises(ChoraleError, match=r"found\.jsonl: another search is writing this file") as error:
                search(keep=3)
            refused.append(error)

    search(watch=search_as_well)
    assert refused
    assert [path.name for path in tmp_path.iterdir()] == ["found.jsonl"]


COMMAND = "import sys; from chorale.cli.main import main; sys.argv[0] = 'chorale'; main()"


SLOW = pytest.mark.slow  # a dozen seconds each


@pytest.mark.parametrize(
    "stop", [pytest.param(signal.SIGINT, marks=SLOW), pytest.param(signal.SIGTERM, marks=SLOW), signal.SIGKILL]
)
def test_a_command_with_workers_that_is_stopped_or_killed_can_be_given_again(tmp_path: Path, stop: int) -> None:
    data, out = tmp_path / "train.json", tmp_path / "found.jsonl"
    made = list(generate("train", 60, Knobs(seed=6)))
    again = [replace(one, number=one.number + 60 * copy) for copy in range(6) for one in made]  # some seconds of work
    data.write_text("\n".join(line for one in again for line in one.lines()))
    words = [sys.executable, "-c", COMMAND, "search", "--data", data, "--out", out, "--jobs", "2"]
    command = [*map(str, words), "--max-actions", "13", "--no-pool"]
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # which a job in the background ignores
    how = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True, "preexec_fn": heeding}
    with subprocess.Popen(command, **how) as running:
        until = time.monotonic() + 60
        while not any(part.stat().st_size for part in parts(tmp_path)) and time.monotonic() < until:
            time.sleep(0.02)
        running.send_signal(stop)
        said = running.communicate(timeout=30)[1]
    assert running.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[stop], said
    assert not out.exists()
    assert "Traceback" not in said
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(out.read_text().splitlines()) == 360


def test_other_settings_start_afresh_and_a_complete_file_stays_until_the_new_one_is(
    search: Search, tmp_path: Path
) -> None:
    search()
    before = (tmp_path / "found.jsonl").read_bytes()
    with pytest.raises(Stopped):
        search(after=3)
    [first] = parts(tmp_path)
    with pytest.raises(Stopped):
        search(after=0, keep=3)
    [second] = set(parts(tmp_path)) - {first}
    assert second.read_bytes() == b""
    assert (tmp_path / "found.jsonl").read_bytes() == before
    search(keep=3)
    assert (tmp_path / "found.jsonl").read_bytes() != before
    assert not parts(tmp_path)


def test_an_unfinished_file_that_was_tampered_with_is_written_again(search: Search, tmp_path: Path) -> None:
    search(out="whole.jsonl")
    with pytest.raises(Stopped):
        search(after=1)
    [part] = parts(tmp_path)
    part.write_bytes(b'{"identifier": "nobody", "candidates": []}\n[]\nnonsense\n' + b"[" * 5000 + b"\n")
    search()
    assert (tmp_path / "found.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_odd_utterances_are_counted(domain: Nlvr, corpus: list[Said], tmp_path: Path) -> None:
    scenes = corpus[0].contexts
    odd = [
        Said("same", "There is a yellow item", scenes, (True,) * 4),
        Said("words", "Hello world", scenes, (True, False, True, False)),
        Said("none", "There is a yellow item", scenes, (None,) * 4),
        corpus[0],
    ]
    summary = search_to_file(domain, "consistent", odd, SETTINGS, tmp_path / "odd.jsonl", data="0")
    assert (summary.utterances, summary.uniform, summary.wordless) == (4, 2, 1)


def test_an_empty_corpus_gives_an_empty_file(domain: Nlvr, tmp_path: Path) -> None:
    summary = search_to_file(domain, "consistent", [], SETTINGS, tmp_path / "none.jsonl", data="0")
    assert (tmp_path / "none.jsonl").read_bytes() == b""
    assert summary.to_json()["coverage"] == 0


def test_a_file_that_cannot_be_is_told_before_anything_is_searched_or_written(search: Search, tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match=r"x\.jsonl: cannot be written: there is no folder .*none"):
        search(out="none/x.jsonl")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ChoraleError, match="folder: not a file that could be replaced"):
        search(out="folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
