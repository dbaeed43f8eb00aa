"""Supervised training on examples: sentences whose programs are known (Goldman et al. 2018, the first half).

    loss = - log p(z | x)

The examples are abstract ones whose slots are filled: at random, so that few abstract examples teach all the words, or
only as training utterances fill them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from torch import Tensor

from chorale.domain import Abstractions, Domain, Utterance, needed
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.language.program import Program
from chorale.training.settings import Supervised


@dataclass(frozen=True, slots=True)
class Example:
    """The words of a sentence, and the actions of its program."""

    words: list[str]
    actions: tuple[int, ...]


def log_likelihood(log_probabilities: Tensor) -> Tensor:
    """The mean loss over a batch, from the log-probabilities (batch, 1) of the examples' programs."""
    return -log_probabilities.mean()


def examples_for(
    stage: Supervised, domain: Domain, language: str, grammar: Grammar, utterances: Sequence[Utterance], rng: Random
) -> list[Example]:
    """The examples that a stage asks for, without those whose programs are too long."""
    abstractions = needed(domain.abstractions, domain, "abstractions", "supervised")
    if stage.augmentation:
        pairs = abstractions.filled(language, rng, stage.examples, stage.file)
    else:
        pairs = fillings_of(abstractions, language, stage.file, utterances)
    actions = {text: Program.parse(text, grammar).action_ids for text in dict.fromkeys(text for _, text in pairs)}
    found = [
        Example(list(map(str, domain.words(sentence))), actions[text])
        for sentence, text in pairs
        if len(actions[text]) <= stage.max_actions
    ]
    if not found:
        why = "no abstract example fits a training utterance" if not pairs else "all programs are longer"
        raise ChoraleError(f"there is no example with up to {stage.max_actions} actions to learn from: {why}")
    return found


def fillings_of(
    domain: Abstractions, language: str, file: str, utterances: Sequence[Utterance]
) -> list[tuple[str, str]]:
    """Each training utterance with every program of its abstract utterance, filled as it fills them."""
    known = domain.examples(language, file)
    pairs = []
    for utterance in utterances:
        abstracted = domain.slotted(utterance.sentence)
        for program in known.get(abstracted.text, ()):
            if (filled := abstracted.fill(program)) is not None:
                pairs.append((utterance.sentence, filled))
    return pairs
