"""Files that commands read and write: plain or .gz, and complete or not there at all."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from chorale.errors import ChoraleError

STANDARD = Path("-")
_GZIP_MAGIC = b"\x1f\x8b"


def read_text(path: Path) -> str:
    """The text of a file, unpacked if it is gzip; `-` is standard input."""
    content = sys.stdin.buffer.read() if path == STANDARD else path.read_bytes()
    if content.startswith(_GZIP_MAGIC):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise ChoraleError(f"{path}: damaged gzip file: {error}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ChoraleError(f"{path}:{line}: not UTF-8: byte 0x{content[error.start]:02x}") from None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open for writing a file that takes the name `path` only once it is complete; packed if that ends in .gz.

    `-` is standard output. Whatever goes wrong before the end, an older file of that name stays as it was.
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        return
    target = Path(os.path.realpath(path))
    special = target.exists() and not target.is_file()  # /dev/null and the like must not be replaced
    part = target if special else target.with_name(f".chorale-{os.getpid()}.part")
    try:
        try:
            with open(part, "wb") as plain:
                if path.suffix == ".gz":
                    with gzip.GzipFile(filename="", mode="wb", fileobj=plain, mtime=0) as packed:
                        yield cast(BinaryIO, packed)
                else:
                    yield plain
            if not special:
                part.replace(target)
        except OSError as error:
            raise ChoraleError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        if not special:
            part.unlink(missing_ok=True)


def write(path: Path, content: bytes) -> None:
    """Write a whole file at once."""
    with replacing(path) as stream:
        stream.write(content)
