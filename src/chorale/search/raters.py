"""Raters: how often each of them is wrong, estimated from the labels themselves.

Sentences with many labels are searched with one rate for all. The best meaning of such a sentence hardly depends on any
single label, so labels that contradict it are probably wrong. Counting them per rater gives rates, with which the
meanings found are ranked again, and so on until nothing changes. Rates of raters with few labels are drawn towards the
common one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from chorale.domain import Domain, Grounding, Raters, needed
from chorale.search.candidates import Found, Group
from chorale.search.search import groups_of, search
from chorale.search.settings import SearchSettings

T = TypeVar("T")

_ENOUGH_LABELS = 8
_ENOUGH_GROUPS = 20
_ROUNDS = 10
_SMOOTHING = 20.0  # labels that a rater is given at the common rate before any is looked at
_LEAST, _MOST = 0.002, 0.45


def rater_rates(
    domain: Domain,
    language: str,
    grounding: Grounding,
    settings: SearchSettings,
    watch: Callable[[Sequence[Group]], Iterable[Group]] = iter,
) -> dict[str, float]:
    """How often each rater is wrong; empty if nobody knows who gave a label."""
    raters = needed(domain.raters, domain, "raters", "weighing their labels")
    groups = groups_of(grounding, settings)
    large = [group for group in groups if sum(len(grounding.utterances[m].answers) for m in group) >= _ENOUGH_LABELS]
    chosen = large if len(large) >= _ENOUGH_GROUPS else groups
    results = search(domain, language, grounding, settings, groups=chosen)
    cases = [_Case(grounding, raters, group, found) for group, found in zip(watch(chosen), results, strict=True)]
    rates: dict[str, float] = {}
    for _ in range(_ROUNDS):
        total: Counter[str] = Counter()
        wrong: Counter[str] = Counter()
        for case in cases:
            case.count(rates, settings.doubt, total, wrong)
        before, rates = rates, _smoothed(total, wrong, settings.doubt)
        if rates == before:
            break
    return rates


class _Case:
    """The candidates of one group: with which labels each agrees, and how plausible it is."""

    def __init__(self, grounding: Grounding, raters: Raters, group: Group, found: Sequence[Found]) -> None:
        known = [[label is not None for label in grounding.utterances[member].answers] for member in group]
        named = [raters(grounding.utterances[member]) for member in group]
        self.raters = _those(named, known)
        programs = {candidate.program: candidate.prior.log for one in found for candidate in one.candidates}
        self.priors = np.array(list(programs.values()), dtype=np.float64)
        right = [_those([grounding.right(program, member) for member in group], known) for program in programs]
        self.agrees = np.array(right, dtype=bool).reshape(len(programs), len(self.raters))

    def count(self, rates: Mapping[str, float], otherwise: float, total: Counter[str], wrong: Counter[str]) -> None:
        """Count the labels of each rater, and those that contradict the best candidate under the given rates."""
        if not len(self.priors):
            return
        rate = np.array([rates.get(name or "", otherwise) for name in self.raters])
        fits = np.where(self.agrees, np.log1p(-rate), np.log(rate)).sum(axis=1)
        best = self.agrees[int(np.argmax(fits + self.priors))]
        for name, agreed in zip(self.raters, best.tolist(), strict=True):
            if name is not None:
                total[name] += 1
                wrong[name] += not agreed


def _those(rows: Sequence[Sequence[T]], known: Sequence[Sequence[bool]]) -> list[T]:
    """What belongs to labels that are known, of all utterances."""
    return [value for row in zip(rows, known, strict=True) for value, is_known in zip(*row, strict=True) if is_known]


def _smoothed(total: Counter[str], wrong: Counter[str], otherwise: float) -> dict[str, float]:
    common = wrong.total() / total.total() if total else otherwise
    rates = {name: (wrong[name] + _SMOOTHING * common) / (total[name] + _SMOOTHING) for name in sorted(total)}
    return {name: min(max(rate, _LEAST), _MOST) for name, rate in rates.items()}
