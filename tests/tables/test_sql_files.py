"""Queries run as they are printed on the files that tables were read from."""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.tables.dates import written_date
from chorale.tables.language import TableLanguage, constants_of, constants_of_words
from chorale.tables.quoting import literal, quoted, table_name
from chorale.tables.reading import Options, read_table
from chorale.tables.sql import NoSqlError, run_sql, sql_of
from chorale.tables.table import Table

duckdb = pytest.importorskip("duckdb")


def bound(table: Table) -> TableLanguage:
    words = constants_of_words(
        ["rome", "oslo", "2"], [2, 3, 100], moments=[it for it in [written_date("2024-05-xx")] if it]
    )
    return TableLanguage([table]).with_constants(constants_of(table) | words)


def asked(table: Table, program: str) -> Any:
    """What a query says, which is what the language says."""
    language = bound(table)
    parsed = Program.parse(program, language.grammar)
    said = run_sql(sql_of(parsed, table), table)
    ours = language.answers(parsed)[0]
    assert said == ours or set(said) == set(ours)
    return said


def printed(table: Table, program: str) -> str:
    return sql_of(Program.parse(program, bound(table).grammar), table).text


GERMAN = """Stadt;Preis;Datum;Bemerkung
Rome;1.200,50 €;03.05.2024;"sagt ""ja""; immer"
Oslo;99,90 €;12.05.2024;
"Bern; Süd";5,00 €;01.06.2024;"zwei
Zeilen"
"""


def test_a_query_runs_as_printed_on_a_file_with_semicolons_decimal_commas_and_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Preise.csv").write_text(GERMAN, "utf-8")
    monkeypatch.chdir(tmp_path)
    table = read_table("Preise.csv")
    program = """total("[Preis] as number", rows_where(on_date("[Datum] as date", "2024-05-xx")))"""
    text = printed(table, program)
    assert duckdb.connect().execute(text).fetchall() == [(1300.4,)]
    assert (
        text
        == r"""
WITH preise AS (
  SELECT *,
    CAST(try_strptime("Datum", '%d.%m.%Y') AS DATE) AS "Datum as date",
    TRY_CAST(replace(regexp_replace("Preis", '[$€£¥. %]', '', 'g'), ',', '.') AS DOUBLE) AS "Preis as number"
  FROM read_csv('Preise.csv', delim = ';', quote = '"', escape = '"', header = true, all_varchar = true)
)
SELECT sum("Preis as number")
FROM preise
WHERE "Datum as date" BETWEEN DATE '2024-05-01' AND DATE '2024-05-31'
""".strip()
    )
    assert asked(table, program) == 1300.4
    assert asked(table, """look_up(cells("[Stadt]", rows_where_not(is_empty("[Bemerkung]"))))""") == (
        "Rome",
        "Bern; Süd",
    )
    assert asked(table, """look_up(cells("[Bemerkung]", first(all_rows)))""") == ('sagt "ja"; immer',)


FILES: dict[str, bytes] = {
    "plain.csv": b"City,Points\nRome,3\nOslo,4\nBern,5\n",
    "tabs.tsv": b"City\tPoints\nRome\t3\nOslo\t4\nBern\t5\n",
    "mark.csv": "City,Points\nRome,3\nOslo,4\nBern,5\n".encode("utf-8-sig"),
    "wide.csv": "City,Points\nRome,3\nOslo,4\nBern,5\n".encode("utf-16"),
    "old.csv": "City,Points\nRome,3\nOslo,4\nZürich,5\n".encode("cp1252"),
    "windows.csv": b"City,Points\r\nRome,3\r\nOslo,4\r\nBern,5\r\n",
    "title.csv": b"Points of all cities\n\nCity,Points,Rank\nRome,3,1\nOslo,4,2\nBern,5,3\n",
    "ragged.csv": b"City,Points\nRome,3\nOslo,4,late\nBern\nParis,2\n",
    "trailing.csv": b"City,Points,\nRome,3,\nOslo,4,\nBern,5,\n",
    "blanks.csv": b"City,Points\nRome,3\n,\n\nOslo,4\n , \nBern,5\n",
    "quotes.csv": b'City,Points\n"Rome",3\n"Oslo ""x""",4\n"",5\n',
    "lines.csv": b'City,"Points\nhome"\n"Rome\nItaly",3\nOslo,4\n',
    "backslash.csv": b'City,Points\n"Rome \\"x\\", Italy",3\nOslo,4\n',
    "twice.csv": b"City,city,City,,Points\nRome,a,b,c,3\nOslo,d,e,f,4\n",
    "order.csv": b"City,select,row\nRome,1,3\nOslo,2,4\n",
    "one.csv": b"City\nRome, Italy\n\nOslo\n",
    "dark.csv": b"City\x1b,Points\nRome,3\nOslo,4\n",
    "it's; DROP TABLE x.csv": b"City,Points\nRome,3\nOslo,4\n",
    "names.csv": b'"a""b\'; --",City\nRome,3\nOslo,4\n',
}


