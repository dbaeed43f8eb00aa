"""Docstrings are written as plain text for `help()`; the site reads them as Markdown. This makes the one the other.

A paragraph that is an example (`>>>`), or with words in columns, becomes a block of code. The rest is left alone.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_COLUMNS = re.compile(r"\S {2,}\S")


def as_markdown(docstring: str) -> str:
    r"""The docstring with its examples and tables as blocks of code.

    >>> as_markdown("It adds.\n\n>>> add(1, 2)\n3")
    'It adds.\n\n```pycon\n>>> add(1, 2)\n3\n```'
    """
    return "\n\n".join(_block(paragraph) for paragraph in re.split(r"\n\s*\n", docstring.strip("\n")))


def _block(paragraph: str) -> str:
    if paragraph.startswith("    "):
        return paragraph  # a block of code already
    if paragraph.startswith(">>> "):
        return f"```pycon\n{paragraph}\n```"
    return f"```text\n{paragraph}\n```" if _COLUMNS.search(paragraph) else paragraph


class Docstrings(Extension):
    """Called for every module, class, function and attribute of the reference."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
