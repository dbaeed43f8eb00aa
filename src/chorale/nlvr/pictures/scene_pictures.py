"""NLVR's scenes as JSON and pictures, and back: the capabilities `codec`, `tracing` and `drawing` of the domain.

Pillow is imported when there is a picture to draw or to read; most sentences are answered without.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from chorale.domain.codec import Codec
from chorale.domain.drawing import Format
from chorale.errors import ChoraleError
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.trace import TraceStep, trace

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_OBJECTS = 32
"""Objects in a box of a scene that somebody asks about; NLVR has eight at most, and the language can count 64."""


class SceneCodec(Codec):
    """Scenes as NLVR's JSON, or as a picture of NLVR."""

    limits: ClassVar[Mapping[str, int]] = {"objects_in_a_box": MOST_OBJECTS}

    def from_json(self, value: Any) -> Scene:
        """NLVR's structured_rep, by itself or as the field of an example."""
        boxes = value.get("structured_rep") if isinstance(value, dict) else value
        if isinstance(boxes, list) and any(isinstance(box, list) and len(box) > MOST_OBJECTS for box in boxes):
            raise ChoraleError(f"a box has more than {MOST_OBJECTS} objects")
        return Scene.from_json(boxes)

    def to_json(self, context: Scene) -> Any:
        return context.to_json()

    def see(self, picture: Path | bytes | Image) -> Scene:
        from chorale.nlvr.pictures.pixels import scene_from_png  # noqa: PLC0415 - Pillow, see above

        return scene_from_png(picture)

    def read_file(self, path: Path) -> Scene:
        """A picture, if its name ends in .png, or JSON."""
        scene: Scene = self.see(path) if path.suffix.lower() == ".png" else super().read_file(path)
        return scene


class SceneTracing:
    """What each part of a program picks in a scene: objects, boxes, or true and false."""

    def trace(self, program: Program, language: Language, context: Scene) -> list[TraceStep]:
        assert isinstance(language, Common)
        return trace(program, context, type(language))


class ScenePictures:
    """Draws scenes in NLVR's own style."""

    def draw(self, context: Scene, form: Format, *, scale: int = 1, caption: str = "") -> bytes:
        return _drawn(context, form, scale=scale, caption=caption)

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
        from chorale.nlvr.pictures.drawing import trace_png, trace_svg  # noqa: PLC0415 - Pillow, see above

        last = steps[-1]
        if last.value is None:
            return _drawn(last.scene, form, highlight=last.objects, boxes=last.boxes, caption=last.text, scale=scale)
        if form == "svg":
            return trace_svg(steps, columns, scale, title, subtitle).encode()
        return _bytes(trace_png(steps, columns, scale, title, subtitle))

    def draw_step(self, step: TraceStep, form: Format, *, scale: int = 1) -> bytes:
        return _drawn(step.scene, form, highlight=step.objects, boxes=step.boxes, scale=scale)


def _drawn(scene: Scene, form: Format, **shown: Any) -> bytes:
    from chorale.nlvr.pictures.drawing import to_png, to_svg  # noqa: PLC0415 - Pillow, see above

    return to_svg(scene, **shown).encode() if form == "svg" else _bytes(to_png(scene, **shown))


def _bytes(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()
