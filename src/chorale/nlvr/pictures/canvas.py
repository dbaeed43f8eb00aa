"""Two canvases with one set of strokes: what is drawn once comes out as SVG and as PNG.

Lengths are pixels of the finished picture. Colours are (red, green, blue). A `kind` names what a stroke stands for, and
`title` says it in words; they end up in the SVG as class and tooltip, and are of no use to a PNG.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from chorale.errors import ChoraleError
from chorale.plumbing import svg

Rgb = tuple[int, int, int]
Point = tuple[float, float]

MAX_PIXELS = 150_000_000  # of a PNG before it is made smooth; beyond that a picture is a mistake
LINE_HEIGHT = 1.4
_SMOOTH = 3  # a PNG is painted this much larger and then reduced
Family = Literal["mono", "sans"]
_FAMILIES = {"mono": "ui-monospace, Menlo, Consolas, monospace", "sans": "system-ui, 'Segoe UI', sans-serif"}
_WIDTHS = {"mono": 0.61, "sans": 0.6}  # of a letter, in parts of the font size; common fonts stay below it
_FONTS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "Menlo.ttc", "consola.ttf")  # the first that is installed
_WORDS = re.compile(r"[^\s(),]*[(),]*\s*")  # programs may break after a bracket or a comma


def wrap(text: str, fits: Callable[[str], bool]) -> list[str]:
    """Break a text, best after spaces, brackets and commas, into lines that fit; at least one letter per line."""
    lines = [""]
    for word in _WORDS.findall(" ".join(text.split())):
        rest = word
        if lines[-1] and not fits((lines[-1] + rest).rstrip()):
            lines.append("")
        while not fits((lines[-1] + rest).rstrip()) and len(rest) > 1:
            cut = 1
            while fits(rest[: cut + 1]):
                cut += 1
            lines[-1:] = [rest[:cut], ""]
            rest = rest[cut:]
        lines[-1] += rest
    return [line.rstrip() for line in lines]


class _Call(NamedTuple):
    """A text that ends with a call: what comes before its arguments, these, and the brackets and commas behind them."""

    head: str
    arguments: list[str]
    tail: str

    @staticmethod
    def of(text: str) -> _Call | None:
        """None if there is no bracket, or one that is not closed."""
        depth, last = 0, None  # where the last pair of brackets begins and ends
        cuts: list[int] = []
        for place, letter in enumerate(text):
            if letter == "(":
                depth += 1
                if depth == 1:
                    last, cuts = (place, -1), []
            elif letter == ")" and depth:
                depth -= 1
                if depth == 0 and last:
                    last = (last[0], place)
            elif letter == "," and depth == 1:
                cuts.append(place)
        if last is None or depth or text[last[1] :].strip("),"):
            return None
        starts = [last[0] + 1, *(cut + 1 for cut in cuts)]
        inside = [text[a:b].strip() for a, b in zip(starts, [*cuts, last[1]], strict=True)]
        return _Call(text[: last[0] + 1], inside, text[last[1] :])


def fold(text: str, fits: Callable[[str], bool], indent: int = 0) -> list[str]:
    """Break a program at its brackets into lines that fit; what stands in brackets is indented.

    >>> print(*fold("one(two(three(a, four(b)), c))", lambda line: len(line) < 18), sep="\\n")
    one(two(
      three(
        a,
        four(b)),
      c))
    """
    longest = max(map(len, _WORDS.findall(text)))
    while indent and not fits(" " * (indent + longest)):  # too deep for the width
        indent -= 1
    pad = " " * indent
    call = None if fits(pad + text) else _Call.of(text)
    if call is None or not fits(pad + call.head):
        return [pad + line for line in wrap(text, lambda line: fits(pad + line))]
    head, arguments, tail = call
    while len(arguments) == 1 and (inner := _Call.of(arguments[0])) and fits(pad + head + inner.head):
        head, arguments, tail = head + inner.head, inner.arguments, inner.tail + tail
    ends = [","] * (len(arguments) - 1) + [tail]
    lines = [fold(one + end, fits, indent + 2) for one, end in zip(arguments, ends, strict=True)]
    return [pad + head, *(line for some in lines for line in some)]


class SvgCanvas:
    """Vector strokes; text is set in the reader's monospace font."""

    def __init__(self, width: float, height: float) -> None:
        self._size = (width, height)
        self._parts: list[str] = []

    def rectangle(
        self, corner: Point, width: float, height: float, fill: Rgb, radius: float = 0, kind: str = "", title: str = ""
    ) -> None:
        x, y = corner
        self._add("rect", fill, kind, title, x=x, y=y, width=width, height=height, rx=radius or None)

    def ellipse(self, center: Point, radius: float, fill: Rgb, kind: str = "", title: str = "") -> None:
        self._add("circle", fill, kind, title, cx=center[0], cy=center[1], r=radius)

    def polygon(self, points: Sequence[Point], fill: Rgb, kind: str = "", title: str = "") -> None:
        self._add("polygon", fill, kind, title, points=svg.points(points))

    def text(self, start: Point, text: str, size: float, fill: Rgb, family: Family = "mono") -> None:
        """Write one line; `start` is the left end of its baseline."""
        x = start[0] + self.length(text[: len(text) - len(text.lstrip())], size, family)  # SVG drops spaces in front
        font = {"font_family": _FAMILIES[family], "font_size": size}
        self._parts.append(svg.element("text", text.lstrip(), x=x, y=start[1], **font, fill=_hex(fill)))

    @staticmethod
    def length(text: str, size: float, family: Family = "mono") -> float:
        """How wide a line of text comes out."""
        return len(text) * size * _WIDTHS[family]

    def svg(self, label: str) -> str:
        return svg.document(*self._size, self._parts, role="img", aria_label=label)

    def _add(self, tag: str, fill: Rgb, kind: str, title: str, **place: object) -> None:
        self._parts.append(svg.titled(tag, title, class_=kind, **place, fill=_hex(fill)))


