"""Decoding a corpus with the network: the beams of all utterances, many at once, and their programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

import torch
from torch import nn

from chorale.domain import Reading
from chorale.domain.parsing import Corpus, Parsed
from chorale.language.program import Program
from chorale.parser.beam import Beam
from chorale.parser.network import Encoding
from chorale.parser.parser import Parser
from chorale.parser.reranker import Ranked, Reranker
from chorale.parser.rules import Rules

AT_ONCE = 64
"""Utterances per batch; more make no difference on a processor."""

NO_RULES = Rules()

T = TypeVar("T")


class Learner(Protocol):
    """What has weights that are trained: a parser or a reranker."""

    @property
    def network(self) -> nn.Module: ...
    @property
    def device(self) -> torch.device: ...


@dataclass(frozen=True)
class NetworkParser:
    """A network as a parser of sentences, with the reranker that helps it to choose, if there is one."""

    network: Parser
    beam: int
    max_actions: int
    agenda: bool = False
    """Whether the network is given what an utterance triggers."""
    reranker: Reranker | None = None
    rules: Rules = NO_RULES
    """What else decides which program is the best."""

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Parsed:
        """The best programs are the most probable ones, or those that the reranker and the rules put first."""
        with _one_thread() if len(corpus) == 1 else nullcontext():
            batches = beams(
                self.network, corpus, beam or self.beam, self.max_actions, agenda=self.agenda, attention=attention
            )
            for chosen, one in batches:
                yield from programs(corpus, chosen, one, self.reranker, self.rules, top)


@contextmanager
def _one_thread() -> Iterator[None]:
    """For one sentence a second thread only costs; the caller's setting is left as it was."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def beams(
    parser: Parser, corpus: Corpus, beam: int, max_actions: int, *, agenda: bool = False, attention: bool = False
) -> Iterator[tuple[Sequence[int], Beam]]:
    """The beams of all utterances, those with sentences of like length together."""
    for chosen in batches(by_length(corpus), AT_ONCE):
        with evaluating(parser):
            hypotheses = parser.search(
                encode(parser, corpus, chosen, agenda=agenda), beam, max_actions, attention=attention
            )
        yield chosen, hypotheses  # outside, so that the caller has gradients


def programs(
    corpus: Corpus,
    chosen: Sequence[int],
    beam: Beam,
    reranker: Reranker | None = None,
    rules: Rules = NO_RULES,
    top: int | None = None,
) -> Parsed:
    """The best programs of some utterances whose beams were found."""
    plain = Ranked(beam, beam.log_probabilities, None)
    ranked = plain if reranker is None else _reranked(reranker, corpus, chosen, beam)
    beam, ranks = ranked.beam, ranked.probabilities
    attention = None if beam.attention is None else beam.attention.numpy(force=True)
    for row, index in enumerate(chosen):
        grammar, listed = corpus.grounding.grammar(index), []
        action_lists = [[action for action in actions if action >= 0] for actions in beam.actions[row].tolist()]
        action_lists = [actions for actions in action_lists if actions]  # these come first
        scores, order = beam.log_probabilities[row].tolist(), iter(range(len(action_lists)))
        if rules:
            order = rules.ranked(corpus, index, list(zip(action_lists, ranked.totals[row].tolist(), strict=False)))
        for rank in islice(order, top):
            program = Program.from_actions(action_lists[rank], grammar)
            looked = None if attention is None else attention[row, rank, : len(action_lists[rank])]
            rank_probability = None if ranks is None else float(ranks[row, rank])
            listed.append(
                Reading(program, log_probability=scores[rank], attention=looked, rank_probability=rank_probability)
            )
        yield index, listed


def encode(parser: Parser, corpus: Corpus, chosen: Sequence[int], *, agenda: bool = False) -> Encoding:
    """The sentences of some utterances as the decoder sees them, with what they trigger if that is wanted."""
    if agenda and corpus.agendas is None:
        raise ValueError("a parser with coverage needs a corpus with agendas")
    agendas = [corpus.agendas[index] for index in chosen] if agenda and corpus.agendas is not None else None
    hints = None if corpus.hints is None else [corpus.hints[index] for index in chosen]
    return parser.encode(corpus.sentences(chosen), grammars=corpus.own_grammars(chosen), agendas=agendas, hints=hints)


@contextmanager
def evaluating(learner: Learner) -> Iterator[None]:
    """No gradients and no dropout; afterwards all is as it was."""
    before = learner.network.training
    learner.network.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        learner.network.train(before)


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in order, `size` at a time."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def by_length(corpus: Corpus) -> list[int]:
    """The utterances with sentences of like length beside each other, so that batches hold little padding."""
    return sorted(range(len(corpus)), key=lambda index: (len(corpus.words[index]), index))


def _reranked(reranker: Reranker, corpus: Corpus, chosen: Sequence[int], beam: Beam) -> Ranked:
    with evaluating(reranker):
        return reranker.rerank(corpus.sentences(chosen), beam, grammars=corpus.own_grammars(chosen))
