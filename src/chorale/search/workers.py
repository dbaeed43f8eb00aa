"""Workers: one function on many things, in several processes, the results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any, TypeVar

from chorale.errors import ChoraleError

_AT_ONCE = 4  # things that a worker is handed at a time
_AHEAD = 8  # how often, for each worker, before the first result must be there

T = TypeVar("T")
R = TypeVar("R")


def mapped(work: Callable[[T], R], things: Sequence[T], jobs: int) -> Generator[R]:
    """What `work` gives for each thing; here with one job, else in so many processes."""
    if jobs <= 1:
        yield from map(work, things)
        return
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(work,)) as pool:
        waiting: deque[Future[list[R]]] = deque()
        try:
            for start in range(0, len(things), _AT_ONCE):
                waiting.append(pool.submit(_work, things[start : start + _AT_ONCE]))
                if len(waiting) > _AHEAD * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool:
            raise ChoraleError(
                "a worker process was killed, perhaps because the memory ran out; what was found so far is kept. "
                "To go on, give the same command again, with fewer --jobs"
            ) from None
        except BaseException:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise


_given: Callable[[Any], Any]  # what a worker does


def _start(work: Callable[[Any], Any]) -> None:
    global _given  # noqa: PLW0603 - a worker is handed its work once, not with every thing
    _given = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed cannot stop its workers, and they would hold its lock."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(things: Sequence[Any]) -> list[Any]:
    return [_given(thing) for thing in things]


def peak_memory(jobs: int = 1) -> int:
    """The largest resident size so far, in bytes; that of the largest worker counts for each of them."""
    if sys.platform == "win32":
        return 0  # not known there
    import resource  # noqa: PLC0415 - only where there is one

    unit = 1 if sys.platform == "darwin" else 1024
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if jobs > 1 else 0
    return unit * (own + jobs * worker)
