"""Runs side by side on this machine, each in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from chorale.runs.run import find_split, is_busy
from chorale.sweeps.plan import Job

_OPEN = {"waiting", "running", "elsewhere"}
Show = Callable[[Sequence[Job]], None]


def train_all(
    jobs: Sequence[Job], data: Path, at_once: int, show: Show, asked_to_stop: Callable[[], bool] = lambda: False
) -> bool:
    """Train all jobs that are not done on a folder of data, each with one thread; see `run_jobs`."""
    for split in ("train", "dev"):
        find_split(data, split)
    return run_jobs(jobs, lambda job: _train_command(job, data), at_once, show, asked_to_stop)


def _train_command(job: Job, data: Path) -> list[str]:
    command: list[object] = [sys.executable, "-m", "chorale", "train", job.recipe, "--data", data, "--out", job.folder]
    command += ["--seed", job.seed, "--threads", 1, *(part for change in job.changes for part in ("--set", change))]
    return list(map(str, [*command, "--after", job.after.folder] if job.after is not None else command))


def run_jobs(
    jobs: Sequence[Job],
    command: Callable[[Job], Sequence[str]],
    at_once: int,
    show: Show,
    asked_to_stop: Callable[[], bool] = lambda: False,
    pause: float = 0.5,
) -> bool:
    """Run all jobs that are not done, at most so many at a time; gives back whether all are done in the end.

    When a stop is asked for, the processes are asked to stop as well, and waited for: each goes on where it stopped
    when the sweep is started again.
    """
    stopping = False
    while any(job.status in _OPEN for job in jobs):
        running = [(job, job.process) for job in jobs if job.status == "running" and job.process is not None]
        if asked_to_stop() and not stopping:
            stopping = True
            for _, process in running:
                process.send_signal(signal.SIGTERM)
            for job in jobs:
                job.status = "stopped" if job.status in {"waiting", "elsewhere"} else job.status
        for job, process in running:
            if process.poll() is not None:
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
    with open(job.output, "ab") as output:
        return subprocess.Popen(
            list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
