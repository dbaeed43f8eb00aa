"""Bodies of requests: received within a time, a size and a depth, before anything else looks at them.

Brackets are counted in the bytes, with the strings taken out. That is the depth that a parser would find, as long as
the bytes are UTF-8: in other encodings a letter may have the byte of a quotation mark or a bracket in it.
"""

from __future__ import annotations

import asyncio
import re

import numpy as np
from starlette.datastructures import Headers
from starlette.types import Receive

from chorale.playground import limits
from chorale.playground.refusals import Refusal

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)  # the last one may not end; matches at the first attempt
_STEP = np.zeros(256, dtype=np.int32)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1


async def body_of(headers: Headers, receive: Receive) -> bytes | None:
    """All of the request, if it is not too much and does not take too long; None if its sender has left."""
    told = headers.get("content-length", "0")
    if told.isdecimal() and int(told[:20]) > limits.BODY:
        raise _too_large()
    body = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            while (message := await receive())["type"] == "http.request":
                body += message.get("body", b"")
                if len(body) > limits.BODY:
                    raise _too_large()
                if not message.get("more_body", False):
                    return _checked(bytes(body))
            return None
    except TimeoutError:
        raise Refusal("too_slow", f"the request took more than {limits.BODY_SECONDS} seconds to arrive") from None


def depth_of(content: bytes) -> int:
    """How deep the lists and objects of some JSON are nested, whether or not it ends well."""
    brackets = np.frombuffer(_STRING.sub(b"", content), dtype=np.uint8)
    return int(np.cumsum(_STEP[brackets]).max(initial=0))


def _checked(body: bytes) -> bytes:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise Refusal("bad_request", f"this is not UTF-8: {error.reason} at byte {error.start + 1}") from None
    if b"\0" in body or body.startswith(b"\xef\xbb\xbf"):  # which parsers of JSON take for another encoding
        raise Refusal("bad_request", "this is not JSON in UTF-8: it begins with a mark, or has a byte 0 in it")
    if depth_of(body) > limits.BODY_DEPTH:
        raise Refusal("bad_request", f"the request is nested more than {limits.BODY_DEPTH} levels deep")
    return body


def _too_large() -> Refusal:
    return Refusal("too_large", f"the request has more than {limits.BODY >> 10} KiB")
