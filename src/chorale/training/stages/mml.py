"""Marginal likelihood: raise the probability of all candidate programs of an utterance together.

    loss = - log sum_{z in Z(x)} w(z) p(z | x)

Z(x) are programs that fit the labels of x; which of them is the meaning is left to the sum. All w(z) are 1, or, if
candidates are weighted, what the search made of them: w(z) proportional to exp(fit + prior), sum_z w(z) = 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from chorale.domain import Reading, needed
from chorale.errors import ChoraleError
from chorale.runs.models import MaxActions
from chorale.search.order import in_sentence_order
from chorale.training.stage import ParserStage, Trainer

if TYPE_CHECKING:
    from chorale.parser.parser import Parser
    from chorale.training.objectives.mml import CandidateLoss


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
    best: Annotated[int, Field(ge=0)] = 0
    """How many candidates of an utterance are learned from, the best first; 0 means: all."""
    weighted: bool = False
    """Whether a candidate counts by exp(fit + prior), as the search found them, rather than all alike."""
    in_order: bool = False
    """Whether arguments of commutative functions are put in the order of the sentence; see `search.order`."""

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> CandidateLoss:
        from chorale.training.objectives.mml import CandidateLoss  # noqa: PLC0415 - torch

        candidates = trainer.last_candidates()
        if not any(candidates.values()):
            raise ChoraleError(
                f"stage {index + 1}, {self.kind}: no utterance has a candidate, so there is nothing to learn"
            )
        if self.best:
            candidates = {number: some[: self.best] for number, some in candidates.items()}
        if self.in_order:
            candidates = _in_order(candidates, trainer)
        return CandidateLoss(parser, trainer.train, candidates, weighted=self.weighted)


def _in_order(candidates: Mapping[int, Sequence[Reading]], trainer: Trainer) -> dict[int, list[Reading]]:
    """The candidates with arguments in the order of their sentences."""
    domain, language = trainer.domain, trainer.language
    commutative = domain.languages[language].commutative
    lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "mml.in_order")
    ordered_candidates: dict[int, list[Reading]] = {}
    for number, some in candidates.items():
        hints, words = lexicon.hints(trainer.train.utterances[number]), trainer.train.words[number]
        ordered_candidates[number] = [
            replace(one, program=in_sentence_order(one.program, hints, words, commutative)) for one in some
        ]
    return ordered_candidates
