"""`chorale train`: a recipe and data become a run."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from chorale.cli.models import Changes, Device, Threads, check_device
from chorale.cli.output import complain, say


def _show_keys(wanted: bool) -> None:
    if wanted:
        from chorale.training.recipes import keys  # noqa: PLC0415

        for name, default, text in keys():
            say(f"{name}{f' = {default}' if default else ''}\n    {text}")
        raise typer.Exit


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A TOML file such as recipes/language.toml.")],
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder with the splits train and dev.")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="The folder of the run; made if missing.")],
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same run.")] = 0,
    after: Annotated[
        Path | None,
        typer.Option(
            "--after",
            metavar="RUN",
            help="Take over the stages that this run has done and RECIPE has in common with it.",
        ),
    ] = None,
    changes: Changes = [],  # noqa: B006 - typer wants a plain default
    threads: Threads = 1,
    device: Device = "cpu",
    keys: Annotated[
        bool, typer.Option("--keys", callback=_show_keys, is_eager=True, help="List every key a recipe may have.")
    ] = False,
) -> None:
    """Train a parser. The same command goes on where an earlier one was stopped or killed.

    Example: chorale train recipes/language.toml --data nlvr --out runs/language --seed 1 --set mml.epochs=20
    """
    from chorale.cli.watcher import watching  # noqa: PLC0415
    from chorale.runs.watching import Interrupted, Stop  # noqa: PLC0415
    from chorale.training.recipes import read_recipe  # noqa: PLC0415
    from chorale.training.train import train as train_run  # noqa: PLC0415

    read = read_recipe(recipe, changes)
    check_device(device)
    stop, asked = Stop(), []

    def ask(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # whoever asks twice does not want to wait
        asked.append(number)
        stop.ask()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with watching(read) as watcher:
            train_run(
                read, data, out, seed=seed, after=after, watcher=watcher, stop=stop, device=device, threads=threads
            )
    except Interrupted:
        command = shlex.join(["chorale", *sys.argv[1:]])
        complain(f"stopped; all finished epochs are kept. To go on, run the same command again:\n  {command}", "note")
        raise typer.Exit(128 + asked[0]) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    say(f"{out}: complete. To see how good it is: chorale evaluate {shlex.quote(str(out))} --data dev.json", "green")
