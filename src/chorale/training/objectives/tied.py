"""Tied rewards; the equation is in `stages.tied`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.parser.beam import Beam
from chorale.parser.decoding import encode
from chorale.parser.parser import Parser
from chorale.training.abstract_cache import AbstractCache, Actions
from chorale.training.descent import Objective
from chorale.training.figures import Figures
from chorale.training.rewards import renormalised, short
from chorale.training.stages.tied import TiedReward


class TiedLoss(Objective):
    """The loss of utterances by the programs that a cache rewards; what the cache finds is remembered."""

    def __init__(self, stage: TiedReward, parser: Parser, corpus: Corpus, cache: AbstractCache) -> None:
        super().__init__(parser, range(len(corpus)))
        self.stage, self.parser, self.corpus = stage, parser, corpus
        self.cache = self.memory = cache

    def loss(self, chosen: list[int]) -> Tensor:
        encoding = encode(self.parser, self.corpus, chosen)
        beam = self.parser.search(encoding, self.stage.beam, self.stage.max_actions)
        offered = worthy(beam, chosen, self.cache, self.figures)
        if not offered:
            return encoding.tokens.new_zeros((), requires_grad=True)
        scores = self.parser.score(encoding, offered.programs).log_probabilities
        return tied_reward(scores, offered.rewards_like(scores), self.stage.power)


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
    by_utterance: list[dict[Actions, float]] = []
    for utterance, programs in zip(utterances, rows, strict=True):
        judged = [program[program >= 0] for program in programs]
        by_utterance.append({tuple(row.tolist()): cache.reward(utterance, row) for row in judged if len(row)})
    own = [list(some.values()) for some in by_utterance]
    table = Worthy([], own).rewards_like(beam.log_probabilities)
    figures.add("reward", (renormalised(beam.log_probabilities) * table).sum(1))
    lacked = []
    for utterance, some in zip(utterances, by_utterance, strict=True):
        before = len(some)
        for actions in cache.offers(utterance):
            if actions not in some:
                some[actions] = cache.reward(utterance, short(torch.tensor(actions)))
        lacked.append(sum(value > 0 for value in list(some.values())[before:]))
    kept = [{actions: value for actions, value in some.items() if value > 0} for some in by_utterance]
    figures.add("rewarded", torch.tensor([bool(some) for some in kept]))
    figures.add("offered", torch.tensor(lacked))
    return Worthy([list(some) for some in kept], [list(some.values()) for some in kept])
