"""The language over tables; the slow twin computes on plain lists, one table and one program at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tables.made_up import MATCHES
from tests.tables.programs import DECADES, MOMENTS, QUANTITIES, SPANS, all_constants, programs
from tests.tables.tables import tables

from chorale.domain import Costs
from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Program
from chorale.search.stages import Stages
from chorale.tables.columns import Values
from chorale.tables.dates import Date
from chorale.tables.language import KINDS, TableLanguage, answers, constants_of, constants_of_words
from chorale.tables.language.said import date_of, time_text
from chorale.tables.language.types import CONTRASTS, GROUPED
from chorale.tables.matching import TableAnswers
from chorale.tables.table import Table
from chorale.tables.values import items, normal, number_text, plain
from chorale.tables.variants import variants
from chorale.tables.words import stems

BATCH = 4

# -- the slow twin: rows are sets of numbers of rows, a number that is missing is None ---------------------------------


class Slowly:
    """One table, `place`, of a stack whose first table says what columns and views there are."""

    def __init__(self, language: TableLanguage, place: int) -> None:
        first, table = language.stack.tables[0], language.stack.tables[place]
        self.lines = list(range(len(table)))
        self.totals_of_table = {row for row in self.lines if table.total[row]}
        self.columns: list[list[str | None]] = []  # each cell's normal text
        self.spelled: tuple[Values, ...] = language.values
        for column in first.columns:
            own = table.column(column.name)
            self.columns.append([None if own is None else own.values.keys[own.ids[row]] for row in self.lines])
        self.emptiness = [
            [bool(own.empty[row]) if (own := table.column(column.name)) else None for row in self.lines]
            for column in first.columns
        ]
        self.words = [
            [stems(own.values.plains[own.ids[row]]) if (own := table.column(column.name)) else None]
            for column in first.columns
            for row in self.lines
        ]
        self.lists = [view.column for view in first.views if view.kind == "items"]
        self.places = {(view.column, view.kind): place for place, view in enumerate(first.views)}
        self.kinds = [view.kind for view in first.views]
        self.views = [self.read(table, first.columns[view.column].name, view.kind) for view in first.views]

        self.dates = [self.dates_of(table, first.columns[view.column].name) for view in first.views]

    def dates_of(self, table: Table, name: str) -> list[Any]:
        own = table.column(name)
        return [None] * len(self.lines) if own is None else [own.values.dates[it] for it in own.ids]

    def read(self, table: Table, name: str, kind: Any) -> list[float | None]:
        own = table.column(name)
        if own is None:
            return [None] * len(self.lines)
        return [None if math.isnan(number) else float(number) for number in own.read(kind)]

    def cell_words(self, column: int, row: int) -> list[str] | None:
        return self.words[column * len(self.lines) + row][0]

    # conditions

    def worded(self, column: int, holds: Callable[[list[str]], bool]) -> set[int]:
        return {row for row in self.lines if (words := self.cell_words(column, row)) is not None and holds(words)}

    def equals(self, column: int, span: str) -> set[int]:
        return self.worded(column, lambda words: words == span.split())

    def contains(self, column: int, span: str) -> set[int]:
        wanted = span.split()
        return self.worded(
            column, lambda words: any(words[at : at + len(wanted)] == wanted for at in range(len(words)))
        )

    def begins_like(self, column: int, span: str) -> set[int]:
        return self.worded(
            column,
            lambda words: any(word.isalpha() and len(word) >= 4 and word[:5] == span[:5] for word in words),
        )

    def compared(self, view: int, holds: Callable[[float], bool]) -> set[int]:
        return {row for row in self.lines if (number := self.views[view][row]) is not None and holds(number)}

    def is_number(self, view: int, quantity: float) -> set[int]:
        return self.compared(view, lambda number: number == quantity)

    def over(self, view: int, quantity: float) -> set[int]:
        return self.compared(view, lambda number: number > quantity)

    def at_least(self, view: int, quantity: float) -> set[int]:
        return self.compared(view, lambda number: number >= quantity)

    def under(self, view: int, quantity: float) -> set[int]:
        return self.compared(view, lambda number: number < quantity)

    def at_most(self, view: int, quantity: float) -> set[int]:
        return self.compared(view, lambda number: number <= quantity)

    def in_decade(self, view: int, decade: float) -> set[int]:
        return self.compared(view, lambda number: decade <= number < decade + 10)

    def dated(self, view: int, moment: Any, holds: Callable[[tuple[Any, ...], tuple[Any, ...]], bool]) -> set[int]:
        """By the parts of both dates: what the cell does not say of the year is the moment's, the rest is the first."""
        if self.kinds[view] != "date":
            return set()
        year, month, day = (None if math.isnan(part) else int(part) for part in moment)
        found = set()
        for row in self.lines:
            own = self.dates[view][row]
            if own is not None:
                cell = (0 if year is None else own.year or year, own.month, own.day or 1)
                said = (year or 0, month, day)
                if holds(cell, said):
                    found.add(row)
        return found

    def on_date(self, view: int, moment: Any) -> set[int]:
        return self.dated(
            view, moment, lambda cell, said: all(b is None or a == b for a, b in zip(cell, said, strict=True))
        )

    def after_date(self, view: int, moment: Any) -> set[int]:
        return self.dated(view, moment, lambda cell, said: cell > tuple(99 if it is None else it for it in said))

    def since_date(self, view: int, moment: Any) -> set[int]:
        return self.dated(
            view, moment, lambda cell, said: cell >= tuple(it or (0 if not at else 1) for at, it in enumerate(said))
        )

    def before_date(self, view: int, moment: Any) -> set[int]:
        return self.dated(
            view, moment, lambda cell, said: cell < tuple(it or (0 if not at else 1) for at, it in enumerate(said))
        )

    def until_date(self, view: int, moment: Any) -> set[int]:
        return self.dated(view, moment, lambda cell, said: cell <= tuple(99 if it is None else it for it in said))

    def begins_with(self, column: int, span: str) -> set[int]:
        return self.worded(column, lambda words: " ".join(words).startswith(span))

    def listed(self, column: int, row: int) -> list[str]:
        """The things in a cell, as the first spelling of its value lists them; none if the column has no lists."""
        if column not in self.lists or self.emptiness[column][row] is not False:
            return []
        return sorted({normal(it) or plain(it): it for it in items(self.text(column, row))})

    def text(self, column: int, row: int) -> str:
        values = self.spelled[column]
        return values.texts[values.keys.index(self.columns[column][row])]

    def has_item(self, column: int, span: str) -> set[int]:
        """Things with the same normal form are one, called as the column spells it first, remarks and all."""
        spelled: dict[str, str] = {}
        for listed in map(items, self.spelled[column].texts):
            for it in listed:
                spelled.setdefault(normal(it) or plain(it), it)
        return {row for row in self.lines if any(stems(spelled[it]) == span.split() for it in self.listed(column, row))}

    def scored(self, column: int, holds: Callable[[float, float], bool]) -> set[int]:
        if (column, "second") not in self.places:
            return set()
        one, other = (self.views[self.places[column, kind]] for kind in ("number", "second"))
        return {row for row in self.lines if None not in (one[row], other[row]) and holds(one[row], other[row])}

    def is_win(self, column: int) -> set[int]:
        return self.scored(column, lambda one, other: one > other)

    def is_loss(self, column: int) -> set[int]:
        return self.scored(column, lambda one, other: one < other)

    def is_draw(self, column: int) -> set[int]:
        return self.scored(column, lambda one, other: one == other)

    def occurs(self, column: int, quantity: float) -> set[int]:
        times = Counter(self.columns[column][row] for row in self.is_filled(column))
        return {row for row in self.is_filled(column) if times[self.columns[column][row]] == quantity}

    def is_repeated(self, column: int) -> set[int]:
        return self.is_filled(column) - self.occurs(column, 1)

    def is_empty(self, column: int) -> set[int]:
        return {row for row in self.lines if self.emptiness[column][row] is True}

    def is_filled(self, column: int) -> set[int]:
        return {row for row in self.lines if self.emptiness[column][row] is False}

    # rows

    def all_rows(self) -> set[int]:
        return set(self.lines) - self.totals_of_table

    def all_lines(self) -> set[int]:
        return set(self.lines)

    def rows_where(self, one: set[int]) -> set[int]:
        return one

    def rows_where_not(self, one: set[int]) -> set[int]:
        return set(self.lines) - one

    def rows_where_both(self, one: set[int], other: set[int]) -> set[int]:
        return one & other

    def rows_where_all_three(self, one: set[int], other: set[int], third: set[int]) -> set[int]:
        return one & other & third

    def rows_where_either(self, one: set[int], other: set[int]) -> set[int]:
        return one | other

    def rows_where_but_not(self, one: set[int], other: set[int]) -> set[int]:
        return one - other

    def known(self, view: int, rows: set[int]) -> dict[int, float]:
        return {row: number for row in sorted(rows) if (number := self.views[view][row]) is not None}

    def most(self, view: int, rows: set[int]) -> set[int]:
        return self.nth_most(1, view, rows)

    def least(self, view: int, rows: set[int]) -> set[int]:
        return self.nth_least(1, view, rows)

    def first(self, rows: set[int]) -> set[int]:
        return set(sorted(rows)[:1])

    def last(self, rows: set[int]) -> set[int]:
        return set(sorted(rows)[-1:])

    def first_few(self, quantity: float, rows: set[int]) -> set[int]:
        return {row for place, row in enumerate(sorted(rows), 1) if place <= quantity}

    def last_few(self, quantity: float, rows: set[int]) -> set[int]:
        return {row for place, row in enumerate(sorted(rows, reverse=True), 1) if place <= quantity}

    def nth(self, quantity: float, rows: set[int]) -> set[int]:
        return {row for place, row in enumerate(sorted(rows), 1) if place == quantity}

    def nth_from_last(self, quantity: float, rows: set[int]) -> set[int]:
        return {row for place, row in enumerate(sorted(rows, reverse=True), 1) if place == quantity}

    def top(self, quantity: float, view: int, rows: set[int]) -> set[int]:
        known = self.known(view, rows)
        return {row for row in known if sum(other > known[row] for other in known.values()) < quantity}

    def bottom(self, quantity: float, view: int, rows: set[int]) -> set[int]:
        known = self.known(view, rows)
        return {row for row in known if sum(other < known[row] for other in known.values()) < quantity}

    def nth_most(self, quantity: float, view: int, rows: set[int]) -> set[int]:
        known = self.known(view, rows)
        return {row for row in known if 1 + len({it for it in known.values() if it > known[row]}) == quantity}

    def nth_least(self, quantity: float, view: int, rows: set[int]) -> set[int]:
        known = self.known(view, rows)
        return {row for row in known if 1 + len({it for it in known.values() if it < known[row]}) == quantity}

    def next_row(self, rows: set[int]) -> set[int]:
        return {row for row in self.lines if row - 1 in rows}

    def previous_row(self, rows: set[int]) -> set[int]:
        return {row for row in self.lines if row + 1 in rows}

    def above(self, rows: set[int]) -> set[int]:
        return {row for row in self.lines if row not in rows and any(row < other for other in rows)}

    def below(self, rows: set[int]) -> set[int]:
        return {row for row in self.lines if row not in rows and any(row > other for other in rows)}

    def same_as(self, column: int, rows: set[int]) -> set[int]:
        cells = self.columns[column]
        return {row for row in self.lines if rows and row not in rows and cells[row] == cells[min(rows)] is not None}

    def more_than(self, view: int, rows: set[int]) -> set[int]:
        own = self.views[view][min(rows)] if rows else None
        return set() if own is None else self.over(view, own) - rows

    def less_than(self, view: int, rows: set[int]) -> set[int]:
        own = self.views[view][min(rows)] if rows else None
        return set() if own is None else self.under(view, own) - rows

    def next_more(self, view: int, rows: set[int]) -> set[int]:
        return self.least(view, self.more_than(view, rows) | self.also_more(view, rows, 1))

    def next_less(self, view: int, rows: set[int]) -> set[int]:
        return self.most(view, self.less_than(view, rows) | self.also_more(view, rows, -1))

    def also_more(self, view: int, rows: set[int], sign: int) -> set[int]:
        """Those of the rows themselves that have more than the first of them, or less."""
        known = self.known(view, rows)
        return {row for row in known if min(rows) in known and sign * known[row] > sign * known[min(rows)]}

    def pair(self, one: set[int], other: set[int]) -> tuple[set[int], set[int]]:
        return one, other

    def pair_where(self, one: set[int], other: set[int], both: set[int]) -> tuple[set[int], set[int]]:
        return one & both, other & both

    # answers

    def cells(self, column: int, rows: set[int]) -> tuple[int, dict[str, float]]:
        return column, Counter(cell for row in rows if (cell := self.columns[column][row]) is not None)

    def totals(self, column: int, view: int, rows: set[int]) -> tuple[int, dict[str, float]]:
        sums: dict[str, float] = {}
        for row, number in self.known(view, rows).items():
            if (cell := self.columns[column][row]) is not None:
                sums[cell] = sums.get(cell, 0.0) + number
        return column, sums

    def averages(self, column: int, view: int, rows: set[int]) -> tuple[int, dict[str, float]]:
        times = self.cells(column, set(self.known(view, rows)))[1]
        return column, {key: number / times[key] for key, number in self.totals(column, view, rows)[1].items()}

    def items(self, column: int, rows: set[int]) -> tuple[int, dict[str, float]]:
        found = Counter(normal(it) or plain(it) for row in rows for it in self.listed(column, row))
        return len(self.columns) + self.lists.index(column) if column in self.lists else 0, found

    def written(self, column: int, numbers: dict[str, float]) -> Any:
        """Values with their numbers."""
        values = self.spelled[column]
        spelled = dict(zip(values.keys, values.texts, strict=True))
        return frozenset((spelled[key], number) for key, number in numbers.items()) or None

    def count_per(self, column: int, rows: set[int]) -> Any:
        return self.written(*self.cells(column, rows))

    def total_per(self, column: int, view: int, rows: set[int]) -> Any:
        return self.written(*self.totals(column, view, rows))

    def average_per(self, column: int, view: int, rows: set[int]) -> Any:
        return self.written(*self.averages(column, view, rows))

    def texts(self, column: int, keys: set[str]) -> Any:
        values = self.spelled[column]
        return frozenset(text for key, text in zip(values.keys, values.texts, strict=True) if key in keys) or None

    def look_up(self, cells: Any) -> Any:
        return self.texts(cells[0], set(cells[1]))

    def those_with(self, cells: Any, best: Callable[..., float]) -> Any:
        column, numbers = cells
        wanted = best(numbers.values(), default=0)
        return self.texts(column, {key for key, number in numbers.items() if number == wanted})

    def most_common(self, cells: Any) -> Any:
        return self.those_with(cells, max)

    def least_common(self, cells: Any) -> Any:
        return self.those_with(cells, min)

    def most_in_total(self, sums: Any) -> Any:
        return self.those_with(sums, max)

    def least_in_total(self, sums: Any) -> Any:
        return self.those_with(sums, min)

    def most_on_average(self, averages: Any) -> Any:
        return self.those_with(averages, max)

    def least_on_average(self, averages: Any) -> Any:
        return self.those_with(averages, min)

    def times_most_common(self, cells: Any) -> Any:
        return max(cells[1].values(), default=0)

    def count_different(self, cells: Any) -> Any:
        return len(cells[1])

    def count(self, rows: set[int]) -> Any:
        return len(rows)

    def number(self, view: int, rows: set[int]) -> Any:
        return self.total(view, rows)  # whether there is one row on the first table, the test sees to

    def total(self, view: int, rows: set[int]) -> Any:
        return self.as_read(view, self.sum(view, rows))

    def average(self, view: int, rows: set[int]) -> Any:
        known = self.known(view, rows)
        return self.as_read(view, sum(known.values()) / len(known) if known else None)

    def sum(self, view: int, rows: set[int]) -> float | None:
        known = self.known(view, rows)
        return sum(known.values()) if known else None

    def as_read(self, view: int, number: float | None) -> Any:
        """Dates and times are said as such."""
        if number is None:
            return None
        return {"date": date_of, "time": time_text}.get(self.kinds[view], float)(number)

    def sum_of_columns(self, one: int, other: int, rows: set[int]) -> Any:
        both = [(self.views[one][row], self.views[other][row]) for row in rows]
        found = [sum(numbers) for numbers in both if None not in numbers]
        return sum(found) if found else None

    def difference_of_columns(self, one: int, other: int, rows: set[int]) -> Any:
        both = [(self.views[one][row], self.views[other][row]) for row in rows]
        found = [numbers[0] - numbers[1] for numbers in both if None not in numbers]
        return abs(sum(found)) if found else None

    def percent_of_total(self, view: int, rows: set[int]) -> Any:
        part, whole = self.sum(view, rows), self.sum(view, self.all_rows())
        return 100 * part / whole if part is not None and whole else None

    def percent_of_rows(self, condition: set[int], rows: set[int]) -> Any:
        return 100 * len(condition & rows) / len(rows) if rows else None

    def contrasted(self, contrast: int, one: float | None, other: float | None) -> Any:
        if one is None or other is None:
            return None
        more, less = CONTRASTS[contrast]
        return more if one > other else less if one < other else "the same"

    def compare_with(self, contrast: int, view: int, quantity: float, rows: set[int]) -> Any:
        return self.contrasted(contrast, self.sum(view, rows), quantity)

    def compare_count(self, contrast: int, quantity: float, rows: set[int]) -> Any:
        return self.contrasted(contrast, len(rows), quantity)

    def compare(self, contrast: int, view: int, pair: Any) -> Any:
        return self.contrasted(contrast, self.sum(view, pair[0]), self.sum(view, pair[1]))

    def range_of(self, view: int, rows: set[int]) -> Any:
        known = self.known(view, rows).values()
        return max(known) - min(known) if known else None

    def from_first_to_last(self, view: int, rows: set[int]) -> Any:
        ends = [self.views[view][row] for row in (min(rows), max(rows))] if rows else [None]
        return None if None in ends else abs(ends[1] - ends[0])

    def both(self, view: int, pair: Any, then: Callable[[float, float], Any]) -> Any:
        one, other = (self.sum(view, rows) for rows in pair)
        return None if one is None or other is None else then(one, other)

    def difference(self, view: int, pair: Any) -> Any:
        return self.both(view, pair, lambda one, other: abs(one - other))

    def is_more(self, view: int, pair: Any) -> Any:
        return self.both(view, pair, lambda one, other: "yes" if one > other else "no")

    def is_less(self, view: int, pair: Any) -> Any:
        return self.both(view, pair, lambda one, other: "yes" if one < other else "no")

    def is_equal(self, view: int, pair: Any) -> Any:
        return self.both(view, pair, lambda one, other: "yes" if one == other else "no")

    def times_as_much(self, view: int, pair: Any) -> Any:
        return self.both(view, pair, lambda one, other: one / other if other else None)

    def times_as_many(self, pair: Any) -> Any:
        return len(pair[0]) / len(pair[1]) if pair[1] else None

    def have_same(self, column: int, pair: Any) -> Any:
        one, other = (self.cells(column, rows)[1].keys() for rows in pair)
        return ("yes" if one & other else "no") if one and other else None

    def shared(self, column: int, pair: Any) -> Any:
        one, other = (self.cells(column, rows)[1].keys() for rows in pair)
        return self.texts(column, one & other)

    def better(self, column: int, view: int, pair: Any, sign: int) -> Any:
        one, other = (self.sum(view, rows) for rows in pair)
        if one is None or other is None:
            return None
        rows = (pair[0] if sign * one >= sign * other else set()) | (pair[1] if sign * one <= sign * other else set())
        return self.look_up(self.cells(column, rows))

    def which_has_more(self, column: int, view: int, pair: Any) -> Any:
        return self.better(column, view, pair, 1)

    def which_has_less(self, column: int, view: int, pair: Any) -> Any:
        return self.better(column, view, pair, -1)

    def count_where(self, condition: set[int]) -> Any:
        return len(condition)

    def count_where_both(self, one: set[int], other: set[int]) -> Any:
        return len(one & other)

    def exists_where(self, condition: set[int]) -> Any:
        return "yes" if condition else "no"

    def exists_where_both(self, one: set[int], other: set[int]) -> Any:
        return "yes" if one & other else "no"

    def difference_in_count(self, pair: Any) -> Any:
        return abs(len(pair[0]) - len(pair[1]))

    def exists(self, rows: set[int]) -> Any:
        return "yes" if rows else "no"

    def longest_run(self, rows: set[int]) -> Any:
        return max(
            (sum(set(range(row, end)) <= rows for end in range(row + 1, len(self.lines) + 1)) for row in rows),
            default=0,
        )


