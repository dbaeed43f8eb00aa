"""Supervised training on examples: sentences whose programs are known (Goldman et al. 2018, the first half).

    loss = - log p(z | x)

The examples are abstract ones whose slots are filled at random, so that few abstract examples teach all the words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from chorale.domain import Abstractions, needed
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.language.program import Program
from chorale.parser.sizes import Sizes
from chorale.plumbing.checking import Count
from chorale.runs.models import MaxActions
from chorale.training.stage import QUICK_ACTIONS, ParserStage, Trainer

if TYPE_CHECKING:
    from chorale.parser.parser import Parser
    from chorale.training.objectives.supervised import ExampleLoss


class Supervised(ParserStage):
    """Train on examples: sentences with programs, made by filling the slots of the domain's abstract examples."""

    kind = "supervised"
    quick: ClassVar[Mapping[str, Any]] = {"epochs": 8, "patience": 3, "examples": 1500, "max_actions": QUICK_ACTIONS}

    max_actions: MaxActions = 21
    """The longest program, in actions; examples with longer ones are left out."""
    examples: Count = 5600
    """About how many examples are made, frequent abstract utterances more often; drawn once, from the run's seed."""
    file: str = ""
    """A file of abstract examples to be used instead of the domain's own; empty means: its own."""
    start: Literal["scratch", "last"] = "scratch"
    """Where the weights come from: new ones, or the model of the last training stage."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.002
    """Step size of Adam."""
    batch: Count = 16
    """Examples per step."""

    def problem(self, sizes: Sizes) -> str | None:
        return "supervised does not use the lexicon for its examples: parser.lexicon = false" if sizes.lexicon else None

    def objective(self, trainer: Trainer, index: int, parser: Parser) -> ExampleLoss:
        from chorale.training.descent import seeded  # noqa: PLC0415 - torch
        from chorale.training.objectives.supervised import ExampleLoss  # noqa: PLC0415 - torch

        domain = trainer.domain
        abstractions = needed(domain.abstractions, domain, "abstractions", self.kind)
        rng = seeded(trainer.run.seed, index, 0)
        made = self.drawn(abstractions, trainer.language, trainer.train.shared, domain.words, rng)
        return ExampleLoss(parser, made)

    def drawn(
        self,
        abstractions: Abstractions,
        language: str,
        grammar: Grammar,
        words: Callable[[str], list[str]],
        rng: Random,
    ) -> list[ProgramExample]:
        """The examples that the stage asks for, without those whose programs are too long."""
        pairs = abstractions.filled(language, rng, self.examples, self.file)
        actions = {text: Program.parse(text, grammar).action_ids for text in dict.fromkeys(text for _, text in pairs)}
        examples = [
            ProgramExample(list(map(str, words(sentence))), actions[text])
            for sentence, text in pairs
            if len(actions[text]) <= self.max_actions
        ]
        if not examples:
            why = "all programs are longer" if pairs else f"of about {self.examples} none was made, ask for more"
            raise ChoraleError(f"there is no example with up to {self.max_actions} actions to learn from: {why}")
        return examples


@dataclass(frozen=True, slots=True)
class ProgramExample:
    """The words of a sentence, and the actions of its program."""

    words: list[str]
    actions: tuple[int, ...]
