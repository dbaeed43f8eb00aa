"""What it costs to read what strangers wrote, as a multiple of its size; only `make fuzz` measures time.

Each input is read several times over, so that what costs the square of its size shows.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from chorale.errors import ChoraleError

Reader = tuple[bytes, Sequence[bytes], Callable[[bytes], object]]
"""A name, good inputs, and what reads one."""

_SECONDS_PER_BYTE = 2e-4
"""Twenty times what the slowest good input takes."""
_ALWAYS_FINE = 2.0  # seconds of the processor
_LARGEST = 60_000  # bytes


def seeds(readers: Sequence[Reader]) -> list[bytes]:
    """The name of a reader and how often the input is repeated, then the input."""
    return [b"%b 20\n%b" % (name, one) for name, good, _ in readers for one in good]


def read(readers: Sequence[Reader], content: bytes, *, is_timed: bool) -> None:
    """Read an input so many times over, and complain if that takes long for its size."""
    first, _, inside = content.partition(b"\n")
    name, _, times = first.partition(b" ")
    found = next((it for named, _, it in readers if named == name), readers[0][2])
    whole = (inside * (int(times) % 200 if times.isdigit() and len(times) < 9 else 1))[:_LARGEST]
    with _bounded(_ALWAYS_FINE + _SECONDS_PER_BYTE * len(whole) if is_timed else None), suppress(ChoraleError):
        found(whole)


@contextmanager
def _bounded(most: float | None) -> Iterator[None]:
    before = _used()
    yield
    assert most is None or _used() - before < most, f"{_used() - before:.1f} seconds, expected less than {most:.1f}"


def _used() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime
