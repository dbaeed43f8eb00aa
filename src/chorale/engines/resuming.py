"""Work that resumes: what it gives for each thing is added to a file, and not done again.

Of a process that is killed, what was in progress is lost: it is cut off, and done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeVar

from pydantic import ValidationError

from chorale.engines.engine import Engine
from chorale.plumbing.files import naming

T = TypeVar("T")
R = TypeVar("R")


def resumed(
    engine: Engine,
    work: Callable[[T], tuple[bytes, R]],
    things: Iterable[T],
    part: Path,
    done: Callable[[T, BinaryIO], R | None],
) -> Iterator[R]:
    """What `work` finds for each thing, in order; the bytes it gives with each are added to the file `part`.

    `done` reads what an earlier call wrote of a thing, and gives what it found; None if it was not written to its end.
    """
    left, length = iter(things), 0
    with open(part, "rb") as stream:
        for thing in left:
            if (known := done(thing, stream)) is None:
                left = chain([thing], left)
                break
            length = stream.tell()
            yield known
    with naming(part):
        os.truncate(part, length)
        with open(part, "ab") as target, closing(engine.map(work, left)) as new:
            for content, value in new:
                target.write(content)
                target.flush()
                yield value
            os.fsync(target.fileno())


def remove_resumed(out: Path) -> None:
    """Remove what was found so far for the file that a name stands for; nobody will resume it."""
    for part in out.parent.glob(f"{out.name}.*.part"):
        part.unlink(missing_ok=True)


def whole_lines(count: int, stream: BinaryIO, read: Callable[[bytes], R]) -> list[R]:
    """The next lines, up to a number; fewer if one was not written to its end."""
    whole = []
    for line in (stream.readline() for _ in range(count)):
        try:
            whole += [read(line)] if line.endswith(b"\n") else []
        except ValidationError:
            break
    return whole