class PngCanvas:
    """Pixels, painted larger and then reduced, so that edges are smooth."""

    def __init__(self, width: float, height: float) -> None:
        self._size = (max(1, round(width)), max(1, round(height)))
        large = (self._size[0] * _SMOOTH, self._size[1] * _SMOOTH)
        if large[0] * large[1] > MAX_PIXELS:
            raise ChoraleError(
                f"a PNG of {self._size[0]} x {self._size[1]} pixels is too large to draw; "
                "choose a smaller scale, draw fewer pictures, or draw SVG"
            )
        self._image = Image.new("RGB", large, (255, 255, 255))
        self._draw = ImageDraw.Draw(self._image)

    def rectangle(self, corner: Point, width: float, height: float, fill: Rgb, radius: float = 0, *_: str) -> None:
        frame = _frame(corner[0], corner[1], corner[0] + width, corner[1] + height)
        self._draw.rounded_rectangle(frame, radius * _SMOOTH, fill)

    def ellipse(self, center: Point, radius: float, fill: Rgb, *_: str) -> None:
        (x, y), r = center, radius
        self._draw.ellipse(_frame(x - r, y - r, x + r, y + r), fill)

    def polygon(self, points: Sequence[Point], fill: Rgb, *_: str) -> None:
        self._draw.polygon([(x * _SMOOTH - 0.5, y * _SMOOTH - 0.5) for x, y in points], fill)

    def text(self, start: Point, text: str, size: float, fill: Rgb, family: Family = "mono") -> None:
        place = (start[0] * _SMOOTH, start[1] * _SMOOTH)
        self._draw.text(place, svg.legal(text), fill, _font(size, family), anchor="ls")

    @staticmethod
    def length(text: str, size: float, family: Family = "mono") -> float:
        return _font(size, family).getlength(svg.legal(text)) / _SMOOTH

    def image(self) -> Image.Image:
        return self._image.resize(self._size, Image.Resampling.BOX).convert("RGBA")


Canvas = SvgCanvas | PngCanvas


def _frame(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    """A rectangle as Pillow wants it: the last row and column belong to it."""
    return left * _SMOOTH, top * _SMOOTH, right * _SMOOTH - 1, bottom * _SMOOTH - 1


@cache
def _font(size: float, family: Family) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of this machine for programs; Pillow's own, which is not monospaced, for the rest or if there is none."""
    for name in _FONTS if family == "mono" else ():
        with suppress(OSError):
            return ImageFont.truetype(name, size * _SMOOTH)
    return ImageFont.load_default(size * _SMOOTH)


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
