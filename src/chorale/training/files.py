"""Files that are complete or not there at all, whatever moment the machine stops at."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError

_PART = ".part"


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file that takes its name only once all of it is on the disk."""
    part = path.with_name(f".{path.name}.{os.getpid()}{_PART}")
    try:
        with open(part, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
        _sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, for people as well."""
    write_atomically(path, (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode())


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ChoraleError(f"{path}: no such file") from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ChoraleError(f"{path}: damaged, this is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ChoraleError(f"{path}: damaged, expected a JSON object")
    return value


def append_line(path: Path, value: dict[str, Any]) -> int:
    """Add a JSON line to a file; gives back how long the file now is."""
    with open(path, "ab") as stream:
        stream.write((json.dumps(value, ensure_ascii=False) + "\n").encode())
        stream.flush()
        os.fsync(stream.fileno())
        return stream.tell()


def truncate(path: Path, length: int) -> None:
    """Forget what was added to a file behind its first `length` bytes."""
    have = path.stat().st_size if path.exists() else 0
    if have < length:
        raise ChoraleError(f"{path}: damaged, {have} bytes are left of at least {length}")
    if have > length:
        os.truncate(path, length)


def sha256(content: bytes) -> str:
    """The fingerprint of some bytes."""
    return hashlib.sha256(content).hexdigest()


def clear_parts(folder: Path) -> None:
    """Remove what writers that were killed left behind."""
    for part in folder.rglob(f".*{_PART}"):
        part.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself last; a system that cannot do so for folders does it by itself."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
