"""Raters: how often each of them is wrong, estimated from the labels themselves.

Sentences with many labels are searched with one rate for all. The best meaning of such a sentence hardly depends on any
single label, so labels that contradict it are probably wrong. Counting them per rater gives rates, with which the
meanings found are ranked again, and so on until nothing changes. Rates of raters with few labels are drawn towards the
common one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, compress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Domain, Grounding, Raters, needed
from chorale.search.candidates import Found, Group
from chorale.search.search import groups_of, search
from chorale.search.settings import SearchSettings

T = TypeVar("T")
Case = tuple[list[str | None], NDArray[np.float64], NDArray[np.bool_]]
"""Of one group: who gave each label; how plausible each candidate is; with which labels it agrees."""

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
    searched = zip(watch(chosen), results, strict=True)
    cases = [_case(grounding, raters, *both) for both in searched if any(one.candidates for one in both[1])]
    rates: dict[str, float] = {}
    for _ in range(_ROUNDS):
        total: Counter[str] = Counter()
        wrong: Counter[str] = Counter()
        for names, priors, agrees in cases:
            rate = np.array([rates.get(name or "", settings.doubt) for name in names])
            fits = np.where(agrees, np.log1p(-rate), np.log(rate)).sum(axis=1)
            best = agrees[int(np.argmax(fits + priors))]
            total.update(name for name in names if name is not None)
            wrong.update(name for name, agreed in zip(names, best, strict=True) if name is not None and not agreed)
        common = wrong.total() / total.total() if total else settings.doubt
        smoothed = {name: (wrong[name] + _SMOOTHING * common) / (total[name] + _SMOOTHING) for name in sorted(total)}
        before, rates = rates, {name: min(max(rate, _LEAST), _MOST) for name, rate in smoothed.items()}
        if rates == before:
            break
    return rates


def _case(grounding: Grounding, raters: Raters, group: Group, found: Sequence[Found]) -> Case:
    """The candidates of one group, with which labels each agrees, and how plausible it is."""
    known = [label is not None for member in group for label in grounding.utterances[member].answers]

    def those(of: Callable[[int], Sequence[T]]) -> list[T]:
        """What belongs to labels that are known, of all utterances."""
        return list(compress(chain.from_iterable(map(of, group)), known))

    names = those(lambda member: raters(grounding.utterances[member]))
    programs = {candidate.program: candidate.prior.log for one in found for candidate in one.candidates}
    agrees = [those(partial(grounding.right, program)) for program in programs]
    return names, np.array([*programs.values()]), np.array(agrees, dtype=bool).reshape(len(programs), len(names))
