"""Death at a write, which stands for SIGKILL in the middle of a process, and a stop that is asked for between steps."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest

from chorale.plumbing.files import write
from chorale.runs.watching import Stop, Watcher

WRITERS = ("runs.reuse", "runs.checkpoints", "plumbing.arrays", "plumbing.files", "runs.run")


class Killed(BaseException):
    """Nothing in the program catches it."""


class Mortality:
    """Makes the process die at one of the next writes, before it, in the middle of it, or after it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        self.rng = random.Random(seed)
        self.kills = 0
        self._left = 0
        for module in WRITERS:
            monkeypatch.setattr(f"chorale.{module}.write", self._write)
        monkeypatch.setattr("chorale.search.files.replacing", self._replacing)

    def run(self, writes: int, work: Callable[[], object]) -> None:
        """Do something that dies at a write; 0 lets it live."""
        self._left = writes
        try:
            work()
        except Killed:
            self.kills += 1
        self._left = 0

    def until(self, done: Path, fewest: int, most: int, work: Callable[[], object]) -> None:
        """Begin again and again until a file is there, and then once more."""
        while not done.exists():
            self.run(self.rng.randint(fewest, most), work)
        work()

    @contextmanager
    def _replacing(self, path: Path) -> Iterator[BytesIO]:
        """A file that is written piece by piece dies as one that is written at once."""
        stream = BytesIO()
        yield stream
        self._write(path, stream.getvalue())

    def _write(self, path: Path, data: bytes) -> None:
        self._left -= 1
        if self._left == 0 and self.rng.random() < 0.5:
            path.with_name(f".{path.name}.1.part").write_bytes(data[: len(data) // 2])
            raise Killed
        write(path, data)
        if self._left == 0:
            raise Killed


class Impatient(Watcher):
    """Asks for a stop after so many steps."""

    def __init__(self, stop: Stop, steps: int) -> None:
        self.stop, self.steps = stop, steps

    def step(self, done: int, of: int, loss: float | None = None) -> None:
        self.steps -= 1
        if not self.steps:
            self.stop.ask()
