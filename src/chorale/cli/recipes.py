"""The recipes that come with Chorale: one TOML file per row of the results table."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from chorale.errors import ChoraleError, nearest
from chorale.report.published import PUBLISHED

FOLDERS = (Path(str(files("chorale"))) / "recipes", Path(__file__).resolve().parents[3] / "recipes")
"""Inside the package once it is installed, else beside its sources."""


def rows_of_the_table(names: Sequence[str] = ()) -> dict[str, Path]:
    """The recipes of these rows, or of all rows that have one, in the order of the table."""
    known = {row.recipe: path for row in PUBLISHED if (path := _find(row.recipe)) is not None}
    for name in names:
        if name not in known:
            close = nearest(name, known)
            hint = f"did you mean {close!r}?" if close else f"known are {', '.join(known)}"
            raise ChoraleError(f"--rows {name}: there is no such row; {hint}")
    return {name: path for name, path in known.items() if not names or name in names}


def _find(name: str) -> Path | None:
    return next((path for folder in FOLDERS if (path := folder / f"{name}.toml").is_file()), None)
