"""Marginal likelihood; the equation is in `stages.mml`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from chorale.domain import Reading
from chorale.domain.parsing import Corpus
from chorale.parser.decoding import encode
from chorale.parser.parser import Parser
from chorale.training.descent import Objective


class CandidateLoss(Objective):
    """The loss of utterances that have candidates."""

    def __init__(
        self, parser: Parser, corpus: Corpus, candidates: Mapping[int, Sequence[Reading]], *, weighted: bool = False
    ) -> None:
        self.parser, self.corpus, self.weighted = parser, corpus, weighted
        weights = {number: weights_of(some) for number, some in sorted(candidates.items()) if some}
        self.actions = {number: list(some) for number, some in weights.items()}
        self.weights = {number: list(some.values()) for number, some in weights.items()}
        super().__init__(parser, list(self.actions))

    def loss(self, chosen: list[int]) -> Tensor:
        encoding = encode(self.parser, self.corpus, chosen)
        scores = self.parser.score(encoding, [self.actions[number] for number in chosen]).log_probabilities
        if self.weighted:
            rows = [torch.tensor(self.weights[number], dtype=scores.dtype) for number in chosen]
            scores = scores + pad_sequence(rows, batch_first=True, padding_value=1.0).log().to(scores.device)
        return marginal_likelihood(scores)


def weights_of(candidates: Sequence[Reading]) -> dict[tuple[int, ...], float]:
    """What the candidates of an utterance weigh, by their actions; those of equal actions are one."""
    most = max(candidate.score for candidate in candidates)
    weights: dict[tuple[int, ...], float] = {}
    for candidate in candidates:
        actions = candidate.program.action_ids
        weights[actions] = weights.get(actions, 0.0) + math.exp(candidate.score - most)
    total = sum(weights.values())
    return {actions: weight / total for actions, weight in weights.items()}


def marginal_likelihood(log_probabilities: Tensor) -> Tensor:
    """The mean loss over a batch, from log w(z) p(z | x) of all candidates, (batch, candidate), -inf for none.

    Utterances without a candidate count as loss 0 and leave no gradient.
    """
    present = (log_probabilities > -torch.inf).any(1)
    if not bool(present.any()):
        return log_probabilities.new_zeros((), requires_grad=True)
    return -log_probabilities[present].logsumexp(1).sum() / len(log_probabilities)
