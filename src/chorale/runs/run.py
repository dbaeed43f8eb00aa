"""A run is a folder; kill it at any moment, start it again, get the same numbers.

    recipe.toml      the recipe with every value spelled out
    run.json         seed, versions, hashes of the data, format
    progress.json    how far the run is: the one file that decides
    metrics.jsonl    a line per epoch; no times, so that equal runs have equal files
    times.jsonl      how long everything took
    stages/03-reward/...   weights and candidates
    model.json, model.safetensors, dev.json   at the end: the parser, and what it says about dev

Everything that a stage leaves behind is written first, `progress.json` last. What it does not mention was written by a
process that was killed before it got so far, and is removed; `metrics.jsonl` is cut to the length that it mentions.

A run does not know what stages do: its recipe is a plain table, as TOML has it.
"""

from __future__ import annotations

import json
import platform
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path, PurePath
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from chorale.errors import ChoraleError
from chorale.plumbing.checking import Checked, Count, M, Number, Share, checked, shown
from chorale.plumbing.files import (
    BusyError,
    append_line,
    clear_parts,
    locked,
    read_json,
    read_plain,
    truncate,
    write,
    write_json,
)
from chorale.plumbing.version import version
from chorale.runs.models import FORMAT, FileEntry, check_format
from chorale.runs.retired import retired_in_recipe

Plain = Mapping[str, Any]
"""A recipe as TOML has it."""

MOST_RECIPE = 256 << 10
"""The longest recipe, in bytes."""


class Output(FileEntry):
    """What a stage gave."""

    stage: Count
    name: str


class _Best(FileEntry):
    """The best epoch so far: its weights, and its figures on dev."""

    epoch: Number
    dev_accuracy: Share
    dev_consistency: Share


class _State(Checked):
    """Where a descent is."""

    epoch: Number
    latest: FileEntry
    best: _Best


class Progress(Checked):
    """How far a run is."""

    model_config = ConfigDict(frozen=False)

    format: int = FORMAT
    stages: Number = 0
    """Stages that are done."""
    state: dict[str, Any] = Field(default_factory=dict)
    """How far the current stage is."""
    outputs: dict[str, FileEntry] = Field(default_factory=dict)
    """The last of each thing that stages give: "model", "candidates" or "reranker"."""
    kept: list[str] = Field(default_factory=list)
    """Files of finished stages, which stay."""
    given: list[Output] = Field(default_factory=list)
    """All that finished stages gave, in order. Other runs may begin with it."""
    metrics: Number = 0
    """Length of metrics.jsonl in bytes."""
    done: bool = False

    @field_validator("state")
    @classmethod
    def _is_a_state(cls, state: dict[str, Any]) -> dict[str, Any]:
        if state:
            _State.model_validate(state)
        return state

    @model_validator(mode="after")
    def _names_files_of_the_run(self) -> Self:
        entries = [*self.outputs.values(), *self.given]
        parts = (part["file"] for part in self.state.values() if isinstance(part, dict))
        for file in (*self.kept, *(entry.file for entry in entries), *parts):
            if not is_inside(file):
                raise ValueError(f"{file!r:.80} is not a file of the run")
        return self


def is_inside(file: str) -> bool:
    """Whether a name is that of a file within the folder that names it."""
    path = PurePath(file)
    return bool(file) and "\0" not in file and not path.is_absolute() and ".." not in path.parts


class RunFile(Checked):
    """What run.json says: under which circumstances the run was started."""

    format: int
    seed: int
    data: dict[str, str]
    """The hashes of the files it learns from."""
    versions: dict[str, str]

    def differences(self, now: RunFile, *, versions: bool) -> list[str]:
        """Where the circumstances of two runs differ, in words."""
        differences = [] if self.seed == now.seed else [f"seed: {self.seed} before, {now.seed} now"]
        differences += [f"data: {name} is another file" for name, it in now.data.items() if self.data.get(name) != it]
        if versions:
            differences += [
                f"{name}: {self.versions.get(name)} before, {it} now"
                for name, it in now.versions.items()
                if self.versions.get(name) != it
            ]
        return differences


