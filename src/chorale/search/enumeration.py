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
from chorale.search.entries import Entries, Offer, Ref, Rows
from chorale.search.levels import Levels
from chorale.search.offers import Offers
from chorale.search.queue import Chunk, Queue
from chorale.search.states import Expansion, merged_states, narrowed_states
from chorale.search.work import Work

Queues = dict[tuple[int, ...], Queue]
"""Queues by the offers in them."""
Accept = Callable[[Any], NDArray[np.bool_]]

_SURE = (4, 0)  # single functions and compositions of so few actions are never merged
_THOROUGH = (5, 3)


class Enumeration:
    """All meanings of at most `max_actions`, for one language on its contexts.

    `allowed` narrows the terminals, `accept` says which root entries are worth keeping, `most` bounds the entries of
    a level (those that answer most of the utterance's words stay), `most_whole` those of a level of whole programs, and
    `outer` the actions of the outer function of a composition. `work` bounds what it costs.

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
        work: Work | None = None,
    ) -> None:
        self.language, self.grammar = language, language.grammar
        self.max_actions, self.most, self.most_whole = max_actions, most, most_whole
        self.budget = budget or Budget()
        self.accept = accept
        self._states = merged_states(self.grammar) if allowed is None else narrowed_states(self.grammar, allowed)
        self._sure = _THOROUGH if thorough else _SURE
        self.work = work or Work()
        self._levels = Levels(language, len(self._states.expansions))
        self._offers = Offers(self._levels, self.budget, self._states.width, outer, self.work)
        self._seen: list[set[Any]] = [set() for _ in self._states.expansions]
        for cost in range(1, max_actions + 1):
            self._grow(cost)

    # -- what was found ----------------------------------------------------------------------------------------

    def root_levels(self) -> list[tuple[int, Entries]]:
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
        queues: Queues = {}
        for state, expansions in enumerate(self._states.expansions):
            if cost + self._states.outside[state] > self.max_actions:
                continue  # no whole program has room for such a part
            offers: list[Offer] = []
            if cost == 1:
                offers += map(self._offers.terminal, self._states.terminals[state])
            else:
                for expansion in expansions:
                    if expansion not in made:
                        made[expansion] = [one for one in self._offers.expand(expansion, cost) if len(one.usage)]
                    offers += made[expansion]
            if offers:
                level = self._without_known(state, cost, offers, queues)
                if len(level):
                    self.work.keep(len(level) * len(level.values))
                    self._levels.of[state][cost] = level
        self.work.end()

    def _without_known(self, state: int, cost: int, offers: Sequence[Offer], queues: Queues) -> Entries:
        """The entries whose meaning is new to the state, and for the root those that are accepted."""
        if state != 0 and self.most is not None and sum([len(offer.usage) for offer in offers]) > self.most:
            which = tuple(map(id, offers))
            if which not in queues:
                queues[which] = Queue(offers, self.budget)
            return self._best(state, cost, queues[which], self.most)
        level = Entries.joined([offer.whole for offer in offers])
        if state == 0 and self.accept is not None:
            level = level.take(np.flatnonzero(self.accept(level.values[0])))
        if not level.values or not len(level):  # names of functions: nothing to compare
            return level
        if state == 0 and self.most_whole is not None and len(level) > self.most_whole:
            return self._best(state, cost, Queue([Offer.of(level)], self.budget), self.most_whole)
        kept = sorted(self._fresh(state, cost, Chunk.of(level)))
        return level.take(np.array(kept, dtype=np.intp)) if len(kept) < len(level) else level

    def _best(self, state: int, cost: int, queue: Queue, most: int) -> Entries:
        """At most this many new entries, those that answer most words first; the others are not even made."""
        kept: list[Entries] = []
        rows: list[Rows] = []
        missing = most
        for chunk in queue:
            if not chunk.level.values:  # names of functions: nothing to compare
                return queue.whole
            fresh = np.array(self._fresh(state, cost, chunk)[:missing], dtype=np.intp)
            kept.append(chunk.level.take(fresh))
            rows.append(chunk.rows[fresh])
            missing -= len(fresh)
            if not missing:
                break
        return Entries.joined(kept).take(np.argsort(np.concatenate(rows)))

    def _fresh(self, state: int, cost: int, chunk: Chunk) -> list[int]:
        """The entries whose meaning was not seen yet, in the order in which they are looked at."""
        seen, fresh = self._seen[state], list[int]()
        kept = self._kept(state, cost, chunk.level)
        try:
            for row in chunk.order:
                key = chunk.keys[row]
                if key not in seen:
                    seen.add(key)
                    fresh.append(row)
                elif kept and kept[row]:
                    fresh.append(row)
        except TypeError:
            raise ChoraleError(
                f"values of {self.grammar.name} cannot be compared: give values that can be keys (tuples, not "
                "lists or arrays), or say `stacks = True` and work on arrays with one more axis in front"
            ) from None
        return fresh

    def _kept(self, state: int, cost: int, level: Entries) -> list[bool]:
        """Which entries are never merged; empty if all may be."""
        single, composed = (cost <= most and self._states.is_function[state] for most in self._sure)
        if not (single or composed):
            return []
        kinds = [self.grammar.productions[number].kind for number, _ in level.sources]
        kept = [composed if kind is Kind.COMPOSE else single for kind in kinds]
        return [kept[source] for source in level.made.tolist()]
