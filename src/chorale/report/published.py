"""The rows of the results table, by the recipe that makes each: what was published about NLVR, and what goes beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chorale.errors import ChoraleError, unknown
from chorale.training.recipes import shipped_recipes

Pair = tuple[float, float]
"""Accuracy and consistency, in percent."""


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A row of the table: what the published system reaches on dev, Test-P and Test-H, if there is one."""

    recipe: str
    label: str
    dev: Pair | None = None
    test: Pair | None = None
    hidden: Pair | None = None

    @property
    def printed(self) -> dict[str, Pair]:
        """The published figures, by split."""
        return {split: pair for split, pair in (("dev", self.dev), ("test", self.test)) if pair is not None}


PUBLISHED = (
    PublishedRow("abstract", "Abs. Sup.", (84.3, 66.3), (81.7, 60.1)),
    PublishedRow("abstract_rerank", "Abs. Sup. + ReRank", (85.7, 67.4), (84.0, 65.0), (82.5, 63.9)),
    PublishedRow("iterative_search", "Iterative Search", (85.4, 64.8), (82.4, 61.3), (82.9, 64.3)),
    PublishedRow("language", "+ Logical Language Design", (88.2, 73.6), (86.0, 69.6)),
    PublishedRow("consistency", "+ Consistency Reward", (89.6, 75.9), (86.3, 71.0), (89.5, 74.0)),
)
"""The paper's, in the order of its table; each row is a step up from the one before it."""

ROWS = (
    *PUBLISHED,
    PublishedRow("weighted", "Weighted candidates"),
    PublishedRow("weighted_reward", "Weighted candidates + Reward"),
    PublishedRow("ranker", "Ranker"),
    PublishedRow("best", "Best"),
)
"""All rows: after the paper's those of our own."""


def table_recipes(names: Sequence[str] = ()) -> dict[str, Path]:
    """The recipes of these rows, or of the paper's, in the order of the table."""
    shipped = shipped_recipes()
    known = {row.recipe: shipped[row.recipe] for row in ROWS if row.recipe in shipped}
    for name in names:
        if name not in known:
            raise ChoraleError(f"--rows {name}: there is no such row; {unknown(name, known)}")
    chosen = names or [row.recipe for row in PUBLISHED]
    return {name: path for name, path in known.items() if name in chosen}
