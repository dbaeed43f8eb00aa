"""How NLVR's pictures are made, pixel by pixel: what `drawing` paints and what `pixels` looks for.

A picture is a row of grey boxes with darker grey between them. A shape is a small table of coverages, 0 (not touched)
to 255 (full); a pixel of the picture is the shape's colour laid over the ground with that much cover. One table serves
all three colours, because the rounding below is the one the pictures were drawn with. Squares are full, the slanted
edges of triangles follow a rule, and circles are the tables printed here, learned from the published pictures.

Big circles come in four variants: two edge pixels depend on how far the circle stands from the left of the picture.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES

Pixels = npt.NDArray[np.uint8]
Variant = tuple[bool, bool]

GAP = 50  # the separator between two boxes
STRIDE = BOX_SIDE + GAP
WIDTH = BOXES * STRIDE - GAP
HEIGHT = BOX_SIDE
GROUND = (211, 211, 211)
SEPARATOR = (128, 128, 128)
RGB = {"black": (0, 0, 0), "blue": (0, 153, 255), "yellow": (255, 255, 0)}

PLAIN: Variant = (False, False)
VARIANTS: tuple[Variant, ...] = (PLAIN, (True, False), (False, True), (True, True))

# The coverage each letter of a circle's table stands for.
_LETTERS = ".abcdefghijklmnopqrst#"
_LEVELS = (0, 16, 48, 64, 79, 80, 96, 112, 127, 128, 143, 144, 159, 160, 191, 192, 207, 208, 224, 239, 240, 255)

_CIRCLES = {
    10: """
        ..cnssnc..
        .i######i.
        c########c
        o########o
        t########s
        t########t
        o########o
        c########c
        .i######i.
        ..cottoc..
    """,
    20: """
        ......ehnssnhd......
        ....bp########pb....
        ...i############h...
        ..i##############g..
        .b################b.
        .q################p.
        e##################e
        i##################i
        o##################o
        t##################s
        t##################t
        o##################o
        i##################i
        e##################e
        .q################q.
        .b################b.
        ..i##############g..
        ...i############g...
        ....bq########qb....
        ......eiottoie......
    """,
    30: """
        ..........ejnp##pnjd..........
        .......ahs##########sha.......
        ......fs##############se......
        .....k##################j.....
        ....m####################l....
        ...k######################k...
        ..f########################e..
        .as########################sa.
        .i##########################i.
        .t##########################s.
        e############################e
        k############################k
        o############################o
        r############################p
        ##############################
        ##############################
        r############################q
        o############################o
        k############################k
        e############################e
        .t##########################t.
        .i##########################i.
        .at########################ta.
        ..f########################e..
        ...k######################i...
        ....m####################m....
        .....k##################i.....
        ......et##############te......
        .......ait##########tia.......
        ..........ekoq##qoke..........
    """,
}

# The two unsteady pixels of a big circle as (row, column, coverage of the variant), and the places, counted from the
# left of the picture, where the variant was seen. At places never seen the plain form is as good a guess as any.
_UNSTEADY = ((23, 2, 80), (24, 26, 144))
_UNSTEADY_AT = tuple(
    frozenset(map(int, places.split()))
    for places in (
        "0 11 23 33 42 45 46 66 151 155 159 166 168 180 189 193 201 205 214 302 305 310 315 319 323 332 336 340 "
        "357 368",
        "3 12 13 14 35 36 53 55 56 58 60 62 150 154 159 171 175 188 196 205 209 213 301 302 309 310 314 322 327 "
        "330 343 348 359 364",
    )
)


def variant_at(left: int) -> Variant:
    """Which variant of a big circle NLVR draws `left` pixels from the left edge of the picture."""
    return left in _UNSTEADY_AT[0], left in _UNSTEADY_AT[1]


@cache
def coverage(shape: str, size: int, variant: Variant = PLAIN) -> Pixels:
    """How much of each pixel of its bounding square a shape covers."""
    if shape == "square":
        table = np.full((size, size), 255, np.uint8)
    elif shape == "triangle":
        table = _triangle(size)
    else:
        letters = _CIRCLES[size].split()
        table = np.array([[_LEVELS[_LETTERS.index(letter)] for letter in row] for row in letters], np.uint8)
        for unsteady, (row, column, level) in zip(variant, _UNSTEADY, strict=True):
            if unsteady:
                table[row, column] = level
    table.flags.writeable = False  # it is shared by all callers
    return table


def _triangle(size: int) -> Pixels:
    """The apex is up; each side moves out by one pixel every second row."""
    table = np.zeros((size, size), np.uint8)
    for row in range(size):
        inset = size // 2 - 1 - row // 2
        table[row, inset : size - inset] = 255
        table[row, inset], table[row, size - 1 - inset] = (192, 191) if row % 2 else (64, 64)
    return table


def blend(ground: Pixels, cover: Pixels, color: str) -> Pixels:
    """Lay a colour over the ground with the rounding of the original pictures."""
    scale = cover[..., None].astype(np.int64) + 1  # (row, column, 1)
    paint = np.array(RGB[color]) * scale >> 8
    kept = ground.astype(np.int64) * (256 - (255 * scale >> 8)) >> 8
    return (paint + kept).astype(np.uint8)  # (row, column, channel)
