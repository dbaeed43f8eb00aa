"""The examples run, say something, and are short."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.py"))


def test_there_are_four() -> None:
    assert [path.stem for path in EXAMPLES] == [
        "ask_a_table",
        "parse_a_picture",
        "train_on_your_data",
        "your_own_domain",
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    assert sum(bool(line) for line in path.read_text().splitlines()) < 60
    done = subprocess.run([sys.executable, path, tmp_path], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") >= 3
