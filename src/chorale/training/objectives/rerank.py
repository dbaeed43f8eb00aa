"""The log loss of a reranker; the equation is in `stages.rerank`."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score, score_of
from chorale.evaluation.predictions import predictions_of, rights
from chorale.parser.decoding import beams, programs
from chorale.parser.parser import Parser
from chorale.parser.reranker import Reranker
from chorale.training.descent import Objective, descend, seeded
from chorale.training.networks import last_parser
from chorale.training.stage import Trainer
from chorale.training.stages.rerank import Rerank


def train_reranker(trainer: Trainer, index: int, stage: Rerank) -> None:
    """Do the work of the stage with this index."""
    parser, agenda = last_parser(trainer, index), trainer.is_given_agenda(index)
    judged = judged_beams(trainer, stage, parser, agenda=agenda)
    if not bool(judged.right.any()):
        raise ChoraleError(
            f"stage {index + 1}, {stage.kind}: no program in any beam is right, so there is nothing to learn; "
            "train the parser longer, or widen the beam"
        )
    dev_beams = list(beams(parser, trainer.dev, stage.beam, stage.max_actions, agenda=agenda))
    seeded(trainer.run.seed, index, 0)
    reranker = stage.new_reranker(trainer)
    objective = RankLoss(reranker, trainer.train, judged)

    def dev() -> Score:
        best = (
            one for some, beam in dev_beams for one in programs(trainer.dev, some, beam, reranker, trainer.rules, top=1)
        )
        return score_of(rights(trainer.dev, predictions_of(trainer.dev, best)))

    objective.dev = dev
    descend(trainer, index, stage, objective)


def judged_beams(trainer: Trainer, stage: Rerank, parser: Parser, *, agenda: bool) -> JudgedBeams:
    """The beams of train, and which of their programs are right."""
    count = len(trainer.train)
    actions = torch.full((count, stage.beam, stage.max_actions), -1, dtype=torch.int16)
    right = torch.zeros((count, stage.beam))
    for chosen, beam in beams(parser, trainer.train, stage.beam, stage.max_actions, agenda=agenda):
        trainer.stop.check()
        actions[list(chosen), :, : beam.actions.shape[2]] = beam.actions.cpu().short()
        right[list(chosen)] = trainer.rewards.of(list(chosen), beam.actions).cpu()
    return JudgedBeams(actions, right)


@dataclass(frozen=True)
class JudgedBeams:
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

    def __init__(self, reranker: Reranker, corpus: Corpus, judged: JudgedBeams) -> None:
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
