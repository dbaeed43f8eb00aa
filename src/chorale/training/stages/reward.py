"""Expected reward over the beam: move probability to the programs that are right.

    maximise  sum_z p~(z | x) R(x, z)        p~(z | x) = p(z | x) / sum_{z' in beam} p(z' | x)

The beam is searched without gradient, its programs are then scored exactly, and the gradient goes through the
renormalised probabilities p~. Nothing is sampled, and the reward is a constant.

With the consistency reward (see `consistency`) the reward is R + weight * C, where C is agreement with related
utterances: these are decoded together with the batch, each once, and only the programs of the batch are then scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from chorale.domain import needed
from chorale.plumbing.checking import Count, Share
from chorale.runs.models import MaxActions
from chorale.training.stage import ParserStage, Trainer

if TYPE_CHECKING:
    from chorale.parser.parser import Parser
    from chorale.training.objectives.reward import RewardLoss


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
        from chorale.training.consistency import Partners  # noqa: PLC0415 - torch
        from chorale.training.objectives.reward import RewardLoss  # noqa: PLC0415 - torch

        partners, fillers = Partners([]), frozenset[str]()
        if self.consistency:
            relations = needed(trainer.domain.relations, trainer.domain, "relations", "the consistency reward")
            related = relations.related(
                trainer.train.utterances,
                self.phrases,
                matching=self.matching,
                partners=self.partners,
                other_fillers=self.other_fillers,
                seed=trainer.run.seed,
            )
            partners = Partners(related)
            fillers = relations.fillers
        return RewardLoss(self, parser, trainer.train, trainer.rewards, partners, fillers)
