"""Models on disk: a ranker is read without torch, and what is wrong with a file is said in words."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chorale.domain import Unlabelled
from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.ranker.ranker import Ranker
from chorale.runs import retired
from chorale.runs.models import MODEL_FORMAT, RankerFile, read_about, read_model, write_model
from chorale.search.from_words import WordsSettings

SMALL = WordsSettings(max_actions=12, meanings=20, contexts=16, most=20)
SAID = Unlabelled("There is a tower with a black block over a blue block", ())
BEFORE = Path(__file__).parent / "before"
ABOUT = {"domain": "nlvr", "language": "extended", "recipe": "small", "seed": 3}


@pytest.fixture
def ranker() -> Ranker:
    weights = {("edge", "above", "{color}", "<"): 3.0, ("says", "over", "directly_above"): 1.5}
    return Ranker(Nlvr(), "extended", SMALL, weights, ["edge", "says"])


@pytest.fixture
def file(ranker: Ranker, tmp_path: Path) -> Path:
    path = tmp_path / "model" / "model.json"
    path.parent.mkdir()
    write_model(path, ranker, ABOUT)
    return path


def changed(path: Path, **values: Any) -> Path:
    """The file with other values; `None` takes a key away."""
    found = {**json.loads(path.read_text()), **values}
    path.write_text(json.dumps({key: value for key, value in found.items() if value is not None}))
    return path


def test_a_ranker_is_read_as_it_was_written(ranker: Ranker, file: Path) -> None:
    about = read_about(file)
    assert isinstance(about, RankerFile)
    assert (about.domain, about.language, about.recipe, about.seed, about.format) == (*ABOUT.values(), MODEL_FORMAT)
    again = read_model(file, about, Nlvr())
    assert isinstance(again, Ranker)
    assert (again.weights, again.search.model_dump(), again.templates) == (
        ranker.weights,
        ranker.search.model_dump(),
        ranker.templates,
    )
    assert again.ranked(SAID) == ranker.ranked(SAID)
    content = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    write_model(file, again, ABOUT)
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == content


def test_a_model_may_be_moved_and_its_file_does_not_say_where_weights_are_read_from(file: Path, tmp_path: Path) -> None:
    moved = shutil.move(file.parent, tmp_path / "elsewhere")
    weights = json.loads((Path(moved) / "model.json").read_text())["weights"]
    changed(Path(moved) / "model.json", weights={**weights, "file": f"../../etc/{weights['file']}"})
    assert load(moved).parse(SAID.sentence)


SCRIPT = """
import sys
from chorale.model import load
best = load(sys.argv[1]).parse(sys.argv[2])[0]
assert "torch" not in sys.modules, "torch was imported"
print(best.program)
"""


def test_a_ranker_answers_without_torch(ranker: Ranker, file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(file), SAID.sentence],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == load(file).parse(SAID.sentence)[0].program.text


def test_a_model_of_a_newer_chorale_is_refused(file: Path) -> None:
    with pytest.raises(ChoraleError, match=f"format {MODEL_FORMAT + 1}, this one reads up to {MODEL_FORMAT}.*upgrade"):
        load(changed(file, format=MODEL_FORMAT + 1))


@pytest.mark.parametrize("found", [0, -1, "3", 3.0, True, [3]], ids=repr)
def test_a_format_that_is_none_is_refused(file: Path, found: Any) -> None:
    with pytest.raises(ChoraleError, match="damaged, its format is"):
        load(changed(file, format=found))


def test_a_newer_model_may_say_more(file: Path) -> None:
    search = {**json.loads(file.read_text())["search"], "patience": 3}
    assert load(changed(file, mood="good", search=search)).parse(SAID.sentence)


def test_a_model_of_before_may_name_settings_that_are_gone_if_they_say_what_is_built_in(file: Path) -> None:
    search = json.loads(file.read_text())["search"]
    assert load(changed(file, search={**search, "slack": 3.0, "most_whole": 4000})).parse(SAID.sentence)
    with pytest.raises(ChoraleError, match=r"search.slack: this key is gone, and 3.0 is built in; .* 048c882"):
        load(changed(file, search={**search, "slack": 2.0}))


def test_features_of_templates_that_are_gone_count_for_nothing(
    ranker: Ranker, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ranker.ranked(SAID)
    weights = {**ranker.weights, ("shouts", "above"): 9.0}
    write_model(file, Ranker(Nlvr(), "extended", SMALL, weights, ["edge", "says"]), ABOUT)
    changed(file, templates=["edge", "shouts", "says"])
    with pytest.raises(ChoraleError, match="does not have"):
        load(file)
    monkeypatch.setattr(retired, "TEMPLATES", frozenset({"shouts"}))
    again = read_model(file, read_about(file), Nlvr())
    assert isinstance(again, Ranker)
    assert (again.weights, again.templates) == (ranker.weights, ["edge", "says"])
    assert again.ranked(SAID) == expected


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"search": None}, "search: missing"),
        ({"search": {"meanings": "many"}}, r"search.meanings: expected a whole number, found text 'many'"),
        ({"search": {"max_actions": 0}}, "search.max_actions: must be at least 1"),
        ({"search": []}, "search: expected a table"),
        *(
            ({"search": {name: 10**7}}, f"search.{name}: must be at most")
            for name in WordsSettings.model_fields
            if name not in {"lean", "repeats", "shared", "focused"}
        ),
        ({"templates": "says"}, "templates: expected a list"),
        ({"templates": [1]}, "templates.1: expected text"),
        ({"weights": {"file": "model.safetensors"}}, "weights.sha256: missing"),
        ({"weights": "model.safetensors"}, "weights: expected a table"),
        ({"seed": "1"}, "seed: expected a whole number"),
        ({"language": 1}, "language: expected text"),
        ({"kind": "oracle"}, "damaged"),
        ({"kind": 3}, "damaged"),
        ({"templates": ["says", "shouts"]}, r"features that this Chorale does not have \(shouts\)"),
        ({"grammar": "0" * 16}, "trained with another grammar"),
        ({"language": "macro"}, "trained with another grammar"),
        ({"language": "klingon"}, "klingon"),
        ({"domain": "nowhere"}, "no domain 'nowhere' installed"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_words(file: Path, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ChoraleError, match=message):
        load(changed(file, **values))


def test_weights_that_were_changed_or_lost_are_refused(file: Path) -> None:
    weights = file.with_suffix(".safetensors")
    content = weights.read_bytes()
    weights.write_bytes(content[:-4] + b"\0\0\0\0")
    with pytest.raises(ChoraleError, match="damaged or changed"):
        load(file)
    weights.unlink()
    with pytest.raises(ChoraleError, match="missing"):
        load(file)


def test_a_network_is_still_a_network(tmp_path: Path) -> None:
    shutil.copytree(BEFORE, tmp_path / "run")
    about = read_about(tmp_path / "run" / "model.json")
    assert about.kind == "network"
    with pytest.raises(ChoraleError, match="search: missing"):
        load(changed(tmp_path / "run" / "model.json", kind="ranker"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"search": {"most": 100_000}}, "search.most: must be at most 2000"),
        ({"search": {"contexts": 10_000}}, "search.contexts: must be at most 500"),
        ({"search": {"max_actions": 1_000}}, "search.max_actions: must be at most 60"),
        ({"search": {"meanings": 1_000_000}}, "search.meanings: must be at most 10000"),
        ({"search": {"spellings": 1_000}}, "search.spellings: must be at most 50"),
        ({"templates": ["edge", "says", "edge"]}, "templates: one of them occurs twice"),
        ({"templates": ["edge"]}, "features of 'says', which is none of the model's templates"),
        ({"templates": ["edge", "says", "thinks"]}, "features that this Chorale does not have"),
        ({"taught": -1}, "taught: must be at least 0"),
        ({"seed": 10**400}, "seed: must be below"),
        ({"seed": True}, "seed: expected a whole number, found true or false True"),
    ],
    ids=str,
)
def test_what_a_stranger_writes_into_a_model_has_exact_types_and_bounds(
    file: Path, change: dict[str, Any], message: str
) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(ChoraleError, match=message):
        load(file)


def test_a_key_that_stands_in_a_models_file_twice_is_refused(file: Path) -> None:
    file.write_text(file.read_text().rstrip()[:-1] + ', "domain": "nlvr"}')
    with pytest.raises(ChoraleError, match="the key 'domain' occurs twice"):
        load(file)
