"""Coverage: programs should be right and use what the sentence mentions (the Iterative Search row).

    minimise  sum_z p~(z | x) cost(z)
    cost(z) = w |missing(z)| + (1 - w) |triggered| [z is wrong]        w = 0.4

`triggered` are the actions that words of the sentence trigger, `missing` those of them that z does not use, and p~ are
the probabilities renormalised over the beam.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch
from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.parser import Parser, Sizes
from chorale.parser.decoding import encode
from chorale.plumbing.checking import Share
from chorale.runs.models import MaxActions
from chorale.training.descent import Objective
from chorale.training.rewards import Rewards, renormalised
from chorale.training.stage import ParserStage, Trainer
from chorale.training.stages.reward import expected_reward


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
        return CoverageLoss(self, parser, trainer.train, trainer.rewards)


class CoverageLoss(Objective):
    """The expected cost of utterances; notes `right`, the probability of right programs within the beam."""

    def __init__(self, stage: Coverage, parser: Parser, corpus: Corpus, rewards: Rewards) -> None:
        super().__init__(parser, range(len(corpus)))
        self.stage, self.parser, self.corpus, self.rewards = stage, parser, corpus, rewards

    def loss(self, chosen: list[int]) -> Tensor:
        encoding = encode(self.parser, self.corpus, chosen, agenda=True)
        assert encoding.agenda is not None
        beam = self.parser.search(encoding, self.stage.beam, self.stage.max_actions)
        scores = self.parser.score(encoding, beam.actions.numpy(force=True))
        right = self.rewards.of(chosen, beam.actions)
        self.figures.add("right", (renormalised(beam.log_probabilities) * right).sum(1))
        costs = coverage_cost(beam.actions, right, encoding.agenda, self.stage.weight)
        return expected_reward(scores.log_probabilities, -costs)


def coverage_cost(actions: Tensor, right: Tensor, agenda: Tensor, weight: float = 0.4) -> Tensor:
    """Costs (batch, beam) of actions (batch, beam, step); `agenda` (batch, production) is 1 for triggered actions."""
    productions = agenda.shape[1]
    inside = (actions >= 0) & (actions < productions)  # constants of a context are never triggered
    used = torch.zeros((*actions.shape[:2], productions + 1), dtype=agenda.dtype, device=agenda.device)
    used = used.scatter(2, torch.where(inside, actions, productions), 1)[:, :, :productions]
    missing = (agenda.unsqueeze(1) * (1 - used)).sum(2)
    triggered = agenda.sum(1, keepdim=True)
    return weight * missing + (1 - weight) * triggered * ~right.bool()
