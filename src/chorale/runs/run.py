"""A run is a folder; kill it at any moment, start it again, get the same numbers.

    recipe.toml      the recipe with every value spelled out
    run.json         seed, versions, fingerprints of the data, format
    progress.json    how far the run is: the one file that decides
    metrics.jsonl    a line per epoch; no times, so that equal runs have equal files
    times.jsonl      how long everything took
    stages/03-reward/...   weights and candidates
    model.json, model.safetensors, dev.json   at the end: the parser, and what it says about dev

Everything that a stage leaves behind is written first, `progress.json` last. What it does not mention was written by a
process that was killed before it got so far, and is removed; `metrics.jsonl` is cut to the length that it mentions.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

import chorale
from chorale.errors import ChoraleError
from chorale.runs.checkpoints import FORMAT, check_format
from chorale.plumbing.files import append_line, clear_parts, locked, read_json, truncate, write, write_json
from chorale.training.recipes import differences, read_recipe, written_recipe
from chorale.training.settings import Recipe


@dataclass
class Progress:
    """How far a run is."""

    stages: int = 0
    """Stages that are done."""
    state: dict[str, Any] = field(default_factory=dict)
    """Where the stage that is under way is."""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    """The last of each thing that stages give: "model", "candidates" or "reranker" -> file and fingerprint."""
    kept: list[str] = field(default_factory=list)
    """Files of finished stages, which stay."""
    given: list[dict[str, Any]] = field(default_factory=list)
    """All that finished stages gave, in order: stage, name, file and fingerprint. Other runs may begin with it."""
    metrics: int = 0
    """Length of metrics.jsonl in bytes."""
    done: bool = False


class Run:
    """The folder of one training."""

    def __init__(self, folder: Path, recipe: Recipe, seed: int) -> None:
        self.folder = folder
        self.recipe = recipe
        self.seed = seed
        self.progress = Progress()
        self.notes: list[str] = []

    @property
    def metrics_path(self) -> Path:
        return self.folder / "metrics.jsonl"

    def stage_folder(self, place: int) -> Path:
        """Where the stage at a place of the recipe keeps its files."""
        return self.folder / "stages" / f"{place + 1:02}-{self.recipe.stages[place].kind}"

    def commit(self, line: Mapping[str, Any] | None = None) -> None:
        """Make the progress last, with a line of metrics that belongs to it."""
        if line is not None:
            self.progress.metrics = append_line(self.metrics_path, dict(line))
        write_json(self.folder / "progress.json", {"format": FORMAT, **vars(self.progress)})

    def note_time(self, **values: Any) -> None:
        """Remember how long something took; of no consequence for anything else."""
        append_line(self.folder / "times.jsonl", values)

    def keep(self, name: str, path: Path, fingerprint: str) -> None:
        """Remember what a stage gives to those behind it."""
        output = {"file": str(path.relative_to(self.folder)), "sha256": fingerprint}
        self.progress.outputs[name] = output
        self.progress.kept.append(output["file"])
        self.progress.given.append({"stage": self.progress.stages + 1, "name": name, **output})

    def output(self, name: str) -> tuple[Path, str]:
        """The file and fingerprint of the last thing of this name that a stage gave."""
        output = self.progress.outputs[name]
        return self.folder / output["file"], output["sha256"]

    def clear_leftovers(self) -> None:
        """Remove what a killed process wrote but never committed, and weights that are no longer needed."""
        clear_parts(self.folder)
        named = set(self.progress.kept)
        named |= {part["file"] for part in self.progress.state.values() if isinstance(part, dict) and "file" in part}
        for path in (self.folder / "stages").glob("*/*.safetensors"):
            if str(path.relative_to(self.folder)) not in named:
                path.unlink(missing_ok=True)


def versions() -> dict[str, str]:
    """What may make two runs differ in the last digits."""
    return {
        "chorale": chorale.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "numpy": np.__version__,
        "threads": str(torch.get_num_threads()),
    }


@contextmanager
def open_run(folder: Path, recipe: Recipe, seed: int, data: Mapping[str, str]) -> Iterator[Run]:
    """Start a run or go on with it; `data` are the fingerprints of the files it learns from.

    While it is open no other process can open it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        run = Run(folder, recipe, seed)
        about = {"format": FORMAT, "seed": seed, "data": dict(data), "versions": versions()}
        path = folder / "run.json"
        if path.exists():
            _check_same(run, read_json(path), about)
        elif any(it.name != "lock" for it in folder.iterdir() if not it.name.startswith(".")) and not _is_young(folder):
            raise ChoraleError(f"{folder}: this folder holds something else; name a new one")
        else:
            write(folder / "recipe.toml", written_recipe(recipe).encode())
            write_json(path, about)
        if (folder / "progress.json").exists():
            run.progress = read_progress(folder)
        truncate(run.metrics_path, run.progress.metrics)
        run.clear_leftovers()
        yield run


def read_progress(folder: Path) -> Progress:
    """How far the run in a folder is."""
    path = folder / "progress.json"
    stored = read_json(path)
    check_format(path, stored.pop("format", None))
    try:
        return Progress(**stored)
    except TypeError as error:
        raise ChoraleError(f"{path}: damaged: {error}") from None


def _is_young(folder: Path) -> bool:
    """Whether a run was killed here before it had written more than its recipe."""
    return {it.name for it in folder.iterdir() if not it.name.startswith(".")} <= {"lock", "recipe.toml"}


def _check_same(run: Run, before: dict[str, Any], now: dict[str, Any]) -> None:
    """A run goes on only with the recipe, the seed and the data it was started with."""
    check_format(run.folder / "run.json", before.get("format"))
    changes = differences(read_recipe(run.folder / "recipe.toml"), run.recipe)
    if before.get("seed") != now["seed"]:
        changes.append(f"seed: {before.get('seed')} before, {now['seed']} now")
    was = before.get("data", {})
    changes += [f"data: {name} is another file" for name, mark in now["data"].items() if was.get(name) != mark]
    if changes:
        listed = "\n".join(f"  {change}" for change in changes)
        raise ChoraleError(
            f"{run.folder}: this run was started differently; name another folder to start anew\n{listed}"
        )
    for name, version in now["versions"].items():
        if (old := before.get("versions", {}).get(name)) != version:
            run.notes.append(f"the run was started with {name} {old}, this is {version}; figures may differ a little")


def _locked(folder: Path) -> AbstractContextManager[None]:
    """Hold the folder."""
    return locked(
        folder / "lock", f"{folder}: another process is working on this run; wait for it or name another folder"
    )


def is_busy(folder: Path) -> bool:
    """Whether a process is working on a run."""
    if not (folder / "lock").exists():
        return False
    try:
        with _locked(folder):
            return False
    except ChoraleError:
        return True


def find_split(folder: Path, split: str) -> Path:
    """The file of a split in a folder of data."""
    names = [f"{split}{ending}" for ending in (".json", ".jsonl", ".json.gz", ".jsonl.gz")]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    if not folder.is_dir():
        raise ChoraleError(f"{folder}: no such folder; expected one with {names[0]}")
    raise ChoraleError(f"{folder}: there is no {split} split; expected one of {', '.join(names)}")
