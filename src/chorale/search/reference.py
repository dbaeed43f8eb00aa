"""The reference's own procedure, so that the published rows can be run as published.

Its lexicon (the *agenda*) names terminals, and a candidate must contain all of them. Derivations are looked at shortest
first, the first 200 are run, and at most 20 programs are kept that are right in all contexts of the utterance.

The reference's grammar has the productions of ours but none of its restrictions, so that a program has many
derivations (29.4 million of at most 11 actions, for 4.7 million programs), and its 200 are derivations. They are walked
here as they are there: by length, and within a length in the order of the productions. The reference first lists all of
them; here, a part is followed only if it can still be completed to this length with all that is required.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from chorale.domain import Agenda, Grounding, Reading
from chorale.domain.meanings import answers_of
from chorale.language import Grammar, Program, Type
from chorale.language.derivation import folded
from chorale.search.groups import CandidateLists, Group
from chorale.search.prior import ACTION
from chorale.search.settings import SearchSettings

Actions = tuple[int, ...]

LOOKED_AT = 200
"""How many derivations per utterance are run, shortest first."""


class Reference:
    """Searches as the reference does, each utterance by itself."""

    def __init__(self, agenda: Agenda, settings: SearchSettings) -> None:
        self.agenda, self.settings = agenda, settings
        self._programs: dict[tuple[frozenset[str], str], list[Program]] = {}

    def search(self, grounding: Grounding, group: Group, probes: Sequence[int] = ()) -> CandidateLists:
        """The candidates of each member of a group; its members do not share evidence, and there are no probes."""
        most = self.settings.keep
        return {member: list(islice(self._candidates(grounding, member), most)) for member in group}

    def _candidates(self, grounding: Grounding, member: int) -> Iterator[Reading]:
        utterance, language = grounding.utterances[member], grounding.language([member])
        for program in self._first(self.agenda.required(utterance), language.grammar):
            answers = zip(answers_of(program, language), utterance.answers, strict=True)
            if all(wanted is None or grounding.compared.agrees(said, wanted) for said, wanted in answers):
                yield Reading(program, -ACTION * len(program.action_ids))

    def _first(self, required: frozenset[str], grammar: Grammar) -> list[Program]:
        """The different programs among the first derivations."""
        key = (required, grammar.fingerprint)
        if key not in self._programs:
            first = islice(derivations(grammar, required, self.settings.max_actions), LOOKED_AT)
            self._programs[key] = list(dict.fromkeys(Program(folded(actions, grammar), grammar) for actions in first))
        return self._programs[key]


def derivations(grammar: Grammar, required: Collection[str], max_actions: int) -> Iterator[Actions]:
    """All derivations that use all of the required terminals, without the grammar's restrictions, shortest first."""
    walk = _Walk(grammar, required)
    for length in range(1, max_actions + 1):
        yield from walk.of((grammar.root,), length, walk.everything, ())


class _Walk:
    """A depth-first walk that follows no dead ends. What is required is a set of bits."""

    def __init__(self, grammar: Grammar, required: Collection[str]) -> None:
        bits = {name: 1 << index for index, name in enumerate(sorted(required))}
        self.everything = (1 << len(bits)) - 1
        self._made: dict[Type, list[tuple[int, tuple[Type, ...], int]]] = {}
        for number, production in enumerate(grammar.productions):
            made = (number, production.right, bits.get(production.name, 0))
            self._made.setdefault(production.left, []).append(made)
        self._known: dict[tuple[tuple[Type, ...], int], tuple[int, ...]] = {}

    def of(self, types: tuple[Type, ...], length: int, missing: int, actions: Actions) -> Iterator[Actions]:
        """The ways to complete these types with this many actions and all that is missing."""
        if not types:
            if length == 0 and not missing:
                yield actions
            return
        for number, right, bit in self._made.get(types[0], ()):
            then, still = right + types[1:], missing & ~bit
            if any(not still & ~most for most in self._reach(then, length - 1)):
                yield from self.of(then, length - 1, still, (*actions, number))

    def _reach(self, types: tuple[Type, ...], length: int) -> tuple[int, ...]:
        """What can be used of the required terminals with exactly this many actions: the largest sets."""
        if length < len(types):
            return ()
        if not types:
            return (0,) if length == 0 else ()
        if (types, length) not in self._known:
            first, rest = types[0], types[1:]
            sets: set[int] = set()
            if rest:
                for part in range(1, length - len(rest) + 1):
                    others = self._reach(rest, length - part)
                    sets |= (
                        {one | other for one in self._reach((first,), part) for other in others} if others else set()
                    )
            else:
                for _, right, bit in self._made.get(first, ()):
                    sets |= {bit | other for other in self._reach(right, length - 1)}
            self._known[types, length] = _largest(sets)
        return self._known[types, length]


def _largest(sets: set[int]) -> tuple[int, ...]:
    """The sets that are not part of another one."""
    kept: list[int] = []
    for one in sorted(sets, key=lambda bits: (-bits.bit_count(), bits)):
        if all(one & ~other for other in kept):
            kept.append(one)
    return tuple(kept)
