"""`chorale mark` and `teach` with answers that are numbers, names and truth values."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Chorale
from tests.people import PeopleDomain

from chorale.model import load
from chorale.runs.marks import Marks

TABLE = [{"name": "anna", "city": "rome"}, {"name": "bert", "city": "rome"}, {"name": "dora", "city": "oslo"}]
DOMAIN = ("--domain", "tests.people:PeopleDomain")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "table.json").write_text(json.dumps(TABLE))
    return tmp_path / "table.json"


def test_an_answer_is_of_the_domains_type(chorale: Chorale, table: Path, tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    for said, told in (("2", "1-0 is 2"), ("anna|bert", "2-0 is anna|bert"), ("rome", "3-0 is rome")):
        assert told in chorale("mark", marks, "What of rome?", said, "--context", table, *DOMAIN).out
    assert [one.answers[0] for one in Marks(marks, PeopleDomain()).utterances()] == [2, ("anna", "bert"), "rome"]


def test_what_is_no_answer_of_the_domain_is_refused(chorale: Chorale, scenes: list, tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(scenes[0].to_json()))
    refused = chorale("mark", tmp_path / "marks.jsonl", "There is a square", "7", "--context", scene)
    assert refused.status == 2
    assert "expected true or false; found '7'" in refused.err
    assert not (tmp_path / "marks.jsonl").exists()


def test_what_a_mark_needs_is_told(chorale: Chorale, table: Path, tmp_path: Path) -> None:
    for words in (["What of rome?", "--context", table], ["What of rome?", "2"], ["--context", table]):
        lacking = chorale("mark", tmp_path / "marks.jsonl", *words, *DOMAIN)
        assert lacking.status == 2
        said = " ".join(lacking.err.replace("│", " ").split())
        assert "a mark needs a sentence, the right answer (true, 7 or a|b) and --context" in said


def test_a_model_learns_from_numbers(chorale: Chorale, people: Path, table: Path, tmp_path: Path) -> None:
    sentence, marks, out = "Which people have rome?", tmp_path / "marks.jsonl", tmp_path / "taught"
    assert load(people, PeopleDomain()).answer(sentence, table).answer == ("anna", "bert")
    for _ in range(3):
        chorale("mark", marks, sentence, "2", "--context", table, *DOMAIN)  # "which" asks for how many, from now on
    taught = chorale("teach", marks, people, "--out", out, "--json", *DOMAIN)
    assert taught.status == 0, taught.err
    assert [(one["right_before"], one["right_after"]) for one in taught.json()["marked"]] == [(0, 1)] * 3
    assert load(out, PeopleDomain()).parse("Which people have oslo?", table)[0].answers == (1,)
    assert "taught by 3 sentences" in chorale("runs", tmp_path).out
