"""What questions name in a table; the slow twin tries every stretch of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.made_up import CITIES, linked
from tests.tables.tables import tables

from chorale.tables.asked import Asked
from chorale.tables.columns import Values
from chorale.tables.english import LIGHT
from chorale.tables.linking import MOST_SPANS, Linking, Span
from chorale.tables.table import Table

LONGEST = 10


def spans(sentence: str, table: Table = CITIES) -> list[str]:
    return [span.words for span in linked(sentence, table).spans]


def test_the_longest_words_of_a_cell_are_a_span_each() -> None:
    found = linked("is port alba larger than oster").spans
    assert found == (Span(1, 3, "port alba", "port alba"), Span(5, 6, "oster", "oster"))
    assert [bin(span.bits) for span in found] == ["0b110", "0b100000"]


def test_words_are_linked_whatever_their_ending() -> None:
    table = Table(["Event"], [["Swimming races"], ["Rowing"]])
    assert spans("who won the swimming race", table) == ["swimming race"]


def test_a_part_of_a_cell_is_a_span_too() -> None:
    assert spans("what lies in alba") == ["alba"]


def test_words_that_several_columns_have_are_one_span() -> None:
    assert spans("what about oster and vex") == ["oster", "vex"]  # cities, and sister cities


def test_columns_may_link_different_stretches_of_the_same_words() -> None:
    table = Table(["Name", "Town"], [["Ann Lee", "Lee"], ["Bo Ray", "Lee on Sea"]])
    assert spans("was ann lee on sea born", table) == ["lee on sea", "ann lee"]


def test_light_words_at_the_ends_are_no_part_of_a_span_unless_they_make_it_a_whole_cell() -> None:
    table = Table(["Film"], [["The night before us all"], ["Up"], ["The one"]])
    assert spans("who made the night of it", table) == ["night"]
    assert spans("who made the one with it", table) == ["the one"]
    assert spans("what is up", table) == []  # a light word alone is none, though it is a cell


def test_months_are_words_of_their_own() -> None:
    assert spans("which city was founded in june") == ["june"]
    assert spans("which city was founded in january or june") == ["january", "june"]


def test_a_word_that_cells_only_begin_like_comes_last_and_is_known_as_such() -> None:
    found = linked("which norlandic city is like kalm").spans
    assert [(span.words, span.is_stub) for span in found] == [("kalm", False), ("norlandic", True)]


@pytest.mark.parametrize(("word", "is_stub"), [("norla", True), ("norl", False), ("norxxxx", False), ("12345", False)])
def test_only_long_words_that_begin_alike_are_stubs(word: str, is_stub: bool) -> None:
    table = Table(["Country"], [["Norland"], ["12345678 miles"]])
    assert spans(f"which {word} one", table) == [word] * is_stub


def test_adjectives_name_their_places_if_no_cell_has_them() -> None:
    table = Table(["City", "Country"], [["Cadiz", "Spain"], ["Leeds", "UK"], ["Kiel", "Germany"]])
    assert spans("how many spanish cities", table) == ["spain"]
    assert spans("is leeds british", table) == ["leeds", "uk"]
    assert spans("which germans are there", table) == ["germany"]
    assert spans("how many danish cities", table) == []
    assert spans("who is spanish", Table(["Nation"], [["Spanish"], ["Spain"]])) == ["spanish"]


def test_the_name_of_a_column_of_yes_and_no_says_yes_and_its_opposite_no() -> None:
    table = Table(["Bill", "Paid"], [["A", "yes"], ["B", "no"], ["C", ""]])
    assert spans("which bills are paid", table) == ["yes"]
    assert spans("which bills are not paid", table) == ["yes"]  # and a program negates it
    assert spans("which bills are unpaid", table) == ["no"]
    assert spans("which bills are paid", Table(["Bill", "Paid"], [["A", "yes"], ["B", "5"]])) == []


def test_a_light_word_in_capitals_is_a_name() -> None:
    table = Table(["Team"], [["IT"], ["Law"]])
    assert spans("who works in the IT team", table) == ["it"]
    assert spans("is it in the law team", table) == ["law"]
    assert spans("IS IT LAW", table) == ["law"]


def test_a_word_that_is_linked_is_no_stub_of_another_column() -> None:
    table = Table(["Team", "Country"], [["Norlanders", "Norland"], ["Others", "Sudland"]])
    found = linked("norlanders", table).spans
    assert [(span.words, span.is_stub) for span in found] == [("norlanders", False)]


def test_columns_of_numbers_have_no_stubs() -> None:
    cells = ["12 pointers", *map(str, range(9))]
    assert spans("pointedly", Table(["Points"], [[cell] for cell in cells])) == []
    assert spans("pointedly", Table(["Points"], [["12 pointers"], ["one"], ["two"]])) == ["pointedly"]


def test_there_is_a_limit_to_spans() -> None:
    names = [f"{a}{b}x" for a in "bcdfgh" for b in "klmnpr"]
    table = Table(["Name"], [[name] for name in names])
    assert len(spans(" or ".join(names[:30]), table)) == MOST_SPANS


# -- names of columns --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "level", "place", "share"),
    [
        ("which sister city has most people", 3, 1, 1.0),
        ("which city has most people", 2, 1, 0.5),
        ("who has sisterly love", 1, -1, 0.0),
        ("which is the largest", 0, -1, 0.0),
    ],
)
def test_a_column_is_named_by_all_some_or_like_words(sentence: str, level: int, place: int, share: float) -> None:
    naming = linked(sentence).namings[CITIES.header.index("Sister city")]
    assert (naming.level, naming.place, naming.share) == (level, place, share)


def test_words_of_a_family_name_a_column_as_like_words_do() -> None:
    table = Table(["Winner", "Cost"], [["Ann", "3"], ["Bo", "4"]])
    assert [it.level for it in linked("who has the highest price", table).namings] == [0, 1]
    assert [it.level for it in linked("which victories are there", table).namings] == [1, 0]


def test_words_that_hold_a_name_together_do_not_say_it() -> None:
    table = Table(["Number of the", "of", ""], [["1", "2", "3"]])
    assert [it.level for it in linked("in the of", table).namings] == [0, 0, 0]


# -- the twin ----------------------------------------------------------------------------------------------------------


def slow_spans(asked: Asked, values: Values) -> set[tuple[int, int]]:
    """All stretches of words that a value has, but those within others; without light words at their ends."""
    size, all_words = len(asked.stems), {word for value in values.stems for word in value.split()}
    had = [
        (start, end)
        for start in range(size)
        for end in range(start + 1, min(size, start + LONGEST) + 1)
        if all(word in all_words for word in asked.stems[start:end])
        and any(f" {' '.join(asked.stems[start:end])} " in f" {value} " for value in values.stems)
    ]
    longest = [one for one in had if not any(a <= one[0] and one[1] <= b and (a, b) != one for a, b in had)]
    found = set()
    for start, end in longest:
        if " ".join(asked.stems[start:end]) in values.stems and (end - start > 1 or asked.words[start] not in LIGHT):
            found.add((start, end))
        elif " ".join(asked.stems[start:end]) not in values.stems:
            heavy = [place for place in range(start, end) if asked.words[place] not in LIGHT]
            if heavy:
                found.add((heavy[0], heavy[-1] + 1))
    return found


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, Table]:
    """A question made of words of its table, and of others."""
    table = draw(tables())
    own = [word for row in table.rows for cell in row for word in cell.split()]
    words = st.sampled_from([*own, "the", "of", "and", "in", "rome", "3", "norwegian"])
    return " ".join(draw(st.lists(words, max_size=14))), table


@given(questions())
def test_spans_are_those_that_the_slow_twin_finds(question: tuple[str, Table]) -> None:
    asked, table = Asked(question[0]), question[1]
    linking = Linking(asked, table)
    for column in linking.columns_of_words:
        assert set(linking._spans_in(column.values)) == slow_spans(asked, column.values)


@given(questions())
def test_every_span_is_had_by_a_cell_and_every_stub_by_none(question: tuple[str, Table]) -> None:
    linking = linked(*question)
    stems = [f" {value} " for column in linking.columns_of_words for value in column.values.stems]
    assert len({span.stems for span in linking.spans}) == len(linking.spans)
    for span in linking.spans:
        assert span.words.split() == linking.asked.words[span.start : span.end]
        assert any(f" {span.stems} " in value for value in stems) != span.is_stub
