"""The page on files: every option that names a file is one that is only read, or stands in the table of writers."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

from chorale.cli.main import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
READ = {
    *("context", "image", "scene", "data", "examples", "files", "file", "picture", "run", "named", "model", "after"),
    *("runs", "runs_a", "runs_b", "folder", "others"),
}
"""Parameters that name what is read, whatever the command."""
READ_THERE = {("run", "programs"), ("teach", "marks"), ("ask", "table")}
WRITTEN_THERE = {("search", "picture")}


def writers() -> set[tuple[str, str]]:
    """The commands and parameters that write, by the names of their parameters."""
    found = set()
    for command in COMMANDS:
        called = inspect.unwrap(getattr(import_module(f"chorale.cli.{command}"), command))
        for name, parameter in inspect.signature(called).parameters.items():
            is_read = name in READ and (command, name) not in WRITTEN_THERE
            if "Path" in str(parameter.annotation) and not is_read and (command, name) not in READ_THERE:
                found.add((command, name))
    return found


def test_every_option_that_is_written_to_stands_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)[^|]*` \| `([\w-]+)` \|", PAGE, re.MULTILINE)
    assert {(command, where.lstrip("-").lower()) for command, where in rows} == writers()
    assert ("mark", "marks") in writers()
