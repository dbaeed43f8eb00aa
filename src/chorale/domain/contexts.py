"""Contexts as users give them: a file, an image, JSON, or the thing itself; one of them, or several.

A domain that can draw reads pictures and JSON too (`Drawing.see`, `Drawing.from_json`). In a domain that cannot,
contexts are taken as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chorale.domain.domain import Domain
from chorale.domain.drawing import read_context
from chorale.errors import ChoraleError

_NEVER = (bool, int, float, complex, bytes, bytearray, set, frozenset)


def contexts_of(domain: Domain, given: Any) -> tuple[Any, ...]:
    """The contexts that were given: none, one, or a list of them."""
    if given is None:
        return ()
    if isinstance(given, list | tuple) and not _is_one(domain, given):
        return tuple(_context(domain, one) for one in given)
    return (_context(domain, given),)


def _is_one(domain: Domain, given: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list is the JSON of a single context, as a scene of NLVR is; then its members are none themselves."""
    drawing = domain.drawing
    if drawing is None or not given or not all(isinstance(one, list) for one in given):
        return False
    try:
        drawing.from_json(given[0])
    except ChoraleError:
        return True
    return False


def _context(domain: Domain, given: Any) -> Any:
    drawing, kind = domain.drawing, domain.context_type
    if kind is not None and isinstance(given, kind):
        return given
    if drawing is not None:
        if isinstance(given, str | Path):
            return read_context(drawing, Path(given))
        if isinstance(given, dict | list):
            return drawing.from_json(given)
        if type(given).__module__.partition(".")[0] == "PIL":
            return drawing.see(given)
    if kind is not None or given is None or (drawing is not None and isinstance(given, _NEVER)):
        wanted = "a picture, its file, or its JSON" if drawing is not None else kind.__name__ if kind else "a context"
        raise ChoraleError(f"expected {wanted}, or a list of such; found {type(given).__name__} {given!r:.60}")
    return given
