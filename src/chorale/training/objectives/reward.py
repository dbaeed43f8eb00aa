"""Expected reward over the beam; the equation is in `stages.reward`."""

from __future__ import annotations

from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.parser.decoding import encode
from chorale.parser.parser import Parser
from chorale.training.consistency import Agreement, Partners, agreement_of
from chorale.training.descent import Objective
from chorale.training.rewards import Rewards, renormalised
from chorale.training.stages.reward import ExpectedReward


class RewardLoss(Objective):
    """Minus the expected reward of utterances; notes `right`, the probability of right programs within the beam."""

    def __init__(
        self,
        stage: ExpectedReward,
        parser: Parser,
        corpus: Corpus,
        rewards: Rewards,
        partners: Partners,
        fillers: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(parser, range(len(corpus)))
        self.stage, self.parser, self.corpus, self.rewards = stage, parser, corpus, rewards
        self.partners, self.fillers = partners, fillers
        self.agreement = Agreement(stage.threshold)

    def loss(self, chosen: list[int]) -> Tensor:
        rows, pairs = self.partners.batch(chosen)
        encoding = encode(self.parser, self.corpus, rows)
        beam = self.parser.search(encoding, self.stage.beam, self.stage.max_actions, attention=pairs is not None)
        rewards = right = self.rewards.of(rows, beam.actions)
        self.figures.add("right", (renormalised(beam.log_probabilities) * right)[: len(chosen)].sum(1))
        if pairs is not None:
            grammars = [self.corpus.grounding.grammar(row) for row in rows]
            agreed = agreement_of(beam, right, pairs, grammars, self.agreement, self.fillers, self.figures)
            rewards = right + self.stage.consistency * agreed
        scores = self.parser.score(encoding.first(len(chosen)), beam.actions[: len(chosen)].numpy(force=True))
        return expected_reward(scores.log_probabilities, rewards[: len(chosen)])


def expected_reward(log_probabilities: Tensor, rewards: Tensor) -> Tensor:
    """Minus the expected reward (batch, beam), mean over the batch."""
    return -(renormalised(log_probabilities) * rewards.detach()).sum(1).mean()
