"""Contexts as users give them: a file, an image, JSON, or the thing itself; one of them, or several.

A domain with a codec reads files, JSON and pictures. In one without, contexts are taken as they are. A list is several
contexts, unless the domain says that a list is one (`Domain.context_type`, or a codec that reads it as one).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chorale.domain.domain import Domain
from chorale.errors import ChoraleError

_NEVER = (bool, int, float, complex, bytes, bytearray, set, frozenset)


def contexts_of(domain: Domain, given: Any) -> tuple[Any, ...]:
    """The contexts that were given: none, one, or a list of them."""
    if given is None:
        return ()
    if isinstance(given, list | tuple) and not _is_one(domain, given):
        return tuple(context_of(domain, one) for one in given)
    return (context_of(domain, given),)


def _is_one(domain: Domain, given: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list or a tuple is a single context: by its type, or as JSON, as a scene of NLVR is."""
    kind = domain.context_type
    if kind is not None and isinstance(given, kind):
        return not (given and isinstance(given[0], kind))  # a list of lists is several of them
    if domain.codec is None or not given or not all(isinstance(one, list | dict) for one in given):
        return False
    return not any(_reads(domain, one) for one in given)  # if none is one, what is wrong with the whole is told


def _reads(domain: Domain, value: Any) -> bool:
    """Whether some JSON is a context."""
    assert domain.codec is not None
    try:
        domain.codec.decoded(value)
    except ChoraleError:
        return False
    return True


def context_of(domain: Domain, given: Any, **options: Any) -> Any:
    """The one context that was given, read as the options say that its domain has for that."""
    codec, kind = domain.codec, domain.context_type
    if kind is not None and isinstance(given, kind):
        return given
    if codec is not None:
        if (taken := codec.taken(given, options)) is not None:
            return taken
        if isinstance(given, str | Path):
            return codec.read_file(Path(given))
        if isinstance(given, dict | list):
            return codec.decoded(given)
        if type(given).__module__.partition(".")[0] == "PIL":
            return codec.see(given)
    if kind is not None or given is None or (codec is not None and isinstance(given, _NEVER)):
        name = kind.__name__ if isinstance(kind, type) else domain.context_word
        wanted = f"a {domain.context_word}, its file, or its JSON" if codec is not None else name
        raise ChoraleError(f"expected {wanted}, or a list of such; found {type(given).__name__} {given!r:.60}")
    return given
