"""The API: what each address gives for good requests, and which code for bad ones."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import zlib
from random import Random
from typing import Any
from urllib.parse import urljoin

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from tests.playground.conftest import Inline

from chorale.domain import Answers, Domain
from chorale.model import Model
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scatter, random_towers
from chorale.nlvr.pictures.scene_pictures import MOST_OBJECTS
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.playground import limits
from chorale.playground.answering import Answering
from chorale.playground.app import PAGE, application
from chorale.playground.refusals import HINTS, STATUS, Refusal

DOMAIN = Nlvr()
BLACK, YELLOW = Object(40, 80, 20, "square", "black"), Object(40, 80, 20, "square", "yellow")
SCENE = Scene(((BLACK,), (YELLOW,), ()))
SENTENCE = "There is a tower with a black block at the top."
TOP = "some_box(object_exists(black(top)))"


def png(scene: Scene) -> str:
    return base64.b64encode(DOMAIN.drawing.draw(scene, "png")).decode()


def asked(client: TestClient, what: str, **message: Any) -> Any:
    response = client.post(f"/api/{what}", json=message)
    assert response.status_code == 200, response.text
    return response.json()


def refused(client: TestClient, what: str, code: str, **message: Any) -> str:
    """The message of an error that has this code."""
    response = client.post(f"/api/{what}", json=message)
    problem = response.json()["error"]
    assert (response.status_code, problem["code"], problem["hint"]) == (STATUS[code], code, HINTS[code])
    return str(problem["message"])


# -- parse -------------------------------------------------------------------------------------------------------------


def test_a_sentence_is_parsed_and_answered_for_a_scene(client: TestClient, answering: Answering) -> None:
    found = asked(client, "parse", sentence=SENTENCE, scene=SCENE.to_json(), top=2)
    best = found["parses"][0]
    assert found["answer"] is True
    assert found["scene"] == SCENE.to_json()
    assert found["words"] == ["there", "is", "a", "tower", "with", "a", "black", "block", "at", "the", "top"]
    assert len(found["parses"]) == 2
    said = answering.model.answer(SENTENCE, SCENE)
    assert found["confidence"] == pytest.approx(said.confidence)
    assert (best["program"], best["plain"]) == (said.readings[0].program.text, said.readings[0].plain)
    assert best["probability"] >= said.readings[0].probability - 1e-9


def test_what_is_not_trusted_is_not_answered_and_says_why(client: TestClient, answering: Answering) -> None:
    nonsense = "The president of France is tall."
    found = asked(client, "parse", sentence=nonsense, scene=SCENE.to_json())
    assert found["answer"] is None
    assert found["confidence"] < 0.5
    reasons = answering.model.answer(nonsense, SCENE).reasons
    assert found["reasons"] == [{"kind": reason.kind, "text": reason.text} for reason in reasons]
    assert reasons
    trusting = asked(client, "parse", sentence=SENTENCE, scene=SCENE.to_json(), answer_if=1.0)
    assert (trusting["answer"], trusting["parses"][0]["answer"]) == (None, True)


def test_a_question_that_has_no_yes_or_no_has_a_reason_and_no_reading(client: TestClient) -> None:
    found = asked(client, "parse", sentence="How many yellow circles are there?", scene=SCENE.to_json())
    assert (found["answer"], found["parses"], found["reasons"][0]["kind"]) == (None, [], "question")


def test_a_picture_is_answered_as_its_scene_is(client: TestClient) -> None:
    for scene in (random_towers(Random(1)), random_scatter(Random(2))):
        by_picture = asked(client, "parse", sentence=SENTENCE, picture=png(scene))
        by_scene = asked(client, "parse", sentence=SENTENCE, scene=by_picture["scene"])
        assert by_picture == by_scene


def test_without_a_scene_there_is_a_program_and_no_answer(client: TestClient) -> None:
    found = asked(client, "parse", sentence=SENTENCE)
    assert (found["answer"], found["scene"]) == (None, None)
    assert found["parses"][0]["answer"] is None
    assert found["parses"][0]["steps"] == []


def test_parts_of_the_tree_point_to_words_and_to_steps(client: TestClient) -> None:
    found = asked(client, "parse", sentence=SENTENCE, scene=SCENE.to_json())
    best = found["parses"][0]
    assert best["program"] == TOP
    exists = best["tree"]["children"][0]
    black = exists["children"][0]
    assert [found["words"][index] for index in black["words"]] == ["black"]
    assert best["steps"][black["step"]]["objects"] == [[0, 0]]
    assert best["steps"][exists["step"]]["boxes"] == [0]
    assert best["steps"][best["tree"]["step"]]["value"] == "true"


@pytest.mark.parametrize("sentence", ["...", "?!"])
def test_a_sentence_without_words_is_not_answered(client: TestClient, sentence: str) -> None:
    found = asked(client, "parse", sentence=sentence, scene=SCENE.to_json())
    assert (found["answer"], found["parses"], found["reasons"][0]["kind"]) == (None, [], "empty")


def test_limits_of_a_sentence_hold(client: TestClient) -> None:
    assert "at most 300" in refused(client, "parse", "invalid", sentence="a" * (limits.SENTENCE + 1))
    assert "60 words" in refused(client, "parse", "bad_sentence", sentence="a " * (limits.WORDS + 1))
    assert "sentence" in refused(client, "parse", "invalid", sentence="")


def test_scene_and_picture_together_are_refused(client: TestClient) -> None:
    refused(client, "parse", "invalid", sentence=SENTENCE, scene=SCENE.to_json(), picture=png(SCENE))


def test_an_unknown_key_is_refused(client: TestClient) -> None:
    assert "contexts" in refused(client, "parse", "invalid", sentence=SENTENCE, contexts=[])


@pytest.mark.parametrize("message", [{"top": True}, {"top": "3"}, {"answer_if": True}, {"answer_if": "0.5"}])
def test_what_is_no_number_is_not_taken_for_one(client: TestClient, message: dict[str, Any]) -> None:
    assert next(iter(message)) in refused(client, "parse", "invalid", sentence=SENTENCE, **message)


def test_half_a_letter_is_refused_in_words(client: TestClient) -> None:
    content = json.dumps({"sentence": "There is \ud800"})
    response = client.post("/api/parse", content=content, headers={"Content-Type": "application/json"})
    assert response.json()["error"]["code"] == "invalid"
    assert "sentence" in response.json()["error"]["message"]


# -- scenes and pictures -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", [1, {}, [], [[], []], [[{"x_loc": 1}], [], []], [[], [], "x"], {"structured_rep": 3}])
def test_what_is_no_scene_is_refused(client: TestClient, scene: Any) -> None:
    refused(client, "run", "bad_scene", program=TOP, scene=scene)


def test_too_many_objects_are_refused(client: TestClient) -> None:
    box = [BLACK.to_json()] * (MOST_OBJECTS + 1)
    assert "32 objects" in refused(client, "run", "bad_scene", program=TOP, scene=[box, [], []])


def test_a_picture_is_seen(client: TestClient) -> None:
    scene = random_scatter(Random(5))
    seen = Scene.from_json(asked(client, "see", picture=png(scene))["scene"])
    assert [sorted(box) for box in seen.boxes] == [sorted(box) for box in scene.boxes]


def encoded(image: Image.Image, form: str = "PNG") -> str:
    buffer = io.BytesIO()
    image.save(buffer, form)
    return base64.b64encode(buffer.getvalue()).decode()


def bomb(side: int) -> str:
    """A PNG whose head promises so many pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    content = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(100_000))) + chunk(b"IEND", b"")
    return base64.b64encode(content).decode()


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("§", "not base64"),
        (base64.b64encode(b"GIF89a").decode(), "not a PNG"),
        (encoded(Image.new("L", (40, 10)), "BMP"), "not a PNG"),
        (encoded(Image.new("RGB", (10, 10))), "10 x 10 pixels"),
        (bomb(9_000), "9000 x 9000 pixels"),
        (bomb(60_000), "far too large"),
    ],
)
def test_what_is_no_picture_is_refused_without_being_unpacked(client: TestClient, picture: str, message: str) -> None:
    assert message in refused(client, "see", "bad_picture", picture=picture)


