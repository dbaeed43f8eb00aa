"""The pool: a queue that is bounded in length and time, workers that are replaced whatever ended them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from chorale.playground import workers as module
from chorale.playground.answering import Answering
from chorale.playground.refusals import Refusal
from chorale.playground.worker import OUT_OF_TIME, Worker, written
from chorale.playground.workers import Terms, Workers

NEVER = 3600.0  # what is to happen in a test does not wait for the clock


class Fake:
    """A worker that answers when it is told to."""

    def __init__(self) -> None:
        self.is_alive = True
        self.status = 0
        self.asked: list[bytes] = []
        self.begun = asyncio.Event()
        self.answers: asyncio.Queue[bytes | Exception] = asyncio.Queue()

    async def ask(self, request: bytes) -> bytes:
        self.asked.append(request)
        self.begun.set()
        reply = await self.answers.get()
        if isinstance(reply, Exception):
            raise reply
        return reply

    def stop(self) -> int:
        self.is_alive = False
        return self.status

    def tell(self, *replies: bytes | Exception) -> None:
        for reply in replies:
            self.answers.put_nowait(reply)


YES = b'["answer", "yes"]'


class Office:
    """A pool of fakes, and who was hired."""

    def __init__(self, **terms: Any) -> None:
        patient = {"queue_seconds": NEVER, "wall_seconds": NEVER, "abandoned_seconds": NEVER, "again_seconds": 0.0}
        self.hired: list[Fake] = []
        self.problems: list[Exception] = []
        self.pool = Workers(self.hire, Terms(**{"count": 1, "waiting": 1, **patient, **terms}))
        self.grew = asyncio.Condition()

    async def hire(self) -> Fake:
        if self.problems:
            raise self.problems.pop()
        self.hired.append(Fake())
        async with self.grew:
            self.grew.notify_all()
        return self.hired[-1]

    async def worker(self, number: int) -> Fake:
        """The one that was hired so many after the first."""
        async with self.grew:
            await self.grew.wait_for(lambda: len(self.hired) > number)
        return self.hired[number]

    def ask(self, what: str = "parse") -> asyncio.Task[Any]:
        return asyncio.create_task(self.pool.ask(what, {}))


def in_office(test: Callable[[Office], Awaitable[None]], **terms: Any) -> None:
    async def open_it() -> None:
        office = Office(**terms)
        await office.pool.start()
        await asyncio.wait_for(test(office), 60)
        office.pool.stop()

    asyncio.run(open_it())


async def code(task: Awaitable[Any]) -> str:
    with pytest.raises(Refusal) as refused:
        await task
    return refused.value.code


def test_nothing_is_answered_before_the_model_is_loaded() -> None:
    async def ask() -> None:
        assert await code(Office().pool.ask("about", {})) == "not_ready"

    asyncio.run(ask())


def test_one_is_answered_one_waits_and_the_third_is_sent_away() -> None:
    async def test(office: Office) -> None:
        one, other, third = office.ask(), office.ask(), office.ask()
        assert await code(third) == "busy"
        office.hired[0].tell(YES, YES)
        assert await asyncio.gather(one, other) == ["yes", "yes"]

    in_office(test)


def test_nobody_waits_in_the_queue_for_longer_than_a_while() -> None:
    async def test(office: Office) -> None:
        office.pool._free.get_nowait()  # somebody has it
        assert await code(office.ask()) == "busy"

    in_office(test, queue_seconds=0)


def test_who_leaves_the_queue_is_not_answered() -> None:
    async def test(office: Office) -> None:
        first, second = office.ask("first"), office.ask("second")
        await office.hired[0].begun.wait()
        second.cancel()
        await asyncio.wait({second})
        third = office.ask("third")
        office.hired[0].tell(YES, YES)
        await asyncio.gather(first, third)
        assert office.hired[0].asked == [written("first", {}), written("third", {})]

    in_office(test)


def test_work_that_nobody_waits_for_is_stopped_and_another_worker_is_there() -> None:
    async def test(office: Office) -> None:
        abandoned = office.ask()
        await office.hired[0].begun.wait()
        abandoned.cancel()
        fresh = await office.worker(1)
        assert not office.hired[0].is_alive
        fresh.tell(YES)
        assert await office.ask() == "yes"

    in_office(test, abandoned_seconds=0)


def test_work_that_nobody_waits_for_may_be_ended_as_long_as_it_is_quick() -> None:
    async def test(office: Office) -> None:
        abandoned = office.ask()
        await office.hired[0].begun.wait()
        abandoned.cancel()
        office.hired[0].tell(YES, YES)
        assert await office.ask() == "yes"
        assert len(office.hired) == 1

    in_office(test)


def test_what_takes_too_long_on_the_clock_is_stopped() -> None:
    async def test(office: Office) -> None:
        assert await code(office.ask()) == "timeout"
        assert not office.hired[0].is_alive
        assert (await office.worker(1)).is_alive

    in_office(test, wall_seconds=0)


@pytest.mark.parametrize(("status", "said"), [(OUT_OF_TIME, "timeout"), (-9, "internal"), (None, "internal")])
def test_a_worker_that_ends_is_replaced_and_its_request_is_told_why(status: int, said: str) -> None:
    async def test(office: Office) -> None:
        office.hired[0].status = status
        office.hired[0].tell(asyncio.IncompleteReadError(b"", 4))
        assert await code(office.ask()) == said
        (await office.worker(1)).tell(YES)
        assert await office.ask() == "yes"

    in_office(test)


def test_a_worker_that_died_while_it_was_free_is_replaced_before_anybody_asks_it() -> None:
    async def test(office: Office) -> None:
        office.hired[0].is_alive = False
        asking = office.ask()
        (await office.worker(1)).tell(YES)
        assert await asking == "yes"
        assert not office.hired[0].asked

    in_office(test)


def test_a_worker_that_cannot_be_started_is_tried_again() -> None:
    async def test(office: Office) -> None:
        office.problems = [OSError(), ConnectionResetError(), asyncio.IncompleteReadError(b"", 4)]
        office.hired[0].is_alive = False
        asking = office.ask()
        (await office.worker(1)).tell(YES)
        assert await asking == "yes"

    in_office(test)


def test_a_worker_is_replaced_after_so_many_requests() -> None:
    async def test(office: Office) -> None:
        for number in range(3):
            for _ in range(2):
                (await office.worker(number)).tell(YES)
                await office.ask()
        assert [len(one.asked) for one in office.hired[:3]] == [2, 2, 2]
        assert not any(one.is_alive for one in office.hired[:3])

    in_office(test, requests=2)


def test_a_pool_that_is_stopped_ends_all_and_hires_nobody() -> None:
    async def test(office: Office) -> None:
        asking = office.ask()
        await office.hired[0].begun.wait()
        office.pool.stop()
        await asyncio.wait({asking})
        assert asking.cancelled()
        assert [one.is_alive for one in office.hired] == [False, False]

    in_office(test, count=2)


def test_a_worker_with_the_model_answers_as_the_model_does(answering: Answering) -> None:
    parse = {"sentence": "There is a tower with a black block at the top.", "scene": None, "picture": None}
    parse |= {"top": 3, "answer_if": 0.5}

    async def live() -> None:
        pool = Workers(partial(Worker.started, partial(module._answering, None, None), NEVER), Terms(count=1))
        try:
            await pool.start()
            assert await pool.ask("parse", parse) == answering.answer("parse", parse)
        finally:
            pool.stop()

    asyncio.run(live())
