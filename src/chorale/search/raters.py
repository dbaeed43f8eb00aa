"""Raters: how often each of them is wrong, estimated from the labels themselves.

Sentences with many labels are searched with one rate for all. The best meaning of such a sentence hardly depends on any
single label, so labels that contradict it are probably wrong. Counting them per rater gives rates, with which the
meanings found are ranked again, and so on until nothing changes. Rates of raters with few labels are drawn towards the
common one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Answer
from chorale.search.candidates import Group, Searcher

Raters = Sequence[Sequence[str | None]]
"""For each utterance of a grounding who gave each label, None if that is not known."""

_ENOUGH_LABELS = 8
_ENOUGH_GROUPS = 20
_ROUNDS = 10
_SMOOTHING = 20.0  # labels that a rater is given at the common rate before any is looked at
_LEAST, _MOST = 0.002, 0.45


def rater_rates(
    searcher: Searcher,
    groups: Sequence[Group],
    raters: Raters,
    watch: Callable[[Iterable[Group]], Iterable[Group]] = iter,
) -> dict[str, float]:
    """How often each rater is wrong."""
    utterances = searcher.grounding.utterances
    large = [group for group in groups if sum(len(utterances[m].answers) for m in group.members) >= _ENOUGH_LABELS]
    cases = [_Case(searcher, group, raters) for group in watch(large if len(large) >= _ENOUGH_GROUPS else groups)]
    rates: dict[str, float] = {}
    for _ in range(_ROUNDS):
        total: Counter[str] = Counter()
        wrong: Counter[str] = Counter()
        for case in cases:
            case.count(rates, searcher.settings.doubt, total, wrong)
        before, rates = rates, _smoothed(total, wrong, searcher.settings.doubt)
        if rates == before:
            break
    return rates


def rates_of_labels(rates: Mapping[str, float], raters: Raters, otherwise: float) -> list[list[float]]:
    """The rate of each label of each utterance."""
    return [[otherwise if name is None else rates.get(name, otherwise) for name in names] for names in raters]


class _Case:
    """The candidates of one group: what each says where there is a label, and how plausible it is."""

    def __init__(self, searcher: Searcher, group: Group, raters: Raters) -> None:
        grounding = searcher.grounding
        places = [
            (m, i) for m in group.members for i, label in enumerate(grounding.utterances[m].answers) if _is(label)
        ]
        labels = np.array([grounding.utterances[member].answers[i] for member, i in places], dtype=object)
        self.raters = [raters[member][i] for member, i in places]
        found = {c.program: c.prior.log for result in searcher.search(group) for c in result.candidates}
        self.priors = np.array(list(found.values()), dtype=np.float64)
        said = [[grounding.answers(program, member)[i] for member, i in places] for program in found]
        self.agrees: NDArray[Any] = np.array(said, dtype=object).reshape(len(found), len(places)) == labels

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


def _smoothed(total: Counter[str], wrong: Counter[str], otherwise: float) -> dict[str, float]:
    common = wrong.total() / total.total() if total else otherwise
    rates = {name: (wrong[name] + _SMOOTHING * common) / (total[name] + _SMOOTHING) for name in sorted(total)}
    return {name: min(max(rate, _LEAST), _MOST) for name, rate in rates.items()}


def _is(label: Answer | None) -> bool:
    return label is not None
