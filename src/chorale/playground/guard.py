"""The guard in front of the application: who may ask, how much, and what browsers are told.

The server listens on this machine, but any page in the user's browser can send requests there. A page of another site
is refused by its `Origin`. A site whose name is made to point to this machine (DNS rebinding) is refused by the `Host`:
only `localhost`, plain addresses, and the name that the server was given are known here; an address cannot be rebound.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chorale.playground import limits
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

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check_who(headers)
            body = await _body(headers, receive)
        except Refusal as refusal:
            await _refuse(refusal, sent)
            return
        rest = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def received() -> Message:
            return next(rest, None) or await receive()

        await self.app(scope, received, sent)

    def _check_who(self, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_known(host):
            raise Refusal("not_allowed", f"this server is not called {host[:80]!r}")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
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


async def _body(headers: Headers, receive: Receive) -> bytes:
    """All of the request, if it is not too long and does not take too long."""
    told = headers.get("content-length", "0")
    if told.isdigit() and int(told) > limits.BODY:
        raise _too_large()
    body = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > limits.BODY:
                    raise _too_large()
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise Refusal("too_slow", f"the request took more than {limits.BODY_SECONDS} seconds to arrive") from None


def _too_large() -> Refusal:
    return Refusal("too_large", f"the request has more than {limits.BODY >> 10} KiB")


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = json.dumps(refusal.to_json()).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    pairs = [(name.lower().encode(), value.encode()) for name, value in (headers | refusal.headers).items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
