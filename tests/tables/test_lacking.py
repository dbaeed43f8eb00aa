"""What a table has no answer to: properties and names that it does not have, things to do, other languages."""

from __future__ import annotations

import pytest
from tests.tables.made_up import linked

from chorale.domain import Unlabelled
from chorale.tables.domain import Tables
from chorale.tables.elsewhere import elsewhere
from chorale.tables.lacking import lacking
from chorale.tables.table import Table

BOATS = Table(
    ["Boat", "Harbour", "Weight (t)", "Price", "Sold on"],
    [["Pike", "Kiel", "4.5", "$9,000", "2021-05-03"], ["Red Heron", "Oslo", "12", "$30,000", "2022-06-01"]],
)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("what colour is the pike", ["colour"]),
        ("how heavy is the pike", []),
        ("what does the red heron weigh", []),
        ("how much did the pike cost", []),
        ("who earns the most", []),  # a column of money may be what somebody earns
        ("what is the phone number of Kiel", ["phone"]),
        ("which boat is in Lisbon?", ["lisbon"]),
        ("Which boat is in Oslo?", []),
        ("When was the Pike sold?", []),
        ("was the Pike sold in May?", []),
        ("What Is The Price Of The Heron In Total", []),  # capitals are no sign of names here
    ],
)
def test_words_ask_for_what_the_table_does_not_have(sentence: str, words: list[str]) -> None:
    linking = linked(sentence, BOATS)
    assert [linking.asked.words[place] for place in lacking(linking)] == words


def test_no_program_says_what_the_table_does_not_have() -> None:
    hints = Tables().lexicon("tables").hints(Unlabelled("what colour is the pike", (BOATS,)))
    assert dict(hints.explains)["colour"] == frozenset()


@pytest.mark.parametrize(
    ("sentence", "kind", "named"),
    [
        ("delete all rows", "task", "'delete'"),
        ("Send me the prices", "task", "'send'"),
        ("tell me a joke", "task", "'joke'"),
        ("wie viel kostet das Boot", "language", "'wie viel das'"),
        ("¿cuánto cuesta?", "language", "'cuanto'"),
    ],
)
def test_tasks_and_other_languages_are_told_by_a_word(sentence: str, kind: str, named: str) -> None:
    found = elsewhere(sentence, BOATS)
    assert found is not None
    assert found.kind == kind
    assert named in found.text


@pytest.mark.parametrize(
    "sentence",
    [
        "send dates of all boats",
        "open boats",
        "give me all boats",
        "who sold the pike",
        "what was sold last in los alamos",
    ],
)
def test_questions_may_begin_with_words_that_also_name_tasks(sentence: str) -> None:
    assert elsewhere(sentence, BOATS) is None


def test_what_a_table_has_is_asked_about_whatever_it_is_called() -> None:
    table = Table(["Joke", "Wie"], [["delete it", "der"]])
    for sentence in ("which joke", "delete it", "wie der"):
        assert elsewhere(sentence, table) is None
