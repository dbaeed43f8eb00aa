"""A Ray cluster as an engine: the same work on many machines, with the same results.

- What all tasks need, such as a model, is put into the object store once; each worker process unpacks it once.
- A task is handed as many things as take some seconds, so that sending them costs little.
- The work of a node that is lost is done again by another. What was done twice counts once.
- A command, such as the training of a run, is a task of its own. It goes on in its folder, which all nodes must see.
- A node with other code, or other versions of what figures depend on, is refused.
- A cluster whose head is lost ends the work with a message, before Ray would end the process without one.

This file alone knows Ray, which is asked for by nobody else: `pip install "chorale[ray]"`.
"""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from chorale.engines.engine import Engine, Given, Running
from chorale.errors import ChoraleError
from chorale.plumbing.version import fingerprint

SECONDS = 3.0
"""How long a task is meant to take."""
_MOST = 1_000  # things in a task
_RETRIES = 10  # of a task whose worker or node was lost; more often, and it is the task that kills them
_PATIENCE = 10.0  # seconds, for the head of a cluster to answer
_BEAT = 2.0  # seconds, between two knocks at the head of a cluster
_MISSED = 8  # knocks in a row, after which it is lost; Ray gives up after a minute
_KEPT = "What was found so far is kept. To resume, give the same command again"
_AHEAD = 2  # tasks for each core, so that none of them waits for us

T = TypeVar("T")
R = TypeVar("R")


class Cluster(Engine):
    """A Ray cluster: the one at an address, or the one that runs on this machine, or a new one here."""

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        self._jobs = jobs
        self._ray = _connected(address)
        self._head = _Head(self._ray)
        self._put: dict[Path, Any] = {}

    @property
    def at_once(self) -> int:
        """The cores of the cluster, some of which may come and go; or as many as were asked for."""
        return self._jobs or self._head.cores

    def map(self, work: Callable[[T], R], things: Iterable[T]) -> Generator[R]:
        shared, left, size = [self._ray.put(work)], iter(things), 1  # in a list, or it would be unpacked for each task
        task = self._ray.remote(_work).options(max_retries=_RETRIES)
        waiting: deque[Any] = deque()
        try:
            while True:
                while len(waiting) < (self._jobs or _AHEAD * self.at_once) and (some := list(islice(left, size))):
                    waiting.append(task.remote(fingerprint(), shared, some))
                if not waiting:
                    return
                results, seconds = self._result(waiting.popleft())
                size = _next_size(size, seconds / len(results))
                yield from results
        finally:
            for reference in waiting:
                self._ray.cancel(reference)

    def start(self, words: Sequence[object], output: Path) -> Running:
        output.touch()  # a node that does not see it does not see the folder of the runs
        sent = [self._sent(word) if isinstance(word, Given) else _absolute(word) for word in words]
        task = self._ray.remote(_command).options(max_retries=-1)  # a run resumes, so each gets further
        return _Task(self, task.remote(fingerprint(), sent, output.absolute(), Path.cwd()))

    def close(self) -> None:
        self._head.leave()
        self._ray.shutdown()

    def wait(self, reference: Any, seconds: float) -> bool:
        """Whether a task is done within this many seconds."""
        self._head.check()
        return bool(self._ray.wait([reference], timeout=seconds)[0])

    def _sent(self, given: Given) -> tuple[str, list[tuple[str, Any]]]:
        """What a command reads, as its name and its files in the object store, where each is put once."""
        for file in given.files or (given.path,):
            if file not in self._put:
                self._put[file] = self._ray.put(file.read_bytes())
        files = [(file.name, self._put[file]) for file in given.files or (given.path,)]
        return "" if given.files else given.path.name, files

    def _result(self, reference: Any) -> Any:
        """What a task gave; what went wrong in it is raised here."""
        errors = self._ray.exceptions
        while not self.wait(reference, _BEAT):
            pass
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.TaskCancelledError:
            raise
        except errors.RayError as error:
            what = str(error).strip().splitlines()[0]
            raise ChoraleError(f"the cluster cannot do this work: {what}\n{_KEPT}") from None


class _Task:
    """A command that a node runs."""

    def __init__(self, cluster: Cluster, reference: Any) -> None:
        self._cluster, self._reference = cluster, reference

    def poll(self) -> int | None:
        if not self._cluster.wait(self._reference, 0):
            return None
        try:
            return int(self._cluster._result(self._reference))
        except self._cluster._ray.exceptions.TaskCancelledError:
            return -signal.SIGTERM

    def terminate(self) -> None:
        self._cluster._ray.cancel(self._reference)


