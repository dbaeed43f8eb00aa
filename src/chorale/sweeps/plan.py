"""What a sweep is made of: every recipe with every seed and every change, each a run of its own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from chorale.domain.registry import find_domain
from chorale.engines.engine import Running
from chorale.errors import ChoraleError
from chorale.runs.run import checked_figures, is_line
from chorale.training.recipes import common_stages, read_recipe

_LONGEST_NAME = 200  # bytes; most systems end at 255, and `.output.txt` is added


@dataclass
class Job:
    """One run of a sweep."""

    recipe: Path
    changes: tuple[str, ...]
    seed: int
    folder: Path
    after: Job | None = None
    """The run whose stages this one begins with; it is waited for."""
    status: str = "waiting"
    """waiting, running, elsewhere (another process is at it), done, failed or stopped."""
    process: Running | None = field(default=None, repr=False)

    @property
    def output(self) -> Path:
        """Where goes what the run prints."""
        return self.folder.with_name(f"{self.folder.name}.output.txt")

    @property
    def last_line(self) -> dict[str, Any]:
        """The last line of metrics of the run; empty if it is not one."""
        line = self._read("metrics.jsonl", last_line=True)
        return line if is_line(line) else {}

    @property
    def result(self) -> dict[str, Any]:
        """Accuracy and consistency on dev, once the run is complete."""
        return checked_figures(self._read("dev.json")) if self.is_done else {}

    @property
    def is_done(self) -> bool:
        return self._read("progress.json").get("done") is True

    def _read(self, name: str, last_line: bool = False) -> dict[str, Any]:
        """The JSON of a file that another process may be writing, or may never have written."""
        try:
            content = (self.folder / name).read_bytes()
            value = json.loads(content.splitlines()[-1] if last_line else content)
        except (OSError, ValueError, IndexError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


def _folder_name(name: str) -> str:
    """What the folder of a recipe's runs is called; recipes may be a stranger's."""
    name = name.replace("/", "_")
    if name.strip(".") == "" or not name.isprintable() or len(name.encode()) > _LONGEST_NAME:
        raise ChoraleError(f"no folder can be called {name!r:.80}; give the recipe another name")
    return name


def jobs_of(recipes: Sequence[Path], seeds: Iterable[int], changes: Sequence[str], out: Path) -> list[Job]:
    """All runs of a sweep; a change `key=v1,v2` stands for one sweep per value. Faulty recipes are reported at once."""
    choices = []
    for change in changes:
        key, sign, values = change.partition("=")
        if not sign:
            raise ChoraleError(f"--set {change}: expected key=value or key=value1,value2")
        choices.append([f"{key.strip()}={value.strip()}" for value in values.split(",")])
    varied = {change for some in choices if len(some) > 1 for change in some}
    jobs, numbers, read = [], list(seeds), []
    for recipe in recipes:
        for chosen in itertools.product(*choices):
            parsed = read_recipe(recipe, chosen)
            parsed.check_domain(find_domain(parsed.domain))
            parsed.check_installed()
            name = "+".join([parsed.name, *(it for it in chosen if it in varied)])
            jobs += [Job(recipe, chosen, seed, out / _folder_name(name) / f"seed-{seed}") for seed in numbers]
            read += [parsed] * len(numbers)
    folders = [job.folder for job in jobs]
    twice = next((folder for folder in folders if folders.count(folder) > 1), None)
    if twice is not None:
        raise ChoraleError(f"{twice}: two recipes would go there; give them different names")
    for job, ours in zip(jobs, read, strict=True):
        begin_so = [  # runs of the same seed whose whole recipe is the beginning of this one
            (len(theirs.stages), other)
            for other, theirs in zip(jobs, read, strict=True)
            if other.seed == job.seed and common_stages(theirs, ours) == len(theirs.stages) < len(ours.stages)
        ]
        _, job.after = max(begin_so, key=itemgetter(0), default=(0, None))
    return jobs
