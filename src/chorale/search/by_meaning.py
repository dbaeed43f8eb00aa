"""Search by meaning: the programs of a group of utterances that fit its answers, best first.

Utterances with the same words share one search: their contexts are pooled, so that all their answers count as evidence,
and a few further contexts of the corpus (`probes`) are looked at as well, so that meanings which happen to agree on the
utterance's own contexts are still told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Grounding, Hints, Lexicon, Reading, SharedGrounding
from chorale.domain.lexicon import check_hints
from chorale.search.enumeration import Enumeration
from chorale.search.evidence import LabelEvidence
from chorale.search.groups import CandidateLists, Group
from chorale.search.prior import Plausibility, Prior, budget_of
from chorale.search.settings import OUTER, SearchSettings


@dataclass(frozen=True)
class _Entry:
    """The best spelling of a meaning: a row of a level of the enumeration."""

    cost: int
    row: int
    prior: Prior
    log_likelihood: float
    wrongs: NDArray[np.int64]
    """Contradicted labels of each utterance, (member,)."""

    @property
    def order(self) -> tuple[float, int, int]:
        """By score; of equal ones the cheaper first."""
        return -(self.log_likelihood + self.prior.log), self.cost, self.row


class ByMeaning:
    """Searches groups of utterances, one at a time."""

    def __init__(self, lexicon: Lexicon, settings: SearchSettings) -> None:
        self.lexicon, self.settings = lexicon, settings

    def search(self, grounding: Grounding, group: Group, probes: Sequence[int] = ()) -> CandidateLists:
        """The candidates of each member of a group; the contexts of `probes` are looked at as well."""
        hints = self.lexicon.hints(grounding.utterances[group[0]])
        if isinstance(grounding, SharedGrounding):  # else a name may be a constant that only other contexts have
            check_hints(hints, grounding.grammar(group[0]))
        evidence = LabelEvidence(grounding, group, self.settings.doubt, self.settings.is_strict)
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
        ranked = sorted(_best_spellings(enumeration, evidence, hints), key=lambda one: one.order)
        program = cache(enumeration.program)
        candidates: CandidateLists = {}
        for index, member in enumerate(group):
            own = [one for one in ranked if one.wrongs[index] <= evidence.allowed[index]]
            candidates[member] = [
                Reading(
                    program(one.cost, one.row),
                    one.prior.log,
                    one.log_likelihood,
                    wrong=int(one.wrongs[index]),
                    unexplained=one.prior.unexplained,
                )
                for one in own[: self.settings.keep]
            ]
        return candidates


def _best_spellings(enumeration: Enumeration, evidence: LabelEvidence, hints: Hints) -> list[_Entry]:
    """One spelling per meaning that was found."""
    plausibility = Plausibility(hints)
    best: dict[Any, _Entry] = {}
    for cost, entries in enumeration.root_levels():
        values = entries.values[0]
        agrees = evidence.agrees(values)
        fits, wrongs = evidence.log_likelihood(agrees).tolist(), evidence.wrongs(agrees)
        for row, fit in enumerate(fits):
            prior = plausibility.of(cost, enumeration.terminals((0, cost, row)))
            one = _Entry(cost, row, prior, fit, wrongs[row])
            key = values[row].tobytes() if isinstance(values, np.ndarray) else values[row]
            if key not in best or one.order[0] < best[key].order[0]:
                best[key] = one
    return list(best.values())
