"""The sentences that people ask are whole: files that the readers take, answers, labels and programs that agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from chorale.language import run
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.pictures.worlds import Worlds
from chorale.nlvr.reader import read as read_pictures
from chorale.tables.questions import Question, TableFiles
from chorale.tables.questions import read as read_questions
from chorale.tables.source import Options
from chorale.tables.table import Table

FOLDER = Path(__file__).parent
HALVES = ("open", "held_back")
KINDS = ("table_questions", "table_good", "table_unanswerable", "picture_good", "picture_unanswerable")


class AsKept(TableFiles):
    """Tables as people have them, with whatever separators."""

    def read(self, path: Path, options: Options | None = None) -> Table:
        return super().read(path, options or Options())


def questions(name: str, *, labels_required: bool = True) -> list[Question]:
    return read_questions(FOLDER / name, labels_required=labels_required, files=AsKept())


def records(name: str) -> Iterator[dict[str, str]]:
    names, *rows = (line.split("\t") for line in (FOLDER / name).read_text("utf-8").splitlines())
    return (dict(zip(names, row, strict=True)) for row in rows)


def sentences(kind: str, half: str) -> list[str]:
    if kind == "picture_good":
        return [it.sentence for it in read_pictures(FOLDER / f"{kind}_{half}.jsonl").utterances]
    return [one.get("utterance") or one["sentence"] for one in records(f"{kind}_{half}.tsv")]


@pytest.mark.parametrize("half", HALVES)
def test_ten_questions_and_six_good_ones_are_asked_of_each_of_five_tables(half: str) -> None:
    for kind, count in (("questions", 10), ("good", 6)):
        asked = questions(f"table_{kind}_{half}.tsv")
        files = Counter(one["context"] for one in records(f"table_{kind}_{half}.tsv"))
        assert set(files) == {f"tables/{half}/{path.name}" for path in (FOLDER / "tables" / half).iterdir()}
        assert list(files.values()) == [count] * 5
        assert all(one.answer for one in asked)
        assert all(4 <= one.table.width <= 8 and 8 <= len(one.table) <= 25 for one in asked)


@pytest.mark.parametrize("half", HALVES)
def test_what_cannot_be_answered_names_the_word(half: str) -> None:
    assert len(questions(f"table_unanswerable_{half}.tsv", labels_required=False)) == 30
    for kind in ("table", "picture"):
        said = list(records(f"{kind}_unanswerable_{half}.tsv"))
        assert len(said) == len({one["id"] for one in said}) == 30
        assert all(one["word"].lower() in (one.get("utterance") or one["sentence"]).lower() for one in said)
        assert sum(not one["word"] for one in said) <= 3


@pytest.mark.parametrize("half", HALVES)
def test_programs_agree_with_the_labels_of_four_scenes(half: str) -> None:
    path = FOLDER / f"picture_good_{half}.jsonl"
    programs = {one["sentence"]: one["program"] for one in map(json.loads, path.read_text("utf-8").splitlines())}
    utterances = read_pictures(path).utterances
    assert len(utterances) == len(programs) == 30
    for one in utterances:
        said = run(Extended.parse(programs[one.sentence]), Extended(Worlds(one.contexts))).tolist()
        assert said == list(one.answers)
        assert len(said) == 4
        assert set(said) == {True, False}


def test_no_sentence_is_both_open_and_held_back() -> None:
    said = {half: [" ".join(one.lower().split()) for kind in KINDS for one in sentences(kind, half)] for half in HALVES}
    for all_of_them in said.values():
        assert len(all_of_them) == len(set(all_of_them)) == 50 + 4 * 30
    assert not set(said["open"]) & set(said["held_back"])
