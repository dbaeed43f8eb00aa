"""What was published about NLVR: the paper's table, by the recipe that makes each row."""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Published:
    """A row of the table: accuracy and consistency, in percent, on dev, Test-P and Test-H."""

    recipe: str
    label: str
    dev: Pair
    test: Pair
    hidden: Pair | None = None


PUBLISHED = (
    Published("abstract", "Abs. Sup.", (84.3, 66.3), (81.7, 60.1)),
    Published("abstract_rerank", "Abs. Sup. + ReRank", (85.7, 67.4), (84.0, 65.0), (82.5, 63.9)),
    Published("iterative_search", "Iterative Search", (85.4, 64.8), (82.4, 61.3), (82.9, 64.3)),
    Published("language", "+ Logical Language Design", (88.2, 73.6), (86.0, 69.6)),
    Published("consistency", "+ Consistency Reward", (89.6, 75.9), (86.3, 71.0), (89.5, 74.0)),
)
"""In the order of the table; each row is a step up from the one before it."""
