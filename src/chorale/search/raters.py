"""Raters: how often each of them is wrong, estimated from the labels themselves.

Sentences with many labels are searched with one rate for all. The best meaning of such a sentence hardly depends on any
single label, so labels that contradict it are probably wrong. Counting them per rater gives rates, with which the
meanings found are ranked again, and so on until nothing changes. Rates of raters with few labels are drawn towards the
common one. What was found waits on the disk from round to round; what is held are two counts for each rater.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, compress
from typing import TypeVar

import numpy as np

from chorale.domain import Domain, Grounding, Raters, Utterance, needed
from chorale.plumbing.scratch import scratch
from chorale.search.candidates import Found, Group
from chorale.search.groups import Groups, GroupSearch, grouped
from chorale.search.settings import SearchSettings

T = TypeVar("T")
Case = tuple[list[str | None], list[float], list[list[bool]]]
"""Of one group: who gave each label; how plausible each candidate is; with which labels it agrees."""

_ENOUGH_LABELS = 8
_ENOUGH_GROUPS = 20
_ROUNDS = 10
_SMOOTHING = 20.0  # labels that a rater is given at the common rate before any is looked at
_LEAST, _MOST = 0.002, 0.45


def rater_rates(
    domain: Domain,
    language: str,
    utterances: Sequence[Utterance],
    settings: SearchSettings,
    watch: Callable[[Iterable[Group], int], Iterable[Group]] = lambda groups, _: groups,
) -> dict[str, float]:
    """How often each rater is wrong; empty if nobody knows who gave a label.

    `watch` is handed the groups that are searched and their number, and gives them back one by one.
    """
    raters = needed(domain.raters, domain, "raters", "weighing their labels")
    search = GroupSearch.of(domain, language, utterances, settings)
    with (
        grouped(domain, language, utterances, settings) as groups,
        scratch("CREATE TABLE searched (number INTEGER PRIMARY KEY, found TEXT)") as database,
    ):
        large = sum(_is_large(groups, group) for group in groups)
        enough = large >= _ENOUGH_GROUPS
        chosen = (group for group in groups if not enough or _is_large(groups, group))
        for group in watch(chosen, large if enough else sum(1 for _ in groups)):
            grounding, found = search(groups.members(group))
            if any(one.candidates for one in found):
                case = json.dumps(_case(grounding, raters, tuple(range(len(group))), found))
                database.execute("INSERT INTO searched (found) VALUES (?)", (case,))
        return _estimated(lambda: database.execute("SELECT found FROM searched ORDER BY number"), settings.doubt)


def _is_large(groups: Groups, group: Group) -> bool:
    return sum(len(utterance.answers) for _, utterance in groups.members(group)) >= _ENOUGH_LABELS


def _estimated(searched: Callable[[], Iterable[tuple[str]]], doubt: float) -> dict[str, float]:
    """The rates, from what was found for each group, which is gone through once a round."""
    rates: dict[str, float] = {}
    for _ in range(_ROUNDS):
        total: Counter[str] = Counter()
        wrong: Counter[str] = Counter()
        for (packed,) in searched():
            names, priors, agrees = json.loads(packed)
            rate = np.array([rates.get(name or "", doubt) for name in names])
            table = np.array(agrees, dtype=bool).reshape(len(priors), len(names))
            fits = np.where(table, np.log1p(-rate), np.log(rate)).sum(axis=1)
            best = agrees[int(np.argmax(fits + priors))]
            total.update(name for name in names if name is not None)
            wrong.update(name for name, agreed in zip(names, best, strict=True) if name is not None and not agreed)
        common = wrong.total() / total.total() if total else doubt
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
    agrees = [list(map(bool, those(partial(grounding.right, program)))) for program in programs]
    return names, [*programs.values()], agrees
