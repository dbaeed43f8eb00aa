"""What the documents claim can be measured: `make bench` runs the scripts behind the figures of the results page."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def test_make_bench_runs_every_script_whose_figure_is_claimed() -> None:
    bench = (ROOT / "Makefile").read_text().partition("\nbench:")[2].partition("\n\n")[0]
    claimed = set(re.findall(r"`python benchmarks/(\w+)\.py", RESULTS))
    assert claimed
    assert all(re.search(rf"\b{name}\b", bench) for name in claimed)
