"""Showing: contexts as pieces of a page, with what a part of a program found in them marked.

A capability of domains whose contexts are better read than drawn, such as tables; pages show pictures of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from chorale.plumbing.html import Markup


class Showing(Protocol):
    """Turns contexts, and the steps of the domain's own traces, into HTML. Whatever a user wrote is escaped."""

    def show(self, context: Any, steps: Sequence[Any] = ()) -> Markup:
        """A context, and what the last of some steps found in it."""
        ...

    def show_step(self, step: Any) -> Markup:
        """What one part of a program found, as far as it fits a card."""
        ...
