"""The page about the house: every file and function it names is there, and both walks are short."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
STEP = re.compile(r"^\| (\d+) \| `([\w/.]+)` \| `(\w+)` \|", re.MULTILINE)


def test_every_step_of_both_walks_names_what_is_there() -> None:
    steps = STEP.findall(PAGE)
    assert [number for number, _, _ in steps] == [str(n) for _ in range(2) for n in range(1, 13)]
    for _, file, name in steps:
        tree = ast.parse((ROOT / "src" / "chorale" / file).read_text())
        named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert name in named, f"{file} has no {name}"


def test_every_room_has_its_row() -> None:
    rows = set(re.findall(r"^\| `([\w.]+)/?` \|", PAGE, re.MULTILINE))
    inside = {path.name for path in (ROOT / "src" / "chorale").iterdir()}
    rooms = {name for name in inside if not name.startswith("_")} - {"models", "py.typed"}
    assert rows == rooms
