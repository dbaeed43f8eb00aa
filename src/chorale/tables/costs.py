"""What programs for a question cost: which functions and constants there are, and how gladly each is used.

Functions that most questions do without are there only if a word asks for them (`english.toml`). What calls cost beyond
that depends on what they give, see `odd`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.costs import Costs
from chorale.tables.asked import Asked
from chorale.tables.english import TRIGGERS
from chorale.tables.language import Constants, constants_of, constants_of_words
from chorale.tables.language.types import CONTRASTS
from chorale.tables.linking import Linking
from chorale.tables.odd import FEW, PLACES, Odd
from chorale.tables.table import Table

COMPARISONS = ("over", "at_least", "under", "at_most")
_PAIRS = frozenset({"pair", "pair_where"})
BY_DATE = ("after_date", "since_date", "before_date", "until_date")


@dataclass(frozen=True)
class TableCosts(Costs):
    """The costs of a question about a table."""

    linking: Linking = field(kw_only=True)
    constants: Constants = field(kw_only=True)
    """What programs may use of the question and its table."""

    @cached_property
    def _odd(self) -> Odd:
        return Odd(self.linking)

    def before(self, name: str, arguments: Sequence[Any]) -> NDArray[np.float64] | None:
        return self._odd.before(name, arguments)

    def extra(
        self, name: str, arguments: Sequence[Any], says: Sequence[NDArray[np.int64]], values: Any
    ) -> NDArray[np.float64] | None:
        if name in _PAIRS:  # A and B, in the order in which they are said
            return np.where(_first(says[0]) > _first(says[1]), np.inf, 0.0)
        return self._odd.after(name, arguments, values)


def costs_of(asked: Asked, table: Table) -> TableCosts:
    """What programs for a question about a table cost."""
    return costs_of_links(Linking(asked, table))


def costs_of_links(linking: Linking) -> TableCosts:
    """The same by what the question names in the table."""
    question, asked = _Question(linking), linking.asked
    return TableCosts(
        question.names,
        question.says,
        asked.words,
        question.wanted,
        linking=question.linking,
        constants=question.constants,
    )


def _first(says: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first of the words that are said, as a bit."""
    found: NDArray[np.int64] = says & -says
    return found


