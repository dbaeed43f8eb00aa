"""`chorale download`: fetch a data set from its authors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from typer import Argument, Option

from chorale.cli.output import say
from chorale.errors import ChoraleError, unknown
from chorale.nlvr.download import NLVR
from chorale.plumbing.download import DataSet
from chorale.plumbing.download import download as fetch
from chorale.plumbing.files import check_folder
from chorale.tables.download import wtq

DATA_SETS: dict[str, Callable[[], DataSet]] = {"nlvr": lambda: NLVR, "wtq": wtq}
_FEW = 20  # files, of which each is reported


def download(
    name: Annotated[str, Argument(metavar="NAME", help="One of: nlvr, wtq.")],
    out: Annotated[Path | None, Option(metavar="DIR", help="The folder to write to; default: NAME.")] = None,
    base: Annotated[
        str | None, Option("--base-url", metavar="URL", help="Fetch from this address instead, such as a mirror.")
    ] = None,
) -> None:
    """Download a data set from its authors and verify that every file is what they published.

    A file that is already there and right is left alone; a download that was cut short resumes.

    Example: chorale download nlvr --out nlvr
    """
    if name not in DATA_SETS:
        raise ChoraleError(f"there is no data set {name!r}; {unknown(name, DATA_SETS)}")
    data = DATA_SETS[name]()
    check_folder(out or Path(name))
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=None)

        def watch(file: str, done: int, of: int | None) -> None:
            progress.update(task, description=file, completed=done, total=of)

        report = say if len(data.files) <= _FEW else lambda _: None
        fetch(data, out or Path(name), base, report=report, watch=watch)
    count = f"{len(data.files):,} files" if len(data.files) > 1 else "1 file"
    say(f"{out or name}: complete and checked, {count} ({data.licence})", "green")
