"""A training in a process of its own, on a machine that fails it at a certain write, rename, fsync or removal.

Every such call to the system is counted. At the call of a given number the process is killed before the call, or in the
middle of a write; or the disk is full from there on; or nothing can be written at all. Processes are forked from one
that has imported everything, so that one costs a second and not ten.
"""

from __future__ import annotations

import errno
import io
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Literal

import torch

from chorale.errors import ChoraleError
from chorale.plumbing import files
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

Fault = Literal["none", "kill", "torn", "full", "read-only"]
"""Nothing; killed before a call; killed in the middle of a write; no space from a call on; nothing can be written."""

FAILED = 2
BROKEN = 3

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.chaos.dying", "tests.chaos.together"])


@dataclass(frozen=True)
class Ending:
    """How a process ended."""

    status: int
    """As `Process.exitcode`: 0 at the end, 2 with an error in words, 3 with a traceback, below 0 by a signal."""
    said: str

    @property
    def calls(self) -> list[str]:
        """The calls that were counted, in order."""
        return self.said.splitlines()


def trained(
    recipe: Path, out: Path, fault: Fault = "none", at: int = 0, moment: float | None = None, log: Path | None = None
) -> Ending:
    """Train in a process of its own, which fails at the call of a number, or is killed after so many seconds."""
    log = log or out.with_name(f"{out.name}.log")
    log.unlink(missing_ok=True)
    process: ForkServerProcess = CONTEXT.Process(target=_work, args=(recipe, out, fault, at, log))
    process.start()
    if moment is not None:
        process.join(moment)
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert process.exitcode is not None
    return Ending(process.exitcode, log.read_text() if log.exists() else "")


def _work(recipe: Path, out: Path, fault: Fault, at: int, log: Path) -> None:
    torch.set_num_threads(1)
    faulty = Faulty(out, fault, at)
    try:
        train(parse_recipe(recipe.read_text()), recipe.parent, out)
    except ChoraleError as error:
        _end(FAILED, log, str(error))
    except OSError as error:  # which the command line tells with the name of the file, if it has one
        _end(FAILED if error.filename else BROKEN, log, traceback.format_exc())
    except BaseException:
        _end(BROKEN, log, traceback.format_exc())
    _end(0, log, "\n".join(faulty.calls))


def _end(status: int, log: Path, said: str) -> None:
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT), "w") as stream:
        stream.write(said)
    os._exit(status)


class Faulty:
    """Stands between Chorale's files and the system."""

    def __init__(self, folder: Path, fault: Fault, at: int) -> None:
        self.folder, self.fault, self.at = str(folder), fault, at
        self.calls: list[str] = []
        fsync = os.fsync
        os.fsync = lambda handle: self.call("fsync") or fsync(handle)  # type: ignore[assignment]
        files.open = self.open  # type: ignore[attr-defined]
        sys.addaudithook(self.hear)

    def open(self, path: Any, mode: str = "r", **how: Any) -> Any:
        """A file whose every write is counted."""
        if mode in {"wb", "ab"}:
            return io.BufferedWriter(_Counted(path, mode, self, **how))
        return open(path, mode, **how)

    def hear(self, event: str, values: tuple[Any, ...]) -> None:
        """Python tells of renames, removals and the like by itself."""
        path = str(values[0]) if values else ""
        if path != self.folder and not path.startswith(self.folder + os.sep):
            return
        if event in {"os.rename", "os.remove", "os.truncate", "os.mkdir"}:
            self.call(event.removeprefix("os."), path)
        elif event == "open" and values[2] & (os.O_WRONLY | os.O_RDWR):
            self.call("open", path)

    def call(self, name: str, path: str | None = None, torn: Callable[[], object] = lambda: None) -> None:
        """Count a call, and fail at it if it is the one; `torn` does half of it."""
        self.calls.append(name)
        if self.fault == "read-only" and name not in {"write", "fsync"}:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        if self.fault == "full" and len(self.calls) >= self.at and name in {"write", "fsync", "open", "mkdir"}:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        if self.fault in {"kill", "torn"} and len(self.calls) == self.at:
            if self.fault == "torn":
                torn()
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)


class _Counted(io.FileIO):
    def __init__(self, path: Any, mode: str, faulty: Faulty, **how: Any) -> None:
        super().__init__(path, mode, **how)
        self._faulty = faulty

    def write(self, content: Any, /) -> int:
        self._faulty.call("write", torn=lambda: super(_Counted, self).write(bytes(content)[: len(content) // 2]))
        return super().write(content)
