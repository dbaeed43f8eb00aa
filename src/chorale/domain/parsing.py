"""Parsing as the rest of Chorale sees it: a corpus of utterances in, readings out.

Whatever can do that is a parser: a network, or a ranker over enumerated meanings. Attention is optional.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from chorale.domain.domain import Domain, grammar_of, needed
from chorale.domain.grounding import Grounding, Ungrounded
from chorale.domain.lexicon import Hints
from chorale.domain.meanings import FOR_CONSTANTS, Meanings, meanings_of
from chorale.domain.reading import Reading, merged
from chorale.domain.utterance import Utterance
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.rewriting import rewritten

Parsed = Iterator[tuple[int, list[Reading]]]
"""The readings of utterances, by the index of each in its corpus; utterances come in any order."""


class SentenceParser(Protocol):
    """Finds programs for utterances."""

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Parsed:
        """The `top` readings of every utterance, the best first."""
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
    ) -> Parsed:
        """As the parser does; all of its beam is looked at, whatever `top` says."""
        for index, readings in self.parser.parse(corpus, beam=beam, attention=attention):
            yield index, merged((one.program, one) for one in map(self._simplified, readings))[:top]

    def _simplified(self, one: Reading) -> Reading:
        return replace(one, program=rewritten(one.program, self.language), simplified_from=one.decoded)


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
    meanings: Callable[[int], Meanings] | None = None
    """What tells the programs of an utterance apart, for parsers that want programs to say something."""

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
        if not grounded and domain.has_constants(language):
            raise ChoraleError(
                f"sentences about {domain.name} are read together with their {domain.context_word}: give it too"
            )
        if sample and not domain.makes_contexts:
            raise ChoraleError(
                f"the domain {domain.name} makes no contexts (`Domain.variants`), which informative programs need"
            )
        words = [[str(word) for word in domain.words(utterance.sentence)] for utterance in utterances]

        def meanings(index: int) -> Meanings:
            return meanings_of(
                domain, language, utterances[index] if domain.has_constants(language) else None, FOR_CONSTANTS
            )

        return Corpus(
            domain.ground(language, utterances) if grounded else Ungrounded(domain.languages[language], utterances),
            words,
            grammar_of(domain, language),
            [triggered(domain, language, utterance) for utterance in utterances] if agenda else None,
            _hints(domain, language, utterances) if hints else None,
            meanings if sample else None,
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
