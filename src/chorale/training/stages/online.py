"""The ranker by key: millions of weights that choose among the programs which a domain proposes, from answers alone.

    loss = - sum_x log( sum over right z of p(z | x)  +  none )        see `ranker.online`

What was proposed so far is kept on the disk, so that a training that is killed can resume.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from chorale.domain import Domain
from chorale.engines.resuming import remove_resumed
from chorale.errors import ChoraleError, unknown
from chorale.evaluation.confidence import Confidence
from chorale.evaluation.metrics import score_of
from chorale.evaluation.predictions import predict, rights
from chorale.plumbing.checking import checked
from chorale.plumbing.files import checked as unchanged
from chorale.plumbing.files import hash_of_file, read_json, write_json
from chorale.ranker.best import judged_by, write_judged
from chorale.ranker.cross import cross_fitted, folds_of
from chorale.ranker.cross_judging import confidence_of
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.online import OnlineSettings
from chorale.ranker.proposals import proposed_examples
from chorale.ranker.weights import KeyWeights, read_key_weights, write_key_weights
from chorale.runs.models import MaxActions
from chorale.runs.run import Run
from chorale.training.stage import Stage, Trainer


class OnlineStage(ProposalSettings, OnlineSettings, Stage):
    """Learn to choose among the programs that a domain proposes, one utterance at a time."""

    kind = "online"
    gives = "model"
    is_quick = True
    takes_proposals = True

    max_actions: MaxActions = 24
    """Not looked at: what is proposed is bounded by the quotas of the language."""
    judged: Annotated[int, Field(ge=1, le=200)] = 30
    """How many readings of each utterance are kept, as they are scored without its table, for stages that follow."""
    least: float = Field(0.0, ge=0)
    """Smaller weights are not kept."""
    without: list[str] = Field([])
    """Templates of features that are left out; see the domain's."""

    @property
    def search(self) -> ProposalSettings:
        return ProposalSettings(**{name: getattr(self, name) for name in ProposalSettings.model_fields})

    def parser(self, trainer: Trainer) -> KeyedRanker:
        path, wanted = trainer.run.output("model")
        weights, confidence = read_key_weights(path, wanted), read_confidence(trainer.run)
        return self._with(trainer.domain, trainer.language, weights, confidence)

    def check(self, domain: Domain, language: str) -> None:
        names = self._with(domain, language, KeyWeights.none()).proposing.names
        if wrong := next((name for name in self.without if name not in names), None):
            raise ChoraleError(f"there is no template {wrong!r}; {unknown(wrong, names)}")

    def _with(
        self, domain: Domain, language: str, weights: KeyWeights, confidence: Confidence | None = None
    ) -> KeyedRanker:
        ranker = KeyedRanker(domain, language, self.search, weights, None, confidence)
        chosen = [name for name in ranker.proposing.names if name not in self.without]
        return KeyedRanker(domain, language, self.search, weights, chosen, confidence)

    def run_in(self, trainer: Trainer, index: int) -> None:
        import chorale.ranker.stepping  # noqa: F401, PLC0415 - numba is missed now, not after minutes of search

        trainer.watcher.stage(index, self, 0)
        seed, step = trainer.run.seed, trainer.watcher.step
        folder = trainer.run.stage_folder(index)
        with trainer.stop.at_once():
            ranker = self._with(trainer.domain, trainer.language, KeyWeights.none())
            examples = proposed_examples(
                trainer.train.utterances,
                ranker,
                folder / "proposals",
                tick=step,
            )
            fold = folds_of([trainer.domain.topic(utterance) for utterance in trainer.train.utterances])
            by_fold = cross_fitted(examples, fold, self, seed, step)
            weights = KeyWeights.mean(list(by_fold.values()))
            if not len(weights):
                raise ChoraleError(f"stage {index + 1}, {self.kind}: no utterance has a right program to learn from")
            judged = judged_by(examples, fold, by_fold, ranker.template_count, self.judged)
        path = folder / "weights.safetensors"
        confidence = confidence_of([(it, it.best.log_probabilities) for it in judged])
        keep_confidence(trainer.run, folder, confidence)
        trainer.run.keep("judged", folder / "judged.safetensors", write_judged(folder / "judged.safetensors", judged))
        trainer.run.keep("model", path, write_key_weights(path, weights.pruned(self.least)))
        remove_resumed(folder / "proposals")
        parser = self.parser(trainer)
        predictions = predict(parser, trainer.dev)
        trainer.predicted = parser, predictions
        score = score_of(rights(trainer.dev, predictions))
        trainer.finish(index, {"features": len(weights), **score.to_json("dev_")})


def keep_confidence(run: Run, folder: Path, confidence: Confidence) -> None:
    """Keep how sure answers may be, as the stage in this folder found out."""
    path = folder / "confidence.json"
    write_json(path, confidence.model_dump())
    run.keep("confidence", path, hash_of_file(path))


def read_confidence(run: Run) -> Confidence:
    """What the last stage that found it out has kept."""
    path, wanted = run.output("confidence")
    unchanged(path, wanted)
    return checked(Confidence, read_json(path), path)
