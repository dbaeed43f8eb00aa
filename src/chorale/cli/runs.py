"""`chorale runs`: which runs there are, and how far they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument

from chorale.cli.options import Json
from chorale.cli.output import say, say_json
from chorale.report.tables import aligned_text
from chorale.runs.listing import find_runs


def runs(
    folder: Annotated[Path, Argument(metavar="[FOLDER]", help="The folder to search, at any depth.")] = Path("runs"),
    as_json: Json = False,
) -> None:
    """List the runs and taught models in a folder, with their progress, recipe, seed and figures on dev.

    Example: chorale runs runs
    """
    entries = find_runs(folder, models=True)
    if as_json:
        say_json([one.to_json() for one in entries])
        return
    if not entries:
        say(f"{folder}: no runs here; chorale train and chorale sweep make them")
        return
    lines = [
        [str(one.folder), one.recipe, str(one.seed), one.figures, f"{one.changed:%Y-%m-%d %H:%M}", one.status]
        for one in entries
    ]
    say(aligned_text([["run", "recipe", "seed", "dev", "last active", "status"], *lines]))
