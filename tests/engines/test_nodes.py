"""A real Ray cluster of several nodes, one of which is killed: every file is the same as without it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.training.conftest import tiny  # noqa: F401 - a fixture

from chorale.engines.cluster import Cluster
from chorale.errors import ChoraleError
from chorale.nlvr.pictures.synthetic import Knobs, generate

pytestmark = pytest.mark.ray
STORE = 100 << 20  # bytes
LONG = 400  # seconds, after which something hangs; a busy machine is slow


@pytest.fixture(scope="module")
def nodes_of_all() -> Iterator[Any]:
    """A head without cores, so that all work is done by nodes that can be lost."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster as Nodes  # noqa: PLC0415

    head = {"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False}
    nodes = Nodes(initialize_head=True, head_node_args=head)
    yield nodes
    nodes.shutdown()


@pytest.fixture
def nodes(nodes_of_all: Any) -> Any:
    """A cluster with two nodes of one core each; what an earlier test has killed is there again."""
    while len(nodes_of_all.worker_nodes) < 2:
        nodes_of_all.add_node(num_cpus=1, object_store_memory=STORE)
    return nodes_of_all


def kill(nodes: Any) -> None:
    nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)


def started(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "chorale", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def succeeds(running: subprocess.Popen[str]) -> str:
    said = running.communicate(timeout=LONG)[0]
    assert running.returncode == 0, said
    return said


def wait_until(happened: Callable[[], object], running: subprocess.Popen[str]) -> None:
    until = time.monotonic() + LONG
    while not happened():
        assert running.poll() is None, running.communicate()[0]
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.05)


def corpus(path: Path, copies: int) -> Path:
    """Some seconds of work."""
    made = list(generate("train", 60, Knobs(seed=6)))
    again = [replace(one, number=one.number + 60 * copy) for copy in range(copies) for one in made]
    path.write_text("\n".join(line for one in again for line in one.lines()))
    return path


def sizes(folder: Path, pattern: str) -> int:
    return sum(path.stat().st_size for path in folder.glob(pattern))


