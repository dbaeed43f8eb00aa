"""The tutorials are true: Python blocks run in order, print what the page says, and commands do what it says."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
from tests.bar import BLOCK, PAGE, code_of_tutorial, write_bar
from typer.testing import CliRunner

from chorale.cli.main import app
from chorale.training.stages import KINDS

DOCS = Path(__file__).resolve().parents[2] / "docs"
OBJECTIVE = DOCS / "add-an-objective.md"


def steps(page: str) -> Iterator[tuple[int, str, str | None]]:
    """Each Python block with its line and, if a text block comes next, the output that the page promises."""
    blocks = [(page.count("\n", 0, found.start(2)), found[1], found[2]) for found in BLOCK.finditer(page)]
    for (line, kind, text), after in zip(blocks, [*blocks[1:], (0, "", "")], strict=True):
        if kind == "python":
            yield line, text, after[2] if after[1] == "text" else None


@pytest.fixture
def run_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], ModuleType]:
    """Runs the blocks of a page in an empty folder, and compares what they print."""

    def run(page: Path) -> ModuleType:
        module = ModuleType(page.stem.replace("-", "_"))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.chdir(tmp_path)
        for line, code, promised in steps(page.read_text(encoding="utf-8")):
            printed = StringIO()
            with redirect_stdout(printed):
                # Blank lines in front, so that a traceback names the line of the page.
                exec(compile("\n" * line + code, str(page), "exec"), module.__dict__)
            if promised is not None:
                assert printed.getvalue() == promised, f"{page.name}, line {line}"
        return module

    return run


def test_the_page_on_objectives_runs_from_nothing_and_prints_what_it_says(
    run_page: Callable[[Path], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KINDS, "_known", dict(KINDS._known))  # its stage is forgotten afterwards
    assert "uniform" not in KINDS
    run_page(OBJECTIVE)
    assert "uniform" in KINDS


def test_the_tutorial_runs_from_nothing_and_prints_what_it_says(run_page: Callable[[Path], ModuleType]) -> None:
    report = run_page(PAGE).__dict__["report"]
    # What the page shows as an example depends on the machine; that something was learned does not.
    assert report.score.consistency > 0.7
    assert report.score.accuracy > report.baseline_accuracy + 0.2


def blocks(kind: str, heading: str) -> list[str]:
    """The blocks of a kind below a heading of the page."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [found[2] for found in BLOCK.finditer(section) if found[1] == kind]


@pytest.fixture
def bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The working directory of someone who has followed the page: bar.py, the data and a shelf."""
    write_bar(tmp_path)
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(StringIO()):
        exec(compile(code_of_tutorial(), str(PAGE), "exec"), {"__name__": "bar"})
    yield
    sys.modules.pop("bar", None)


@pytest.mark.parametrize(("block", "status"), [(0, 0), (1, 2)])
def test_every_command_knows_the_domain_or_says_what_it_lacks(bar: None, block: int, status: int) -> None:
    commands = blocks("console", "9. From the command line")[block].splitlines()
    assert len(commands) >= 2
    for command in commands:
        name, *words = shlex.split(command)
        assert name == "chorale"
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == status, (command, done.output)
        if status:
            assert "the domain bar has no" in done.output
        else:
            assert done.output.strip() or words[0] == "search"