# -- random arguments, as a batch and for the twin of each table -------------------------------------------------------

some = st.one_of(
    tables().filter(len).map(lambda table: [table, *variants(table, 2, 0)]),
    st.lists(tables().filter(len), min_size=1, max_size=3),
)


class Drawn:
    """Values of each type: a batch, and for each of its rows and each table what the twin has."""

    def __init__(self, draw: Any, language: TableLanguage) -> None:
        self.draw, self.language = draw, language
        self.twins = [Slowly(language, place) for place in range(len(language.stack.tables))]

    def plain(self, values: list[Any], kind: Any = None) -> tuple[Any, list[list[Any]]]:
        assume(values)  # a table may have no views
        drawn = self.draw(st.lists(st.sampled_from(values), min_size=BATCH, max_size=BATCH))
        return np.array(drawn, kind), [[value] * len(self.twins) for value in drawn]

    def value(self, kind: str) -> tuple[Any, list[list[Any]]]:
        table = self.language.stack.table
        match kind:
            case "Span":
                return self.plain(SPANS)
            case "Quantity":
                return self.plain([*QUANTITIES, 1e300], float)
            case "Decade":
                return self.plain(DECADES, float)
            case "Moment":
                return self.moments()
            case "Contrast":
                return self.plain(list(range(len(CONTRASTS))), np.intp)
            case "Column":
                return self.plain(list(range(len(table.columns))), np.intp)
            case "View":
                return self.plain(list(range(len(table.views))), np.intp)
            case "Rows" | "Condition":
                return self.rows(kind)
            case _:
                makers = {
                    "Pair": ["pair", "pair_where"],
                    "Cells": ["cells", "items"],
                    "Sums": ["totals"],
                    "Averages": ["averages"],
                }
                return self.call(self.draw(st.sampled_from(makers[kind])))

    def moments(self) -> tuple[Any, list[list[Any]]]:
        drawn = self.draw(st.lists(st.sampled_from(MOMENTS), min_size=BATCH, max_size=BATCH))
        parts = np.array([astuple(it) for it in drawn], float)
        return parts, [[tuple(it)] * len(self.twins) for it in parts.tolist()]

    def rows(self, kind: str) -> tuple[Any, list[list[Any]]]:
        """Any rows at all."""
        shape = (BATCH, *self.language.stack.shape)
        seed = self.draw(st.integers(0, 2**16))
        mask = np.random.default_rng(seed).random(shape) < self.draw(st.sampled_from([0.2, 0.6]))
        mask &= self.language.stack.rows
        sets = [[set(np.flatnonzero(rows).tolist()) for rows in one] for one in mask]
        if kind == "Rows":
            return mask, sets
        condition = np.zeros(BATCH, self.language.condition_type)
        condition["mask"] = mask
        return condition, sets

    def call(self, name: str) -> tuple[Any, list[list[Any]]]:
        kind = self.language.grammar.signature[name]
        assert isinstance(kind, Function)
        given = [self.value(str(argument)) for argument in kind.arguments]
        batch = getattr(self.language, name)(*(value for value, _ in given))
        slow = [
            [getattr(twin, name)(*(sets[row][place] for _, sets in given)) for place, twin in enumerate(self.twins)]
            for row in range(BATCH)
        ]
        if name == "number":
            rows = given[-1][1]
            slow = [one if len(sets[0]) == 1 else [None] * len(one) for one, sets in zip(slow, rows, strict=True)]
        return batch, slow


