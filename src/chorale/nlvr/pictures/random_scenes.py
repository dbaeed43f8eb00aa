"""Random scenes of NLVR's two kinds, drawn from a seeded generator.

*Towers* are columns of medium squares that stand on the floor with a gap of one pixel between the blocks. *Scatter* is
shapes anywhere that never overlap. Chance alone would almost never put a shape exactly at a wall or against another
shape, so some shapes are placed there on purpose: otherwise the `touch_*` functions would have nothing to find.

Each box draws from a palette of one to three colours and shapes, so that "all blocks are blue" is sometimes true.
"""

from random import Random

from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES, COLORS, SHAPES, SIZES, Box, Object, Scene

BLOCK = 20
TOWER_X = 40
TALLEST = 4
MOST_SCATTERED = 8
_TRIES = 40  # placements tried before a shape is given up

_PALETTE_WEIGHTS = (1, 3, 4)  # of one, two or three different values in a box
_PLACES = {"free": 9, "wall": 3, "corner": 1, "contact": 3}


def random_scene(rng: Random, towers: float = 0.5) -> Scene:
    """A scene of towers with probability `towers`, else a scattered one."""
    return random_towers(rng) if rng.random() < towers else random_scatter(rng)


def random_towers(rng: Random) -> Scene:
    """A scene with a tower of one to four blocks in every box."""
    return Scene(tuple(_tower(rng) for _ in range(BOXES)))


def random_scatter(rng: Random) -> Scene:
    """A scene with one to eight shapes in every box; none overlap, some touch a wall, a corner or each other."""
    return Scene(tuple(_scatter(rng) for _ in range(BOXES)))


def overlaps(one: Object, other: Object) -> bool:
    """Whether the two bounding squares share area; sharing an edge or a corner is not overlapping."""
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def _tower(rng: Random) -> Box:
    colors = _palette(rng, COLORS)
    tops = range(BOX_SIDE - BLOCK, -1, -(BLOCK + 1))[: rng.randint(1, TALLEST)]
    return tuple(Object(TOWER_X, top, BLOCK, "square", rng.choice(colors)) for top in tops)


def _scatter(rng: Random) -> Box:
    colors, shapes = _palette(rng, COLORS), _palette(rng, SHAPES)
    box: list[Object] = []
    for _ in range(rng.randint(1, MOST_SCATTERED)):
        shape, color, size = rng.choice(shapes), rng.choice(colors), rng.choice(tuple(SIZES))
        for _ in range(_TRIES):
            x, y = _place(rng, size, box)
            thing = Object(x, y, size, shape, color)
            inside = 0 <= x <= BOX_SIDE - size and 0 <= y <= BOX_SIDE - size
            if inside and not any(overlaps(thing, other) for other in box):
                box.append(thing)
                break
    return tuple(box)


def _place(rng: Random, size: int, box: list[Object]) -> tuple[int, int]:
    """Where to try a shape of this size; it may turn out to lie outside or on top of another."""
    far = BOX_SIDE - size
    x, y = rng.randint(0, far), rng.randint(0, far)
    place = rng.choices(tuple(_PLACES), tuple(_PLACES.values()))[0]
    if place == "corner":
        return rng.choice((0, far)), rng.choice((0, far))
    if place == "wall":
        return rng.choice(((x, 0), (x, far), (0, y), (far, y)))
    if place == "contact" and box:
        other = rng.choice(box)
        # From corner to corner, both included: along an edge the squares always share at least a point.
        along_x, along_y = rng.randint(other.x - size, other.right), rng.randint(other.y - size, other.bottom)
        left, right = (other.x - size, along_y), (other.right, along_y)
        above, below = (along_x, other.y - size), (along_x, other.bottom)
        return rng.choice((left, right, above, below))
    return x, y


def _palette(rng: Random, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rng.sample(values, rng.choices((1, 2, 3), _PALETTE_WEIGHTS)[0]))
