"""The prior: how plausible a spelling is for a sentence, whatever the labels say.

Among programs that fit, it prefers few actions, programs that explain every content word of the sentence, and none
that use what no word asks for. It is a log-probability up to a constant, so it adds up with the fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from chorale.domain import Hints
from chorale.search.budget import Budget

# Chosen on generated utterances with 0, 5 and 10 % wrong labels (see docs/search.md), never on NLVR.
ACTION = 0.5
"""What each action costs, in nats."""
WORD = 3.0
"""What each content word costs that no action explains."""
TERMINAL = 1.0
"""What each function or constant costs that no word asks for."""


@dataclass(frozen=True)
class Prior:
    """How plausible a program is, as a logarithm up to a constant."""

    log: float = 0.0
    unexplained: tuple[str, ...] = ()
    """Content words that it does not say."""


class Plausibility:
    """The priors of programs for one sentence."""

    def __init__(self, hints: Hints) -> None:
        self._asked = hints.glue.union(*(wanted for _, wanted in hints.explains))
        # What the language cannot say speaks against no program.
        self._words = Counter((word, wanted) for word, wanted in hints.explains if wanted)
        self._lacks = cache(self._missing_or_too_much)

    def of(self, actions: int, terminals: tuple[str, ...]) -> Prior:
        """The prior of a program with this many actions and these terminals, each as often as it is used."""
        lacks = self._lacks(terminals)
        return Prior(lacks.log - ACTION * actions, lacks.unexplained)

    def _missing_or_too_much(self, terminals: tuple[str, ...]) -> Prior:
        """What is missing and what is too much, whatever the length.

        A terminal may say several words ("touching" and "wall"), but a word that occurs twice wants two of them.
        """
        unexplained: list[str] = []
        for (word, wanted), times in self._words.items():
            unexplained += [word] * (times - sum([name in wanted for name in terminals]))
        unasked = sum([name not in self._asked for name in terminals])
        return Prior(-WORD * len(unexplained) - TERMINAL * unasked, tuple(unexplained))


def budget_of(hints: Hints, *, repeats: bool = False) -> Budget:
    """Each terminal may be used as often as words ask for it, and once if no word does.

    With `repeats`, those that the lexicon names may be used as often as it says.
    """
    asked, needed = _asked(hints), _needed(hints)
    names = sorted(hints.allowed, key=lambda name: (asked[name], name))
    classes = {name: number for number, name in enumerate(names)}
    more = hints.repeats if repeats else {}
    limits = [max(asked[name], more.get(name, 0), 1) for name in names]
    return Budget(classes, limits, {number: needed[name] for name, number in classes.items() if needed[name]})


def shared_budget(hints: Hints, allowed: Collection[str], *, repeats: bool = False) -> Budget:
    """The same for some terminals, but each phrase is answered once: "on top of" by `above` or `directly_above`.

    Terminals that the same phrases ask for are one class, unless the lexicon lets them be used more often. There is
    room for some classes only: what words ask for comes first, then what may be repeated. If the lexicon says where
    phrases stand, a class that answers one of them knows its place.
    """
    asked, needed = _asked(hints), _needed(hints)
    words = {name: tuple(item for item, (_, wanted) in enumerate(hints.explains) if name in wanted) for name in allowed}
    places = {span: place for place, span in enumerate(sorted(set(hints.spans)))}
    classes: dict[str, int] = {}
    limits: list[int] = []
    answers, stands = dict[int, int](), dict[int, int]()
    known: dict[tuple[int, ...] | str, int] = {}
    for name in sorted(allowed, key=lambda name: (-asked[name], name not in hints.repeats, name)):
        is_shared = bool(words[name]) and name not in hints.repeats
        number = classes[name] = known.setdefault(words[name] if is_shared else name, len(limits))
        if number == len(limits):
            limits.append(max(asked[name], hints.repeats.get(name, 0) if repeats else 0, 1))
        if needed[name]:
            answers[number] = needed[name]
        if is_shared and len(words[name]) == 1 and places:
            stands[number] = places[hints.spans[words[name][0]]]
    return Budget(classes, limits, answers, stands, fitted=True)


def _asked(hints: Hints) -> Counter[str]:
    """How often words ask for each terminal."""
    return Counter(name for _, wanted in hints.explains for name in wanted)


def _needed(hints: Hints) -> Counter[str]:
    """As often as one and the same word asks for it."""
    needed: Counter[str] = Counter()
    for (_, wanted), times in Counter(hints.explains).items():
        needed |= Counter(dict.fromkeys(wanted, times))
    return needed
