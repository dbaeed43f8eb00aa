"""Files of questions, and the tables that they name."""

import gzip
from pathlib import Path

import pytest

from chorale.errors import ChoraleError
from chorale.tables.matching import TableAnswers
from chorale.tables.questions import Question, TableFiles, read
from chorale.tables.table import Table

HEADER = "id\tutterance\tcontext\ttargetValue\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with tables, and one in it for questions."""
    (tmp_path / "csv").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "csv" / "1.csv").write_text('"City","People"\n"Rome","2,800,000"\n"Oslo","700,000"\n')
    (tmp_path / "csv" / "2.csv").write_text('"Name"\n"Anna"\n')
    return tmp_path


def write(path: Path, *lines: str) -> Path:
    path.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_questions_are_utterances_with_a_table_and_an_answer(folder: Path) -> None:
    path = write(
        folder / "questions.tsv", "nt-0\twhich cities?\tcsv/1.csv\tRome|Oslo", "", "nt-1\thow many?\tcsv/1.csv\t2"
    )
    first, second = read(path)
    table = Table(["City", "People"], [["Rome", "2,800,000"], ["Oslo", "700,000"]])
    assert first == Question("nt-0", "which cities?", table, ("Rome", "Oslo"), 2)
    assert (second.contexts, second.answers, second.pairs) == ((table,), ((2,),), [(4, "nt-1")])


def test_a_table_is_read_once(folder: Path) -> None:
    files = TableFiles()
    lines = [f"nt-{number}\twhich?\tcsv/1.csv\tRome" for number in range(2)]
    first, second = read(write(folder / "train.tsv", *lines), files=files)
    [third] = read(write(folder / "dev.tsv", lines[0]), files=files)
    assert first.table is second.table is third.table


def test_a_table_that_has_changed_is_read_again(folder: Path) -> None:
    files, path = TableFiles(), folder / "csv" / "2.csv"
    before = files.read(path)
    path.write_text("Name\nAnna\nBert\n")
    assert len(before) == 1
    assert len(files.read(path)) == 2


def test_tables_may_lie_beside_the_folder_of_the_questions(folder: Path) -> None:
    [question] = read(write(folder / "data" / "dev.tsv", "nt-0\twho?\tcsv/2.csv\tAnna"))
    assert question.table.path == folder / "csv" / "2.csv"


def test_what_is_escaped_is_read_as_it_was(folder: Path) -> None:
    [question] = read(write(folder / "a.tsv", r"nt-0	two\nlines?	csv/2.csv	a\pb|c\\d|e\nf"))
    assert question.sentence == "two\nlines?"
    assert question.answer == ("a|b", "c\\d", "e\nf")
    assert TableAnswers().text(question.answer) == r"a\pb|c\\d|e\nf"


def test_fields_are_found_by_their_names_and_lines_may_end_as_elsewhere(folder: Path) -> None:
    path = folder / "a.tsv"
    path.write_bytes(b"\xef\xbb\xbftargetValue\tid\tnotes\tcontext\tutterance\r\nAnna\tnt-0\t\tcsv/2.csv\twho?\r\n")
    assert [(it.identifier, it.sentence, it.answer) for it in read(path)] == [("nt-0", "who?", ("Anna",))]


def test_a_packed_file_is_read(folder: Path) -> None:
    path = folder / "a.tsv.gz"
    path.write_bytes(gzip.compress(f"{HEADER}nt-0\twho?\tcsv/2.csv\tAnna\n".encode()))
    assert len(read(path)) == 1


def test_answers_are_left_out_only_where_they_may_be(folder: Path) -> None:
    path = folder / "a.tsv"
    path.write_text("id\tutterance\tcontext\nnt-0\twho?\tcsv/2.csv\n")
    assert read(path, labels_required=False)[0].answers == (None,)
    with pytest.raises(ChoraleError, match=r"a\.tsv:1: the first line names no targetValue"):
        read(path)
    with pytest.raises(ChoraleError, match=r"a\.tsv:2: targetValue: empty"):
        read(write(path, "nt-0\twho?\tcsv/2.csv\t"))


def test_all_that_is_wrong_is_told_at_once_with_its_line(folder: Path) -> None:
    (folder / "csv" / "bad.csv").write_text('a\n"b')
    path = write(
        folder / "a.tsv",
        "nt-0\twho?\tcsv/2.csv\tAnna",
        "nt-1\twho?\tcsv/2.csv",
        "nt-0\twho?\tcsv/2.csv\tAnna",
        "nt-2\twho?\tcsv/3.csv\tAnna",
        "\twho?\tcsv/2.csv\tAnna",
        "nt-3\t \tcsv/2.csv\tAnna",
        "nt-4\twho?\tcsv/bad.csv\tAnna",
    )
    with path.open("ab") as stream:
        stream.write(b"nt-5\t\xff\tcsv/2.csv\tAnna\n")
    with pytest.raises(ChoraleError) as error:
        read(path)
    assert str(error.value).splitlines() == [
        f"{path}: 7 problems",
        f"{path}:3: 3 fields; expected 4: id, utterance, context, targetValue",
        f"{path}:4: id: 'nt-0' occurs twice, first in line 2",
        f"{path}:5: context: there is no table 'csv/3.csv' in {folder} or {folder.parent}",
        f"{path}:6: id: empty",
        f"{path}:7: utterance: empty",
        f"{path}:8: {folder / 'csv' / 'bad.csv'}:2: a quote that opens here is never closed; "
        'write " within quotes as ""',
        f"{path}:9: not UTF-8: byte 0xff",
    ]


def test_a_file_that_is_none_is_refused(folder: Path) -> None:
    for content in ("", '{"identifier": "1"}\n'):
        (folder / "a.tsv").write_text(content)
        with pytest.raises(ChoraleError, match=r"expected (a first line with )?id, utterance, context, targetValue"):
            read(folder / "a.tsv")
    with pytest.raises(ChoraleError, match=r"b\.tsv: no such file"):
        read(folder / "b.tsv")


def test_tables_are_read_as_people_write_them_unless_they_are_quoted_as_the_corpus_quotes(folder: Path) -> None:
    kept = folder / "csv" / "kept.csv"
    kept.write_text("Item;Price\nbread;2,50\nmilk;1,10\n")
    escaped = folder / "csv" / "quoted.csv"
    escaped.write_text('"a\\"b","c"\n"d","e"\n')
    doubled = folder / "csv" / "semicolons.csv"
    doubled.write_text('"Item";"Price"\n"bread";"2,50"\n')
    names = ("kept", "quoted", "semicolons")
    lines = [f"{name}\twhat?\tcsv/{name}.csv\tbread" for name in names]
    tables = [question.table for question in read(write(folder / "questions.tsv", *lines))]
    assert [table.header for table in tables] == [("Item", "Price"), ('a"b', "c"), ("Item", "Price")]
    assert tables[0].columns[1].read("number").tolist() == [2.5, 1.1]


@pytest.mark.wtq
def test_all_tables_of_the_corpus_are_read_as_it_writes_them(wtq: Path) -> None:
    tables = sorted((wtq / "csv").glob("*/*.csv"))
    files = TableFiles()
    assert tables
    assert all(files.read(path).source is None for path in tables)
