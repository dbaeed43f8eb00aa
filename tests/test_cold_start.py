"""`chorale parse` is mostly imports: what a sentence alone does not need is not loaded (benchmarks/cold_start.py)."""

import subprocess
import sys

NOT_NEEDED = (
    "PIL",
    "chorale.evaluation.probe",
    "chorale.explain",
    "chorale.nlvr.pictures.drawing",
    "chorale.nlvr.pictures.pixels",
    "chorale.ranker.learning",
    "chorale.runs.run",
    "torch",
)
SCRIPT = """
import sys
from typer.testing import CliRunner
from chorale.cli.main import app
result = CliRunner().invoke(app, ["parse", "There is a yellow block."])
assert result.exit_code == 0, result.output
print(*sys.modules)
"""


def test_a_sentence_is_parsed_without_what_draws_explains_and_teaches() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "chorale.ranker.ranker" in loaded
    assert not loaded & set(NOT_NEEDED)