def said_by(language: TableLanguage, batch: Any, kind: str) -> list[list[Any]]:
    """A batch as the twin has it."""
    match kind:
        case "Condition":
            return said_by(language, batch["mask"], "Rows")
        case "Rows":
            return [[set(np.flatnonzero(rows).tolist()) for rows in one] for one in batch]
        case "Pair":
            return [list(zip(*said_by(language, one, "Rows"), strict=True)) for one in batch]
        case "Cells" | "Sums" | "Averages":
            field = "times" if kind == "Cells" else "sums"
            return [[(int(one["column"]), named(language, one, row)) for row in one[field]] for one in batch]
        case _:
            return [[frozenset(it) if isinstance(it, tuple) else it for it in read(language, one)] for one in batch]


def read(language: TableLanguage, answer: Any) -> Any:
    """What an answer says; a number for each value as pairs."""
    if answer["tag"] not in GROUPED:
        return language.said(answer)
    found = language.pairs(answer)
    texts = [
        None if not pairs else tuple(f"{text}: {number_text(number)}" for text, number in pairs) for pairs in found
    ]
    assert language.said(answer) == tuple(texts)
    return [pairs or None for pairs in found]


def named(language: TableLanguage, one: Any, numbers: Any) -> dict[str, float]:
    keys = language.values[int(one["column"])].keys
    return {
        key: float(it)
        for key, it in zip(keys, numbers, strict=False)
        if not np.isnan(it) and ("sums" in one.dtype.names or it)
    }


