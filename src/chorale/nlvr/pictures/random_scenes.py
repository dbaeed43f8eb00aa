"""Random scenes of NLVR's two kinds, drawn from a seeded generator.

*Towers* are columns of medium squares that stand on the floor with a gap of one pixel between the blocks. *Scatter* is
shapes anywhere that never overlap. Chance alone would almost never put a shape exactly at a wall or against another
shape, so some shapes are placed there on purpose: otherwise the `touch_*` functions would have nothing to find.

Each box draws from a palette of one to three colours and shapes, so that "all blocks are blue" is sometimes true.

A synthetic corpus draws dozens of scenes for each utterance, so drawing must be quick. Objects are plain tuples until
somebody wants the scene, and random numbers are taken from the generator's bits directly, as `Random.randrange` and the
others take them. The tests compare all that is drawn with the plain way to draw it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES, COLORS, SHAPES, SIZES, Object, Scene

BLOCK = 20
TOWER_X = 40
TALLEST = 4
MOST_SCATTERED = 8
_ALIKE = 0.25
_ANY, _NAMED_KIND, _PULL = 0.25, 0.9, 0.75  # of contexts about something
_TRIES = 40  # placements tried before a shape is given up

_SIZES = tuple(SIZES)
_TOPS = tuple(range(BOX_SIDE - BLOCK, -1, -(BLOCK + 1)))
# How many different values a box has, and where shapes are put: out of 8 and 16, counted up.
_ONE, _TWO, _VALUES = 1, 4, 8
_FREE, _WALL, _CORNER, _PLACES = 9, 12, 13, 16  # the rest: against another shape

_WIDTHS = tuple(count.bit_length() for count in range(BOX_SIDE + 1))

Bits = Callable[[int], int]
Palettes = dict[tuple[int, int], tuple[str, ...]]
"""Three values in all orders, by the first two draws: which of three, which of the two that are left."""
Square = tuple[int, int, int, int]
"""What a shape covers: from x, y to the right and the bottom."""


class Thing(NamedTuple):
    """An object that was drawn; it has what an `Object` has, and costs a tenth."""

    x: int
    y: int
    size: int
    shape: str
    color: str


Drawn = tuple[tuple[Thing, ...], ...]
"""The boxes of a scene that was drawn."""


def _palettes(values: tuple[str, ...]) -> Palettes:
    """What is taken leaves its place to the last one, as in `Random.sample`."""
    palettes: Palettes = {}
    for first in range(3):
        left = [*values[:first], values[2], *values[first + 1 : 2]] if first < 2 else list(values[:2])
        for second in range(2):
            palettes[first, second] = (values[first], left[second], left[1 - second])
    return palettes


_COLOR_PALETTES, _SHAPE_PALETTES = _palettes(COLORS), _palettes(SHAPES)


def random_scene(rng: Random, towers: float = 0.5) -> Scene:
    """A scene of towers with probability `towers`, else a scattered one."""
    return random_towers(rng) if rng.random() < towers else random_scatter(rng)


def random_context(rng: Random) -> Scene:
    """A random scene to tell meanings apart on; in one of four the boxes are alike.

    Boxes that are drawn one by one nearly always differ, so that "a box without a yellow circle" would always be true.
    """
    scene = random_scene(rng)
    return Scene((scene.boxes[0],) * BOXES) if rng.random() < _ALIKE else scene


def context_about(rng: Random, about: Sequence[str]) -> Scene:
    """A random scene to tell the meanings of a sentence apart on: some colours, some shapes, "towers" or "scatter".

    In a quarter of the scenes nothing is changed. In the others most of them are of the kind that is named, and an
    object that has no colour or shape of those named mostly gets one.

    >>> scene = context_about(Random(3), ("blue", "circle", "scatter"))
    >>> sorted({(thing.color, thing.shape) for box in scene.boxes for thing in box})
    [('blue', 'circle'), ('blue', 'triangle'), ('yellow', 'square')]
    """
    if rng.random() < _ANY:
        return random_context(rng)
    towers = _NAMED_KIND if "towers" in about else 1 - _NAMED_KIND if "scatter" in about else 0.5
    colors, shapes = ([value for value in values if value in about] for values in (COLORS, SHAPES))

    def pulled(value: str, named: Sequence[str]) -> str:
        return rng.choice(named) if named and value not in named and rng.random() < _PULL else value

    scene = random_scene(rng, towers)
    boxes = tuple(
        tuple(replace(thing, color=pulled(thing.color, colors), shape=pulled(thing.shape, shapes)) for thing in box)
        for box in scene.boxes
    )
    return Scene((boxes[0],) * BOXES if rng.random() < _ALIKE else boxes)


def random_towers(rng: Random) -> Scene:
    """A scene with a tower of one to four blocks in every box."""
    return scene_of(drawn_towers(rng))


def random_scatter(rng: Random) -> Scene:
    """A scene with one to eight shapes in every box; none overlap, some touch a wall, a corner or each other."""
    return scene_of(drawn_scatter(rng))


def drawn_towers(rng: Random) -> Drawn:
    """What `random_towers` draws, as plain values."""
    return tuple([_tower(rng) for _ in range(BOXES)])


def drawn_scatter(rng: Random) -> Drawn:
    """What `random_scatter` draws, as plain values."""
    return tuple([_scatter(rng) for _ in range(BOXES)])


def scene_of(drawn: Drawn) -> Scene:
    """The scene that was drawn."""
    return Scene(tuple(tuple(Object(*thing) for thing in box) for box in drawn))


def overlaps(one: Object, other: Object) -> bool:
    """Whether the two bounding squares share area; sharing an edge or a corner is not overlapping."""
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def _tower(rng: Random) -> tuple[Thing, ...]:
    bits, colors = rng.getrandbits, _palette(rng, _COLOR_PALETTES)
    tops, count = _TOPS[: 1 + _below(bits, TALLEST)], len(colors)
    return tuple([Thing(TOWER_X, top, BLOCK, "square", colors[_below(bits, count)]) for top in tops])


def _scatter(rng: Random) -> tuple[Thing, ...]:
    bits, random = rng.getrandbits, rng.random
    colors, shapes = _palette(rng, _COLOR_PALETTES), _palette(rng, _SHAPE_PALETTES)
    box: list[Thing] = []
    taken: list[Square] = []
    for _ in range(1 + _below(bits, MOST_SCATTERED)):
        shape, color = shapes[_below(bits, len(shapes))], colors[_below(bits, len(colors))]
        size = _SIZES[_below(bits, len(_SIZES))]
        far = BOX_SIDE - size
        for _ in range(_TRIES):
            # `_below(bits, far + 1)` twice, written out: most of the time goes by here.
            x = bits(7)
            while x > far:
                x = bits(7)
            y = bits(7)
            while y > far:
                y = bits(7)
            place = random() * _PLACES
            if place >= _FREE:
                x, y = _special(bits, place, x, y, size, taken)
                if x < 0 or y < 0 or x > far or y > far:
                    continue
            right, bottom = x + size, y + size
            for left, top, end, floor in taken:
                if x < end and left < right and y < floor and top < bottom:
                    break
            else:
                box.append(Thing(x, y, size, shape, color))
                taken.append((x, y, right, bottom))
                break
    return tuple(box)


def _special(bits: Bits, place: float, x: int, y: int, size: int, taken: list[Square]) -> tuple[int, int]:
    """Where to try a shape that is not put just anywhere; it may lie outside or on top of another."""
    far = BOX_SIDE - size
    if place < _WALL:
        return ((x, 0), (x, far), (0, y), (far, y))[_below(bits, 4)]
    if place < _CORNER:
        return (0, far)[_below(bits, 2)], (0, far)[_below(bits, 2)]
    if not taken:
        return x, y
    left, top, right, bottom = taken[_below(bits, len(taken))]
    # From corner to corner, both included: along an edge the squares always share at least a point.
    along_x = left - size + _below(bits, right - left + size + 1)
    along_y = top - size + _below(bits, bottom - top + size + 1)
    return ((left - size, along_y), (right, along_y), (along_x, top - size), (along_x, bottom))[_below(bits, 4)]


def _palette(rng: Random, palettes: Palettes) -> tuple[str, ...]:
    """One to three different values, in a random order: those of the first and the second draw, and the rest."""
    share, bits = rng.random() * _VALUES, rng.getrandbits
    first = _below(bits, 3)
    if share < _ONE:
        return palettes[first, 0][:1]
    second = _below(bits, 2)
    if share < _TWO:
        return palettes[first, second][:2]
    _below(bits, 1)  # of the last there is no choice, but the generator goes on
    return palettes[first, second]


def _below(bits: Bits, count: int) -> int:
    """A random number from 0 to below `count`."""
    width = _WIDTHS[count]
    number = bits(width)
    while number >= count:
        number = bits(width)
    return number
