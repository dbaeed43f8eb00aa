"""Meanings on the disk: a search that was cut anywhere goes on, and gives the same in the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from chorale.domain import Reading, Unlabelled, Utterance
from chorale.nlvr.domain import Nlvr
from chorale.ranker.ranker import Ranker
from chorale.ranker.searched import searched
from chorale.search.from_words import WordsSettings

SAID = [
    Unlabelled(sentence, ())
    for sentence in ("There is a blue block", "hello world", "There are two yellow circles", "A box has a black item")
]
SMALL = WordsSettings(max_actions=9, meanings=6, contexts=20)


class Counting(Ranker):
    """Notes what it is asked for."""

    def __init__(self, search: WordsSettings = SMALL) -> None:
        super().__init__(Nlvr(), "consistent", search, {})
        self.asked: list[str] = []

    def candidates(self, utterance: Utterance) -> list[Reading]:
        self.asked.append(utterance.sentence)
        return super().candidates(utterance)


def found(folder: Path, ranker: Ranker, data: str = "hash") -> list[list[Reading]]:
    return searched(SAID, ranker, folder / "readings", data=data)


def part_of(folder: Path) -> Path:
    [part] = folder.glob("readings.*.part")
    return part


@pytest.fixture(scope="module")
def whole() -> list[list[Reading]]:
    ranker = Counting()
    return [ranker.candidates(utterance) for utterance in SAID]


def test_what_is_read_again_is_what_was_found(whole: list[list[Reading]], tmp_path: Path) -> None:
    assert found(tmp_path, Counting()) == whole
    again = Counting()
    assert found(tmp_path, again) == whole
    assert again.asked == []
    assert sum(map(len, whole)) > len(SAID)


def test_cut_at_any_byte_it_goes_on_and_is_the_same(whole: list[list[Reading]], tmp_path: Path) -> None:
    found(tmp_path, Counting())
    part = part_of(tmp_path)
    content = part.read_bytes()
    ends = [at + 1 for at, byte in enumerate(content) if byte == ord("\n")]
    for length in (0, 1, ends[0] - 1, ends[0], ends[0] + 5, ends[2], len(content) - 1):
        part.write_bytes(content[:length])
        ranker = Counting()
        assert found(tmp_path, ranker) == whole, length
        assert ranker.asked == [it.sentence for it in SAID[sum(end <= length for end in ends) :]], length
        assert part.read_bytes() == content


@pytest.mark.parametrize("rest", [b"\0\0\0\n", b"[[1]]\n", b'[["circle(", 0, 0, 0, []]]\n', b"{"])
def test_what_a_crash_left_at_the_end_is_cut_off(whole: list[list[Reading]], tmp_path: Path, rest: bytes) -> None:
    found(tmp_path, Counting())
    part = part_of(tmp_path)
    content = part.read_bytes()
    part.write_bytes(content[: content.index(b"\n") + 1] + rest)
    assert found(tmp_path, Counting()) == whole
    assert part.read_bytes() == content


def test_other_data_or_settings_start_anew(tmp_path: Path) -> None:
    found(tmp_path, Counting())
    for ranker, data in ((Counting(), "other"), (Counting(SMALL.model_copy(update={"meanings": 5})), "hash")):
        found(tmp_path, ranker, data)
        assert len(ranker.asked) == len(SAID)
