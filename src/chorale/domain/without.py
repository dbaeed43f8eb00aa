"""Contexts with one part less: what an answer hangs on. A capability; `serve` shows which part would change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol


class Without(Protocol):
    """Knows what a context is made of: objects of a picture, rows of a table."""

    def each(self, context: Any) -> Iterator[tuple[Any, Any]]:
        """Each part by its place, as JSON, and the context without it."""
        ...
