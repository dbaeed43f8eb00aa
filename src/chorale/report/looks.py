"""Looks at a test split: each is noted before it is taken, beside the runs that were asked."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path

from chorale.errors import ChoraleError
from chorale.plumbing.files import append_line, hash_of_file, sha256
from chorale.plumbing.version import version
from chorale.runs.run import read_recipe_table

LOOKS = "looks-at-test.jsonl"


def is_test(file: Path) -> bool:
    """Whether a data file is a test split, by its name."""
    return file.name.startswith("test.")


def refuse_test(data: Path) -> None:
    """Pages show sentences, and those of a test split should stay unseen by those who work on a parser."""
    if is_test(data):
        raise ChoraleError(
            f"{data}: a test split by its name, and its sentences should stay unseen; look at mistakes on dev instead"
        )


def note_look(folder: Path, file: Path, runs: Sequence[Path]) -> Path:
    """Note in a folder that these runs are asked about a test split; returns where."""
    recipes = {run: path.read_bytes() for run in runs if (path := run / "recipe.toml").is_file()}
    look = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "chorale": version(),
        "commit": _commit(),
        "data": hash_of_file(file),
        "recipes": {
            read_recipe_table(run)["name"]: sha256(text) for run, text in sorted(recipes.items(), key=itemgetter(1))
        },
        "runs": len(runs),
    }
    append_line(folder / LOOKS, look)
    return folder / LOOKS


def _commit() -> str | None:
    """The commit of the sources, if they are a repository."""
    here = Path(__file__).resolve().parent
    try:
        answer = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()
