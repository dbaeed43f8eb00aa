"""Expected reward over the beam: move probability to the programs that are right.

    maximise  sum_z p~(z | x) R(x, z)        p~(z | x) = p(z | x) / sum_{z' in beam} p(z' | x)

The beam is searched without gradient, its programs are then scored exactly, and the gradient goes through the
renormalised probabilities p~. Nothing is sampled, and the reward is a constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from chorale.parser import Beam, Encoding, Parser


@dataclass(frozen=True)
class Exploration:
    """The programs found for a batch, and their log-probabilities once more, with gradient."""

    beam: Beam
    log_probabilities: Tensor  # (batch, beam), -inf where there is no program


def explore(parser: Parser, encoding: Encoding, beam: int, max_actions: int, *, attention: bool = False) -> Exploration:
    """Search on the encoding as it is, dropout included, and score what was found."""
    found = parser.search(encoding, beam, max_actions, attention=attention)
    scores = parser.score(encoding, found.actions.numpy(force=True))
    return Exploration(found, scores.log_probabilities)


def renormalised(log_probabilities: Tensor) -> Tensor:
    """Probabilities within the beam (batch, beam); all 0 for an utterance without a program."""
    found = log_probabilities > -torch.inf
    lowest = torch.finfo(log_probabilities.dtype).min  # not -inf: an empty beam must not give nan
    return log_probabilities.masked_fill(~found, lowest).softmax(1) * found


def expected_reward(log_probabilities: Tensor, rewards: Tensor) -> Tensor:
    """Minus the expected reward (batch, beam), mean over the batch."""
    return -(renormalised(log_probabilities) * rewards.detach()).sum(1).mean()
