"""Programs over tables as queries: what DuckDB says is what the language says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tables.programs import all_constants, defined_programs, fitting_constants, programs
from tests.tables.tables import tables

from chorale.language import Function, Program
from chorale.language.terms import Apply, Term, subterms
from chorale.language.types import Basic
from chorale.tables.language import TableLanguage
from chorale.tables.matching import TableAnswers
from chorale.tables.sql import NoSql, answer_of, run_sql, sql_of
from chorale.tables.sql.expressions import DATES, LISTS, NUMBERS, SECONDS, TIMES, YEARS, Expression, UnsureError
from chorale.tables.table import Table

duckdb = pytest.importorskip("duckdb")

FUNCTIONS = sorted(name for name, kind in TableLanguage.grammar.signature.items() if isinstance(kind, Function))
SOME = tables(columns=3).filter(lambda it: len(it) > 0 and it.views)


def same(one: Any, other: Any) -> bool:
    """Whether two answers say the same; numbers that were added up in another order may differ in their last digit."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if one is None or other is None:
        return one is other
    return TableAnswers().key(one) == TableAnswers().key(other)


def checked(table: Table, program: Program, language: TableLanguage) -> bool:
    """Check a query of a program, if it has one."""
    try:
        query = sql_of(program, table)
    except NoSql:
        return False
    said, ours = run_sql(query, table), language.answers(program)[0]
    assert same(said, ours), f"{said!r} is not {ours!r}\n{program}\n{query}"
    return True


@pytest.mark.parametrize("name", FUNCTIONS)
@given(data=st.data())
def test_a_query_says_what_its_program_says(name: str, data: st.DataObject) -> None:
    table = data.draw(SOME)
    language = TableLanguage([table]).with_constants(fitting_constants(table))
    program = data.draw(defined_programs(language, name))
    assume(program is not None)
    assert program is not None
    checked(table, program, language)


@given(st.data())
def test_any_program_has_a_query_that_runs_or_a_reason_why_not(data: st.DataObject) -> None:
    """Also if parts of it are empty, about which a query may say something else."""
    table = data.draw(SOME)
    language = TableLanguage([table]).with_constants(all_constants(table))
    try:
        query = sql_of(data.draw(programs(language)), table)
    except NoSql as reason:
        assert str(reason)
    else:
        run_sql(query, table)
