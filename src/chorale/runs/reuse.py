"""A run that begins where another one is: stages that both recipes have in common are taken over, not trained again.

Two stages do the same if all before them did and their settings are equal, in runs of the same seed, data and versions;
what the recipes are called does not matter. Everything these stages gave is copied, each file checked against the hash
that was noted when it was made, and so are their lines of metrics. The run then is what it would be had it trained them
itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chorale.errors import ChoraleError
from chorale.plumbing.files import checked, write
from chorale.runs.models import FileEntry
from chorale.runs.run import (
    Output,
    Plain,
    Progress,
    Run,
    circumstances,
    read_metrics,
    read_progress,
    read_recipe_table,
    read_run,
    recipe_differences,
)


@dataclass(frozen=True)
class Reuse:
    """The first stages of another run, which a new run can begin with."""

    folder: Path
    progress: Progress
    stages: int

    @staticmethod
    def of(folder: Path, recipe: Plain, seed: int, data: Mapping[str, str], threads: int = 1) -> Reuse:
        """What the run in a folder has in common with a recipe; an error if that is nothing."""
        if not (folder / "run.json").is_file():
            raise ChoraleError(f"{folder}: no such run; expected the folder of one")
        theirs = read_recipe_table(folder)
        progress = read_progress(folder) if (folder / "progress.json").exists() else Progress()
        reasons = read_run(folder).differences(circumstances(seed, data, threads), versions=True)
        common = 0 if reasons else common_stages(theirs, recipe)
        if common == 0:
            reasons += [change for change in recipe_differences(theirs, recipe) if not change.startswith("name: ")]
        elif progress.stages == 0:
            reasons = ["its first stage is not done yet"]
        if reasons:
            raise ChoraleError(
                f"{folder}: this run has no finished stage in common with {recipe['name']!r}; before is there, now is "
                f"here:\n  {reasons[0]}"
            )
        return Reuse(folder, progress, min(common, progress.stages))

    def hand_over(self, run: Run) -> None:
        """Let a run that has done nothing yet begin with these stages."""
        given = self._given()
        for output in given:
            path = Path(output.file)
            (run.folder / path).parent.mkdir(parents=True, exist_ok=True)
            write(run.folder / path, checked(self.folder / path, output.sha256))
        lines = [line for line in read_metrics(self.folder, self.progress.metrics) if line["stage"] <= self.stages]
        metrics = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        write(run.metrics_path, metrics)
        run.progress = Progress(
            stages=self.stages,
            outputs={output.name: FileEntry(file=output.file, sha256=output.sha256) for output in given},
            kept=[output.file for output in given],
            given=given,
            metrics=len(metrics),
        )
        run.commit()

    def _given(self) -> list[Output]:
        """What the stages gave, in order."""
        given = [output for output in self.progress.given if output.stage <= self.stages]
        if {output.stage for output in given} == set(range(1, self.stages + 1)):
            return given
        if self.stages < self.progress.stages:
            raise ChoraleError(
                f"{self.folder}: an older Chorale began this run and did not record all that its stages gave, so it "
                f"can be resumed after stage {self.progress.stages}, but not after stage {self.stages}"
            )
        outputs = self.progress.outputs.items()
        return [Output(stage=self.stages, name=name, **dict(output)) for name, output in outputs]


def common_stages(one: Plain, other: Plain) -> int:
    """How many stages, from the first one on, do the same in both recipes."""
    if any(one.get(name) != other.get(name) for name in ("domain", "language", "min_count", "parser", "decoding")):
        return 0
    if one.get("mix", 0) != other.get("mix", 0):  # older recipes do without
        return 0
    pairs = list(zip(one["stages"], other["stages"], strict=False))
    return next((index for index, (a, b) in enumerate(pairs) if a != b), len(pairs))
