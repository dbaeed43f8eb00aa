"""Bodies: what is too deep, or no UTF-8, ends where it arrives, whatever was asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from chorale.playground import limits
from chorale.playground.app import application
from chorale.playground.bodies import depth_of

VALUES = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


def depth(value: Any) -> int:
    if isinstance(value, list | dict):
        inner = value if isinstance(value, list) else value.values()
        return 1 + max(map(depth, inner), default=0)
    return 0


def deepest_reached(text: str) -> int:
    """The same letter by letter, also of what is no JSON."""
    level, deepest, is_inside, is_escaped = 0, 0, False, False
    for letter in text:
        if is_escaped:
            is_escaped = False
        elif is_inside:
            is_escaped, is_inside = letter == "\\", letter != '"'
        else:
            is_inside = letter == '"'
            level += (letter in "[{") - (letter in "]}")
            deepest = max(deepest, level)
    return deepest


@given(VALUES, st.booleans())
def test_the_depth_of_the_bytes_is_that_of_the_value(value: Any, ascii_only: bool) -> None:
    assert depth_of(json.dumps(value, ensure_ascii=ascii_only).encode()) == depth(value)


@given(st.text('[]{}"\\a\n'))
def test_the_depth_is_known_of_what_is_no_json(text: str) -> None:
    assert depth_of(text.encode()) == deepest_reached(text)


class Unasked:
    """Nothing may get as far as this."""

    async def start(self) -> None: ...

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        assert what == "about", f"{what} was asked"
        return {"example": {}}

    def stop(self) -> None: ...


@pytest.fixture(scope="module")
def unasked() -> TestClient:
    return TestClient(application(Unasked(), "best", names=["testserver"]))


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


MARK = {"sentence": "There is a box.", "scene": 0, "answer": True}
REQUESTS: dict[str, dict[str, Any]] = {
    "parse": {"sentence": "There is a box.", "scene": 0, "marks": [MARK]},
    "run": {"program": "x", "scene": 0, "sentence": "There is a box."},
    "complete": {"program": "x", "scene": 0, "sentence": "There is a box."},
    "read": {"scene": 0, "file": "x", "name": "x"},
    "without": {"program": "x", "scene": 0, "sentence": "x"},
    "explain": {"sentence": "There is a box.", "scene": 0, "program": "x", "marks": [MARK], "page": True},
    "see": {"picture": "AAAA"},
    "distinguish": {"one": "x", "other": "y", "scene": 0},
    "change": {"program": "x", "scene": 0, "answer": True},
    "teach": {"marks": [MARK], "skip": 0, "take": 1},
    "export": {"marks": [MARK]},
}
FIELDS = [(what, field) for what, request in REQUESTS.items() for field in (*request, "unknown")]


def test_every_address_that_takes_a_body_is_among_them(unasked: TestClient) -> None:
    described = unasked.get("/api/openapi.json").json()["paths"]
    assert {path for path, methods in described.items() if "post" in methods} == {f"/api/{what}" for what in REQUESTS}


def posted(client: TestClient, what: str, content: str | bytes) -> tuple[int, str]:
    response = client.post(f"/api/{what}", content=content, headers={"Content-Type": "application/json"})
    return response.status_code, response.json()["error"]["message"]


@pytest.mark.parametrize(("what", "field"), FIELDS)
@pytest.mark.parametrize("levels", [limits.BODY_DEPTH, 494, 100_000])
def test_what_is_nested_too_deep_reaches_nobody(unasked: TestClient, what: str, field: str, levels: int) -> None:
    content = json.dumps({**REQUESTS[what], field: "HERE"}).replace('"HERE"', nested(levels))
    status, message = posted(unasked, what, content)
    assert (status, "levels deep" in message) == (400, True)


@pytest.mark.parametrize("field", ["scene", "answer"])
def test_nor_does_what_is_deep_inside_a_mark(unasked: TestClient, field: str) -> None:
    content = json.dumps({"marks": [{**MARK, field: "HERE"}]}).replace('"HERE"', nested(494))
    assert "levels deep" in posted(unasked, "teach", content)[1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1"])
def test_a_body_in_another_encoding_is_refused_where_letters_could_hide_brackets(
    unasked: TestClient, encoding: str
) -> None:
    content = json.dumps({"sentence": "é\u2261" if "utf" in encoding else "é"}, ensure_ascii=False)
    status, message = posted(unasked, "parse", content.encode(encoding))
    assert (status, "UTF-8" in message) == (400, True)