@pytest.mark.parametrize("name", FILES)
def test_duckdb_finds_in_a_file_what_was_read_from_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    table = read_table(path)
    for column in table.columns[: table.width]:
        assert asked(table, f"""look_up(cells({literal_of(column.name)}, all_lines))""")
        assert asked(table, f"""look_up(cells({literal_of(column.name)}, last(all_lines)))""")
    assert asked(table, "count(all_lines)") == len(table)


def literal_of(name: str) -> str:
    return json.dumps(f"[{name}]")


def test_a_file_without_header_a_packed_file_and_one_whose_header_is_said(tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_bytes(b"Rome,3\nOslo,4\n")
    table = read_table(bare, Options(header=False))
    assert asked(table, """look_up(cells("[column 1]", most("[column 2] as number", all_rows)))""") == ("Oslo",)
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(FILES["plain.csv"]))
    assert asked(read_table(packed), """look_up(cells("[City]", most("[Points] as number", all_rows)))""") == ("Bern",)


def test_files_that_duckdb_does_not_read_as_we_do_have_no_query_and_the_reason_says_so(tmp_path: Path) -> None:
    path = tmp_path / "dash.csv"
    path.write_bytes("City,Points\nRome – x,3\nOslo,4\n".encode("cp1252"))
    with pytest.raises(NoSqlError, match="cp1252"):
        printed(read_table(path), "count(all_rows)")
    path = tmp_path / "spaces.csv"
    path.write_bytes(b'City, Points\n"Rome", "3"\n"Oslo", "4"\n')
    with pytest.raises(NoSqlError, match="blanks"):
        printed(read_table(path), "count(all_rows)")


# -- databases ---------------------------------------------------------------------------------------------------------

MADE = """
CREATE TABLE "my sales"("City" VARCHAR, "Price" DECIMAL(8, 2), "Day" DATE, "Seen" TIMESTAMP,
    "Good" BOOLEAN, "n" INTEGER);
INSERT INTO "my sales" VALUES
    ('Rome', 12.50, '2024-05-03', '2024-05-03 10:00:00', true, 1), ('Oslo', 7, '2024-06-03', NULL, false, 2),
    ('', 7, NULL, '2024-06-03 00:00:00', NULL, NULL), (NULL, 3, '2023-01-01', NULL, true, 4);
"""
OF_DATABASES = [
    """total("[Price] as number", all_rows)""",
    """look_up(cells("[City]", most("[Day] as date", all_rows)))""",
    """number("[Day] as date", last(rows_where(is_filled("[City]"))))""",
    """look_up(cells("[Price]", first(all_rows)))""",
    """look_up(cells("[n]", rows_where(equals("[City]", "'rome'"))))""",
    """look_up(cells("[Price]", rows_where(contains("[n]", "'2'"))))""",
    """count(rows_where(is_empty("[City]")))""",
    """count_different(cells("[City]", all_rows))""",
    """count_different(cells("[Good]", all_rows))""",
    """most_common(cells("[Price]", all_rows))""",
    """count(rows_where(on_date("[Day] as date", "2024-05-xx")))""",
    """count(same_as("[Good]", first(all_rows)))""",
    """average("[Day] as date", all_rows)""",
]


