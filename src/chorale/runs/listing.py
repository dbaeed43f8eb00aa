"""Which runs there are in a folder, and how far each of them is.

Nothing is locked or changed, and a run that a process is working on may be looked at at any moment.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import percent
from chorale.plumbing.checking import checked
from chorale.plumbing.files import read_json, read_plain
from chorale.runs.models import ModelFile
from chorale.runs.run import Progress, checked_figures, is_busy, read_progress, read_recipe_table, read_run


@dataclass(frozen=True)
class RunEntry:
    """A run folder, as far as can be told from outside."""

    folder: Path
    recipe: str
    seed: int
    stages: int
    """How many its recipe has."""
    done: int
    """How many are finished."""
    state: str
    """complete, running, stopped, or damaged; of a model by itself, where it comes from."""
    dev: dict[str, float] | None
    """Accuracy and consistency on dev, once it is complete."""
    changed: datetime
    """When it was last active."""
    seconds: float
    """How long its epochs took together."""
    problem: str = ""
    """What is damaged."""

    @property
    def status(self) -> str:
        """How far it is, in words."""
        if self.state == "stopped":
            return f"stopped at stage {self.done + 1} of {self.stages}"
        if self.state == "running":
            return f"running, stage {min(self.done + 1, self.stages)} of {self.stages}"
        return f"damaged: {self.problem}" if self.problem else self.state

    @property
    def figures(self) -> str:
        """What it reaches on dev, in percent."""
        return percent(self.dev or {})

    def to_json(self) -> dict[str, Any]:
        """The entry for machines."""
        return {
            "run": str(self.folder),
            "state": self.state,
            "stages_done": self.done,
            "stages": self.stages,
            "recipe": self.recipe,
            "seed": self.seed,
            "dev": self.dev,
            "changed": self.changed.isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 1),
            "problem": self.problem or None,
        }


def find_runs(folder: Path, *, models: bool = False) -> list[RunEntry]:
    """The runs in a folder and in those below it, by name; the folder may itself be one.

    With `models`, those that were taught or copied, and are not runs, are listed as well.
    """
    if folder.is_file():
        raise ChoraleError(f"{folder}: this is a file; expected a run, or a folder of runs")
    if not folder.is_dir():
        raise ChoraleError(f"{folder}: no such folder; expected a run, or a folder of runs")
    folders = sorted(_folders(folder, models))
    return [read_entry(path) if (path / "run.json").is_file() else _model_entry(path) for path in folders]


def explain_unfinished(folder: Path) -> str | None:
    """Why there is no model in a folder, and what to do, if it is an unfinished run or a folder of runs."""
    if not (folder / "run.json").is_file():
        runs = sorted(path.parent for depth in ("*", "*/*") for path in folder.glob(f"{depth}/run.json"))
        names = ", ".join(map(str, runs[:3])) + (", ..." if len(runs) > 3 else "")
        return f"{folder}: this is a folder of runs; name one of them: {names}" if runs else None
    one = read_entry(folder)
    if one.state == "damaged":
        return f"{folder}: {one.status}"
    command = f"chorale train {folder / 'recipe.toml'} --data DIR --out {folder} --seed {one.seed}"
    what = "wait for it" if one.state == "running" else f"resume it: {command}"
    return f"{folder}: this run is not finished ({one.status}); {what}"


def read_entry(folder: Path) -> RunEntry:
    """How far one run is."""
    times = (folder / name for name in ("progress.json", "metrics.jsonl", "run.json"))
    latest = max((path.stat().st_mtime for path in times if path.exists()), default=0.0)
    changed = datetime.fromtimestamp(latest, UTC)
    try:
        recipe, started = read_recipe_table(folder), read_run(folder)
        progress = read_progress(folder) if (folder / "progress.json").exists() else Progress()
        dev = _figures(folder / "dev.json") if progress.done else None
    except ChoraleError as error:
        said = str(error).removeprefix(f"{folder}/")
        return RunEntry(folder, "", 0, 0, 0, "damaged", None, changed, 0.0, said)
    state = "complete" if progress.done else "running" if is_busy(folder) else "stopped"
    name, stages = str(recipe.get("name", "")), len(recipe["stages"])
    return RunEntry(folder, name, started.seed, stages, progress.stages, state, dev, changed, _seconds(folder))


def _model_entry(folder: Path) -> RunEntry:
    """A model by itself."""
    path = folder / "model.json"
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    try:
        about = checked(ModelFile, read_json(path), path)
    except ChoraleError as error:
        said = str(error).removeprefix(f"{folder}/")
        return RunEntry(folder, "", 0, 0, 0, "damaged", None, changed, 0.0, said)
    state = f"taught by {about.taught} sentence{'' if about.taught == 1 else 's'}" if about.taught else "a model"
    return RunEntry(folder, about.recipe, about.seed, 0, 0, state, None, changed, 0.0)


def _folders(folder: Path, models: bool) -> Iterator[Path]:
    """Folders with a run in them, or a model; there are no runs inside runs."""
    if (folder / "run.json").is_file() or (models and (folder / "model.json").is_file()):
        yield folder
        return
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink() and not path.name.startswith("."):
            yield from _folders(path, models)


def _figures(path: Path) -> dict[str, float]:
    figures = checked_figures(read_json(path))
    if not figures:
        raise ChoraleError(f"{path}: damaged, there is no accuracy or consistency in it")
    return figures


def _seconds(folder: Path) -> float:
    """How long the epochs took together; nothing depends on times, so a damaged line is ignored."""
    path, total = folder / "times.jsonl", 0.0
    for line in read_plain(path).splitlines() if path.exists() else ():
        try:
            seconds = float(json.loads(line)["seconds"])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        total += seconds if math.isfinite(seconds) else 0.0
    return total
