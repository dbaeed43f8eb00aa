"""Marks: right answers of any type, kept beside lines that others wrote."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.people import PeopleDomain

from chorale.domain import Answer
from chorale.errors import ChoraleError
from chorale.nlvr import reader
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.plumbing.files import lines
from chorale.runs.marks import Marks
from chorale.tables.domain import Tables
from chorale.tables.table import Table

TABLE = ({"name": "anna", "city": "rome"}, {"name": "bert", "city": "rome"})
SCENE = Scene(((Object(10, 10, 20, "circle", "yellow"),), (), ()))
SENTENCE = "There is a yellow circle"


def nlvr_line(**changed: Any) -> str:
    line = Nlvr().data_line("1-0", SENTENCE, SCENE, True)
    return json.dumps({key: value for key, value in {**line, **changed}.items() if value is not None})


def people_line(**changed: Any) -> str:
    line = {"identifier": "1", "sentence": "How many have rome?", "context": list(TABLE), "answer": 2, **changed}
    return json.dumps({key: value for key, value in line.items() if value is not None})


@pytest.mark.parametrize("answer", [2, 0, 1.5, "rome", ("anna", "bert"), (), True])
def test_a_mark_is_read_as_it_was_given(tmp_path: Path, answer: Answer) -> None:
    marks = Marks(tmp_path / "marks.jsonl", PeopleDomain())
    assert marks.add("What of rome?", TABLE, answer) == "1-0"
    [one] = marks.utterances()
    assert (one.sentence, one.contexts, one.answers) == ("What of rome?", (TABLE,), (answer,))
    assert type(one.answers[0]) is type(answer)


def test_marks_of_a_sentence_are_one_utterance_unless_contexts_bring_constants(tmp_path: Path) -> None:
    pictures, tables = Marks(tmp_path / "a.jsonl", Nlvr()), Marks(tmp_path / "b.jsonl", PeopleDomain())
    assert [pictures.add(SENTENCE, SCENE, True) for _ in range(3)] == ["1-0", "1-1", "1-2"]
    assert [tables.add("How many have rome?", TABLE, 2) for _ in range(3)] == ["1-0", "2-0", "3-0"]
    assert (len(pictures.utterances()), len(tables.utterances())) == (1, 3)


@pytest.mark.parametrize(
    ("names", "new"),
    [
        (["17"], "18-0"),
        (["17-0", "3-5"], "18-0"),
        (["q7", "train-9", "2024-05-01", "a-b"], "1-0"),
        ([None, None], "4-0"),  # known by the numbers of their lines, 1 and 3
        (["", 4], "5-0"),
        (["9" * 30], f"1{'0' * 30}-0"),
    ],
    ids=str,
)
def test_a_mark_has_a_name_of_its_own_beside_lines_of_any_shape(tmp_path: Path, names: list[Any], new: str) -> None:
    path = tmp_path / "marks.jsonl"
    lines = [people_line(identifier=name, sentence=f"How many have city {n}?") for n, name in enumerate(names)]
    path.write_text("\n\n".join(lines))  # without an end, and with empty lines between
    marks = Marks(path, PeopleDomain())
    before = [one.sentence for one in marks.utterances()]
    assert marks.add("Which people have rome?", TABLE, ("anna", "bert")) == new
    found = marks.utterances()
    assert [one.sentence for one in found] == [*before, "Which people have rome?"]
    assert len({one.identifier for one in found}) == len(found)
    assert marks.undo() == new
    assert [one.sentence for one in marks.utterances()] == before


def test_a_mark_goes_on_with_the_numbers_of_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    path.write_text(f"{nlvr_line(identifier='7-2')}\n{nlvr_line(identifier='9-0', sentence='There is a box')}\n")
    assert Marks(path, Nlvr()).add(SENTENCE, SCENE, False) == "7-3"
    assert [len(one.contexts) for one in Marks(path, Nlvr()).utterances()] == [2, 1]


def test_a_mark_without_a_name_is_taken_back_by_the_number_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    path.write_text(f"{people_line()}\n{people_line(identifier=None, sentence='Who?')}\n")
    assert Marks(path, PeopleDomain()).undo() == "2"
    assert len(path.read_text().splitlines()) == 1


def test_a_file_that_is_none_of_ours_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk\neggs\n")
    with pytest.raises(ChoraleError, match=r"notes\.txt:1"):
        Marks(path, PeopleDomain())
    assert path.read_text() == "milk\neggs\n"


ODD_FILES = {
    "packed": lambda text: gzip.compress(text.encode()),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "empty lines": lambda text: f"\n\n{text}\n \n".encode(),
    "Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "old line ends inside": lambda text: text.replace("There is a yellow", "There\u2028is\x85a yellow").encode(),
    "escapes": lambda text: text.replace("circle", "c\\u0069rcle").encode(),
    "long numbers": lambda text: text.replace("1-0", f"{'7' * 5000}-{'9' * 5000}").encode(),
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_marks_are_added_to_every_file_that_check_accepts(tmp_path: Path, name: str) -> None:
    path = tmp_path / ("marks.jsonl.gz" if name == "packed" else "marks.jsonl")
    path.write_bytes(ODD_FILES[name](nlvr_line() + "\n"))
    assert reader.check(path).ok
    before = [one.sentence for one in Nlvr().read(path)]
    old = [line for _, line in lines(path)]
    marks = Marks(path, Nlvr())
    marks.add("There is a box", SCENE, answer=False)
    assert [one.sentence for one in marks.utterances()] == [*before, "There is a box"]
    assert [line for _, line in lines(path)][: len(old)] == old  # byte for byte
    marks.add(before[0], SCENE, answer=True)
    assert len(marks.utterances()[0].contexts) == 2  # another context of the same utterance
    for _ in range(3):
        marks.undo()
    with pytest.raises(ChoraleError, match="no mark to undo"):
        marks.undo()
    assert marks.add(SENTENCE, SCENE, answer=True).endswith("-0")  # a file without marks is one to begin with


@pytest.mark.parametrize("sentence", ["", " ", "caf\udce9"], ids=["nothing", "blank", "not UTF-8"])
def test_what_could_not_be_read_again_is_not_kept(tmp_path: Path, sentence: str) -> None:
    marks = Marks(tmp_path / "marks.jsonl", Nlvr())
    marks.add(SENTENCE, SCENE, answer=True)
    with pytest.raises(ChoraleError, match=r"marks\.jsonl: this cannot be kept as a mark"):
        marks.add(sentence, SCENE, answer=True)
    assert len(marks.utterances()) == 1


def test_a_file_of_questions_with_tabs_takes_no_marks(tmp_path: Path) -> None:
    table = Table(["Name", "Age"], [["Anna", "31"]])
    (tmp_path / "t.csv").write_text("Name,Age\nAnna,31\n")
    path = tmp_path / "questions.tsv"
    path.write_text("id\tutterance\tcontext\ttargetValue\nnt-0\twho?\tt.csv\tAnna\n")
    for file in (path, tmp_path / "new.tsv"):
        before = file.read_bytes() if file.exists() else None
        with pytest.raises(ChoraleError, match=r"(?s)\.tsv.*JSON lines|cannot be kept as a mark"):
            Marks(file, Tables()).add("who is 31?", table, ("Anna",))
        assert (file.read_bytes() if file.exists() else None) == before