class _Head:
    """The head of a cluster, knocked at from time to time in a thread: who asks a lost one waits for a minute."""

    def __init__(self, ray: Any, beat: float = _BEAT) -> None:
        self.address, self.is_lost = str(ray.get_runtime_context().gcs_address), False
        self._ray, self._beat, self._left = ray, beat, threading.Event()
        self.cores = self._count()
        threading.Thread(target=self._watch, daemon=True).start()

    def check(self) -> None:
        """Raise an error if it does not answer any more."""
        if self.is_lost:
            raise ChoraleError(f"the head of the cluster at {self.address} is lost\n{_KEPT}")

    def leave(self) -> None:
        """Stop knocking."""
        self._left.set()

    def _count(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _watch(self) -> None:
        missed = 0
        while not self._left.wait(self._beat):
            try:
                _knock(self.address)
                missed, self.cores = 0, self._count()
            except Exception:  # a socket's, or one of Ray's
                missed += 1
                self.is_lost = self.is_lost or missed >= _MISSED


def _connected(address: str | None) -> Any:
    """Ray, connected to a cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anyone
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise ChoraleError('--engine ray: Ray is not installed here; pip install "chorale[ray]"') from None
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (OSError, OverflowError, ValueError, RuntimeError, ImportError) as error:
        where = f"--address {address}" if address else "--engine ray"
        what = (getattr(error, "strerror", None) or str(error) or type(error).__name__).strip().splitlines()[0]
        raise ChoraleError(f"{where}: no cluster to work with: {what}; expected host:port of its head node") from None
    # When a node is lost, Ray prints its log among our results, and has no other switch for that.
    ray._private.worker._worker_logs_enabled = False
    if in_main:
        signal.signal(signal.SIGTERM, before)  # Ray has one of its own, which would hide a stop
    return ray


def _knock(address: str | None) -> None:
    """Raise an error if nobody listens at host:port; Ray itself would try for a minute and more."""
    host, _, port = (address or "").rpartition(":")
    if host and port.isascii() and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()


def _next_size(size: int, seconds: float) -> int:
    """How many things the next tasks are handed, when each took so long; at most twice as many as before."""
    return max(1, min(int(SECONDS / max(seconds, 1e-6)), 2 * size, _MOST))


def _absolute(word: object) -> str:
    return str(word.absolute() if isinstance(word, Path) else word)


# -- on a node ---------------------------------------------------------------------------------------------------------

_unpacked: dict[str, Callable[[Any], Any]] = {}  # what this worker does, by the name of its reference


def _work(wanted: Mapping[str, str], shared: Sequence[Any], things: Sequence[Any]) -> tuple[list[Any], float]:
    """The results of some things, and how long they took."""
    import ray  # noqa: PLC0415

    check_same(wanted)
    [reference] = shared
    if reference.hex() not in _unpacked:
        _unpacked.clear()
        _unpacked[reference.hex()] = ray.get(reference)
    work, start = _unpacked[reference.hex()], time.perf_counter()
    return [work(thing) for thing in things], time.perf_counter() - start


def _command(wanted: Mapping[str, str], words: Sequence[Any], output: Path, here: Path) -> int:
    """Run a command to its end; returns its exit status."""
    check_same(wanted)
    if not output.exists():
        raise ChoraleError(
            f"{output.parent}: the node {platform.node()} does not see this folder; runs on a cluster go to a folder "
            "that all its nodes share"
        )
    import ray  # noqa: PLC0415

    with TemporaryDirectory(prefix="chorale-") as folder, open(output, "ab") as stream:
        told = []
        for number, word in enumerate(words):
            if isinstance(word, str):
                told.append(word)
                continue
            name, files = word
            inside = Path(folder) / str(number)
            inside.mkdir()
            for file, reference in files:
                (inside / file).write_bytes(ray.get(reference))
            told.append(str(inside / name))
        process = subprocess.Popen(
            [sys.executable, "-m", "chorale.engines.leash", *told],
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=here if here.is_dir() else output.parent,
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                time.sleep(0.2)  # rather than `wait`, which a stop would not interrupt
        finally:
            process.terminate()
            process.wait()
        return process.returncode


def check_same(wanted: Mapping[str, str]) -> None:
    """Refuse to work here with other code than there: what comes out could differ."""
    own = fingerprint()
    if differ := [f"{name} {own[name]} instead of {value}" for name, value in wanted.items() if own[name] != value]:
        raise ChoraleError(f"the node {platform.node()} has {', '.join(differ)}; install the same on all nodes")
