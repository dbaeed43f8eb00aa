"""Connections: how long one may take to say what it wants, and how many there may be.

uvicorn waits for the head of a request for ever and, when there are too many connections, refuses whoever comes. So a
few hundred that say nothing would keep everybody out. Here a head and the reading of an answer have their time, and
whoever comes when there are too many takes the place of the connection that has been idle for longest: of its own
address, if that has too many, else of all. Idle is one that has no request that has arrived as a whole.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Iterable
from http import HTTPStatus
from itertools import count

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from chorale.playground import limits
from chorale.playground.guard import refuse, refused
from chorale.playground.refusals import Refusal

_order = count()


class Connection(H11Protocol):
    """One of them; uvicorn makes it."""

    _since = 0  # in which order connections became idle
    _says_something = False  # since then

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head, self._writing = _Alarm(self.loop), _Alarm(self.loop)
        self._begin_to_idle()
        self._time_the_head()
        others = [one for one in self._all if one is not self]
        near = [one for one in others if one.neighbourhood == self.neighbourhood]
        if len(near) >= limits.CONNECTIONS_OF_ONE:
            self._take_the_place_of_one(near)
        elif len(others) >= limits.CONNECTIONS:
            self._take_the_place_of_one(others)

    def data_received(self, data: bytes) -> None:
        self._says_something = True
        super().data_received(data)
        self._time_the_head()

    def on_response_complete(self) -> None:
        self._begin_to_idle()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing.set(limits.WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._writing.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head.stop()
        self._writing.stop()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server ends: nobody waits for an answer any longer."""
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        self._refuse(Refusal("bad_request", "this is not HTTP"))

    @property
    def neighbourhood(self) -> str:
        """The address of the client; of IPv6 the part that is one customer's."""
        given = self.client[0].partition("%")[0] if self.client else ""
        try:
            address = ipaddress.IPv6Address(given)
        except ValueError:
            return given
        return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))

    @property
    def _all(self) -> Iterable[Connection]:
        return (one for one in self.connections if isinstance(one, Connection))

    @property
    def _awaits_a_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    @property
    def _is_idle(self) -> bool:
        return self._awaits_a_head or self.cycle.more_body

    def _begin_to_idle(self) -> None:
        self._since, self._says_something = next(_order), False

    def _time_the_head(self) -> None:
        if self._awaits_a_head:
            self._head.set(limits.HEAD_SECONDS, self._refuse_late)
        else:
            self._head.stop()

    def _refuse_late(self) -> None:
        if not self._says_something:
            return self.transport.close()
        return self._refuse(Refusal("too_slow", f"the request took more than {limits.HEAD_SECONDS} seconds to begin"))

    def _take_the_place_of_one(self, others: Iterable[Connection]) -> None:
        """End the one that has been idle for longest; without any, this one will be refused whatever it asks."""
        idle = [one for one in others if one._is_idle]
        if idle:
            min(idle, key=lambda one: one._since)._leave()
        else:
            self.app = _crowded

    def _leave(self) -> None:
        self.connections.discard(self)
        if self._says_something:
            self._refuse(_CROWDED)
        else:
            self.transport.close()
        if self.transport.get_write_buffer_size():  # which nobody reads
            self.transport.abort()

    def _refuse(self, refusal: Refusal) -> None:
        """Answer before the application does, and end the connection."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE} and not self.transport.is_closing():
            headers, body = refused(refusal)
            reason = HTTPStatus(refusal.status).phrase.encode()
            head = h11.Response(status_code=refusal.status, headers=headers, reason=reason)
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        if self.cycle is not None:  # the application was waiting for the rest of the request
            self.cycle.disconnected = True
            self.cycle.message_event.set()


_CROWDED = Refusal("busy", "there are too many connections")


async def _crowded(scope: Scope, receive: Receive, send: Send) -> None:
    await refuse(_CROWDED, send)


class _Alarm:
    """Something that is done after a while, unless it is stopped before."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    def set(self, seconds: float, then: Callable[[], None]) -> None:
        """Have it done, counted from now; nothing if it is set already."""
        if self._handle is None:
            self._handle = self._loop.call_later(seconds, then)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
