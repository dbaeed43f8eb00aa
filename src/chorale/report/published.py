"""The rows of the results tables, by the recipe that makes each: what was published, and what goes beyond.

NLVR's rows are those of one paper, which recipes make anew. WikiTableQuestions has been parsed by many systems, none of
which is made here; they stand beside our rows as their papers have them (`WTQ`).
"""

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
    domain: str = "nlvr"

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
    PublishedRow("tables", "Chorale, ranker by key", domain="tables"),
    PublishedRow("tables_rescored", "Chorale, best readings judged again", domain="tables"),
    PublishedRow("tables_everyday", "Chorale, and everyday questions made up", domain="tables"),
)
"""All rows: after the paper's those of our own."""


@dataclass(frozen=True, slots=True)
class PublishedSystem:
    """What was published about a system that is not made here: accuracy on dev and on test, in percent."""

    label: str
    source: str
    dev: float | None = None
    test: float | None = None
    is_pretrained: bool = False
    is_ensemble: bool = False


WTQ = (
    PublishedSystem("Floating parser", "Pasupat and Liang, ACL 2015", 37.0, 37.1),
    PublishedSystem("Macro grammars", "Zhang, Pasupat and Liang, EMNLP 2017", 40.6, 43.7),
    PublishedSystem("Type constraints", "Krishnamurthy, Dasigi and Gardner, EMNLP 2017", None, 43.3),
    PublishedSystem("MAPO", "Liang et al., NeurIPS 2018", None, 43.8),
    PublishedSystem("Iterative search", "Dasigi et al., NAACL 2019", None, 44.3),
    PublishedSystem("Structured alignments", "Wang, Titov and Lapata, EMNLP 2019", None, 44.5),
    PublishedSystem("TaPas-large", "Herzig et al., ACL 2020", None, 48.8, is_pretrained=True),
    PublishedSystem("TaBERT", "Yin et al., ACL 2020", None, 52.3, is_pretrained=True),
    PublishedSystem("TAPEX-large", "Liu et al., ICLR 2022", None, 57.5, is_pretrained=True),
    PublishedSystem("OmniTab", "Jiang et al., NAACL 2022", None, 62.8, is_pretrained=True),
)
"""On WikiTableQuestions, single models."""
WTQ_NOTE = (
    "Published figures are quoted from memory of the papers' abstracts and tables, and were not checked against them. "
    "The official test tables are not looked at here."
)


def table_recipes(names: Sequence[str] = (), domain: str = "nlvr") -> dict[str, Path]:
    """The recipes of these rows of a domain, or of the paper's, in the order of the table."""
    shipped = shipped_recipes()
    rows = [row for row in ROWS if row.domain == domain]
    known = {row.recipe: shipped[row.recipe] for row in rows if row.recipe in shipped}
    for name in names:
        if name not in known:
            raise ChoraleError(f"--rows {name}: there is no such row; {unknown(name, known)}")
    chosen = names or [row.recipe for row in (PUBLISHED if domain == "nlvr" else rows)]
    return {name: path for name, path in known.items() if name in chosen}
