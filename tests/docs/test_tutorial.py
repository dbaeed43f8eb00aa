"""The tutorial is true: its Python blocks run in order, and print what the page says they print."""

import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "your-own-domain.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(page: str) -> Iterator[tuple[int, str, str | None]]:
    """Each Python block with its line and, if a text block comes next, the output that the page promises."""
    blocks = [(page.count("\n", 0, found.start(2)), found[1], found[2]) for found in BLOCK.finditer(page)]
    for (line, kind, text), after in zip(blocks, [*blocks[1:], (0, "", "")], strict=True):
        if kind == "python":
            yield line, text, after[2] if after[1] == "text" else None


def test_the_tutorial_runs_from_nothing_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("your_own_domain")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(tmp_path)
    for line, code, promised in steps(PAGE.read_text(encoding="utf-8")):
        printed = StringIO()
        with redirect_stdout(printed):
            # Blank lines in front, so that a traceback names the line of the page.
            exec(compile("\n" * line + code, str(PAGE), "exec"), module.__dict__)
        if promised is not None:
            assert printed.getvalue() == promised, f"{PAGE.name}, line {line}"
    report = module.__dict__["report"]
    # What the page shows as an example depends on the machine; that something was learned does not.
    assert report.score.consistency > 0.7
    assert report.score.accuracy > report.baseline_accuracy + 0.2
