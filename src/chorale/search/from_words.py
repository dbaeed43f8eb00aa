"""Search from words alone: the meanings that a sentence may have, whatever its labels say.

The enumeration is that of `by_meaning`, on contexts that the sentence was not said of (`Domain.generator` makes them).
A meaning is what a program says there; the most plausible spelling of each is kept, the most plausible meanings first.
Programs that say the same of every context say nothing, and are left out, unless there are no others ("hello world").
"A black circle and two black triangles" is hardly ever true of just any contexts, so they are contexts that have more
of what the sentence is about (`Hints.about`, `Domain.focus`), if the domain can make such.

Labels narrow a search, so without them it must be narrow itself. It does without functions that are mere abbreviations
(`Language.abbreviations`), so that each meaning has few spellings, and what holds a program together may be used as
often as the sentence has parts (`Hints.repeats`). Its work is bounded by numbers of entries, never by the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from chorale.domain import Domain, Hints, Lexicon, Utterance, needed
from chorale.language import Language, Program, run
from chorale.plumbing.checking import Checked
from chorale.search.candidates import Candidate
from chorale.search.distinguish import on_focused
from chorale.search.enumeration import Accept, Enumeration
from chorale.search.prior import ACTION, Plausibility, budget_of, shared_budget
from chorale.search.settings import OUTER

SLACK = 3.0
"""How much less plausible than the best a spelling may be, in nats."""
MOST_WHOLE = 4_000
"""How many whole programs are kept per length."""


class WordsSettings(Checked):
    """How far a search from words alone goes. Models of strangers bring it along, so there is a limit to each."""

    max_actions: Annotated[int, Field(ge=1, le=1_000)] = 24
    """The longest program, in actions."""
    meanings: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """The most meanings kept per sentence."""
    spellings: Annotated[int, Field(ge=1, le=1_000)] = 1
    """The most spellings kept per meaning."""
    lean: bool = True
    """Whether functions that are mere abbreviations are left out."""
    repeats: bool = True
    """Whether what the lexicon names may be used more often than words ask for it."""
    shared: bool = True
    """Whether a phrase is answered once, by one of the functions that it asks for."""
    contexts: Annotated[int, Field(ge=1, le=10_000)] = 128
    """How many generated contexts tell meanings apart."""
    focused: bool = True
    """Whether these have more of what the sentence is about."""
    most: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """How many entries are kept per kind of sub-program and length."""


class FromWords:
    """Searches sentences of one language, one at a time."""

    def __init__(self, bound: Callable[[tuple[str, ...]], Language], lexicon: Lexicon, settings: WordsSettings) -> None:
        """`bound` gives the language on contexts that tell the meanings of a sentence apart, from `Hints.about`."""
        self.bound, self.lexicon, self.settings = bound, lexicon, settings

    @staticmethod
    def of(domain: Domain, language: str, settings: WordsSettings) -> FromWords:
        """On generated contexts of a domain, the same each time."""
        lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "search from words")
        needed(domain.generator, domain, "generator", "search from words")
        return FromWords(partial(on_focused, domain, language, settings.contexts), lexicon, settings)

    def language(self, utterance: Utterance) -> Language:
        """The language on the contexts that tell the meanings of a sentence apart."""
        return self.bound(self.lexicon.hints(utterance).about if self.settings.focused else ())

    def true_of(self, utterance: Utterance, program: Program) -> float | None:
        """The share of these of which a program is true; None if its answers are no truth values."""
        answers = run(program, self.language(utterance))
        return _shares_of_truth(answers[None])[0] if isinstance(answers, np.ndarray) else None

    def search(self, utterance: Utterance) -> list[Candidate]:
        """The meanings of a sentence, each in its most plausible spelling, the most plausible first."""
        hints, language = self.lexicon.hints(utterance), self.language(utterance)
        return self._meanings(hints, language, _says_something) or self._meanings(hints, language, None)

    def _meanings(self, hints: Hints, language: Language, accept: Accept | None) -> list[Candidate]:
        rare = language.abbreviations if self.settings.lean else frozenset()
        allowed = hints.allowed - rare
        budget = (
            shared_budget(hints, allowed, repeats=self.settings.repeats)
            if self.settings.shared
            else budget_of(hints, repeats=self.settings.repeats)
        )
        enumeration = Enumeration(
            language,
            self.settings.max_actions,
            allowed=allowed,
            budget=budget,
            accept=accept,
            most=self.settings.most,
            most_whole=MOST_WHOLE,
            outer=OUTER,
        )
        plausibility, lacks = Plausibility(hints), dict[int, float]()
        spelled: dict[Any, list[tuple[float, int, int]]] = {}
        true_of: dict[Any, float | None] = {}
        for cost, entries in enumeration.found():
            keys = _keys(entries.values[0])
            for row, (key, names) in enumerate(zip(keys, entries.names.tolist(), strict=True)):
                if names not in lacks:
                    lacks[names] = -plausibility.of(0, enumeration.terminals((0, cost, row))).log
                spelled.setdefault(key, []).append((lacks[names] + ACTION * cost, cost, row))
            true_of |= zip(keys, _shares_of_truth(entries.values[0]), strict=True)
        for spellings in spelled.values():
            spellings.sort()
        ranked = sorted(spelled.items(), key=lambda pair: pair[1][0])[: self.settings.meanings]
        return [
            Candidate(
                enumeration.program(cost, row),
                plausibility.of(cost, enumeration.terminals((0, cost, row))),
                meaning=number,
                true_of=true_of[key],
            )
            for number, (key, spellings) in enumerate(ranked)
            for lack, cost, row in spellings[: self.settings.spellings]
            if lack - spellings[0][0] <= SLACK
        ]


def _says_something(values: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which root entries do not say the same of every context."""
    if isinstance(values, np.ndarray):
        changing: np.ndarray[Any, np.dtype[np.bool_]] = (values != values[:, :1]).any(axis=1)
        return changing
    return np.array([any(value != row[0] for value in row) for row in values], dtype=bool)


def _shares_of_truth(values: Any) -> list[float | None]:
    """The share of contexts of which each root entry is true; None for answers that are no truth values."""
    if isinstance(values, np.ndarray) and values.dtype == bool:
        return [float(share) for share in values.mean(axis=1)]
    return [None] * len(values)


def _keys(values: Any) -> Sequence[Any]:
    if isinstance(values, np.ndarray):
        packed = np.packbits(values, axis=1) if values.dtype == bool else np.ascontiguousarray(values)
        return [row.tobytes() for row in packed]
    return list(values)
