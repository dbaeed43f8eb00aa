"""What is proposed for questions: the right program is among the first, and right answers are known at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.made_up import CITIES, MATCHES, candidates, programs
from tests.tables.tables import tables

from chorale.domain import Unlabelled
from chorale.domain.candidates import features_of
from chorale.domain.templates import key_of
from chorale.errors import ChoraleError
from chorale.language.reading import read
from chorale.tables.dates import Date
from chorale.tables.domain import Tables
from chorale.tables.language.types import CELLS, NUMBER
from chorale.tables.matching import TableAnswers
from chorale.tables.proposing import TableProposing
from chorale.tables.right import Right
from chorale.tables.table import Table

QUESTIONS: list[tuple[str, Table, str, int]] = [
    (
        "which city is in westreich?",
        CITIES,
        """look_up(cells("[City]", rows_where(equals("[Country]", "'westreich'"))))""",
        10,
    ),
    ("how many cities are in norland?", CITIES, """count(rows_where(equals("[Country]", "'norland'")))""", 5),
    ("which city has the most people?", CITIES, 'look_up(cells("[City]", most("[People] as number", all_rows)))', 10),
    (
        "what comes after oster?",
        CITIES,
        """look_up(cells("[City]", next_row(rows_where(equals("[City]", "'oster'")))))""",
        30,
    ),
    (
        "which sister city is oster?",
        CITIES,
        """look_up(cells("[City]", rows_where(equals("[Sister city]", "'oster'"))))""",
        10,
    ),
    (
        "which city was founded in may 1998?",
        CITIES,
        """look_up(cells("[City]", rows_where(on_date("[Founded] as date", "1998-05-xx"))))""",
        5,
    ),
    (
        "how many countries start with the letter w?",
        CITIES,
        """count(rows_where(begins_with("[Country]", "'w'")))""",
        20,
    ),
    (
        "which city was founded in june?",
        CITIES,
        """look_up(cells("[City]", rows_where(equals("[month of Founded]", "'june'"))))""",
        10,
    ),
    (
        "how many cities were founded in the 1990s?",
        CITIES,
        """count(rows_where(in_decade("[Founded] as year", "1990s")))""",
        5,
    ),
    (
        "how many cities have more than 500,000 people?",
        CITIES,
        'count(rows_where(over("[People] as number", 500000)))',
        20,
    ),
    (
        "how many more people has port alba than oster?",
        CITIES,
        """difference("[People] as number", pair(equals("[City]", "'port alba'"), equals("[City]", "'oster'")))""",
        20,
    ),
    (
        "which norlandic city is largest in people?",
        CITIES,
        """look_up(cells("[City]", most("[People] as number", rows_where(begins_like("[Country]", "'norlandic'")))))""",
        100,
    ),
    (
        "is oster in sudland?",
        CITIES,
        """exists_where_both(equals("[City]", "'oster'"), equals("[Country]", "'sudland'"))""",
        20,
    ),
    (
        "what was the score in 1992?",
        MATCHES,
        'look_up(cells("[Score]", rows_where(is_number("[Year] as number", 1992))))',
        20,
    ),
    (
        "how many games were won against the reds?",
        MATCHES,
        """count_where_both(is_win("[Score]"), equals("[Opponent]", "'reds'"))""",
        60,
    ),
    ("what is the total crowd?", MATCHES, 'total("[Crowd] as number", all_rows)', 20),
    ("which opponent was met most?", MATCHES, 'most_common(cells("[Opponent]", all_rows))', 20),
]


@pytest.mark.parametrize(
    ("sentence", "table", "program", "first"), QUESTIONS, ids=[sentence for sentence, *_ in QUESTIONS]
)
def test_what_is_meant_is_among_the_first(sentence: str, table: Table, program: str, first: int) -> None:
    found = candidates(sentence, table)
    meant = found.language.value(read(program, found.language.grammar.signature)).tobytes()
    assert meant in [value.tobytes() for value in found.values[:first]], "\n".join(programs(sentence, table)[:first])


def test_programs_come_cheapest_first_and_no_meaning_twice() -> None:
    found = candidates("how many cities are in norland?")
    priors = found.priors()
    assert (np.diff(priors) <= 0).all()
    assert len({value.tobytes() for value in found.values}) == len(found.values) == len(priors)
    assert 100 < len(priors) <= 700


def test_no_more_are_proposed_than_are_wanted_and_fewer_are_the_first_of_more() -> None:
    sentence = "how many cities are in norland?"
    assert programs(sentence, CITIES, 7) == programs(sentence)[:7]
    few = candidates(sentence, CITIES, 7)
    assert len(few.programs) == len(few.values) == len(few.priors()) == len(few.answers()) == 7


def test_a_reading_has_the_program_of_its_row_with_its_price_and_what_it_leaves_unsaid() -> None:
    found = candidates("how many cities are in norland?")
    for row in range(0, len(found.rows), 25):
        reading = found.reading(row)
        assert reading.log_prior == found.priors()[row]
        assert reading.meaning == row
        value = found.language.value(reading.program.term)
        assert value.tobytes() == found.values[row].tobytes()
        assert ("norland" in reading.unexplained) == ("norland" not in reading.program.text)


def test_programs_have_equal_numbers_for_their_answers_if_they_answer_alike() -> None:
    found = candidates("how many games were won against the reds?", MATCHES)
    said = [
        (int(value["tag"]), int(value["column"]) if value["tag"] == CELLS else None, found.language.said(value)[0])
        for value in found.values
    ]
    numbers = found.answers().tolist()
    known: dict[Any, int] = {}
    assert [known.setdefault(one, number) for one, number in zip(said, numbers, strict=True)] == numbers
    assert len(set(numbers)) == len(known) == max(numbers) + 1


def test_copies_tell_meanings_apart_that_answer_alike() -> None:
    asked = Unlabelled("which opponent came last?", (MATCHES,))
    few, many = (TableProposing().propose(asked, copies, 700) for copies in (0, 3))
    assert few is not None
    assert many is not None
    assert len(set(few.answers().tolist())) == len(few.values)
    assert len(set(many.answers().tolist())) < len(many.values)


def test_the_same_question_always_has_the_same_proposals() -> None:
    asked = Unlabelled("which opponent came last?", (MATCHES,))
    one, other = (TableProposing().propose(asked, 3, 700) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.values.tobytes() == other.values.tobytes()
    assert one.priors().tobytes() == other.priors().tobytes()
    assert np.array_equal(one.programs, other.programs)


def test_nothing_is_proposed_for_a_table_without_rows() -> None:
    assert TableProposing().propose(Unlabelled("which is it?", (Table(["a"], []),)), 3, 700) is None


@pytest.mark.parametrize("contexts", [(), (CITIES, CITIES)], ids=["none", "two"])
def test_a_question_that_is_not_about_one_table_is_refused_in_words(contexts: tuple[Table, ...]) -> None:
    asked = Unlabelled("which is it?", contexts)
    with pytest.raises(
        ChoraleError, match=f"'which is it.': a question is about one table; this one has {len(contexts)}"
    ):
        TableProposing().propose(asked, 3, 700)
    with pytest.raises(ChoraleError, match="a question is about one table"):
        Tables().costs("tables", asked)


def test_questions_without_a_word_that_is_known_have_programs_all_the_same() -> None:
    for sentence in ("", "?", "xyzzy", "\u278a", "9" * 400):
        assert candidates(sentence).priors().size > 10


# -- features ----------------------------------------------------------------------------------------------------------


def test_posed_as_arrays_parts_have_the_keys_of_their_features() -> None:
    proposing, found = TableProposing(), candidates("how many cities are in norland?")
    posed, chosen = found.posed(proposing.keyed()), proposing.chosen()
    assert len(posed) == len(found.rows)
    assert posed.parts == len(found.parts) == len(posed.labels)
    assert posed.programs.max() < posed.parts
    by_part: dict[int, list[int]] = {number: [] for number in range(posed.parts)}
    for key, part in zip(posed.keys.tolist(), posed.part.tolist(), strict=True):
        by_part[part].append(key)
    for number in range(0, posed.parts, 7):
        part = found.parts[number]
        expected = [] if part is None else [key_of(feature) for feature in features_of(part, chosen)]
        assert sorted(by_part[number]) == sorted(expected)
    assert posed.words.tolist() == [key_of((word,)) for word in found.words()]


@pytest.mark.parametrize("name", TableProposing().names)
def test_any_template_may_be_alone(name: str) -> None:
    proposing, found = TableProposing(), candidates("how many cities are in norland?", CITIES, 12)
    posed, chosen = found.posed(proposing.keyed([name])), proposing.chosen([name])
    used = sorted(set(posed.part.tolist()))
    expected = [[key_of(feature) for feature in features_of(found.parts[it], chosen)] for it in used]
    assert [sorted(posed.keys[posed.part == it].tolist()) for it in used] == [sorted(keys) for keys in expected]
    assert {feature[0] for it in used for feature in features_of(found.parts[it], chosen)} <= {name}


def test_without_templates_there_are_no_features() -> None:
    posed = candidates("how many cities are in norland?").posed(TableProposing().keyed([]))
    assert len(posed.keys) == 0
    assert not posed.labels.any()


def test_words_that_link_to_cells_are_one_entity_in_features() -> None:
    assert candidates("is port alba larger than 1,000 in the list").words() == [
        "is", "E", "larger", "than", "#", "in", "the", "list",
    ]  # fmt: skip


# -- right answers -----------------------------------------------------------------------------------------------------

SPELLED = st.sampled_from(
    ["2", "2[1]", '"2"', "2 (of 3)", "2.0", "two", "2nd", "1,200", "$5 million", "Rome", "rome[2]", "Oslo, Norway",
     "1998", "3 May 1998", "1998-05-03", "1998-xx-xx", "yes", "no", "", "-", "0:35", "xx-xx-xx", "3–2", "12th", "0"]
)  # fmt: skip
WANTED = st.lists(
    SPELLED | st.integers(-3, 12) | st.floats(-3, 3) | st.sampled_from([Date(1998), Date(1998, 5, 3)]), max_size=3
).map(tuple)


@given(tables().filter(len), st.sampled_from([question for question, *_ in QUESTIONS]), st.data())
def test_right_answers_are_those_that_agree(table: Table, sentence: str, data: st.DataObject) -> None:
    found = TableProposing().propose(Unlabelled(sentence, (table,)), 0, 150)
    if found is None:
        return
    said = [found.language.said(value)[0] for value in found.values]
    own = st.sampled_from(said).map(lambda it: it if isinstance(it, tuple) else (it,))
    wanted = data.draw(WANTED | own | st.sampled_from(["2", 7]))
    agreed = [TableAnswers().agrees(one, wanted) for one in said]
    assert Right(found.language, wanted).of(found.values).tolist() == agreed
    assert found.right(wanted).tolist() == agreed


@pytest.mark.parametrize("wanted", [(2,), ("2",), ("2[1]",), ('"2"',), ("two",), ("2 (of 3)",)], ids=repr)
def test_a_number_is_right_however_it_is_spelled(wanted: tuple[Any, ...]) -> None:
    found = candidates("how many cities are in norland?")
    right = found.right(wanted)
    assert found.values["tag"][right].tolist().count(NUMBER) > 0
    assert 'count(rows_where(equals("[Country]", "\'norland\'")))' in [
        found.reading(row).program.text for row in np.flatnonzero(right).tolist()
    ]


def test_values_that_are_spelled_in_several_ways_count_once() -> None:
    found = candidates("what points are there?", Table(["Points"], [["7"], ["7.0"], ["8"]]))
    said = [found.language.said(value)[0] for value in found.values]
    assert ("7", "7.0", "8") in said
    right = found.right(("7", "8"))
    assert right[said.index(("7", "7.0", "8"))]
    assert right.tolist() == [TableAnswers().agrees(one, ("7", "8")) for one in said]


def test_where_nothing_is_wanted_nothing_is_right() -> None:
    assert not candidates("how many cities are in norland?").right(()).any()
