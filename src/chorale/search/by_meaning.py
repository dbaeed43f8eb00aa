"""Search by meaning: the programs of a group of utterances that fit its answers, best first.

Utterances with the same words share one search: their contexts are pooled, so that all their answers count as evidence,
and a few further contexts of the corpus (`probes`) are looked at as well, so that meanings which happen to agree on the
utterance's own pictures are still told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from chorale.domain import Grounding, Hints, Lexicon
from chorale.search.candidates import Candidate, Found, Group
from chorale.search.enumeration import Enumeration
from chorale.search.evidence import Evidence
from chorale.search.prior import Plausibility, Prior, budget_of
from chorale.search.settings import OUTER, SearchSettings

Spelling = tuple[float, tuple[int, int], Prior, float, Any]
"""The best spelling of a meaning: minus its score; cost and row; prior; fit; wrong answers, (member,)."""


class ByMeaning:
    """Searches groups of utterances, one at a time."""

    def __init__(self, lexicon: Lexicon, settings: SearchSettings) -> None:
        self.lexicon, self.settings = lexicon, settings

    def search(self, grounding: Grounding, group: Group, probes: Sequence[int] = ()) -> list[Found]:
        """The candidates of each member of a group; the contexts of `probes` are looked at as well."""
        hints = self.lexicon.hints(grounding.utterances[group[0]])
        evidence = Evidence(grounding, group, self.settings.doubt, self.settings.is_strict)
        others = [index for index in probes if index not in group]
        enumeration = Enumeration(
            grounding.language([*group, *others]),
            self.settings.max_actions,
            allowed=hints.allowed,
            budget=budget_of(hints),
            accept=evidence.acceptable,
            most=self.settings.most,
            outer=OUTER,
        )
        ranked = sorted(_best_spellings(enumeration, evidence, hints), key=lambda spelling: spelling[:2])
        program = cache(enumeration.program)
        found = []
        for index, member in enumerate(group):
            own = [spelling for spelling in ranked if spelling[4][index] <= evidence.allowed[index]]
            candidates = [
                Candidate(program(*where), prior, int(wrongs[index]), fit)
                for _, where, prior, fit, wrongs in own[: self.settings.keep]
            ]
            found.append(Found(member, tuple(candidates)))
        return found


def _best_spellings(enumeration: Enumeration, evidence: Evidence, hints: Hints) -> list[Spelling]:
    """One spelling per meaning that was found."""
    plausibility = Plausibility(hints)
    best: dict[Any, Spelling] = {}
    for cost, entries in enumeration.found():
        values = entries.values[0]
        agrees = evidence.agrees(values)
        fits, wrongs = evidence.log_likelihood(agrees).tolist(), evidence.wrongs(agrees)
        for row, fit in enumerate(fits):
            prior = plausibility.of(cost, enumeration.terminals((0, cost, row)))
            score = fit + prior.log
            key = values[row].tobytes() if isinstance(values, np.ndarray) else values[row]
            if key not in best or score > -best[key][0]:
                best[key] = (-score, (cost, row), prior, fit, wrongs[row])
    return list(best.values())
