"""Files under way: nobody can guess their names, and no link that a stranger planted is followed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from chorale.errors import ChoraleError
from chorale.plumbing import parts
from chorale.plumbing.files import alone, append_line, replacing, unfinished, write
from chorale.plumbing.parts import Part, followed, remove_abandoned, sweep


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file that nobody may change."""
    path = tmp_path / "victim"
    path.write_bytes(b"precious")
    return path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_part_has_another_name_each_time_and_is_not_left_behind(tmp_path: Path) -> None:
    seen = set()
    for _ in range(5):
        with replacing(tmp_path / "a") as stream:
            seen |= names(tmp_path) - {"a"}
            stream.write(b"1")
    assert len(seen) == 5
    assert names(tmp_path) == {"a"}


def test_a_part_never_takes_what_is_there(tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.secrets, "token_hex", lambda _: "0" * 16)  # as if somebody had guessed
    os.symlink(victim, tmp_path / f".a.{'0' * 16}.part")
    with pytest.raises(ChoraleError, match="cannot be written"):
        write(tmp_path / "a", b"1")
    assert victim.read_bytes() == b"precious"
    assert not (tmp_path / "a").exists()


def test_a_file_with_a_long_name_has_a_part(tmp_path: Path) -> None:
    write(tmp_path / ("\u00e9" * 127), b"1")
    assert len(names(tmp_path)) == 1


def test_what_was_private_stays_private(tmp_path: Path) -> None:
    write(tmp_path / "a", b"1")
    (tmp_path / "a").chmod(0o600)
    with replacing(tmp_path / "a") as stream:
        [part] = names(tmp_path) - {"a"}
        assert (tmp_path / part).stat().st_mode & 0o077 == 0
        stream.write(b"2")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_only_what_is_abandoned_is_swept(tmp_path: Path, victim: Path) -> None:
    alive, dead = Part(tmp_path / "a"), Part(tmp_path / "b")
    os.close(dead.handle)
    os.symlink(victim, tmp_path / f".c.{'1' * 16}.part")
    os.mkfifo(tmp_path / f".d.{'2' * 16}.part")
    (tmp_path / ".mine.part").write_text("no name of ours")
    parts._swept.discard(tmp_path)
    sweep(tmp_path)
    kept = {"victim", f".c.{'1' * 16}.part", f".d.{'2' * 16}.part", ".mine.part", alive.path.name}
    assert names(tmp_path) == kept
    assert victim.read_bytes() == b"precious"
    remove_abandoned(alive.path)
    alive.discard()
    assert names(tmp_path) == kept - {alive.path.name}


def _unfinished(path: Path) -> None:
    with unfinished(path, {"data": 1}, "search") as (_, part):
        part.write_bytes(b"stranger")


WRITERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "append_line": ("log.jsonl", lambda folder: append_line(folder / "log.jsonl", {"a": 1})),
    "unfinished": ("out.*.part", lambda folder: _unfinished(folder / "out")),
    "a lock": (".out.lock", lambda folder: alone(folder / "out", "busy").__enter__()),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_link_in_the_place_of_a_file_with_a_known_name_is_not_followed(
    tmp_path: Path, victim: Path, name: str
) -> None:
    pattern, act = WRITERS[name]
    folder = tmp_path / "folder"
    folder.mkdir()
    if name == "unfinished":  # how its part is called
        with unfinished(folder / "out", {"data": 1}, "search"):
            [found] = folder.glob(pattern)
        found.unlink()
        pattern = found.name
    os.symlink(victim, folder / pattern)
    with pytest.raises(ChoraleError):
        act(folder)
    assert victim.read_bytes() == b"precious"


def test_work_goes_on_in_a_plain_file_of_our_own_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _unfinished(tmp_path / "out")
    _unfinished(tmp_path / "out")
    [part] = tmp_path.glob("*.part")
    os.link(part, tmp_path / "second-name")
    with pytest.raises(ChoraleError, match="not a file that Chorale wrote"):
        _unfinished(tmp_path / "out")
    (tmp_path / "second-name").unlink()
    monkeypatch.setattr(parts, "owner", lambda: os.geteuid() + 1)
    with pytest.raises(ChoraleError, match="unfinished work of another user"):
        _unfinished(tmp_path / "out")


def test_links_of_others_in_a_folder_of_everybodys_are_not_followed(
    tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybodys = tmp_path / "everybodys"
    everybodys.mkdir()
    os.symlink(victim, everybodys / "a")
    os.symlink(tmp_path, everybodys / "folder")
    write(everybodys / "a", b"my own link")  # which I may follow
    assert (everybodys / "a").is_symlink()
    assert victim.read_bytes() == b"my own link"
    everybodys.chmod(0o1777)
    real = os.stat(everybodys)
    monkeypatch.setattr(parts, "owner", lambda: real.st_uid + 1)  # now they are a stranger's ...
    assert followed(everybodys / "a") == victim  # ... who owns the folder, as Linux has it
    monkeypatch.setattr(parts, "_folder_of", lambda path: os.stat_result((*real[:4], real.st_uid + 2, *real[5:])))
    for path in (everybodys / "a", everybodys / "folder" / "new"):
        with pytest.raises(ChoraleError, match="a link that another user put into a shared folder"):
            write(path, b"2")
    assert victim.read_bytes() == b"my own link"
