"""The guard in front of the application: who may ask, how much, and what browsers are told.

The server listens on this machine, but any page in the user's browser can send requests there. A page of another site
is refused by its `Origin`. A site whose name is made to point to this machine (DNS rebinding) is refused by the `Host`:
only `localhost`, plain addresses, and the names that the server was given are known here; an address cannot be rebound.

Whoever leaves before there is an answer is not worked for any longer.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chorale.playground.bodies import body_of
from chorale.playground.refusals import Refusal

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}


class Guard:
    """ASGI middleware; see the module's text."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self.app = app
        self.names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sending = _Sending(send)
        try:
            headers = Headers(scope=scope)
            self._check_who(headers)
            body = await body_of(headers, receive)
            if body is not None:
                await _while_wanted(self.app, scope, _Receiving(body, receive), sending)
        except Refusal as refusal:
            await refuse(refusal, send)
        except Exception:
            if not sending.has_begun:
                await refuse(Refusal("internal", "something went wrong inside"), send)
            raise

    def _check_who(self, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_known(host):
            raise Refusal("not_allowed", f"this server is not called {host[:80]!r}")
        for origin in headers.getlist("origin"):
            if _site(origin) != host.lower():
                raise Refusal("not_allowed", "pages of other sites may not ask this server")

    def _is_known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _site(origin: str) -> str | None:
    """The name and port of a site; None if it has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


class _Receiving:
    """What the application receives: the body, and in the end that the client has left."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._first: Message | None = {"type": "http.request", "body": body, "more_body": False}
        self._receive = receive
        self._left = asyncio.Event()

    async def __call__(self) -> Message:
        message, self._first = self._first, None
        if message is None:
            await self._left.wait()
        return message or {"type": "http.disconnect"}

    async def end(self) -> None:
        """Wait until the client leaves."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._left.set()


class _Sending:
    """What the application sends, with our headers."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = self.is_complete = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            MutableHeaders(scope=message).update(HEADERS)
        else:
            self.is_complete = not message.get("more_body", False)
        await self._send(message)


async def _while_wanted(app: ASGIApp, scope: Scope, receiving: _Receiving, sending: _Sending) -> None:
    """Run the application, and stop it if the client leaves before there is an answer."""

    async def run() -> None:
        await app(scope, receiving, sending)

    answering, leaving = asyncio.create_task(run()), asyncio.create_task(receiving.end())
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done() or sending.is_complete:
            await answering
    finally:
        answering.cancel()
        leaving.cancel()


async def refuse(refusal: Refusal, send: Send) -> None:
    """Send a refusal, with our headers, and end the connection."""
    head, body = refused(refusal)
    await send({"type": "http.response.start", "status": refusal.status, "headers": head})
    await send({"type": "http.response.body", "body": body})


def refused(refusal: Refusal) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and the body of a refusal."""
    body = json.dumps(refusal.to_json()).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    pairs = {**HEADERS, **headers, **refusal.headers}.items()
    return [(name.lower().encode(), value.encode()) for name, value in pairs], body
