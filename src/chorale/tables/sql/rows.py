"""Rows in SQL: a query of the table that is narrowed down, one step of the program after the other."""

from __future__ import annotations

from dataclasses import replace

from chorale.tables.sql.parts import Chosen, Groups, Holds, OverTable
from chorale.tables.sql.select import Select


class Rows(OverTable):
    """One method for each function that gives rows or pairs of them."""

    # -- that fulfil conditions ----------------------------------------------------------------------------------------

    def all_rows(self) -> Select:
        total, label = self.table.total, self.table.total_label
        return Select() if label is None else Select().that(self.columns.none_of(label, total, also_empty=True))

    def all_lines(self) -> Select:
        return Select()

    def rows_where(self, one: Holds) -> Select:
        return Select().that(one.sql)

    def rows_where_not(self, one: Holds) -> Select:
        return Select().that(f"({one.sql}) IS NOT TRUE")

    def rows_where_both(self, one: Holds, other: Holds) -> Select:
        return Select().that(one.sql, other.sql)

    def rows_where_all_three(self, one: Holds, other: Holds, third: Holds) -> Select:
        return Select().that(one.sql, other.sql, third.sql)

    def rows_where_either(self, one: Holds, other: Holds) -> Select:
        return Select().that(f"({one.sql} OR {other.sql})")

    def rows_where_but_not(self, one: Holds, other: Holds) -> Select:
        return Select().that(one.sql, f"({other.sql}) IS NOT TRUE")

    def pair(self, one: Holds, other: Holds) -> Groups:
        return Groups(one, other)

    def pair_where(self, one: Holds, other: Holds, both: Holds) -> Groups:
        return Groups(one, other, both)

    # -- by their places -----------------------------------------------------------------------------------------------

    def first(self, rows: Chosen) -> Select:
        return rows.select.of("*", order=f"{self.columns.row} LIMIT 1")

    def last(self, rows: Chosen) -> Select:
        return rows.select.of("*", order=f"{self.columns.row} DESC LIMIT 1")

    def first_few(self, quantity: float, rows: Chosen) -> Select:
        return self._placed(rows, "", f"<= {self.quantity(quantity)}")

    def last_few(self, quantity: float, rows: Chosen) -> Select:
        return self._placed(rows, " DESC", f"<= {self.quantity(quantity)}")

    def nth(self, quantity: float, rows: Chosen) -> Select:
        return self._placed(rows, "", f"= {self.quantity(quantity)}")

    def nth_from_last(self, quantity: float, rows: Chosen) -> Select:
        return self._placed(rows, " DESC", f"= {self.quantity(quantity)}")

    def _placed(self, rows: Chosen, order: str, place: str) -> Select:
        return rows.select.of("*", qualify=f"row_number() OVER (ORDER BY {self.columns.row}{order}) {place}")

    # -- by their numbers ----------------------------------------------------------------------------------------------

    def most(self, view: int, rows: Chosen) -> Select:
        return self._ranked("rank", view, rows, " DESC", "= 1")

    def least(self, view: int, rows: Chosen) -> Select:
        return self._ranked("rank", view, rows, "", "= 1")

    def top(self, quantity: float, view: int, rows: Chosen) -> Select:
        return self._ranked("rank", view, rows, " DESC", self._surpassed_by(quantity))

    def bottom(self, quantity: float, view: int, rows: Chosen) -> Select:
        return self._ranked("rank", view, rows, "", self._surpassed_by(quantity))

    def nth_most(self, quantity: float, view: int, rows: Chosen) -> Select:
        return self._ranked("dense_rank", view, rows, " DESC", f"= {self.quantity(quantity)}")

    def nth_least(self, quantity: float, view: int, rows: Chosen) -> Select:
        return self._ranked("dense_rank", view, rows, "", f"= {self.quantity(quantity)}")

    def _surpassed_by(self, quantity: float) -> str:
        """The rank of those that fewer than so many others surpass."""
        number = self.quantity(quantity)
        return f"<= {number}" if quantity == round(quantity) else f"< {number} + 1"

    def _ranked(self, how: str, view: int, rows: Chosen, order: str, place: str) -> Select:
        known = rows.select.that(self.known(view))
        return known.of("*", qualify=f"{how}() OVER (ORDER BY {self.columns.view(view)}{order}) {place}")

    # -- beside others, or compared with them --------------------------------------------------------------------------

    def next_row(self, rows: Chosen) -> Select:
        return self._moved(rows, "+ 1")

    def previous_row(self, rows: Chosen) -> Select:
        return self._moved(rows, "- 1")

    def _moved(self, rows: Chosen, step: str) -> Select:
        row = self.columns.row
        moved = rows.select.with_what(f"{row} {step}")
        return Select().that(f"{row} = ({moved})" if rows.are_single else f"{row} IN ({moved})")

    def above(self, rows: Chosen) -> Select:
        return self._beside(rows, "<", "max")

    def below(self, rows: Chosen) -> Select:
        return self._beside(rows, ">", "min")

    def _beside(self, rows: Chosen, sign: str, end: str) -> Select:
        row = self.columns.row
        if rows.are_single:
            return Select().that(f"{row} {sign} ({rows.select.with_what(row)})")
        return Select().that(f"{row} {sign} ({rows.select.of(f'{end}({row})')})", self.others(rows))

    def same_as(self, column: int, rows: Chosen) -> Select:
        has_nothing = self.columns.has_nothing(column, rows.mask)
        name = self.columns.filled(column) if has_nothing else self.columns.text(column)
        return Select().that(f"{name} = {self.of_first(name, rows)}", self.others(rows))

    def more_than(self, view: int, rows: Chosen) -> Select:
        return self._compared_with(view, ">", rows)

    def less_than(self, view: int, rows: Chosen) -> Select:
        return self._compared_with(view, "<", rows)

    def _compared_with(self, view: int, sign: str, rows: Chosen) -> Select:
        name = self.columns.view(view)
        others = "" if rows.are_single else self.others(rows)
        return Select().that(f"{name} {sign} {self.of_first(name, rows)}", others)

    def next_more(self, view: int, rows: Chosen) -> Select:
        return self._next(view, ">", "", rows)

    def next_less(self, view: int, rows: Chosen) -> Select:
        return self._next(view, "<", " DESC", rows)

    def _next(self, view: int, sign: str, order: str, rows: Chosen) -> Select:
        name = self.columns.view(view)
        nearest = Select().that(f"{name} {sign} {self.of_first(name, rows)}")
        return replace(nearest, qualify=f"rank() OVER (ORDER BY {name}{order}) = 1")
