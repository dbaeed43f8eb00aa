"""Wherever work is stopped, going on gives the same file and the same results as doing it all at once."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from chorale.engines.local import Local
from chorale.engines.resuming import resumed, whole_lines

INTEGERS = TypeAdapter(int)
THINGS = st.lists(st.lists(st.integers(), min_size=1, max_size=3), max_size=5)


def work(numbers: list[int]) -> tuple[bytes, int]:
    return "".join(f"{json.dumps(2 * number)}\n" for number in numbers).encode(), sum(numbers)


def done(numbers: list[int], stream: BinaryIO) -> int | None:
    found = whole_lines(len(numbers), stream, INTEGERS.validate_json)
    return sum(numbers) if found == [2 * number for number in numbers] else None


@given(THINGS, st.integers(0, 200), st.binary(max_size=4))
def test_what_was_cut_off_is_worked_out_once_more(things: list[list[int]], kept: int, torn: bytes) -> None:
    whole = b"".join(work(thing)[0] for thing in things)
    asked = []

    def working(thing: list[int]) -> tuple[bytes, int]:
        asked.append(thing)
        return work(thing)

    with TemporaryDirectory() as folder:
        part = Path(folder) / "part"
        part.write_bytes(whole[:kept] + torn)
        assert list(resumed(Local(), working, iter(things), part, done)) == list(map(sum, things))
        assert part.read_bytes() == whole
    complete = [len(b"".join(work(thing)[0] for thing in things[: count + 1])) <= kept for count in range(len(things))]
    if not torn:
        assert asked == [thing for thing, is_complete in zip(things, complete, strict=True) if not is_complete]
