"""Parts of programs are those that walking each program by itself finds."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables.parts_twin import Twin
from tests.tables.tables import tables

from chorale.domain import Unlabelled
from chorale.language import Program
from chorale.tables.english import TRIGGERS
from chorale.tables.language import TableLanguage
from chorale.tables.proposing import TableProposing
from chorale.tables.table import Table

BEGINNINGS = ("which", "how many", "what is the total", "is there", "who", "what is the difference between")
RARE = sorted(word for words in TRIGGERS.values() for word in words)
GAMES = Table(
    ["Player", "Club", "Goals", "Day", "Score"],
    [
        ["Ann Lee", "Rome", "7", "May 3, 1998", "3-2"],
        ["Bob Cox", "Oslo", "12", "June 5, 1998", "1-1"],
        ["Cy Young", "Rome", "9", "May 30, 1999", "0-4"],
        ["Dee Fox", "", "12", "July 1, 2001", "2-0"],
        ["Eve Hill", "Bern", "3", "May 8, 2001", "5-3"],
    ],
)


@st.composite
def questions(draw: st.DrawFn, table: Table) -> str:
    """A question of words that its table has, and of words that ask for rare functions."""
    cells = sorted({cell for row in table.rows for cell in row})
    said = st.one_of(
        *([st.sampled_from(cells)] if cells else []),
        st.sampled_from(table.header),
        st.sampled_from(RARE),
        st.sampled_from(["most", "first", "three", "7", "1998", "may 1998", "over", "or", "the"]),
    )
    return " ".join([draw(st.sampled_from(BEGINNINGS)), *draw(st.lists(said, max_size=6))])


def assert_twin_agrees(table: Table, sentence: str, most: int = 60) -> Sequence[Program]:
    """Of programs from the first to the last; these are returned."""
    found = TableProposing().propose(Unlabelled(sentence, [table]), 2, 700)
    if found is None:
        return []
    assert isinstance(found.language, TableLanguage)
    twin, chosen = Twin(found.language, found.costs), range(0, len(found.rows), 1 + len(found.rows) // most)
    programs = [found.reading(row).program for row in chosen]
    for row, program in zip(chosen, programs, strict=True):
        parts = [found.parts[it] for it in found.programs[row].tolist() if it]
        assert sorted(map(repr, parts)) == sorted(map(repr, twin.parts(program.term))), program.text
    return programs


@settings(max_examples=60, deadline=None)
@given(st.data(), tables())
def test_parts_are_those_that_walking_each_program_finds(data: st.DataObject, table: Table) -> None:
    assert_twin_agrees(table, data.draw(questions(table)))


@pytest.mark.parametrize(
    ("sentence", "function"),
    [
        ("which club has the most goals?", "most_in_total"),
        ("which player of rome or oslo has more goals?", "which_has_more"),
        ("what is the difference in goals between ann lee and bob cox?", "difference"),
        ("how many players of rome played in may 1998 with over 7 goals?", "rows_where_both"),
        ("who won after may 1998 besides ann lee?", "is_win"),
        ("what is the average of goals per club?", "average_per"),
        ("did rome have more or less goals than oslo?", "compare"),
    ],
)
def test_parts_of_rare_functions_too(sentence: str, function: str) -> None:
    programs = assert_twin_agrees(GAMES, sentence, most=700)
    assert any(f"{function}(" in program.text for program in programs)


def test_no_question_has_parts_that_no_program_has_by_far() -> None:
    """What nobody looks at would still be written, hashed and counted."""
    found = TableProposing().propose(Unlabelled("which club has the most goals?", [GAMES]), 2, 700)
    assert found is not None
    used = set(found.programs.ravel().tolist()) - {0}
    assert len(used) > 0.9 * (len(found.parts) - 1)
