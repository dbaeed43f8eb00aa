"""Marginal likelihood: raise the probability of all candidate programs of an utterance together.

    loss = - log sum_{z in Z(x)} p(z | x)

Z(x) are programs that are right on all images of x; which of them is the meaning is left to the sum.
"""

from __future__ import annotations

import torch
from torch import Tensor


def marginal_likelihood(log_probabilities: Tensor) -> Tensor:
    """The mean loss over a batch, from the log-probabilities (batch, candidate) of all candidates, -inf for none.

    Utterances without a candidate count as loss 0 and leave no gradient.
    """
    present = (log_probabilities > -torch.inf).any(1)
    if not bool(present.any()):
        return log_probabilities.new_zeros((), requires_grad=True)
    return -log_probabilities[present].logsumexp(1).sum() / len(log_probabilities)
