"""Tables as arrays; the slow twin looks at one cell after another."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.tables import tables

from chorale.tables.columns import KINDS
from chorale.tables.stack import NOTHING, Stack
from chorale.tables.table import Table
from chorale.tables.variants import variants

some = st.one_of(
    tables().map(lambda table: [table, *variants(table, 2, 0)]),
    tables().map(lambda table: variants(table, 2, 0)),
    st.lists(tables(), min_size=1, max_size=3),
)


@given(some)
def test_every_cell_of_a_stack_is_that_of_its_table(several: list[Table]) -> None:
    stack = Stack(several)
    assert stack.table is several[0]
    assert stack.shape == (len(several), max(map(len, several)))
    for place, table in enumerate(several):
        for row in range(stack.shape[1]):
            there = row < len(table)
            assert stack.rows[place, row] == there
            assert stack.total[place, row] == (there and table.total[row])
            for column in several[0].columns:
                own, value = table.column(column.name), stack.ids[column.index, place, row]
                if not there or own is None:
                    assert value == NOTHING
                    assert not stack.empty[column.index, place, row]
                else:
                    assert stack.values[column.index].keys[value] == own.values.keys[own.ids[row]]
                    assert stack.empty[column.index, place, row] == own.empty[row]


@given(some)
def test_every_number_of_a_stack_is_that_of_its_table(several: list[Table]) -> None:
    stack = Stack(several)
    assert stack.numbers.shape == (len(several[0].views), *stack.shape)
    for view, numbers in zip(several[0].views, stack.numbers, strict=True):
        np.testing.assert_array_equal(stack.read(view.column, view.kind), numbers)
    for column in several[0].columns:
        for kind in KINDS:
            read = stack.read(column.index, kind)
            for place, table in enumerate(several):
                own = table.column(column.name)
                wanted = np.full(stack.shape[1], np.nan)
                if own is not None:
                    wanted[: len(table)] = own.read(kind)
                np.testing.assert_array_equal(read[place], wanted)


def test_copies_share_the_values_of_their_table() -> None:
    table = Table(["a"], [["1"], ["2"]])
    assert Stack([table, *variants(table, 3, 0)]).values[0] is table.columns[0].values
