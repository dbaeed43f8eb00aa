"""The version of the package, and what it takes to give the same bytes elsewhere."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_DEPENDENCIES = ("numpy", "torch")
"""What figures depend on to the last digit."""


def version() -> str:
    """As it is installed; a folder that is not installed has none."""
    return _installed("chorale") or "0+unknown"


@cache
def fingerprint() -> Mapping[str, str]:
    """What must be the same on two machines for them to give the same results, by name.

    >>> sorted(fingerprint())[:2], len(fingerprint()["code"])
    (['chorale', 'code'], 12)
    """
    python = ".".join(platform.python_version_tuple()[:2])
    versions = {name: _installed(name) or "missing" for name in _DEPENDENCIES}
    return {"chorale": version(), "code": hash_of_folder(_PACKAGE), "python": python, **versions}


def hash_of_folder(folder: Path) -> str:
    """The hash of all files in a folder, with their names; without what Python makes of them."""
    running = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            name, content = str(path.relative_to(folder).as_posix()).encode(), path.read_bytes()
            running.update(b"%d %d " % (len(name), len(content)) + name + content)
    return running.hexdigest()[:12]


def _installed(name: str) -> str | None:
    try:
        return installed(name)
    except PackageNotFoundError:
        return None
