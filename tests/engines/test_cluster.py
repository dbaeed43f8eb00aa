"""What can be told of a cluster without one; `test_nodes` starts one."""

import sys
from pathlib import Path

import pytest

from chorale.engines.cluster import Cluster, _command, _next_size
from chorale.errors import ChoraleError
from chorale.plumbing.version import version


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


def test_a_node_that_does_not_see_the_folder_of_the_runs_says_so(tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="go to a folder that all its nodes share"):
        _command(version(), ["train"], tmp_path / "none" / "seed-0.output.txt", tmp_path)


def test_a_node_with_another_chorale_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match=r"has Chorale .*, this is 0\.0\.1; install the same on all nodes"):
        _command("0.0.1", ["train"], tmp_path / "seed-0.output.txt", tmp_path)
