"""`chorale download`: fetch a data set from its authors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from typer import Argument, Option

from chorale.cli.output import say
from chorale.nlvr.download import download as fetch
from chorale.plumbing.files import check_folder


def download(
    name: Annotated[str, Argument(metavar="NAME", help="One of: nlvr.")],
    out: Annotated[Path | None, Option(metavar="DIR", help="Where to; a folder NAME by default.")] = None,
    base: Annotated[str | None, Option("--base-url", metavar="URL", help="Another address, such as a mirror.")] = None,
) -> None:
    """Download a data set from its authors, and check that it is what they published.

    A file that is already there and right is left alone; one that was cut short goes on where it stopped.

    Example: chorale download nlvr --out nlvr
    """
    check_folder(out or Path(name))
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=None)

        def watch(file: str, done: int, of: int | None) -> None:
            progress.update(task, description=file, completed=done, total=of)

        fetched = fetch(name, out or Path(name), base, report=say, watch=watch)
    say(f"{out or name}: complete and checked ({fetched.licence})", "green")
