"""The real WikiTableQuestions."""

from collections import Counter
from pathlib import Path

import pytest

from chorale.model import load
from chorale.tables.domain import Tables
from chorale.tables.questions import Question, read
from chorale.tables.table import Table

pytestmark = pytest.mark.wtq
ANSWERS = Tables.answers


@pytest.fixture(scope="module")
def dev(wtq: Path) -> list[Question]:
    return read(wtq / "random-split-1-dev.tsv")


def test_dev_is_read(dev: list[Question]) -> None:
    assert len(dev) == 2_831
    assert len({question.table for question in dev}) == len({id(question.table) for question in dev}) == 346


def test_what_is_wanted_would_be_right_if_it_were_said(dev: list[Question]) -> None:
    assert all(ANSWERS.agrees(question.answer, question.answer) for question in dev)
    assert all(ANSWERS.agrees(ANSWERS.from_text(ANSWERS.text(it.answer)), it.answer) for it in dev)


def test_train_and_dev_have_no_table_in_common(wtq: Path, dev: list[Question]) -> None:
    domain = Tables()
    train = domain.read(wtq / "random-split-1-train.tsv")
    assert len(train) == 11_321
    assert not {table.path for it in train for table in it.contexts} & {it.table.path for it in dev}


def test_two_of_three_answers_are_a_cell(dev: list[Question]) -> None:
    def is_a_cell(question: Question) -> bool:
        texts = (text for column in question.table.columns for text in column.values.texts)
        return any(ANSWERS.agrees((text,), question.answer) for text in texts)

    share = sum(map(is_a_cell, dev)) / len(dev)
    assert 0.6 < share < 0.8


def test_all_tables_are_read_and_most_columns_have_a_view(wtq: Path) -> None:
    types: Counter[str] = Counter()
    for path in sorted((wtq / "csv").glob("*/*.csv")):
        table = Table.from_csv(path)
        assert all(len(row) == table.width for row in table.rows)
        types.update(column.type for column in table.columns[: table.width])
    assert set(types) == {"text", "number", "mixed", "year", "date", "time"}
    assert types["text"] < sum(types.values()) / 2


def test_the_model_that_ships_answers_more_than_half_of_new_questions_rightly(wtq: Path) -> None:
    model = load("tables")
    asked = model.domain.read(wtq / "random-split-1-dev.tsv")[:200]
    assert model.evaluate(asked).score.accuracy > 0.5