def close(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, frozenset) and isinstance(other, frozenset) and any(isinstance(it, tuple) for it in one):
        return close(dict(one), dict(other))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


FUNCTIONS = {name: kind for name, kind in TableLanguage.grammar.signature.items() if isinstance(kind, Function)}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=settings.default.max_examples * 3 // 5)  # for each of many functions
@given(data=st.data())
def test_every_function_says_what_its_slow_twin_says_on_every_table(name: str, data: st.DataObject) -> None:
    needs_view = Basic("View") in FUNCTIONS[name].arguments
    several = data.draw(some.filter(lambda it: not needs_view or it[0].views))
    language = TableLanguage(several)
    batch, slow = Drawn(data.draw, language).call(name)
    kind = str(FUNCTIONS[name].result)
    fast = said_by(language, batch, kind)
    assert len(fast) == len(slow)
    for one, other in zip(fast, slow, strict=True):
        assert all(map(close, one, other)), (one, other)


@pytest.mark.parametrize(("first", "wanted"), [("Rome (Italy)", {"rome italy"}), ("Rome", {"rome"})])
def test_things_of_one_normal_form_are_called_as_they_are_spelled_first(first: str, wanted: set[str]) -> None:
    table = Table(["Name"], [["Ann, Bob and Cy"], [first], ["rome[1]"], ["Rome (Italy)"], ["Ann, Cy"]])
    language = TableLanguage([table])
    twin = Slowly(language, 0)
    for span in ("rome", "rome italy"):
        rows = {1, 2, 3} if span in wanted else set()
        batch = language.has_item(np.array([0]), np.array([span], object))
        assert said_by(language, batch, "Condition") == [[rows]]
        assert twin.has_item(0, span) == rows


