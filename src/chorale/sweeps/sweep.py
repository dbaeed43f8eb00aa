"""Seeds side by side: every recipe with every seed and every change, each a run in a process of its own."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from chorale.errors import ChoraleError
from chorale.runs.reuse import common_stages
from chorale.runs.run import is_busy
from chorale.training.recipes import read_recipe
from chorale.training.settings import Recipe

OUTPUT = "output.txt"
_OPEN = {"waiting", "running", "elsewhere"}


@dataclass
class Job:
    """One run of a sweep."""

    recipe: Path
    changes: tuple[str, ...]
    seed: int
    folder: Path
    after: Job | None = None
    """The run whose stages this one begins with; it is waited for."""
    status: str = "waiting"
    """waiting, running, elsewhere (another process is at it), done, failed or stopped."""
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def last_line(self) -> dict[str, Any]:
        """The last line of metrics of the run."""
        try:
            lines = (self.folder / "metrics.jsonl").read_bytes().splitlines()
            return dict(json.loads(lines[-1])) if lines else {}
        except (OSError, ValueError):
            return {}

    @property
    def result(self) -> dict[str, Any]:
        """What dev says about the run, once it is complete."""
        try:
            return dict(json.loads((self.folder / "dev.json").read_bytes())) if self.is_done else {}
        except (OSError, ValueError):
            return {}

    @property
    def is_done(self) -> bool:
        try:
            return bool(json.loads((self.folder / "progress.json").read_bytes()).get("done"))
        except (OSError, ValueError):
            return False


def jobs_of(recipes: Sequence[Path], seeds: Iterable[int], changes: Sequence[str], out: Path) -> list[Job]:
    """All runs of a sweep; a change `key=v1,v2` stands for one sweep per value. Faulty recipes are told at once."""
    choices = []
    for change in changes:
        key, sign, values = change.partition("=")
        if not sign:
            raise ChoraleError(f"--set {change}: expected key=value or key=value1,value2")
        choices.append([f"{key.strip()}={value.strip()}" for value in values.split(",")])
    varied = {change for some in choices if len(some) > 1 for change in some}
    jobs, numbers, read = [], list(seeds), []
    for recipe in recipes:
        for chosen in itertools.product(*choices):
            found = read_recipe(recipe, chosen)
            name = "+".join([found.name, *(it for it in chosen if it in varied)])
            jobs += [Job(recipe, chosen, seed, out / name.replace("/", "_") / f"seed-{seed}") for seed in numbers]
            read += [found] * len(numbers)
    folders = [job.folder for job in jobs]
    twice = next((folder for folder in folders if folders.count(folder) > 1), None)
    if twice is not None:
        raise ChoraleError(f"{twice}: two recipes would go there; give them different names")
    for job, ours in zip(jobs, read, strict=True):
        job.after = _beginning(job, ours, jobs, read)
    return jobs


def _beginning(job: Job, recipe: Recipe, jobs: Sequence[Job], recipes: Sequence[Recipe]) -> Job | None:
    """The longest run of the same seed whose whole recipe is the beginning of this one."""
    found = [
        (len(theirs.stages), other)
        for other, theirs in zip(jobs, recipes, strict=True)
        if other.seed == job.seed and common_stages(theirs, recipe) == len(theirs.stages) < len(recipe.stages)
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def run_jobs(
    jobs: Sequence[Job],
    command: Callable[[Job], Sequence[str]],
    at_once: int,
    show: Callable[[Sequence[Job]], None],
    asked_to_stop: Callable[[], bool] = lambda: False,
    pause: float = 0.5,
) -> bool:
    """Run all jobs that are not done, at most so many at a time; gives back whether all are done in the end.

    When a stop is asked for, the processes are asked to stop as well, and waited for: each goes on where it stopped
    when the sweep is started again.
    """
    stopping = False
    while any(job.status in _OPEN for job in jobs):
        running = [job for job in jobs if job.status == "running"]
        if asked_to_stop() and not stopping:
            stopping = True
            for job in running:
                assert job.process is not None
                job.process.send_signal(signal.SIGTERM)
            for job in jobs:
                job.status = "stopped" if job.status in {"waiting", "elsewhere"} else job.status
        for job in running:
            assert job.process is not None
            if job.process.poll() is not None:
                job.status = "done" if job.is_done else "stopped" if stopping else "failed"
        for job in jobs:
            if job.status in {"waiting", "elsewhere"}:  # a sweep that was killed may have left runs behind
                job.status = "done" if job.is_done else "elsewhere" if is_busy(job.folder) else "waiting"
            if job.status == "waiting" and job.after is not None and job.after.status in {"failed", "stopped"}:
                job.status = job.after.status
        waiting = [job for job in jobs if job.status == "waiting" and (job.after is None or job.after.is_done)]
        free = at_once - sum(job.status in {"running", "elsewhere"} for job in jobs)
        for job in waiting[: max(0, free)]:
            job.process = _start(job, command(job))
            job.status = "running"
        show(jobs)
        if any(job.status in _OPEN for job in jobs):
            time.sleep(pause)
    show(jobs)
    return all(job.status == "done" for job in jobs)


def _start(job: Job, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a run; what it prints is kept beside it. A signal for the sweep does not reach it directly."""
    job.folder.parent.mkdir(parents=True, exist_ok=True)
    output: IO[bytes]
    with open(job.folder.with_name(f"{job.folder.name}.{OUTPUT}"), "ab") as output:
        return subprocess.Popen(
            list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
