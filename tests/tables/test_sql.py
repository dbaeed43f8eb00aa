"""Programs over tables as queries: what DuckDB says is what the language says."""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tables.programs import all_constants, defined_programs, fitting_constants, programs
from tests.tables.tables import tables

from chorale.errors import ChoraleError
from chorale.language import Function, Program
from chorale.search.stages import Stages
from chorale.tables.asked import Asked
from chorale.tables.costs import costs_of
from chorale.tables.dates import Date
from chorale.tables.language import TableLanguage, constants_of, constants_of_words
from chorale.tables.matching import TableAnswers
from chorale.tables.questions import read
from chorale.tables.sql import NoSqlError, answer_of, run_sql, sql_of
from chorale.tables.sql.expressions import DATES, LISTS, NUMBERS, SECONDS, TIMES, YEARS, Expression, UnsureError
from chorale.tables.sql.running import copy_into, days_of
from chorale.tables.table import Table

duckdb = pytest.importorskip("duckdb")
CONNECTION = duckdb.connect()  # to open one for each query would take most of the time
FEW = max(1, settings.default.max_examples // 6)  # for each of many functions

FUNCTIONS = sorted(name for name, kind in TableLanguage.grammar.signature.items() if isinstance(kind, Function))
RARE = [
    "after_date", "before_date", "on_date", "since_date", "until_date", "has_item", "items", "is_draw", "is_loss",
    "is_win", "equals", "contains", "begins_like", "begins_with", "is_empty", "next_less", "next_more", "nth_most",
    "rows_where_all_three", "same_as", "shared", "have_same", "which_has_less", "which_has_more", "difference",
]  # fmt: skip
"""Functions that random tables seldom have something for."""
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
    except NoSqlError:
        return False
    copy_into(CONNECTION, table)
    said = answer_of(query, CONNECTION.execute(query.text).fetchall())
    ours = language.answers(program)[0]
    assert same(said, ours), f"{said!r} is not {ours!r}\n{program}\n{query}"
    return True


@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - {*RARE}))
@given(data=st.data())
@settings(max_examples=FEW)
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
    program = data.draw(programs(language))
    with suppress(NoSqlError):
        run_sql(sql_of(program, table), table)


# -- functions that random tables rarely have something for ------------------------------------------------------------

GAMES = Table(
    ["Day", "Against", "Score", "Scorers", "Time", "City", "Holiday", "Prize", "Opened"],
    [
        [
            "May 3, 1998",
            "Rome",
            "3-2",
            "Ann Lee, Bo Ray, Cy Fox",
            "2:31.5",
            "Oslo (Norway)",
            "May 3",
            "$1,200",
            "7:05 pm",
        ],
        ["May 10, 1998", "Bern[1]", "0-1", "-", "2:40", "Bern (Switzerland)", "June 1", "$900.50", "9:30 am"],
        ["June 5, 1998", "Rome", "2-2", "Ann Lee, Cy Fox, Ann Lee", "2:30", "Oslo (Norway)", "May 9", "", "8:00 pm"],
        ["June 9, 1999", "Paris", "4-0", "Ann Lee", "2:28.5", "Rome (Italy)", "July 4", "$2", "12:00 pm"],
        [
            "February 30, 1999",
            "Bern",
            "1-1",
            "Bo Ray and Ann Lee, Jim Fox",
            "2:00",
            "Rome (Italy)",
            "July 9",
            "$7",
            "12:10 am",
        ],
    ],
)


@pytest.mark.parametrize("name", sorted({*RARE} - {"has_item"}))
@given(data=st.data())
@settings(max_examples=FEW)
def test_a_query_of_games_says_what_its_program_says(name: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.sampled_from(GAMES.rows), min_size=2, max_size=8))
    table = Table(GAMES.header, rows)
    language = TableLanguage([table]).with_constants(fitting_constants(table))
    program = data.draw(defined_programs(language, name))
    assume(program is not None)
    assert program is not None
    checked(table, program, language)


@given(st.lists(st.sampled_from(GAMES.rows), max_size=6), st.sampled_from(["ann lee", "bo ray", "cy fox"]))
def test_a_query_of_what_cells_list_says_what_its_program_says(rows: list[tuple[str, ...]], person: str) -> None:
    """By name: of random columns and words too few go together."""
    table = Table(GAMES.header, [GAMES.rows[0], *rows])
    language = TableLanguage([table]).with_constants(constants_of(table) | constants_of_words([person]))
    text = f"""count(rows_where(has_item("[Scorers]", "'{person}'")))"""
    assert checked(table, Program.parse(text, language.grammar), language)


@pytest.mark.parametrize("place", range(len(GAMES.header)))
def test_all_views_of_games_are_read_by_an_expression(place: int) -> None:
    """Cells that are listed one by one are rare: a date that no calendar has, an empty cell."""
    kinds = [name for name in constants_of(GAMES) if name.startswith(f"[{GAMES.header[place]}] as")]
    for name in kinds:
        for function in ("range_of", "average"):
            language = TableLanguage([GAMES]).with_constants(constants_of(GAMES))
            query = sql_of(Program.parse(f"{function}({json.dumps(name)}, all_rows)", language.grammar), GAMES)
            assert query.text.count(" WHEN ") <= 2


# -- what expressions give ---------------------------------------------------------------------------------------------

