"""The obvious twin of random scenes and synthetic utterances: drawn with what `Random` offers, pool by pool."""

from itertools import count, islice
from random import Random

from chorale.nlvr.english.templates import load_templates, misspell
from chorale.nlvr.pictures.random_scenes import BLOCK, MOST_SCATTERED, TALLEST, TOWER_X, overlaps
from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES, COLORS, SHAPES, SIZES, Box, Object, Scene
from chorale.nlvr.pictures.synthetic import Knobs, SyntheticUtterance, denotations, split_of

TRIES = 40
PALETTE_WEIGHTS = (1, 3, 4)  # of one, two or three different values in a box
PLACES = {"free": 9, "wall": 3, "corner": 1, "contact": 3}


def random_scene(rng: Random, towers: float = 0.5) -> Scene:
    """A scene of towers with probability `towers`, else a scattered one."""
    return random_towers(rng) if rng.random() < towers else random_scatter(rng)


def random_towers(rng: Random) -> Scene:
    """A scene with a tower of one to four blocks in every box."""
    return Scene(tuple(_tower(rng) for _ in range(BOXES)))


def random_scatter(rng: Random) -> Scene:
    """A scene with one to eight shapes in every box; none overlap, some touch a wall, a corner or each other."""
    return Scene(tuple(_scatter(rng) for _ in range(BOXES)))


def _tower(rng: Random) -> Box:
    colors = _palette(rng, COLORS)
    tops = range(BOX_SIDE - BLOCK, -1, -(BLOCK + 1))[: rng.randint(1, TALLEST)]
    return tuple(Object(TOWER_X, top, BLOCK, "square", rng.choice(colors)) for top in tops)


def _scatter(rng: Random) -> Box:
    colors, shapes = _palette(rng, COLORS), _palette(rng, SHAPES)
    box: list[Object] = []
    for _ in range(rng.randint(1, MOST_SCATTERED)):
        shape, color, size = rng.choice(shapes), rng.choice(colors), rng.choice(tuple(SIZES))
        for _ in range(TRIES):
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
    place = rng.choices(tuple(PLACES), tuple(PLACES.values()))[0]
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
    return tuple(rng.sample(values, rng.choices((1, 2, 3), PALETTE_WEIGHTS)[0]))


def utterance(split: str, number: int, knobs: Knobs) -> SyntheticUtterance:
    """An utterance of a corpus."""
    rng = Random(f"{knobs.seed}/{split}/{number}")
    picture = "towers" if rng.random() < knobs.towers else "scatter"
    templates = [template for template in load_templates() if template.picture == picture]
    while True:
        sentence, program = rng.choice(templates).fill(rng)
        chosen = _images(program, picture, split, knobs.images, rng)
        if chosen is not None:
            break
    scenes, truths = zip(*chosen, strict=True)
    said = misspell(sentence, rng, knobs.typos)
    labels = tuple(truth != (rng.random() < knobs.noise) for truth in truths)
    return SyntheticUtterance(number, said, program, scenes, labels)


def _images(program: str, picture: str, split: str, images: int, rng: Random) -> list[tuple[Scene, bool]] | None:
    while True:
        wanted = [rng.random() < 0.55 for _ in range(images)]
        if images == 1 or len(set(wanted)) == 2:
            break
    found: dict[bool, dict[Scene, None]] = {True: {}, False: {}}
    drawn = ((random_towers if picture == "towers" else random_scatter)(rng) for _ in count())
    usable = (scene for scene in drawn if split_of(scene) == split)
    for _ in range(4):
        pool = tuple(islice(usable, 24))
        for scene, truth in zip(pool, denotations(program, pool), strict=True):
            found[truth][scene] = None
        if all(len(found[truth]) >= wanted.count(truth) for truth in found):
            first = {truth: iter(found[truth]) for truth in found}
            return [(next(first[truth]), truth) for truth in wanted]
    return None
