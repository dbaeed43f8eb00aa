"""Parts: files under way, which take the place of others once they are complete. All temporary files are made here.

A part lies beside the file that it becomes. Its name is random and it is made anew (`O_EXCL`, which follows no link
either), so nobody can lay another file, or a link to one, in its way. Its writer holds a lock on it as long as it
lives. A writer that was killed leaves a part without a lock, which the next process that writes there removes.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

from chorale.errors import ChoraleError

if sys.platform != "win32":
    import fcntl

ENDING = ".part"
_OURS = re.compile(r"\..*\.[0-9a-f]{16}\.part", re.DOTALL)
_SHOWN = 40  # characters of a file's name that its part has too; the system limits the length
READING = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags for whatever is opened by the system's own call."""
NO_LINK = READING | getattr(os, "O_NOFOLLOW", 0)
"""Flags for whatever is opened by a name that somebody else could know."""
_swept: set[Path] = set()  # folders that this process has tidied up


class Part:
    """A new file, open for writing, beside the one whose place it takes."""

    def __init__(self, target: Path) -> None:
        sweep(target.parent)
        self.target = target
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666  # what was private stays so
        while True:
            name = f".{target.name[:_SHOWN]}.{secrets.token_hex(8)}{ENDING}"
            self.path = target.with_name(name)
            self.handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, mode)
            # Whoever sweeps may have come between the two calls.
            if _lock(self.handle) is not False and _is_at(self.path, self.handle):
                return
            os.close(self.handle)

    def finish(self) -> None:
        """Give it the name of the other file; all of it must be on the disk."""
        if sys.platform == "win32":  # where open files keep their names
            self._close()
        self.path.replace(self.target)

    def discard(self) -> None:
        """Close it; unless it was finished, it is gone then."""
        if _is_at(self.path, self.handle):
            self.path.unlink(missing_ok=True)
        self._close()

    def _close(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
        self.handle = -1


def sweep(folder: Path) -> None:
    """Remove the parts in a folder whose writers were killed; a process looks once into each folder."""
    if folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for name in [entry.name for entry in entries if _OURS.fullmatch(entry.name)]:
            remove_abandoned(folder / name)


def remove_abandoned(path: Path) -> None:
    """Remove a part, unless its writer is alive; what is not a plain file, or somebody else's, stays as well."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | NO_LINK)
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode) and _lock(handle):
                if sys.platform == "win32":
                    os.close(handle)
                    handle = -1
                path.unlink()
        finally:
            if handle >= 0:
                os.close(handle)


def resumable(path: Path) -> None:
    """Make sure that a part which is known by its name, so that work can resume from it, is a plain file of our own."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, 0o666))
    except FileExistsError:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
            raise ChoraleError(f"{path}: not a file that Chorale wrote; move it away") from None
        if status.st_uid != owner():
            raise ChoraleError(f"{path}: unfinished work of another user; name another file") from None


def followed(path: Path) -> Path:
    """The file that a name leads to; links are followed where Linux itself would follow them for whoever writes.

    In a folder where everybody may write, such as /tmp, a link leads somewhere only for the one who made it.
    """
    for one in (path, *path.parents):
        if not one.is_symlink():
            continue
        folder, link = _folder_of(one), one.lstat()
        is_everybodys = folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH
        if is_everybodys and link.st_uid not in {owner(), folder.st_uid}:
            raise ChoraleError(f"{one}: a link that another user put into a shared folder; name another file")
    return Path(os.path.realpath(path))


def owner() -> int:
    """Whose files this process makes."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _folder_of(path: Path) -> os.stat_result:
    return path.parent.stat()


def _is_at(path: Path, handle: int) -> bool:
    """Whether this open file is the one of this name."""
    if handle < 0:
        return False
    try:
        there = path.lstat()
    except FileNotFoundError:
        return False
    here = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _lock(handle: int) -> bool | None:
    """Hold a file as long as it is open; False if somebody else does, None where the system cannot tell."""
    if sys.platform == "win32":  # where a file that is open cannot be removed
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
