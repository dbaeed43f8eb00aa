"""Bytes as text: a byte order mark says which, else UTF-8, else what Windows wrote in western Europe."""

from __future__ import annotations

import codecs

from chorale.errors import ChoraleError
from chorale.tables.source import Note

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(content: bytes, encoding: str | None, where: object) -> tuple[str, str, list[Note]]:
    """The text, its encoding, and a note if that was a guess."""
    notes = []
    if encoding is None:
        encoding = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if encoding is None:
        encoding, position = _guessed(content)
        if position is not None:
            text = f"line {_line(content, position)} is not UTF-8 and was read as {encoding}"
            notes.append(Note(text, "encoding", "latin-1" if encoding == "cp1252" else "cp1252"))
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ChoraleError(
            f"{where}:{_line(content, error.start)}: not {encoding}: byte 0x{content[error.start]:02x}; "
            "name another encoding, such as cp1252"
        ) from None
    except (LookupError, ValueError) as error:
        raise ChoraleError(f"encoding: {encoding!r:.40}: {error}; expected one such as utf-8 or cp1252") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ChoraleError(
            f"{where}:{line}: a byte of zeros: this is not text, or its encoding is another, such as utf-16-le"
        )
    return text.removeprefix("\ufeff"), encoding, notes


def _guessed(content: bytes) -> tuple[str, int | None]:
    """The encoding of bytes without a mark, and where they are not UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        try:
            content.decode("cp1252")
        except UnicodeDecodeError:
            return "latin-1", error.start
        return "cp1252", error.start
    return "utf-8", None


def _line(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1
