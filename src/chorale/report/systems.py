"""Systems from the folders of their runs, a run per seed: what they said of dev at the end, or say of other data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from chorale.domain import Domain
from chorale.errors import ChoraleError
from chorale.evaluation.compare import System
from chorale.evaluation.metrics import Right
from chorale.model import load
from chorale.report.looks import is_test, note_look
from chorale.runs.listing import explain_unfinished
from chorale.runs.run import read_right

Watch = Callable[[Sequence[Path]], Iterable[Path]]
"""Gives runs one by one, to show progress."""


def kept_system(name: str, runs: Sequence[Path], split: str = "dev") -> System:
    """What runs said of a split when they were evaluated on it."""
    return System(name, [read_right(run / f"{split}.json") for run in runs])


def compared_systems(
    folders: Sequence[Path], data: Path | None = None, domain: Domain | None = None, watch: Watch = iter
) -> tuple[list[System], list[Path]]:
    """The systems in these folders, each a run or many, on labelled data; without any, on dev as each run left it.

    Also gives the files in which a look at a test split was noted.
    """
    runs = [(folder, runs_in(folder)) for folder in folders]
    if data is None:
        return [kept_system(folder.name, seeds) for folder, seeds in runs], []
    beside: dict[Path, dict[Path, None]] = {}
    for folder, seeds in runs if is_test(data) else ():
        beside.setdefault(folder.resolve().parent, {}).update(dict.fromkeys(seeds))
    noted = [note_look(parent, data, list(asked)) for parent, asked in beside.items()]

    def right(run: Path) -> dict[str, Right]:
        model = load(run, domain)
        return model.evaluate(model.domain.read(data)).right

    return [System(folder.name, [right(run) for run in watch(seeds)]) for folder, seeds in runs], noted


def runs_in(folder: Path) -> list[Path]:
    """The complete runs of a folder, which may itself be one."""
    runs = [folder] if (folder / "model.json").exists() else sorted(path.parent for path in folder.glob("*/model.json"))
    if not runs and (folder / "run.json").exists() and (problem := explain_unfinished(folder)):
        raise ChoraleError(problem)
    if not runs:
        raise ChoraleError(f"{folder}: no complete run here; expected a run, or a folder of runs as a sweep makes it")
    return runs
