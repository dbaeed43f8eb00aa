"""The API with the tables that ship: files that are sent, columns, queries, and the rows that an answer hangs on."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.playground.conftest import Inline
from tests.playground.test_app import asked, refused

from chorale.model import load
from chorale.playground.answering import Answering
from chorale.playground.app import application
from chorale.tables.codec import MOST_SENT
from chorale.tables.table import Table
from chorale.tables.without import WithoutRows

CITIES = {
    "header": ["City", "Country", "People"],
    "rows": [["Ost", "Norland", "1200"], ["Mel", "Sudland", "700"], ["Vin", "Norland", "90"]],
}
MOST = "which city has the most people?"


@pytest.fixture(scope="module")
def tables() -> Iterator[TestClient]:
    app = application(Inline(Answering(load("tables"), invented=100)), "tables", names=["testserver"])
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def sent(text: str | bytes, name: str = "cities.csv") -> dict[str, Any]:
    content = text.encode() if isinstance(text, str) else text
    return {"file": base64.b64encode(content).decode(), "name": name}


def test_a_file_is_read_as_the_command_line_reads_it(tables: TestClient) -> None:
    found = asked(tables, "read", **sent("City;People;Since\nOst;1.200,5;3/12/1998\nMel;70;12/11/1990\n"))
    assert found["scene"]["rows"][0] == ["Ost", "1.200,5", "3/12/1998"]
    assert found["scene"]["notations"]["1"] == {"decimal_comma": True}
    assert [one["type"] for one in found["facts"]["columns"]] == ["text", "number", "date"]
    assert found["facts"]["columns"][2]["parts"] == ["month"]
    assert any("1998-12-03" in note for note in found["notes"])


def test_there_is_an_example_to_begin_with(tables: TestClient) -> None:
    example = tables.get("/api/about").json()["example"]
    found = asked(tables, "run", **{name: example[name] for name in ("program", "scene", "sentence")})
    assert found["answer_text"] == "Ost"


def test_a_table_as_json_gets_its_columns_told(tables: TestClient) -> None:
    found = asked(tables, "read", scene=CITIES)
    assert found["scene"] == CITIES
    assert [(one["name"], one["type"]) for one in found["facts"]["columns"]][2] == ("People", "number")


@pytest.mark.parametrize(
    ("message", "code", "told"),
    [
        (sent(b"PK\3\4 a workbook", "cities.xlsx"), "bad_scene", "chorale ask cities.xlsx"),
        (sent(b"SQLite format 3\0 and so on", "cities.db"), "bad_scene", "save the table as CSV"),
        (sent('a,b\n"x,1'), "bad_scene", "never closed"),
        (sent("a,b\n" + "1,2\n" * (MOST_SENT // 4)), "bad_scene", "more than 150,000 bytes"),
        (sent("a,b\n" + "1,2\n" * 8_000), "too_large", "more than 20,000 values"),
        ({"file": "no base64!"}, "invalid", "not base64"),
        ({}, "invalid", "give one of them"),
    ],
)
def test_what_is_no_table_is_refused(tables: TestClient, message: Any, code: str, told: str) -> None:
    assert told in refused(tables, "read", code, **message)


def test_a_reading_comes_with_its_query(tables: TestClient) -> None:
    best = asked(tables, "parse", sentence=MOST, scene=CITIES)["parses"][0]
    assert best["answer_text"] == "Ost"
    assert "FROM data" in best["sql"]
    ran = asked(tables, "run", program=best["program"], scene=CITIES, sentence=MOST)
    assert ran["sql"] == best["sql"]


def test_the_rows_that_an_answer_hangs_on_are_found(tables: TestClient) -> None:
    program = asked(tables, "parse", sentence=MOST, scene=CITIES)["parses"][0]["program"]
    found = asked(tables, "without", program=program, scene=CITIES, sentence=MOST)
    assert found == {"parts": [{"place": 0, "answer": ["Mel"], "answer_text": "Mel"}], "looked_at": 3, "of": 3}


def test_leaving_out_a_row_is_leaving_it_out() -> None:
    table = Table(CITIES["header"], [*CITIES["rows"], ["Total", "", "1990"]])
    for place, one in WithoutRows().each(table):
        plain = Table(table.header, [row for number, row in enumerate(table.rows) if number != place])
        assert (one.rows, len(one)) == (plain.rows, len(plain))
        assert one.total.tolist() == [row[0] == "Total" for row in plain.rows]
        assert [column.empty.tolist() for column in one.columns[:3]] == [it.empty.tolist() for it in plain.columns[:3]]
