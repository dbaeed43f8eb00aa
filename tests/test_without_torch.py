"""Torch is an extra: everything but networks works without it, and whoever wants a network is told what to install."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.training.conftest import tiny  # noqa: F401 - a fixture
from tests.training.stages.test_ranker import SMALL

BEFORE = Path(__file__).parent / "runs" / "before"
SENTENCE = "There is a box with a yellow item"
MISSING = "this needs torch; install the extra: pip install 'chorale[network]'"
SCRIPT = """
import json, sys
calls, is_missing = json.loads(sys.argv[1]), sys.argv[2] == "missing"
if is_missing:
    sys.modules["torch"] = None  # whoever imports it finds that it is not installed
from typer.testing import CliRunner
from chorale.cli.main import app
said = []
for words in calls:
    result = CliRunner().invoke(app, words)
    said.append([result.exit_code, result.stdout, result.stderr])
    if not isinstance(result.exception, SystemExit | None):
        said[-1][2] += repr(result.exception)
print(json.dumps([said, "torch" in sys.modules and not is_missing]))
"""


def called(calls: list[list[str]], torch: str) -> tuple[list[tuple[int, str, str]], bool]:
    """Status, output and errors of some commands, called in one process, and whether torch was imported there."""
    words = [sys.executable, "-c", SCRIPT, json.dumps(calls), torch]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    said, is_imported = json.loads(done.stdout)
    return [tuple(one) for one in said], is_imported


@pytest.mark.parametrize("torch", ["missing", pytest.param("installed", marks=pytest.mark.slow)])
def test_everything_but_networks_works_without_torch(tiny: Path, tmp_path: Path, torch: str) -> None:  # noqa: F811
    recipe, out = tmp_path / "small.toml", tmp_path / "runs" / "small"
    recipe.write_text(SMALL)
    dev = str(tiny / "dev.jsonl.gz")
    calls = [
        ["--help"],
        ["parse", SENTENCE],
        ["explain", SENTENCE, "--html", str(tmp_path / "page.html")],
        ["evaluate", "--data", dev],
        ["predict", "--data", dev, "--out", str(tmp_path / "said.csv"), "--jobs", "1"],
        ["search", "--data", dev, "--out", str(tmp_path / "found.jsonl"), "--max-actions", "7", "--jobs", "1"],
        ["recipes"],
        ["train", "--keys"],
        ["train", str(recipe), "--data", str(tiny), "--out", str(out)],
        ["evaluate", str(out), "--data", dev],
        ["runs", str(tmp_path / "runs")],
        ["report", str(out), "--data", dev, "--out", str(tmp_path / "report.html")],
        ["models"],
    ]
    said, is_imported = called(calls, torch)
    assert [(words, *one) for words, one in zip(calls, said, strict=True) if one[0] != 0] == []
    assert not is_imported
    keys = said[7][1]
    assert "mml.learning_rate" in keys, "what a recipe may say of networks is known without torch"
    versions = json.loads((out / "run.json").read_text())["versions"]
    assert versions["threads"] == "1"


def test_whoever_wants_a_network_is_told_what_to_install(tiny: Path, tmp_path: Path) -> None:  # noqa: F811
    dev, out = str(tiny / "dev.jsonl.gz"), str(tmp_path / "run")
    calls = [
        ["parse", "consistency", SENTENCE],
        ["evaluate", str(BEFORE), "--data", dev],
        ["predict", "consistency", "--data", dev, "--out", out],
        ["train", str(tiny / "tiny.toml"), "--data", str(tiny), "--out", out],
        ["train", "best", "--data", str(tiny), "--out", out, "--device", "cuda"],
        ["sweep", str(tiny / "tiny.toml"), "--data", str(tiny), "--out", out],
        ["folds", str(tiny / "tiny.toml"), "--data", str(tiny), "--out", out],
        ["reproduce", "--rows", "language", "--out", out],
    ]
    said, _ = called(calls, "missing")
    for words, (status, _, errors) in zip(calls, said, strict=True):
        assert (status, MISSING in " ".join(errors.split())) == (2, True), (words, errors)
        assert "Traceback" not in errors


LOADING = """
import sys
sys.modules["torch"] = None
import chorale
from chorale.errors import ChoraleError
assert chorale.load("best").parse(sys.argv[1])
try:
    chorale.load("consistency")
except ChoraleError as error:
    print(error)
"""


def test_the_python_api_says_so_too() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING, SENTENCE], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == MISSING