class _Question:
    """One question about one table."""

    def __init__(self, linking: Linking) -> None:
        self.linking, self.asked, self.table = linking, linking.asked, linking.table
        self.names: dict[str, float] = {}
        self.says: dict[str, int] = {}
        self.constants: Constants = {}
        self._put_columns()
        self._put_words()
        self._put_numbers()
        self.names |= self._common() | self._rare() | self._of_pairs() | self._of_answers()

    @property
    def wanted(self) -> int:
        """The words that should be said: those of cells, and numbers."""
        wanted = sum(1 << it.place for it in self.asked.numbers.values() if it.is_digits)
        for span in self.linking.spans:
            if not span.is_stub:
                wanted |= sum(1 << it for it in range(span.start, span.end) if not self.asked.is_light(it))
        return wanted

    # -- constants -----------------------------------------------------------------------------------------------------

    def _put_columns(self) -> None:
        table, namings = self.table, self.linking.namings
        for name, (kind, value) in constants_of(table).items():
            if str(kind) == "Column":
                column = table.columns[int(value)]
                dear = 0.9 if column.is_virtual and column.part != "month" else 0.0
                self.names[name] = dear - 0.25 * namings[column.index].level
            else:
                view = table.views[int(value)]
                dear = 0.3 if view.kind in {"second", "difference", "items"} else 0.0
                self.names[name] = dear - 0.8 * namings[view.column].share
            self.constants[name] = kind, value

    def _put_words(self) -> None:
        spans = constants_of_words([span.words for span in self.linking.spans])
        for (name, constant), span in zip(spans.items(), self.linking.spans, strict=True):
            self._put(name, constant, 0.0, span.bits)
        for place in self.asked.letters:
            [(name, constant)] = constants_of_words([self.asked.words[place]]).items()
            self._put(name, constant, 0.0, 1 << place)
        contrasts = [more for more, less in CONTRASTS if {more, less} <= self.asked.bag]
        for name, constant in constants_of_words(contrasts=contrasts).items():
            self._put(name, constant, 0.0, 0)

    def _put_numbers(self) -> None:
        for number in self.asked.numbers.values():
            if number.place not in self.asked.decades:
                [(name, constant)] = constants_of_words(quantities=[number.value]).items()
                self._put(name, constant, 0.0 if number.is_digits else 0.6, 1 << number.place)
        for place, decade in self.asked.decades.items():
            [(name, constant)] = constants_of_words(decades=[decade]).items()
            self._put(name, constant, 0.0, 1 << place)
        for (start, end), moment in self.asked.moments.items():
            [(name, constant)] = constants_of_words(moments=[moment]).items()
            self._put(name, constant, 0.0, (1 << end) - (1 << start))

    def _put(self, name: str, constant: Any, cost: float, says: int) -> None:
        if name not in self.names:
            self.names[name], self.says[name], self.constants[name] = cost, says, constant

    # -- functions -----------------------------------------------------------------------------------------------------

    @cached_property
    def _extreme(self) -> float:
        return 0.8 if self.asked.superlatives else 1.8

    @cached_property
    def _apart(self) -> float:
        return 0.5 if self.asked.has("difference") else 2.0

    def _common(self) -> dict[str, float]:
        """Functions that any question may ask for."""
        asked = self.asked
        ends = 0.8 if asked.superlatives or asked.has("place") else 1.8
        beside = 0.6 if asked.has("place") else 2.0
        common = 1.2 if asked.superlatives else 2.0
        return {
            **{"equals": 0.2, "contains": 0.5, "begins_like": 1.5, "has_item": 0.4, "is_number": 0.4, "in_decade": 0.3},
            **dict.fromkeys(COMPARISONS, 1.2),
            **dict.fromkeys(BY_DATE, 1.1),
            "on_date": 0.3,
            **{"all_rows": 0.0, "rows_where": 0.0, "rows_where_both": 0.0, "rows_where_all_three": 0.0},
            **{"rows_where_either": 0.3, "most": self._extreme, "least": self._extreme, "first": ends, "last": ends},
            **{"next_row": beside, "previous_row": beside, "cells": 0.0, "pair": 0.0, "pair_where": 0.0},
            "look_up": 1.2 if asked.is_how else 0.6,
            **{"most_common": common, "least_common": common},
            "count_different": 1.2 + (0 if asked.is_how else 1.5) + (0 if asked.has("different") else 0.5),
            "count": 0.1 if asked.is_how_many else 2.0,
            "number": 0.8 if asked.is_how else 1.3,
            "total": 1.0 if asked.is_how_many else 2.0,
            **{"range_of": self._apart + self._extreme, "from_first_to_last": self._apart + ends},
        }

    def _rare(self) -> dict[str, float]:
        """Conditions and rows that a word must ask for."""
        asked, costs = self.asked, dict[str, float]()
        if self.table.total_label is not None:
            costs["all_lines"] = 1.5
        if asked.has("negation") or "have" in asked.bag:
            costs |= {"is_empty": 1.5, "is_filled": 1.8}
        if asked.letters:
            costs["begins_with"] = 0.3
        for trigger, found in _TRIGGERED.items():
            if asked.has(trigger):
                costs |= found
        for trigger, name in (("won", "is_win"), ("lost", "is_loss"), ("drawn", "is_draw")):
            if asked.has(trigger):
                costs[name] = 0.8
                self.says[name] = 1 << next(it for it, word in enumerate(asked.words) if word in TRIGGERS[trigger])
        if self._has_few:
            costs |= {"first_few": 0.7, "last_few": 0.7, "top": 0.9, "bottom": 0.9}
        if any(it.is_ordinal and PLACES[0] <= it.value <= PLACES[1] for it in asked.numbers.values()):
            costs |= {"nth": 0.8, "nth_from_last": 0.8, "nth_most": self._extreme, "nth_least": self._extreme}
        return costs

    @cached_property
    def _has_few(self) -> bool:
        """Whether a number may say how many rows are meant: the top five."""
        near = self.asked.words
        return any(
            FEW[0] <= it.value <= FEW[1]
            and it.value.is_integer()
            and not TRIGGERS["few"].isdisjoint(near[max(0, it.place - 2) : it.place + 2])
            for it in self.asked.numbers.values()
        )

    def _of_pairs(self) -> dict[str, float]:
        """Answers about two groups of rows."""
        asked, apart = self.asked, self._apart
        costs = {"difference": apart, "difference_in_count": apart + 0.3, "compare": 0.0}
        if asked.is_yes_no:
            costs |= dict.fromkeys(("is_more", "is_less"), 0.8 if asked.has("than") else apart + 1)
            if asked.has("same"):
                costs |= {"is_equal": 1.5, "have_same": 1.5}
        if asked.has("or") and asked.superlatives:
            costs |= {"which_has_more": 1.5, "which_has_less": 1.5}
        if asked.has("both"):
            costs["shared"] = 1.0
        if asked.has("times") and "as" in asked.bag:
            costs |= {"times_as_much": 1.2, "times_as_many": 1.5}
        return costs

    def _of_answers(self) -> dict[str, float]:
        """Other answers that a word must ask for."""
        asked = self.asked
        costs = {"compare_with": 0.2, "compare_count": 0.3, "items": 1.0}
        if asked.is_how:
            costs["times_most_common"] = 3.5
        if asked.is_how_many:
            costs |= {"count_where": 1.5, "count_where_both": 1.8}
        if asked.superlatives:
            costs |= {"totals": 1.8, "most_in_total": 0.0, "least_in_total": 0.0}
            if asked.has("average"):
                costs |= {"averages": 1.0, "most_on_average": 0.0, "least_on_average": 0.0}
        if asked.is_yes_no:
            costs |= {"exists": 0.3, "exists_where": 0.7, "exists_where_both": 1.0}
        if asked.has("sums"):
            costs["sum_of_columns"] = 1.8
        if "difference" in asked.bag:
            costs["difference_of_columns"] = 1.8
        return costs


_TRIGGERED: dict[str, dict[str, float]] = {
    "negation": {"rows_where_not": 1.0, "rows_where_but_not": 1.0},
    "place": {"above": 0.9, "below": 0.9},
    "neighbour": {"next_more": 1.8, "next_less": 1.8},
    "other": {"same_as": 0.9},
    "than": {"more_than": 0.9, "less_than": 0.9},
    "average": {"average": 0.6},
    "run": {"longest_run": 0.6},
    "repeated": {"is_repeated": 2.2},
    "occurs": {"occurs": 2.2},
    "percent": {"percent_of_total": 1.0, "percent_of_rows": 1.0},
    "per": {"count_per": 2.0, "total_per": 2.0, "average_per": 2.2},
}
"""What each kind of word asks for."""