class Run:
    """The folder of one training."""

    def __init__(self, folder: Path, recipe: Plain, seed: int) -> None:
        self.folder = folder
        self.recipe = recipe
        self.seed = seed
        self.progress = Progress()
        self.notes: list[str] = []

    @property
    def metrics_path(self) -> Path:
        return self.folder / "metrics.jsonl"

    def stage_folder(self, index: int) -> Path:
        """Where a stage of the recipe keeps its files."""
        folder = self.folder / "stages" / f"{index + 1:02}-{self.recipe['stages'][index]['kind']}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def commit(self, line: Mapping[str, Any] | None = None) -> None:
        """Make the progress last, with a line of metrics that belongs to it."""
        if line is not None:
            self.progress.metrics = append_line(self.metrics_path, dict(line))
        write_json(self.folder / "progress.json", self.progress.model_dump())

    def note_time(self, **values: Any) -> None:
        """Record how long something took; nothing depends on it."""
        append_line(self.folder / "times.jsonl", values)

    def keep(self, name: str, path: Path, hashed: str) -> None:
        """Remember what a stage gives to those after it."""
        file = str(path.relative_to(self.folder))
        self.progress.outputs[name] = FileEntry(file=file, sha256=hashed)
        self.progress.kept.append(file)
        self.progress.given.append(Output(stage=self.progress.stages + 1, name=name, file=file, sha256=hashed))

    def output(self, name: str) -> tuple[Path, str]:
        """The file and hash of the last thing of this name that a stage gave."""
        if name not in self.progress.outputs:
            raise ChoraleError(f"{self.folder / 'progress.json'}: damaged: no stage gave {name!r}")
        output = self.progress.outputs[name]
        return self.folder / output.file, output.sha256

    def clear_leftovers(self) -> None:
        """Remove what a killed process wrote but never committed, and weights that are no longer needed."""
        clear_parts(self.folder)
        named = set(self.progress.kept)
        named |= {part["file"] for part in self.progress.state.values() if isinstance(part, dict) and "file" in part}
        for path in (self.folder / "stages").glob("*/*.safetensors"):
            if str(path.relative_to(self.folder)) not in named:
                path.unlink(missing_ok=True)


def circumstances(seed: int, data: Mapping[str, str], threads: int = 1) -> RunFile:
    """What a run that is started now would note; versions may make two runs differ in the last digits."""
    versions = {"chorale": version(), "python": platform.python_version()}
    with suppress(PackageNotFoundError):
        versions["torch"] = installed_version("torch")
    versions |= {"numpy": np.__version__, "threads": str(threads)}
    return RunFile(format=FORMAT, seed=seed, data=dict(data), versions=versions)


@contextmanager
def open_run(folder: Path, recipe: str, seed: int, data: Mapping[str, str], threads: int = 1) -> Iterator[Run]:
    """Start a run of a recipe (its text) or resume it; `data` are the hashes of the files it learns from.

    While it is open no other process can open it.
    """
    path, now = folder / "run.json", circumstances(seed, data, threads)
    if folder.exists() and not path.exists() and not _is_young(folder):
        raise ChoraleError(f"{folder}: this folder holds something else; name another one")
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        run = Run(folder, tomllib.loads(recipe), seed)
        if path.exists():
            _check_same(run, read_run(folder), now)
        else:
            write(folder / "recipe.toml", recipe.encode())
            write_json(path, now.model_dump())
        if (folder / "progress.json").exists():
            run.progress = read_progress(folder)
            if run.progress.stages > len(run.recipe["stages"]):
                raise ChoraleError(f"{folder / 'progress.json'}: damaged: more stages are done than the recipe has")
        truncate(run.metrics_path, run.progress.metrics)
        run.clear_leftovers()
        yield run


def _is_young(folder: Path) -> bool:
    """Whether a run was killed here before it had written more than its recipe, if so much."""
    names = {it.name for it in folder.iterdir() if not it.name.startswith(".")}
    return names <= {"lock", "recipe.toml"} or "run.json" in names  # which another process has just written


def _check_same(run: Run, before: RunFile, now: RunFile) -> None:
    """A run resumes only with the recipe, the seed and the data it was started with."""
    changes = recipe_differences(read_recipe_table(run.folder), run.recipe)
    changes += before.differences(now, versions=False)
    if changes:
        listed = "\n".join(f"  {change}" for change in changes)
        raise ChoraleError(
            f"{run.folder}: this run was started with other settings; name another folder to start afresh\n{listed}"
        )
    for name, it in now.versions.items():
        if (old := before.versions.get(name)) != it:
            run.notes.append(f"the run was started with {name} {old}, this is {it}; figures may differ a little")


