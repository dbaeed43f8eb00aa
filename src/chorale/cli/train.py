"""`chorale train`: a recipe and data become a run."""

from __future__ import annotations

import shlex
import signal
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from chorale.cli.domains import with_domain
from chorale.cli.loading import check_device
from chorale.cli.options import Changes, Device, Folder, OtherDomain
from chorale.cli.output import say, stoppable, stopped
from chorale.cli.watcher import watching
from chorale.plumbing.files import check_folder
from chorale.runs.watching import Interrupted, Stop
from chorale.training.recipes import Recipe, find_recipe, read_recipe
from chorale.training.recipes import keys as recipe_keys
from chorale.training.splits import Splits
from chorale.training.train import train as train_run


def _show_keys(wanted: bool) -> None:
    if wanted:
        for name, default, text in recipe_keys():
            say(f"{name}{f' = {default}' if default else ''}\n    {text}")
        raise typer.Exit


def train(
    recipe: Annotated[
        str, Argument(metavar="RECIPE", help="A TOML file, or the name of one that ships; see chorale recipes.")
    ],
    data: Folder,
    out: Annotated[Path, Option(metavar="RUN", help="The folder of the run; created if missing.")],
    seed: Annotated[int, Option(help="The random seed. The same seed gives the same run.")] = 0,
    after: Annotated[
        Path | None,
        Option(metavar="RUN", help="Reuse the finished stages that this run has in common with RECIPE."),
    ] = None,
    domain: OtherDomain = None,
    changes: Changes = [],  # noqa: B006 - typer wants a plain default
    threads: Annotated[int, Option(min=1, help="Threads. Their number changes the last digits of results.")] = 1,
    device: Device = "cpu",
    keys: Annotated[
        bool,
        Option("--keys", callback=_show_keys, is_eager=True, help="List every key that a recipe can have, and exit."),
    ] = False,
) -> None:
    """Train a parser. If training was interrupted, the same command resumes it.

    Example: chorale train language --data nlvr --out runs/language --seed 1 --set mml.epochs=20
    """
    check_folder(out)
    read = read_recipe(find_recipe(recipe), with_domain(changes, domain))
    check_device(device)
    train_watched(read, data, out, seed=seed, after=after, device=device, threads=threads)
    say(f"{out}: complete. To see how good it is: chorale evaluate {shlex.quote(str(out))} --data dev.json", "green")


def train_watched(
    recipe: Recipe,
    data: Path | Splits,
    out: Path,
    *,
    seed: int,
    after: Path | None = None,
    device: str = "cpu",
    threads: int = 1,
) -> None:
    """Train and show progress; exits when it is asked to stop."""
    stop, asked = Stop(), []

    def ask(number: int) -> None:
        signal.signal(number, signal.SIG_DFL)  # who asks twice does not want to wait
        asked.append(number)
        stop.ask()

    try:
        with stoppable(ask), watching(recipe) as watcher:
            train_run(
                recipe, data, out, seed=seed, after=after, watcher=watcher, stop=stop, device=device, threads=threads
            )
    except Interrupted:
        raise stopped(asked[0], "; all finished epochs are kept") from None
