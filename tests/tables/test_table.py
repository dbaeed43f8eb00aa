"""Tables: texts, columns and views; files."""

import csv
import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.tables import tables

from chorale.errors import ChoraleError
from chorale.tables.columns import Values
from chorale.tables.table import Table
from chorale.tables.values import normal, plain

GAMES = Table(
    ["Date", "City", "Score", "Crowd"],
    [
        ["May 3, 1998", "Rome, Italy", "3–2", "1,200"],
        ["June 5, 1998", "Oslo, Norway", "0–0", ""],
        ["June 9, 1999", "Bern, Switzerland", "1–4", "7,000"],
        ["July 1, 1999", "Rome, Italy", "2–0", "900"],
        ["Total", "", "", "9,100"],
    ],
)


def test_tables_are_equal_if_their_texts_are() -> None:
    one, other = Table(["a"], [["1"]], Path("one.csv")), Table(["a"], [["1"]])
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    for different in (Table(["b"], [["1"]]), Table(["a"], [["2"]]), Table(["a"], [])):
        assert one != different
        assert one.digest != different.digest


def test_the_digest_is_the_same_everywhere() -> None:
    assert Table(["a"], [["1"]]).digest.startswith("302fa074")


@given(tables())
def test_a_table_says_what_makes_it_and_survives_a_journey(table: Table) -> None:
    assert eval(repr(table)) == table
    assert pickle.loads(pickle.dumps(table)) == table


def test_rows_are_filled_up_and_cut_to_the_width_of_the_header() -> None:
    assert Table(["a", "b"], [["1"], ["1", "2", "3"]]).rows == (("1", ""), ("1", "2"))


def test_a_table_without_columns_is_refused() -> None:
    with pytest.raises(ChoraleError, match="a column at least"):
        Table([], [])


def test_columns_have_different_names() -> None:
    table = Table(["Name", "", "Points\nhome", "Name", "Name (2)"], [])
    assert [it.name for it in table.columns] == ["Name", "column 2", "Points home", "Name (2)", "Name (2) (2)"]


def test_views_of_a_table() -> None:
    assert [(GAMES.header[it.column], it.kind) for it in GAMES.views] == [
        ("Date", "date"),
        ("Date", "year"),
        ("Score", "number"),
        ("Score", "second"),
        ("Score", "difference"),
        ("Crowd", "number"),
    ]
    crowd = GAMES.views[-1].numbers
    assert np.isnan(crowd[1])
    assert crowd[[0, 2, 3, 4]].tolist() == [1200, 7000, 900, 9100]


def test_virtual_columns_are_read_from_others() -> None:
    virtual = GAMES.columns[GAMES.width :]
    assert [(it.name, it.source, it.index) for it in virtual] == [
        ("month of Date", 0, 4),
        ("first part of City", 1, 5),
        ("last part of City", 1, 6),
    ]
    month, first, last = ([it.values.texts[place] for place in it.ids] for it in virtual)
    assert month == ["may", "june", "june", "july", ""]
    assert first == ["Rome", "Oslo", "Bern", "Rome", ""]
    assert last == ["Italy", "Norway", "Switzerland", "Italy", ""]


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (
            ["Rome (Italy)", "Oslo (Norway)", "Rome (Georgia)"],
            {"text before": ["Rome", "Oslo", "Rome"], "text in": ["Italy", "Norway", "Georgia"]},
        ),
        (["Ann Lee", "Bob Lee", "Cy Fox", "Ann Fox"], {"first name": ["Ann", "Bob", "Cy", "Ann"], "last name": None}),
        (["Ann Lee", "Bob Fox"], {}),
        (["Rome\nItaly", "Oslo\nNorway"], {"first part": ["Rome", "Oslo"], "last part": ["Italy", "Norway"]}),
        (["3\n(7)", "4\n(8)"], {}),
    ],
)
def test_parts_of_cells_are_columns_if_enough_cells_have_them(
    cells: list[str], wanted: dict[str, list[str] | None]
) -> None:
    table = Table(["City"], [[cell] for cell in cells])
    virtual = table.columns[1:]
    assert len(virtual) == len(wanted)
    for column, (part, texts) in zip(virtual, wanted.items(), strict=True):
        assert column.part.startswith(part)
        assert texts is None or [column.values.texts[place] for place in column.ids] == texts


def test_a_row_that_adds_up_the_others_is_known() -> None:
    assert GAMES.total.tolist() == [False, False, False, False, True]
    assert GAMES.total_label == 0


@pytest.mark.parametrize("rows", [["a", "total"], ["total"] * 5, ["a", "b", "c", "d"], []])
def test_other_rows_are_no_totals(rows: list[str]) -> None:
    table = Table(["Name"], [[row] for row in rows])
    assert not table.total.any()
    assert table.total_label is None


@given(tables())
def test_each_cell_has_the_value_of_its_text(table: Table) -> None:
    for column in table.columns[: table.width]:
        texts = [row[column.index] for row in table.rows]
        assert [column.values.keys[place] for place in column.ids] == [normal(it) or plain(it) for it in texts]
        assert column.empty.tolist() == column.values.empty[column.ids].tolist()
        assert len(set(column.values.keys)) == len(column.values) == len(set(column.ids.tolist()))


@given(tables())
def test_a_view_reads_each_cell_as_its_value_alone_would_be_read(table: Table) -> None:
    for view in table.views:
        if view.kind != "date":  # whose order of day and month the others decide
            column = table.columns[view.column]
            alone = [Values.of([column.values.texts[place]])[0].read(view.kind)[0] for place in column.ids]
            np.testing.assert_array_equal(view.numbers, alone)


# -- files -------------------------------------------------------------------------------------------------------------


@given(
    st.lists(
        st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=2, max_size=2),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_a_table_in_a_file_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], doubled: bool
) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, escapechar="\\", doublequote=doubled, quoting=csv.QUOTE_ALL).writerows(rows)
    path = tmp_path_factory.getbasetemp() / "table.csv"
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    table = Table.from_csv(path)
    assert [list(table.header), *map(list, table.rows)] == rows
    assert table.path == path


def test_a_file_of_wikitablequestions_escapes_quotes_by_a_backslash(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('"Name","Song"\n"E. E. \\"Doc\\" Smith","two\nlines"\n"a \\\\\\"b\\\\\\"",""\n')
    assert Table.from_csv(path).rows == (('E. E. "Doc" Smith', "two\nlines"), ('a \\"b\\"', ""))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"table\.csv: empty; expected a line with the names"),
        (b"\n\n", r"table\.csv: empty"),
        (b'a\n"b', r"table\.csv:2: unexpected end of data"),
        (b'a\n"b"c\n', r"table\.csv:2: ',' expected after '\"'"),
        (b"a\n\xff\n", r"table\.csv:2: not UTF-8"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(ChoraleError, match=message):
        Table.from_csv(tmp_path / "table.csv")
