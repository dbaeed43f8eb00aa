"""Tables from files in the rest of Chorale: everyday tables, marks, JSON."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.tables.codec import KeptTables, TableCodec
from chorale.tables.notation import Notation
from chorale.tables.questions import TableFiles
from chorale.tables.reading import Options, read_table
from chorale.tables.table import Table

EVERYDAY = Path(__file__).parents[1] / "everyday"
WANTED = {
    "bookings": (15, {"Date": "date", "Start": "time", "People": "number", "Fee": "number", "Room": "text"}),
    "football": (13, {"Date": "date", "Score": "mixed", "Spectators": "number", "Home": "text"}),
    "household": (19, {"Date": "date", "Amount": "number", "What": "text"}),
    "marks": (14, {"Pupil": "text", "Maths": "number", "Attendance": "number"}),
    "plants": (16, {"Plant": "text", "Height (cm)": "number", "Price": "mixed", "Planted": "date"}),
    "recipes": (15, {"Minutes": "number", "Cost": "number", "Last cooked": "date"}),
    "sales": (15, {"Date": "date", "Customer": "text", "Qty": "number", "Total": "number"}),
    "staff": (13, {"Name": "text", "Born": "date", "Started": "date", "Salary": "number"}),
    "stock": (14, {"Code": "text", "In stock": "number", "Weight": "mixed", "Last delivery": "date"}),
    "trip": (11, {"Day": "date", "City": "text", "Price per night": "number", "Distance": "mixed"}),
}


@pytest.mark.parametrize("name", WANTED)
def test_everyday_tables_are_read_without_a_doubt(name: str) -> None:
    table = read_table(EVERYDAY / f"{name}.csv")
    rows, types = WANTED[name]
    assert len(table) == rows
    assert {column.name: column.type for column in table.columns if column.name in types} == types
    assert not table.notes


def test_an_everyday_sum_has_its_decimal_comma() -> None:
    amount = read_table(EVERYDAY / "household.csv").column("Amount")
    assert amount is not None
    assert round(amount.read("number").sum(), 2) == 3789.81


def test_what_users_keep_names_the_options_that_a_table_was_read_with(tmp_path: Path) -> None:
    (tmp_path / "it.csv").write_text("Name;When\na;1.200\nb;3.400\n")
    kept = KeptTables(tmp_path, TableFiles())
    table = read_table(tmp_path / "it.csv", Options(decimal_comma=True))
    line = json.loads(json.dumps(kept.to_json(table)))
    assert line == {"path": str(tmp_path / "it.csv"), "hash": table.digest, "options": {"decimal_comma": True}}
    assert kept.from_json(line) == table
    with pytest.raises(ChoraleError, match="has changed"):
        kept.from_json(line | {"options": {"separator": ","}})
    for options in ({"seperator": ","}, {"header": 1}, []):
        with pytest.raises(ChoraleError, match="options: "):
            kept.from_json(line | {"options": options})


notations = st.builds(
    Notation, st.booleans(), st.sampled_from(["", " ", "'"]), st.booleans(), st.sampled_from([None, True, False])
)


@given(notations)
def test_a_table_in_json_keeps_how_it_is_written(notation: Notation) -> None:
    table = Table(["a", "b"], [["1", "2"]], notations={1: notation})
    assert TableCodec().from_json(json.loads(json.dumps(TableCodec().to_json(table)))) == table


@pytest.mark.parametrize(
    "said", [[], {"7": {}}, {"x": {}}, {"0": []}, {"0": {"group": "9"}}, {"0": {"day_first": "no"}}]
)
def test_a_notation_that_is_none_is_refused(said: object) -> None:
    with pytest.raises(ChoraleError):
        TableCodec().from_json({"header": ["a"], "rows": [], "notations": said})
