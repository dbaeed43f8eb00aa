"""Files of candidates: one reader and one writer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.people import PeopleDomain, questions
from tests.search.conftest import Said

from chorale.domain import Grounding, Reading
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.plumbing.files import hash_of_file
from chorale.search.files import read_candidates, write_candidates
from chorale.search.search import search
from chorale.search.settings import SearchSettings

PROGRAM = "object_exists(yellow(all_objects))"


@pytest.fixture(scope="module")
def grounding(domain: Nlvr, corpus: list[Said]) -> Grounding:
    return domain.ground("consistent", corpus)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "candidates.jsonl"


def test_candidates_are_read_as_they_were_written_with_fit_and_prior(grounding: Grounding, path: Path) -> None:
    program = Nlvr.languages["consistent"].parse(PROGRAM)
    given = {0: [Reading(program, -4.5, -0.2052, wrong=1, unexplained=("two",))], 3: [Reading(program)]}
    assert write_candidates(path, grounding.utterances, given) == hash_of_file(path)
    assert read_candidates(path, grounding) == given
    assert len(path.read_text().splitlines()) == len(grounding.utterances)


def test_programs_are_read_with_the_constants_of_their_own_table(path: Path, tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text("\n".join(questions(6, seed=2)))
    domain = PeopleDomain()
    asked = domain.ground("asking", domain.read(tmp_path / "questions.jsonl"))
    results = search(domain, "asking", asked, SearchSettings(max_actions=11))
    found = {index: several for group in results for index, several in group.items() if several}
    write_candidates(path, asked.utterances, found)
    read = read_candidates(path, asked)
    assert {index: [one.program for one in several] for index, several in read.items()} == {
        index: [one.program for one in several] for index, several in found.items()
    }


def test_files_with_programs_alone_are_read_and_other_utterances_left_out(
    grounding: Grounding, corpus: list[Said], path: Path
) -> None:
    own = {"identifier": corpus[1].identifier, "sentence": "?", "candidates": [{"program": PROGRAM}] * 2}
    other = {"identifier": "nobody", "candidates": [{"program": "nonsense"}]}
    none = {"identifier": corpus[2].identifier, "candidates": []}
    path.write_text("".join(json.dumps(line) + "\n" for line in (own, other, none)))
    read = read_candidates(path, grounding)
    assert list(read) == [1]
    [candidate] = read[1]
    assert (candidate.program.text, candidate.score, candidate.wrong) == (PROGRAM, 0.0, 0)


def line(**candidate: object) -> str:
    return json.dumps({"identifier": "0a", "candidates": [{"program": PROGRAM, **candidate}]})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "JSON"),
        ("nonsense", "JSON"),
        ("[" * 100_000, "JSON"),
        ('{"identifier": ' * 5000, "JSON"),
        ("[]", "expected a table"),
        ('{"identifier": "0a"}', "candidates: missing"),
        ('{"identifier": 7, "candidates": []}', "identifier: expected text"),
        ('{"identifier": "0a", "candidates": {}}', "candidates: expected a list"),
        ('{"identifier": "0a", "candidates": ["x"]}', "candidates.1: expected a table"),
        ('{"identifier": "0a", "candidates": [{}]}', "candidates.1.program: missing"),
        ('{"identifier": "0a", "candidats": []}', "did you mean 'candidates'?"),
        (line(fits=1.0), "candidates.1.fits: there is no such key; did you mean 'fit'?"),
        (line(fit="much"), "candidates.1.fit: expected a number"),
        (line(fit=float("nan")), "candidates.1.fit"),
        (line(wrong=-1), "candidates.1.wrong: must be at least 0"),
        (line(wrong=1).replace('"wrong": 1', '"wrong": ' + "9" * 5000), "number out of range"),
        (line(fit=1).replace('"fit": 1', '"fit": ' + "9" * 5000), "number out of range"),
        (line(actions=0), "candidates.1.actions: must be at least 1"),
        (line(unexplained=[1]), "candidates.1.unexplained.1: expected text"),
        (line(program="object_exist(all_objects)"), "object_exists"),
        (line(program="yellow"), ""),
        (line(program="negate_filter(" * 3000 + "yellow" + ")" * 3000), ""),
        (line(program=""), ""),
        ('{"identifier": "\xff"}', "JSON"),
    ],
)
def test_what_is_wrong_with_a_line_is_told_with_file_line_and_key(
    grounding: Grounding, path: Path, content: str, said: str
) -> None:
    path.write_bytes(line().encode() + b"\n" + content.encode("latin-1") + b"\n")
    with pytest.raises(ChoraleError) as error:
        read_candidates(path, grounding)
    assert str(error.value).startswith(f"{path}:2: ")
    assert said in str(error.value)
    assert len(str(error.value)) < 1000


def test_a_missing_file_is_told(grounding: Grounding, tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match=r"none\.jsonl: no such file"):
        read_candidates(tmp_path / "none.jsonl", grounding)
