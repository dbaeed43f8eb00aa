"""From scenes to pictures: NLVR's own, pixel by pixel, and explanations of what a program sees.

A plain PNG at scale 1 is the published picture itself, and `pixels` reads it back if no shapes overlap. Anything
larger or highlighted is drawn with smooth shapes on a `Canvas`, so SVG and PNG look alike: highlighted objects keep
their colour and get a halo, chosen boxes get a border, and all the rest fades. A trace is a sheet of such pictures, one
for each sub-program, with what it returned.

Objects are named by (box, index in the box), because two objects of a scene may be equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from PIL import Image

from chorale.errors import ChoraleError
from chorale.nlvr.pictures.canvas import LINE_HEIGHT, Canvas, PngCanvas, Point, Rgb, SvgCanvas, fold, wrap
from chorale.nlvr.pictures.scenes import BOX_SIDE, SIZES, Object, Scene
from chorale.nlvr.pictures.shapes import GAP, GROUND, HEIGHT, PLAIN, RGB, SEPARATOR, STRIDE, blend, coverage, variant_at
from chorale.nlvr.pictures.trace import TraceStep

Highlight = Collection[tuple[int, int]]  # (box, index in the box)
Length = Callable[[str, float], float]  # how wide a text of a font size comes out
C = TypeVar("C", SvgCanvas, PngCanvas)

ACCENT: Rgb = (214, 0, 128)
WHITE: Rgb = (255, 255, 255)
INK: Rgb = (31, 35, 40)
FAINT: Rgb = (118, 124, 132)
PAPER: Rgb = (240, 242, 245)
VERDICTS: dict[str, Rgb] = {"true": (26, 127, 55), "false": (179, 38, 30)}

FADE = 0.78  # how far what is not highlighted goes towards the ground
FRAME = 7.0  # of a highlighted picture, so that the halo of an object at the edge is not cut
HALO = (1.2, 2.6)  # the white gap around a highlighted object, and the accent around that
FONT = 13.0  # the size of text
TITLE, SUBTITLE = 20.0, 15.0  # the same, above a trace


def to_png(
    scene: Scene,
    highlight: Highlight | None = None,
    scale: float = 1,
    boxes: Collection[int] | None = None,
    caption: str | None = None,
) -> Image.Image:
    """Draw a scene as an RGBA image; plain and at scale 1 it is NLVR's own picture."""
    if scale == 1 and highlight is None and boxes is None and not caption:
        return _exact(scene)
    figure = _Figure(scene, highlight, boxes, caption, scale)
    return figure.draw(PngCanvas(*figure.size(PngCanvas.length))).image()


def to_svg(
    scene: Scene,
    highlight: Highlight | None = None,
    caption: str | None = None,
    scale: float = 1,
    boxes: Collection[int] | None = None,
) -> str:
    """Draw a scene as SVG; `highlight` and `boxes` are what stands out (None: nothing is faded)."""
    figure = _Figure(scene, highlight, boxes, caption, scale)
    held = ", ".join(str(len(box)) for box in scene.boxes)
    return figure.draw(SvgCanvas(*figure.size(SvgCanvas.length))).svg(caption or f"boxes with {held} objects")


def trace_svg(
    steps: Sequence[TraceStep], columns: int = 3, scale: float = 1, title: str = "", subtitle: str = ""
) -> str:
    """Draw a trace as SVG, `columns` steps to a row, below a title such as the sentence."""
    sheet = _Sheet(steps, columns, scale, (title, subtitle), SvgCanvas)
    return sheet.draw(SvgCanvas(*sheet.size)).svg(title or steps[-1].text)


def trace_png(
    steps: Sequence[TraceStep], columns: int = 3, scale: float = 1, title: str = "", subtitle: str = ""
) -> Image.Image:
    """Draw a trace as an RGBA image, `columns` steps to a row, below a title such as the sentence."""
    sheet = _Sheet(steps, columns, scale, (title, subtitle), PngCanvas)
    return sheet.draw(PngCanvas(*sheet.size)).image()


def _exact(scene: Scene) -> Image.Image:
    rgb = np.full((HEIGHT, _width(scene), 3), SEPARATOR, np.uint8)  # (row, column, channel)
    for index, box in enumerate(scene.boxes):
        start = index * STRIDE
        rgb[:, start : start + BOX_SIDE] = GROUND
        for thing in box:
            left = start + thing.x
            cover = coverage(thing.shape, thing.size, variant_at(left) if thing.size == 30 else PLAIN)
            spot = rgb[thing.y : thing.bottom, left : left + thing.size]
            spot[:] = blend(spot, cover, thing.color)
    return Image.fromarray(rgb).convert("RGBA")


def _width(scene: Scene) -> int:
    if not scene.boxes:
        raise ChoraleError("a scene without boxes cannot be drawn; an NLVR scene has three")
    return len(scene.boxes) * STRIDE - GAP


