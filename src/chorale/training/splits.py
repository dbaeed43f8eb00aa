"""What a run learns from: the splits of a folder, or any utterances that somebody has chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chorale.domain import Domain, Utterance
from chorale.plumbing.files import hash_of_file
from chorale.runs.run import find_split


@dataclass(frozen=True)
class Splits:
    """Train, which is learned from, and dev, on which stages choose their best epoch."""

    hashes: Mapping[str, str]
    """By split: a run resumes only with what it was started with."""
    read: Callable[[Domain], tuple[Sequence[Utterance], Sequence[Utterance]]]
    """Gives train and dev; called once there is work to do."""

    @staticmethod
    def of(folder: Path) -> Splits:
        """The splits of a folder of data."""
        train, dev = (find_split(folder, split) for split in ("train", "dev"))
        hashes = {"train": hash_of_file(train), "dev": hash_of_file(dev)}
        return Splits(hashes, lambda domain: (domain.read(train), domain.read(dev)))
