"""The domain of the tutorial, made of the blocks of its page: what a reader has who has followed it."""

import ast
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "your-own-domain.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELF = '[["red", true], ["green", false]]'


def code_of_tutorial() -> str:
    """The Python of the page, up to the data."""
    page = PAGE.read_text(encoding="utf-8").partition("\n## 5. ")[0]
    return "\n".join(found[2] for found in BLOCK.finditer(page) if found[1] == "python")


def definitions(code: str) -> str:
    """The imports, assignments, classes and functions of some code."""
    kept = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.ClassDef, ast.FunctionDef)
    return "\n".join(ast.unparse(node) for node in ast.parse(code).body if isinstance(node, kept))


def write_bar(folder: Path) -> None:
    """bar.py, as a module that can be imported; and a shelf."""
    (folder / "bar.py").write_text(definitions(code_of_tutorial()))
    (folder / "shelf.json").write_text(SHELF)