@given(some)
def test_all_rows_are_those_without_totals(several: list[Table]) -> None:
    language = TableLanguage(several)
    for place in range(len(several)):
        twin = Slowly(language, place)
        assert set(np.flatnonzero(language.all_rows()[place]).tolist()) == twin.all_rows()
        assert set(np.flatnonzero(language.all_lines()[place]).tolist()) == twin.all_lines()


# -- in a search -------------------------------------------------------------------------------------------------------

TEAMS = Table(
    ["Team", "Year", "Points"],
    [
        ["Paris", "1998", "7"],
        ["Rome", "1999", "3"],
        ["Paris", "2001", "5"],
        ["Oslo", "2002", ""],
        ["Bern", "2003", "4"],
    ],
)
MEANT = """total("[Points] as number", rows_where(equals("[Team]", "'paris'")))"""


def bound() -> TableLanguage:
    constants = constants_of(TEAMS) | constants_of_words(["paris"], [2], [1990])
    return TableLanguage([TEAMS, *variants(TEAMS, 3, 0)]).with_constants(constants)


def prices(language: TableLanguage) -> Costs:
    """What the question names is cheap, and should be said."""
    cheap = {"'paris'": 1, "[Points] as number": 2, "total": 4}
    names = {
        name: 0.1 if name in {*cheap, "equals", "rows_where", "[Team]"} else 1.0 for name in language.grammar.signature
    }
    return Costs(names, cheap, ["paris", "points", "total"], 7, 2.0)