def recipe_differences(old: Plain, new: Plain) -> list[str]:
    """Where two recipes differ, in words."""
    before, after = _flat(old), _flat(new)
    keys = [*before, *(key for key in after if key not in before)]
    return [
        f"{key}: {before.get(key)!r} before, {after.get(key)!r} now"
        for key in keys
        if before.get(key) != after.get(key)
    ]


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    """A table as keys with dots; lists are numbered from 1."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
    flat: dict[str, Any] = {}
    for key, it in items:
        flat |= _flat(it, f"{prefix}{key}.") if isinstance(it, Mapping | list) else {f"{prefix}{key}": it}
    return flat


# -- reading what runs wrote -------------------------------------------------------------------------------------------


def read_run(folder: Path) -> RunFile:
    """Under which circumstances the run in a folder was started."""
    return _read(RunFile, folder / "run.json")


def read_progress(folder: Path) -> Progress:
    """How far the run in a folder is."""
    return _read(Progress, folder / "progress.json")


def read_recipe_table(folder: Path) -> Plain:
    """The recipe of the run in a folder, without keys that are gone and say what is done now anyway."""
    path = folder / "recipe.toml"
    try:
        table = tomllib.loads(read_plain(path, MOST_RECIPE).decode())
    except (ValueError, RecursionError) as error:
        raise ChoraleError(f"{path}: damaged: {error}") from None
    stages = table.get("stages")
    if not isinstance(stages, list) or not all(
        isinstance(it, dict) and isinstance(it.get("kind"), str) for it in stages
    ):
        raise ChoraleError(f"{path}: damaged: stages: expected a list of stages, found {shown(stages)}")
    if not isinstance(table.get("name"), str):
        raise ChoraleError(f"{path}: damaged: name: expected text, found {shown(table.get('name'))}")
    for retired in list(retired_in_recipe(table)):
        if retired.is_built_in:
            retired.take_out()
    return table


class _Line(BaseModel):
    """A line of metrics: the stage it belongs to, and figures."""

    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)

    stage: Count
    kind: str
    epoch: Number = 0
    chosen: Number = 0
    loss: float = 0.0
    dev_accuracy: Share = 0.0
    dev_consistency: Share = 0.0


class _Figures(BaseModel):
    """What dev.json says in two numbers."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    accuracy: Share
    consistency: Share


def is_line(value: Any) -> bool:
    """Whether some JSON is a line of metrics."""
    try:
        return bool(_Line.model_validate(value))
    except ValueError:
        return False


def checked_figures(value: Any) -> dict[str, float]:
    """Accuracy and consistency as dev.json has them; empty if it has none."""
    try:
        return _Figures.model_validate(value).model_dump()
    except ValueError:
        return {}


def read_metrics(folder: Path, length: int | None = None) -> list[dict[str, Any]]:
    """The lines of metrics of the run in a folder; those within the first `length` bytes, if that is said."""
    path, metrics = folder / "metrics.jsonl", []
    for number, line in enumerate(read_plain(path)[:length].splitlines(), 1) if path.exists() else ():
        try:
            value = json.loads(line)
            _Line.model_validate(value)
            metrics.append(value)  # as it stands there, the order of its keys included
        except (ValueError, RecursionError) as error:
            raise ChoraleError(f"{path}:{number}: damaged: {' '.join(str(error).split())}") from None
    return metrics


class _Evaluation(BaseModel):
    right: dict[str, list[bool]]


def read_right(path: Path) -> dict[str, tuple[bool, ...]]:
    """Which utterances a finished run is right on, context by context: from its dev.json, or test.json."""
    stored = read_json(path)
    try:
        right = _Evaluation.model_validate(stored, strict=True).right
    except ValueError as error:
        raise ChoraleError(f"{path}: damaged: {' '.join(str(error).split())}") from None
    if not right or not all(right.values()):
        raise ChoraleError(f"{path}: damaged: there is an utterance without answers, or no utterance at all")
    return {name: tuple(values) for name, values in right.items()}


def _read(kind: type[M], path: Path) -> M:
    stored = read_json(path)
    check_format(path, stored.get("format"))
    return checked(kind, stored, path)


# -- folders -----------------------------------------------------------------------------------------------------------


def _locked(folder: Path) -> AbstractContextManager[None]:
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
    except BusyError:
        return True
    except ChoraleError:  # it cannot be locked, so nobody has locked it
        return False


def find_split(folder: Path, split: str) -> Path:
    """The file of a split in a folder of data."""
    names = [f"{split}{ending}" for ending in (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".tsv", ".tsv.gz")]
    for name in (*names, f"random-split-1-{split}.tsv"):  # the last is what WikiTableQuestions calls it
        if (folder / name).is_file():
            return folder / name
    if folder.is_file():
        raise ChoraleError(f"{folder}: this is a file; expected the folder with {names[0]}, plain or packed")
    if not folder.is_dir():
        raise ChoraleError(f"{folder}: no such folder; expected one with {names[0]}")
    raise ChoraleError(f"{folder}: there is no {split} split; expected one of {', '.join(names)}")
