"""A model learns from three marked pictures, and changes as little as it can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import chorale
from chorale.cli.main import app
from chorale.domain.registry import find_domain
from chorale.errors import ChoraleError
from chorale.evaluation.teaching import changes_of, watched
from chorale.model import Model
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.runs.marks import Marks

SENTENCE = "A box has nothing but blue items"


def scene(*boxes: str) -> Scene:
    """Boxes of circles, by the first letters of their colours."""
    names = {"b": "blue", "k": "black", "y": "yellow"}
    return Scene(
        tuple(tuple(Object(10 + 30 * n, 40, 20, "circle", names[it]) for n, it in enumerate(box)) for box in boxes)
    )


MARKED = [
    (scene("bb", "bk", "by"), True),
    (scene("k", "yy", "ky"), False),
    (scene("bk", "k", "by"), False),
]


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    kept = Marks(tmp_path / "marks.jsonl", find_domain("nlvr"))
    for picture, answer in MARKED:
        kept.add(SENTENCE, picture, answer)
    return kept


@pytest.fixture(scope="module")
def model() -> Model:
    return chorale.load()


def read(model: Model, sentence: str) -> str:
    return model.parse(sentence)[0].program.text


def test_three_pictures_teach_a_phrase_also_for_another_colour(model: Model, marks: Marks) -> None:
    assert read(model, SENTENCE) != "some_box(object_all(blue))"
    taught = model.taught(marks.utterances())
    assert read(taught, SENTENCE) == "some_box(object_all(blue))"
    assert read(taught, "A box has nothing but yellow items") == "some_box(object_all(yellow))"


def test_other_sentences_are_read_as_before(model: Model, marks: Marks) -> None:
    found = changes_of(
        model, model.taught(marks.utterances()), marks.utterances(), watched(model.domain, model.language)
    )
    assert found.looked_at >= 40
    assert len(found.others) <= 1
    [taught] = found.marked
    assert (taught.marks, taught.right_after) == (3, 3)
    assert taught.right_before is not None
    assert taught.right_before < 3


def test_the_model_that_teaches_stays_as_it_is(model: Model, marks: Marks) -> None:
    before = dict(model.parser.weights)  # type: ignore[attr-defined]
    model.taught(marks.utterances())
    assert model.parser.weights == before  # type: ignore[attr-defined]


def test_a_taught_model_is_a_folder_like_any_other(model: Model, marks: Marks, tmp_path: Path) -> None:
    taught = model.taught(marks.utterances())
    taught.save(tmp_path / "taught")
    again = chorale.load(tmp_path / "taught")
    assert read(again, SENTENCE) == read(taught, SENTENCE)
    assert again.answer(SENTENCE).confidence == pytest.approx(taught.answer(SENTENCE).confidence, abs=1e-3)


def test_what_agrees_already_changes_nothing(model: Model, tmp_path: Path) -> None:
    kept = Marks(tmp_path / "marks.jsonl", model.domain)
    kept.add("There is a box with a yellow item", scene("y", "k", "b"), True)
    kept.add("There is a box with a yellow item", scene("b", "k", "b"), False)
    weights = model.taught(kept.utterances()).parser.weights  # type: ignore[attr-defined]
    assert weights == model.parser.weights  # type: ignore[attr-defined]


def test_a_network_cannot_be_taught(marks: Marks) -> None:
    with pytest.raises(ChoraleError, match="cannot be taught"):
        chorale.load("consistency").taught(marks.utterances())


def test_marks_of_a_sentence_are_one_utterance_and_the_last_is_taken_back(marks: Marks) -> None:
    other = "There is a yellow item"
    assert marks.add(other, scene("y", "", ""), True) == "2-0"
    assert [len(one.contexts) for one in marks.utterances()] == [3, 1]
    assert marks.undo() == "2-0"
    assert [one.sentence for one in marks.utterances()] == [SENTENCE]


def test_no_marks_are_no_utterances(tmp_path: Path) -> None:
    empty = Marks(tmp_path / "none.jsonl", find_domain("nlvr"))
    with pytest.raises(ChoraleError, match="no marks"):
        empty.utterances()
    with pytest.raises(ChoraleError, match="no mark to undo"):
        empty.undo()


def test_the_commands_mark_teach_and_parse(tmp_path: Path) -> None:
    marks, out = tmp_path / "marks.jsonl", tmp_path / "taught"
    for number, (picture, answer) in enumerate(MARKED):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(picture.to_json()))
        said = "true" if answer else "false"
        result = CliRunner().invoke(app, ["mark", str(marks), SENTENCE, said, "--scene", str(file)])
        assert result.exit_code == 0, result.output
    result = CliRunner().invoke(app, ["teach", str(marks), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["marked"][0]["right_after"] == 3
    result = CliRunner().invoke(app, ["parse", str(out), SENTENCE])
    assert "some_box(object_all(blue))" in result.output
    again = CliRunner().invoke(app, ["teach", str(marks), "--out", str(out)])
    assert again.exit_code == 2
    result = CliRunner().invoke(app, ["mark", str(marks), "--undo"])
    assert result.exit_code == 0
    assert len(marks.read_text().splitlines()) == 2
