"""Marginal likelihood: raise the probability of all candidate programs of an utterance together.

    loss = - log sum_{z in Z(x)} p(z | x)

Z(x) are programs that are right on all images of x; which of them is the meaning is left to the sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import torch
from pydantic import Field
from torch import Tensor

from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.parser import Parser
from chorale.parser.decoding import encode
from chorale.plumbing.files import checked
from chorale.runs.models import MaxActions
from chorale.search.candidates import Candidate
from chorale.search.files import read_candidates
from chorale.training.descent import Objective
from chorale.training.stage import ParserStage, Trainer


class MarginalLikelihood(ParserStage):
    """Train on candidates: maximise the summed probability of each utterance's candidates."""

    kind = "mml"
    needs = frozenset({"candidates"})
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 15, "patience": 5}

    max_actions: MaxActions = 11
    """The longest program when dev is decoded, in actions."""
    start: Literal["scratch", "last"] = "scratch"
    """Where the weights come from: new ones, or the model of the last training stage."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.005
    """Step size of Adam."""

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> CandidateLoss:
        path, wanted = trainer.run.output("candidates")
        checked(path, wanted)
        candidates = read_candidates(path, trainer.train.grounding)
        if not any(candidates.values()):
            raise ChoraleError(
                f"stage {index + 1}, {self.kind}: no utterance has a candidate, so there is nothing to learn"
            )
        return CandidateLoss(parser, trainer.train, candidates)


class CandidateLoss(Objective):
    """The loss of utterances that have candidates."""

    def __init__(self, parser: Parser, corpus: Corpus, candidates: Mapping[int, Sequence[Candidate]]) -> None:
        self.parser, self.corpus = parser, corpus
        self.actions = {
            number: list(dict.fromkeys(candidate.program.action_ids for candidate in some))
            for number, some in sorted(candidates.items())
            if some
        }
        super().__init__(parser, list(self.actions))

    def loss(self, chosen: list[int]) -> Tensor:
        encoding = encode(self.parser, self.corpus, chosen)
        scores = self.parser.score(encoding, [self.actions[number] for number in chosen])
        return marginal_likelihood(scores.log_probabilities)


def marginal_likelihood(log_probabilities: Tensor) -> Tensor:
    """The mean loss over a batch, from the log-probabilities (batch, candidate) of all candidates, -inf for none.

    Utterances without a candidate count as loss 0 and leave no gradient.
    """
    present = (log_probabilities > -torch.inf).any(1)
    if not bool(present.any()):
        return log_probabilities.new_zeros((), requires_grad=True)
    return -log_probabilities[present].logsumexp(1).sum() / len(log_probabilities)
