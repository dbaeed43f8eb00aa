"""Workers: processes that hold the model and answer requests, and a bounded queue in front of them.

Parsing is computation in Python, which holds the interpreter's lock: two threads would take turns on one core, and the
server with them. And only a process can be stopped when it takes too long; pebble does that, and starts another in its
place. To hand a request over and back costs half a millisecond (measured), a parse fifty or more.

Requests are not batched: a ranker parses sentence by sentence, and to wait for company would only make it later.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pebble import ProcessExpired, ProcessPool

from chorale.model import load
from chorale.playground import limits
from chorale.playground.answering import Answering
from chorale.playground.refusals import Refusal
from chorale.ranker.ranker import Ranker

_REMEMBERED = 64  # sentences that a ranker keeps: those that somebody is playing with


class Asked(Protocol):
    """Whatever answers requests."""

    @property
    def is_ready(self) -> bool: ...

    async def start(self) -> None: ...

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        """The answer; raises `Refusal`."""
        ...

    def stop(self) -> None: ...


class Workers:
    """A pool of processes, each with the model."""

    def __init__(
        self,
        model: str | Path | None = None,
        domain: str | None = None,
        *,
        count: int = limits.WORKERS,
        waiting: int = limits.WAITING,
        seconds: float = limits.SECONDS,
    ) -> None:
        self._count, self._waiting, self._seconds = count, waiting, seconds
        self._asked = 0
        self.is_ready = False
        self._pool = ProcessPool(
            max_workers=count,
            max_tasks=limits.REQUESTS_OF_A_WORKER,
            initializer=_begin,
            initargs=(model, domain),
            # A fork would copy the locks of the server's threads, held or not.
            context=multiprocessing.get_context("spawn"),
        )

    async def start(self) -> None:
        """Have the model loaded everywhere."""
        await asyncio.gather(*(self._handed("about", {}, None) for _ in range(self._count)))
        self.is_ready = True

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        if not self.is_ready:
            raise Refusal("not_ready", "the model is still being loaded")
        if self._asked >= self._count + self._waiting:
            raise Refusal("busy", f"{self._asked} requests are waiting already")
        self._asked += 1
        try:
            return await self._handed(what, arguments, self._seconds)
        except TimeoutError:
            raise Refusal("timeout", f"this took more than {self._seconds:g} seconds and was stopped") from None
        except ProcessExpired:
            raise Refusal("internal", "the worker that answered this died") from None
        finally:
            self._asked -= 1

    async def _handed(self, what: str, arguments: Mapping[str, Any], seconds: float | None) -> Any:
        future = self._pool.schedule(_answer, args=[what, dict(arguments)], timeout=seconds)
        return await asyncio.wrap_future(future)

    def stop(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


_answering: Answering | None = None  # of this process, if it is a worker


def _begin(model: str | Path | None, domain: str | None) -> None:
    """Load the model, once for each worker."""
    global _answering  # noqa: PLW0603
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops the workers
    loaded = load(model, domain)
    if "torch" in sys.modules:  # not every parser needs it; two workers, two cores, one thread each
        import torch  # noqa: PLC0415

        torch.set_num_threads(1)
    if isinstance(loaded.parser, Ranker):
        loaded.parser.remembered.most = _REMEMBERED
    _answering = Answering(loaded)
    _answering.about()  # reads an example: tables that are made when they are first needed are made now
    gc.collect()
    gc.freeze()  # what was loaded stays; not to look at it again and again saves a tenth of the time


def _answer(what: str, arguments: Mapping[str, Any]) -> Any:
    assert _answering is not None
    return _answering.answer(what, arguments)
