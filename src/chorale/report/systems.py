"""Systems from the folders of their runs, a run per seed: what they said of dev at the end, or say of other data.

A look at a test split is noted before it is taken, beside the runs that are asked.
"""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from chorale.domain import Domain
from chorale.errors import ChoraleError
from chorale.evaluation.compare import System
from chorale.evaluation.metrics import Right
from chorale.model import load
from chorale.plumbing.files import append_line, hash_of_file, sha256
from chorale.plumbing.version import version
from chorale.runs.run import read_right

LOOKS = "looks-at-test.jsonl"
Watch = Callable[[Sequence[Path]], Iterable[Path]]
"""Gives runs one by one, to whoever wants to see how far it is."""


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
        return [kept_system(folder.name, found) for folder, found in runs], []
    beside: dict[Path, dict[Path, None]] = {}
    for folder, found in runs if data.name.startswith("test.") else ():
        beside.setdefault(folder.resolve().parent, {}).update(dict.fromkeys(found))
    noted = [note_look(parent, data, list(asked)) for parent, asked in beside.items()]

    def right(run: Path) -> dict[str, Right]:
        model = load(run, domain)
        return model.evaluate(model.domain.read(data)).right

    return [System(folder.name, [right(run) for run in watch(found)]) for folder, found in runs], noted


def runs_in(folder: Path) -> list[Path]:
    """The complete runs of a folder, which may itself be one."""
    runs = [folder] if (folder / "model.json").exists() else sorted(path.parent for path in folder.glob("*/model.json"))
    if not runs:
        raise ChoraleError(f"{folder}: no complete run here; expected a run, or a folder of runs as a sweep makes it")
    return runs


def note_look(folder: Path, file: Path, runs: Sequence[Path]) -> Path:
    """Note in a folder that these runs are asked about a test split; gives back where."""
    recipes = [path.read_bytes() for run in runs if (path := run / "recipe.toml").is_file()]
    look = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "chorale": version(),
        "commit": _commit(),
        "data": hash_of_file(file),
        "recipes": {tomllib.loads(text.decode())["name"]: sha256(text) for text in sorted(recipes)},
        "runs": len(runs),
    }
    append_line(folder / LOOKS, look)
    return folder / LOOKS


def _commit() -> str | None:
    """The commit of the sources, if they are a repository."""
    here = Path(__file__).resolve().parent
    try:
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()
