"""Refusals: what a request gets instead of an answer. A code for machines, a message and a hint for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chorale.errors import ChoraleError
from chorale.language.contracts import FunctionError

STATUS = {
    "bad_request": 400,
    "not_allowed": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "too_slow": 408,
    "too_large": 413,
    "wrong_content_type": 415,
    "invalid": 422,
    "bad_sentence": 422,
    "bad_scene": 422,
    "bad_picture": 422,
    "bad_program": 422,
    "not_supported": 422,
    "internal": 500,
    "busy": 503,
    "not_ready": 503,
    "timeout": 504,
}
"""The HTTP status of each code."""

HINTS = {
    "bad_request": "send one JSON object; /api/openapi.json describes them all",
    "not_allowed": "open the page by the address that `chorale serve` printed",
    "not_found": "/api/openapi.json lists what there is",
    "method_not_allowed": "/api/openapi.json says which method each address takes",
    "too_slow": "send the request again",
    "too_large": "send less; docs/playground.md lists the limits",
    "wrong_content_type": "send JSON, with the header Content-Type: application/json",
    "invalid": "/api/openapi.json describes what is expected",
    "bad_sentence": "write one short sentence",
    "bad_scene": "`scene` is a context as the model's domain reads it; /api/about has one",
    "bad_picture": "send the bytes of a PNG in base64",
    "bad_program": "a program is what /api/parse gives back as `program`",
    "not_supported": "this model or its domain lacks what is needed",
    "internal": "this is a fault of Chorale; please report it",
    "busy": "come back in a second",
    "not_ready": "the model is being loaded; come back in a second",
    "timeout": "ask something shorter",
}
RETRY_AFTER = 1  # second


class Refusal(Exception):  # noqa: N818 - it is an answer, too
    """A request that is not answered; it travels from worker to server."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message

    @property
    def status(self) -> int:
        return STATUS[self.code]

    def to_json(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, "hint": HINTS[self.code]}}

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(RETRY_AFTER)} if self.status == STATUS["busy"] else {}


@contextmanager
def refusing(code: str, where: str = "") -> Iterator[None]:
    """Mistakes of the asker become refusals with this code, and say where they are.

    A function of the language that fails was given a context that it cannot work with.
    """
    try:
        yield
    except FunctionError as error:
        raise Refusal("bad_scene", f"{where}{error}") from None
    except ChoraleError as error:
        raise Refusal(code, f"{where}{error}") from None
