"""What a run learns from: the utterances of train and dev, their words, and what programs say about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chorale.domain import Domain, Grounding, Utterance, grammar_of, needed
from chorale.language.grammar import Grammar
from chorale.parser import Encoding, Parser

T = TypeVar("T")


@dataclass(frozen=True)
class Corpus:
    """Utterances with the words the parser reads."""

    grounding: Grounding
    words: list[list[str]]
    shared: Grammar
    agendas: list[list[int]] | None = None
    """The actions that each sentence triggers, for parsers that are told of them."""

    @staticmethod
    def of(domain: Domain, language: str, utterances: Sequence[Utterance], *, agenda: bool = False) -> Corpus:
        """Utterances of a domain, ready to be parsed and run."""
        words = [[str(word) for word in domain.words(utterance.sentence)] for utterance in utterances]
        agendas = [agenda_of(domain, language, it) for it in utterances] if agenda else None
        return Corpus(domain.ground(language, utterances), words, grammar_of(domain, language), agendas)

    @property
    def utterances(self) -> Sequence[Utterance]:
        return self.grounding.utterances

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, parser: Parser, chosen: Sequence[int], *, agenda: bool = False) -> Encoding:
        """The sentences of some utterances as the decoder sees them, with what they trigger if that is wanted."""
        if agenda and self.agendas is None:
            raise ValueError("a parser with coverage needs a corpus with agendas")
        agendas = [self.agendas[number] for number in chosen] if agenda and self.agendas is not None else None
        return parser.encode(self.sentences(chosen), grammars=self.own_grammars(chosen), agendas=agendas)

    def sentences(self, chosen: Sequence[int]) -> list[list[str]]:
        """The words of some utterances."""
        return [self.words[number] for number in chosen]

    def own_grammars(self, chosen: Sequence[int]) -> list[Grammar] | None:
        """The grammars of some utterances, or None if they all have the shared one."""
        grammars = [self.grounding.grammar(number) for number in chosen]
        return None if all(grammar is self.shared for grammar in grammars) else grammars


def agenda_of(domain: Domain, language: str, utterance: Utterance) -> list[int]:
    """The actions that an utterance triggers."""
    ids = grammar_of(domain, language).terminal_ids
    agenda = needed(domain.agenda(language), domain, f"agenda for {language}", "a parser with coverage")
    return sorted(ids[name] for name in agenda.required(utterance) if name in ids)


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in order, `size` at a time."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def by_length(corpus: Corpus, chosen: Iterable[int]) -> list[int]:
    """The utterances with sentences of like length beside each other, so that batches hold little filling."""
    return sorted(chosen, key=lambda number: (len(corpus.words[number]), number))
