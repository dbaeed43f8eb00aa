"""The reranker's stage: which programs of the parser's beam are right?

    loss = - mean over utterances x, mean over programs z of the beam of x:
             R(z) log p_rank(z | x) + (1 - R(z)) log (1 - p_rank(z | x))

R(z) is 1 for programs that are right in all contexts of x. The beams of train are searched once, without dropout, by
the last parser, which learns nothing here. Most programs of a beam are wrong; the log loss is proper, so p_rank is low
then, as it should be: only its ratios between the programs of one beam decide. Every utterance counts alike, however
many programs its beam holds. The weights that are best on dev *after reranking* are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import torch
from pydantic import Field
from torch import Tensor
from torch.nn import functional

from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score, score_of
from chorale.evaluation.predictions import predictions_of, rights
from chorale.parser import Parser, Reranker
from chorale.parser.decoding import beams, programs
from chorale.plumbing.checking import Count
from chorale.training.descent import Objective, descend, seeded
from chorale.training.stage import Trained, Trainer


class Rerank(Trained):
    """Train a second network on the beams of the last model: which of their programs are right? Always the last stage.

    Its sizes are those of the parser. It learns from beams of train that are searched once, and helps to choose from
    the beam wherever the model is used.
    """

    kind = "rerank"
    needs = frozenset({"model"})
    gives = "reranker"
    is_last = True
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 6, "patience": 3, "beam": 10}

    weight: Annotated[float, Field(ge=0)] = 1.0
    """How much the log-probability of being right counts beside the parser's log-probability of the program."""
    dropout: Annotated[float, Field(ge=0, le=0.9)] = 0.3
    """Share of what the network passes on that is dropped, in training only."""
    epochs: Count = 30
    """The most passes over the training utterances."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.002
    """Step size of Adam."""
    batch: Count = 16
    """Utterances per step."""

    def new_reranker(self, trainer: Trainer) -> Reranker:
        sizes = trainer.sizes.model_copy(update={"dropout": self.dropout})
        return Reranker(trainer.train.shared, trainer.vocabulary, sizes, trainer.device, self.weight)

    def run_in(self, trainer: Trainer, index: int) -> None:
        parser, agenda = trainer.last_parser(index), trainer.is_given_agenda(index)
        judged = self._judged(trainer, parser, agenda=agenda)
        if not bool(judged.right.any()):
            raise ChoraleError(
                f"stage {index + 1}, {self.kind}: no program in any beam is right, so there is nothing to learn; "
                "train the parser longer, or widen the beam"
            )
        dev_beams = list(beams(parser, trainer.dev, self.beam, self.max_actions, agenda=agenda))
        seeded(trainer.run.seed, index, 0)
        reranker = self.new_reranker(trainer)
        objective = RankLoss(reranker, trainer.train, judged)

        def dev() -> Score:
            best = (
                one
                for some, beam in dev_beams
                for one in programs(trainer.dev, some, beam, reranker, trainer.rules, top=1)
            )
            return score_of(rights(trainer.dev, predictions_of(trainer.dev, best)))

        objective.dev = dev
        descend(trainer, index, self, objective)

    def _judged(self, trainer: Trainer, parser: Parser, *, agenda: bool) -> Judged:
        count = len(trainer.train)
        actions = torch.full((count, self.beam, self.max_actions), -1, dtype=torch.int16)
        right = torch.zeros((count, self.beam))
        for chosen, found in beams(parser, trainer.train, self.beam, self.max_actions, agenda=agenda):
            trainer.stop.check()
            actions[list(chosen), :, : found.actions.shape[2]] = found.actions.cpu().short()
            right[list(chosen)] = trainer.rewards.of(list(chosen), found.actions).cpu()
        return Judged(actions, right)


@dataclass(frozen=True)
class Judged:
    """The beams of all training utterances, and which of their programs are right."""

    actions: Tensor  # (utterance, beam, step) short integers, -1 after the last
    right: Tensor  # (utterance, beam) 1, 0, and 0 as well where there is no program

    def batch(self, chosen: list[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Actions as short as these utterances allow, which programs are right, and which are there at all."""
        actions = self.actions[chosen]
        longest = int((actions >= 0).sum(2).max())
        return actions[:, :, :longest].long(), self.right[chosen], actions[:, :, 0] >= 0


class RankLoss(Objective):
    """The log loss of judged beams; notes `judged_right`, the share of programs on which the reranker is right."""

    def __init__(self, reranker: Reranker, corpus: Corpus, judged: Judged) -> None:
        super().__init__(reranker, torch.nonzero((judged.actions[:, :, 0] >= 0).any(1))[:, 0].tolist())
        self.reranker, self.corpus, self.judged = reranker, corpus, judged

    def loss(self, chosen: list[int]) -> Tensor:
        actions, right, present = self.judged.batch(chosen)
        grammars = self.corpus.own_grammars(chosen)
        logits = self.reranker.logits(self.corpus.sentences(chosen), actions, grammars=grammars)
        right, present = right.to(logits.device), present.to(logits.device)
        self.figures.add("judged_right", ((logits > 0) == (right > 0))[present].float())
        return log_loss(logits, right, present)


def log_loss(logits: Tensor, right: Tensor, present: Tensor) -> Tensor:
    """The loss of a batch, from tensors (utterance, beam) of which each row has a program that is present."""
    each = functional.binary_cross_entropy_with_logits(logits, right, reduction="none") * present
    return (each.sum(1) / present.sum(1)).mean()