def _faded(color: Rgb) -> Rgb:
    red, green, blue = (round(tone + (grey - tone) * FADE) for tone, grey in zip(color, GROUND, strict=True))
    return red, green, blue


class _Figure:
    """A single picture with its caption."""

    def __init__(
        self,
        scene: Scene,
        highlight: Highlight | None,
        boxes: Collection[int] | None,
        caption: str | None,
        scale: float,
    ) -> None:
        if not (scale > 0 and math.isfinite(scale)):
            raise ChoraleError(f"scale: expected a number above 0, found {scale}")
        self.scene = scene
        self.scale = scale
        self.highlight, self.boxes, self.caption = highlight, boxes, caption
        self.font = FONT * max(1.0, 0.6 * scale)
        self.frame = 0.0 if highlight is None and boxes is None else FRAME * scale
        self.width = _width(scene) * scale + 2 * self.frame
        self.height = HEIGHT * scale + 2 * self.frame
        held = [len(box) for box in scene.boxes]
        for box, index in self.highlight or ():
            if not (0 <= box < len(held) and 0 <= index < held[box]):
                sizes = ", ".join(map(str, held))
                raise ChoraleError(f"highlight: there is no object ({box}, {index}); the boxes hold {sizes} objects")
        for box in self.boxes or ():
            if not 0 <= box < len(held):
                raise ChoraleError(f"boxes: there is no box {box}; the boxes are 0 to {len(held) - 1}")

    def lines(self, length: Length) -> list[str]:
        return fold(self.caption, lambda line: length(line, self.font) <= self.width - 8) if self.caption else []

    def size(self, length: Length) -> tuple[float, float]:
        lines = len(self.lines(length))
        return self.width, self.height + (self.font * (lines * LINE_HEIGHT + 0.4) if lines else 0)

    def draw(self, canvas: C) -> C:
        if self.caption or self.frame:
            canvas.rectangle((0, 0), *self.size(canvas.length), WHITE)
        self.picture(canvas, (0, 0))
        for number, line in enumerate(self.lines(canvas.length)):
            canvas.text((4, self.height + self.font * (1.2 + number * LINE_HEIGHT)), line, self.font, INK)
        return canvas

    def picture(self, canvas: Canvas, corner: Point) -> None:
        """Draw boxes and objects, frame included, with the top-left corner there."""
        canvas.rectangle(corner, self.width, self.height, SEPARATOR, self.frame)
        start = (corner[0] + self.frame, corner[1] + self.frame)
        chosen: list[tuple[int, Object]] = []
        rest: list[tuple[int, Object]] = []
        for box, held in enumerate(self.scene.boxes):
            self._box(canvas, start, box)
            for index, thing in enumerate(held):
                (chosen if self._stands_out(box, index) else rest).append((box, thing))
        for box, thing in rest:
            self._shape(canvas, start, box, thing, 0, _faded(RGB[thing.color]), "object faded")
        if self.highlight is not None:
            for grow, color in ((sum(HALO), ACCENT), (HALO[0], WHITE)):
                for box, thing in chosen:
                    self._shape(canvas, start, box, thing, grow, color, "halo")
        kind = "object" if self.highlight is None else "object highlighted"
        for box, thing in chosen:
            self._shape(canvas, start, box, thing, 0, RGB[thing.color], kind)

    def _stands_out(self, box: int, index: int) -> bool:
        if self.highlight is not None:
            return (box, index) in self.highlight
        return self.boxes is None or box in self.boxes

    def _box(self, canvas: Canvas, start: Point, box: int) -> None:
        side = BOX_SIDE * self.scale
        x, y = start[0] + box * STRIDE * self.scale, start[1]
        if self.boxes is not None and box in self.boxes:
            grow = FRAME * 0.5 * self.scale
            canvas.rectangle((x - grow, y - grow), side + 2 * grow, side + 2 * grow, ACCENT, grow / 2, "border")
        canvas.rectangle((x, y), side, side, GROUND, 0, "box")

    def _shape(self, canvas: Canvas, start: Point, box: int, thing: Object, grow: float, color: Rgb, kind: str) -> None:
        """Draw one shape, or its halo: the same shape grown by some pixels on all sides."""

        def at(x: float, y: float) -> Point:
            return start[0] + (box * STRIDE + x) * self.scale, start[1] + y * self.scale

        title = "" if grow else f"{SIZES[thing.size]} {thing.color} {thing.shape} at x = {thing.x}, y = {thing.y}"
        side = (thing.size + 2 * grow) * self.scale
        middle = thing.x + thing.size / 2
        if thing.shape == "circle":
            canvas.ellipse(at(middle, thing.y + thing.size / 2), side / 2, color, kind, title)
        elif thing.shape == "square":
            radius = grow / 2 * self.scale
            canvas.rectangle(at(thing.x - grow, thing.y - grow), side, side, color, radius, kind, title)
        else:
            # The sides rise two pixels for each one across; moving all three out by `grow` moves the corners so far.
            up, out = grow * 5**0.5, grow * (1 + 5**0.5) / 2
            points = [
                at(middle, thing.y - up),
                at(thing.right + out, thing.bottom + grow),
                at(thing.x - out, thing.bottom + grow),
            ]
            canvas.polygon(points, color, kind, title)


