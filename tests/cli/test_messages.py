"""What a newcomer gets wrong: every message says what was wrong, and what would be right."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Chorale


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path) -> Path:
    """A folder with a file, an empty folder, and a model that is taken for data."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("hello")
    (tmp_path / "folder").mkdir()
    (tmp_path / "model.json").write_text(json.dumps({"format": 1, "kind": "ranker"}, indent=1))
    return tmp_path


IN_THE_WAY = "file: this is a file; expected a folder"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["synthesize", "--out", "file/x"], IN_THE_WAY),
        (["train", "language", "--data", "folder", "--out", "file"], IN_THE_WAY),
        (["sweep", "language", "--data", "folder", "--out", "file"], IN_THE_WAY),
        (["folds", "language", "--data", "folder", "--out", "file"], IN_THE_WAY),
        (["reproduce", "--out", "file"], IN_THE_WAY),
        (["demo", "--out", "file"], IN_THE_WAY),
        (["download", "nlvr", "--out", "file"], IN_THE_WAY),
        (["reproduce", "--rows", ","], "--rows ,: there is no name in it"),
        (["demo", "--data", "folder"], "folder: there is no train split"),
        (["train", "", "--data", "folder", "--out", "x"], "chorale recipes lists them"),
        (["train", "language", "--data", "data.json", "--out", "x"], "data.json: this is a file; expected the folder"),
        (
            ["predict", "--data", "data.json", "--out", "folder"],
            "folder: this is a folder; expected the name of a file",
        ),
        (["evaluate", "--data", "data.json", "--mistakes", "no/x.html"], "there is no folder no; make it first"),
        (["evaluate", "--data", "model.json"], "this is not a data file: no line of it is an example such as"),
        (["evaluate", "beast", "--data", "data.json"], "beast: no model of this name; did you mean 'best'?"),
        (
            ["evaluate", "data.json.gz", "--data", "data.json"],
            "data.json.gz: no model of this name; expected the folder",
        ),
        (["evaluate", "file", "--data", "data.json"], "file: no model here; expected the folder of a run"),
        (["abstract", ""], "give a sentence, as in"),
        (["parse", "best"], "best is a model; give a sentence too"),
        (["runs", "file"], "file: this is a file; expected a run"),
        (["report", "folder"], "folder: there is no run here"),
        (["draw", "data.json", "7", "--out", "x.png"], "no example '7'; they are called '0-0' and so on"),
    ],
)
def test_a_mistake_ends_with_what_would_be_right(chorale: Chorale, here: Path, words: list[str], said: str) -> None:
    before = sorted(here.rglob("*"))
    called = chorale(*words)
    assert called.status == 2
    assert said in called.err
    assert sorted(here.rglob("*")) == before  # nothing was begun


def test_a_model_asked_about_other_data_than_it_learned_from_says_so(chorale: Chorale, data: Path) -> None:
    called = chorale("evaluate", "--json", data=data)
    assert called.status == 0
    assert "3 of 3 utterances have templates that this model has not seen" in called.err
    assert "chorale train ranker --data" in called.err
    assert isinstance(called.json(), dict)  # and does not get in the way
