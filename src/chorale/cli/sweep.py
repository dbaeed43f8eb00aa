"""`chorale sweep`: recipes with many seeds, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from typer import Argument, Option

from chorale.cli.domains import with_domain
from chorale.cli.engines import Address, EngineName, Engines, Jobs, engine_of
from chorale.cli.options import Changes, Folder, OtherDomain
from chorale.cli.output import complain, counted, duration, printable, say, stoppable, stopped
from chorale.engines.engine import Engine
from chorale.evaluation.metrics import percent
from chorale.plumbing.files import check_folder
from chorale.sweeps.plan import Job, jobs_of
from chorale.sweeps.remaining import Remaining, epochs_of
from chorale.sweeps.running import Show, train_all
from chorale.training.recipes import find_recipe, read_recipe

EVERY = 60.0
"""Without a terminal: seconds between two lines of progress."""


def sweep(
    recipes: Annotated[list[str], Argument(metavar="RECIPE...", help="TOML files, or names of recipes.")],
    data: Folder,
    out: Annotated[Path, Option(metavar="DIR", help="The folder of all runs.")] = Path("runs"),
    seeds: Annotated[int, Option(min=1, help="How many seeds: 0, 1, 2 and so on.")] = 5,
    domain: OtherDomain = None,
    changes: Changes = [],  # noqa: B006 - typer wants a plain default
    jobs: Jobs = None,
    engine: Engines = EngineName.local,
    address: Address = None,
) -> None:
    """Train several recipes with several seeds, each run in a process of its own. The same command resumes.

    A change with several values, such as --set mml.batch=4,16, makes one row for each value. With --engine ray the runs
    are spread over a cluster; all its nodes must see the folder of the runs.

    Example: chorale sweep language consistency --data nlvr --seeds 5 --jobs 2
    """
    check_folder(out)
    work = jobs_of([find_recipe(recipe) for recipe in recipes], range(seeds), with_domain(changes, domain), out)
    with engine_of(engine, address, jobs) as chosen:
        run_all(work, data, chosen)


def run_all(work: Sequence[Job], data: Path, engine: Engine) -> None:
    """Train all that is not trained yet, and show how far it is; leaves the program if not everything is done."""
    watch_all(work, partial(train_all, work, data, engine), engine.at_once)


def watch_all(work: Sequence[Job], run: Callable[[Show, Callable[[], bool]], bool], at_once: int) -> None:
    """Show how far the runs are that `run` trains; it is told when to stop, and says whether all are done."""
    asked: list[int] = []
    console, remaining = Console(), Remaining(epochs_of(work, read_recipe), at_once)
    with stoppable(asked.append):
        if console.is_terminal:
            with Live(console=console, refresh_per_second=2) as live:
                complete = run(
                    lambda now: live.update(Group(_table(now), _summary(now, remaining))), lambda: bool(asked)
                )
        else:
            complete = run(_printed_changes(remaining), lambda: bool(asked))
            console.print(_table(work))
    for job in work:
        if job.status == "failed" and job.process is None:
            complain(f"{job.folder}: not started, because the run that it builds on failed")
        elif job.status == "failed":
            complain(f"{job.folder}: failed; its output is in {job.output}")
    if asked:
        raise stopped(asked[0])
    if not complete:
        raise typer.Exit(1)


def _printed_changes(remaining: Remaining) -> Callable[[Sequence[Job]], None]:
    """Reports in plain lines what happened to the runs, and every so often how long they will take."""
    known: dict[Path, str] = {}
    last = time.monotonic()

    def show(jobs: Sequence[Job]) -> None:
        nonlocal last
        is_news = False
        for job in jobs:
            if known.get(job.folder) != job.status and job.status != "waiting":
                is_news = is_news or job.folder in known
                known[job.folder] = job.status
                say(f"{job.folder}: {job.status} {percent(job.result)}".rstrip())
        summary = _summary(jobs, remaining)
        if is_news or time.monotonic() - last > EVERY:
            last = time.monotonic()
            say(summary)

    return show


def _summary(jobs: Sequence[Job], remaining: Remaining) -> str:
    """How many runs are done, and how long the others will take."""
    left = remaining.seconds(jobs)
    done = f"{sum(job.status == 'done' for job in jobs)} of {counted(len(jobs), 'run')} done"
    return f"{done}, about {duration(left)} left" if left and left >= 1 else done


def _table(jobs: Sequence[Job]) -> Table:
    """How far every run is."""
    result = Table("run", "status", "stage", "epoch", "loss", "dev")
    for job in jobs:
        line = job.last_line
        stage = f"{line['stage']} {line['kind']}" if line else ""
        loss = f"{line['loss']:.4f}" if "loss" in line else ""
        figures = percent(job.result) or percent(line, "dev_")
        name = f"{job.folder.parent.name} {job.folder.name}"
        name, stage = printable(name), printable(stage)
        result.add_row(name, job.status, stage, str(line.get("epoch", "")), loss, figures)
    return result
