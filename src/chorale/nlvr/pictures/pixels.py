"""From pixels to scenes, exactly: the scene that is read, drawn again, gives the same picture.

Every box is explained by itself. Of the pixels not yet explained, the first in reading order must be the first pixel
of the shape it belongs to, so only a handful of shapes can stand there, each at one place. Take one, wipe out its
pixels, go on with the next; where nothing fits, go back. Nothing is guessed: one odd pixel and there is no reading.

Squares of one colour that lie flush can be read in several ways (four small ones look like a medium one). The reading
with the fewest objects is returned; no picture of NLVR leaves a choice.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from chorale.errors import ChoraleError
from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES, COLORS, MAX_OBJECTS, SHAPES, SIZES, Box, Object, Scene
from chorale.nlvr.pictures.shapes import GROUND, HEIGHT, PLAIN, SEPARATOR, STRIDE, VARIANTS, WIDTH, blend, coverage

Codes = npt.NDArray[np.int64]  # pixels as single numbers, 0xRRGGBB

MAX_STEPS = 2_000  # of one box's search; a picture of NLVR needs a few dozen
_LARGEST = max(SIZES) ** 2
_SIDES = ("left", "middle", "right")
_EXPECTED = (
    f"an NLVR picture is a PNG of {WIDTH} x {HEIGHT} pixels: three grey boxes with black, blue or yellow circles, "
    "squares and triangles of 10, 20 or 30 pixels that do not overlap"
)


class PictureError(ChoraleError):
    """A file is not an NLVR picture; the message says where it stops being one."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}. ({_EXPECTED[0].upper()}{_EXPECTED[1:]}.)")
        self.problem = problem


def scene_from_png(picture: str | Path | bytes | Image.Image) -> Scene:
    """Read the scene of an NLVR picture, boxes as seen from left to right; raise `PictureError` if it is none.

    The picture is a file, what stands in one, or an image.
    """
    name = "the picture" if isinstance(picture, Image.Image | bytes) else str(picture)
    codes = _codes(picture, name) if isinstance(picture, Image.Image) else _load(picture, name)
    _check_separators(codes, name)
    lefts = (index * STRIDE for index in range(BOXES))
    return Scene(tuple(_read_box(codes[:, x : x + BOX_SIDE], index, name) for index, x in enumerate(lefts)))


def _load(file: str | Path | bytes, name: str) -> Codes:
    """Open a file that may be anything; its size is checked before its pixels are unpacked."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(file) if isinstance(file, bytes) else file, formats=["PNG"]) as image:
                return _codes(image, name)
    except PictureError:
        raise
    except FileNotFoundError:
        raise PictureError(name, "there is no such file") from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise PictureError(name, "the picture is far too large") from None
    except UnidentifiedImageError:
        raise PictureError(name, "this is not a PNG file") from None
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error) as error:
        raise PictureError(name, f"the file cannot be read as a PNG ({error})") from None


def _codes(image: Image.Image, name: str) -> Codes:
    if image.size != (WIDTH, HEIGHT):
        raise PictureError(name, f"the picture has {image.width} x {image.height} pixels")
    rgba = np.asarray(image.convert("RGBA")).astype(np.int64)  # (row, column, channel)
    if (rgba[..., 3] != 255).any():
        row, column = np.argwhere(rgba[..., 3] != 255)[0]
        raise PictureError(name, f"pixel ({column}, {row}) is transparent")
    return _pack(rgba[..., :3])


def _pack(rgb: npt.NDArray[np.integer]) -> Codes:
    wide = rgb.astype(np.int64)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


_GROUND_CODE = int(_pack(np.array(GROUND)))
_SEPARATOR_CODE = int(_pack(np.array(SEPARATOR)))


def _rgb(code: int) -> tuple[int, int, int]:
    return code >> 16, code >> 8 & 255, code & 255


def _check_separators(codes: Codes, name: str) -> None:
    columns = np.arange(WIDTH) % STRIDE >= BOX_SIDE
    wrong = np.argwhere((codes != _SEPARATOR_CODE) & columns)
    if len(wrong):
        row, column = wrong[0]
        where = f"pixel ({column}, {row}), between two boxes,"
        raise PictureError(name, f"{where} is {_rgb(int(codes[row, column]))}; the separator there is {SEPARATOR}")


@dataclass(frozen=True)
class _Template:
    """A shape in a colour, as the codes of its pixels; indices count from its first pixel in reading order."""

    shape: str
    size: int
    color: str
    first: int  # the column of the first pixel; its row is always 0
    indices: Codes  # in a flattened box
    codes: Codes


@cache
def _templates() -> dict[int, list[_Template]]:
    """All shapes, large ones first, by the code of their first pixel."""
    by_code = defaultdict(list)
    for size, shape, color in product(sorted(SIZES, reverse=True), SHAPES, COLORS):
        for variant in VARIANTS if (shape, size) == ("circle", 30) else (PLAIN,):
            cover = coverage(shape, size, variant)
            rows, columns = np.nonzero(cover)
            codes = _pack(blend(np.full((size, size, 3), GROUND, np.uint8), cover, color))[rows, columns]
            first = int(columns[0])
            template = _Template(shape, size, color, first, rows * BOX_SIDE + columns - first, codes)
            by_code[int(codes[0])].append(template)
    return dict(by_code)


@dataclass
class _Search:
    """The search for the fewest shapes that explain one box."""

    left: Codes  # the flattened box, explained pixels wiped out
    steps: int = 0
    furthest: int = 0  # the last pixel any attempt got to: where a broken picture is wrong
    gave_up: bool = False  # something was left untried before there was any reading
    best: list[Object] | None = None
    chosen: list[Object] = field(default_factory=list)

    def explain(self, unexplained: int) -> None:
        self.steps += 1
        if not unexplained:
            self.best = list(self.chosen)
            return
        bound = MAX_OBJECTS + 1 if self.best is None else len(self.best)
        if len(self.chosen) - (-unexplained // _LARGEST) >= bound or self.steps > MAX_STEPS:
            self.gave_up |= self.best is None
            return
        anchor = int((self.left != _GROUND_CODE).argmax())
        self.furthest = max(self.furthest, anchor)
        y, column = divmod(anchor, BOX_SIDE)
        for template in _templates().get(int(self.left[anchor]), ()):
            x = column - template.first
            if not 0 <= x <= BOX_SIDE - template.size or y > BOX_SIDE - template.size:
                continue
            indices = template.indices + anchor
            if (self.left[indices] == template.codes).all():
                self.left[indices] = _GROUND_CODE
                self.chosen.append(Object(x, y, template.size, template.shape, template.color))
                self.explain(unexplained - len(indices))
                self.chosen.pop()
                self.left[indices] = template.codes


def _read_box(codes: Codes, index: int, name: str) -> Box:
    search = _Search(codes.flatten())
    search.explain(int((codes != _GROUND_CODE).sum()))
    if search.best is None and search.gave_up:
        problem = f"the {_SIDES[index]} box holds more than {MAX_OBJECTS} shapes, or too many that touch to tell apart"
        raise PictureError(name, problem)
    if search.best is None:
        y, x = divmod(search.furthest, BOX_SIDE)
        where = f"pixel ({index * STRIDE + x}, {y}), in the {_SIDES[index]} box at x = {x}, y = {y}"
        raise PictureError(name, f"{where}, is {_rgb(int(codes[y, x]))}, and no shape fits there")
    return tuple(sorted(search.best))
