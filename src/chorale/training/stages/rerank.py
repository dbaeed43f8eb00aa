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
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field

from chorale.plumbing.checking import Count
from chorale.training.stage import Trained, Trainer

if TYPE_CHECKING:
    from chorale.parser.reranker import Reranker


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
        from chorale.parser.reranker import Reranker  # noqa: PLC0415 - torch

        sizes = trainer.sizes.model_copy(update={"dropout": self.dropout})
        return Reranker(trainer.train.shared, trainer.vocabulary, sizes, trainer.device, self.weight)

    def run_in(self, trainer: Trainer, index: int) -> None:
        from chorale.training.objectives.rerank import train_reranker  # noqa: PLC0415 - torch

        train_reranker(trainer, index, self)
