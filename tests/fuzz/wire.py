"""What arrives at the server's port, byte by byte: connection, guard and application, with nobody behind them to think.

Whatever comes, nothing is raised, each answer carries our headers and is no fault of ours, and what would cross to a
worker is shallow, from a host that is known.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from tests.playground.wire import Wire
from uvicorn import Config
from uvicorn.server import ServerState

from chorale.playground import limits
from chorale.playground.app import application
from chorale.playground.bodies import depth_of
from chorale.playground.connections import Connection
from chorale.playground.guard import HEADERS
from chorale.playground.refusals import Refusal
from chorale.playground.worker import written

_OURS = {(name.lower().encode(), value.encode()) for name, value in HEADERS.items()}


def requests(program: str, scene: Any) -> list[bytes]:
    """Good ones, of every kind that HTTP knows."""
    run = json.dumps({"program": program, "scene": scene}).encode()
    mark = {"sentence": "There is a box.", "scene": scene, "answer": True}
    teach = json.dumps({"marks": [mark, {**mark, "answer": None, "answer_text": "true"}]}).encode()
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(run), run)
    return [
        _request("GET", "/"),
        _request("GET", "/api/invent?seed=3") + _request("GET", "/api/health"),
        _request("GET", "/api/about", "Origin: http://localhost:8000", "Accept: */*"),
        _request("POST", "/api/run", f"Content-Length: {len(run)}") + run,
        _request("POST", "/api/run", "Transfer-Encoding: chunked") + chunks,
        _request("POST", "/api/teach", f"Content-Length: {len(teach)}", "Expect: 100-continue") + teach,
        _request("GET", "/", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"),
    ]


def _request(method: str, path: str, *headers: str) -> bytes:
    about = ("Host: localhost:8000", "Content-Type: application/json", *headers)
    return "\r\n".join((f"{method} {path} HTTP/1.1", *about, "", "")).encode()


class _Nobody:
    """Looks at what would cross to a worker, and answers nothing."""

    async def start(self) -> None: ...

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        assert depth_of(written(what, arguments)) <= limits.BODY_DEPTH + 1
        raise Refusal("not_supported", "there is nobody")

    def stop(self) -> None: ...


@cache
def _server() -> tuple[Config, asyncio.AbstractEventLoop, list[BaseException]]:
    """The server without its start, a loop, and what went wrong inside, which uvicorn would only log."""
    faults: list[BaseException] = []
    app = application(_Nobody(), "best")

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                assert message["status"] < 500, message
                assert set(message["headers"]) >= _OURS, message
            await send(message)

        try:
            await app(scope, receive, sent)
        except BaseException as fault:
            faults.append(fault)
            raise

    config = Config(watched, ws="none", lifespan="off", log_level="critical")
    config.load()
    return config, asyncio.new_event_loop(), faults


async def _talk(content: bytes, config: Config) -> None:
    """Say it in a few pieces, and leave when there is nothing left to do."""
    state, wire, rng = ServerState(), Wire("127.0.0.1"), Random(len(content))
    connection = Connection(config, state, {})
    connection.connection_made(wire)  # type: ignore[arg-type]
    cuts = sorted(rng.randint(0, len(content)) for _ in range(2))
    for start, end in zip((0, *cuts), (*cuts, len(content)), strict=True):
        if start < end and not wire.ended:
            connection.data_received(content[start:end])
        await asyncio.sleep(0)
    connection.connection_lost(None)
    await asyncio.gather(*state.tasks, return_exceptions=True)


def read(content: bytes) -> None:
    config, loop, faults = _server()
    faults.clear()
    loop.run_until_complete(_talk(content, config))
    if faults:
        raise faults[0]
