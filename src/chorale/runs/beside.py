"""Files of weights beside the JSON of a model, put in place so that there is a whole model at every moment.

The JSON names its weights. While a new model takes the place of another, its weights go to names that the JSON does not
use yet; then comes the new JSON, and at last the old weights go. Weights that stay as they were keep their file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError
from chorale.plumbing.files import hash_of_file, read_json

WEIGHTS, RESCORER, RERANKER = ".safetensors", ".rescorer.safetensors", ".reranker.safetensors"


class Beside:
    """What a model that is being written puts beside its JSON, `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._used = dict(_entries(path))
        self._now: set[str] = set()

    def entry(self, ending: str, write: Callable[[Path], str]) -> dict[str, str]:
        """Write weights, which gives their hash; what the JSON is to say of them."""
        there, free = self._names(ending)
        if there.name not in self._used:
            there, free = free, there
        hashed = write(free)
        if self._used.get(there.name) == hashed and there.is_file() and hash_of_file(there) == hashed:
            free.unlink()
            free = there
        self._now.add(free.name)
        return {"file": free.name, "sha256": hashed}

    def tidy(self) -> None:
        """Remove weights of our names that the new JSON does not name."""
        for ending in (WEIGHTS, RESCORER, RERANKER):
            for file in self._names(ending):
                if file.name not in self._now:
                    file.unlink(missing_ok=True)

    def _names(self, ending: str) -> tuple[Path, Path]:
        """The two names between which the weights change."""
        return self._path.with_suffix(ending), self._path.with_suffix(f".1{ending}")


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    """The files that a model's JSON names, with their hashes; none if there is no such model."""
    try:
        about = read_json(path)
    except ChoraleError:
        return
    for part in (about, about.get("rescorer"), about.get("reranker")):
        entry: Any = part.get("weights") if isinstance(part, dict) else None
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            yield entry["file"], str(entry.get("sha256"))
