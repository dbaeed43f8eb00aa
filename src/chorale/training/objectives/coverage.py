"""Coverage; the equation is in `stages.coverage`."""

from __future__ import annotations

import torch
from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.parser.decoding import encode
from chorale.parser.parser import Parser
from chorale.training.descent import Objective
from chorale.training.objectives.reward import expected_reward
from chorale.training.rewards import Rewards, renormalised
from chorale.training.stages.coverage import Coverage


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
