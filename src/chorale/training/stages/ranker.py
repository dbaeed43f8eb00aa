"""The ranker: weights that choose among the meanings a sentence may have, learned from labels alone.

    loss = - sum_x log( sum_z p(z | x) prod_i P(label_i | z)  +  none )        see `ranker.learning`

The programs z are found from the words alone (`search.from_words`), so that the same search can be made for sentences
without labels. Equal sentences are searched once. What was found so far is kept on the disk, so that a training that is
killed can resume.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pydantic import Field

from chorale.engines.resuming import remove_resumed
from chorale.errors import ChoraleError, unknown
from chorale.evaluation.confidence import Confidence
from chorale.evaluation.metrics import score_of
from chorale.evaluation.predictions import predict, rights
from chorale.parser.sizes import Sizes
from chorale.plumbing.checking import checked
from chorale.plumbing.files import read_json, write_json
from chorale.ranker.features import names
from chorale.ranker.files import read_weights, write_weights
from chorale.ranker.judging import judged_confidence
from chorale.ranker.learning import LearningSettings
from chorale.ranker.posing import pose
from chorale.ranker.ranker import Ranker
from chorale.ranker.searched import searched
from chorale.runs import retired
from chorale.runs.models import MaxActions
from chorale.runs.run import read_run
from chorale.search.from_words import WordsSettings
from chorale.training.stage import Stage, Trainer

LEAST = 0.01
"""Smaller weights are not kept."""


class RankerStage(WordsSettings, LearningSettings, Stage):
    """Learn to choose among the meanings that the words of a sentence allow."""

    kind = "ranker"
    gives = "model"
    is_last = True  # other stages need the weights of a network
    is_quick = True

    max_actions: MaxActions = 24
    """The longest program, in actions."""
    without: list[str] = Field([])
    """Templates of features that are left out; see `ranker.features`."""

    def problem(self, sizes: Sizes) -> str | None:
        wrong = [name for name in self.without if name not in names() and name not in retired.TEMPLATES]
        return f"there is no template {wrong[0]!r}; {unknown(wrong[0], names())}" if wrong else None

    @property
    def search(self) -> WordsSettings:
        return WordsSettings(**{name: getattr(self, name) for name in WordsSettings.model_fields})

    @property
    def templates(self) -> list[str]:
        return [name for name in names() if name not in self.without]

    def parser(self, trainer: Trainer) -> Ranker:
        path, wanted = trainer.run.output("model")
        sure = path.with_name("confidence.json")
        weights = read_weights(path, wanted, self.templates)
        return self._with(trainer, weights, checked(Confidence, read_json(sure), sure))

    def _with(
        self, trainer: Trainer, weights: Mapping[tuple[str, ...], float], confidence: Confidence | None = None
    ) -> Ranker:
        return Ranker(trainer.domain, trainer.language, self.search, weights, self.templates, confidence)

    def run_in(self, trainer: Trainer, index: int) -> None:
        trainer.watcher.stage(index, self, 0)
        folder = trainer.run.stage_folder(index)
        with trainer.stop.at_once():
            ranker = self._with(trainer, {})
            data, step = read_run(trainer.run.folder).data["train"], trainer.watcher.step
            search = partial(searched, ranker=ranker, out=folder / "readings", data=data, tick=step)
            problem, candidates = pose(trainer.train, ranker, self.flip, step, search)
            weights = problem.learn(self, trainer.run.seed, trainer.watcher.step)
        if not weights:
            raise ChoraleError(f"stage {index + 1}, {self.kind}: no sentence has two meanings to choose from")
        with trainer.stop.at_once():
            confidence = judged_confidence(
                trainer.train,
                self._with(trainer, weights),
                problem,
                candidates,
                self,
                trainer.run.seed,
                trainer.watcher.step,
            )
        path = folder / "weights.safetensors"
        write_json(path.with_name("confidence.json"), confidence.model_dump())
        trainer.run.keep("model", path, write_weights(path, weights, LEAST))
        remove_resumed(folder / "readings")
        parser = self.parser(trainer)
        predictions = predict(parser, trainer.dev)
        trainer.predicted = parser, predictions
        score = score_of(rights(trainer.dev, predictions))
        trainer.finish(index, {"features": len(weights), **score.to_json("dev_")})
