"""Search from words alone: the meanings that a sentence may have, whatever its labels say.

The enumeration is that of `by_meaning`, on contexts of which the sentence could have been said (`Domain.variants`). A
meaning is what a program says there; the most plausible spelling of each is kept, the most plausible meanings first.
Programs that say the same of every context say nothing, and are left out, unless there are no others ("hello world").

Labels narrow a search, so without them it must be narrow itself. It does without functions that are mere abbreviations
(`Language.abbreviations`), so that each meaning has few spellings, and what holds a program together may be used as
often as the sentence has parts (`Hints.repeats`). Its work is bounded by numbers of entries, never by the clock.

A language that has `stages` is searched type by type instead (`stages`), by the costs that its domain gives (`Costs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from chorale.domain import Domain, Hints, Meanings, Reading, Utterance, hints_of, meanings_of, needed
from chorale.domain.costs import Costs
from chorale.domain.lexicon import check_hints
from chorale.domain.meanings import FOR_SEARCH, shares_of_truth
from chorale.errors import ChoraleError
from chorale.language import Language
from chorale.plumbing.budget import too_much, work
from chorale.plumbing.checking import Checked
from chorale.search.enumeration import Accept, Enumeration
from chorale.search.prior import ACTION, Plausibility, budget_of, shared_budget
from chorale.search.settings import OUTER
from chorale.search.stages import Stages
from chorale.search.work import TooMuchError, Work

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
    contexts: Annotated[int, Field(ge=1, le=10_000)] = FOR_SEARCH
    """How many generated contexts tell meanings apart."""
    focused: bool = True
    """Whether these have more of what the sentence is about."""
    most: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """How many entries are kept per kind of sub-program and length."""


class FromWords:
    """Searches sentences of one language, one at a time."""

    def __init__(self, domain: Domain, language: str, settings: WordsSettings) -> None:
        self.domain, self.language, self.settings = domain, language, settings
        needed(domain.lexicon(language), domain, f"lexicon for {language}", "search from words")
        self._is_focused = settings.focused or domain.has_constants(language)
        if not domain.has_constants(language) and not domain.makes_contexts:
            raise ChoraleError(
                f"the domain {domain.name} makes no contexts (`Domain.variants`), which search from words needs"
            )

    def hints(self, utterance: Utterance) -> Hints:
        """What the words of a sentence say."""
        hints = hints_of(self.domain, self.language, utterance)
        assert hints is not None  # there is a lexicon
        return hints

    def meanings(self, utterance: Utterance) -> Meanings:
        """What tells the meanings of a sentence apart."""
        asked = utterance if self._is_focused else None
        return meanings_of(self.domain, self.language, asked, self.settings.contexts)

    def search(self, utterance: Utterance) -> list[Reading]:
        """The meanings of a sentence, each in its most plausible spelling, the most plausible first."""
        hints, language = self.hints(utterance), self.meanings(utterance).language
        if not self.domain.has_constants(self.language):
            check_hints(hints, language.grammar)
        if language.stages:
            return self._in_stages(self.domain.costs(self.language, utterance), language)
        try:
            return self._readings(hints, language, _says_something) or self._readings(hints, language, None)
        except TooMuchError:
            raise too_much(f"{utterance.sentence!r:.80}") from None

    def _in_stages(self, costs: Costs, language: Language) -> list[Reading]:
        """The cheapest meanings of a language that is searched type by type."""
        stages = Stages(language, costs)
        meanings = stages.whole_programs
        values = meanings.values[: self.settings.meanings]
        shares = shares_of_truth(values if language.stacks else list(values))
        listed = zip(meanings.rows.tolist(), meanings.costs.tolist(), meanings.says.tolist(), shares, strict=False)
        return [
            Reading(stages.program(row), -cost, meaning=number, true_of=share, unexplained=costs.unsaid(says))
            for number, (row, cost, says, share) in enumerate(listed)
        ]

    def _readings(self, hints: Hints, language: Language, accept: Accept | None) -> list[Reading]:
        enumeration = self._enumerated(hints, language, accept)
        plausibility, lacks = Plausibility(hints), dict[int, float]()
        spelled: dict[Any, list[tuple[float, int, int]]] = {}  # for each meaning: implausibility, cost, row
        true_of: dict[Any, float | None] = {}
        for cost, entries in enumeration.root_levels():
            keys = _keys(entries.values[0])
            for row, (key, names) in enumerate(zip(keys, entries.names.tolist(), strict=True)):
                if names not in lacks:
                    lacks[names] = -plausibility.of(0, enumeration.terminals((0, cost, row))).log
                spelled.setdefault(key, []).append((lacks[names] + ACTION * cost, cost, row))
            true_of |= zip(keys, shares_of_truth(entries.values[0]), strict=True)
        for spellings in spelled.values():
            spellings.sort()
        ranked = sorted(spelled.items(), key=lambda pair: pair[1][0])[: self.settings.meanings]
        readings = []
        for number, (key, spellings) in enumerate(ranked):
            for lack, cost, row in spellings[: self.settings.spellings]:
                if lack - spellings[0][0] <= SLACK:
                    prior = plausibility.of(cost, enumeration.terminals((0, cost, row)))
                    program, shares = enumeration.program(cost, row), true_of[key]
                    one = Reading(program, prior.log, meaning=number, true_of=shares, unexplained=prior.unexplained)
                    readings.append(one)
        return readings

    def _enumerated(self, hints: Hints, language: Language, accept: Accept | None) -> Enumeration:
        settings = self.settings
        allowed = hints.allowed - (language.abbreviations if settings.lean else frozenset())
        budget = (
            shared_budget(hints, allowed, repeats=settings.repeats)
            if settings.shared
            else budget_of(hints, repeats=settings.repeats)
        )
        return Enumeration(
            language,
            settings.max_actions,
            allowed=allowed,
            budget=budget,
            accept=accept,
            most=settings.most,
            most_whole=MOST_WHOLE,
            outer=OUTER,
            work=Work.within(work(), self.settings.contexts),
        )


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
