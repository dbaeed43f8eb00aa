"""Files: read within limits, plain or packed; written completely or not at all, whenever the machine stops.

`-` is standard input or output wherever a command takes a file.
"""

from __future__ import annotations

import errno
import glob
import gzip
import hashlib
import io
import json
import os
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

from chorale.errors import ChoraleError
from chorale.plumbing.parts import ENDING, NO_LINK, READING, Part, followed, remove_abandoned, resumable

STANDARD = Path("-")
MOST_LINE = 16 << 20
"""The longest line that is read, in bytes."""
MOST_EMPTY = 100_000
"""So many more empty lines than others are read: small packed files hold millions, each of which costs a little."""
MOST_RATIO, ALWAYS_FINE = 100, 64 << 20
"""A packed file may unpack to so many times its size, and to so many bytes in any case. Text seldom packs to less than
a twentieth; what packs to a thousandth was made to fill the memory."""
MOST_TEXT = 256 << 20
"""The longest text that is read in one piece, in bytes."""
MOST_JSON = 256 << 20
"""The longest JSON that Chorale writes."""
MOST_WRITTEN = 4 << 30
"""The largest file that Chorale writes and reads in one piece: weights."""

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


# -- reading -----------------------------------------------------------------------------------------------------------


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers from 1, one at a time, without the ends; unpacked if it is gzip."""
    with _opened(path) as stream:
        number = empty = 0
        while line := stream.readline(MOST_LINE + 1):
            number += 1
            empty += line.isspace()
            if len(line) > MOST_LINE:
                raise ChoraleError(f"{path}:{number}: this line is longer than {MOST_LINE >> 20} MiB")
            if 2 * empty > number + MOST_EMPTY:
                raise ChoraleError(f"{path}:{number}: most lines up to here are empty, {empty:,} of them; remove them")
            yield number, line.removeprefix(_BOM).removesuffix(b"\n") if number == 1 else line.removesuffix(b"\n")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """All of a file, unpacked if it is gzip; refused if it is longer than `most` bytes."""
    with _opened(path) as stream:
        content = stream.read() if most is None else stream.read(most + 1)
        if most is not None and len(content) > most:
            raise ChoraleError(f"{path}: larger than {_size(most)}, the most that is read; use a part of it")
        return content


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """The text of a file, unpacked if it is gzip; refused if it is longer than `most` bytes."""
    content = read_bytes(path, most)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ChoraleError(f"{path}:{line}: not UTF-8: byte 0x{content[error.start]:02x}") from None


def read_plain(path: Path, most: int = MOST_WRITTEN) -> bytes:
    """All of a file that Chorale wrote: a plain file, for a pipe or a device may have no end."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | READING)
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise ChoraleError(f"{path}: expected a plain file, found {_KINDS.get(stat.S_IFMT(found.st_mode))}")
            if found.st_size > most:
                raise ChoraleError(f"{path}: larger than {_size(most)}, the most that Chorale writes")
            with open(handle, "rb", closefd=False) as stream:
                return stream.read(most)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise ChoraleError(f"{path}: no such file") from None
    except OSError as error:
        raise ChoraleError(f"{path}: cannot be read: {error.strerror or error}") from None
    except MemoryError:
        raise ChoraleError(f"{path}: out of memory while this file was read") from None


