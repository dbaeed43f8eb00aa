"""What the functions over tables are called in plain English: every program is a question.

A condition is what a row has, rows are a noun with what is said of it, and an answer is the question itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from chorale.language import Wording
from chorale.language.english import with_article
from chorale.tables.dates import written_date
from chorale.tables.language.phrases import (
    ALL,
    LINES,
    Having,
    Selection,
    Thing,
    number,
    ordinal,
    question,
    that,
    times,
    words,
)

# -- conditions --------------------------------------------------------------------------------------------------------


def _worded(pattern: str) -> Callable[[str, str], Having]:
    """What the words of a cell are: `{a}` is a column with its article, `{}` the words."""
    return lambda column, span: Having(pattern.format(words(span), a=Thing.of(column).indefinite))


def _compared(how: str, read: str = "") -> Callable[[str, str], Having]:
    """What the number of a cell is; `read` instead of it for what is not a cell itself, such as its year."""

    def said(view: str, quantity: str) -> Having:
        thing = Thing.of(view)
        between = read if read and thing.kind in {"second", "difference", "year", "items"} else how
        return Having(f"{thing.indefinite} {between} {quantity}")

    return said


def _dated(how: str, within: str = "", then: str = "") -> Callable[[str, str], Having]:
    """What the date of a cell is; `within` instead of `how` for a month or a year."""

    def said(view: str, moment: str) -> Having:
        date = written_date(moment)
        assert date is not None
        between = within if within and date.day is None else how
        return Having(f"{Thing.of(view).indefinite} {between} {date.spelled}{then}")

    return said


def _cell(pattern: str, lacking: str = "") -> Callable[[str], Having]:
    def said(column: str) -> Having:
        thing = Thing.of(column)
        parts = {"a": thing.indefinite, "are": thing.verb}
        return Having(pattern.format(thing.name, **parts), lacking.format(thing.name, **parts))

    return said


def _occurs(column: str, quantity: str) -> Having:
    thing = Thing.of(column)
    return Having(f"{thing.indefinite} that occur{'' if thing.is_plural else 's'} {times(quantity)}")


# -- rows --------------------------------------------------------------------------------------------------------------


def _where(*conditions: Having) -> Selection:
    *before, last = [it.what for it in conditions]
    what = f"{', '.join(before)} and {last}" if before else last
    return that(f"has {what}", f"have {what}")


def _where_not(condition: Having) -> Selection:
    if condition.lacking:
        return _where(Having(condition.lacking))
    return that(f"does not have {condition.what}", f"do not have {condition.what}")


def _where_either(one: Having, other: Having) -> Selection:
    return _where(Having(f"{one.what} or {other.what}"))


def _where_but_not(one: Having, other: Having) -> Selection:
    if other.lacking:
        return _where(one, Having(other.lacking))
    yes, no = _where(one), _where_not(other)
    one_does_not = no.one.removeprefix("row that ")
    return that(f"has {one.what} and {one_does_not}", f"{yes.does} and {no.does}")


def _picked(which: str) -> Callable[[Selection], Selection]:
    return lambda rows: rows.picked(which)


def _few(which: str) -> Callable[[str, Selection], Selection]:
    return lambda quantity, rows: (
        rows.picked(which) if quantity == "1" else rows.picked(f"{which} {number(quantity)}", one=False)
    )


def _nth_from_last(quantity: str, rows: Selection) -> Selection:
    return rows.picked("last" if quantity == "1" else f"{ordinal(quantity)}-to-last")


def _extreme(least: bool, pattern: str = "{}") -> Callable[[str, Selection], Selection]:
    def said(view: str, rows: Selection) -> Selection:
        thing = Thing.of(view)
        which = pattern.format(thing.extremes[least])
        return Selection.related(f"with the {which} {thing.name}{rows.among}")

    return said


def _nth_extreme(least: bool) -> Callable[[str, str, Selection], Selection]:
    return lambda quantity, view, rows: _extreme(least, "{}" if quantity == "1" else f"{ordinal(quantity)} {{}}")(
        view, rows
    )


def _top(least: bool) -> Callable[[str, str, Selection], Selection]:
    def said(quantity: str, view: str, rows: Selection) -> Selection:
        best = _extreme(least)(view, rows)
        if quantity == "1":
            return best
        many = f"{number(quantity)} {best.many}"
        return Selection(f"row among the {many}", many, is_closed=True)

    return said


def _beside(how: str) -> Callable[[Selection], Selection]:
    return lambda rows: Selection.related(f"{how} {rows.the}", one=rows.is_one and how.startswith("right"))


def _same_as(column: str, rows: Selection) -> Selection:
    return Selection.related(f"with the same {Thing.of(column).name} as {rows.the}", other=True)


def _than(least: bool) -> Callable[[str, Selection], Selection]:
    def said(view: str, rows: Selection) -> Selection:
        thing = Thing.of(view)
        return Selection.related(f"with {thing.with_adjective(thing.compared[least])} than {rows.the}")

    return said


def _next(least: bool) -> Callable[[str, Selection], Selection]:
    def said(view: str, rows: Selection) -> Selection:
        thing = Thing.of(view)
        return Selection.related(f"with the next {thing.compared[least]} {thing.name} after {rows.the}")

    return said


# -- answers -----------------------------------------------------------------------------------------------------------


class Listed(NamedTuple):
    """Cells of a column in some rows, or the things that they list."""

    thing: Thing
    rows: Selection
    are_items: bool = False

    @property
    def name(self) -> str:
        return f"thing listed in {self.thing.name}" if self.are_items else self.thing.name

    @property
    def inside(self) -> str:
        """Where they stand, if not everywhere."""
        return "" if self.rows == ALL else f" in {self.rows.the}"

    def said(self) -> str:
        """By themselves, as a step of a program."""
        return f"the {self.name}{'s' * self.are_items} of {self.rows.the}"


class Grouped(NamedTuple):
    """Rows by the values of a column."""

    group: Thing
    thing: Thing
    rows: Selection

    def said(self) -> str:
        """By itself, as a step of a program."""
        return f"{self.thing.definite} of {self.rows.the}, for each {self.group.name}"


Two = tuple[Selection, Selection]


def _look_up(cells: Listed) -> str:
    if cells.are_items:
        return question(f"which things are listed in {cells.thing.name}{cells.inside}")
    return question(f"what {cells.thing.verb} the {cells.thing.name} of {cells.rows.the}")


def _common(which: str) -> Callable[[Listed], str]:
    return lambda cells: question(f"what is the {which} common {cells.name}{cells.inside}")


def _times_most_common(cells: Listed) -> str:
    return question(f"how often does the most common {cells.name} occur{cells.inside}")


def _count_different(cells: Listed) -> str:
    if cells.are_items:
        return question(f"how many different things are listed in {cells.thing.name}{cells.inside}")
    return question(f"how many different values does the column {cells.thing.name} have{cells.inside}")


def _group_with(which: str) -> Callable[[Grouped], str]:
    return lambda it: question(f"which {it.group.name} has the {which} of {it.thing.definite} in {it.rows.the}")


def _per(what: str) -> Callable[[str, str, Selection], str]:
    return lambda column, view, rows: question(
        f"what is the {what} of {Thing.of(view).definite} for each {Thing.of(column).name} in {rows.the}"
    )


def _count_per(column: str, rows: Selection) -> str:
    return question(f"for each {Thing.of(column).name}, how many {_counted(rows)}")


def _counted(rows: Selection) -> str:
    if rows.does:
        return f"rows {rows.does}"
    return f"rows are {rows.the}" if rows.is_one else f"{rows.many} are there"


def _count(rows: Selection) -> str:
    return question(f"how many {_counted(rows)}")


def _exists(rows: Selection) -> str:
    return question(f"is there {with_article(rows.one)}")


def _of(pattern: str) -> Callable[[str, Selection], str]:
    """About the numbers in some rows: `{}` is what they are, `{it}` the same after "of", `{the}` the rows."""

    def said(view: str, rows: Selection) -> str:
        thing = Thing.of(view)
        most, least = thing.extremes
        parts = {"it": thing.definite, "the": rows.the, "are": thing.verb, "do": rows.verb}
        return question(pattern.format(thing.name, **parts, most=most, least=least))

    return said


def _number(view: str, rows: Selection) -> str:
    kind = {"date": "a date", "time": "a time"}.get(Thing.of(view).kind, "a number")
    return _of(f"what {{are}} the {{}} of {{the}}, as {kind}")(view, rows)


def _columns(pattern: str) -> Callable[[str, str, Selection], str]:
    return lambda one, other, rows: question(pattern.format(Thing.of(one).definite, Thing.of(other).definite, rows.the))


def _percent_of_rows(condition: Having, rows: Selection) -> str:
    return question(f"what percentage of {rows.the} {'has' if rows.is_one else 'have'} {condition.what}")


def _than_or_not(contrast: str) -> str:
    return contrast if contrast.startswith(("above", "after")) else f"{contrast} than"


def _compare_with(contrast: str, view: str, quantity: str, rows: Selection) -> str:
    return question(f"is the total of {Thing.of(view).definite} in {rows.the} {_than_or_not(contrast)} {quantity}")


def _compare_count(contrast: str, quantity: str, rows: Selection) -> str:
    return question(f"is the number of {rows.many} {_than_or_not(contrast)} {quantity}")


def _compare(contrast: str, view: str, pair: Two) -> str:
    return _versus(view, pair, _than_or_not(contrast))


def _versus(view: str, pair: Two, how: str) -> str:
    thing, (one, other) = Thing.of(view), pair
    return question(f"{thing.verb} the {thing.name} of {one.the} {how} {thing.again} of {other.the}")


def _is(least: bool) -> Callable[[str, Two], str]:
    return lambda view, pair: _versus(view, pair, f"{Thing.of(view).compared[least]} than")


def _both(pattern: str) -> Callable[[str, Two], str]:
    """About a column, or a view, of two groups."""
    return lambda what, pair: question(pattern.format(Thing.of(what).name, pair[0].the, pair[1].the))


def _counts(pattern: str) -> Callable[[Two], str]:
    return lambda pair: question(pattern.format(pair[0].many, pair[1].many))


def _which(least: bool) -> Callable[[str, str, Two], str]:
    def said(column: str, view: str, pair: Two) -> str:
        thing, group, (one, other) = Thing.of(view), Thing.of(column), pair
        how = thing.compared[least]
        return question(
            f"which {group.name} has the {how} {thing.name}, {group.again} of {one.the} or {group.again} of {other.the}"
        )

    return said


WORDING = Wording(
    {
        "equals": _worded("{a} of {}"),
        "contains": _worded("{a} containing {}"),
        "begins_like": _worded("{a} with a word like {}"),
        "begins_with": _worded("{a} beginning with {}"),
        "has_item": lambda column, span: Having(f"{words(span)} among the things in {Thing.of(column).name}"),
        "is_number": _compared("of", "equal to"),
        "over": _compared("over"),
        "at_least": _compared("of at least"),
        "under": _compared("under"),
        "at_most": _compared("of at most"),
        "in_decade": _compared("in the"),
        "on_date": _dated("on", "in"),
        "after_date": _dated("after"),
        "since_date": _dated("of", then=" or later"),
        "before_date": _dated("before"),
        "until_date": _dated("of", then=" or earlier"),
        "is_win": _cell("{a} that {are} a win"),
        "is_loss": _cell("{a} that {are} a loss"),
        "is_draw": _cell("{a} that {are} a draw"),
        "is_repeated": _cell("{a} that other rows have as well"),
        "occurs": _occurs,
        "is_empty": _cell("no entry for {}", "an entry for {}"),
        "is_filled": _cell("an entry for {}", "no entry for {}"),
        "all_rows": ALL,
        "all_lines": LINES,
        "rows_where": _where,
        "rows_where_not": _where_not,
        "rows_where_both": _where,
        "rows_where_all_three": _where,
        "rows_where_either": _where_either,
        "rows_where_but_not": _where_but_not,
        "pair": lambda one, other: (_where(one), _where(other)),
        "pair_where": lambda one, other, both: (_where(one, both), _where(other, both)),
        "first": _picked("first"),
        "last": _picked("last"),
        "first_few": _few("first"),
        "last_few": _few("last"),
        "nth": lambda quantity, rows: rows.picked(ordinal(quantity)),
        "nth_from_last": _nth_from_last,
        "most": _extreme(False),
        "least": _extreme(True),
        "top": _top(False),
        "bottom": _top(True),
        "nth_most": _nth_extreme(False),
        "nth_least": _nth_extreme(True),
        "next_row": _beside("right after"),
        "previous_row": _beside("right before"),
        "above": _beside("above"),
        "below": _beside("below"),
        "same_as": _same_as,
        "more_than": _than(False),
        "less_than": _than(True),
        "next_more": _next(False),
        "next_less": _next(True),
        "cells": lambda column, rows: Listed(Thing.of(column), rows),
        "items": lambda column, rows: Listed(Thing.of(column), rows, True),
        "totals": lambda column, view, rows: Grouped(Thing.of(column), Thing.of(view), rows),
        "averages": lambda column, view, rows: Grouped(Thing.of(column), Thing.of(view), rows),
        "look_up": _look_up,
        "most_common": _common("most"),
        "least_common": _common("least"),
        "times_most_common": _times_most_common,
        "count_different": _count_different,
        "most_in_total": _group_with("highest total"),
        "least_in_total": _group_with("lowest total"),
        "most_on_average": _group_with("highest average"),
        "least_on_average": _group_with("lowest average"),
        "count_per": _count_per,
        "total_per": _per("total"),
        "average_per": _per("average"),
        "number": _number,
        "total": _of("what is the total of {it} in {the}"),
        "average": _of("what is the average of {it} in {the}"),
        "range_of": _of("how far apart are the {most} and the {least} {} in {the}"),
        "from_first_to_last": _of("how far apart are the {0} of the first and the {0} of the last of {the}"),
        "percent_of_total": _of("what percentage of the total of {it} {do} {the} have"),
        "sum_of_columns": _columns("what do {} and {} add up to in {}"),
        "difference_of_columns": _columns("what is the difference between {} and {} in {}"),
        "compare_with": _compare_with,
        "count": _count,
        "exists": _exists,
        "percent_of_rows": _percent_of_rows,
        "compare_count": _compare_count,
        "longest_run": lambda rows: question(f"how many of {rows.the} follow one another at most"),
        "count_where": lambda one: _count(_where(one)),
        "count_where_both": lambda one, other: _count(_where(one, other)),
        "exists_where": lambda one: _exists(_where(one)),
        "exists_where_both": lambda one, other: _exists(_where(one, other)),
        "difference": _both("what is the difference in {} between {} and {}"),
        "difference_in_count": _counts("how far apart are the number of {} and the number of {}"),
        "times_as_much": _both("how many times the {0} of {2} is the {0} of {1}"),
        "times_as_many": _counts("how many times the number of {1} is the number of {0}"),
        "is_more": _is(False),
        "is_less": _is(True),
        "is_equal": lambda view, pair: _versus(view, pair, "the same as"),
        "have_same": _both("do {1} and {2} have the same {0}"),
        "compare": _compare,
        "shared": _both("which {} do both {} and {} have"),
        "which_has_more": _which(False),
        "which_has_less": _which(True),
    }
)
"""For all programs over tables."""
