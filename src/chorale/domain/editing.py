"""Editing: contexts changed a little at a time. A capability; "make it true" needs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chorale.language.program import Program


class Editing(Protocol):
    """Knows what can be changed about a context."""

    def around(self, context: Any) -> Iterator[Any]:
        """The contexts that differ from this one by one small change, the least change first."""
        ...

    def profiles(self, program: Program, contexts: Sequence[Any], language: str) -> NDArray[np.uint8]:
        """What the parts of a program find in each context, as numbers: (context, figure).

        To the program, contexts of the same profile are alike; a search for one that it judges otherwise needs to go on
        from one of them only.
        """
        ...
