"""A worker: whatever a request makes the process do, the server gets a reply or learns that the process has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.playground import odd

from chorale.playground.refusals import Refusal
from chorale.playground.worker import OUT_OF_TIME, Worker, read, replied, written

PROCESSOR_SECONDS = 0.2  # far more than any request here needs, but for the one that has no end


def with_worker(use: Callable[[Worker], Awaitable[None]]) -> None:
    async def live() -> None:
        worker = await Worker.started(odd.begin, PROCESSOR_SECONDS)
        try:
            await use(worker)
        finally:
            worker.stop()

    asyncio.run(live())


async def asked(worker: Worker, what: str, **arguments: Any) -> Any:
    return read(await worker.ask(written(what, arguments)))


def test_a_worker_goes_on_after_whatever_goes_wrong_inside_and_counts_processor_time_alone() -> None:
    """One test, because a process takes a while to start."""

    async def use(worker: Worker) -> None:
        large = {"text": "\ud800é\n" * 100_000, "none": None, "numbers": [1, 0.5]}
        assert await asked(worker, "echo", **large) == large
        with pytest.raises(Refusal, match="bad_sentence"):
            await asked(worker, "refuse")
        for what in ("fail", "deep"):
            with pytest.raises(Refusal, match="internal"):
                await asked(worker, what)
        assert await asked(worker, "sleep", seconds=2 * PROCESSOR_SECONDS) == "sleep"
        assert worker.is_alive
        with pytest.raises(EOFError):
            await asked(worker, "think")
        assert worker.stop() == OUT_OF_TIME
        assert not worker.is_alive

    with_worker(use)


def test_a_worker_that_dies_says_so_by_its_end() -> None:
    async def use(worker: Worker) -> None:
        with pytest.raises(EOFError):
            await asked(worker, "die")
        assert worker.stop() == 3

    with_worker(use)


def test_a_worker_that_does_not_begin_ends() -> None:
    with pytest.raises(EOFError):
        asyncio.run(Worker.started(odd.fail_to_begin, PROCESSOR_SECONDS))


def test_what_is_too_deep_for_json_is_refused_before_it_crosses_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Refusal, match="nested too deep"):
        written("run", {"scene": odd.answer("deep", {})})
    with pytest.raises(Refusal, match="internal"):
        read(replied(odd.answer, b"[" * 100_000))
    assert "RecursionError" in capsys.readouterr().err
