"""Tied rewards: raise the programs that are worth something, the better ones more (Goldman et al. 2018).

    loss = - sum_z w(z) log p(z | x)        w(z) proportional to (R(z) p~(z | x))^beta, sum_z w(z) = 1

z runs over the programs of the beam, and those offered beside it, whose reward R is above 0. The weights are constants
for the gradient. With beta = 1 this is the marginal likelihood of these programs, weighed by reward; with beta = 0 all
of them are raised alike; in between a good program that the parser thinks unlikely still gets its share. What R is, the
abstract cache says, or the utterance's own labels alone. As w is normalised, p~ may be p itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from chorale.parser import Beam
from chorale.training.expected_reward import renormalised
from chorale.training.figures import Figures
from chorale.training.rewards import Row, short

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Worthy:
    """The programs of each utterance of a batch that have a reward, and how much."""

    programs: list[list[Actions]]
    rewards: list[list[float]]

    def __bool__(self) -> bool:
        return any(self.programs)

    def rewards_like(self, scores: Tensor) -> Tensor:
        """The rewards as a table of the same shape (batch, program) as the scores of the programs, filled with 0."""
        width = scores.shape[1]
        rows = [[*row, *[0.0] * (width - len(row))] for row in self.rewards]
        return torch.tensor(rows, dtype=scores.dtype, device=scores.device)


def tied_reward(log_probabilities: Tensor, rewards: Tensor, power: float = 0.5) -> Tensor:
    """The mean loss over a batch (batch, program); utterances without a rewarded program leave no gradient."""
    rewarded = (rewards > 0) & (log_probabilities > -torch.inf)
    worth = power * (rewards.log() + log_probabilities).detach()
    weights = renormalised(worth.masked_fill(~rewarded, -torch.inf))
    return -(weights * log_probabilities.masked_fill(~rewarded, 0)).sum(1).mean()


def worthy(
    beam: Beam,
    utterances: Sequence[int],
    reward: Callable[[int, Row], float],
    offers: Callable[[int], Sequence[Actions]],
    figures: Figures,
) -> Worthy:
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
        found.append({tuple(row.tolist()): float(reward(utterance, row)) for row in judged if len(row)})
    own = [list(some.values()) for some in found]
    table = Worthy([], own).rewards_like(beam.log_probabilities)
    figures.add("reward", (renormalised(beam.log_probabilities) * table).sum(1))
    lacked = []
    for utterance, some in zip(utterances, found, strict=True):
        before = len(some)
        for actions in offers(utterance):
            if actions not in some:
                some[actions] = float(reward(utterance, as_row(actions)))
        lacked.append(sum(value > 0 for value in list(some.values())[before:]))
    kept = [{actions: value for actions, value in some.items() if value > 0} for some in found]
    figures.add("rewarded", torch.tensor([bool(some) for some in kept]))
    figures.add("offered", torch.tensor(lacked))
    return Worthy([list(some) for some in kept], [list(some.values()) for some in kept])


def as_row(actions: Actions) -> Row:
    """Actions as rewards know them."""
    return short(torch.tensor(actions))
