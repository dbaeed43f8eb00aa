"""This machine as an engine: results in order, commands as processes."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chorale.engines.cluster import Cluster, _next_size
from chorale.engines.engine import Given
from chorale.engines.local import Local
from chorale.errors import ChoraleError


def halved(number: int) -> float:
    return number / 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_things(jobs: int) -> None:
    assert list(Local(jobs).map(halved, iter(range(50)))) == [number / 2 for number in range(50)]


def test_things_are_taken_when_they_are_needed() -> None:
    taken = []

    def things() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    results = Local().map(halved, things())
    assert [next(results), next(results)] == [0, 0.5]
    assert taken == [0, 1]


def test_a_command_prints_into_its_file_and_reads_what_is_given_where_it_lies(tmp_path: Path) -> None:
    data = tmp_path / "none.json"
    running = Local().start(["check", Given(data)], tmp_path / "output.txt")
    assert running.wait() == 2
    assert f"{data}: no such file" in (tmp_path / "output.txt").read_text().replace("\n", " ")


def test_a_cluster_without_ray_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ChoraleError, match=r'Ray is not installed here; pip install "chorale\[ray\]"'):
        Cluster()


def test_tasks_grow_until_they_last_seconds() -> None:
    sizes = [1]
    for seconds in (0.01, 0.01, 0.01, 1.0, 60.0, 0.0):
        sizes.append(_next_size(sizes[-1], seconds))
    assert sizes == [1, 2, 4, 8, 3, 1, 2]
    assert _next_size(1_000_000, 0.0) == 1_000
