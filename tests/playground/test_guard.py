"""The guard: who may ask, how much, and what browsers are told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi.testclient import TestClient

from chorale.playground import limits
from chorale.playground.guard import HEADERS, Guard

ALLOWED = (
    "testserver",
    "localhost",
    "localhost:8000",
    "LOCALHOST:1",
    "127.0.0.1",
    "127.0.0.1:8000",
    "[::1]:8000",
    "10.1.2.3",
)
FOREIGN = ("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1", "a b")


@pytest.mark.parametrize("host", ALLOWED)
def test_addresses_and_known_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_is_refused_so_that_it_cannot_be_rebound(client: TestClient, host: str) -> None:
    response = client.get("/api/health", headers={"Host": host})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "not_allowed")


def test_pages_of_other_sites_are_refused_and_get_no_cors(client: TestClient) -> None:
    message = {"sentence": "There is a box."}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:8001", "http://[", "http://[::1", "//", ""):
        response = client.post("/api/parse", json=message, headers={"Origin": origin, "Host": "127.0.0.1:8000"})
        assert response.status_code == 403
        assert not any(name.startswith("access-control") for name in response.headers)
    same = client.post(
        "/api/parse", json=message, headers={"Origin": "http://127.0.0.1:8000", "Host": "127.0.0.1:8000"}
    )
    assert same.status_code == 200
    preflight = client.options("/api/parse", headers={"Origin": "http://evil.example"})
    assert preflight.status_code == 403


def test_none_of_several_origins_may_be_foreign(client: TestClient) -> None:
    origins = [("Origin", "http://127.0.0.1:8000"), ("Origin", "http://evil.example")]
    assert client.get("/api/health", headers=[("Host", "127.0.0.1:8000"), *origins]).status_code == 403


@pytest.mark.parametrize("path", ["/", "/main.js", "/api/health", "/api/nothing"])
def test_every_response_carries_the_headers(client: TestClient, path: str) -> None:
    response = client.get(path)
    for name, value in HEADERS.items():
        assert response.headers[name] == value
    policy = response.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_a_refusal_carries_them_too(client: TestClient) -> None:
    response = client.get("/", headers={"Host": "evil.example"})
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("told", [True, False])
def test_a_body_that_is_too_long_is_refused_with_or_without_its_length(client: TestClient, told: bool) -> None:
    body = b" " * (limits.BODY + 1)
    content: Any = body if told else iter([body[:1000], body[1000:]])  # in chunks, no length is told
    response = client.post("/api/parse", content=content, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


SCOPE = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"localhost")]}
PART, REST = ({"type": "http.request", "body": b"[]", "more_body": more} for more in (True, False))
LEFT = {"type": "http.disconnect"}


class Client:
    """A client that sends some messages and then no more, but listens."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages = list(messages)
        self.heard: list[Any] = []

    async def receive(self) -> Any:
        if not self.messages:
            await asyncio.Event().wait()
        return self.messages.pop(0)

    async def send(self, message: Any) -> None:
        self.heard.append(message)

    def ask(self, app: Any) -> None:
        asyncio.run(asyncio.wait_for(Guard(app)(SCOPE, self.receive, self.send), 60))


async def never(*_: Any) -> None:
    raise AssertionError("the application was asked")


def test_a_body_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 0)
    client = Client(PART)
    client.ask(never)
    assert client.heard[0]["status"] == 408


def test_a_request_whose_sender_left_before_its_end_is_not_answered() -> None:
    client = Client(PART, LEFT)
    client.ask(never)
    assert not client.heard


def test_who_leaves_is_not_worked_for_any_longer() -> None:
    stopped = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["body"] == b"[]"
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    Client(REST, LEFT).ask(app)
    assert stopped == [True]


def test_a_fault_inside_carries_the_headers_and_is_seen_by_the_server() -> None:
    async def app(*_: Any) -> None:
        raise ValueError("secret")

    client = Client(REST)
    with pytest.raises(ValueError, match="secret"):
        client.ask(app)
    head, body = client.heard
    assert head["status"] == 500
    assert {name.lower().encode() for name in HEADERS} <= {name for name, _ in head["headers"]}
    assert b"secret" not in body["body"]