def test_a_search_in_stages_finds_what_is_meant() -> None:
    language = bound()
    stages = Stages(language, prices(language))
    found = stages.whole_programs
    assert str(stages.program(int(found.rows[0]))) == MEANT
    assert language.said(found.values[0])[0] == 12.0
    assert len({value.tobytes() for value in found.values}) == len(found) > 100


def test_programs_of_a_search_can_be_read_again_and_say_what_was_found() -> None:
    language = bound()
    stages = Stages(language, prices(language))
    for row, value in zip(stages.whole_programs.rows[:150].tolist(), stages.whole_programs.values, strict=False):
        program = stages.program(row)
        assert Program.parse(str(program), language.grammar) == program
        assert Program.from_actions(program.action_ids, language.grammar) == program
        assert language.answers(program) == language.said(value)
        assert language.said(value)[0] is not None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (MEANT, "12"),
        ("""look_up(cells("[Team]", most("[Points] as number", all_rows)))""", "Paris"),
        ("""count(rows_where(in_decade("[Year] as number", "1990s")))""", "2"),
        ("""look_up(cells("[Team]", first_few(2, all_rows)))""", "Rome|Paris"),
        ("""exists(rows_where(is_empty("[Points]")))""", "yes"),
        ("""look_up(cells("[Year]", next_row(rows_where(is_empty("[Points]")))))""", "2003"),
    ],
)
def test_answers_are_compared_as_those_of_tables_are(text: str, wanted: str) -> None:
    language, answers = bound(), TableAnswers()
    said = language.answers(Program.parse(text, language.grammar))
    assert answers.agrees(said[0], answers.from_text(wanted))
    assert language.at([0]).answers(Program.parse(text, language.grammar)) == said[:1]


