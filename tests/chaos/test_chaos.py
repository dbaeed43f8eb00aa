"""A training that is killed at a moment of its own choice, or whose disk is full, ends with the same bytes.

The short form disturbs one run three times; `make test-chaos` tries every call to the system, and fifty random moments.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.chaos.dying import FAILED, Ending, Fault, trained
from tests.training.conftest import write_known_candidates

from chorale.nlvr.pictures.synthetic import Knobs, generate, write_corpus

RECIPE = """\
name = "chaos"
stages = [
  {{ kind = "search", file = {file} }},
  {{ kind = "mml", max_actions = 9, epochs = 2, beam = 3 }},
  {{ kind = "reward", max_actions = 9, epochs = 1, beam = 3 }},
]
parser = {{ token_embedding = 6, encoder = 6, action_embedding = 6 }}
"""
FAULTS: tuple[Fault, ...] = ("kill", "torn", "full")
KILLS = 50


@pytest.fixture(scope="session")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe that takes a second, beside its corpus."""
    folder = tmp_path_factory.mktemp("chaos")
    write_corpus(folder, {"train": 8, "dev": 4}, Knobs(seed=3))
    write_known_candidates(folder / "candidates.jsonl", 8, Knobs(seed=3))
    path = folder / "recipe.toml"
    path.write_text(RECIPE.format(file=json.dumps(str(folder / "candidates.jsonl"))))
    return path


@pytest.fixture(scope="session")
def calls(recipe: Path) -> list[str]:
    """What an undisturbed training asks of the system; it is in the folder `whole`."""
    ending = trained(recipe, recipe.parent / "whole")
    assert ending.status == 0, ending.said
    return ending.calls


def content(run: Path) -> dict[str, bytes]:
    """All files of a run but times, which differ, and locks."""
    return {
        str(path.relative_to(run)): path.read_bytes()
        for path in sorted(run.rglob("*"))
        if path.is_file() and path.name not in {"times.jsonl", "lock"}
    }


def check_the_same_in_the_end(recipe: Path, out: Path, faults: list[tuple[Fault, int]]) -> None:
    """Disturb a new training at each of these calls, let it go on in peace, and compare."""
    whole = content(recipe.parent / "whole")
    for fault, at in faults:
        shutil.rmtree(out, ignore_errors=True)
        ending = trained(recipe, out, fault, at)
        if fault == "full" and ending.status == 0:  # after the last file was written, a full disk does no harm
            assert content(out) == whole, (fault, at)
        elif fault == "full":
            check_told(ending, out)
        else:
            assert ending.status == -signal.SIGKILL, (fault, at, ending.said)
        ending = trained(recipe, out)
        assert ending.status == 0, (fault, at, ending.said)
        assert content(out) == whole, (fault, at)


def check_told(ending: Ending, out: Path) -> None:
    """What went wrong was said in words, with the name of a file."""
    assert ending.status == FAILED, ending.said
    assert str(out) in ending.said


def test_every_kind_of_call_is_counted(calls: list[str]) -> None:
    assert {"open", "write", "fsync", "rename", "remove", "mkdir"} <= set(calls)
    assert calls.count("fsync") >= calls.count("rename") > 10


def test_a_training_disturbed_in_every_way_ends_the_same(recipe: Path, calls: list[str], tmp_path: Path) -> None:
    disturbed: tuple[tuple[Fault, int], ...] = (("kill", 33), ("torn", 41), ("full", 37))
    for fault, at in disturbed:
        ending = trained(recipe, tmp_path / "run", fault, at)
        if fault == "full":
            check_told(ending, tmp_path / "run")
        else:
            assert ending.status == -signal.SIGKILL, ending.said
    assert trained(recipe, tmp_path / "run").status == 0
    assert content(tmp_path / "run") == content(recipe.parent / "whole")


def test_a_folder_that_cannot_be_written_is_told(recipe: Path, tmp_path: Path) -> None:
    check_told(trained(recipe, tmp_path / "run", "read-only"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.chaos
def test_a_complete_run_in_a_folder_that_cannot_be_written_stays_as_it_is(
    recipe: Path, calls: list[str], tmp_path: Path
) -> None:
    shutil.copytree(recipe.parent / "whole", tmp_path / "run")
    check_told(trained(recipe, tmp_path / "run", "read-only"), tmp_path / "run")
    assert content(tmp_path / "run") == content(recipe.parent / "whole")


@pytest.mark.chaos
@pytest.mark.parametrize("fault", FAULTS)
def test_a_training_disturbed_at_every_call_ends_the_same(
    recipe: Path, calls: list[str], tmp_path: Path, fault: Fault
) -> None:
    possible = {"kill": set(calls), "torn": {"write"}, "full": {"open", "write", "fsync", "mkdir"}}[fault]
    faults = [(fault, number) for number, name in enumerate(calls, 1) if name in possible]
    check_the_same_in_the_end(recipe, tmp_path / "run", faults)
    print(f"{fault}: {len(faults)} calls, each run equal in the end")


@pytest.mark.chaos
def test_fifty_kills_at_random_moments_change_nothing(recipe: Path, calls: list[str], tmp_path: Path) -> None:
    rng, whole, kills, runs = random.Random(23), content(recipe.parent / "whole"), 0, 0
    started = time.monotonic()
    assert trained(recipe, tmp_path / "timed").status == 0
    usual = time.monotonic() - started
    while kills < KILLS:
        runs += 1
        out = tmp_path / f"run-{runs}"
        while (ending := trained(recipe, out, moment=rng.uniform(0, 1.5 * usual))).status != 0:
            assert ending.status == -signal.SIGKILL, ending.said
            kills += 1
        assert content(out) == whole, runs
        shutil.rmtree(out)
    print(f"{kills} kills at random moments, runs that ended equal: {runs}")


COMMAND = "import sys; from chorale.cli.main import main; sys.argv[0] = 'chorale'; main()"


def children(process: int) -> list[int]:
    return [int(it) for it in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.chaos
@pytest.mark.skipif(sys.platform != "linux", reason="finds the workers as Linux lists them")
def test_a_search_whose_workers_are_killed_again_and_again_ends_the_same(tmp_path: Path) -> None:
    made = list(generate("train", 40, Knobs(seed=6)))
    again = [replace(one, number=one.number + 40 * copy) for copy in range(4) for one in made]
    (tmp_path / "train.json").write_text("\n".join(line for one in again for line in one.lines()))
    words = [sys.executable, "-c", COMMAND, "search", "--data", str(tmp_path / "train.json"), "--no-pool"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    whole = [*words, "--out", str(tmp_path / "whole.jsonl"), "--jobs", "1"]
    assert subprocess.run(whole, env=environment, check=False, capture_output=True).returncode == 0
    rng, kills = random.Random(5), 0
    while not (tmp_path / "found.jsonl").exists():
        command = [*words, "--out", str(tmp_path / "found.jsonl"), "--jobs", "2"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            if kills < 8:
                while running.poll() is None and len(children(running.pid)) < 2:
                    time.sleep(0.01)
                time.sleep(rng.uniform(0, 2))
                workers = children(running.pid) if running.poll() is None else []
                if workers:
                    os.kill(rng.choice(workers), signal.SIGKILL)
                    kills += 1
            _, said = running.communicate(timeout=120)
        assert running.returncode == 0 or b"a worker process was killed" in said, said
    assert (tmp_path / "found.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    print(f"{kills} workers killed, the file is the same")
