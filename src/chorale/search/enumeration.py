"""Programs by meaning: bottom-up enumeration that keeps one entry per meaning.

For every state of the grammar and every number of actions there is a level of entries. An entry has a value: that of
its type on all contexts, or for a function its results on *probes*, the inputs it will be given (`Language.probes`).
Two entries of a state with equal values are the same meaning (observational equivalence), and only the shorter is
kept. Entries are made level by level, all combinations of an action with smaller entries in one vector operation (see
`offers`), and remember only what they were made of; a program is assembled when somebody asks for it (see `levels`).

A `Budget` says how often each terminal may be used: entries count what they use, and combinations that use more than
there is are never computed. Spellings of a meaning that use different words are different entries, so that a longer
one that says what the sentence says is not lost to a shorter one that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.language import Language, Program
from chorale.language.grammar import Kind
from chorale.search.budget import Budget
from chorale.search.entries import Entries, Offer, Ref, Rows, chosen_of, keys, take
from chorale.search.levels import Levels
from chorale.search.offers import Offers
from chorale.search.states import Expansion, merged_states

Accept = Callable[[Any], NDArray[np.bool_]]

_SURE = (4, 0)  # single functions and compositions of so few actions are never merged
_THOROUGH = (5, 3)
_CHUNK = 512  # entries that are compared at a time


class Enumeration:
    """All meanings of at most `max_actions`, for one language on its contexts.

    `allowed` narrows the terminals, `accept` says which root entries are worth keeping, `most` bounds the entries of
    a level (those that answer most of the utterance's words stay), `most_whole` those of a level of whole programs, and
    `outer` the actions of the outer function of a composition.

    Functions are merged by what they give on the probes, but compositions call them on more; a `thorough` enumeration
    merges none that are short, and loses no meaning of up to nine actions that way.
    """

    def __init__(
        self,
        language: Language,
        max_actions: int,
        *,
        allowed: Collection[str] | None = None,
        budget: Budget | None = None,
        accept: Accept | None = None,
        most: int | None = None,
        most_whole: int | None = None,
        outer: int | None = None,
        thorough: bool = False,
    ) -> None:
        self.language, self.grammar = language, language.grammar
        self.max_actions, self.allowed = max_actions, allowed
        self.most, self.most_whole = most, most_whole
        self.budget = budget or Budget()
        self.accept = accept
        self._states = merged_states(self.grammar)
        self._sure = _THOROUGH if thorough else _SURE
        self._levels = Levels(language, len(self._states.expansions))
        self._offers = Offers(self._levels, self.budget, self._states.width, outer)
        self._seen: list[set[Any]] = [set() for _ in self._states.expansions]
        for cost in range(1, max_actions + 1):
            self._grow(cost)

    # -- what was found ----------------------------------------------------------------------------------------

    def found(self) -> list[tuple[int, Entries]]:
        """The levels of the root, cheapest first: number of actions, entries."""
        return list(self._levels.of[0].items())

    def terminals(self, ref: Ref) -> tuple[str, ...]:
        """The functions and constants of an entry, sorted, each as often as it is used."""
        return self._levels.terminals(ref)

    def program(self, cost: int, row: int) -> Program:
        """The program of a root entry."""
        return Program(self._levels.term((0, cost, row)), self.grammar)

    # -- growing -----------------------------------------------------------------------------------------------

    def _grow(self, cost: int) -> None:
        made: dict[Expansion, list[Offer]] = {}
        for state, expansions in enumerate(self._states.expansions):
            if cost + self._states.outside[state] > self.max_actions:
                continue  # no whole program has room for such a part
            offers: list[Offer] = []
            if cost == 1:
                for number in self._states.terminals[state]:
                    if self.allowed is None or self.grammar.productions[number].name in self.allowed:
                        offers.append(self._offers.terminal(number))
            else:
                for expansion in expansions:
                    if expansion not in made:
                        made[expansion] = [one for one in self._offers.expand(expansion, cost) if len(one.usage)]
                    offers += made[expansion]
            if offers:
                level = self._without_known(state, cost, offers)
                if len(level):
                    self._levels.of[state][cost] = level

    def _without_known(self, state: int, cost: int, offers: Sequence[Offer]) -> Entries:
        """The entries whose meaning is new to the state, and for the root those that are accepted."""
        if state != 0 and self.most is not None and sum(len(offer.usage) for offer in offers) > self.most:
            return self._best(state, cost, offers, self.most)
        level = Entries.joined([offer.whole for offer in offers])
        if state == 0 and self.accept is not None:
            level = level.take(np.flatnonzero(self.accept(level.values[0])))
        if not level.values or not len(level):  # names of functions: nothing to compare
            return level
        if state == 0 and self.most_whole is not None and len(level) > self.most_whole:
            return self._best(state, cost, [Offer.of(level)], self.most_whole)
        kept = self._fresh(state, cost, level, np.arange(len(level)))
        return level.take(np.array(kept, dtype=np.intp)) if len(kept) < len(level) else level

    def _best(self, state: int, cost: int, offers: Sequence[Offer], most: int) -> Entries:
        """So many new entries, those that answer most words first; the others are not even made."""
        answers = self.budget.answers(np.concatenate([offer.usage for offer in offers]))
        order = np.argsort(-answers, kind="stable")
        kept: list[Entries] = []
        rows: list[Rows] = []
        missing = most
        for start in range(0, len(order), _CHUNK):
            chunk = order[start : start + _CHUNK]
            place = np.argsort(chunk)
            level = chosen_of(offers, chunk[place])
            if not level.values:  # names of functions: nothing to compare
                return Entries.joined([offer.whole for offer in offers])
            fresh = np.array(self._fresh(state, cost, level, np.argsort(place))[:missing], dtype=np.intp)
            kept.append(level.take(fresh))
            rows.append(chunk[place][fresh])
            missing -= len(fresh)
            if not missing:
                break
        return Entries.joined(kept).take(np.argsort(np.concatenate(rows)))

    def _fresh(self, state: int, cost: int, level: Entries, rows: Rows) -> list[int]:
        """Those of the rows whose meaning was not seen yet."""
        seen, fresh = self._seen[state], list[int]()
        found = keys([take(batch, rows) for batch in level.values], level.usage[rows])
        try:
            for row, key, is_kept in zip(rows.tolist(), found, self._kept(state, cost, level, rows), strict=True):
                if is_kept or key not in seen:
                    seen.add(key)
                    fresh.append(row)
        except TypeError:
            raise ChoraleError(
                f"values of {self.grammar.name} cannot be compared: give values that can be keys (tuples, not "
                "lists or arrays), or say `stacks = True` and work on arrays with one more axis in front"
            ) from None
        return fresh

    def _kept(self, state: int, cost: int, level: Entries, rows: Rows) -> list[bool]:
        """Which of the rows are never merged."""
        single, composed = (cost <= most and self._states.is_function[state] for most in self._sure)
        if not (single or composed):
            return [False] * len(rows)
        kinds = [self.grammar.productions[number].kind for number, _ in level.sources]
        kept = [composed if kind is Kind.COMPOSE else single for kind in kinds]
        return [kept[source] for source in level.made[rows].tolist()]
