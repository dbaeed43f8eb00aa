"""Decoding a corpus: the best program of every utterance and what it says, many utterances at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from chorale.evaluation.evaluate import Right
from chorale.evaluation.predictions import Prediction
from chorale.parser import Parser
from chorale.training.corpora import Corpus, batches, by_length
from chorale.training.rewards import Rewards, short

AT_ONCE = 64
"""Utterances per batch; more make no difference on a processor."""


@contextmanager
def evaluating(parser: Parser, *, dropout: bool = False) -> Iterator[None]:
    """No gradients, and no dropout unless it is asked for; afterwards all is as it was."""
    before = parser.network.training
    parser.network.train(dropout)
    try:
        with torch.no_grad():
            yield
    finally:
        parser.network.train(before)


def decode(
    parser: Parser,
    corpus: Corpus,
    rewards: Rewards,
    beam: int,
    max_actions: int,
    tick: Callable[[int], None] = lambda _: None,
    *,
    agenda: bool = False,
) -> list[Prediction]:
    """The most probable program of every utterance, in order; `tick` is told how many utterances are new."""
    found: dict[int, Prediction] = {}
    with evaluating(parser):
        for chosen in batches(by_length(corpus, range(len(corpus))), AT_ONCE):
            result = parser.search(corpus.encode(parser, chosen, agenda=agenda), beam, max_actions)
            actions = short(result.actions[:, 0])
            scores = result.log_probabilities[:, 0].tolist()
            for place, number in enumerate(chosen):
                row = actions[place][actions[place] >= 0]
                utterance = corpus.utterances[number]
                found[number] = Prediction(
                    utterance.identifier,
                    utterance.sentence,
                    rewards.program(number, row).text,
                    math.exp(scores[place]),
                    rewards.answers(number, row),
                )
            tick(len(chosen))
    return [found[number] for number in range(len(corpus))]


def rights(corpus: Corpus, predictions: list[Prediction]) -> list[Right]:
    """For each utterance, in which contexts its program is right."""
    pairs = zip(corpus.utterances, predictions, strict=True)
    return [tuple(a == b for a, b in zip(p.denotations, u.answers, strict=True)) for u, p in pairs]