@pytest.mark.parametrize("program", OF_DATABASES)
def test_tables_of_duckdb_and_parquet_are_asked_as_they_are(program: str, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(MADE)
        connection.execute(f"""COPY "my sales" TO {literal(str(tmp_path / "shop.parquet"))} (FORMAT parquet)""")
    for name in ("shop.duckdb", "shop.parquet"):
        table = read_table(tmp_path / name)
        language = bound(table)
        parsed = Program.parse(program, language.grammar)
        query = sql_of(parsed, table)
        assert run_sql(query, table) == language.answers(parsed)[0]
        assert ("read_parquet" in query.text) == name.endswith("parquet")


def test_numbers_of_a_database_are_not_read_again(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(MADE)
    table = read_table(tmp_path / "shop.duckdb")
    assert printed(table, OF_DATABASES[0]) == 'SELECT sum("Price")\nFROM "my sales"'


def test_a_table_of_sqlite_is_named_and_run_as_a_copy(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "songs.db") as connection:
        connection.execute('CREATE TABLE "top songs"(Name TEXT, Points INTEGER)')
        connection.execute("INSERT INTO \"top songs\" VALUES ('Rome', 3), ('Oslo', 4)")
    connection.close()
    table = read_table(tmp_path / "songs.db")
    assert asked(table, """look_up(cells("[Name]", most("[Points] as number", all_rows)))""") == ("Oslo",)
    assert 'FROM "top songs"' in printed(table, "count(all_rows)")


# -- what strangers write ----------------------------------------------------------------------------------------------


@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=4), st.text(max_size=5))
def test_whatever_stands_in_headers_and_cells_is_quoted(texts: list[str], header: str) -> None:
    try:
        "".join([*texts, header]).encode()
    except UnicodeEncodeError:
        return
    table = Table([header, "Points"], [[text, str(place)] for place, text in enumerate(texts)])
    column = table.columns[0]
    assert asked(table, f"count_different(cells({literal_of(column.name)}, all_lines))") == len(column.values)
    found = asked(table, f"look_up(cells({literal_of(column.name)}, first(all_lines)))")
    assert found == (column.values.texts[0],)


@given(st.text(max_size=6))
def test_a_literal_is_its_text_and_prints_as_it_is(text: str) -> None:
    written = literal(text)
    assert written.isprintable()
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert duckdb.execute(f"SELECT {written}").fetchone() == (text,)
    if "\0" not in text and text:
        assert duckdb.execute(f"SELECT 1 AS {quoted(text)}").description[0][0] == text


@given(st.text(max_size=8))
def test_a_name_of_a_table_needs_no_quotes(text: str) -> None:
    name = table_name(text)
    assert duckdb.execute(f"WITH {name} AS (SELECT 1) SELECT * FROM {name}").fetchone() == (1,)


def test_a_name_is_no_word_that_duckdb_reserves() -> None:
    for (word,) in duckdb.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall():
        name = table_name(word)
        assert duckdb.execute(f"WITH {name} AS (SELECT 1) SELECT * FROM {name}").fetchone() == (1,)
        assert duckdb.execute(f"SELECT x FROM (SELECT 1) AS {name}(x)").fetchone() == (1,)


def test_a_query_is_run_where_no_other_file_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(FILES["plain.csv"])
    (tmp_path / "b.csv").write_bytes(FILES["plain.csv"])
    table = read_table(tmp_path / "a.csv")
    query = sql_of(Program.parse("count(all_rows)", bound(table).grammar), table)
    other = type(query)(query.text.replace("a.csv", "b.csv"), query.kind)
    with pytest.raises(ChoraleError, match="file system operations are disabled"):
        run_sql(other, table)


def test_queries_are_made_without_duckdb_and_running_one_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    table = Table(["City"], [["Rome"]])
    query = sql_of(Program.parse("count(all_rows)", bound(table).grammar), table)
    assert query.text == "SELECT count(*)\nFROM data"
    with pytest.raises(ChoraleError, match=r"pip install 'chorale\[tables\]'"):
        run_sql(query, table)
