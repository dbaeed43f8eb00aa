"""Tied rewards: raise the programs that are worth something, the better ones more (Goldman et al. 2018).

    loss = - sum_z w(z) log p(z | x)        w(z) proportional to (R(z) p~(z | x))^beta, sum_z w(z) = 1

z runs over the programs of the beam, and those offered beside it, whose reward R is above 0. The weights are constants
for the gradient. With beta = 1 this is the marginal likelihood of these programs, weighed by reward; with beta = 0 all
of them are raised alike; in between a good program that the parser thinks unlikely still gets its share. What R is, the
abstract cache says (see `abstract_cache`). As w is normalised, p~ may be p itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import torch
from pydantic import Field
from torch import Tensor

from chorale.domain import Plain
from chorale.domain.parsing import Corpus
from chorale.parser import Beam, Parser
from chorale.parser.decoding import encode
from chorale.plumbing.checking import Count
from chorale.runs.models import Beam as BeamWidth
from chorale.training.abstract_cache import AbstractCache, Actions
from chorale.training.descent import Objective
from chorale.training.figures import Figures
from chorale.training.rewards import renormalised, short
from chorale.training.stage import QUICK_ACTIONS, ParserStage, Trainer


class TiedReward(ParserStage):
    """Train on labels: raise the programs that fit them for all utterances of the same abstraction."""

    kind = "tied"
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 6, "patience": 3, "beam": 10, "max_actions": QUICK_ACTIONS}

    batch: Count = 16
    """Utterances per step."""
    beam: BeamWidth = 40
    """Width of the beam, when dev is decoded and wherever else programs are searched."""
    power: Annotated[float, Field(ge=0)] = 0.5
    """How much better programs are preferred: 1 weighs them by reward and probability, 0 weighs all rewarded ones
    alike."""
    counted: Literal["images", "utterances"] = "utterances"
    """What an abstract program is right or wrong about: single contexts, or all contexts of an utterance at once."""
    ratio: Annotated[float, Field(ge=0)] = 3.0
    """How many times it must be right for each time that it is wrong; others are worth nothing."""
    offered: Annotated[int, Field(ge=0)] = 10
    """How many of the best abstract programs of its abstraction an utterance is offered beside its beam."""
    file: str = ""
    """A file of abstract examples to begin with instead of the domain's own; empty means: its own."""

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> TiedLoss:
        domain, grounding = trainer.domain, trainer.train.grounding
        sentences = [utterance.sentence for utterance in trainer.train.utterances]
        slots, examples = domain.abstractions, dict[str, Sequence[str]]()
        if slots is None:  # equal sentences are tied all the same
            abstracted = [Plain(" ".join(domain.words(sentence))) for sentence in sentences]
            cache = AbstractCache(grounding, abstracted, **self._limits())
        else:
            cache = AbstractCache(grounding, [slots.slotted(sentence) for sentence in sentences], **self._limits())
            examples = dict(slots.examples(trainer.language, self.file))
        cache.meet(examples)
        return TiedLoss(self, parser, trainer.train, cache)

    def _limits(self) -> dict[str, Any]:
        names = ("counted", "ratio", "offered", "max_actions")
        return {name: getattr(self, name) for name in names}


class TiedLoss(Objective):
    """The loss of utterances by the programs that a cache rewards; what the cache finds is remembered."""

    def __init__(self, stage: TiedReward, parser: Parser, corpus: Corpus, cache: AbstractCache) -> None:
        super().__init__(parser, range(len(corpus)))
        self.stage, self.parser, self.corpus = stage, parser, corpus
        self.cache = self.memory = cache

    def loss(self, chosen: list[int]) -> Tensor:
        encoding = encode(self.parser, self.corpus, chosen)
        beam = self.parser.search(encoding, self.stage.beam, self.stage.max_actions)
        found = worthy(beam, chosen, self.cache, self.figures)
        if not found:
            return encoding.tokens.new_zeros((), requires_grad=True)
        scores = self.parser.score(encoding, found.programs).log_probabilities
        return tied_reward(scores, found.rewards_like(scores), self.stage.power)


@dataclass(frozen=True)
class Worthy:
    """The programs of each utterance of a batch that have a reward, and how much."""

    programs: list[list[Actions]]
    rewards: list[list[float]]

    def __bool__(self) -> bool:
        return any(self.programs)

    def rewards_like(self, scores: Tensor) -> Tensor:
        """The rewards as a table of the same shape (batch, program) as the scores of the programs, padded with 0."""
        width = scores.shape[1]
        rows = [[*row, *[0.0] * (width - len(row))] for row in self.rewards]
        return torch.tensor(rows, dtype=scores.dtype, device=scores.device)


def tied_reward(log_probabilities: Tensor, rewards: Tensor, power: float = 0.5) -> Tensor:
    """The mean loss over a batch (batch, program); utterances without a rewarded program leave no gradient."""
    rewarded = (rewards > 0) & (log_probabilities > -torch.inf)
    worth = power * (rewards.log() + log_probabilities).detach()
    weights = renormalised(worth.masked_fill(~rewarded, -torch.inf))
    return -(weights * log_probabilities.masked_fill(~rewarded, 0)).sum(1).mean()


def worthy(beam: Beam, utterances: Sequence[int], cache: AbstractCache, figures: Figures) -> Worthy:
    """What is worth something for each utterance: programs of its beam, then those of its offers that the beam lacks.

    The beam is judged first, for all utterances, as what is found there may be offered at once. The figures:

        reward     expected reward of the programs in the beam
        rewarded   share of utterances that have any rewarded program
        offered    rewarded programs per utterance that the beam lacked
    """
    rows = short(beam.actions)
    found: list[dict[Actions, float]] = []
    for utterance, programs in zip(utterances, rows, strict=True):
        judged = [program[program >= 0] for program in programs]
        found.append({tuple(row.tolist()): cache.reward(utterance, row) for row in judged if len(row)})
    own = [list(some.values()) for some in found]
    table = Worthy([], own).rewards_like(beam.log_probabilities)
    figures.add("reward", (renormalised(beam.log_probabilities) * table).sum(1))
    lacked = []
    for utterance, some in zip(utterances, found, strict=True):
        before = len(some)
        for actions in cache.offers(utterance):
            if actions not in some:
                some[actions] = cache.reward(utterance, short(torch.tensor(actions)))
        lacked.append(sum(value > 0 for value in list(some.values())[before:]))
    kept = [{actions: value for actions, value in some.items() if value > 0} for some in found]
    figures.add("rewarded", torch.tensor([bool(some) for some in kept]))
    figures.add("offered", torch.tensor(lacked))
    return Worthy([list(some) for some in kept], [list(some.values()) for some in kept])
