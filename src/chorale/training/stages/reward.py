"""Expected reward over the beam: move probability to the programs that are right.

    maximise  sum_z p~(z | x) R(x, z)        p~(z | x) = p(z | x) / sum_{z' in beam} p(z' | x)

The beam is searched without gradient, its programs are then scored exactly, and the gradient goes through the
renormalised probabilities p~. Nothing is sampled, and the reward is a constant.

With the consistency reward (see `consistency`) the reward is R + weight * C, where C is agreement with related
utterances: these are decoded together with the batch, each once, and only the programs of the batch are then scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from torch import Tensor

from chorale.domain import needed
from chorale.domain.parsing import Corpus
from chorale.parser import Parser
from chorale.parser.decoding import encode
from chorale.plumbing.checking import Count, Share
from chorale.runs.models import MaxActions
from chorale.training.consistency import Agreement, Partners, agreement_of
from chorale.training.descent import Objective
from chorale.training.rewards import Rewards, renormalised
from chorale.training.stage import ParserStage, Trainer


class ExpectedReward(ParserStage):
    """Train on labels: maximise the expected reward of the programs in the beam."""

    kind = "reward"
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 10, "patience": 5}

    max_actions: MaxActions = 13
    """The longest program, in actions."""
    patience: Count = 15
    """How many epochs without a better one on dev end the stage."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.0005
    """Step size of Adam."""
    consistency: Annotated[float, Field(ge=0)] = 0.0
    """How much agreement with related utterances counts beside being right; 1 in the paper, 0 leaves it out. The keys
    below it matter only then. Partners are drawn once per run, from its seed, so all its stages have the same."""
    phrases: str = "run"
    """The phrases that relate utterances: a set that ships with the domain, or a file. NLVR has those that were
    really run, "run", and those the paper prints, "printed"."""
    matching: Literal["tokens", "reference"] = "tokens"
    """How phrases are found: by lower-cased tokens, or as the reference does, with its bugs."""
    partners: Count = 1
    """Related utterances per utterance and phrase; their rewards are averaged."""
    other_fillers: Annotated[int, Field(ge=0)] = 0
    """As many more, which have the phrase with other fillers, such as another colour. What says the fillers does not
    count there. The reference did so in its last runs."""
    threshold: Share = 0.6
    """The attention on the phrase from which on an action belongs to it; 0.7 in the reference."""

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> RewardLoss:
        partners, fillers = Partners([]), frozenset[str]()
        if self.consistency:
            relations = needed(trainer.domain.relations, trainer.domain, "relations", "the consistency reward")
            found = relations.related(
                trainer.train.utterances,
                self.phrases,
                matching=self.matching,
                partners=self.partners,
                other_fillers=self.other_fillers,
                seed=trainer.run.seed,
            )
            partners = Partners(found)
            fillers = relations.fillers
        return RewardLoss(self, parser, trainer.train, trainer.rewards, partners, fillers)


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
