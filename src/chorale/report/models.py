"""The models that ship: what each is, how large, and how good; from its model.json and its card."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chorale.model import shipped
from chorale.plumbing.checking import checked
from chorale.plumbing.files import read_json
from chorale.runs.models import ModelFile

CARD = "README.md"


@dataclass(frozen=True)
class ModelEntry:
    """A model inside the package."""

    name: str
    summary: str
    """What its card says first."""
    kind: str
    """What kind of parser it is: a network, or a ranker."""
    language: str
    recipe: str
    seed: int
    bytes: int
    """The size of its files."""
    dev: dict[str, float]
    """Accuracy and consistency on the dev split it was chosen on."""
    card: Path

    def to_json(self) -> dict[str, Any]:
        """The entry for machines."""
        return {**asdict(self), "card": str(self.card)}


def shipped_models() -> list[ModelEntry]:
    """All models that ship; the first is the one that is used when none is named."""
    return [_entry(name, folder) for name, folder in shipped().items()]


def _entry(name: str, folder: Path) -> ModelEntry:
    path, card = folder / "model.json", folder / CARD
    about = checked(ModelFile, read_json(path), path)
    paragraphs = card.read_text(encoding="utf-8").split("\n\n") if card.exists() else []
    summary = next((" ".join(text.split()) for text in paragraphs if not text.startswith("#")), "")
    size = sum(file.stat().st_size for file in folder.iterdir() if file != card)
    dev = {key.removeprefix("dev_"): value for key, value in about.metrics.items() if key.startswith("dev_")}
    return ModelEntry(name, summary, about.kind_text, about.language, about.recipe, about.seed, size, dev, card)
