"""Sweeps: which runs they are made of, and how they live with other processes."""

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from chorale.engines.engine import Running
from chorale.errors import ChoraleError
from chorale.sweeps.plan import Job, jobs_of
from chorale.sweeps.running import run_jobs

HOLDER = """
import fcntl, pathlib, sys
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
with open(folder / "lock", "wb") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    print("held", flush=True)
    sys.stdin.read()
    (folder / "progress.json").write_text('{"done": true}')
"""
WRITER = """
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
(folder / "progress.json").write_text('{"done": true}')
"""


def python(script: str, *words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script, *map(str, words)])


def test_every_recipe_value_and_seed_is_a_run(tiny: Path, tmp_path: Path) -> None:
    jobs = jobs_of([tiny / "tiny.toml"], range(2), ["mml.batch=4,8", "mml.epochs=1"], tmp_path)
    folders = [str(job.folder.relative_to(tmp_path)) for job in jobs]
    names = [f"tiny+mml.batch={batch}/seed-{seed}" for batch in (4, 8) for seed in (0, 1)]
    assert folders == names
    assert jobs[0].changes == ("mml.batch=4", "mml.epochs=1")


def test_recipes_of_one_name_do_not_share_a_folder(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="two recipes would go there"):
        jobs_of([tiny / "tiny.toml", tiny / "tiny.toml"], [0], [], tmp_path)


def jobs(folder: Path, count: int) -> list[Job]:
    return [Job(Path("r.toml"), (), seed, folder / "x" / f"seed-{seed}") for seed in range(count)]


def test_no_more_runs_at_a_time_than_allowed(tmp_path: Path) -> None:
    most = 0

    def show(now: Sequence[Job]) -> None:
        nonlocal most
        most = max(most, sum(job.status == "running" for job in now))

    made = jobs(tmp_path, 4)
    assert run_jobs(made, lambda job: python(WRITER, job.folder), 2, show, pause=0.02)
    assert most == 2
    assert {job.status for job in made} == {"done"}


def test_a_run_that_another_process_is_at_is_waited_for(tmp_path: Path) -> None:
    [job] = jobs(tmp_path, 1)
    job.folder.parent.mkdir()
    command = [sys.executable, "-c", HOLDER, str(job.folder)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdin is not None
    assert holder.stdout is not None
    holder.stdout.readline()
    seen: list[str] = []

    def never(_: Job) -> Running:
        raise AssertionError("the run was started a second time")

    def show(now: Sequence[Job]) -> None:
        seen.extend(it.status for it in now)
        if len(seen) == 3:  # it has waited for some time
            holder.stdin.close()

    assert run_jobs([job], never, 1, show, pause=0.02)
    assert (seen[:3], seen[-1], set(seen)) == (["elsewhere"] * 3, "done", {"elsewhere", "done"})
    holder.wait()
    holder.stdout.close()


def test_a_stop_reaches_the_runs(tmp_path: Path) -> None:
    made = jobs(tmp_path, 3)
    running = [False]

    def show(now: Sequence[Job]) -> None:
        running[0] = any(job.status == "running" for job in now)

    start = partial(python, "import time; time.sleep(60)")
    assert not run_jobs(made, lambda _: start(), 2, show, lambda: running[0], pause=0.02)
    assert {job.status for job in made} == {"stopped"}
