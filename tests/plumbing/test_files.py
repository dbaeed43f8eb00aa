"""Files: read within limits, written completely or not at all."""

import gzip
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.plumbing import files
from chorale.plumbing.files import (
    checked,
    hash_of_file,
    lines,
    locked,
    read_bytes,
    read_json,
    read_plain,
    read_text,
    replacing,
    sha256,
    write,
)

BYTES = st.binary(max_size=200)


@given(BYTES)
def test_lines_are_those_of_the_whole_file(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("files")
    plain = content.removeprefix(b"\xef\xbb\xbf")
    split = plain.split(b"\n")
    expected = split[:-1] if split[-1] == b"" and (plain or not content) else split
    for name, written in (("a.txt", content), ("a.gz", gzip.compress(content))):
        if name == "a.txt" and content.startswith(b"\x1f\x8b"):
            continue
        (folder / name).write_bytes(written)
        found = list(lines(folder / name))
        assert [line for _, line in found] == (expected if content else [])
        assert [number for number, _ in found] == list(range(1, len(found) + 1))
        assert read_bytes(folder / name) == content


@pytest.mark.parametrize("inside", [b"\n", b"{}\n", b"0"])
def test_a_packed_file_that_unpacks_to_far_more_than_text_does_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bytes
) -> None:
    monkeypatch.setattr(files, "ALWAYS_FINE", 1 << 16)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(inside * (1 << 20)))
    for read in (lambda: sum(1 for _ in lines(path)), lambda: read_bytes(path), lambda: read_text(path)):
        with pytest.raises(ChoraleError, match=r"bomb\.gz: unpacks to more than|longer than|are empty"):
            read()


def test_many_empty_lines_are_refused_and_a_few_among_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_EMPTY", 10)
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"\n" * 10 + b"{}\n\n" * 20)
    assert sum(1 for _ in lines(path)) == 50
    path.write_bytes(b"{}\n \t\r\n\n" * 20)
    with pytest.raises(ChoraleError, match=r"lines\.jsonl:33: most lines up to here are empty, 22 of them"):
        sum(1 for _ in lines(path))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["a pipe", "a device", "a folder"])
@pytest.mark.parametrize("read", [read_json, partial(checked, wanted=""), read_plain], ids=["json", "hash", "plain"])
def test_what_may_have_no_end_is_no_file_that_chorale_wrote(
    tmp_path: Path, read: Callable[[Path], object], kind: str
) -> None:
    path = tmp_path / "model.json"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(ChoraleError, match=rf"model\.json: expected a plain file, found {kind}"):
        read(path)


def test_a_link_to_a_plain_file_is_read_and_a_file_that_is_too_large_is_not(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b'{"a": 1}')
    (tmp_path / "link").symlink_to(tmp_path / "there")
    assert read_json(tmp_path / "link") == {"a": 1}
    with pytest.raises(ChoraleError, match="larger than 0 KiB"):
        read_plain(tmp_path / "there", 7)


def test_keys_that_stand_in_a_file_twice_are_refused(tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text('{"a": 1, "b": [{"c": 1, "c": 2}]}')
    with pytest.raises(ChoraleError, match=r"it\.json: damaged, this is not JSON: the key 'c' occurs twice"):
        read_json(tmp_path / "it.json")


def test_a_line_without_an_end_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_LINE", 1 << 20)
    (tmp_path / "a.jsonl").write_bytes(b"{}\n" + b"x" * (1 << 21))
    with pytest.raises(ChoraleError, match=r"a\.jsonl:2: this line is longer than 1 MiB"):
        list(lines(tmp_path / "a.jsonl"))


def test_what_cannot_be_read_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"hello" * 1000)[:-20])
    (tmp_path / "plain.gz").write_bytes(b"hello")
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    for name, message in (
        ("nothing", "no such file"),
        (".", "this is a folder"),
        ("cut.gz", "damaged gzip file"),
        ("plain.gz", "named .gz but not a gzip file"),
        ("latin", "latin:1: not UTF-8: byte 0xe9"),
        ("a\0b", "not a file name"),
    ):
        with pytest.raises(ChoraleError, match=message):
            read_text(tmp_path / name)


@given(BYTES)
def test_what_is_written_is_read_again_and_equal_texts_give_equal_bytes(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("files")
    for name in ("a.bin.gz", "b.bin.gz"):
        write(folder / name, content)
    assert read_bytes(folder / "a.bin.gz") == content
    assert (folder / "a.bin.gz").read_bytes() == (folder / "b.bin.gz").read_bytes()
    write(folder / "plain", content)
    assert hash_of_file(folder / "plain") == sha256(content)
    assert checked(folder / "plain", sha256(content)) == content
    assert sorted(path.name for path in folder.iterdir()) == ["a.bin.gz", "b.bin.gz", "plain"]


def test_a_failure_in_the_middle_leaves_the_older_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as stream:
        stream.writelines([b"half", 3])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert [it.name for it in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="cannot be written: there is no folder"):
        write(tmp_path / "nowhere" / "a.txt", b"")


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", "busy"):
        second = locked(tmp_path / "lock", "busy")
        with pytest.raises(ChoraleError, match="busy"), second:
            pass
    with locked(tmp_path / "lock", "busy"):
        pass


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    write(tmp_path / "a", b"one")
    with pytest.raises(ChoraleError, match="damaged or changed"):
        checked(tmp_path / "a", sha256(b"two"))
    with pytest.raises(ChoraleError, match="missing"):
        checked(tmp_path / "b", sha256(b"two"))
