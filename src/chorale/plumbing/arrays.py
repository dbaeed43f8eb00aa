"""Arrays on disk: safetensors that hold what is expected and nothing else, in the types in which it was written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from chorale.errors import ChoraleError
from chorale.plumbing.files import checked, sha256, unique, write

Arrays = dict[str, NDArray[Any]]

_COUNT = 8  # bytes that say how long the header is


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write arrays; gives back the hash of the file."""
    content = save(dict(arrays))
    write(path, content)
    return sha256(content)


def read_arrays(path: Path, wanted: str, what: str) -> Arrays:
    """The arrays of a file whose hash was noted; `what` is what it should hold."""
    content = checked_tensors(path, wanted, what)
    try:
        return load(content)
    except (SafetensorError, KeyError, ValueError) as error:  # KeyError: a type that numpy does not have
        raise ChoraleError(f"{path}: not {what}: {error}") from None


def checked_tensors(path: Path, wanted: str, what: str) -> bytes:
    """The bytes of such a file, if its header names no array twice: of two, readers would take either."""
    content = checked(path, wanted)
    length = int.from_bytes(content[:_COUNT], "little")
    try:
        json.loads(content[_COUNT : _COUNT + length], object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise ChoraleError(f"{path}: not {what}: its header is damaged: {error}") from None
    return content


def check_kinds(path: Path, arrays: Arrays, kinds: Mapping[str, tuple[type[np.generic], int]]) -> None:
    """Refuse arrays of other names, types and numbers of axes than these."""
    for name in [*kinds, *arrays]:
        kind, axes = kinds.get(name, (None, 0))
        found = arrays.get(name)
        if kind is None or found is None or found.dtype != kind or found.ndim != axes:
            shown = "missing" if found is None else f"{found.dtype} with {found.ndim} axes"
            hoped = "nothing of this name" if kind is None else f"{np.dtype(kind)} with {axes}"
            raise ChoraleError(f"{path}: damaged: {name!r:.60} is {shown}, expected {hoped}")


def check_largest(path: Path, arrays: Mapping[str, NDArray[Any]], largest: float) -> None:
    """Refuse weights that are not finite, or so large that sums of them may not be."""
    for name, found in arrays.items():
        if not (np.abs(found) <= largest).all():
            raise ChoraleError(
                f"{path}: the weights are damaged: {name!r:.60} holds numbers that are not finite, or larger than "
                f"{largest:g}"
            )
