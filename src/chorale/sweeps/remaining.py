"""How long a sweep will still take, guessed from what its runs have done so far.

A run of a recipe takes as long as the runs of the same recipe that were watched from beginning to end. Before there is
one, its epochs are counted: with the share d that was done since the watch began t seconds ago, and the share r that is
left, it takes t r / d more. Stages that stop early make it less; stages differ, so it is no more than a guess.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from chorale.sweeps.plan import Job

LEAST = 0.03
"""So much of a run must be done before its epochs say anything."""
_ACTIVE = {"running", "elsewhere"}
Key = tuple[Path, tuple[str, ...]]
"""Runs with the same recipe and changes take alike."""


class Remaining:
    """Watches the runs of a sweep; ask it now and then."""

    def __init__(
        self, stages: Mapping[Key, Sequence[int]], at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stages, self._at_once, self._clock = stages, at_once, clock
        self._began: dict[Path, tuple[float, float]] = {}  # folder -> when, and the share that was done by then
        self._took: dict[Key, list[float]] = {}

    def seconds(self, jobs: Sequence[Job]) -> float | None:
        """How long all will take from now; None if there is nothing to judge by yet."""
        now = self._clock()
        for job in jobs:
            if job.status in _ACTIVE and job.folder not in self._began:
                self._began[job.folder] = now, self._share(job)
            elif job.status == "done" and job.folder in self._began:
                began, before = self._began.pop(job.folder)
                if before == 0:
                    self._took.setdefault(_key(job), []).append(now - began)
        active = [job for job in jobs if job.status in _ACTIVE]
        whole = {key: fmean(took) for key, took in self._took.items()}
        guesses = {job.folder: rest for job in active if (rest := self._left(job, now)) is not None}
        for job in active:
            if job.folder in guesses:
                whole.setdefault(_key(job), guesses[job.folder][1])
        if not whole:
            return None
        usual = fmean(whole.values())
        expected = {job.folder: whole.get(_key(job), usual) for job in jobs}
        left = [guesses[job.folder][0] if job.folder in guesses else expected[job.folder] for job in active]
        waiting = [expected[job.folder] for job in jobs if job.status == "waiting"]
        return max([(sum(left) + sum(waiting)) / self._at_once, *left])

    def _left(self, job: Job, now: float) -> tuple[float, float] | None:
        """How long a run will take from now, and how long the whole of it takes."""
        began, before = self._began[job.folder]
        if before == 0 and (took := self._took.get(_key(job))):
            return max(0.0, fmean(took) - (now - began)), fmean(took)
        share = self._share(job)
        if share - before < LEAST:
            return None
        whole = (now - began) / (share - before)
        return whole * (1 - share), whole

    def _share(self, job: Job) -> float:
        """The share of its epochs that a run has done; a stage without epochs counts as one."""
        line, stages = job.last_line, self._stages.get(_key(job), ())
        number = int(line.get("stage", 0))
        if not 1 <= number <= len(stages):
            return 0.0
        current = min(int(line["epoch"]), stages[number - 1]) if "epoch" in line else stages[number - 1]
        return (sum(stages[: number - 1]) + current) / sum(stages)


def epochs_of(jobs: Sequence[Job], read: Callable[[Path, Sequence[str]], Any]) -> dict[Key, list[int]]:
    """How many epochs the stages of each recipe have at most; `read` gives a recipe with its changes."""
    keys = dict.fromkeys(map(_key, jobs))
    return {key: [int(getattr(stage, "epochs", 1)) for stage in read(*key).stages] for key in keys}


def _key(job: Job) -> Key:
    return job.recipe, job.changes
