"""What does not fit into memory goes to a file that nobody has to clean up."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from chorale.errors import ChoraleError
from chorale.plumbing.scratch import scratch

TABLE = "CREATE TABLE word (text TEXT)"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs a list of open files, as Linux has it")
def test_what_is_written_lies_on_the_disk_in_a_file_without_a_name() -> None:
    with scratch(TABLE) as database:
        database.executemany("INSERT INTO word VALUES (?)", (("x" * 10_000,) for _ in range(2_000)))  # 20 MB
        links = list(Path("/proc/self/fd").iterdir())
        files = [str(link.readlink()) for link in links if os.path.lexists(link)]
        assert any("etilqs" in file and file.endswith("(deleted)") for file in files)


def test_a_database_that_fails_is_told_in_words() -> None:
    with pytest.raises(ChoraleError, match="cannot be used: database or disk is full; is there room"), scratch(TABLE):
        raise sqlite3.OperationalError("database or disk is full")


def test_other_errors_are_left_alone() -> None:
    with pytest.raises(KeyError), scratch(TABLE):
        raise KeyError
