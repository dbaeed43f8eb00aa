"""Which type a column has, and which views."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.tables.columns import ColumnType, Kind, Values
from chorale.tables.values import plain
from chorale.tables.words import stems


@pytest.mark.parametrize(
    ("cells", "wanted", "kinds"),
    [
        (["Rome", "Oslo", "Bern"], "text", []),
        (["1,200", "$7", "45%", "n/a"], "number", ["number"]),
        (["1998", "2004", "2010"], "year", ["number"]),
        (["1,998", "1,204"], "number", ["number"]),
        (["12th", "5 km", "7 (tie)"], "mixed", ["number"]),
        (["3–2", "0–0", "1–4"], "mixed", ["number", "second", "difference"]),
        (["1998–99", "1999–00"], "mixed", ["number", "second", "difference"]),
        (["Rome 1960", "Oslo 1952", "Bern"], "text", ["number"]),
        (["12 (1998)", "7 (2004)"], "mixed", ["number", "second", "difference", "year"]),
        (["May 3, 1998", "June 5, 2004", ""], "date", ["date", "year"]),
        (["May 3", "June 5"], "date", ["date"]),
        (["March", "April"], "date", ["date"]),
        (["April Jones", "June Carter"], "text", []),
        (["2:31.5", "2:40", "DNF"], "time", ["time"]),
        (["INV-2018", "INV-2019", "INV-7"], "text", []),
        (["P001", "P002"], "text", []),
        (["T3", "T3", "1", "T12"], "mixed", ["number"]),
        (["Ann, Bob and Cy", "Dan", "Eve, Flo"], "text", ["items"]),
        (["Rome\nOslo", "Bern"], "text", ["items"]),
        (["Rome, Italy", "Oslo, Norway"], "text", []),
        (
            [
                "It rained in the north for days, then the wind blew from the far west",
                "All of them, big and small, went home before it was dark",
            ],
            "text",
            [],
        ),
        (["", "-", "n/a"], "text", []),
        ([], "text", []),
    ],
)
def test_types_and_views(cells: list[str], wanted: ColumnType, kinds: list[Kind]) -> None:
    values, _ = Values.of(cells)
    assert (values.type, list(values.kinds)) == (wanted, kinds)


def test_cells_of_the_same_normal_form_are_one_value_spelled_as_the_first() -> None:
    values, ids = Values.of(["Rome (Italy)", "Oslo", "rome", "Rome[1]", "[2]"])
    assert values.texts == ("Rome (Italy)", "Oslo", "[2]")
    assert values.keys == ("rome", "oslo", "[2]")
    assert ids.tolist() == [0, 1, 0, 0, 2]


def test_values_know_what_they_list() -> None:
    values, _ = Values.of(["Ann, Bob and Cy", "", "Bob", "Eve; ann"])
    assert values.items.values.texts == ("Ann", "Bob", "Cy", "Eve")
    assert values.items.each(4) == [["Ann", "Bob", "Cy"], [], ["Bob"], ["Ann", "Eve"]]
    assert values.items.counted(np.array([[1, 5, 2, 0]])).tolist() == [[1, 3, 1, 0]]
    assert values.read("items").tolist()[::2] == [3, 1]
    assert np.isnan(values.read("items")[1])


def test_a_view_reads_nan_where_there_is_no_number() -> None:
    values, _ = Values.of(["3–2", "postponed", "1–4"])
    assert values.read("number").tolist()[::2] == [3, 1]
    assert values.read("second").tolist()[::2] == [2, 4]
    assert values.read("difference").tolist()[::2] == [1, 3]
    assert all(np.isnan(values.read(kind)[1]) for kind in ("number", "second", "difference"))


def test_dates_are_ordered_and_days_apart() -> None:
    values, _ = Values.of(["May 3, 1998", "May 1998", "April 30, 1998"])
    first, month, last = values.read("date")
    assert first - last == 3
    assert month - last == 1


def test_a_column_says_how_its_dates_are_written() -> None:
    values, _ = Values.of(["3/12/1998", "25/12/1998"])
    assert [str(it) for it in values.dates] == ["1998-12-03", "1998-12-25"]


def test_empty_cells_are_known_and_do_not_count() -> None:
    values, _ = Values.of(["1", "2", "", "–", "N/A[1]", "unknown", "no"])
    assert values.empty.tolist() == [False, False, True, True, True, True, False]
    assert values.share(values.whole) == 2 / 3


@given(st.lists(st.sampled_from(["Cities", "pric", "ed", "1", "20", ",", ".", " ", "'s", "é", "%"]), max_size=4))
def test_stems_of_values_are_those_of_their_words(parts: list[str]) -> None:
    text = "".join(parts)
    values, _ = Values.of([text])
    assert values.stems == (" ".join(stems(plain(text))),)
