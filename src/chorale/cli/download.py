"""`chorale download`: fetch a data set from its authors."""

from __future__ import annotations

import hashlib
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

import typer

from chorale.cli.output import say
from chorale.errors import ChoraleError, nearest

_CHUNK = 1 << 16
_TIMEOUT = 30  # seconds without a byte


@dataclass(frozen=True, slots=True)
class File:
    """One file of a data set, as it was published."""

    name: str
    path: str
    """Below the base address."""
    size: int | None
    """In bytes, where it is known; the hash says enough, but a size is quicker to compare."""
    blob: str
    """Its git blob hash: sha1 of `blob SIZE`, a zero byte and the content."""


@dataclass(frozen=True, slots=True)
class Published:
    """A data set on the internet."""

    base: str
    files: tuple[File, ...]
    licence: str


DATA_SETS = {
    "nlvr": Published(
        "https://raw.githubusercontent.com/lil-lab/nlvr/master/nlvr",
        (
            File("train.json", "train/train.json", None, "f61bcfa8c0b0094e9f219cb0994e46775cfba7b5"),
            File("dev.json", "dev/dev.json", 813_215, "e9dd8318fa537aff7e22a57ea968f96f38756564"),
            File("test.json", "test/test.json", 811_565, "7cba925b6306b22ef5d374ddffb25dc85f73865d"),
        ),
        "NLVR, Suhr et al. 2017, CC-BY-4.0",
    )
}


def download(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of: {', '.join(DATA_SETS)}.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to; a folder NAME by default.")
    ] = None,
    base: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="Another address, such as a mirror.")
    ] = None,
) -> None:
    """Download a data set from its authors, and check that it is what they published.

    A file that is already there and right is left alone; one that was cut short goes on where it stopped.

    Example: chorale download nlvr --out nlvr
    """
    if name not in DATA_SETS:
        close = nearest(name, DATA_SETS)
        raise ChoraleError(f"there is no data set {name!r}; {f'did you mean {close!r}?' if close else 'known: nlvr'}")
    published = DATA_SETS[name]
    folder = out or Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file in published.files:
        fetch(file, (base or published.base).rstrip("/"), folder)
    say(f"{folder}: complete and checked ({published.licence})", "green")


def fetch(file: File, base: str, folder: Path) -> None:
    """Bring one file to a folder."""
    target = folder / file.name
    if target.exists():
        if _is_right(file, target):
            say(f"{target}: already there")
            return
        raise ChoraleError(
            f"{target}: there is another file of this name; move it away, or name another folder with --out"
        )
    part = target.with_name(f"{file.name}.part")
    if not (part.exists() and _is_right(file, part)):
        expected = _transfer(f"{base}/{file.path}", part)
        size = part.stat().st_size
        if expected is not None and size < expected:
            raise ChoraleError(
                f"{base}/{file.path}: cut short after {size:,} of {expected:,} bytes; the same command goes on there"
            )
    if not _is_right(file, part):
        part.unlink()  # going on from something wrong would not help
        raise ChoraleError(f"{base}/{file.path}: not the file that was published: its hash is not {file.blob}")
    size = part.stat().st_size
    part.replace(target)
    say(f"{target}: {size:,} bytes, hash checked")


def _transfer(address: str, part: Path) -> int | None:
    """Fetch what is missing, or all if the other side cannot begin in the middle; gives the size it should have."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn  # noqa: PLC0415

    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    console = Console(stderr=True)
    try:
        with (
            urllib.request.urlopen(request, timeout=_TIMEOUT) as answer,
            Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        ):
            start = have if getattr(answer, "status", None) == HTTPStatus.PARTIAL_CONTENT else 0
            length = answer.headers.get("Content-Length")
            expected = start + int(length) if length else None
            task = progress.add_task(part.stem, total=expected, completed=start)
            with open(part, "ab" if start else "wb") as stream:
                while chunk := answer.read(_CHUNK):
                    stream.write(chunk)
                    progress.advance(task, len(chunk))
                stream.flush()
                os.fsync(stream.fileno())
            return expected
    except urllib.error.HTTPError as error:
        if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            return None  # there is nothing behind what we have; the hash will tell what that is
        raise ChoraleError(
            f"{address}: the server says {error.code} {error.reason}; has it moved? See --base-url"
        ) from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise ChoraleError(
            f"{address}: cannot be reached ({reason}). Is there a network? Without one, copy the files by other means "
            f"to {part.parent} or name a mirror with --base-url; what was fetched so far is kept."
        ) from None


def _is_right(file: File, path: Path) -> bool:
    content = path.read_bytes()
    if file.size is not None and len(content) != file.size:
        return False
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
    return blob.hexdigest() == file.blob
