"""`chorale explain`."""

import json

import pytest

SENTENCE = "There is a yellow square"


def test_an_explanation_is_printed_and_written(chorale, data, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "trace.png"
    called = chorale("explain", SENTENCE, "--data", data, "0-0", html=page, png=picture)
    assert called.status == 0
    for text in ("true of this picture", "Is there a yellow square?", '"yellow"', "speaks for yellow", "step by step"):
        assert text in called.out
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_picture_a_scene_and_an_example_are_explained_alike(chorale, data, scenes, tmp_path):
    picture, scene = tmp_path / "picture.png", tmp_path / "scene.json"
    chorale("draw", data, "0-0", out=picture)
    scene.write_text(json.dumps(scenes[0].to_json()))
    told = [
        chorale("explain", SENTENCE, "--json", *words).json()
        for words in (["--image", picture], ["--scene", scene], ["--scene", picture], ["--data", data, "0-0"])
    ]
    assert told[0]["answer"] is True
    assert all(record == told[0] for record in told)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--png", "x.png"], "nothing to draw"),
        (["--image", "x.png", "--scene", "y.json"], "not both"),
        (["--model", "no-such-model"], "no model of this name"),
    ],
)
def test_explain_tells_what_is_wrong(chorale, words, message):
    called = chorale("explain", SENTENCE, *words)
    assert called.status == 2
    assert message in " ".join(called.err.replace("│", " ").split())


def test_a_question_is_explained_like_the_statement_and_doubt_is_said(chorale, data):
    words = ["--data", data, "0-0", "--model", "consistency"]
    called = chorale("explain", "Is there a frumious yellow square?", *words, "--answer-if", "1")
    assert called.status == 0
    assert "the program says true of this picture, which is not trusted" in called.out
    assert "'frumious' is not known" in called.out
    other = chorale("explain", "How many squares are there?", *words)
    assert other.status == 2
    assert "nothing to explain: this question" in other.err


def test_an_example_that_is_not_there_is_told_with_the_nearest(chorale, data):
    called = chorale("explain", SENTENCE, "--data", data, "0-9")
    assert called.status == 2
    assert "no example '0-9'; did you mean" in called.err
