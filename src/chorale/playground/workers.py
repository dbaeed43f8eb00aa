"""Workers: some processes that answer requests, and a bounded queue in front of them.

The queue is here, in the server: who has left is no longer in it, and nobody waits for longer than a while. A request
that is being answered for nobody may go on for as long as a fresh worker takes to begin, since most are done by then;
then its worker is stopped. Whatever ends a worker (its time, the kernel, a fault), another takes its place.

Requests are not batched: a ranker parses sentence by sentence, and to wait for company would only make it later.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from chorale.model import load
from chorale.playground import limits
from chorale.playground.answering import Answering
from chorale.playground.refusals import Refusal
from chorale.playground.worker import OUT_OF_TIME, Answer, Worker, read, written
from chorale.ranker.ranker import Ranker

_REMEMBERED = 64  # sentences that a ranker keeps: those that somebody is playing with
_ENDED = (EOFError, OSError)  # what asking raises when the process has ended


class Asked(Protocol):
    """Whatever answers requests."""

    async def start(self) -> None: ...

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        """The answer; raises `Refusal`."""
        ...

    def stop(self) -> None: ...


class Hired(Protocol):
    """What the pool needs of a worker; see `Worker`."""

    @property
    def is_alive(self) -> bool: ...

    async def ask(self, request: bytes) -> bytes: ...

    def stop(self) -> int | None: ...


@dataclass(frozen=True)
class Terms:
    """What the pool is like; see `limits`."""

    count: int = limits.WORKERS
    waiting: int = limits.WAITING
    queue_seconds: float = limits.QUEUE_SECONDS
    wall_seconds: float = limits.WALL_SECONDS
    abandoned_seconds: float = limits.ABANDONED_SECONDS
    again_seconds: float = limits.AGAIN_SECONDS
    requests: int = limits.REQUESTS_OF_A_WORKER


class Workers:
    """A pool of them."""

    def __init__(self, hire: Callable[[], Awaitable[Hired]], terms: Terms | None = None) -> None:
        self._hire, self._terms = hire, terms or Terms()
        self._asked = 0
        self._is_ready = self._is_stopped = False
        self._free: asyncio.Queue[Hired] = asyncio.Queue()
        self._answered: dict[Hired, int] = {}  # by those that live
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Have the model loaded everywhere."""
        await asyncio.gather(*(self._begin(self._staff()) for _ in range(self._terms.count)))
        self._is_ready = True

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        request = written(what, arguments)
        if not self._is_ready:
            raise Refusal("not_ready", "the model is still being loaded")
        if self._asked >= self._terms.count + self._terms.waiting:
            raise Refusal("busy", f"{self._asked} requests are waiting already")
        self._asked += 1
        try:
            worker = await self._next()
            return read(await self._waited_for(self._begin(self._exchange(worker, request))))
        finally:
            self._asked -= 1

    async def _next(self) -> Hired:
        """A worker that is free, as soon as there is one."""
        try:
            async with asyncio.timeout(self._terms.queue_seconds):
                while not (worker := await self._free.get()).is_alive:
                    self._replace(worker)
                return worker
        except TimeoutError:
            raise Refusal("busy", "too many others are waiting") from None

    async def _waited_for(self, answering: asyncio.Task[bytes]) -> bytes:
        """The reply, as long as somebody wants it."""
        try:
            return await asyncio.shield(answering)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(self._terms.abandoned_seconds, answering.cancel)
            raise

    async def _exchange(self, worker: Hired, request: bytes) -> bytes:
        """Have a request answered. The worker is free again afterwards, or there is another one."""
        is_done = False
        try:
            async with asyncio.timeout(self._terms.wall_seconds):
                reply = await worker.ask(request)
            self._answered[worker] += 1
            is_done = self._answered[worker] < self._terms.requests
        except TimeoutError:
            raise Refusal("timeout", f"this took more than {self._terms.wall_seconds:g} seconds") from None
        except _ENDED:
            raise self._ended(worker.stop()) from None
        finally:
            if is_done:
                self._free.put_nowait(worker)
            else:
                self._replace(worker)
        return reply

    def _ended(self, status: int | None) -> Refusal:
        if status == OUT_OF_TIME:
            return Refusal("timeout", f"this took more than {limits.SECONDS:g} seconds and was stopped")
        return Refusal("internal", "the worker that answered this died")

    def _replace(self, worker: Hired) -> None:
        del self._answered[worker]
        worker.stop()
        if not self._is_stopped:
            self._begin(self._staff())

    async def _staff(self) -> None:
        """Have one more worker, however often it takes."""
        while True:
            try:
                worker = await self._hire()
            except _ENDED:
                await asyncio.sleep(self._terms.again_seconds)
            else:
                self._answered[worker] = 0
                self._free.put_nowait(worker)
                return

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Work that goes on, whether or not anybody waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda it: it.cancelled() or it.exception())  # it may be that nobody asks for it
        return task

    def stop(self) -> None:
        self._is_stopped = True
        for task in self._tasks:
            task.cancel()
        for worker in self._answered:
            worker.stop()


def workers_with(model: str | Path | None, domain: str | None) -> Workers:
    """A pool whose workers hold this model."""
    return Workers(partial(Worker.started, partial(_answering, model, domain), limits.SECONDS))


def _answering(model: str | Path | None, domain: str | None) -> Answer:
    """Load the model, once for each worker."""
    loaded = load(model, domain)
    if "torch" in sys.modules:  # not every parser needs it; two workers, two cores, one thread each
        import torch  # noqa: PLC0415

        torch.set_num_threads(1)
    if isinstance(loaded.parser, Ranker):
        loaded.parser.remembered.most = _REMEMBERED
    answering = Answering(loaded)
    answering.about()  # reads an example: tables that are made when they are first needed are made now
    gc.collect()
    gc.freeze()  # what was loaded stays; not to look at it again and again saves a tenth of the time
    return answering.answer
