"""A run that begins where another one is: stages that both recipes have in common are taken over, not trained again.

Two stages do the same if all before them did and their settings are equal, in runs of the same seed, data and versions;
what the recipes are called does not matter. Everything these stages gave is copied, each file checked against the
fingerprint that was noted when it was made, and so are their lines of metrics. The run then is what it would be had it
trained them itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError
from chorale.plumbing.files import read_json, sha256, write
from chorale.training.recipes import differences, read_recipe
from chorale.runs.run import Progress, Run, read_progress, versions
from chorale.training.settings import Recipe


@dataclass(frozen=True)
class Heritage:
    """The first stages of another run, which a new run can begin with."""

    folder: Path
    progress: Progress
    stages: int

    @staticmethod
    def of(folder: Path, recipe: Recipe, seed: int, data: Mapping[str, str]) -> Heritage:
        """What the run in a folder has in common with a recipe; complains if that is nothing."""
        if not (folder / "run.json").is_file():
            raise ChoraleError(f"{folder}: no such run; expected the folder of one")
        about, theirs = read_json(folder / "run.json"), read_recipe(folder / "recipe.toml")
        progress = read_progress(folder) if (folder / "progress.json").exists() else Progress()
        told = _circumstances(about, {"seed": seed, "data": dict(data), "versions": versions()})
        common = 0 if told else common_stages(theirs, recipe)
        if common == 0:
            told += [change for change in differences(theirs, recipe) if not change.startswith("name: ")]
        elif progress.stages == 0:
            told = ["its first stage is not done yet"]
        if told:
            raise ChoraleError(
                f"{folder}: this run has no finished stage in common with {recipe.name!r}; before is there, now is "
                f"here:\n  {told[0]}"
            )
        return Heritage(folder, progress, min(common, progress.stages))

    def hand_over(self, run: Run) -> None:
        """Let a run that has done nothing yet begin with these stages."""
        given = self._given()
        for output in given:
            path = Path(output["file"])
            if path.is_absolute() or ".." in path.parts:
                raise ChoraleError(f"{self.folder / 'progress.json'}: damaged: {path} is not a file of the run")
            (run.folder / path).parent.mkdir(parents=True, exist_ok=True)
            write(run.folder / path, _read(self.folder / path, output["sha256"]))
        metrics = self._metrics()
        write(run.metrics_path, metrics)
        outputs = {output["name"]: {key: output[key] for key in ("file", "sha256")} for output in given}
        kept = [output["file"] for output in given]
        run.progress = Progress(self.stages, outputs=outputs, kept=kept, given=given, metrics=len(metrics))
        run.commit()

    def _given(self) -> list[dict[str, Any]]:
        """What the stages gave, in order."""
        given = [output for output in self.progress.given if output["stage"] <= self.stages]
        if {output["stage"] for output in given} == set(range(1, self.stages + 1)):
            return given
        if self.stages < self.progress.stages:
            raise ChoraleError(
                f"{self.folder}: an older Chorale began this run and did not note all that its stages gave, so that it "
                f"can be gone on with behind stage {self.progress.stages}, but not behind stage {self.stages}"
            )
        return [{"stage": self.stages, "name": name, **output} for name, output in self.progress.outputs.items()]

    def _metrics(self) -> bytes:
        """The lines of metrics of the stages."""
        path = self.folder / "metrics.jsonl"
        lines = path.read_bytes()[: self.progress.metrics].splitlines(keepends=True)
        try:
            return b"".join(line for line in lines if json.loads(line)["stage"] <= self.stages)
        except (ValueError, KeyError, TypeError) as error:
            raise ChoraleError(f"{path}: damaged: {error!r}") from None


def common_stages(one: Recipe, other: Recipe) -> int:
    """How many stages, from the first one on, do the same in both recipes."""
    if any(getattr(one, name) != getattr(other, name) for name in ("domain", "language", "min_count", "parser")):
        return 0
    pairs = zip(one.stages, other.stages, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one.stages), len(other.stages)))


def _circumstances(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Where the seed, the data and the versions of two runs differ, in words."""
    told = [] if there.get("seed") == here["seed"] else [f"seed: {there.get('seed')} before, {here['seed']} now"]
    was = there.get("data", {})
    told += [f"data: {name} is another file" for name, mark in here["data"].items() if was.get(name) != mark]
    was = there.get("versions", {})
    told += [
        f"{name}: {was.get(name)} before, {version} now"
        for name, version in here["versions"].items()
        if was.get(name) != version
    ]
    return told


def _read(path: Path, fingerprint: str) -> bytes:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ChoraleError(f"{path}: missing; the run's progress.json speaks of it") from None
    if sha256(content) != fingerprint:
        raise ChoraleError(
            f"{path}: damaged or changed: its fingerprint is not the one that was noted; restore the file"
        )
    return content
