"""Drawing: contexts as pictures, and what the parts of a program returned on them. A capability; `draw` needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

Format = Literal["png", "svg"]


class Drawing(Protocol):
    """Turns contexts, and the steps of the domain's own traces, into pictures."""

    def draw(self, context: Any, form: Format, *, scale: int = 1, caption: str = "") -> bytes: ...

    def draw_trace(
        self,
        steps: Sequence[Any],
        form: Format,
        *,
        scale: int = 1,
        columns: int = 3,
        title: str = "",
        subtitle: str = "",
    ) -> bytes:
        """What a program sees: each part of it, or if it is a set only what it holds."""
        ...

    def draw_step(self, step: Any, form: Format, *, scale: int = 1) -> bytes:
        """What one part of a program returned, without words."""
        ...