WAYS = {f"{expression.sql}": expression for expression in (*NUMBERS, *SECONDS, *YEARS, *DATES, *TIMES, *LISTS)}
LIKELY = st.one_of(
    st.text(max_size=8),
    st.text("0123456789.,-–−/: $€%()+eE_'", max_size=9),
    st.from_regex(r"\A\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d\d)\Z"),
    st.from_regex(r"\A\d{4}[/-]\d{1,2}[/-]\d{1,2}( .?)?\Z"),
    st.from_regex(r"\A ?\d{1,4}:\d\d(:\d\d)?(\.\d)?( [aApP][mM])?\Z"),
    st.builds(
        "{}{}{}{}{}".format,
        st.sampled_from(["May", "march", "Sept", "Dec", "Mayor", "31", "3", "Sun, May", "1998"]),
        st.sampled_from([" ", "  ", ", ", "-"]),
        st.sampled_from(["3", "31", "03", "May", "Feb", "1998", "98"]),
        st.sampled_from(["", " ", ", "]),
        st.sampled_from(["", "1998", "98", "0000", "x", "12345"]),
    ),
    st.sampled_from(
        [
            "0/0/2000",
            "1.0.1998",
            "1998/13/1",
            "May 3, 1998",
            "3 May 1998",
            "Feb 29",
            "29 Feb 1900",
            "7:05 pm",
            "13:05 pm",
            "a, b and c",
            "a;b",
        ]
    ),
)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@given(texts=st.lists(LIKELY, min_size=1, max_size=20))
@settings(max_examples=FEW)
def test_an_expression_gives_what_its_twin_says(way: Expression, texts: list[str]) -> None:
    texts = [text for text in texts if "\0" not in text]
    rows = [(text, place) for place, text in enumerate(texts)]
    assume(rows)
    CONNECTION.execute("CREATE OR REPLACE TABLE texts(x VARCHAR, place INTEGER)")
    CONNECTION.executemany("INSERT INTO texts VALUES (?, ?)", rows)
    found = CONNECTION.execute(f"SELECT {way.sql.replace('{}', 'x')} FROM texts ORDER BY place").fetchall()
    for text, (said,) in zip(texts, found, strict=True):
        try:
            wanted = way.read(text)
        except UnsureError:
            continue
        assert as_read(way, said) == wanted, text


def as_read(way: Expression, said: Any) -> Any:
    """What DuckDB gives, as twins say it."""
    if way in DATES:
        return None if said is None else days_of(said)
    return tuple(sorted(said)) if isinstance(said, list) else said


# -- how queries look --------------------------------------------------------------------------------------------------

SHOP = Table(
    ["Item", "Price", "Team", "Sold", "Writers", "Score"],
    [
        ["pen", "1.50", "Rome", "2024-05-03", "Ann, Paul, Cy", "3-2"],
        ["ink", "7", "Oslo", "2024-05-20", "Ann, Cy", "1-1"],
        ["paper", "12", "Rome", "2024-06-01", "Bob", "0-4"],
        ["rubber", "", "Bern", "2024-06-30", "Paul, Bob, Cy", "2-0"],
    ],
    Path("shop.csv"),
)
LINES = Path(__file__).with_name("sql.txt").read_text().split("\n\n")[1:]
GOLDEN = dict(part.rstrip().split("\n", 1) for part in LINES)
SHOP_CONSTANTS = constants_of(SHOP) | constants_of_words(
    ["pen", "ink", "rome", "paul", "r", "papers"],
    [1, 2, 3, 7],
    [2020],
    ["more"],
    [Date(2024, 5), Date(2024, 5, 3), Date(None, 5, 3), Date(2024)],
)


@pytest.mark.parametrize("program", GOLDEN)
def test_queries_are_such_as_a_person_would_write(program: str) -> None:
    language = TableLanguage([SHOP]).with_constants(SHOP_CONSTANTS)
    parsed = Program.parse(program, language.grammar)
    assert sql_of(parsed, SHOP).text == GOLDEN[program]
    copy = Table(SHOP.header, SHOP.rows)
    assert checked(copy, parsed, language)


def test_every_function_is_among_them() -> None:
    assert set(re.findall(r"\w+(?=\()", " ".join(GOLDEN))) == set(FUNCTIONS)


def test_what_has_no_query_says_why() -> None:
    language = TableLanguage([SHOP]).with_constants(SHOP_CONSTANTS)
    for program, reason in {
        """total("[Sold] as date", all_rows)""": "dates are neither added up",
        """look_up(items("[Item]", all_rows))""": "list nothing",
    }.items():
        with pytest.raises(NoSqlError, match=reason):
            sql_of(Program.parse(program, language.grammar), SHOP)
    with pytest.raises(ChoraleError, match="the table has no"):
        sql_of(Program.parse("""count(rows_where(is_empty("[Price]")))""", language.grammar), Table(["x"], [["1"]]))


# -- the real questions ------------------------------------------------------------------------------------------------


@pytest.mark.wtq
def test_nearly_all_first_programs_of_real_questions_have_a_query_that_says_the_same(wtq: Path) -> None:
    found = equal = total = 0
    for question in read(wtq / "random-split-1-dev.tsv")[::48]:
        table = question.table
        costs = costs_of(Asked(question.sentence), table)
        language = TableLanguage([table]).with_constants(costs.constants)
        stages = Stages(language, costs)
        for row in stages.whole_programs.rows[:3].tolist():
            program = stages.program(row)
            total += 1
            try:
                query = sql_of(program, table)
            except NoSqlError:
                continue
            found += 1
            equal += same(run_sql(query, table), language.answers(program)[0])
    assert total > 150
    assert found >= 0.98 * total
    assert equal >= 0.99 * found
