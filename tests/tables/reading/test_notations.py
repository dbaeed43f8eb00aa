"""How columns are written: decimal commas, thousands, days and months, and what is said where it is unsure."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.tables.notation import Notation
from chorale.tables.reading import Options, table_of
from chorale.tables.table import Table


def read(cells: list[str], **options: bool) -> Table:
    return table_of({"It": cells}, Options(**options))  # type: ignore[arg-type]


def numbers(table: Table, column: int = 0) -> list[float]:
    return [float(it) for it in table.columns[column].read("number")]


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (["1.200,50", "3,20"], [1200.5, 3.2]),
        (["1,200.50", "3.20"], [1200.5, 3.2]),
        (["1.200.000", "3.400.000"], [1.2e6, 3.4e6]),
        (["0,125", "0,250"], [0.125, 0.25]),
        (["1.200 €", "0,50 €"], [1200, 0.5]),
        (["12 000 km", "1 200 km"], [12000, 1200]),
        (["12 000,5", "1 200"], [12000.5, 1200]),
        (["1'200.50", "300.00"], [1200.5, 300]),
        (["EUR 1.200,00", "EUR 7,00"], [1200, 7]),
        (["12,5 %", "7,25 %"], [12.5, 7.25]),
        (["($1,200.50)", "$300.00"], [-1200.5, 300]),
        (["-$1,200.50", "$300.00", "-€ 4"], [-1200.5, 300, -4]),
        (["(1.200,50 €)", "3,00 €"], [-1200.5, 3]),
        (["$1,200", "$3,400"], [1200, 3400]),
        (["12,345", "9,871", "10,202", "3,40"], [12345, 9871, 10202, 3.4]),  # a slip does not turn the others
        (["-1.200,50", "+3,20"], [-1200.5, 3.2]),
    ],
)
def test_numbers_are_read_as_their_column_is_written(cells: list[str], wanted: list[float]) -> None:
    table = read(cells)
    assert numbers(table) == wanted
    assert [row[0] for row in table.rows] == cells


@given(st.lists(st.integers(0, 99_999_999), min_size=1, max_size=6), st.sampled_from([",.", ".,", " ,", " .", "'."]))
def test_money_is_read_as_it_was_written(cents: list[int], marks: str) -> None:
    group, decimal = marks
    cells = [f"{cent / 100:,.2f}".translate(str.maketrans({",": group, ".": decimal})) for cent in cents]
    assert all(map(math.isclose, numbers(read(cells)), [cent / 100 for cent in cents]))


def test_a_number_that_may_be_meant_in_two_ways_is_said() -> None:
    table = read(["1.200", "3.400"])
    assert numbers(table) == [1.2, 3.4]
    assert [str(note) for note in table.notes] == ["column 'It': '1.200' was read as 1.2; otherwise: --decimal-comma"]
    other = read(["1.200", "3.400"], decimal_comma=True)
    assert numbers(other) == [1200, 3400]
    assert not other.notes
    assert other != table
    assert other.digest != table.digest


def test_other_columns_decide_where_one_does_not() -> None:
    table = table_of({"Price": ["1,50", "2,75"], "People": ["1.200", "3.400"]})
    assert numbers(table, 1) == [1200, 3400]
    assert not table.notes


def test_days_and_months_are_told_apart_by_other_cells_and_columns() -> None:
    table = table_of({"From": ["3/4/2024", "5/6/2024"], "To": ["25/4/2024", "7/7/2024"]})
    assert [str(date) for date in table.columns[0].values.dates] == ["2024-04-03", "2024-06-05"]
    assert not table.notes


def test_a_date_that_may_be_meant_in_two_ways_is_said() -> None:
    table = read(["3/4/2024", "5/6/2024"])
    assert [str(note) for note in table.notes] == [
        "column 'It': '3/4/2024' was read as 2024-03-04; otherwise: --day-first"
    ]
    assert [str(it) for it in read(["3/4/2024", "5/6/2024"], day_first=True).columns[0].values.dates] == [
        "2024-04-03",
        "2024-06-05",
    ]
    assert [str(it) for it in read(["3.4.2024"], day_first=False).columns[0].values.dates] == ["2024-03-04"]
    assert not read(["3.4.2024", "5.6.2024"]).notes  # written so where days come first


def test_units_and_currencies_that_are_mixed_are_said() -> None:
    assert "several units (g, kg)" in str(read(["5 kg", "300 g"]).notes[0])
    assert "several currencies" in str(read(["$5", "€7"]).notes[0])
    assert not read(["7A", "7B"]).notes


def test_numbers_of_another_program_have_points() -> None:
    table = table_of({"It": [1.234, 2.345], "Other": ["1,50", "2,50"]})
    assert numbers(table) == [1.234, 2.345]
    assert numbers(table, 1) == [1.5, 2.5]
    assert not table.notes


def test_notations_survive_a_journey_and_altered_copies() -> None:
    table = read(["1.200,50", "3,20"])
    for other in (pickle.loads(pickle.dumps(table)), eval(repr(table))):
        assert other == table
        assert numbers(other) == [1200.5, 3.2]
    assert pickle.loads(pickle.dumps(table)).notes == table.notes
    altered = table.altered(table.places[:, ::-1])
    assert numbers(altered) == [3.2, 1200.5]
    assert table.notations == {0: Notation(decimal_comma=True)}
    assert not read(["text"]).notations
