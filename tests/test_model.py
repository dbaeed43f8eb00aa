"""The model as its users hold it: what it may be asked about, and how it shows itself."""

import json
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from PIL import Image

import chorale
from chorale.errors import ChoraleError
from chorale.model import Model
from chorale.nlvr.pictures.drawing import to_png
from chorale.nlvr.pictures.random_scenes import random_towers
from chorale.nlvr.pictures.scenes import Scene

SENTENCE = "There is a tower with a black block at the top"


@pytest.fixture(scope="module")
def model() -> Model:
    return chorale.load()


@pytest.fixture(scope="module")
def scene() -> Scene:
    return random_towers(Random(7))


@pytest.fixture
def files(scene: Scene, tmp_path: Path) -> dict[str, Path]:
    to_png(scene).save(tmp_path / "picture.png")
    (tmp_path / "scene.json").write_text(json.dumps(scene.to_json()))
    (tmp_path / "example.json").write_text(json.dumps({"structured_rep": scene.to_json()}))
    return {path.name: path for path in tmp_path.iterdir()}


def test_a_context_may_be_a_file_an_image_json_or_the_scene_itself(
    model: Model, scene: Scene, files: dict[str, Path]
) -> None:
    wanted = model.parse(SENTENCE, [scene])[0].answers
    assert wanted is not None
    assert len(wanted) == 1
    with Image.open(files["picture.png"]) as image:
        given = [scene, image, scene.to_json(), {"structured_rep": scene.to_json()}, *files.values()]
        given += [str(path) for path in files.values()]
        for one in given:
            assert model.parse(SENTENCE, one)[0].answers == wanted
        assert model.parse(SENTENCE, given)[0].answers == wanted * len(given)
        assert model.parse(SENTENCE, tuple(given))[0].answers == wanted * len(given)
    assert model.parse(SENTENCE, [scene.to_json()] * 2)[0].answers == wanted * 2
    empty = [[], [], []]
    assert model.parse(SENTENCE, empty)[0].answers == (False,)  # one scene without objects, not three scenes


def test_several_sentences_are_parsed_together_as_each_by_itself(model: Model, scene: Scene) -> None:
    sentences = ["There is a yellow block", SENTENCE, "There are two blue blocks"]
    together = model.parse(sentences, [scene, scene])
    alone = [model.parse(sentence, [scene, scene]) for sentence in sentences]
    assert [[str(one) for one in found] for found in together] == [[str(one) for one in found] for found in alone]
    assert model.parse([]) == []
    assert [found[0].answers for found in model.parse(sentences)] == [None] * 3


@pytest.mark.parametrize(
    ("sentence", "contexts", "said"),
    [
        (3, None, "expected a sentence, a list of sentences, or a list of pairs .sentence, context.; found int 3"),
        (None, None, "found NoneType None"),
        (["a", 3], None, "expected a sentence, a list of sentences"),
        (["a box"], 5, "expected a picture, its file, or its JSON, or a list of such; found int 5"),
        ("a box", [None], "found NoneType None"),
        ("a box", b"png", "found bytes"),
        ("a box", {"scene": []}, "structured_rep: expected a list"),
        ("a box", [[{"x": 1}], [], []], r"structured_rep\[0\]\[0\]"),
        ("a box", "nowhere.png", "nowhere.png: there is no such file"),
        ("a box", "nowhere.json", "nowhere.json: no such file"),
        (["a box", " "], None, "there is no word in ' '"),
    ],
)
def test_what_is_no_sentence_or_no_context_is_refused_in_words(
    model: Model, sentence: object, contexts: object, said: str
) -> None:
    with pytest.raises(ChoraleError, match=said):
        model.parse(sentence, contexts)  # type: ignore[call-overload]


def test_models_and_readings_show_themselves(model: Model, scene: Scene) -> None:
    assert repr(model).startswith("<Model best, seed 0: a ranker for nlvr, language extended, dev 9")
    best = model.parse(SENTENCE, [scene, scene])[0]
    assert repr(best) == f"<Reading {best.program}, {best.probability:.1%}, {best.said}>"
    assert best.said in {"true, true", "false, false"}
    assert repr(model.parse(SENTENCE)[0]).endswith("%>")
    for shown in (model, best):
        ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
    assert best.program.text in "".join(ElementTree.fromstring(f"<div>{best._repr_html_()}</div>").itertext())