_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"} | dict.fromkeys(
    (stat.S_IFCHR, stat.S_IFBLK), "a device"
)


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file that Chorale wrote."""
    content = read_plain(path, MOST_JSON)
    try:
        value = json.loads(content, object_pairs_hook=unique)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ChoraleError(f"{path}: damaged, this is not JSON: {error}") from None
    except MemoryError:
        raise ChoraleError(f"{path}: out of memory while this file was read") from None
    if not isinstance(value, dict):
        raise ChoraleError(f"{path}: damaged, expected a JSON object")
    return value


def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `object_pairs_hook`: a key that stands there twice is refused, not taken once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(again, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {again!r:.60} occurs twice")
    return found


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """A file for reading; what is wrong with it is said in words."""
    try:
        opened: Any = nullcontext(sys.stdin.buffer) if path == STANDARD else open(path, "rb")  # noqa: SIM115
        with opened as plain:
            if not hasattr(plain, "peek"):  # standard input that someone has replaced
                plain = io.BufferedReader(io.BytesIO(plain.read()))  # noqa: PLW2901
            if plain.peek(2)[:2] == _GZIP_MAGIC:
                size = 0 if path == STANDARD else path.stat().st_size
                yield cast(BinaryIO, _Unpacked(plain, path, max(ALWAYS_FINE, MOST_RATIO * size)))
            elif path.suffix == ".gz" and plain.peek(1):
                raise ChoraleError(f"{path}: named .gz but not a gzip file")
            else:
                yield cast(BinaryIO, plain)
    except FileNotFoundError:
        raise ChoraleError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise ChoraleError(f"{path}: this is a folder; expected a file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ChoraleError(f"{path}: damaged gzip file: {error}") from None
    except OSError as error:
        raise ChoraleError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ChoraleError:
        raise
    except ValueError as error:  # a name the system cannot hold
        raise ChoraleError(f"{str(path)!r}: not a file name: {error}") from None
    except MemoryError:
        raise ChoraleError(f"{path}: out of memory while this file was read") from None


class _Unpacked(gzip.GzipFile):
    """A gzip file that refuses to grow beyond a limit."""

    def __init__(self, packed: Any, path: Path, most: int) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._path, self._most, self._seen = path, most, 0

    def readline(self, size: int | None = -1) -> bytes:
        return self._counted(super().readline(size))

    def read(self, size: int | None = -1) -> bytes:
        return self._counted(super().read(self._most + 1 if size is None or size < 0 else size))

    def _counted(self, content: bytes) -> bytes:
        self._seen += len(content)
        if self._seen > self._most:
            raise ChoraleError(f"{self._path}: unpacks to more than {self._most >> 20} MiB, which no text file does")
        return content


# -- writing -----------------------------------------------------------------------------------------------------------


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open for writing a file that has the name `path` only once all of it is on the disk; packed if that ends in .gz.

    Whatever goes wrong before the end, an older file of that name stays as it was.
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        return
    part = None
    try:
        target = followed(path)
        special = path.exists() and not path.is_file()  # /dev/null and the like must not be replaced
        part = None if special else Part(target)
        with open(part.handle if part else path, "wb", closefd=part is None) as plain:
            if path.suffix == ".gz":  # without a time stamp, so that equal texts give equal bytes
                with gzip.GzipFile(filename="", mode="wb", fileobj=plain, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield plain
            if part:
                plain.flush()
                os.fsync(plain.fileno())
        if part:
            part.finish()
            _sync_folder(part.target.parent)
    except IsADirectoryError:
        raise ChoraleError(f"{path}: this is a folder; expected the name of a file to write") from None
    except FileNotFoundError:
        raise ChoraleError(f"{path}: cannot be written: there is no folder {path.parent}; make it first") from None
    except OSError as error:
        raise ChoraleError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        if part:
            part.discard()


@contextmanager
def naming_unread(path: Path) -> Iterator[None]:
    """What the system refuses while a file is looked for, such as a name that is too long, is said with its name."""
    try:
        yield
    except OSError as error:
        raise ChoraleError(f"{str(path)[:200]}: cannot be read: {error.strerror or error}") from None


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What the system refuses while a file is written, such as a full disk, is said with the file's name."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOMEM:  # it is not the file
            raise
        raise ChoraleError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_file(path: Path) -> None:
    """Refuse a file that could not be written, before the work that would be lost."""
    if path.is_dir():
        raise ChoraleError(f"{path}: this is a folder; expected the name of a file to write")
    if path != STANDARD and not path.parent.is_dir():
        raise ChoraleError(f"{path}: cannot be written: there is no folder {path.parent}; make it first")


def check_folder(path: Path) -> None:
    """Refuse a folder that cannot be made because a file is in its way."""
    for part in (path, *path.parents):
        if part.exists() and not part.is_dir():
            raise ChoraleError(f"{part}: this is a file; expected a folder, an existing one or a new name")


def write(path: Path, content: bytes) -> None:
    """Write a whole file at once."""
    with replacing(path) as stream:
        stream.write(content)


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, for people as well."""
    write(path, (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode())


def append_line(path: Path, value: dict[str, Any]) -> int:
    """Add a JSON line to a file, in one piece even if others add to it; returns the new length of the file."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_LINK
    with naming(path), open(os.open(path, flags, 0o666), "ab") as stream:
        stream.write((json.dumps(value, ensure_ascii=False) + "\n").encode())
        stream.flush()
        os.fsync(stream.fileno())
        return stream.tell()


def truncate(path: Path, length: int) -> None:
    """Forget what was added to a file after its first `length` bytes."""
    have = path.stat().st_size if path.exists() else 0
    if have < length:
        raise ChoraleError(f"{path}: damaged, {have} bytes are left of at least {length}")
    if have > length:
        with naming(path):
            os.truncate(path, length)


def clear_parts(folder: Path) -> None:
    """Remove what writers that were killed left behind, in the folders below too."""
    for part in folder.rglob(f".*{ENDING}"):
        remove_abandoned(part)


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


# -- hashes and locks --------------------------------------------------------------------------------------------------


def sha256(content: bytes) -> str:
    """The hash of some bytes."""
    return hashlib.sha256(content).hexdigest()


def fold_of(text: str, count: int, salt: object = 0) -> int:
    """A number below `count`, by a hash of the text: the same everywhere, whatever other texts there are.

    >>> [fold_of(text, 5) for text in ("two boxes", "a tower")]
    [1, 3]
    """
    return int(sha256(f"{salt}/{text}".encode()), 16) % count


def hash_of_all(values: Iterable[Any]) -> str:
    """The hash of many values, as JSON has them, one after another; where one ends and the next begins counts.

    >>> hash_of_all([1, [2]]) == hash_of_all(iter([1, [2]])), hash_of_all([12]) == hash_of_all([1, 2])
    (True, False)
    """
    running = hashlib.sha256()
    for value in values:
        running.update(json.dumps(value, sort_keys=True).encode() + b"\n")
    return running.hexdigest()


def hash_of_file(path: Path) -> str:
    """The hash of a file as it lies on the disk."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def checked(path: Path, wanted: str) -> bytes:
    """The bytes of a file whose hash was noted when it was written."""
    with naming_unread(path):
        if not path.exists():
            raise ChoraleError(f"{path}: missing; the file that names it says it should be there")
    content = read_plain(path)
    if sha256(content) != wanted:
        raise ChoraleError(f"{path}: damaged or changed: its hash is not the one on record; restore the file")
    return content


class BusyError(ChoraleError):
    """Another process holds a lock."""


@contextmanager
def locked(path: Path, held: str, wait: float = 0.0) -> Iterator[None]:
    """Hold a lock, which the system lets go of when the process ends; `held` is said if another process has it.

    Whoever comes later waits for that many seconds.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only what writes needs it; works everywhere, unlike fcntl

    lock = FileLock(path, timeout=wait)
    try:
        lock.acquire()
    except Timeout:
        raise BusyError(held) from None
    except OSError as error:
        raise ChoraleError(f"{path}: cannot be locked: {error.strerror or error}") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def alone(path: Path, held: str, wait: float = 0.0) -> Iterator[Path]:
    """No other process writes a file or folder meanwhile; `held` is said to those who have waited that many seconds.

    Returns the file or folder that the name stands for. What is written is taken from there to the next writer, so
    whoever changes a file reads it in here.
    """
    target = followed(path)
    if not target.parent.is_dir():
        raise ChoraleError(f"{path}: cannot be written: there is no folder {path.parent}; make it first")
    lock = target.with_name(f".{target.name}.lock")
    with locked(lock, held, wait):
        try:
            yield target
        finally:
            lock.unlink(missing_ok=True)  # whoever waits for it notices, and makes a new one


@contextmanager
def unfinished(out: Path, depends_on: Any, work: str) -> Iterator[tuple[Path, Path]]:
    """The file that a name stands for, and the one that takes its place until it is complete, which is there.

    The name of the latter holds a hash of everything its content depends on (as JSON has it): work that was stopped
    goes on with it, and work of another kind starts afresh. No other process may write the file at the same time. When
    all went well, unfinished files of other kinds are removed.
    """
    if out.exists() and not out.is_file():
        raise ChoraleError(f"{out}: not a file that could be replaced")
    with alone(out, f"{out}: another {work} is writing this file; wait for it to end, or name another file") as target:
        kind = sha256(json.dumps(depends_on, sort_keys=True).encode())[:12]
        part = target.with_name(f"{target.name}.{kind}{ENDING}")
        with naming(part):
            resumable(part)
        yield target, part
        for other in target.parent.glob(f"{glob.escape(target.name)}.{'[0-9a-f]' * 12}{ENDING}"):
            if other != part:
                other.unlink(missing_ok=True)
