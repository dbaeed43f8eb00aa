"""Everyday questions about a table that somebody keeps, each with the program that it means.

A kind of question draws a way to ask and a program; it gives nothing where the table has no such columns.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from chorale.tables.everyday import of_many as many
from chorale.tables.everyday import of_things as things
from chorale.tables.everyday.asking import Asking, Drawn
from chorale.tables.everyday.kept import Kept

KINDS: dict[Callable[[Asking], Drawn | None], int] = {
    things.value_of: 14, things.things_of: 8, things.extreme: 18, things.newest: 8, things.month_of: 2,
    things.of_extreme: 5, things.k_th: 8, things.extreme_value: 6, things.is_more: 10, things.difference: 4,
    things.which_of_two: 4, things.marks: 12,
    many.total: 12, many.total_of_thing: 8, many.total_in_month: 4, many.average: 6, many.best_group: 7,
    many.per_group: 4, many.common: 4, many.count: 8, many.count_all: 2, many.different: 3, many.compared: 8,
    many.in_time: 7, many.groups_more: 8, many.are_any: 3, many.is_so: 3, many.flag: 6, many.blank: 4,
}  # fmt: skip
"""The kinds of question, and how often each is tried."""


def drawn(kept: Kept, rng: Random) -> Drawn | None:
    """A question of some kind; None if the table has nothing to ask so."""
    [kind] = rng.choices(list(KINDS), list(KINDS.values()))
    asking = Asking(kept, rng)
    found = kind(asking)
    return None if found is None else (asking.written(found[0]), found[1])
