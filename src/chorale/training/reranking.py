"""The reranker's stage: which programs of the parser's beam are right?

    loss = - mean over utterances x, mean over programs z of the beam of x:
             R(z) log p_rank(z | x) + (1 - R(z)) log (1 - p_rank(z | x))

R(z) is 1 for programs that are right in all contexts of x. The beams of train are searched once, without dropout, by
the last parser, which learns nothing here. Most programs of a beam are wrong; the log loss is proper, so p_rank is low
then, as it should be: only its ratios between the programs of one beam decide. Every utterance counts alike, however
many programs its beam holds. The weights that are best on dev *after reranking* are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score, score_of
from chorale.parser import Parser
from chorale.training.decoding import beams, best_of, rights
from chorale.training.figures import Figures
from chorale.training.fitting import descend
from chorale.training.settings import Rerank

if TYPE_CHECKING:
    from chorale.training.stages import Workshop


@dataclass(frozen=True)
class Judged:
    """The beams of all training utterances, and which of their programs are right."""

    actions: Tensor  # (utterance, beam, step) short integers, -1 behind the last
    right: Tensor  # (utterance, beam) 1, 0, and 0 as well where there is no program

    def batch(self, chosen: list[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Actions as short as these utterances allow, which programs are right, and which are there at all."""
        actions = self.actions[chosen]
        longest = int((actions >= 0).sum(2).max())
        return actions[:, :, :longest].long(), self.right[chosen], actions[:, :, 0] >= 0


def rerank(shop: Workshop, place: int, stage: Rerank) -> None:
    """Train a reranker on the beams of the last parser."""
    parser = shop.last_parser(place)
    agenda = shop.told_agenda(place)
    judged = _judged(shop, parser, stage, agenda=agenda)
    dev_beams = list(beams(parser, shop.dev, stage.beam, stage.max_actions, agenda=agenda))
    examples = torch.nonzero((judged.actions[:, :, 0] >= 0).any(1))[:, 0].tolist()
    if not bool(judged.right.any()):
        raise ChoraleError(
            f"stage {place + 1}, {stage.kind}: no program in any beam is right, so there is nothing to learn; "
            "train the parser longer, or widen the beam"
        )
    reranker = shop.new_reranker(place, stage)
    figures = Figures()

    def loss(chosen: list[int]) -> Tensor:
        actions, right, present = judged.batch(chosen)
        logits = reranker.logits(shop.train.sentences(chosen), actions, grammars=shop.train.own_grammars(chosen))
        right, present = right.to(logits.device), present.to(logits.device)
        figures.add("judged_right", ((logits > 0) == (right > 0))[present].float())
        return log_loss(logits, right, present)

    def dev() -> Score:
        return score_of(rights(shop.dev, best_of(shop.dev, shop.dev_rewards, dev_beams, reranker)))

    descend(shop, place, stage, reranker, examples, loss, dev, figures)


def log_loss(logits: Tensor, right: Tensor, present: Tensor) -> Tensor:
    """The loss of a batch, from tensors (utterance, beam) of which each row has a program that is present."""
    each = functional.binary_cross_entropy_with_logits(logits, right, reduction="none") * present
    return (each.sum(1) / present.sum(1)).mean()


def _judged(shop: Workshop, parser: Parser, stage: Rerank, *, agenda: bool) -> Judged:
    count = len(shop.train)
    actions = torch.full((count, stage.beam, stage.max_actions), -1, dtype=torch.int16)
    right = torch.zeros((count, stage.beam))
    for chosen, found in beams(parser, shop.train, stage.beam, stage.max_actions, agenda=agenda):
        shop.stop.check()
        actions[list(chosen), :, : found.actions.shape[2]] = found.actions.cpu().short()
        right[list(chosen)] = shop.train_rewards.of(list(chosen), found.actions).cpu()
    return Judged(actions, right)