class _Sheet:
    """A trace laid out as cards in rows: the sub-program, the picture, the result."""

    MARGIN = 20.0
    PAD = 14.0
    LINE = FONT * LINE_HEIGHT

    def __init__(
        self,
        steps: Sequence[TraceStep],
        columns: int,
        scale: float,
        titles: tuple[str, str],
        canvas: type[SvgCanvas | PngCanvas],
    ) -> None:
        if not steps:
            raise ChoraleError("a trace without steps cannot be drawn")
        if columns < 1:
            raise ChoraleError(f"columns: expected at least 1, found {columns}")
        self.steps = steps
        # A step that returned nothing to show still gets the frame, so that all cards look alike.
        self.figures = [_Figure(step.scene, step.objects, step.boxes, None, scale) for step in steps]
        frame = FRAME * scale
        self.inner = max(figure.width - 2 * figure.frame for figure in self.figures) + 2 * frame
        self.picture = HEIGHT * scale + 2 * frame
        self.frame = frame
        self.indent = canvas.length("00  ", FONT)
        self.captions = [
            fold(step.text, lambda line: canvas.length(line, FONT) <= self.inner - self.indent) for step in steps
        ]
        self.columns = min(columns, len(steps))
        self.rows = [range(start, min(start + columns, len(steps))) for start in range(0, len(steps), columns)]
        self.card = self.inner + 2 * self.PAD
        width = self.columns * (self.card + self.MARGIN) + self.MARGIN
        self.titles: list[tuple[str, float, Rgb]] = []
        room = width - 2 * self.MARGIN
        for text, size, color in zip(titles, (TITLE, SUBTITLE), (INK, FAINT), strict=True):
            fits = partial(_fits, canvas, size, room)
            self.titles += [(line, size, color) for line in wrap(text, fits) if line]
        above = sum(size * LINE_HEIGHT for _, size, _ in self.titles) + (self.MARGIN * 0.7 if self.titles else 0)
        self.top = self.MARGIN + above
        self.size = (width, sum(self._height(row) + self.MARGIN for row in self.rows) + self.top)

    def _height(self, row: range) -> float:
        lines = max(len(self.captions[index]) for index in row)
        return lines * self.LINE + self.picture + self.LINE * 1.3 + 3.3 * self.PAD

    def draw(self, canvas: C) -> C:
        canvas.rectangle((0, 0), *self.size, PAPER)
        baseline = self.MARGIN
        for line, size, color in self.titles:
            canvas.text((self.MARGIN, baseline + size), line, size, color, "sans")
            baseline += size * LINE_HEIGHT
        top = self.top
        for row in self.rows:
            height = self._height(row)
            for column, index in enumerate(row):
                self._card(canvas, (self.MARGIN + column * (self.card + self.MARGIN), top), height, index)
            top += height + self.MARGIN
        return canvas

    def _card(self, canvas: Canvas, corner: Point, height: float, index: int) -> None:
        x, y = corner
        canvas.rectangle((x - 1, y - 1), self.card + 2, height + 2, GROUND, 9)
        canvas.rectangle(corner, self.card, height, WHITE, 8, "step")
        x, y = x + self.PAD, y + self.PAD
        canvas.text((x, y + FONT), str(index + 1), FONT, FAINT)
        for number, line in enumerate(self.captions[index]):
            canvas.text((x + self.indent, y + FONT + number * self.LINE), line, FONT, INK)
        bottom = corner[1] + height - self.PAD
        picture = bottom - self.LINE * 1.3 - self.PAD * 0.8 - self.picture
        figure = self.figures[index]
        canvas.rectangle((x, picture), self.inner, self.picture, SEPARATOR, self.frame)
        figure.picture(canvas, (x + self.frame - figure.frame, picture + self.frame - figure.frame))
        self._result(canvas, (x, bottom - self.LINE * 1.3), self.steps[index])

    def _result(self, canvas: Canvas, corner: Point, step: TraceStep) -> None:
        text = step.result
        if not text:
            return
        color = VERDICTS.get(text, FAINT) if step.value is not None else ACCENT
        first, *more = wrap(text, lambda line: canvas.length(line, FONT) <= self.inner - 50)
        text = first + " ..." if more else first
        height = self.LINE * 1.3
        canvas.rectangle(corner, canvas.length(text, FONT) + 20, height, color, height / 2, "result")
        canvas.text((corner[0] + 10, corner[1] + height / 2 + FONT * 0.35), text, FONT, WHITE)


def _fits(canvas: type[SvgCanvas | PngCanvas], size: float, room: float, line: str) -> bool:
    return canvas.length(line, size, "sans") <= room
