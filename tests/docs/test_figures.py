"""The README lists every command, and no other; `make bench` runs the scripts behind its figures."""

import re
from pathlib import Path

from chorale.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_lists_every_command_and_no_other() -> None:
    section = README.partition("\n## Commands\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `chorale (\w+)", section, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


def test_make_bench_runs_every_script_whose_figure_is_claimed() -> None:
    bench = (ROOT / "Makefile").read_text().partition("\nbench:")[2].partition("\n\n")[0]
    claimed = set(re.findall(r"`python benchmarks/(\w+)\.py", README))
    assert claimed
    assert all(re.search(rf"\b{name}\b", bench) for name in claimed)
