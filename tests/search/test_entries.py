"""Entries that are made only when they are wanted are those that would have been made anyway."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chorale.search.entries import Entries, Offer, Rows, chosen_of, number_of


def entries(values: Sequence[int], production: int) -> Entries:
    count = np.arange(len(values))
    return Entries.of(
        [[int(value) for value in values]],
        np.array(values, dtype=np.int64),
        np.array(values, dtype=np.int64) % 4,
        np.array(values, dtype=np.uint64),
        (production, ((0, 1),)),
        (count,),
        1,
    )


def lazily(values: Sequence[int], production: int) -> Offer:
    def make(rows: Rows) -> Entries:
        return entries(values, production).take(rows)

    usage = np.array(values, dtype=np.int64)
    return Offer(usage, usage % 4, make)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), min_size=1, max_size=4), st.data())
def test_rows_of_several_offers_are_those_of_all_entries_one_after_another(
    several: list[list[int]], data: st.DataObject
) -> None:
    offers = [lazily(values, number) for number, values in enumerate(several)]
    count = sum(map(len, several))
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1))), dtype=np.intp)
    found, expected = chosen_of(offers, rows), Entries.joined([offer.whole for offer in offers]).take(rows)
    assert found.values == expected.values
    assert found.usage.tolist() == expected.usage.tolist()
    assert found.gaps.tolist() == expected.gaps.tolist()
    assert found.names.tolist() == expected.names.tolist()
    made = [[(one.production(row), one.children(row)) for row in range(len(rows))] for one in (found, expected)]
    assert made[0] == made[1]


def test_different_names_have_different_numbers_and_one_name_always_the_same() -> None:
    names = [f"function_{number}" for number in range(1_000)]
    assert len({number_of(name) for name in names}) == 1_000
    assert number_of("above") == 4_436_111_150_201_768_365


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=5))
def test_what_entries_use_at_least_none_of_them_uses_less_of(several: list[list[int]]) -> None:
    usages = [sum(count << 3 * number for number, count in enumerate(some)) for some in several]
    least = entries(usages, 0).least
    found = [least >> 3 * number & 3 for number in range(4)]
    assert all(count <= min(some[number] for some in several) for number, count in enumerate(found))
    assert len(several) > 1 or found == several[0]
