"""Coverage: programs should be right and use what the sentence mentions (the Iterative Search row).

    minimise  sum_z p~(z | x) cost(z)
    cost(z) = w |missing(z)| + (1 - w) |triggered| [z is wrong]        w = 0.4

`triggered` are the actions that words of the sentence trigger, `missing` those of them that z does not use, and p~ are
the probabilities renormalised over the beam.
"""

from __future__ import annotations

import torch
from torch import Tensor

from chorale.training.expected_reward import expected_reward


def coverage_cost(actions: Tensor, right: Tensor, agenda: Tensor, weight: float = 0.4) -> Tensor:
    """Costs (batch, beam) of actions (batch, beam, step); `agenda` (batch, production) is 1 for triggered actions."""
    productions = agenda.shape[1]
    inside = (actions >= 0) & (actions < productions)  # constants of a context are never triggered
    used = torch.zeros((*actions.shape[:2], productions + 1), dtype=agenda.dtype, device=agenda.device)
    used = used.scatter(2, torch.where(inside, actions, productions), 1)[:, :, :productions]
    missing = (agenda.unsqueeze(1) * (1 - used)).sum(2)
    triggered = agenda.sum(1, keepdim=True)
    return weight * missing + (1 - weight) * triggered * ~right.bool()


def coverage(log_probabilities: Tensor, costs: Tensor) -> Tensor:
    """The expected cost over the renormalised beam, mean over the batch."""
    return expected_reward(log_probabilities, -costs)
