"""Proposals on the disk: work that was cut anywhere goes on, and gives the same in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from tests.tables.made_up import CITIES, MATCHES

from chorale.domain import Example, Utterance
from chorale.domain.candidates import Candidates, Posed
from chorale.engines.resuming import remove_resumed
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.online import Examples
from chorale.ranker.proposals import NOTHING, proposed_examples
from chorale.ranker.weights import KeyWeights
from chorale.tables.domain import Tables
from chorale.tables.table import Table

QUESTIONS = [
    Example("1", "how many cities are in norland?", (CITIES,), ((2,),)),
    Example("2", "which is it?", (Table(["a"], []),), (("b",),)),
    Example("3", "which opponent was met in 1998?", (MATCHES,), (("Blues",),)),
    Example("4", "which city has no answer?", (CITIES,), (None,)),
    Example("5", "which city is in westreich?", (CITIES,), (("Kalm",),)),
]
SMALL = ProposalSettings(copies=1, meanings=8)


class Counting(KeyedRanker):
    """Notes what it is asked for."""

    def __init__(self, search: ProposalSettings = SMALL, templates: list[str] | None = None) -> None:
        super().__init__(Tables(), "tables", search, KeyWeights.none(), templates)
        self.asked: list[str] = []

    def candidates(self, utterance: Utterance) -> Candidates | None:
        self.asked.append(utterance.sentence)
        return super().candidates(utterance)


def made(folder: Path, ranker: KeyedRanker | None = None, questions: Sequence[Example] = QUESTIONS) -> Examples:
    return proposed_examples(questions, ranker or Counting(), folder / "proposals")


def part_of(folder: Path) -> Path:
    [part] = folder.glob("proposals.*.part")
    return part


def same(one: Examples, other: Examples) -> bool:
    def content(posed: Posed) -> list[object]:
        return [(np.asarray(it).dtype, np.asarray(it).tolist()) for it in map(posed.__getattribute__, names)]

    names = [field.name for field in fields(Posed)]
    return len(one) == len(other) and all(
        content(a) == content(b) and c.tolist() == d.tolist()
        for a, b, c, d in zip(one.posed, other.posed, one.right, other.right, strict=True)
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Examples]:
    """The file, and what is in it."""
    folder = tmp_path_factory.mktemp("whole")
    examples = made(folder)
    return part_of(folder).read_bytes(), examples


def test_every_utterance_has_its_programs_and_which_are_right(whole: tuple[bytes, Examples]) -> None:
    _, examples = whole
    ranker = Counting()
    assert [len(posed) for posed in examples.posed] == [8, 0, 8, 0, 8]
    for question, posed, right in zip(QUESTIONS, examples.posed, examples.right, strict=True):
        if not len(posed):
            assert posed is NOTHING
            continue
        candidates = ranker.candidates(question)
        assert candidates is not None
        [answer] = question.answers
        assert right.tolist() == candidates.right(answer).tolist()
        assert posed.keys.tolist() == ranker.posed(candidates).keys.tolist()
    assert examples.right[0].any()


def ends(content: bytes) -> list[int]:
    """Where each record ends."""
    found, at = [0], 0
    while at < len(content):
        at += 8 + int.from_bytes(content[at : at + 8], "little")
        found.append(at)
    return found


def test_cut_at_any_byte_it_goes_on_and_is_the_same(whole: tuple[bytes, Examples], tmp_path: Path) -> None:
    content, examples = whole
    made(tmp_path)
    part = part_of(tmp_path)
    borders = ends(content)
    near = {border + change for border in (0, *borders[2:4], borders[-1]) for change in (-1, 0, 5, 8, 300)}
    for length in sorted(it for it in near if 0 <= it <= len(content)):
        part.write_bytes(content[:length])
        ranker = Counting()
        assert same(made(tmp_path, ranker), examples), length
        assert part.read_bytes() == content, length
        done = sum(border <= length for border in borders) - 1
        assert ranker.asked == [question.sentence for question in QUESTIONS[done:]], length


@pytest.mark.parametrize(
    "rest",
    [b"\0" * 40, b"\xff" * 40, b"\x07" + b"\0" * 7 + b"rubbish", b"\0" * 7 + b"\1" + b"x"],
    ids=["nothing", "far too long", "no arrays", "too long"],
)
def test_what_a_crash_left_at_the_end_is_cut_off(whole: tuple[bytes, Examples], tmp_path: Path, rest: bytes) -> None:
    content, examples = whole
    made(tmp_path)
    part = part_of(tmp_path)
    part.write_bytes(content[: ends(content)[3]] + rest)
    ranker = Counting()
    assert same(made(tmp_path, ranker), examples)
    assert ranker.asked == [question.sentence for question in QUESTIONS[3:]]
    assert part.read_bytes() == content


def test_what_is_done_is_not_done_again(whole: tuple[bytes, Examples], tmp_path: Path) -> None:
    made(tmp_path)
    ranker = Counting()
    assert same(made(tmp_path, ranker), whole[1])
    assert ranker.asked == []


def test_other_data_settings_or_templates_start_anew(tmp_path: Path) -> None:
    made(tmp_path)
    names = Counting().proposing.names[:-1]
    first, *rest = QUESTIONS
    changed = Table(CITIES.header, [["Kalm", *row[1:]] for row in CITIES.rows])
    others = [
        (Counting(), [replace(first, contexts=(changed,)), *rest]),  # another table, such as its file has it now
        (Counting(), [replace(first, answers=((3,),)), *rest]),
        (Counting(), [replace(first, sentence="how many?"), *rest]),
        (Counting(SMALL.model_copy(update={"copies": 2})), QUESTIONS),
        (Counting(SMALL, names), QUESTIONS),
    ]
    for ranker, questions in others:
        before = part_of(tmp_path)
        made(tmp_path, ranker, questions)
        assert len(ranker.asked) == len(QUESTIONS)
        assert part_of(tmp_path) != before


def test_every_utterance_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    out = tmp_path / "proposals"
    proposed_examples(QUESTIONS, Counting(), out, tick=lambda done, of: told.append((done, of)))
    assert told == [(done, 5) for done in range(1, 6)]


def test_what_is_no_longer_needed_is_removed_and_nothing_else(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "proposals.txt").write_text("mine")
    remove_resumed(tmp_path / "proposals")
    assert [path.name for path in tmp_path.iterdir()] == ["proposals.txt"]
