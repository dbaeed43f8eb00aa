"""Workbooks and databases: which table, what cells become, and what strangers' files may not do."""

import datetime
import io
import sqlite3
import zipfile
from contextlib import closing, suppress
from pathlib import Path

import duckdb
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.tables.reading import Options, limits, read_table
from chorale.tables.reading import databases as module

HEADER = ("Name", "Born", "Height", "Member")
WANTED = (("Anna", "1993-05-03", "1.7", "true"), ("Bert", "", "1.85", "false"))
VALUES = "('Anna', DATE '1993-05-03', 1.70, true), ('Bert', NULL, 1.85, false)"


def made(folder: Path) -> dict[str, Path]:
    """The same table in each format, and a second one where there can be several."""
    paths = {kind: folder / f"people.{kind}" for kind in ("duckdb", "parquet", "sqlite", "xlsx")}
    with duckdb.connect(str(paths["duckdb"])) as database:
        database.execute(f"CREATE TABLE people AS SELECT * FROM (VALUES {VALUES}) AS t(Name, Born, Height, Member)")
        database.execute(f"COPY people TO '{paths['parquet']}'")
        database.execute('CREATE VIEW "a ""b" AS SELECT 1 AS one')
    with closing(sqlite3.connect(paths["sqlite"])) as database, database:
        database.execute("CREATE TABLE people (Name, Born, Height, Member)")
        database.executemany(
            "INSERT INTO people VALUES (?, ?, ?, ?)",
            [("Anna", "1993-05-03", 1.7, "true"), ("Bert", None, 1.85, "false")],
        )
        database.execute('CREATE VIEW "a ""b" AS SELECT 1 AS one')
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "people"
    for row in (HEADER, ("Anna", datetime.date(1993, 5, 3), 1.7, True), ("Bert", None, 1.85, False)):
        sheet.append(row)
    book.create_sheet("empty")
    book.create_sheet('a "b').append(["one", 1])
    book.save(paths["xlsx"])
    return paths


@pytest.fixture
def people(tmp_path: Path) -> dict[str, Path]:
    return made(tmp_path)


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return {kind: path.read_bytes() for kind, path in made(tmp_path_factory.mktemp("people")).items()}


@pytest.mark.parametrize("kind", ["duckdb", "sqlite", "xlsx"])
def test_a_table_is_chosen_by_its_name(people: dict[str, Path], kind: str) -> None:
    table = read_table(people[kind], Options(table="people"))
    assert table.header == HEADER
    assert table.rows == WANTED
    assert table.source is not None
    assert table.source.table == "people"
    assert read_table(people[kind], Options(table='a "b')).width >= 1
    with pytest.raises(ChoraleError, match=r"2 (table|sheet)s; choose one by --table NAME; there are .*'people'"):
        read_table(people[kind])
    with pytest.raises(ChoraleError, match=r"there is no (table|sheet) 'others'; there are .*'people'"):
        read_table(people[kind], Options(table="others"))


def test_a_parquet_file_is_one_table(people: dict[str, Path]) -> None:
    assert read_table(people["parquet"]).rows == WANTED
    with pytest.raises(ChoraleError, match="rename it"):
        read_table(people["parquet"].rename(people["parquet"].with_name("a[1].parquet")))


def test_a_name_does_not_decide_the_format(people: dict[str, Path]) -> None:
    assert read_table(people["parquet"].rename(people["parquet"].with_name("people.csv"))).rows == WANTED


def test_files_are_not_changed(people: dict[str, Path]) -> None:
    before = {kind: path.read_bytes() for kind, path in people.items()}
    for kind, path in people.items():
        read_table(path, Options(table="people" if kind != "parquet" else None))
    assert {kind: path.read_bytes() for kind, path in people.items()} == before
    assert len(list(people["sqlite"].parent.iterdir())) == len(people)


def test_a_view_of_a_stranger_reads_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    with duckdb.connect(str(tmp_path / "it.duckdb")) as database:
        database.execute(f"CREATE VIEW v AS SELECT * FROM read_csv('{tmp_path / 'secret.csv'}')")
    with pytest.raises(ChoraleError, match="file system operations are disabled"):
        read_table(tmp_path / "it.duckdb")


def test_an_endless_view_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STEPS", 1_000_000)
    with closing(sqlite3.connect(tmp_path / "it.sqlite")) as database, database:
        database.execute(
            "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        )
    with pytest.raises(ChoraleError, match="interrupted"):
        read_table(tmp_path / "it.sqlite")


def test_an_endless_view_of_duckdb_ends_and_one_that_wants_all_memory_gets_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) AS m FROM t"
    monkeypatch.setattr(limits, "MOST_SECONDS", 0.5)
    with duckdb.connect(str(tmp_path / "endless")) as database:
        database.execute(f"CREATE VIEW v AS {endless}")
    with pytest.raises(ChoraleError, match=r"takes more than 0\.5 seconds"):
        read_table(tmp_path / "endless")
    monkeypatch.setattr(limits, "MOST_SECONDS", 60.0)
    monkeypatch.setattr(limits, "MOST_MEMORY", "20MB")
    with duckdb.connect(str(tmp_path / "large")) as database:
        database.execute("CREATE VIEW v AS SELECT list(range) AS x FROM range(20000000)")
    with pytest.raises(ChoraleError, match="Out of Memory"):
        read_table(tmp_path / "large")


def test_limits_are_those_of_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 3)
    with closing(sqlite3.connect(tmp_path / "it.sqlite")) as database, database:
        database.execute(
            "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4) SELECT i FROM n"
        )
    with pytest.raises(ChoraleError, match="more than 3 rows"):
        read_table(tmp_path / "it.sqlite")


@pytest.mark.parametrize("kind", ["duckdb", "parquet", "sqlite", "xlsx"])
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_in_words(
    contents: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    content = bytearray(contents[kind])
    for place in data.draw(st.lists(st.integers(16, len(content) - 1), max_size=8)):
        content[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / f"damaged.{kind}"
    path.write_bytes(content[: data.draw(st.integers(len(content) // 2, len(content)))])
    with suppress(ChoraleError):
        read_table(path, Options(table=None if kind == "parquet" else "people"))


def test_shares_in_per_cent_look_as_in_the_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Name", "Share"], ["a", 0.125], ["b", 1]):
        book.active.append(row)
    for row in (2, 3):
        book.active.cell(row, 2).number_format = "0.0%"
    book.save(tmp_path / "it.xlsx")
    assert read_table(tmp_path / "it.xlsx").rows == (("a", "12.5%"), ("b", "100%"))


def test_a_sheet_that_claims_to_be_huge_is_not_believed(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Name", "Age"])
    book.active.append(["Anna", 31])
    stream = io.BytesIO()
    book.save(stream)
    path = tmp_path / "it.xlsx"
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"'))
    assert read_table(path).rows == (("Anna", "31"),)


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "it.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"\0" * (65 << 20))
    with pytest.raises(ChoraleError, match="unpacks to 65 MiB"):
        read_table(path)


def test_a_cell_far_to_the_right_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.cell(2, 2_000).value = "far"
    book.save(tmp_path / "it.xlsx")
    with pytest.raises(ChoraleError, match="row 2: more than 1,000 columns"):
        read_table(tmp_path / "it.xlsx")


@pytest.mark.parametrize(("package", "kind"), [("duckdb", "parquet"), ("openpyxl", "xlsx")])
def test_a_missing_extra_is_named(
    people: dict[str, Path], monkeypatch: pytest.MonkeyPatch, package: str, kind: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(ChoraleError, match=rf"{package}: pip install 'chorale\[tables\]'"):
        read_table(people[kind])
