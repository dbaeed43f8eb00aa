"""Answers in SQL, each with what it is read as: cells, a number, a date, a time, a truth, a word, or pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chorale.tables.language.types import CONTRASTS, Bits
from chorale.tables.quoting import literal
from chorale.tables.sql.expressions import NoSqlError
from chorale.tables.sql.parts import Chosen, Grouped, Groups, Holds, OverTable
from chorale.tables.sql.select import Select


@dataclass(frozen=True)
class Asked:
    """A query without its head, and what it is read as."""

    select: Select
    kind: str = "number"
    also: Select | None = None
    """Another one, if those values are asked for that both have."""

    @property
    def lines(self) -> list[str]:
        more = [] if self.also is None else ["INTERSECT", *self.also.lines()]
        return [*self.select.lines(), *more]


class OfCells(OverTable):
    """Values of columns."""

    def cells(self, column: int, rows: Chosen) -> Grouped:
        return Grouped(self.columns.text(column), rows.select, rows=rows, column=column)

    def items(self, column: int, rows: Chosen) -> Grouped:
        if not any((view.column, view.kind) == (column, "items") for view in self.table.views):
            raise NoSqlError(f"cells of {self.table.columns[column].name!r:.60} list nothing")
        listed = rows.select.of(f"unnest({self.columns.lists(column)}) AS item")
        return Grouped("item", Select(source=listed))

    def totals(self, column: int, view: int, rows: Chosen) -> Grouped:
        known = rows.select.that(self.known(view))
        return Grouped(self.columns.text(column), known, f"sum({self.no_date(view)})")

    def averages(self, column: int, view: int, rows: Chosen) -> Grouped:
        known = rows.select.that(self.known(view))
        return Grouped(self.columns.text(column), known, f"avg({self.columns.view(view)})")

    def look_up(self, cells: Grouped) -> Asked:
        if cells.rows is None:
            return Asked(cells.select.of(f"DISTINCT {cells.value}"), "cells")
        ids = self.table.columns[cells.column].ids[cells.rows.mask]
        is_distinct = len(np.unique(ids)) == len(ids)
        return Asked(cells.select.with_what(cells.value if is_distinct else f"DISTINCT {cells.value}"), "cells")

    def most_common(self, cells: Grouped) -> Asked:
        return self._best(cells, "count(*) DESC")

    def least_common(self, cells: Grouped) -> Asked:
        return self._best(cells, "count(*)")

    def times_most_common(self, cells: Grouped) -> Asked:
        return Asked(cells.select.of("count(*)", group=cells.value, order="count(*) DESC LIMIT 1"))

    def count_different(self, cells: Grouped) -> Asked:
        value = cells.value
        if cells.rows is not None and self.columns.has_nothing(cells.column, cells.rows.mask):
            value = self.columns.filled(cells.column)
        return Asked(cells.select.of(f"count(DISTINCT {value})"))

    def most_in_total(self, sums: Grouped) -> Asked:
        return self._best(sums, f"{sums.number} DESC")

    def least_in_total(self, sums: Grouped) -> Asked:
        return self._best(sums, sums.number)

    def most_on_average(self, averages: Grouped) -> Asked:
        return self._best(averages, f"{averages.number} DESC")

    def least_on_average(self, averages: Grouped) -> Asked:
        return self._best(averages, averages.number)

    def _best(self, groups: Grouped, order: str) -> Asked:
        qualify = f"rank() OVER (ORDER BY {order}) = 1"
        return Asked(groups.select.of(groups.value, group=groups.value, qualify=qualify), "cells")

    def count_per(self, column: int, rows: Chosen) -> Asked:
        return self._per(Grouped(self.columns.text(column), rows.select, "count(*)"))

    def total_per(self, column: int, view: int, rows: Chosen) -> Asked:
        return self._per(self.totals(column, view, rows))

    def average_per(self, column: int, view: int, rows: Chosen) -> Asked:
        self.no_date(view)
        return self._per(self.averages(column, view, rows))

    def _per(self, groups: Grouped) -> Asked:
        return Asked(groups.select.of(f"{groups.value}, {groups.number}", group=groups.value), "pairs")


class OfNumbers(OverTable):
    """Numbers of views."""

    def number(self, view: int, rows: Chosen) -> Asked:
        return self._read(view, rows.select.with_what(self.columns.view(view)))

    def total(self, view: int, rows: Chosen) -> Asked:
        if rows.are_single:
            return self.number(view, rows)
        return self._read(view, rows.select.of(f"sum({self.no_date(view)})"))

    def average(self, view: int, rows: Chosen) -> Asked:
        return self._read(view, rows.select.of(f"avg({self.columns.view(view)})"))

    def _read(self, view: int, select: Select) -> Asked:
        kind = self.kind(view)
        return Asked(select, kind if kind in {"date", "time"} else "number")

    def range_of(self, view: int, rows: Chosen) -> Asked:
        name = self.columns.view(view)
        return Asked(rows.select.of(f"max({name}) - min({name})"))

    def from_first_to_last(self, view: int, rows: Chosen) -> Asked:
        ordered = f"{self.columns.view(view)} ORDER BY {self.columns.row}"
        return Asked(rows.select.of(f"abs(last({ordered}) - first({ordered}))"))

    def sum_of_columns(self, one: int, other: int, rows: Chosen) -> Asked:
        return Asked(rows.select.of(f"sum({self.no_date(one)} + {self.no_date(other)})"))

    def difference_of_columns(self, one: int, other: int, rows: Chosen) -> Asked:
        names = [self.columns.view(view) for view in (one, other)]
        if self.kind(one) != self.kind(other):
            names = [self.no_date(view) for view in (one, other)]
        return Asked(rows.select.of(f"abs(sum({names[0]} - {names[1]}))"))

    def percent_of_total(self, view: int, rows: Chosen) -> Asked:
        added = f"sum({self.no_date(view)})"
        whole = self.all_rows().of(added)
        return Asked(rows.select.of(f"100 * {added} / nullif(({whole}), 0)"))

    def compare_with(self, contrast: int, view: int, quantity: float, rows: Chosen) -> Asked:
        difference = f"sum({self.no_date(view)}) - {self.quantity(quantity)}"
        return _word(rows.select, contrast, difference)

    def all_rows(self) -> Select:
        raise NotImplementedError


class OfRows(OverTable):
    """Rows as such."""

    def count(self, rows: Chosen) -> Asked:
        return Asked(rows.select.of("count(*)"))

    def exists(self, rows: Chosen) -> Asked:
        return Asked(rows.select.of("count(*) > 0"), "truth")

    def percent_of_rows(self, condition: Holds, rows: Chosen) -> Asked:
        return Asked(rows.select.of(f"100 * count(*) FILTER (WHERE {condition.sql}) / nullif(count(*), 0)"))

    def compare_count(self, contrast: int, quantity: float, rows: Chosen) -> Asked:
        return _word(rows.select, contrast, f"count(*) - {self.quantity(quantity)}")

    def longest_run(self, rows: Chosen) -> Asked:
        """Rows that follow each other are as far from their place among all that are meant."""
        row = self.columns.row
        islands = rows.select.of(f"{row} - row_number() OVER (ORDER BY {row}) AS island")
        return Asked(Select("count(*)", islands, group="island", order="count(*) DESC LIMIT 1"))

    def count_where(self, one: Holds) -> Asked:
        return Asked(Select("count(*)").that(one.sql))

    def count_where_both(self, one: Holds, other: Holds) -> Asked:
        return Asked(Select("count(*)").that(one.sql, other.sql))

    def exists_where(self, one: Holds) -> Asked:
        return Asked(Select("count(*) > 0").that(one.sql), "truth")

    def exists_where_both(self, one: Holds, other: Holds) -> Asked:
        return Asked(Select("count(*) > 0").that(one.sql, other.sql), "truth")


class OfPairs(OverTable):
    """Two groups of rows, each looked at by a FILTER."""

    def difference(self, view: int, pair: Groups) -> Asked:
        one, other = self._totals(view, pair)
        return Asked(pair.rows.of(f"abs({one} - {other})"))

    def difference_in_count(self, pair: Groups) -> Asked:
        one, other = self._counts(pair)
        return Asked(pair.rows.of(f"abs({one} - {other})"))

    def times_as_much(self, view: int, pair: Groups) -> Asked:
        self.no_date(view)
        one, other = self._totals(view, pair)
        return Asked(pair.rows.of(f"{one} / nullif({other}, 0)"))

    def times_as_many(self, pair: Groups) -> Asked:
        one, other = self._counts(pair)
        return Asked(pair.rows.of(f"{one} / nullif({other}, 0)"))

    def is_more(self, view: int, pair: Groups) -> Asked:
        return self._truth(view, ">", pair)

    def is_less(self, view: int, pair: Groups) -> Asked:
        return self._truth(view, "<", pair)

    def is_equal(self, view: int, pair: Groups) -> Asked:
        return self._truth(view, "=", pair)

    def _truth(self, view: int, sign: str, pair: Groups) -> Asked:
        one, other = self._totals(view, pair)
        return Asked(pair.rows.of(f"{one} {sign} {other}"), "truth")

    def compare(self, contrast: int, view: int, pair: Groups) -> Asked:
        one, other = self._totals(view, pair)
        return _word(pair.rows, contrast, f"{one} - {other}")

    def have_same(self, column: int, pair: Groups) -> Asked:
        name = self.columns.text(column)
        one, other = (pair.rows.that(side.sql).of(name) for side in (pair.one, pair.other))
        return Asked(Select("count(*) > 0", f"({one} INTERSECT {other})"), "truth")

    def shared(self, column: int, pair: Groups) -> Asked:
        name = self.columns.text(column)
        one, other = (pair.rows.that(side.sql).of(name) for side in (pair.one, pair.other))
        return Asked(one, "cells", other)

    def which_has_more(self, column: int, view: int, pair: Groups) -> Asked:
        return self._better(column, view, " DESC", ">=", pair)

    def which_has_less(self, column: int, view: int, pair: Groups) -> Asked:
        return self._better(column, view, "", "<=", pair)

    def _better(self, column: int, view: int, order: str, sign: str, pair: Groups) -> Asked:
        """Of two rows the better one; of two groups of more the one with the better total."""
        name, number = self.columns.text(column), self.columns.view(view)
        masks = [pair.mask(side) for side in (pair.one, pair.other)]
        either = f"({pair.one.sql} OR {pair.other.sql})"
        if all(_is_known(mask, self.table.views[view].numbers) for mask in masks):
            best = f"rank() OVER (ORDER BY {number}{order}) = 1"
            return Asked(pair.rows.that(either).of(f"DISTINCT {name}", qualify=best), "cells")
        one, other = (f"({pair.rows.of(it)})" for it in self._totals(view, pair))
        first, second = f"({pair.one.sql} AND {one} {sign} {other})", f"({pair.other.sql} AND {other} {sign} {one})"
        return Asked(pair.rows.that(f"({first} OR {second})").of(f"DISTINCT {name}"), "cells")

    def _totals(self, view: int, pair: Groups) -> tuple[str, str]:
        """What the numbers of each group add up to; dates are not added up, but a group may have one."""
        if self.kind(view) != "date":
            add, name = "sum", self.columns.view(view)
        elif all(np.sum(pair.mask(side)) <= 1 for side in (pair.one, pair.other)):
            add, name = "max", self.columns.view(view)
        else:
            raise NoSqlError("dates are not added up, and a group has several")
        one, other = (f"{add}({name}) FILTER (WHERE {side.sql})" for side in (pair.one, pair.other))
        return one, other

    def _counts(self, pair: Groups) -> tuple[str, str]:
        one, other = (f"count(*) FILTER (WHERE {side.sql})" for side in (pair.one, pair.other))
        return one, other


def _is_known(mask: Bits, numbers: np.typing.NDArray[np.float64]) -> bool:
    """Whether one row is meant, and it has a number."""
    return int(mask.sum()) == 1 and not np.isnan(numbers[mask]).any()


def _word(select: Select, contrast: int, difference: str) -> Asked:
    """Which of two words says how a difference is."""
    more, less = map(literal, CONTRASTS[contrast])
    same = literal("the same")
    return Asked(
        select.of(f"CASE sign({difference}) WHEN 1 THEN {more} WHEN -1 THEN {less} WHEN 0 THEN {same} END"), "word"
    )
