"""This machine as an engine: results in order. That it trains is tested with the commands."""

import os
import time
from collections.abc import Iterator

import pytest

from chorale.engines.local import Local


def halved(number: int) -> float:
    return number / 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_things(jobs: int) -> None:
    assert list(Local(jobs).map(halved, iter(range(50)))) == [number / 2 for number in range(50)]


def where(_: int) -> int:
    time.sleep(0.2)  # so that one worker cannot do it all
    return os.getpid()


def test_a_few_large_things_are_shared_out_evenly() -> None:
    found = list(Local(2).map(where, range(4)))
    assert sorted(map(found.count, set(found))) == [2, 2]


def test_things_are_taken_when_they_are_needed() -> None:
    taken = []

    def things() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    results = Local().map(halved, things())
    assert [next(results), next(results)] == [0, 0.5]
    assert taken == [0, 1]
