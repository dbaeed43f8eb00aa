"""The shipped model: what it answers, and what it knows that it does not know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import chorale
from chorale.cli.main import app
from chorale.evaluation.confidence import AT_A_LOSS
from chorale.model import Model
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.runs.models import hash_of_kind

NONSENSE = (Path(__file__).parent / "cli" / "nonsense.txt").read_text("utf-8").splitlines()
SCENE = Scene(((Object(10, 10, 20, "circle", "yellow"),), (Object(40, 70, 30, "square", "blue"),), ()))


@pytest.fixture(scope="module")
def model() -> Model:
    return chorale.load()


def test_the_list_is_long_enough() -> None:
    assert len(set(NONSENSE)) == 60


@pytest.mark.parametrize("sentence", NONSENSE)
def test_what_is_about_nothing_in_the_picture_is_not_answered(model: Model, sentence: str) -> None:
    found = model.answer(sentence, SCENE)
    assert found.answer is None
    assert found.confidence < 0.5
    assert found.reasons


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("There is a box with a yellow circle", True),
        ("There is a black item", False),
        ("Is there a box with a blue square?", True),
        ("Are there exactly two blue squares?", False),
        ("There is a yelow circle", True),
    ],
)
def test_statements_and_yes_no_questions_are_answered(model: Model, sentence: str, answer: bool) -> None:
    found = model.answer(sentence, SCENE)
    assert found.answer is answer
    assert found.confidence > 0.5


def test_a_repaired_word_is_told(model: Model) -> None:
    assert "'yelow' is read as 'yellow'" in map(str, model.answer("There is a yelow circle").reasons)


def test_the_threshold_is_the_users(model: Model) -> None:
    sentence = "There is a box with a yellow circle"
    assert model.answer(sentence, SCENE, answer_if=0.999).answer is None
    assert model.answer("The president of France is tall", SCENE, answer_if=0).answer is not None


def test_without_a_picture_there_is_no_answer_but_confidence(model: Model) -> None:
    found = model.answer("There is a box with a yellow circle")
    assert found.answer is None
    assert found.confidence > 0.5


def test_parse_in_json_is_one_object_also_for_nonsense(tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(SCENE.to_json()))
    for sentence, answer in [("There is a yellow circle", True), ("!!!", None), ("hello world", None)]:
        result = CliRunner().invoke(app, ["parse", sentence, "--scene", str(scene), "--json"])
        assert result.exit_code == 0, result.output
        said = json.loads(result.stdout)
        assert said["answer"] is answer
        assert {"answer", "confidence", "meant", "reasons", "parses"} == set(said)


@pytest.mark.parametrize(
    "sentence",
    ["There is a yellow ball", "There is a shiny blue square", "A black star", "The highest tower has a blue base"],
)
def test_one_word_that_no_program_can_say_means_not_known(model: Model, sentence: str) -> None:
    found = model.answer(sentence, SCENE)
    assert found.answer is None
    assert max(found.confidence, found.meant) <= AT_A_LOSS
    assert found.reasons[0].kind in ("unknown word", "unsayable")


def test_words_in_a_random_order_are_not_answered(model: Model) -> None:
    assert model.answer("box the in two of yellow at and", SCENE).answer is None


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("There is a yellow disc", True),
        ("A box holds a blue cube", True),
        ("There is a crate with exactly two discs", False),
        ("No box has anything black in it", True),
    ],
)
def test_synonyms_are_answered(model: Model, sentence: str, answer: bool) -> None:
    assert model.answer(sentence, SCENE).answer is answer


def test_a_word_that_was_taught_is_known(model: Model) -> None:
    sentence = "There is a yellow ball"
    about = model.about.model_copy(update={"taught_words": [hash_of_kind("ball")]})
    taught = Model(model.parser, model.domain, about)
    assert taught.answer(sentence, SCENE).confidence > model.answer(sentence, SCENE).confidence
    assert "ball" not in " ".join(map(str, taught.answer(sentence, SCENE).reasons))
