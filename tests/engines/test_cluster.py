"""What can be told of a cluster without one; `test_nodes` starts one."""

import re
import socket
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from chorale.engines.cluster import Cluster, _command, _Head, _next_size
from chorale.errors import ChoraleError
from chorale.plumbing.version import fingerprint, hash_of_folder


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
        _command(fingerprint(), ["train"], tmp_path / "none" / "seed-0.output.txt", tmp_path)


@pytest.mark.parametrize("name", ["chorale", "code", "python", "numpy", "torch"])
def test_a_node_with_other_code_or_versions_is_refused(name: str, tmp_path: Path) -> None:
    wanted = {**fingerprint(), name: "0.0.1"}
    with pytest.raises(ChoraleError, match=rf"has {name} {re.escape(fingerprint()[name])} instead of 0\.0\.1; install"):
        _command(wanted, ["train"], tmp_path / "seed-0.output.txt", tmp_path)


def test_the_hash_of_a_folder_changes_with_contents_and_names_alone(tmp_path: Path) -> None:
    def written(**files: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, content in files.items():
            path = folder / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".py").write_text(content)
        (folder / "made.pyc").write_text(folder.name)
        return hash_of_folder(folder)

    first = written(a="x = 1", b__c="y")
    assert written(b__c="y", a="x = 1") == first
    assert len({first, written(a="x = 2", b__c="y"), written(a="x = 1", c="y"), written(a="x = 1")}) == 4


class Answering:
    """A Ray of so many cores, whose head listens at a port until it is closed."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))

    def get_runtime_context(self) -> SimpleNamespace:
        return SimpleNamespace(gcs_address=f"127.0.0.1:{self.listener.getsockname()[1]}")

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}


def test_a_head_that_stops_answering_is_lost_and_said_so() -> None:
    ray = Answering()
    head = _Head(ray, beat=0.001)
    try:
        head.check()
        assert head.cores == 3
        ray.listener.close()
        while not head.is_lost:  # ends when it has been noticed, whatever that takes
            time.sleep(0.001)
        with pytest.raises(ChoraleError, match=f"the head of the cluster at {head.address} is lost"):
            head.check()
    finally:
        head.leave()
