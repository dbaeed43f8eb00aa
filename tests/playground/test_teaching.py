"""Teaching over HTTP: marks come with the request, and the model they teach answers it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.playground.conftest import Inline
from tests.playground.test_app import SCENE, asked, refused
from tests.ranker.test_teaching import MARKED, SENTENCE, scene

from chorale.model import Model
from chorale.nlvr.domain import Nlvr
from chorale.playground import limits
from chorale.playground.answering import Answering
from chorale.playground.app import application

MARKS = [{"sentence": SENTENCE, "scene": picture.to_json(), "answer": answer} for picture, answer in MARKED]
TAUGHT = "some_box(object_all(blue))"


def mark(**other: Any) -> dict[str, Any]:
    return {**MARKS[0], **other}


def read(client: TestClient, sentence: str, **more: Any) -> str:
    return str(asked(client, "parse", sentence=sentence, **more)["parses"][0]["program"])


def test_a_parse_with_marks_is_answered_by_the_model_they_teach_and_others_are_not(client: TestClient) -> None:
    before = asked(client, "parse", sentence=SENTENCE, scene=MARKS[0]["scene"])
    assert before["answer"] is not True
    taught = asked(client, "parse", sentence=SENTENCE, scene=MARKS[0]["scene"], marks=MARKS)
    assert (taught["answer"], taught["parses"][0]["program"]) == (True, TAUGHT)
    assert read(client, SENTENCE.replace("blue", "yellow"), marks=MARKS) == TAUGHT.replace("blue", "yellow")
    assert asked(client, "parse", sentence=SENTENCE, scene=MARKS[0]["scene"]) == before


def test_teaching_says_what_changed_in_portions(client: TestClient) -> None:
    found = asked(client, "teach", marks=MARKS, skip=1, take=2)
    [taught] = found["marked"]
    assert taught["after"]["program"] == TAUGHT
    assert (taught["right_after"], taught["marks"]) == (3, 3)
    assert taught["right_before"] < 3
    assert taught["before"]["plain"] != taught["after"]["plain"]
    assert "blue" in taught["after"]["plain"]
    assert (found["looked_at"], found["sentences"]) == (2, len(Nlvr.sentences))
    assert asked(client, "teach", marks=MARKS, skip=len(Nlvr.sentences) - 1)["looked_at"] == 1


def test_a_reading_of_another_sentence_that_changes_is_told(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SENTENCE.replace("blue", "black")
    monkeypatch.setattr(answering.domain, "sentences", ("There is a box with a yellow item", other))
    found = answering.teach(MARKS, 0, 10)
    assert [one["sentence"] for one in found["others"]] == [other]
    assert found["others"][0]["after"]["program"] == TAUGHT.replace("blue", "black")
    assert found["others"][0]["marks"] is None


def test_marks_of_a_question_teach_its_statement(client: TestClient) -> None:
    question = "Is there a box with a yellow item?"
    [taught] = asked(client, "teach", marks=[mark(sentence=question)], take=0)["marked"]
    assert taught["sentence"] == Nlvr().statement(question)
    assert "?" not in taught["sentence"]


def test_exported_marks_are_a_data_file(client: TestClient, tmp_path: Path) -> None:
    other = {"sentence": "There is a yellow item", "scene": scene("y", "", "").to_json(), "answer": True}
    lines = asked(client, "export", marks=[*MARKS, other])["lines"]
    assert [line["identifier"] for line in lines] == ["1-0", "1-1", "1-2", "2-0"]
    file = tmp_path / "marks.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    first, second = Nlvr().read(file)
    assert (first.sentence, first.contexts, first.answers) == (
        SENTENCE,
        tuple(picture for picture, _ in MARKED),
        (True, False, False),
    )
    assert second.sentence == "There is a yellow item"
    assert asked(client, "export", marks=[]) == {"lines": []}


@pytest.mark.parametrize(
    ("code", "marks", "message"),
    [
        ("invalid", [], "marks"),
        ("invalid", [MARKS[0]] * (limits.MARKS + 1), "at most 50"),
        (
            "invalid",
            [mark(sentence=f"There are {n} items") for n in range(11)],
            "10 different",
        ),
        ("invalid", [mark(answer="true")], "marks.0.answer"),
        ("invalid", [mark(picture="x")], "marks.0.picture"),
        ("bad_scene", [MARKS[0], mark(scene=[[], []])], "marks.1"),
        ("bad_sentence", [mark(sentence="How many circles are there?")], "yes or no"),
        ("bad_sentence", [mark(sentence="?!")], "no word"),
        ("bad_sentence", [mark(sentence="a " * (limits.WORDS + 1))], "more than 60"),
    ],
)
def test_marks_that_nothing_can_be_learned_from_are_refused(
    client: TestClient, code: str, marks: list[Any], message: str
) -> None:
    assert message in refused(client, "teach", code, marks=marks)
    if marks:
        assert message in refused(client, "parse", code, sentence=SENTENCE, marks=marks)


def test_the_last_taught_models_are_kept_and_no_more(answering: Answering) -> None:
    teaching = Answering(answering.model)._teaching
    first = teaching.taught(MARKS)
    assert teaching.taught(json.loads(json.dumps(MARKS))) is first
    for number in range(limits.TAUGHT):  # four, with that many blue boxes
        teaching.taught([mark(scene=scene(*["b"] * number, *["k"] * (3 - number)).to_json())])
    assert teaching.taught(MARKS) is not first


def test_a_model_that_cannot_be_taught_says_so(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "can_be_taught", False)
    client = TestClient(application(Inline(Answering(answering.model)), "best", names=["testserver"]))
    assert "teaching" not in client.get("/api/about").json()["can"]
    assert "cannot be taught" in refused(client, "teach", "not_supported", marks=MARKS)
    assert "cannot be taught" in refused(client, "parse", "not_supported", sentence=SENTENCE, marks=MARKS)
    assert len(asked(client, "export", marks=MARKS)["lines"]) == 3


def test_a_model_that_can_be_taught_says_so(client: TestClient) -> None:
    about = client.get("/api/about").json()
    assert "teaching" in about["can"]
    assert (about["limits"]["marks"], about["limits"]["marked_sentences"]) == (50, 10)
    assert asked(client, "parse", sentence=SENTENCE, scene=SCENE.to_json(), marks=[])["parses"]
