"""Drawing: contexts as pictures, and what each part of a program returns on them. A capability; `draw` needs it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.plumbing.files import read_text

Format = Literal["png", "svg"]


class TracedPart(Protocol):
    """A part of a program, and what it returned."""

    @property
    def text(self) -> str: ...

    @property
    def plain(self) -> str:
        """The part in plain words; empty if there are none."""
        ...

    @property
    def result(self) -> str:
        """What it returned, in a few words: true, two boxes; empty if there is nothing to say."""
        ...

    def to_json(self) -> dict[str, Any]: ...


class Drawing(Protocol):
    """Turns contexts into pictures and JSON, and both into contexts again."""

    def see(self, picture: Any) -> Any:
        """The context on a picture: the path of a file, what stands in one as bytes, or an image of Pillow."""
        ...

    def from_json(self, value: Any) -> Any:
        """The context that some JSON stands for; raises `ChoraleError` if it stands for none."""
        ...

    def to_json(self, context: Any) -> Any: ...

    def draw(self, context: Any, form: Format, *, scale: int = 1, caption: str = "") -> bytes: ...

    def trace(self, program: Program, context: Any, language: str) -> Sequence[TracedPart]:
        """The parts of a program of this language, innermost first; none if it is a function by itself."""
        ...

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


def read_context(drawing: Drawing, path: Path) -> Any:
    """The one context that a file holds: a picture, if its name ends in .png, or JSON."""
    if path.suffix.lower() == ".png":
        return drawing.see(path)
    text = read_text(path)
    try:
        return drawing.from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        if text.startswith("{") and "\n" in text:
            raise ChoraleError(f"{path}: several examples; draw one of them: chorale draw {path} 17-0") from None
        raise ChoraleError(f"{path}: not JSON: {error}") from None
    except ChoraleError as error:
        raise ChoraleError(f"{path}: {error}") from None