def files(folder: Path) -> dict[str, bytes]:
    """All that runs have written, but for times and locks."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in found if path.name not in {"lock", "times.jsonl"}
    }


def halved(number: int) -> float:
    if number < 0:
        raise ChoraleError("no number below zero is taken")
    return number / 2


def test_results_come_in_order_and_what_goes_wrong_is_raised_here(nodes: Any) -> None:
    with Cluster(nodes.address) as cluster:
        assert cluster.at_once == 2
        assert list(cluster.map(halved, range(50))) == [number / 2 for number in range(50)]
        with pytest.raises(ChoraleError, match="no number below zero"):
            list(cluster.map(halved, [1, -1, 2]))
        assert list(cluster.map(halved, [])) == []


def test_a_search_that_loses_a_node_writes_the_same_file_as_one_machine(nodes: Any, tmp_path: Path) -> None:
    data = corpus(tmp_path / "train.json", 12)
    how = ["search", "--data", data, "--max-actions", 13, "--no-pool", "--out"]
    running = started(*how, tmp_path / "ray.jsonl", "--engine", "ray", "--address", nodes.address)
    wait_until(lambda: sizes(tmp_path, "*.part") > 10_000, running)
    kill(nodes)
    assert not (tmp_path / "ray.jsonl").exists(), "the search was complete before the node was lost"
    assert "raylet" not in succeeds(running)  # nothing but results is printed
    succeeds(started(*how, tmp_path / "local.jsonl", "--jobs", 2))
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()


def test_a_prediction_that_loses_a_node_writes_the_same_files_as_one_machine(nodes: Any, tmp_path: Path) -> None:
    data = corpus(tmp_path / "train.json", 24)

    def how(name: str) -> list[object]:
        files = ["--out", tmp_path / f"{name}.csv", "--programs", tmp_path / f"{name}.jsonl"]
        return ["predict", "consistency", "--data", data, *files]

    running = started(*how("ray"), "--engine", "ray", "--address", nodes.address)
    wait_until(lambda: sizes(tmp_path, "*.part") > 10_000, running)
    kill(nodes)
    assert not (tmp_path / "ray.csv").exists(), "all was predicted before the node was lost"
    succeeds(running)
    succeeds(started(*how("local")))
    for ending in (".csv", ".jsonl"):
        assert (tmp_path / f"ray{ending}").read_bytes() == (tmp_path / f"local{ending}").read_bytes()


def test_a_sweep_that_loses_a_node_trains_the_same_runs_as_one_machine(
    nodes: Any,
    tiny: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    how = ["sweep", tiny / "tiny.toml", "--data", tiny, "--seeds", 2, "--set", "mml.epochs=9", "--out"]
    running = started(*how, tmp_path / "ray", "--engine", "ray", "--address", nodes.address)
    wait_until(lambda: sizes(tmp_path, "ray/tiny/*/metrics.jsonl") > 500, running)
    assert not list(tmp_path.glob("ray/tiny/*/model.json")), "a run was complete before the node was lost"
    kill(nodes)
    succeeds(running)
    succeeds(started(*how, tmp_path / "local", "--jobs", 2))
    outputs = {f"tiny/seed-{seed}.output.txt" for seed in range(2)}  # a run that goes on says so
    ours, theirs = ({n: it for n, it in files(tmp_path / it).items() if n not in outputs} for it in ("ray", "local"))
    assert len(ours) > 2 * 8
    assert ours == theirs


def test_a_sweep_that_is_stopped_leaves_nothing_running_and_goes_on(
    nodes: Any,
    tiny: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    how = ["sweep", tiny / "tiny.toml", "--data", tiny, "--seeds", 2, "--set", "mml.epochs=9", "--out", tmp_path]
    how += ["--engine", "ray", "--address", nodes.address]
    running = started(*how)
    wait_until(lambda: sizes(tmp_path, "tiny/*/metrics.jsonl") > 300, running)
    running.send_signal(signal.SIGTERM)
    said = running.communicate(timeout=LONG)[0]
    assert running.returncode == 128 + signal.SIGTERM, said
    assert "to resume, run the same command again" in said
    assert "all finished epochs are kept" in "".join(path.read_text() for path in tmp_path.glob("tiny/*.txt"))
    succeeds(started(*how))


def test_a_sweep_that_is_killed_takes_its_runs_along(
    nodes: Any,
    tiny: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    how = ["sweep", tiny / "tiny.toml", "--data", tiny, "--seeds", 1, "--set", "mml.epochs=200", "--out", tmp_path]
    running = started(*how, "--engine", "ray", "--address", nodes.address)
    wait_until(lambda: sizes(tmp_path, "tiny/*/metrics.jsonl") > 300, running)
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=LONG)
    until = time.monotonic() + LONG
    while commands_in(tmp_path) and time.monotonic() < until:
        time.sleep(0.2)
    assert not commands_in(tmp_path)


def commands_in(folder: Path) -> list[str]:
    """The processes that were told of a folder."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", name, "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(folder) in words:
            found.append(words)
    return found


def test_a_search_that_loses_the_head_says_so_and_goes_on_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster as Nodes  # noqa: PLC0415

    data = corpus(tmp_path / "train.json", 12)
    how = ["search", "--data", data, "--max-actions", 13, "--no-pool", "--out"]
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    own = Nodes(initialize_head=True, head_node_args=head)
    running = started(*how, tmp_path / "ray.jsonl", "--engine", "ray", "--address", own.address)
    wait_until(lambda: sizes(tmp_path, "*.part") > 10_000, running)
    own.head_node.kill_all_processes(check_alive=False, allow_graceful=False, wait=False)
    said = running.communicate(timeout=LONG)[0]
    assert running.returncode == 2, said
    assert f"the head of the cluster at {own.address} is lost" in said
    assert "Traceback" not in said
    assert not (tmp_path / "ray.jsonl").exists()
    succeeds(started(*how, tmp_path / "ray.jsonl", "--jobs", 2))
    succeeds(started(*how, tmp_path / "local.jsonl", "--jobs", 2))
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()


def test_an_address_where_no_cluster_answers_is_a_clear_error() -> None:
    said = started("sweep", "language", "--data", ".", "--engine", "ray", "--address", "127.0.0.1:1")
    text = said.communicate(timeout=LONG)[0]
    assert said.returncode == 2, text
    assert "Traceback" not in text
    assert "no cluster to work with" in text
