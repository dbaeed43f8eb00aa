"""What an engine can do: one function on many things, and commands that run side by side.

The results of `map` come in the order of the things, and each depends on its thing alone. So they are the same, byte
for byte, whatever engine gives them, with however many workers, and however often work had to be done again.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Running(Protocol):
    """A command under way; a process is one."""

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""
        ...

    def terminate(self) -> None:
        """Ask it to stop, as SIGTERM does."""
        ...


@dataclass(frozen=True)
class Given:
    """A word of a command that names what it reads: a file, or a folder of which it reads these files alone.

    Where the command runs on another machine, the engine takes them there.
    """

    path: Path
    files: tuple[Path, ...] = ()

    def __str__(self) -> str:
        return str(self.path)


class Engine(ABC):
    """Does work for others; close it when it is no longer needed, or use it as a context."""

    @property
    @abstractmethod
    def at_once(self) -> int:
        """How many workers there are."""

    @abstractmethod
    def map(self, work: Callable[[T], R], things: Iterable[T]) -> Generator[R]:
        """What `work` gives for each thing, in order. A worker is handed `work` once, however large it is."""

    @abstractmethod
    def start(self, words: Sequence[object], output: Path) -> Running:
        """Start `chorale` with these words. What it prints is added to a file, whose folder must be there."""

    def peak_memory(self) -> int:
        """The largest resident size of this process so far, in bytes."""
        return resident()

    @abstractmethod
    def close(self) -> None:
        """Let go of what the engine holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def resident(children: bool = False) -> int:
    """The largest resident size so far, in bytes: of this process, or of the largest of its children that ended."""
    if sys.platform == "win32":
        return 0  # not known there
    import resource  # noqa: PLC0415 - only where there is one

    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
