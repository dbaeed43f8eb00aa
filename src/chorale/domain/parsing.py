"""Parsing as the rest of Chorale sees it: a corpus of utterances in, scored programs out.

Whatever can do that is a parser: a network, or a ranker over enumerated meanings. Attention is optional.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chorale.domain.domain import Domain, grammar_of, needed
from chorale.domain.grounding import Grounding, Ungrounded
from chorale.domain.lexicon import Hints
from chorale.domain.sample import Sample, sample_of
from chorale.domain.utterance import Utterance
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.language.rewriting import rewritten


@dataclass(frozen=True)
class ScoredProgram:
    """A program for an utterance, and how probable it is."""

    program: Program
    log_probability: float
    attention: NDArray[np.float32] | None = field(default=None, repr=False)
    """Where each action looked: (action, word)."""
    rank_probability: float | None = None
    """How likely a reranker holds the program to be right, if there is one."""
    decoded: Program | None = None
    """What the parser wrote, action by action, if the program was simplified since; attention belongs to it."""

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)


class SentenceParser(Protocol):
    """Gives programs for utterances."""

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Iterator[tuple[int, list[ScoredProgram]]]:
        """The `top` programs of every utterance, by its index, the best first; utterances come in any order."""
        ...


@dataclass(frozen=True)
class Simplifying:
    """A parser whose programs are simplified by the laws of their language (see `chorale.language.laws`).

    Programs that become the same are one, at the place of the first, and their probabilities add up. The best program
    says what it said before.
    """

    parser: SentenceParser
    language: type[Language]

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Iterator[tuple[int, list[ScoredProgram]]]:
        """As the parser does; all of its beam is looked at, whatever `top` says."""
        for index, found in self.parser.parse(corpus, beam=beam, attention=attention):
            yield index, self._merged(found)[:top]

    def _merged(self, found: Sequence[ScoredProgram]) -> list[ScoredProgram]:
        merged: dict[Program, ScoredProgram] = {}
        for one in found:
            program = rewritten(one.program, self.language)
            if (first := merged.get(program)) is None:
                merged[program] = replace(one, program=program, decoded=one.decoded or one.program)
            else:
                together = float(np.logaddexp(first.log_probability, one.log_probability))
                merged[program] = replace(first, log_probability=min(together, 0.0))
        return list(merged.values())


@dataclass(frozen=True)
class Corpus:
    """Utterances with their words and what programs say about them."""

    grounding: Grounding
    words: list[list[str]]
    shared: Grammar
    """The grammar without the constants that contexts bring."""
    agendas: list[list[int]] | None = None
    """The actions that each utterance triggers, for parsers that are given them."""
    hints: list[Hints] | None = None
    """What the words of each utterance say about its programs, for parsers that listen to a lexicon."""
    sample: Sample | None = None
    """Made-up contexts, for parsers that want programs to say something."""

    @staticmethod
    def of(
        domain: Domain,
        language: str,
        utterances: Sequence[Utterance],
        *,
        agenda: bool = False,
        hints: bool = False,
        sample: bool = False,
        grounded: bool = True,
    ) -> Corpus:
        """Utterances of a domain, ready to be parsed and run; without contexts they are not grounded."""
        words = [[str(word) for word in domain.words(utterance.sentence)] for utterance in utterances]
        bound = domain.languages[language]
        return Corpus(
            domain.ground(language, utterances) if grounded else Ungrounded(bound, utterances),
            words,
            grammar_of(domain, language),
            [triggered(domain, language, utterance) for utterance in utterances] if agenda else None,
            _hints(domain, language, utterances) if hints else None,
            sample_of(domain, language) if sample else None,
        )

    @property
    def utterances(self) -> Sequence[Utterance]:
        return self.grounding.utterances

    def __len__(self) -> int:
        return len(self.words)

    def sentences(self, chosen: Sequence[int]) -> list[list[str]]:
        """The words of some utterances."""
        return [self.words[index] for index in chosen]

    def own_grammars(self, chosen: Sequence[int]) -> list[Grammar] | None:
        """The grammars of some utterances, or None if they all have the shared one."""
        grammars = [self.grounding.grammar(index) for index in chosen]
        return None if all(grammar is self.shared for grammar in grammars) else grammars


def _hints(domain: Domain, language: str, utterances: Sequence[Utterance]) -> list[Hints]:
    lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "a parser that listens to it")
    return [lexicon.hints(utterance) for utterance in utterances]


def triggered(domain: Domain, language: str, utterance: Utterance) -> list[int]:
    """The actions that an utterance triggers."""
    ids = grammar_of(domain, language).terminal_ids
    agenda = needed(domain.agenda(language), domain, f"agenda for {language}", "a parser with coverage")
    return sorted(ids[name] for name in agenda.required(utterance) if name in ids)
