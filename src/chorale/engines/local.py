"""This machine as an engine: work is done in several processes, and a command is a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

from chorale.engines.engine import Engine, resident
from chorale.errors import ChoraleError

_AHEAD = 32  # things that are handed out for each worker before the first result must be there

T = TypeVar("T")
R = TypeVar("R")


class Local(Engine):
    """Processes on this machine; with one, work is done in this process itself."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs

    @property
    def at_once(self) -> int:
        return self._jobs

    def map(self, work: Callable[[T], R], things: Iterable[T]) -> Generator[R]:
        return mapped(work, things, self.at_once)

    def start(self, words: Sequence[object], output: Path) -> subprocess.Popen[bytes]:
        """Start the command. A signal for this process does not reach it directly."""
        with open(output, "ab") as stream:
            return subprocess.Popen(
                [sys.executable, "-m", "chorale", *map(str, words)],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def close(self) -> None:
        """Nothing is held between two calls."""

    def peak_memory(self) -> int:
        """That of all processes together; the largest worker counts for each of them."""
        return resident() + (self.at_once * resident(children=True) if self.at_once > 1 else 0)


def mapped(work: Callable[[T], R], things: Iterable[T], jobs: int) -> Generator[R]:
    """What `work` gives for each thing; here with one job, else in as many processes."""
    if jobs <= 1:
        yield from map(work, things)
        return
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(work,)) as pool:
        waiting: deque[Future[R]] = deque()
        try:
            for thing in things:  # one at a time, so that no worker gets all of a few large ones
                waiting.append(pool.submit(_work, thing))
                if len(waiting) > _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise ChoraleError(
                "a worker process was killed, perhaps because the memory ran out; what was found so far is kept. "
                "To resume, give the same command again, with fewer --jobs"
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


def _work(thing: Any) -> Any:
    return _given(thing)
