"""Search from words alone: the meanings that a sentence may have, whatever its labels say.

The enumeration is that of `by_meaning`, on contexts that the sentence was not said of (`Domain.generator` makes them).
A meaning is what a program says there; the most plausible spelling of each is kept, the most plausible meanings first.
Programs that say the same of every context say nothing, and are left out, unless there are no others ("hello world").

Labels narrow a search, so without them it must be narrow itself. It does without functions that are mere abbreviations
(`Language.abbreviations`), so that each meaning has few spellings, and what holds a program together may be used as
often as the sentence has parts (`Hints.repeats`). Its work is bounded by numbers of entries, never by the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from chorale.domain import Domain, Hints, Lexicon, Utterance, needed
from chorale.language import Language
from chorale.plumbing.checking import Checked
from chorale.search.candidates import Candidate
from chorale.search.distinguish import on_generated
from chorale.search.enumeration import Accept, Enumeration
from chorale.search.prior import ACTION, Plausibility, budget_of
from chorale.search.settings import OUTER


class WordsSettings(Checked):
    """How far a search from words alone goes. Models of strangers bring it along, so there is a limit to each."""

    max_actions: Annotated[int, Field(ge=1, le=1_000)] = 24
    """The longest program, in actions."""
    meanings: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """The most meanings kept per sentence."""
    spellings: Annotated[int, Field(ge=1, le=1_000)] = 1
    """The most spellings kept per meaning."""
    slack: Annotated[float, Field(ge=0)] = 3.0
    """How much less plausible than the best a spelling may be, in nats."""
    lean: bool = True
    """Whether functions that are mere abbreviations are left out."""
    repeats: bool = True
    """Whether what the lexicon names may be used more often than words ask for it."""
    contexts: Annotated[int, Field(ge=1, le=10_000)] = 128
    """How many generated contexts tell meanings apart."""
    most: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """How many entries are kept per kind of sub-program and length."""
    most_whole: Annotated[int, Field(ge=1, le=1_000_000)] = 4_000
    """How many whole programs are kept per length."""


class FromWords:
    """Searches sentences of one language, one at a time."""

    def __init__(self, language: Language, lexicon: Lexicon, settings: WordsSettings) -> None:
        """The language is bound to the contexts that tell meanings apart."""
        self.language, self.lexicon, self.settings = language, lexicon, settings

    @staticmethod
    def of(domain: Domain, language: str, settings: WordsSettings) -> FromWords:
        """On generated contexts of a domain, the same each time."""
        lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "search from words")
        needed(domain.generator, domain, "generator", "search from words")
        return FromWords(on_generated(domain, language, settings.contexts), lexicon, settings)

    def search(self, utterance: Utterance) -> list[Candidate]:
        """The meanings of a sentence, each in its most plausible spelling, the most plausible first."""
        hints = self.lexicon.hints(utterance)
        return self._meanings(hints, _says_something) or self._meanings(hints, None)

    def _meanings(self, hints: Hints, accept: Accept | None) -> list[Candidate]:
        rare = self.language.abbreviations if self.settings.lean else frozenset()
        allowed, budget = hints.allowed - rare, budget_of(hints, repeats=self.settings.repeats)
        enumeration = Enumeration(
            self.language,
            self.settings.max_actions,
            allowed=allowed,
            budget=budget,
            accept=accept,
            most=self.settings.most,
            most_whole=self.settings.most_whole,
            outer=OUTER,
        )
        plausibility, lacks = Plausibility(hints), dict[int, float]()
        spelled: dict[Any, list[tuple[float, int, int]]] = {}
        for cost, entries in enumeration.found():
            for row, (key, names) in enumerate(zip(_keys(entries.values[0]), entries.names.tolist(), strict=True)):
                if names not in lacks:
                    lacks[names] = -plausibility.of(0, enumeration.terminals((0, cost, row))).log
                spelled.setdefault(key, []).append((lacks[names] + ACTION * cost, cost, row))
        for spellings in spelled.values():
            spellings.sort()
        ranked = sorted(spelled.values(), key=itemgetter(0))[: self.settings.meanings]
        return [
            Candidate(
                enumeration.program(cost, row),
                plausibility.of(cost, enumeration.terminals((0, cost, row))),
                meaning=number,
            )
            for number, spellings in enumerate(ranked)
            for lack, cost, row in spellings[: self.settings.spellings]
            if lack - spellings[0][0] <= self.settings.slack
        ]


def _says_something(values: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which root entries do not say the same of every context."""
    if isinstance(values, np.ndarray):
        changing: np.ndarray[Any, np.dtype[np.bool_]] = (values != values[:, :1]).any(axis=1)
        return changing
    return np.array([any(value != row[0] for value in row) for row in values], dtype=bool)


def _keys(values: Any) -> Sequence[Any]:
    if isinstance(values, np.ndarray):
        packed = np.packbits(values, axis=1) if values.dtype == bool else np.ascontiguousarray(values)
        return [row.tobytes() for row in packed]
    return list(values)
