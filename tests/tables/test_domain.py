"""The domain: tables as JSON and files, marks, variants."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tests.tables.tables import tables

from chorale.domain import Unlabelled
from chorale.domain.contexts import contexts_of
from chorale.errors import ChoraleError
from chorale.runs.marks import Marks
from chorale.tables.codec import TableCodec
from chorale.tables.domain import Tables
from chorale.tables.matching import TableAnswers
from chorale.tables.table import Table
from chorale.tables.variants import variants

PEOPLE = Table(["Name", "Age"], [["Anna", "31"], ["Bert", ""]])


@pytest.fixture
def on_disk(tmp_path: Path) -> Table:
    """A table that has a file."""
    path = tmp_path / "people.csv"
    path.write_text("Name,Age\nAnna,31\nBert,\n")
    return Table.from_csv(path)


# -- the codec ---------------------------------------------------------------------------------------------------------


@given(tables())
def test_a_table_is_read_back_from_json(table: Table) -> None:
    codec = TableCodec()
    assert codec.from_json(json.loads(json.dumps(codec.to_json(table)))) == table


@pytest.mark.parametrize(
    "value",
    [
        {"header": ["Name", "Age"], "rows": [["Anna", 31], ["Bert"]]},
        [{"Name": "Anna", "Age": 31.0}, {"Name": "Bert", "Age": None}],
        [{"Name": "Anna", "Age": "31"}, {"Name": "Bert"}],
    ],
)
def test_json_may_have_rows_as_lists_or_as_objects(value: Any) -> None:
    assert TableCodec().from_json(value) == PEOPLE
    assert contexts_of(Tables(), value) == (PEOPLE,)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"header": ["Name"]}, "expected a table such as"),
        ([], "expected a table such as"),
        ("people.csv", "expected a table such as"),
        ([{"Name": "Anna"}, "Bert"], "expected a table such as"),
        ({"header": ["Name"], "rows": [[["Anna"]]]}, "a cell is a text, a number"),
        ({"header": [], "rows": []}, "a column at least"),
    ],
)
def test_json_that_is_no_table_is_refused(value: Any, message: str) -> None:
    with pytest.raises(ChoraleError, match=message):
        TableCodec().from_json(value)


def test_a_stranger_cannot_name_a_file(on_disk: Table) -> None:
    with pytest.raises(ChoraleError, match="expected a table such as"):
        Tables().codec.from_json({"path": str(on_disk.path), "hash": on_disk.digest})


def test_a_table_is_read_from_a_file_of_either_kind(on_disk: Table, tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text(json.dumps(TableCodec().to_json(PEOPLE)))
    for name in ("people.csv", "people.json"):
        assert contexts_of(Tables(), str(tmp_path / name)) == (PEOPLE,)


# -- data --------------------------------------------------------------------------------------------------------------


def test_questions_are_read_from_both_kinds_of_files(on_disk: Table, tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("id\tutterance\tcontext\ttargetValue\n1\twho?\tpeople.csv\tAnna|Bert\n")
    line = {"identifier": "1", "sentence": "who?", "context": TableCodec().to_json(PEOPLE), "answer": ["Anna", "Bert"]}
    (tmp_path / "dev.jsonl").write_text(json.dumps(line))
    for name in ("dev.tsv", "dev.jsonl"):
        [read] = Tables().read(tmp_path / name)
        assert (read.identifier, read.sentence) == ("1", "who?")
        assert (tuple(read.contexts), tuple(read.answers)) == ((PEOPLE,), (("Anna", "Bert"),))


def test_a_mark_names_its_table_by_path_and_hash(on_disk: Table, tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.jsonl", Tables())
    marks.add("who?", on_disk, ("Anna", 7))
    assert json.loads(marks.path.read_text())["contexts"] == [{"path": str(on_disk.path), "hash": on_disk.digest}]
    [read] = marks.utterances()
    assert tuple(read.contexts) == (on_disk,)
    assert tuple(read.answers) == (("Anna", 7),)


def test_a_mark_may_name_its_table_relative_to_itself(on_disk: Table, tmp_path: Path) -> None:
    line = {"sentence": "who?", "context": {"path": "people.csv", "hash": on_disk.digest}, "answer": "Anna"}
    (tmp_path / "marks.jsonl").write_text(json.dumps(line))
    assert Tables().read(tmp_path / "marks.jsonl")[0].contexts == (on_disk,)


def test_a_mark_whose_table_has_changed_is_refused(on_disk: Table, tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.jsonl", Tables())
    marks.add("who?", on_disk, ("Anna",))
    assert on_disk.path is not None
    on_disk.path.write_text("Name\nCleo\n")
    with pytest.raises(ChoraleError, match=r"marks\.jsonl:1: context: .*people\.csv has changed since"):
        marks.utterances()


def test_a_mark_of_a_table_without_a_file_holds_it(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.jsonl", Tables())
    marks.add("who?", PEOPLE, ("Anna",))
    assert marks.utterances()[0].contexts == (PEOPLE,)


# -- contexts ----------------------------------------------------------------------------------------------------------


def test_variants_are_altered_copies_of_the_table_that_is_asked_about() -> None:
    domain, asked = Tables(), Unlabelled("who?", (PEOPLE,))
    assert domain.makes_contexts
    assert list(domain.variants(asked, 4, 7)) == variants(PEOPLE, 4, 7)
    assert list(domain.variants(None, 4, 7)) == []


def test_variants_of_several_tables_take_turns() -> None:
    other = Table(["City"], [["Rome"], ["Oslo"]])
    made = Tables().variants(Unlabelled("who?", (PEOPLE, other)), 3, 0)
    assert [it.header for it in made] == [PEOPLE.header, other.header, PEOPLE.header]


def test_a_parse_is_remembered_by_the_sentence_and_the_table() -> None:
    domain = Tables()
    one, same, other = (
        Unlabelled("who?", (it,)) for it in (PEOPLE, Table(PEOPLE.header, PEOPLE.rows), Table(["a"], []))
    )
    assert domain.identity(one) == domain.identity(same) != domain.identity(other)
    assert domain.topic(one) == domain.topic(same) != domain.topic(other)


def test_the_domain_survives_a_journey_without_its_tables(on_disk: Table, tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_text("id\tutterance\tcontext\ttargetValue\n1\twho?\tpeople.csv\tAnna\n")
    domain = Tables()
    before = domain.read(tmp_path / "dev.tsv")
    journeyed = pickle.loads(pickle.dumps(domain))
    assert isinstance(journeyed.answers, TableAnswers)
    assert b"Anna" not in pickle.dumps(domain)
    assert journeyed.read(tmp_path / "dev.tsv") == before
