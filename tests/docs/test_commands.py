"""The page of commands says what `--help` says."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from chorale.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_tool_writes() -> None:
    spec = spec_from_file_location("commands", ROOT / "tools" / "commands.py")
    assert spec is not None
    assert spec.loader is not None
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.page() == PAGE, "run: python tools/commands.py > docs/commands.md"


def test_every_command_has_a_section_and_no_other_has() -> None:
    assert sorted(re.findall(r"^## (\w+)$", PAGE, re.MULTILINE)) == sorted(COMMANDS)
