"""NLVR's scenes as pictures and back: the capability `drawing` of the domain."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL.Image import Image

from chorale.domain.drawing import Format
from chorale.language.program import Program
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.drawing import TraceStep, to_png, to_svg, trace_png, trace_svg
from chorale.nlvr.pictures.pixels import scene_from_png
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.trace import trace


class ScenePictures:
    """Draws scenes in NLVR's own style, and reads them from it."""

    def __init__(self, languages: Mapping[str, type[Common]]) -> None:
        self._languages = languages

    def see(self, picture: Path | bytes | Image) -> Scene:
        return scene_from_png(picture)

    def from_json(self, value: Any) -> Scene:
        """NLVR's structured_rep, by itself or as the field of an example."""
        return Scene.from_json(value.get("structured_rep") if isinstance(value, dict) else value)

    def to_json(self, context: Scene) -> Any:
        return context.to_json()

    def draw(self, context: Scene, form: Format, *, scale: int = 1, caption: str = "") -> bytes:
        return _drawn(context, form, scale=scale, caption=caption)

    def trace(self, program: Program, context: Scene, language: str) -> list[TraceStep]:
        return trace(program, context, self._languages[language])

    def draw_trace(
        self,
        steps: Sequence[TraceStep],
        form: Format,
        *,
        scale: int = 1,
        columns: int = 3,
        title: str = "",
        subtitle: str = "",
    ) -> bytes:
        last = steps[-1]
        if last.value is None:
            return _drawn(last.scene, form, highlight=last.objects, boxes=last.boxes, caption=last.text, scale=scale)
        if form == "svg":
            return trace_svg(steps, columns, scale, title, subtitle).encode()
        return _bytes(trace_png(steps, columns, scale, title, subtitle))

    def draw_step(self, step: TraceStep, form: Format, *, scale: int = 1) -> bytes:
        return _drawn(step.scene, form, highlight=step.objects, boxes=step.boxes, scale=scale)


def _drawn(scene: Scene, form: Format, **shown: Any) -> bytes:
    return to_svg(scene, **shown).encode() if form == "svg" else _bytes(to_png(scene, **shown))


def _bytes(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()
