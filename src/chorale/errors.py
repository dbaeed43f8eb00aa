"""Mistakes of the input, told in words for a person.

Whatever a user can get wrong (a program, a data file, a picture, an option) ends in a `ChoraleError`. Its text says
what was wrong, where, and what would be right; the command line prints it without a traceback and exits with status 2.
"""

import difflib
from collections.abc import Iterable


class ChoraleError(ValueError):
    """Something in the input is wrong; the message says what, where, and what would be right."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` most likely meant, or None if nothing is close."""
    close = difflib.get_close_matches(word[:200], sorted(known), n=1, cutoff=0.6)
    return close[0] if close else None


def unknown(word: str, known: Iterable[str]) -> str:
    """What to say of a name that does not exist: the nearest one that does, or all of them."""
    names = sorted(known)
    close = nearest(word, names)
    return f"did you mean {close!r}?" if close else f"choose from {', '.join(names)}"
