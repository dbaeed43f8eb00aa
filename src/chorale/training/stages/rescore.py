"""Rescoring: a small network judges the best readings of a ranker by key once more.

    loss = - mean over utterances x of log( sum over right z among the best of q(z | x)  +  none )

where q is the softmax of the network's scores (`ranker.rescorer`). It learns from readings as the ranker scored them
before it had seen their tables, fold by fold: on utterances that it learned from, a ranker is far too sure.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chorale.evaluation.metrics import score_of
from chorale.evaluation.predictions import predict, rights
from chorale.plumbing.checking import Count
from chorale.ranker.best import read_judged
from chorale.ranker.cross_judging import confidence_of
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.rescorer import read_rescorer, write_rescorer
from chorale.training.stage import Stage, Trainer
from chorale.training.stages.online import OnlineStage, keep_confidence, read_confidence


class Rescore(Stage):
    """Train networks that judge the best readings of the ranker before it. Always the last stage."""

    kind = "rescore"
    needs = frozenset({"model"})
    gives = "rescorer"
    is_last = True
    is_quick = True
    is_network = True
    takes_proposals = True

    max_actions: Annotated[int, Field(ge=1, le=1_000)] = 24
    """Not looked at."""
    readings: Annotated[int, Field(ge=2, le=200)] = 15
    """How many readings are judged."""
    networks: Annotated[int, Field(ge=1, le=20)] = 3
    """How many networks are averaged."""
    epochs: Count = 2
    """Passes over the training utterances."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.005
    """Step size of AdamW, which falls to nearly 0 in even steps."""
    decay: Annotated[float, Field(ge=0, le=1)] = 1e-5
    """Weight decay."""
    batch: Count = 32
    """Utterances per step."""
    dropout: Annotated[float, Field(ge=0, le=0.9)] = 0.4
    """Share of what the network passes on that is dropped, in training only."""
    none: Annotated[float, Field(gt=0, lt=1)] = 0.02
    """The probability that none of the readings is meant."""
    size: Annotated[int, Field(ge=1, le=512)] = 48
    """Of an embedding."""
    filters: Annotated[int, Field(ge=1, le=1_024)] = 64
    """How many filters look at the words."""
    hidden: Annotated[int, Field(ge=1, le=1_024)] = 96
    """The width of the hidden layer."""
    least_words: Count = 3
    """In how many utterances a word must occur to have an embedding of its own."""
    least_labels: Count = 5
    """And a label of parts."""

    def run_in(self, trainer: Trainer, index: int) -> None:
        from chorale.training.objectives.rescore import train_rescorer  # noqa: PLC0415 - torch

        trainer.watcher.stage(index, self, 0)
        seed, step, folder = trainer.run.seed, trainer.watcher.step, trainer.run.stage_folder(index)
        with trainer.stop.at_once():
            judged = read_judged(*trainer.run.output("judged"))
            rescorer = train_rescorer(judged, self, seed, step)
            again = []
            folds = sorted({it.fold for it in judged})
            for own in (folds[::2], folds[1::2]):  # each half is judged by what the other one taught
                other = train_rescorer(judged, self, seed, step, set(folds) - set(own) or own)
                again += [(it, other.judged(it.best)) for it in judged if it.fold in own]
        keep_confidence(trainer.run, folder, confidence_of(again))
        path = folder / "rescorer.safetensors"
        trainer.run.keep("rescorer", path, write_rescorer(path, rescorer))
        parser = self.parser(trainer)
        predictions = predict(parser, trainer.dev)
        trainer.predicted = parser, predictions
        trainer.finish(index, score_of(rights(trainer.dev, predictions)).to_json("dev_"))

    def parser(self, trainer: Trainer) -> KeyedRanker:
        online = [stage for stage in trainer.stages if isinstance(stage, OnlineStage)][-1]
        ranker = online.parser(trainer)
        path, wanted = trainer.run.output("rescorer")
        return ranker.with_rescorer(
            read_rescorer(path, wanted, self.readings, ranker.figures), read_confidence(trainer.run)
        )
