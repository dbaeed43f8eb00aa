"""Synthesis: utterances that a domain makes up, each with the program that it means.

They can be written to files, and learned from beside those that people wrote (`mix` in a recipe).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chorale.domain import json_lines
from chorale.domain.utterance import Utterance
from chorale.plumbing.files import alone, replacing

if TYPE_CHECKING:
    from chorale.domain.domain import Domain


class Synthetic(Utterance, Protocol):
    """An utterance whose program is known."""

    @property
    def program(self) -> str:
        """What it means, as text."""
        ...


class Synthesis(ABC):
    """Makes utterances up."""

    @abstractmethod
    def made(self, count: int, seed: int, split: str = "train") -> Sequence[Synthetic]:
        """So many utterances, the same ones for the same seed and split; fewer are the first of more."""


def write_made(domain: Domain, made: Synthesis, folder: Path, sizes: Mapping[str, int], seed: int) -> dict[str, Path]:
    """Write `SPLIT.jsonl.gz` for each split with its number of utterances; give back the files.

    They are JSON lines as `Domain.read` takes them, with the known program as an extra field.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = {split: folder / f"{split}.jsonl.gz" for split in sizes}
    held = f"{folder}: another process is writing a corpus there; wait for it, or name another folder"
    with alone(folder / "corpus", held), ExitStack() as files:
        for split, count in sizes.items():
            stream = files.enter_context(replacing(written[split]))
            for one in made.made(count, seed, split):
                line = json_lines.line(domain, one.identifier, one.sentence, one.contexts, one.answers)
                line["program"] = one.program
                stream.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return written
