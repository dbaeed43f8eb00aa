"""Tied rewards: raise the programs that are worth something, the better ones more (Goldman et al. 2018).

    loss = - sum_z w(z) log p(z | x)        w(z) proportional to (R(z) p~(z | x))^beta, sum_z w(z) = 1

z runs over the programs of the beam, and those offered beside it, whose reward R is above 0. The weights are constants
for the gradient. With beta = 1 this is the marginal likelihood of these programs, weighed by reward; with beta = 0 all
of them are raised alike; in between a good program that the parser thinks unlikely still gets its share. What R is, the
abstract cache says (see `abstract_cache`). As w is normalised, p~ may be p itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from chorale.domain import Plain
from chorale.plumbing.checking import Count
from chorale.runs.models import Beam
from chorale.training.stage import QUICK_ACTIONS, ParserStage, Trainer

if TYPE_CHECKING:
    from chorale.parser.parser import Parser
    from chorale.training.objectives.tied import TiedLoss


class TiedReward(ParserStage):
    """Train on labels: raise the programs that fit them for all utterances of the same abstraction."""

    kind = "tied"
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 6, "patience": 3, "beam": 10, "max_actions": QUICK_ACTIONS}

    batch: Count = 16
    """Utterances per step."""
    beam: Beam = 40
    """Width of the beam, when dev is decoded and wherever else programs are searched."""
    power: Annotated[float, Field(ge=0)] = 0.5
    """How much better programs are preferred: 1 weighs them by reward and probability, 0 weighs all rewarded ones
    alike."""
    counted: Literal["images", "utterances"] = "utterances"
    """What an abstract program is right or wrong about: single contexts, or all contexts of an utterance at once."""
    ratio: Annotated[float, Field(ge=0)] = 3.0
    """How many times it must be right for each time that it is wrong; others are worth nothing."""
    offered: Annotated[int, Field(ge=0)] = 10
    """How many of the best abstract programs of its abstraction an utterance is offered beside its beam."""
    file: str = ""
    """A file of abstract examples to begin with instead of the domain's own; empty means: its own."""

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> TiedLoss:
        from chorale.training.abstract_cache import AbstractCache  # noqa: PLC0415 - torch
        from chorale.training.objectives.tied import TiedLoss  # noqa: PLC0415 - torch

        domain, grounding = trainer.domain, trainer.train.grounding
        sentences = [utterance.sentence for utterance in trainer.train.utterances]
        slots, examples = domain.abstractions, dict[str, Sequence[str]]()
        if slots is None:  # equal sentences are tied all the same
            abstracted = [Plain(" ".join(domain.words(sentence))) for sentence in sentences]
            cache = AbstractCache(grounding, abstracted, **self._limits())
        else:
            cache = AbstractCache(grounding, [slots.slotted(sentence) for sentence in sentences], **self._limits())
            examples = dict(slots.examples(trainer.language, self.file))
        cache.meet(examples)
        return TiedLoss(self, parser, trainer.train, cache)

    def _limits(self) -> dict[str, Any]:
        names = ("counted", "ratio", "offered", "max_actions")
        return {name: getattr(self, name) for name in names}