GAMES = Table(
    ["Day", "Against", "Score", "Scorers", "Time", "City"],
    [
        ["May 3, 1998", "Rome", "3-2", "Ann Lee, Bo Ray and Cy Fox", "2:31.5", "Oslo (Norway)"],
        ["May 10, 1998", "Bern", "0-1", "", "2:40", "Bern (Switzerland)"],
        ["June 5, 1998", "Rome", "2-2", "Ann Lee, Cy Fox", "2:30", "Oslo (Norway)"],
        ["June 9, 1999", "Paris", "4-0", "Ann Lee", "2:28.5", "Rome (Italy)"],
    ],
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("""count(rows_where(is_win("[Score]")))""", 2.0),
        ("""look_up(cells("[Against]", rows_where(is_draw("[Score]"))))""", ("Rome",)),
        ("""total("[Scorers] as items", all_rows)""", 6.0),
        ("""most_common(items("[Scorers]", all_rows))""", ("Ann Lee",)),
        ("""count_different(items("[Scorers]", all_rows))""", 3.0),
        ("""count(rows_where(has_item("[Scorers]", "'cy fox'")))""", 2.0),
        ("""look_up(cells("[text in parentheses of City]", first(all_rows)))""", ("Norway",)),
        ("""look_up(cells("[Against]", next_more("[Time] as time", last(all_rows))))""", ("Rome",)),
        ("""difference_of_columns("[Score] as number", "[Score] as second", first(all_rows))""", 1.0),
        ("""look_up(cells("[Against]", rows_where(is_repeated("[Against]"))))""", ("Rome",)),
        ("""count_different(cells("[Against]", rows_where(occurs("[Against]", 1))))""", 2.0),
        ("""difference("[Day] as date", pair(equals("[Against]", "'bern'"), equals("[Against]", "'paris'")))""", 395.0),
        ("""average("[Time] as time", all_rows)""", "2:32.5"),
        ("""number("[Day] as date", first(all_rows))""", Date(1998, 5, 3)),
        ("""count_per("[Against]", all_rows)""", ("Rome: 2", "Bern: 1", "Paris: 1")),
        ("""total_per("[Against]", "[Score] as number", all_rows)""", ("Rome: 5", "Bern: 0", "Paris: 4")),
        ("""average_per("[Against]", "[Score] as number", all_rows)""", ("Rome: 2.5", "Bern: 0", "Paris: 4")),
        ("""most_on_average(averages("[Against]", "[Score] as number", all_rows))""", ("Paris",)),
        ("""count_where(over("[Score] as number", 7))""", 0.0),
        ("""exists_where_both(equals("[Against]", "'bern'"), is_win("[Score]"))""", "no"),
        ("""percent_of_rows(is_win("[Score]"), rows_where(equals("[Against]", "'rome'")))""", 50.0),
        (
            """which_has_more("[Against]", "[Score] as number", """
            """pair(equals("[Against]", "'bern'"), equals("[Against]", "'paris'")))""",
            ("Paris",),
        ),
        (
            """compare("more or less", "[Score] as number", """
            """pair(equals("[Against]", "'bern'"), equals("[Against]", "'paris'")))""",
            "less",
        ),
        ("""compare_count("more or less", 1, rows_where(is_win("[Score]")))""", "more"),
    ],
)
def test_what_people_ask_about_a_season(text: str, wanted: Any) -> None:
    words = constants_of_words(["bern", "paris", "rome", "cy fox"], [1, 7], contrasts=["more"])
    language = TableLanguage([GAMES]).with_constants(constants_of(GAMES) | words)
    program = Program.parse(text, language.grammar)
    assert language.answers(program) == (wanted,)
    assert str(program) == text


