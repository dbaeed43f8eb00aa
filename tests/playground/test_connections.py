"""Connections: who says nothing has its time, and keeps nobody out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.playground.wire import Wire
from uvicorn import Config
from uvicorn.server import ServerState

from chorale.playground import limits
from chorale.playground.connections import Connection
from chorale.playground.guard import HEADERS

HALF = b"GET / HTTP/1.1\r\n"
WHOLE = HALF + b"Host: localhost\r\n\r\n"
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n["


async def greet(scope: Any, receive: Any, send: Any) -> None:
    """Says hello once the request is there."""
    if scope["type"] == "http":
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
            await send({"type": "http.response.body", "body": b"hello"})


# -- by a clock and a transport of our own -----------------------------------------------------------------------------


class Clock:
    """A loop whose time passes when it is told to."""

    def __init__(self) -> None:
        self.alarms: dict[Any, Callable[[], None]] = {}

    def call_later(self, seconds: float, then: Callable[[], None]) -> Any:
        handle = Handle(self)
        self.alarms[handle] = then
        return handle

    def ring(self) -> None:
        """Whatever was to happen later happens."""
        for handle, then in list(self.alarms.items()):
            del self.alarms[handle]
            then()


class Handle:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def cancel(self) -> None:
        self.clock.alarms.pop(self, None)


class Server:
    """What uvicorn has besides connections."""

    def __init__(self) -> None:
        self.config, self.state, self.clock = Config(greet, lifespan="off"), ServerState(), Clock()
        self.config.load()

    def connected(self, address: str = "10.0.0.1") -> tuple[Connection, Wire]:
        connection = Connection(self.config, self.state, {}, _loop=self.clock)  # type: ignore[arg-type]
        wire = Wire(address)
        connection.connection_made(wire)  # type: ignore[arg-type]
        return connection, wire


def refusal(written: bytes) -> tuple[int, str]:
    """The status and the code of a refusal, which has all our headers."""
    head, _, body = written.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= headers.items()
    assert headers["connection"] == "close"
    assert ("retry-after" in headers) == (" 503 " in first)
    return int(first.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.parametrize("said", [b"G", HALF, WHOLE[:-1]])
def test_a_head_that_does_not_end_is_given_up(said: bytes) -> None:
    server = Server()
    connection, wire = server.connected()
    for start in range(len(said)):  # one byte after another does not prolong it
        connection.data_received(said[start : start + 1])
    assert len(server.clock.alarms) == 1
    server.clock.ring()
    assert refusal(wire.written) == (408, "too_slow")
    assert wire.ended == "closed"


def test_a_connection_that_says_nothing_is_closed_without_a_word() -> None:
    server = Server()
    _, wire = server.connected()
    server.clock.ring()
    assert (wire.written, wire.ended) == (b"", "closed")


def test_an_answer_that_is_not_read_is_given_up() -> None:
    server = Server()
    connection, wire = server.connected()
    server.clock.ring()
    wire.ended = ""
    connection.pause_writing()
    connection.resume_writing()
    server.clock.ring()
    assert not wire.ended
    connection.pause_writing()
    server.clock.ring()
    assert wire.ended == "aborted"


def test_what_is_not_http_is_refused_in_words() -> None:
    connection, wire = Server().connected()
    connection.data_received(b"\x16\x03\x01 hello\r\n\r\n")
    assert refusal(wire.written) == (400, "bad_request")


def test_a_connection_that_was_lost_leaves_nothing_behind() -> None:
    server = Server()
    connection, _ = server.connected()
    connection.data_received(HALF)
    connection.connection_lost(None)
    assert not server.clock.alarms
    assert not server.state.connections


def test_the_end_of_the_server_is_the_end_of_its_connections() -> None:
    connection, wire = Server().connected()
    connection.shutdown()
    assert wire.ended == "aborted"


def test_who_has_been_idle_for_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 3)
    server = Server()
    begun, wires = zip(*(server.connected(f"10.0.0.{number}") for number in range(5)), strict=True)
    assert [wire.ended for wire in wires] == ["closed", "closed", "", "", ""]
    begun[2].data_received(HALF)
    server.connected("10.0.0.9")
    assert refusal(wires[2].written) == (503, "busy")


def test_an_address_with_too_many_makes_room_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_OF_ONE", 2)
    server = Server()
    _, other = server.connected("10.0.0.1")
    wires = [server.connected("10.0.0.2")[1] for _ in range(4)]
    assert [wire.ended for wire in (other, *wires)] == ["", "closed", "closed", "", ""]


@pytest.mark.parametrize(
    ("address", "neighbourhood"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:0:1:2::3", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("x", "x"),
    ],
)
def test_addresses_of_one_customer_are_one(address: str, neighbourhood: str) -> None:
    assert Server().connected(address)[0].neighbourhood == neighbourhood


# -- by real sockets ---------------------------------------------------------------------------------------------------


class Caller:
    """A client on a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, content: bytes) -> None:
        self.writer.write(content)
        await self.writer.drain()

    async def hear(self) -> bytes:
        """The next answer."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if b"content-length" in line)
        return head + await self.reader.readexactly(length)


def on_sockets(test: Callable[[Callable[[], Awaitable[Caller]]], Awaitable[None]], app: Any = greet) -> None:
    async def live() -> None:
        config, state, callers = Config(app, lifespan="off"), ServerState(), []
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)

        async def call() -> Caller:
            callers.append(Caller(*await asyncio.open_connection(*server.sockets[0].getsockname())))
            return callers[-1]

        try:
            await asyncio.wait_for(test(call), 60)
        finally:
            for caller in callers:
                caller.writer.close()
            for connection in list(state.connections):
                connection.shutdown()
            server.close()

    asyncio.run(live())


@pytest.mark.parametrize("said", [b"", HALF, HALF_A_BODY])
def test_many_that_are_half_open_keep_nobody_out(monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 5)

    async def test(call: Callable[[], Awaitable[Caller]]) -> None:
        held = []
        for _ in range(12):
            held.append(await call())
            await held[-1].say(said)
        caller = await call()
        for _ in range(2):  # on the same connection
            await caller.say(WHOLE)
            assert (await caller.hear()).endswith(b"hello")
        first = await held[0].reader.read()
        assert not first or refusal(first) == (503, "busy")

    on_sockets(test)


def test_where_all_are_answered_at_the_moment_the_next_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 2)

    may_end, begun = asyncio.Event(), asyncio.Semaphore(0)

    async def slowly(scope: Any, receive: Any, send: Any) -> None:
        begun.release()
        await may_end.wait()
        await greet(scope, receive, send)

    async def test(call: Callable[[], Awaitable[Caller]]) -> None:
        busy = [await call(), await call()]
        for caller in busy:
            await caller.say(WHOLE)
            await begun.acquire()
        late = await call()
        await late.say(WHOLE)
        assert refusal(await late.hear()) == (503, "busy")
        may_end.set()
        for caller in busy:
            assert (await caller.hear()).endswith(b"hello")

    on_sockets(test, slowly)
