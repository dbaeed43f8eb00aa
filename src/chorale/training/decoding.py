"""Decoding a corpus: the best program of every utterance and what it says, many utterances at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import torch

from chorale.evaluation.metrics import Right
from chorale.evaluation.predictions import Prediction
from chorale.parser import Beam, Parser, Reranker
from chorale.runs.checkpoints import Learner
from chorale.training.corpora import Corpus, batches, by_length
from chorale.training.rewards import Rewards, short

AT_ONCE = 64
"""Utterances per batch; more make no difference on a processor."""

Found = tuple[Sequence[int], Beam]
"""Some utterances and their beams."""


@contextmanager
def evaluating(learner: Learner, *, dropout: bool = False) -> Iterator[None]:
    """No gradients, and no dropout unless it is asked for; afterwards all is as it was."""
    before = learner.network.training
    learner.network.train(dropout)
    try:
        with torch.no_grad():
            yield
    finally:
        learner.network.train(before)


def decode(
    parser: Parser,
    corpus: Corpus,
    rewards: Rewards,
    beam: int,
    max_actions: int,
    tick: Callable[[int], None] = lambda _: None,
    *,
    agenda: bool = False,
    reranker: Reranker | None = None,
) -> list[Prediction]:
    """The best program of every utterance, in order; `tick` is told how many utterances are new.

    The best is the most probable one, or the one that a reranker puts first.
    """
    return best_of(corpus, rewards, beams(parser, corpus, beam, max_actions, agenda=agenda), reranker, tick)


def beams(parser: Parser, corpus: Corpus, beam: int, max_actions: int, *, agenda: bool = False) -> Iterator[Found]:
    """The beams of all utterances, those with sentences of like length together."""
    for chosen in batches(by_length(corpus, range(len(corpus))), AT_ONCE):
        with evaluating(parser):
            found = parser.search(corpus.encode(parser, chosen, agenda=agenda), beam, max_actions)
        yield chosen, found  # outside, so that whoever asked for it has gradients


def best_of(
    corpus: Corpus,
    rewards: Rewards,
    found: Iterable[Found],
    reranker: Reranker | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> list[Prediction]:
    """The best program of each utterance whose beam was found, in the order of the corpus."""
    best: dict[int, Prediction] = {}
    for chosen, beam in found:
        ordered = beam if reranker is None else _reranked(reranker, corpus, chosen, beam)
        actions = short(ordered.actions[:, 0])
        scores = ordered.log_probabilities[:, 0].tolist()
        for place, number in enumerate(chosen):
            row = actions[place][actions[place] >= 0]
            utterance = corpus.utterances[number]
            best[number] = Prediction(
                utterance.identifier,
                utterance.sentence,
                rewards.program(number, row).text,
                math.exp(scores[place]),
                rewards.answers(number, row),
            )
        tick(len(chosen))
    return [best[number] for number in sorted(best)]


def _reranked(reranker: Reranker, corpus: Corpus, chosen: Sequence[int], beam: Beam) -> Beam:
    with evaluating(reranker):
        return reranker.rerank(corpus.sentences(chosen), beam, grammars=corpus.own_grammars(chosen)).beam


def rights(corpus: Corpus, predictions: list[Prediction]) -> list[Right]:
    """For each utterance, in which contexts its program is right."""
    pairs = zip(corpus.utterances, predictions, strict=True)
    return [tuple(a == b for a, b in zip(p.denotations, u.answers, strict=True)) for u, p in pairs]
