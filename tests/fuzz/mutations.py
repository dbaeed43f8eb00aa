"""Small changes of bytes, line by line and, in JSON, value by value: the same random numbers, the same change."""

from __future__ import annotations

import json
from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 10**9, 10**18, 10**30, 0.5, -0.0, 1e308, float("nan"), float("inf")),
    *("", "x", "\0", "\x1b]0;x\x07", "../x", "/etc/passwd", "é", "\ud800", "1" * 50, "x" * 3000),
    *([], [[]], [None], {}, {"x": 1}, {"": {}}, [0] * 50),
)
"""What nobody expects."""

_PIECES = (
    *(b"\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b'"', b"'", b",", b".", b"=", b"#", b"-", b"0", b"9" * 400),
    *(b"[", b"]", b"{", b"}", b"(", b")", b"[" * 1200, b"(" * 300, b"{" * 300, b'{"a":' * 1200, b"\xc2\x9b"),
    *(b"\x1b[31m", "²".encode(), b"e999", b"NaN", b"null", b"true", b"[[x]]", b"a.b.c", b"\\u0000", b"\\ud800"),
)


def mutate(content: bytes, rng: Random) -> bytes:
    """The content with one to four changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        content = rng.choice((_in_json, _in_json, _in_lines, _in_bytes))(content, rng)
    return content


def _in_bytes(content: bytes, rng: Random) -> bytes:
    """A slice taken out, doubled, or replaced by a piece that means something somewhere."""
    start = rng.randint(0, len(content))
    end = min(len(content), start + rng.choice((0, 1, 1, 3, 10, 100)))
    between = rng.choice((b"", content[start:end] * 2, rng.choice(_PIECES), rng.randbytes(rng.randint(1, 4))))
    return content[:start] + between + content[end:]


def _in_lines(content: bytes, rng: Random) -> bytes:
    """A line left out, doubled or moved."""
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2))):
        lines.insert(rng.randint(0, len(lines)), line)
    return b"".join(lines)


def _in_json(content: bytes, rng: Random) -> bytes:
    """One value of one JSON line, or of the whole, made odd, left out or renamed."""
    try:
        return _written(_changed(json.loads(content), rng))
    except (ValueError, RecursionError):
        pass
    lines = content.splitlines()
    if not lines:
        return content
    index = rng.randrange(len(lines))
    try:
        lines[index] = _written(_changed(json.loads(lines[index]), rng))
    except (ValueError, RecursionError):
        return _in_bytes(content, rng)
    return b"\n".join(lines)


def _written(value: Any) -> bytes:
    return json.dumps(value).encode()


def _changed(value: Any, rng: Random) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {name: it for name, it in value.items() if name != key}
        if rng.random() < 0.1:
            return {**value, rng.choice(("x", "", "\x1b", "kind", "file")): rng.choice(ODD)}
        return {**value, key: _changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        index = rng.randrange(len(value))
        if rng.random() < 0.1:
            return value[:index] + value[index + 1 :]
        return [*value[:index], _changed(value[index], rng), *value[index + 1 :]]
    return rng.choice(ODD)
