"""Workers: processes that answer as the model does, are stopped when they take too long, and do not queue for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from chorale.playground import workers as module
from chorale.playground.answering import Answering
from chorale.playground.refusals import Refusal
from chorale.playground.workers import Workers

SENTENCE = "There is a tower with a black block at the top."
PARSE = {"sentence": SENTENCE, "scene": None, "picture": None, "top": 3, "answer_if": 0.5}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(count=1, waiting=1, seconds=60)
    yield workers
    workers.stop()


def never_answered(what: str, arguments: Mapping[str, Any]) -> None:
    """How long a parse takes depends on the machine; this one is late on all of them."""
    time.sleep(600)


def test_a_life_of_a_worker(workers: Workers, answering: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test, because a process takes a while to start."""

    async def live() -> None:
        with pytest.raises(Refusal, match="not_ready"):
            await workers.ask("about", {})
        await workers.start()
        assert await workers.ask("parse", PARSE) == answering.answer("parse", PARSE)

        # Mistakes of the asker arrive as they were raised.
        with pytest.raises(Refusal, match="bad_sentence"):
            await workers.ask("parse", {**PARSE, "sentence": "word " * 61})

        # One is answered, one waits, the third is sent away.
        three = [asyncio.create_task(workers.ask("parse", {**PARSE, "top": n})) for n in (1, 2, 3)]
        done = await asyncio.gather(*three, return_exceptions=True)
        assert [isinstance(one, dict) for one in done] == [True, True, False]
        assert isinstance(done[2], Refusal)
        assert (done[2].code, done[2].headers) == ("busy", {"Retry-After": "1"})

        # What takes too long is stopped, and another worker takes over.
        with monkeypatch.context() as late:
            late.setattr(workers, "_seconds", 0.1)
            late.setattr(module, "_answer", never_answered)
            with pytest.raises(Refusal, match="timeout"):
                await workers.ask("parse", PARSE)
        assert await workers.ask("parse", PARSE) == answering.answer("parse", PARSE)

    asyncio.run(live())
