"""Coverage: programs should be right and use what the sentence mentions (the Iterative Search row).

    minimise  sum_z p~(z | x) cost(z)
    cost(z) = w |missing(z)| + (1 - w) |triggered| [z is wrong]        w = 0.4

`triggered` are the actions that words of the sentence trigger, `missing` those of them that z does not use, and p~ are
the probabilities renormalised over the beam.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from chorale.parser.sizes import Sizes
from chorale.plumbing.checking import Share
from chorale.runs.models import MaxActions
from chorale.training.stage import ParserStage, Trainer

if TYPE_CHECKING:
    from chorale.parser.parser import Parser
    from chorale.training.objectives.coverage import CoverageLoss


class Coverage(ParserStage):
    """Train on labels and words: programs should be right and use what the sentence triggers. Needs parser.coverage."""

    kind = "coverage"
    agenda = True
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 6, "patience": 3}

    max_actions: MaxActions = 11
    """The longest program, in actions."""
    weight: Share = 0.4
    """How much a missing action costs; what is left of 1 is what being wrong costs per triggered action."""

    def problem(self, sizes: Sizes) -> str | None:
        return None if sizes.coverage else "coverage needs a parser that is given what to cover: parser.coverage = true"

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> CoverageLoss:
        from chorale.training.objectives.coverage import CoverageLoss  # noqa: PLC0415 - torch

        return CoverageLoss(self, parser, trainer.train, trainer.rewards)