def test_conditions_on_numbers_that_nothing_fulfils_are_kept_and_counted_but_no_rows_are() -> None:
    language = bound()
    condition = language.over(np.array([1]), np.array([1e9]))
    counted = language.count_where(condition)
    values = {"Condition": condition, "Rows": language.rows_where(condition), "Answer": counted}
    defined = {kind: language.defined(Basic(kind), value) for kind, value in values.items()}
    assert {kind: flags.tolist() for kind, flags in defined.items() if flags is not None} == {
        "Condition": [True],
        "Rows": [False],
        "Answer": [True],
    }
    assert language.said(counted[0])[0] == 0.0


@given(st.data())
def test_any_program_is_read_back_from_its_text_and_from_its_actions(data: st.DataObject) -> None:
    table = data.draw(tables().filter(lambda it: len(it) and it.views))
    language = TableLanguage([table]).with_constants(all_constants(table))
    program = data.draw(programs(language))
    assert Program.parse(str(program), language.grammar) == program
    assert Program.from_actions(program.action_ids, language.grammar) == program
    assert len(language.answers(program)) == 1


def test_what_is_undefined_on_the_first_table_is_dropped() -> None:
    language = bound()
    nothing = np.zeros((1, *language.stack.shape), bool)
    column, view = np.array([0]), np.array([0])
    condition = np.zeros(1, language.condition_type)
    values = {
        "Condition": condition,
        "Rows": nothing,
        "Pair": language.pair(condition, language.is_filled(column)),
        "Cells": language.cells(column, nothing),
        "Sums": language.totals(column, view, nothing),
        "Averages": language.averages(column, view, nothing),
        "Answer": language.average(view, nothing),
    }
    for kind, value in values.items():
        defined = language.defined(Basic(kind), value)
        assert defined is not None
        assert defined.tolist() == [False]
    assert language.said(values["Answer"][0]) == (None,) * 4


def test_conditions_know_their_kind_column_and_view() -> None:
    language = bound()
    view = np.array([1])
    condition = language.over(view, np.array([4.0]))[0]
    assert (KINDS[condition["kind"]], condition["column"], condition["view"]) == ("over", 2, 1)
    assert set(KINDS) == {name for name, kind in FUNCTIONS.items() if kind.result == Basic("Condition")}


def test_a_table_without_rows_is_refused_in_words() -> None:
    with pytest.raises(ChoraleError, match="without rows"):
        TableLanguage([Table(["Team"], [])])


def test_values_are_counted_alike_with_small_and_with_large_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    language = TableLanguage([MATCHES, *variants(MATCHES, 2, 0)])
    columns = np.arange(len(MATCHES.columns))
    rows = np.random.default_rng(0).random((len(columns), *language.stack.shape)) < 0.5
    small = language.cells(columns, rows)
    monkeypatch.setattr(answers, "_SMALL", 0)
    assert small.tobytes() == language.cells(columns, rows).tobytes()
    for place, column in enumerate(columns):
        for table in range(3):
            ids = language.stack.ids[column, table][rows[place, table]].tolist()
            assert small["times"][place, table].tolist() == [ids.count(it) for it in range(language.most_values)]
