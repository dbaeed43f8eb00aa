"""Where in a TOML text a key stands; tomllib does not say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache


def line_of(text: str, where: tuple[str | int, ...]) -> int | None:
    """The line of a key such as ("mml", "epochs") or ("stages", 2, "epochs"), or of the nearest thing around it.

    >>> line_of('name = "a"\\n[mml]\\nepochs = 0', ("mml", "epochs"))
    3
    """
    code = _without_strings(text)
    offset = 0
    for part in _steps(where):
        start = _find(code, part, offset, top=offset == 0)
        if start is None:
            return code.count("\n", 0, offset) + 1 if offset else None
        offset = start
    return code.count("\n", 0, offset) + 1


def _steps(where: tuple[str | int, ...]) -> Iterator[str | tuple[str, int]]:
    """The parts of a key, with a list's name and number as one."""
    offset = 0
    while offset < len(where):
        part = str(where[offset])
        number = where[offset + 1] if offset + 1 < len(where) else None
        if isinstance(number, int):
            yield part, number
            offset += 2
        else:
            yield part
            offset += 1


def _find(code: str, part: str | tuple[str, int], start: int, top: bool) -> int | None:
    if isinstance(part, tuple):
        name, number = part
        headers = list(re.finditer(rf"^[ \t]*\[\[[ \t]*{re.escape(name)}[ \t]*\]\]", code, re.MULTILINE))
        if headers:
            return headers[number].end() if number < len(headers) else None
        opening = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=", re.MULTILINE).search(code)
        braces = list(re.finditer(r"\{", code[opening.end() :])) if opening else []
        return opening.end() + braces[number].end() if opening and number < len(braces) else None
    key = re.escape(part)
    if top:
        before_tables = re.search(r"^[ \t]*\[", code, re.MULTILINE)
        plain = re.compile(rf"^[ \t]*(?={key}[ \t]*=)", re.MULTILINE).search(code)
        if plain and (before_tables is None or plain.start() < before_tables.start()):
            return plain.end()
        header = re.search(rf"^[ \t]*\[[ \t]*(?={key}[ \t]*\])", code, re.MULTILINE)
        return header.end() if header else None
    end = re.compile(r"^[ \t]*\[", re.MULTILINE).search(code, start)
    closing = re.compile(r"\}").search(code, start)
    inline = code.rfind("{", 0, start) == start - 1
    limit = closing.start() if inline and closing else end.start() if end else len(code)
    match = re.compile(rf"(?<![\w-]){key}(?=[ \t]*=)").search(code, start, limit)
    return match.start() if match else None


_STRING = re.compile(r'"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*')


@lru_cache(maxsize=1)  # many keys of one text are looked for
def _without_strings(text: str) -> str:
    """The text with strings and comments blanked, so that nothing in them is taken for a key; lines stay."""
    return _STRING.sub(lambda string: re.sub(r"[^\n]", "_", string.group()), text)
