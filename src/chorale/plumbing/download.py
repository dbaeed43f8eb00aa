"""Data sets from their authors: fetched, resumed where a transfer was cut short, and checked by their hashes."""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from chorale.errors import ChoraleError
from chorale.plumbing.files import alone, naming
from chorale.plumbing.parts import ENDING, resumable

_CHUNK = 1 << 16
_COUNT = re.compile("[0-9]{1,15}")
_TIMEOUT = 30  # seconds without a byte
MOST_BYTES = 64 << 20
"""No file of a data set is larger, so a server that sends more is not listened to."""

Watch = Callable[[str, int, int | None], None]
"""Is called with the name of a file, how many bytes are there, and how many there will be if that is known."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a data set, as it was published."""

    name: str
    """Where it goes, below the folder of the data set."""
    path: str
    """Below the base address."""
    blob: str | None = None
    """Its git blob hash: sha1 of `blob SIZE`, a zero byte and the content."""
    sha256: str | None = None
    """The hash of the content. None for a split that nobody who works on Chorale opens; git's hash covers it."""

    @property
    def hash(self) -> str:
        """What the content is known by."""
        return self.blob or self.sha256 or ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set on the internet."""

    base: str
    files: tuple[RemoteFile, ...]
    licence: str


def download(
    data: DataSet,
    folder: Path,
    base: str | None = None,
    *,
    report: Callable[[str], None] = lambda _: None,
    watch: Watch = lambda *_: None,
) -> None:
    """Bring a data set to a folder; if that fails before anything is there, the folder is not left behind either."""
    base = data.base if base is None else base
    _check_address(base)
    made = [it for it in (folder, *folder.parents) if not it.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in data.files:
            report(_fetch(file, base.rstrip("/"), folder, watch))
    finally:
        for it in made:
            if it.is_dir() and not any(it.iterdir()):
                it.rmdir()


def _check_address(base: str) -> None:
    """Refuse what is not an address, before anything is requested."""
    try:
        parts = urllib.parse.urlsplit(base)
        fine = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is not a number, brackets without an end
        fine = False
    if not fine or not base.isascii() or not base.isprintable() or " " in base:
        raise ChoraleError(f"--base-url {base!r:.80}: expected an address such as https://example.org/nlvr")


def _fetch(file: RemoteFile, base: str, folder: Path, watch: Watch) -> str:
    """Bring one file to a folder; returns what became of it."""
    target = folder / file.name
    if target.exists():
        if _is_right(file, target):
            return f"{target}: already there"
        raise ChoraleError(f"{target}: there is another file of this name; move it away, or choose another --out")
    target.parent.mkdir(exist_ok=True, parents=True)
    with alone(target, f"{target}: another process is fetching this file; wait for it"):
        try:
            return _fetched(file, base, target, watch)
        finally:
            part = target.with_name(f"{target.name}{ENDING}")
            if part.exists() and not part.stat().st_size:  # there is nothing to resume from
                part.unlink()


def _fetched(file: RemoteFile, base: str, target: Path, watch: Watch) -> str:
    part = target.with_name(f"{target.name}{ENDING}")
    with naming(part):
        resumable(part)
    if not _is_right(file, part):
        expected = _transfer(f"{base}/{file.path}", part, watch)
        size = part.stat().st_size
        if expected is not None and size < expected:
            raise ChoraleError(
                f"{base}/{file.path}: cut short after {size:,} of {expected:,} bytes; the same command resumes there"
            )
    if not _is_right(file, part):
        part.unlink()  # going on from something wrong would not help
        raise ChoraleError(f"{base}/{file.path}: not the file that was published: its hash is not {file.hash}")
    part.replace(target)
    return f"{target}: {target.stat().st_size:,} bytes, hash checked"


def _transfer(address: str, part: Path, watch: Watch) -> int | None:
    """Fetch what is missing, or all if the other side cannot begin in the middle; gives the size it should have."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            start = have if getattr(answer, "status", None) == HTTPStatus.PARTIAL_CONTENT else 0
            length = answer.headers.get("Content-Length") or ""
            expected = start + int(length) if _COUNT.fullmatch(length) else None
            _check_size(expected or 0, address, part)
            with open(part, "ab" if start else "wb") as stream:
                while chunk := answer.read(_CHUNK):
                    stream.write(chunk)
                    _check_size(stream.tell(), address, part)
                    watch(part.stem, stream.tell(), expected)
                stream.flush()
                os.fsync(stream.fileno())
            return expected
    except ChoraleError:
        raise
    except urllib.error.HTTPError as error:
        if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            return None  # there is nothing after what we have; the hash will tell what that is
        raise ChoraleError(
            f"{address}: the server says {error.code} {error.reason!s:.80}; has it moved? See --base-url"
        ) from None
    except http.client.IncompleteRead:
        raise ChoraleError(f"{address}: the connection was cut; the same command resumes there") from None
    except http.client.HTTPException as error:  # not what a web server says
        said = f"{type(error).__name__} {error!s:.80}".rstrip()
        raise ChoraleError(f"{address}: this is not a web server, or it is broken ({said}); see --base-url") from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        if getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT}:
            raise ChoraleError(f"{part}: cannot be written: {os.strerror(errno.ENOSPC)}") from None
        reason = f"{getattr(error, 'reason', error)!s:.200}"
        raise ChoraleError(
            f"{address}: cannot be reached ({reason}). Is there a network? Without one, copy the files by other means "
            f"to {part.parent} or name a mirror with --base-url; what was fetched so far is kept."
        ) from None


def _check_size(size: int, address: str, part: Path) -> None:
    if size > MOST_BYTES:
        part.unlink(missing_ok=True)
        raise ChoraleError(f"{address}: larger than {MOST_BYTES >> 20} MiB, so not the file that was published")


def _is_right(file: RemoteFile, path: Path) -> bool:
    if path.stat().st_size > MOST_BYTES:
        return False
    content = path.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    hashes = {"blob": blob, "sha256": hashlib.sha256(content).hexdigest()}
    wanted = {"blob": file.blob, "sha256": file.sha256}
    return bool(file.hash) and all(hashes[kind] == value for kind, value in wanted.items() if value is not None)
