"""Altered copies of tables."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.tables import tables

from chorale.tables.table import Table
from chorale.tables.values import normal, plain
from chorale.tables.variants import variants

seeds = st.integers(0, 10)


@given(tables(), seeds)
def test_the_same_seed_gives_the_same_copies_however_many(table: Table, seed: int) -> None:
    assert variants(table, 5, seed)[:2] == variants(table, 2, seed)


def test_another_seed_gives_other_copies() -> None:
    table = Table(["n"], [[str(number)] for number in range(20)])
    assert variants(table, 1, 1) != variants(table, 1, 2)


@given(tables(), seeds)
def test_a_copy_has_the_columns_types_and_views_of_its_table(table: Table, seed: int) -> None:
    for copy in variants(table, 2, seed):
        assert copy.header == table.header
        assert len(copy) == len(table) == len(copy.rows)
        assert [(it.name, it.type, it.source) for it in copy.columns] == [
            (it.name, it.type, it.source) for it in table.columns
        ]
        assert [(it.column, it.kind) for it in copy.views] == [(it.column, it.kind) for it in table.views]
        for index, column in enumerate(zip(*copy.rows, strict=True)):
            assert set(column) <= {row[index] for row in table.rows}


@given(tables(), seeds)
def test_what_a_copy_knows_is_what_its_texts_say(table: Table, seed: int) -> None:
    [copy] = variants(table, 1, seed)
    for column in copy.columns[: copy.width]:
        keys = [normal(row[column.index]) or plain(row[column.index]) for row in copy.rows]
        assert [column.values.keys[place] for place in column.ids] == keys
    for view in copy.views:
        np.testing.assert_array_equal(view.numbers, copy.columns[view.column].read(view.kind))
    for column in copy.columns[copy.width :]:
        source, before = copy.columns[column.source], table.columns[column.index]
        part = dict(zip(table.columns[column.source].ids.tolist(), before.ids.tolist(), strict=True))
        assert column.ids.tolist() == [part[place] for place in source.ids.tolist()]


@given(tables(), seeds)
def test_a_copy_is_equal_to_a_table_of_its_texts_and_survives_a_journey(table: Table, seed: int) -> None:
    [copy] = variants(table, 1, seed)
    assert copy == Table(copy.header, copy.rows)
    assert hash(copy) == hash(Table(copy.header, copy.rows))
    journeyed = pickle.loads(pickle.dumps(copy))
    assert journeyed == copy
    assert [it.type for it in journeyed.columns] == [it.type for it in copy.columns]


@given(tables(), seeds)
def test_totals_stay_where_they_are(table: Table, seed: int) -> None:
    for copy in variants(table, 2, seed):
        assert copy.total.tolist() == table.total.tolist()
        if table.total_label is not None:
            labels = [row[table.total_label] for row in table.rows]
            moved = [row[table.total_label] for row in copy.rows]
            assert [it for it, total in zip(labels, table.total, strict=True) if total] == [
                it for it, total in zip(moved, table.total, strict=True) if total
            ]


def test_each_column_is_rearranged_by_itself_and_a_quarter_drawn_anew() -> None:
    table = Table(["a", "b"], [[str(number)] * 2 for number in range(400)])
    [copy] = variants(table, 1, 0)
    assert sum(first == second for first, second in copy.rows) < 20
    assert sum(one == other for one, other in zip(copy.rows, table.rows, strict=True)) < 20
    kept = len({first for first, _ in copy.rows})
    assert 0.76 < kept / 400 < 0.85  # the quarter that is drawn brings some of those back that it took the place of


def test_a_table_of_three_rows_is_only_rearranged() -> None:
    table = Table(["a"], [["1"], ["2"], ["3"]])
    assert all(sorted(copy.rows) == sorted(table.rows) for copy in variants(table, 20, 0))
    assert variants(Table(["a"], []), 2, 0) == [Table(["a"], [])] * 2
