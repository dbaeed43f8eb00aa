"""What workers do in the tests of workers: everything that a request should never make them do."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from chorale.playground.refusals import Refusal
from chorale.playground.worker import Answer


class OddError(Exception):
    """Can be pickled, but not be made again from that."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__("odd")


def answer(what: str, arguments: Mapping[str, Any]) -> Any:
    match what:
        case "echo":
            return arguments
        case "refuse":
            raise Refusal("bad_sentence", "no")
        case "fail":
            raise OddError(1, 2)
        case "deep":
            found: list[Any] = []
            for _ in range(100_000):
                found = [found]
            return found
        case "sleep":
            time.sleep(arguments["seconds"])
        case "think":
            while True:
                pass
        case "die":
            os._exit(3)
    return what


def begin() -> Answer:
    return answer


def fail_to_begin() -> Answer:
    raise SystemExit(3)
