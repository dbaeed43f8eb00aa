"""Every command is told which model to take in the same two ways: by its argument, or by --model."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Chorale

from chorale.nlvr.pictures.scenes import Object, Scene

SCENE = Scene(((Object(10, 10, 20, "circle", "yellow"),), (Object(40, 70, 30, "square", "blue"),), ()))
DOMAIN = ("--domain", "tests.people:PeopleDomain")


@pytest.fixture
def here(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chorale: Chorale) -> Path:
    """A working directory with the folder of a model, data, a table and a mark."""
    shutil.copytree(people, tmp_path / "model")
    shutil.copy(people.parent / "dev.jsonl", tmp_path)
    table = json.loads((tmp_path / "dev.jsonl").read_text().splitlines()[0])["context"]
    (tmp_path / "table.json").write_text(json.dumps(table))
    monkeypatch.chdir(tmp_path)
    marked = chorale("mark", "marks.jsonl", "How many have rome?", "3", "--context", "table.json", *DOMAIN)
    assert marked.status == 0, marked.err
    return tmp_path


COMMANDS = {
    "parse": (["parse"], ["How many have cat?", "--context", "table.json"]),
    "explain": (["explain"], ["How many have cat?", "--context", "table.json"]),
    "evaluate": (["evaluate"], ["--data", "dev.jsonl"]),
    "predict": (["predict"], ["--data", "dev.jsonl", "--out", "-"]),
    "teach": (["teach", "marks.jsonl"], ["--out", "taught"]),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_argument_and_the_option_name_the_same_model(chorale: Chorale, here: Path, command: str) -> None:
    before, after = COMMANDS[command]
    told = []
    for words in ([*before, "model", *after], [*before, *after, "--model", "model"]):
        called = chorale(*words, *DOMAIN)
        assert (called.status, called.err) == (0, "")
        told.append(called.out)
        shutil.rmtree("taught", ignore_errors=True)
    assert told[0] == told[1] != ""
    both = chorale(*before, "model", *after, "--model", "model", *DOMAIN)
    assert both.status == 2
    assert "model is already named" in both.err
    nowhere = chorale(*before, *after, "--model", "nowhere", *DOMAIN)
    assert nowhere.status == 2
    assert "nowhere: no model of this name" in nowhere.err


@pytest.mark.parametrize("command", ["parse", "explain"])
def test_a_model_without_a_sentence_and_an_empty_one_are_told(chorale: Chorale, command: str) -> None:
    assert f"best is a model; give a sentence too: chorale {command} best" in chorale(command, "best").err
    assert "the sentence is empty" in chorale(command, "best", " ").err
    assert "put the sentence in quotes; found 3 words" in chorale(command, "There", "is", "one").err


def test_a_shipped_model_is_named_alike_and_differs_from_another(chorale: Chorale, tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(SCENE.to_json()))
    asked = ("There is a box with a yellow circle", "--context", scene)
    told = [chorale("parse", *words).out for words in (asked, ("best", *asked), (*asked, "--model", "best"))]
    assert told[0] == told[1] == told[2]
    assert told[0].startswith("true\n")
    assert chorale("parse", *asked, "--model", "consistency").out != told[0]


def test_only_the_shipped_models_are_said_to_know_other_kinds(chorale: Chorale, here: Path) -> None:
    """The note is for newcomers, who ask a shipped model about a corpus of their own."""
    (here / "other.jsonl").write_text((here / "dev.jsonl").read_text().replace("have", "own"))
    for words in (["model"], ["--model", "model"]):
        called = chorale("evaluate", *words, "--data", "other.jsonl", *DOMAIN)
        assert (called.status, called.err) == (0, "")
