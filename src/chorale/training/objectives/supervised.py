"""The likelihood of examples; the equation is in `stages.supervised`."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from chorale.parser.parser import Parser
from chorale.training.descent import Objective
from chorale.training.stages.supervised import ProgramExample


class ExampleLoss(Objective):
    """Minus the log-likelihood of the programs of examples."""

    def __init__(self, parser: Parser, made: Sequence[ProgramExample]) -> None:
        super().__init__(parser, range(len(made)))
        self.parser, self.made = parser, made

    def loss(self, chosen: list[int]) -> Tensor:
        encoding = self.parser.encode([self.made[number].words for number in chosen])
        scores = self.parser.score(encoding, [[self.made[number].actions] for number in chosen])
        return -scores.log_probabilities.mean()