def test_a_picture_of_too_many_bytes_is_refused(client: TestClient) -> None:
    assert "picture" in refused(client, "see", "invalid", picture="A" * (limits.PICTURE * 4 // 3 + 8))


# -- programs ----------------------------------------------------------------------------------------------------------


def test_a_program_is_run_with_all_its_steps(client: TestClient) -> None:
    found = asked(client, "run", program="object_exists(yellow(all_objects))", scene=SCENE.to_json())
    assert found["answer"] is True
    assert [step["text"] for step in found["steps"]] == [
        "all_objects",
        "yellow(all_objects)",
        "object_exists(yellow(all_objects))",
    ]
    assert found["steps"][1]["objects"] == [[1, 0]]


@pytest.mark.parametrize("program", ["", "nonsense", "yellow(", "yellow(all_objects)", "object_exists", "(" * 1_999])
def test_what_is_no_whole_program_is_refused(client: TestClient, program: str) -> None:
    response = client.post("/api/run", json={"program": program, "scene": SCENE.to_json()})
    assert response.status_code == 422
    assert response.json()["error"]["code"] in {"bad_program", "invalid"}


def test_a_program_that_names_too_much_is_refused(client: TestClient) -> None:
    many = "yellow(" * 99 + "all_objects" + ")" * 99
    refused(client, "run", "bad_program", program=f"object_exists({many})", scene=SCENE.to_json())


def test_two_programs_are_told_apart_by_a_scene_close_by(client: TestClient) -> None:
    one, other = TOP, "some_box(object_exists(black))"
    found = asked(client, "distinguish", one=one, other=other, scene=SCENE.to_json())
    assert found["changes"] == 1
    assert found["answers"] == [
        asked(client, "run", program=text, scene=found["scene"])["answer"] for text in (one, other)
    ]
    assert found["answers"][0] != found["answers"][1]


def test_two_programs_are_told_apart_by_an_invented_scene(client: TestClient) -> None:
    found = asked(client, "distinguish", one=TOP, other="some_box(object_exists(blue(bottom)))")
    assert found["changes"] is None
    assert found["answers"][0] != found["answers"][1]
    same = asked(client, "distinguish", one=TOP, other="some_box(object_exists(top(black(top))))")
    assert same["scene"] is None
    assert same["looked_at"] == 1_000


@pytest.mark.parametrize("answer", [True, False])
def test_a_scene_is_changed_until_the_program_says_what_is_wanted(client: TestClient, answer: bool) -> None:
    found = asked(client, "change", program=TOP, scene=SCENE.to_json(), answer=answer)
    assert found["changes"] == (0 if answer else 1)
    assert asked(client, "run", program=TOP, scene=found["scene"])["answer"] is answer


@pytest.mark.parametrize("answer", ["true", 1, None, [True], {}])
def test_an_answer_that_no_program_gives_is_refused_and_not_searched_for(client: TestClient, answer: Any) -> None:
    assert "answer" in refused(client, "change", "invalid", program=TOP, scene=SCENE.to_json(), answer=answer)


class Unchecked(Nlvr):
    """NLVR, if any answer were one."""

    answers = Answers()


def test_nor_is_one_of_another_kind_where_a_domain_takes_any(answering: Answering) -> None:
    unchecked = Answering(Model(answering.model.parser, Unchecked(), answering.model.about))
    client = TestClient(application(Inline(unchecked), "best", names=["testserver"]))
    message = refused(client, "change", "invalid", program=TOP, scene=SCENE.to_json(), answer="true")
    assert "what this program says is true or false" in message


def test_where_few_changes_do_not_help_a_scene_is_invented(client: TestClient) -> None:
    # Towers stay towers, and their blocks do not touch.
    program = "object_exists(yellow(touch_object(black(all_objects))))"
    found = asked(client, "change", program=program, scene=SCENE.to_json(), answer=True)
    assert found["changes"] is None
    assert asked(client, "run", program=program, scene=found["scene"])["answer"] is True


def test_invented_scenes_follow_the_seed(client: TestClient) -> None:
    one, again, other = (client.get(f"/api/invent?seed={seed}").json()["scene"] for seed in (1, 1, 2))
    assert one == again != other
    assert Scene.from_json(one).objects


# -- what stands beside a reading --------------------------------------------------------------------------------------


def test_a_program_is_completed_and_a_reading_explained(client: TestClient) -> None:
    found = asked(client, "complete", program="some_box(object_exists(bl")
    assert found["start"] == len("some_box(object_exists(")
    assert {"text": "black", "type": "<Set[Object]:Set[Object]>"} in found["names"]
    assert "some_box" not in {name["text"] for name in found["names"]}
    told = asked(client, "explain", sentence=SENTENCE, scene=SCENE.to_json(), program=TOP, page=True)
    assert '"black" speaks for black' in {weight["part"] for weight in told["weights"]}
    assert told["rival"]["program"] != TOP
    assert told["decided"]
    assert told["page"].startswith("<!DOCTYPE html>")
    assert asked(client, "explain", sentence=SENTENCE)["page"] is None
    assert "not read so" in refused(
        client, "explain", "bad_program", sentence=SENTENCE, program="object_exists(all_objects)"
    )


# -- the server --------------------------------------------------------------------------------------------------------


def test_health_readiness_and_about(client: TestClient) -> None:
    assert client.get("/api/health").json() == {"status": "alive"}
    assert client.get("/api/ready").json() == {"status": "ready"}
    about = client.get("/api/about").json()
    assert (about["domain"], about["model"], about["limits"]["objects_in_a_box"]) == ("nlvr", "best", 32)


def test_wrong_addresses_methods_and_bodies_have_their_codes(client: TestClient) -> None:
    for response, code in [
        (client.get("/api/nothing"), "not_found"),
        (client.get("/../pyproject.toml"), "not_found"),
        (client.get("/api/parse"), "method_not_allowed"),
        (client.post("/api/parse", content="{", headers={"Content-Type": "application/json"}), "bad_request"),
        (client.post("/api/parse", content="sentence=x"), "wrong_content_type"),
        (client.post("/api/parse", content="[" * 100_000, headers={"Content-Type": "application/json"}), "bad_request"),
    ]:
        assert (response.status_code, response.json()["error"]["code"]) == (STATUS[code], code)


def parts_of_the_page(client: TestClient) -> dict[str, str]:
    """Everything that the page names, and what is named there, with its text."""
    found: dict[str, str] = {}
    waiting = {"/"}
    while waiting:
        name = waiting.pop()
        response = client.get(name)
        assert response.status_code == 200, name
        found[name] = response.text
        named = re.findall(r'(?:="|from "|[?:] ")([\w./-]+\.(?:js|css|svg|html))\b', response.text)
        waiting |= {urljoin(name, one) for one in named} - found.keys()
    return found


def test_the_page_names_only_parts_that_are_served_here_and_all_of_them(client: TestClient) -> None:
    of_page = {f"/{path.name}" for path in PAGE.iterdir()} - {"/index.html"}
    assert Nlvr.stage is not None
    of_stage = {f"/stage/{path.name}" for path in Nlvr.stage.iterdir()}
    assert parts_of_the_page(client).keys() == {"/"} | of_page | of_stage


def test_without_a_stage_there_is_none(answering: Answering) -> None:
    client = TestClient(application(Inline(answering), "best", names=["testserver"]))
    assert client.get("/stage/stage.js").json()["error"]["code"] == "not_found"
    assert client.get("/stage/..%2fdomain.py").status_code == 404


def test_nothing_in_the_page_needs_what_its_policy_forbids(client: TestClient) -> None:
    for name, text in parts_of_the_page(client).items():
        forbidden = r"<script>|<style|\son\w+=|\sstyle=|https?:" if "<html" in text else r"@import|eval\(|innerHTML"
        assert not re.search(rf"{forbidden}|https?:(?!//www.w3.org/2000/svg)", text), name


class _Failing(Inline):
    async def ask(self, what: str, arguments: Any) -> Any:
        if what == "run":
            raise Refusal("busy", "too many")
        raise RuntimeError("secret")


def test_a_fault_inside_is_reported_without_its_text_and_busy_says_when_to_return(answering: Answering) -> None:
    client = TestClient(application(_Failing(answering), "best", names=["testserver"]), raise_server_exceptions=False)
    response = client.post("/api/parse", json={"sentence": SENTENCE})
    assert response.json()["error"]["code"] == "internal"
    assert "secret" not in response.text
    busy = client.post("/api/run", json={"program": TOP, "scene": SCENE.to_json()})
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "1")


class Bare(Nlvr):
    """NLVR without what a domain need not have."""

    codec = drawing = editing = None
    variants = Domain.variants


def test_a_domain_without_capabilities_parses_and_says_what_it_lacks(answering: Answering) -> None:
    bare = Answering(Model(answering.model.parser, Bare(), answering.model.about))
    client = TestClient(application(Inline(bare), "best", names=["testserver"]))
    assert client.get("/api/about").json()["can"] == ["teaching"]
    assert asked(client, "parse", sentence=SENTENCE)["parses"]
    for what, message in [
        ("parse", {"sentence": SENTENCE, "scene": SCENE.to_json()}),
        ("see", {"picture": png(SCENE)}),
        ("change", {"program": TOP, "scene": SCENE.to_json(), "answer": True}),
        ("distinguish", {"one": TOP, "other": TOP, "scene": SCENE.to_json()}),
    ]:
        assert "has no codec, which a picture as JSON needs" in refused(client, what, "not_supported", **message)
    assert "makes no contexts" in refused(client, "distinguish", "not_supported", one=TOP, other=TOP)
    assert client.get("/api/invent").json()["error"]["code"] == "not_supported"
