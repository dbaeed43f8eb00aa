"""Traces of programs over tables: every part says what it finds."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.tables.programs import all_constants, programs
from tests.tables.tables import tables

from chorale.language import read_program, run
from chorale.tables.language import TableLanguage
from chorale.tables.matching import TableAnswers
from chorale.tables.table import Table
from chorale.tables.tracing import NOTHING, TableTracing

TOWNS = Table(
    ["Town", "Country", "People"],
    [["Arnau", "Norland", "700"], ["Elvas", "Sudland", "900"], ["Imst", "Norland", "800"], ["Hobro", "", "50"]],
)


def steps(text: str, table: Table = TOWNS) -> list[tuple[str, str]]:
    language = TableLanguage([table]).with_constants(all_constants(table))
    found = TableTracing().trace(read_program(text, language), language, table)
    return [(step.plain, step.result) for step in found]


def test_rows_are_shown_by_their_numbers_and_cells_by_what_they_say() -> None:
    assert steps('look_up(cells("[Town]", rows_where(over("[People] as number", 12))))') == [
        ("a People over 12", "all 4 rows"),
        ("the rows that have a People over 12", "all 4 rows"),
        ("the Town of the rows that have a People over 12", "Arnau, Elvas, Imst, Hobro"),
        ("What is the Town of the rows that have a People over 12?", "Arnau, Elvas, Imst, Hobro"),
    ]


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ('count_where(equals("[Country]", "\'rome\'"))', ["no row", "0"]),
        ('count(first(rows_where_not(equals("[Country]", "\'rome\'"))))', ["no row", "all 4 rows", "row 1", "1"]),
        (
            'most_in_total(totals("[Country]", "[People] as number", all_rows))',
            ["all 4 rows", 'Norland: 1500, Sudland: 900, "": 50', "Norland"],
        ),
        (
            'difference_in_count(pair(over("[People] as number", 1998), under("[People] as number", 1998)))',
            ["all 4 rows", "no row", "no row and all 4 rows", "4"],
        ),
    ],
)
def test_each_kind_of_part_is_shown(text: str, results: list[str]) -> None:
    assert [result for _, result in steps(text)] == results


@given(st.data())
def test_any_program_has_a_trace_that_ends_with_its_answer(data: st.DataObject) -> None:
    table = data.draw(tables())
    assume(len(table) and table.views)
    language = TableLanguage([table]).with_constants(all_constants(table))
    program = data.draw(programs(language, 4))
    *_, last = TableTracing().trace(program, language, table)
    [said] = run(program, language)
    text = TableAnswers().shown(said) or NOTHING
    assert last.result == text or (last.result.endswith("…") and text.startswith(last.result[:-1]))
    assert last.plain.endswith("?")
