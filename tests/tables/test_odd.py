"""Odd calls: what no question means costs infinitely much, and what few mean costs more."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from tests.tables.made_up import CITIES, MATCHES
from tests.tables.programs import all_constants

from chorale.language.reading import read
from chorale.tables.asked import Asked
from chorale.tables.dates import Date
from chorale.tables.language import TableLanguage, constants_of_words
from chorale.tables.linking import Linking
from chorale.tables.odd import BY_ARGUMENTS, BY_VALUES, Odd
from chorale.tables.table import Table

SONGS = Table(
    ["Song", "Writers", "Label", "Length", "Sales"],
    [
        ["Dawn", "Ann, Bob and Cy", "Blue", "3:05", "10"],
        ["Dusk", "Ann, Cy", "Blue", "2:59", "20"],
        ["Noon", "Bob, Dee and Ann", "Red", "4:10", "30"],
        ["Night", "Dee, Ann and Cy", "", "3:30", "40"],
    ],
)
WORDS = [
    "port alba",
    "alba",
    "norland",
    "sudland",
    "norlandic",
    "june",
    "red",
    "reds",
    "blue",
    "9000",
    "dawn",
    "d",
    "oster",
]
MOMENTS = [Date(1990), Date(1998, 5), Date(1980)]


def cost(text: str, table: Table = CITIES, sentence: str = "which norlandic city") -> float | None:
    """What the outermost call of a program, or of a part of one, costs beyond its price."""
    quantities = [1.0, 2.0, 2.5, 3.0, 5.0, 6.0, 7.0, 9000.0, 1990.0, 1e7]
    constants = all_constants(table) | constants_of_words(WORDS, quantities, moments=MOMENTS)
    language = TableLanguage([table]).with_constants(constants)
    signature = language.grammar.signature
    term: Any = read(text, signature)
    arguments = [np.asarray(language.value(argument))[None] for argument in term.arguments]
    values = language.implementation(term.name)(*arguments)
    odd = Odd(Linking(Asked(sentence), table))
    found = [it for it in (odd.before(term.name, arguments), odd.after(term.name, arguments, values)) if it is not None]
    if not found:
        return None
    assert all(it.shape == (1,) for it in found)
    return round(float(sum(it[0] for it in found)), 2)


NORTH_AND_SOUTH = """pair(equals("[Country]", "'norland'"), equals("[Country]", "'sudland'"))"""
CALLS: list[tuple[Table, str, float]] = [
    # words of cells
    (CITIES, """equals("[City]", "'port alba'")""", 0),
    (CITIES, """contains("[City]", "'alba'")""", 0),
    (CITIES, """contains("[City]", "'port alba'")""", 0.1),
    (CITIES, """begins_like("[Country]", "'norlandic'")""", 0),
    (CITIES, """begins_like("[Country]", "'norland'")""", inf),
    (CITIES, """contains("[Country]", "'norlandic'")""", inf),
    (CITIES, """equals("[month of Founded]", "'june'")""", 0),
    # numbers
    (MATCHES, 'is_number("[Crowd] as number", 9000)', 0),
    (MATCHES, 'is_number("[Crowd] as number", 5)', inf),
    (MATCHES, 'is_number("[Score] as difference", 2)', inf),
    (SONGS, 'is_number("[Length] as time", 5)', inf),
    (CITIES, 'is_number("[Founded] as year", 1998)', 0),
    (CITIES, 'in_decade("[Founded] as year", "1990s")', 0),
    (CITIES, 'in_decade("[Founded] as date", "1990s")', inf),
    (MATCHES, 'over("[Crowd] as number", 9000)', 0),
    (MATCHES, 'over("[Crowd] as number", 5)', inf),
    (MATCHES, 'over("[Crowd] as number", 10000000)', 1),
    (MATCHES, 'under("[Score] as number", 1990)', inf),
    (CITIES, 'under("[Founded] as year", 1990)', 0),
    (CITIES, 'after_date("[Founded] as date", "1990-xx-xx")', 0),
    (CITIES, 'after_date("[Founded] as date", "1980-xx-xx")', inf),
    (CITIES, 'is_empty("[Sister city]")', 0),
    (CITIES, 'is_filled("[City]")', inf),
    # rows
    (CITIES, """rows_where_not(equals("[City]", "'oster'"))""", 0),
    (CITIES, 'rows_where_not(over("[People] as number", 5))', inf),
    (MATCHES, 'rows_where_both(over("[Crowd] as number", 7), under("[Crowd] as number", 9000))', 0),
    (MATCHES, 'rows_where_both(over("[Crowd] as number", 7), at_least("[Crowd] as number", 9000))', inf),
    (MATCHES, 'rows_where_both(over("[Crowd] as number", 7), under("[Score] as number", 5))', inf),
    (CITIES, """rows_where_either(equals("[Country]", "'norland'"), equals("[Country]", "'sudland'"))""", 0),
    (CITIES, """rows_where_either(equals("[Country]", "'norland'"), equals("[City]", "'oster'"))""", inf),
    (CITIES, """rows_where_either(equals("[Country]", "'norland'"), is_empty("[Country]"))""", inf),
    (CITIES, """rows_where_but_not(equals("[Country]", "'norland'"), equals("[City]", "'oster'"))""", 0),
    (CITIES, """rows_where_but_not(equals("[Country]", "'norland'"), equals("[Country]", "'sudland'"))""", inf),
    (CITIES, """pair(equals("[Country]", "'norland'"), equals("[Country]", "'sudland'"))""", 0),
    (CITIES, """pair(equals("[Country]", "'norland'"), equals("[City]", "'oster'"))""", inf),
    (CITIES, """next_row(rows_where(equals("[City]", "'oster'")))""", 0),
    (CITIES, """next_row(rows_where(equals("[Country]", "'norland'")))""", inf),
    (CITIES, 'most("[People] as number", all_rows)', 0),
    (CITIES, """most("[People] as number", rows_where(equals("[City]", "'oster'")))""", inf),
    (CITIES, "first_few(3, all_rows)", 0),
    (CITIES, "first_few(5, all_rows)", inf),
    (CITIES, "first_few(1, all_rows)", inf),
    (CITIES, 'first_few("2.5", all_rows)', inf),
    (CITIES, "nth(5, all_rows)", 0),
    (CITIES, "nth(6, all_rows)", inf),
    (CITIES, "nth(1, all_rows)", inf),
    # answers
    (CITIES, """look_up(cells("[City]", rows_where(equals("[City]", "'oster'"))))""", 0),
    (CITIES, """look_up(cells("[City]", rows_where(equals("[Country]", "'norland'"))))""", 0.15),
    (CITIES, 'look_up(cells("[City]", all_rows))', 0.15 * 4 + 1.5),
    (CITIES, 'look_up(cells("[Sister city]", all_rows))', 0.15 * 4 + 1.5 + 1),
    (SONGS, 'look_up(cells("[Writers]", first_few(2, all_rows)))', 0.15),
    (CITIES, 'most_common(cells("[Country]", all_rows))', 0),
    (CITIES, 'most_common(cells("[City]", all_rows))', inf),
    (CITIES, 'times_most_common(cells("[Country]", all_rows))', 0),
    (CITIES, """times_most_common(cells("[Country]", rows_where(equals("[Country]", "'norland'"))))""", inf),
    (CITIES, 'count_different(cells("[Country]", all_rows))', 0),
    (CITIES, 'count_different(cells("[City]", all_rows))', inf),
    (CITIES, 'totals("[Country]", "[People] as number", all_rows)', 0),
    (CITIES, 'totals("[City]", "[People] as number", all_rows)', inf),
    (CITIES, 'totals("[Country]", "[Founded] as year", all_rows)', inf),
    (CITIES, 'most_in_total(totals("[Country]", "[People] as number", all_rows))', 0),
    (CITIES, 'count_per("[Country]", all_rows)', 0),
    (CITIES, 'count_per("[Country]", first_few(2, all_rows))', inf),
    (CITIES, 'number("[People] as number", first(all_rows))', inf),
    (MATCHES, 'number("[Score] as number", first(all_rows))', 0),
    (CITIES, 'number("[Founded] as date", first(all_rows))', inf),
    (MATCHES, 'number("[Score] as number", all_rows)', inf),
    (SONGS, 'items("[Writers]", all_rows)', 0),
    (SONGS, 'items("[Label]", all_rows)', inf),
    (CITIES, 'total("[People] as number", all_rows)', 0),
    (CITIES, 'total("[People] as number", first(all_rows))', inf),
    (CITIES, 'total("[Founded] as year", all_rows)', inf),
    (MATCHES, 'sum_of_columns("[Score] as number", "[Crowd] as number", first(all_rows))', 0),
    (MATCHES, 'sum_of_columns("[Score] as number", "[Crowd] as number", all_rows)', inf),
    (MATCHES, 'sum_of_columns("[Crowd] as number", "[Crowd] as number", first(all_rows))', inf),
    (CITIES, 'range_of("[People] as number", all_rows)', 0),
    (CITIES, 'range_of("[Founded] as date", all_rows)', inf),
    (CITIES, 'range_of("[People] as number", first(all_rows))', inf),
    (CITIES, f'difference("[People] as number", {NORTH_AND_SOUTH})', 0),
    (CITIES, f'difference("[Founded] as date", {NORTH_AND_SOUTH})', inf),
    (CITIES, "count(all_rows)", 0.3),
    (CITIES, """count(rows_where(equals("[Country]", "'norland'")))""", 0),
    (CITIES, """percent_of_rows(equals("[City]", "'oster'"), all_rows)""", 0),
    (CITIES, """percent_of_rows(is_filled("[City]"), all_rows)""", inf),
]  # fmt: skip


@pytest.mark.parametrize(("table", "text", "expected"), CALLS, ids=[text for _, text, _ in CALLS])
def test_a_call_costs_what_is_odd_about_it(table: Table, text: str, expected: float) -> None:
    assert cost(text, table) == pytest.approx(expected)


def test_most_calls_are_not_odd() -> None:
    assert cost('cells("[City]", all_rows)') is None
    assert cost(f"difference_in_count({NORTH_AND_SOUTH})") is None


def test_a_small_part_of_long_cells_is_dearer_than_half_of_one() -> None:
    table = Table(["Title"], [["the long night of the red sun"], ["red day"]])
    long = Table(["Title"], [["the long night of the red sun"], ["a day"]])
    assert (cost("""contains("[Title]", "'red'")""", table), cost("""contains("[Title]", "'red'")""", long)) == (0, 0.3)


def test_an_answer_of_more_than_thirty_values_is_never_meant() -> None:
    names = [f"name {number}" for number in range(31)]
    few, many = (Table(["Name"], [[name] for name in some]) for some in (names[:30], names))
    assert cost('look_up(cells("[Name]", all_rows))', few) == pytest.approx(2.1)
    assert cost('look_up(cells("[Name]", all_rows))', many) == inf


def test_every_rule_is_for_a_function_of_the_language() -> None:
    assert BY_ARGUMENTS.keys() | BY_VALUES.keys() <= TableLanguage.grammar.signature.keys()
