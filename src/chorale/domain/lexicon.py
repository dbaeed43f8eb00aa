"""Lexicons: what the words of an utterance say about its programs. A capability; search by meaning needs it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from chorale.domain.utterance import Utterance
from chorale.errors import ChoraleError, unknown
from chorale.language.grammar import Grammar
from chorale.plumbing.cache import Cache

if TYPE_CHECKING:
    from chorale.domain.domain import Domain

_REMEMBERED = 4_096  # utterances


@dataclass(frozen=True)
class Hints:
    """What a lexicon knows about the programs of an utterance."""

    allowed: frozenset[str]
    """The functions and constants that its programs may use."""
    explains: tuple[tuple[str, frozenset[str]], ...]
    """Its content words in order, each with the terminals that say it; none if the language cannot."""
    glue: frozenset[str]
    """Terminals that no word needs to ask for, or that come along with what words ask for."""
    words: tuple[str, ...] = ()
    """The sentence as the lexicon reads it; words that can take each other's place ("black", "blue") are one word."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where each of `explains` stands: the first word, and the one after the last."""
    classes: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Terminals that can take each other's place (`black` and `blue`), each with one name for all of them."""
    repeats: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Terminals that may be used more often than words ask for them, and how often."""
    tokens: tuple[tuple[int, int], ...] = ()
    """Where each of `explains` stands in the sentence itself, by its tokens (`Domain.words`): the first, and the one
    after the last; empty if the lexicon does not say."""
    unknown: tuple[str, ...] | None = None
    """Words that it does not know, those without a content of their own apart. None if the lexicon does not say: then
    those are unknown that it has nothing to say about and that no training sentence had."""
    beyond: tuple[str, ...] = ()
    """Words that ask for more than any program can say, such as a number that is too large."""
    repaired: tuple[tuple[str, str], ...] = ()
    """Words that were typed, and what they are taken for, where that differs."""
    meant: tuple[tuple[str, str], ...] = ()
    """Words that are not known, and what would be understood in their place, if that may help."""
    is_open: bool = False
    """Whether sentences may have words that nobody knows, such as names, and make sense all the same."""
    light: frozenset[str] = frozenset()
    """Words that are passed over where it matters how phrases hang together: "the", "item"."""


def check_hints(hints: Hints, grammar: Grammar) -> None:
    """Report names that the language does not have: a mistake in the lexicon."""
    for wrong in sorted(hints.allowed - grammar.signature.keys()):
        asking = next((words for words, wanted in hints.explains if wrong in wanted), None)
        whose = f"the words {asking!r} ask for" if asking else "the lexicon allows"
        raise ChoraleError(
            f"{whose} {wrong!r}, which {grammar.name} does not have; {unknown(wrong, grammar.signature)}"
        )


def unknown_words(hints: Hints | None, words: Sequence[str], is_known: Callable[[str], bool] | None) -> tuple[str, ...]:
    """The words of a sentence that nobody knows: as the lexicon says, or those it says nothing about that are new.

    `is_known` tells whether training sentences had a word; without it nothing is called unknown.
    """
    if hints is not None and hints.unknown is not None:
        return hints.unknown
    if is_known is None:
        return ()
    said: set[int] = set()
    if hints is not None:
        spans = hints.tokens or (hints.spans if len(hints.words) == len(words) else ())
        said = {place for start, end in spans for place in range(start, end)}
        if not spans:
            explained = {word for phrase, _ in hints.explains for word in phrase.split()}
            said = {place for place, word in enumerate(words) if word in explained}
    return tuple(word for place, word in enumerate(words) if place not in said and not is_known(word))


class Lexicon(Protocol):
    """The lexicon of one language. It is asked about an utterance, which may bring a table with its own names."""

    def hints(self, utterance: Utterance) -> Hints: ...


def hints_of(domain: Domain, language: str, utterance: Utterance) -> Hints | None:
    """What the words of an utterance say, looked up once; None if the domain has no lexicon.

    It is remembered as a parse is, by the utterance's identity.
    """
    lexicon = domain.lexicon(language)
    if lexicon is None:
        return None
    kept: Cache[Hashable, Hints] = domain.__dict__.setdefault("_made_hints", Cache(_REMEMBERED))
    return kept.get((language, domain.identity(utterance)), lambda: lexicon.hints(utterance))


class Agenda(Protocol):
    """Terminals that every program of an utterance must use: the reference's search and coverage need it."""

    def required(self, utterance: Utterance) -> frozenset[str]: ...
