"""Changes of questions of which it is known what is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.towns import HEADER

import chorale
from chorale.domain import Answer, Reading, Utterance
from chorale.domain.json_lines import Example
from chorale.domain.probes import Changed
from chorale.evaluation.robustness import robustness_of
from chorale.language import read_program, run
from chorale.model import Model
from chorale.tables.asked import Asked
from chorale.tables.costs import costs_of
from chorale.tables.domain import Tables
from chorale.tables.language import TableLanguage
from chorale.tables.matching import TableAnswers
from chorale.tables.probes import TableProbes
from chorale.tables.table import Table
from chorale.tables.variants import variants

TABLE = Table(
    ["Town", "Country", "People", "Mayor"],
    [
        ["Arnau", "Norland", "700", "Ada Kern"],
        ["Elvas", "Sudland", "900", "Bo Lind"],
        ["Imst", "Norland", "800", "Cy Moor"],
        ["Hobro", "Ostland", "50", "Di Nash"],
    ],
)
MAYOR = 'look_up(cells("[Mayor]", rows_where(equals("[Town]", "\'imst\'"))))'
LARGEST = 'look_up(cells("[Town]", most("[People] as number", all_rows)))'
FIRST = 'look_up(cells("[Town]", first(all_rows)))'


def changes(sentence: str, program: str, answer: Answer, table: Table = TABLE) -> dict[str, Utterance]:
    """What is changed, by kind."""
    language = TableLanguage([table]).with_constants(costs_of(Asked(sentence), table).constants)
    reading = Reading(read_program(program, language))
    found = TableProbes().changed(Example("q", sentence, (table,), (answer,)), reading)
    return {one.kind: one.utterance for one in found}


def said(utterance: Utterance, program: str) -> Answer:
    """What a program says of the table of an utterance."""
    [table] = utterance.contexts
    language = TableLanguage([table]).with_constants(costs_of(Asked(utterance.sentence), table).constants)
    [answer] = run(read_program(program, language), language)
    return answer  # type: ignore[no-any-return]


def test_a_name_is_another_one_in_question_table_and_answer() -> None:
    table = Table(HEADER[:2], [["Imst", "Norland"], ["Old Imst", "Imst"], ["Imstville", "Imst"]])
    program = 'look_up(cells("[Town]", rows_where(equals("[Country]", "\'imst\'"))))'
    one = changes("which towns are in imst?", program, ("Old Imst", "Imstville"), table)["names"]
    name = one.sentence.removeprefix("which towns are in ").removesuffix("?")
    assert name == name.lower() != "imst"
    new = name.capitalize()
    assert one.contexts[0].rows == ((new, "Norland"), (f"Old {new}", new), ("Imstville", new))
    assert tuple(one.answers) == ((f"Old {new}", "Imstville"),)


@pytest.mark.parametrize("sentence", ["how many people live in the town?", "who is the first?", "is it 700?"])
def test_words_that_only_hold_a_question_together_are_no_names(sentence: str) -> None:
    table = Table(["Name", "People"], [["First", "700"], ["The", "800"], ["People", "1"]])
    assert "names" not in changes(sentence, "count(all_rows)", (3,), table)


def test_columns_stand_in_another_order_with_all_their_cells() -> None:
    [table] = changes("who is the mayor of Imst?", MAYOR, ("Cy Moor",))["order"].contexts
    assert table.header != TABLE.header
    assert sorted(zip(table.header, *table.rows, strict=True)) == sorted(zip(TABLE.header, *TABLE.rows, strict=True))
    assert "order" not in changes("what is in the first column of Imst?", MAYOR, ("Cy Moor",))


def test_a_column_that_means_nothing_is_added() -> None:
    asked = changes("who is the mayor of Imst?", MAYOR, ("Cy Moor",))["column"]
    [table] = asked.contexts
    assert [row[:4] for row in table.rows] == list(TABLE.rows)
    assert table.header[:4] == TABLE.header
    assert table.width == 5


def test_rows_are_added_where_a_program_looks_rows_up_by_names() -> None:
    [table] = changes("who is the mayor of Imst?", MAYOR, ("Cy Moor",))["rows"].contexts
    assert table.rows[:4] == TABLE.rows
    assert len(table) > 4
    assert not {cell for row in table.rows[4:] for cell in row} & {cell for row in TABLE.rows for cell in row}
    assert "rows" not in changes("which town has the most people?", LARGEST, ("Elvas",))


def test_rows_are_shuffled_where_nothing_looks_at_their_order() -> None:
    [table] = changes("which town has the most people?", LARGEST, ("Elvas",))["shuffled"].contexts
    assert table.rows != TABLE.rows
    assert sorted(table.rows) == sorted(TABLE.rows)
    assert "shuffled" not in changes("which town has the most people?", FIRST, ("Arnau",))
    assert "shuffled" not in changes("which town is listed first?", LARGEST, ("Elvas",))


def test_rows_that_say_what_others_add_up_to_stay_where_they_are() -> None:
    table = Table(TABLE.header, [*TABLE.rows, ["Total", "", "2450", ""]])
    [shuffled] = changes("which town has the most people?", LARGEST, ("Elvas",), table)["shuffled"].contexts
    assert shuffled.rows[-1] == table.rows[-1]


def test_cells_that_nobody_looks_at_are_others() -> None:
    [table] = changes("which town has the most people?", LARGEST, ("Elvas",))["others"].contexts
    for before, after in zip(TABLE.rows, table.rows, strict=True):
        assert (before[0], before[2]) == (after[0], after[2])
        assert before[3] != after[3]
    # The question names a country, which the program does not look at; it stays, in case it should.
    [table] = changes("which town in Sudland has the most people?", LARGEST, ("Elvas",))["others"].contexts
    assert [row[1] for row in table.rows] == [row[1] for row in TABLE.rows]


def test_answers_follow_cells_that_a_program_looks_at() -> None:
    one = changes("who is the mayor of Imst?", MAYOR, ("Cy Moor",))["followed"]
    [table] = one.contexts
    assert [row[:3] for row in table.rows] == [row[:3] for row in TABLE.rows]
    assert tuple(one.answers) == ((table.rows[2][3],),)
    assert table.rows[2][3] != "Cy Moor"


def test_a_program_that_is_wrong_of_the_changed_table_changes_nothing() -> None:
    """It is right by accident: the answer that was marked is not what it says."""
    found = changes("which town has the most people?", LARGEST, ("Imst",))
    assert found.keys() & {"rows", "shuffled", "others"} == set()


def test_what_is_right_is_what_the_program_says_of_the_changed_table() -> None:
    for sentence, program, answer in (
        ("who is the mayor of Imst?", MAYOR, ("Cy Moor",)),
        ("which town has the most people?", LARGEST, ("Elvas",)),
    ):
        found = changes(sentence, program, answer)
        for kind, one in found.items():
            if kind != "names":
                assert TableAnswers().agrees(said(one, program), one.answers[0]), kind


def test_changes_are_the_same_each_time_and_not_those_of_the_search() -> None:
    one, again = (changes("who is the mayor of Imst?", MAYOR, ("Cy Moor",)) for _ in range(2))
    assert one == again
    copies = {copy.rows for seed in range(50) for copy in variants(TABLE, 3, seed)}
    assert not copies & {utterance.contexts[0].rows for utterance in one.values()}


# -- robustness --------------------------------------------------------------------------------------------------------


def test_the_share_of_right_answers_that_stay_right_is_by_change_and_over_all() -> None:
    class Two(TableProbes):
        kinds = ("a", "b", "c")

        def changed(self, utterance: Utterance, reading: Reading):  # type: ignore[no-untyped-def]
            yield Changed("a", Example(f"{utterance.identifier}/a", "a", (TABLE,), (1,)))
            if utterance.identifier == "2":
                yield Changed("b", Example("2/b", "b", (TABLE,), (2,)))

    asked = [Example(str(number), "?", (TABLE,), (number,)) for number in range(4)]
    program = read_program("count(all_rows)", TableLanguage)

    def predict(some):  # type: ignore[no-untyped-def]
        return [Reading(program, answers=(1,), utterance=one) for one in some]

    # 0 was wrong before; what is asked again is always answered with 1.
    said = [Reading(program, answers=(max(number, 1),), utterance=one) for number, one in enumerate(asked)]
    found = robustness_of(predict, Two(), asked, said, TableAnswers())
    assert (found.utterances, found.right) == (4, 3)
    assert {kind: (one.changed, one.right) for kind, one in found.kinds.items()} == {
        "a": (3, 3),
        "b": (1, 0),
        "c": (0, 0),
    }
    assert (found.every.changed, found.every.right, found.kinds["c"].share) == (3, 2, None)


def test_a_model_that_has_learned_its_questions_stays_right(towns: Path) -> None:
    model: Model = chorale.load(towns)
    utterances = model.domain.read(towns.parent / "random-split-1-dev.tsv")[:8]
    found = model.robustness(utterances)
    assert found.right == len(utterances)
    assert all(one.changed for one in found.kinds.values())
    assert found.kinds["names"].share == 1.0
    assert found == model.robustness(utterances)


def test_a_domain_without_probes_says_so() -> None:
    with pytest.raises(chorale.ChoraleError, match="nlvr has no probes"):
        chorale.load().robustness([])


def test_tables_have_probes_and_pictures_have_none() -> None:
    assert Tables().probes is not None
    assert chorale.load().domain.probes is None
