"""Runs side by side, each in a process of its own, on this machine or on the nodes of a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from chorale.engines.engine import Engine, Given, Running
from chorale.runs.run import find_split, is_busy
from chorale.sweeps.plan import Job

_OPEN = {"waiting", "running", "elsewhere"}
Show = Callable[[Sequence[Job]], None]


def train_all(
    jobs: Sequence[Job], data: Path, engine: Engine, show: Show, asked_to_stop: Callable[[], bool] = lambda: False
) -> bool:
    """Train all jobs that are not done on a folder of data, each with one thread; see `run_jobs`."""
    read = Given(data, tuple(find_split(data, split) for split in ("train", "dev")))
    return run_jobs(jobs, lambda job: engine.start(_words(job, read), job.output), engine.at_once, show, asked_to_stop)


def _words(job: Job, data: Given) -> list[object]:
    words: list[object] = ["train", Given(job.recipe), "--data", data, "--out", job.folder, "--seed", job.seed]
    words += ["--threads", 1, *(part for change in job.changes for part in ("--set", change))]
    return [*words, "--after", job.after.folder] if job.after is not None else words


def run_jobs(
    jobs: Sequence[Job],
    start: Callable[[Job], Running],
    at_once: int,
    show: Show,
    asked_to_stop: Callable[[], bool] = lambda: False,
    pause: float = 0.5,
) -> bool:
    """Run all jobs that are not done, at most that many at a time; returns whether all are done in the end.

    When a stop is asked for, the processes are asked to stop as well, and waited for: each goes on where it stopped
    when the sweep is started again.
    """
    stopping = False
    while any(job.status in _OPEN for job in jobs):
        running = [(job, job.process) for job in jobs if job.status == "running" and job.process is not None]
        if asked_to_stop() and not stopping:
            stopping = True
            for _, process in running:
                process.terminate()
            for job in jobs:
                job.status = "stopped" if job.status in {"waiting", "elsewhere"} else job.status
        for job, process in running:
            if process.poll() is not None:
                # Another sweep may have been quicker, and trains the run now; see below for the order.
                other = not stopping and is_busy(job.folder)
                job.status = "elsewhere" if other else "done" if job.is_done else "stopped" if stopping else "failed"
        for job in jobs:
            if job.status in {"waiting", "elsewhere"}:  # a sweep that was killed may have left runs behind
                # In this order: a run that is no longer busy has said by then whether it is done.
                job.status = "elsewhere" if is_busy(job.folder) else "done" if job.is_done else "waiting"
            if job.status == "waiting" and job.after is not None and job.after.status in {"failed", "stopped"}:
                job.status = job.after.status
        waiting = [job for job in jobs if job.status == "waiting" and (job.after is None or job.after.is_done)]
        free = at_once - sum(job.status in {"running", "elsewhere"} for job in jobs)
        for job in waiting[: max(0, free)]:
            job.folder.parent.mkdir(parents=True, exist_ok=True)
            job.process = start(job)
            job.status = "running"
        show(jobs)
        if any(job.status in _OPEN for job in jobs):
            time.sleep(pause)
    show(jobs)
    return all(job.status == "done" for job in jobs)
