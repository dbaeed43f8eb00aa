"""Tables that a program holds already, known by what they can do; the packages need not be there."""

import datetime
import decimal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.tables.reading import table_of
from chorale.tables.reading.cells import cell_text
from chorale.tables.table import Table

RECORDS = [{"Name": "Anna", "Age": 31.0}, {"Name": "Bert", "Age": float("nan")}]
WANTED = Table(["Name", "Age"], [["Anna", "31"], ["Bert", ""]])


class Pandas:
    columns = ("Name", "Age")

    def itertuples(self, *, index: bool, name: str | None) -> Iterator[tuple[Any, ...]]:
        assert not index
        return iter([("Anna", np.float64(31)), ("Bert", np.float64("nan"))])


class Polars:
    columns = ("Name", "Age")

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        return iter([("Anna", 31), ("Bert", None)])


class Arrow:
    column_names = ("Name", "Age")

    class Column:
        def __init__(self, cells: list[Any]) -> None:
            self.cells = cells

        def to_pylist(self) -> list[Any]:
            return self.cells

    columns = (Column(["Anna", "Bert"]), Column([31, None]))

    def to_pylist(self) -> list[Any]:
        raise AssertionError("columns of one name would be lost")


@pytest.mark.parametrize(
    "value",
    [RECORDS, {"Name": ["Anna", "Bert"], "Age": [31, None]}, Pandas(), Polars(), Arrow(), WANTED],
    ids=["records", "columns", "pandas", "polars", "arrow", "table"],
)
def test_frames_are_tables(value: Any) -> None:
    assert table_of(value) == WANTED


@pytest.mark.parametrize("value", [None, 7, [], [1], {}, {"a": [1], "b": []}, b"x", {"a": "text"}])
def test_other_things_are_none(value: Any) -> None:
    with pytest.raises(ChoraleError):
        table_of(value)


class Missing:
    def __str__(self) -> str:
        return "<NA>"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.int64(7), "7"),
        (np.datetime64("2024-05-03"), "2024-05-03"),
        (datetime.datetime(2024, 5, 3), "2024-05-03"),
        (datetime.datetime(2024, 5, 3, 14, 30), "2024-05-03 14:30:00"),
        (datetime.time(14, 30), "14:30:00"),
        (decimal.Decimal("1200.50"), "1200.5"),
        (decimal.Decimal("1E+3"), "1000"),
        (decimal.Decimal("NaN"), ""),
        (Missing(), ""),
        (np.bool_(True), "true"),
        ({"a": 1}, "a: 1"),
        (b"\x01\xff", "01ff"),
        (float("inf"), "inf"),
    ],
)
def test_cells_of_other_programs_become_texts(value: Any, text: str) -> None:
    assert cell_text(value) == text


@given(
    st.lists(
        st.dictionaries(
            st.text(max_size=3), st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=5)), min_size=1
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_records_are_a_table(records: list[dict[str, Any]]) -> None:
    table = table_of(records)
    assert len(table) == len(records)
    assert table.width == len({name for record in records for name in record})
    assert table.columns
