"""Edits: the scenes that are one small change away, the least change first. The capability `editing` of the domain.

An object is recoloured, reshaped, resized, moved, taken away or added; towers stay towers. Places to move to are those
that programs can tell apart: free space, each wall and corner, beside another object, another box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from chorale.language.program import Program
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.random_scenes import BLOCK, TALLEST, TOWER_X, overlaps
from chorale.nlvr.pictures.scenes import BOX_SIDE, COLORS, MAX_OBJECTS, SHAPES, SIZES, Box, Object, Scene
from chorale.nlvr.pictures.trace import profiles
from chorale.nlvr.pictures.worlds import MARGIN, TOWER_GAP

Place = tuple[int, int]

_GRID = 5  # pixels between the places that are tried for free space
_NEIGHBOURS = 8  # objects of a box beside which something is put; a box of NLVR has no more


class SceneEdits:
    """Changes scenes, and says what programs see of the change."""

    def __init__(self, languages: Mapping[str, type[Common]]) -> None:
        self._languages = languages

    def around(self, context: Scene) -> Iterator[Scene]:
        return around(context)

    def profiles(self, program: Program, contexts: Sequence[Scene], language: str) -> NDArray[np.uint8]:
        return profiles(program, contexts, self._languages[language])


def around(scene: Scene) -> Iterator[Scene]:
    """All scenes that are one change away."""
    if scene.is_tower and all(len(box) <= TALLEST for box in scene.boxes) and scene.objects:
        return chain(_altered(scene, _recolored), _towers(scene))
    return chain(*(_altered(scene, how) for how in (_recolored, _reshaped, _resized)), _moved(scene), _counted(scene))


# -- what an object looks like -----------------------------------------------------------------------------------------


def _recolored(thing: Object) -> Iterator[Object]:
    return (replace(thing, color=color) for color in COLORS if color != thing.color)


def _reshaped(thing: Object) -> Iterator[Object]:
    return (replace(thing, shape=shape) for shape in SHAPES if shape != thing.shape)


def _resized(thing: Object) -> Iterator[Object]:
    """In another size, about the same centre; at a wall it stays at the wall."""
    for size in SIZES:
        if size != thing.size:
            x, y = (_held(start, thing.size, size) for start in (thing.x, thing.y))
            yield replace(thing, x=x, y=y, size=size)


def _held(start: int, before: int, size: int) -> int:
    if start == 0:
        return 0
    far = BOX_SIDE - size
    return far if start + before == BOX_SIDE else min(max(start + (before - size) // 2, 0), far)


def _altered(scene: Scene, how: Callable[[Object], Iterator[Object]]) -> Iterator[Scene]:
    for number, box in enumerate(scene.boxes):
        for index, thing in enumerate(box):
            rest = box[:index] + box[index + 1 :]
            for other in how(thing):
                if _fits(other, rest) or not _fits(thing, rest):  # what overlaps already may go on doing so
                    yield _with(scene, number, (*box[:index], other, *box[index + 1 :]))


# -- where it stands ---------------------------------------------------------------------------------------------------


def _moved(scene: Scene) -> Iterator[Scene]:
    """An object elsewhere in its box, or in another."""
    for number, box in enumerate(scene.boxes):
        for index, thing in enumerate(box):
            rest = box[:index] + box[index + 1 :]
            for other in _placed(thing, rest):
                yield _with(scene, number, (*rest[:index], other, *rest[index:]))
            without = _with(scene, number, rest)
            for target, held in enumerate(without.boxes):
                if target != number and len(held) < MAX_OBJECTS:
                    yield from (_with(without, target, (*held, other)) for other in _free(thing, held))


def _counted(scene: Scene) -> Iterator[Scene]:
    """An object less, or one more."""
    for number, box in enumerate(scene.boxes):
        for index in range(len(box)):
            yield _with(scene, number, box[:index] + box[index + 1 :])
    for number, box in enumerate(scene.boxes):
        for size, shape, color in product((20, 10, 30), SHAPES, COLORS):
            if len(box) < MAX_OBJECTS:
                places = _placed if size == BLOCK else _free  # special places in one size are enough
                new = Object(0, 0, size, shape, color)
                yield from (_with(scene, number, (*box, thing)) for thing in places(new, box))


def _placed(thing: Object, rest: Box) -> Iterator[Object]:
    """The object at all kinds of place in a box with these others."""
    yield from _free(thing, rest)
    far, middle = BOX_SIDE - thing.size, (BOX_SIDE - thing.size) // 2
    walls = [(middle, 0), (middle, far), (0, middle), (far, middle)]
    corners = list(product((0, far), repeat=2))
    beside = [
        place
        for other in rest[:_NEIGHBOURS]
        for place in (
            (other.x, other.y - thing.size),
            (other.x, other.bottom),
            (other.x - thing.size, other.y),
            (other.right, other.y),
        )
    ]
    for place in walls + corners + beside:
        other = replace(thing, x=place[0], y=place[1])
        if other != thing and _fits(other, rest):
            yield other


def _free(thing: Object, rest: Box) -> Iterator[Object]:
    """The object where nothing is near, if there is such a place."""
    start, end = MARGIN + 1, BOX_SIDE - thing.size - MARGIN
    for y, x in product(range(start, end, _GRID), repeat=2):
        other = replace(thing, x=x, y=y)
        around = Object(x - start, y - start, thing.size + 2 * start, thing.shape, thing.color)
        if not any(overlaps(around, one) for one in rest):
            yield other
            return


def _fits(thing: Object, rest: Box) -> bool:
    far = BOX_SIDE - thing.size
    return 0 <= thing.x <= far and 0 <= thing.y <= far and not any(overlaps(thing, other) for other in rest)


# -- towers ------------------------------------------------------------------------------------------------------------


def _towers(scene: Scene) -> Iterator[Scene]:
    """A block from one tower to another, a block less, a block more at the top or at the base."""
    towers = [sorted(box, key=lambda block: -block.y) for box in scene.boxes]
    colors = [tuple(block.color for block in tower) for tower in towers]
    for number, target in product(range(len(towers)), repeat=2):
        if number != target and colors[number] and len(colors[target]) < TALLEST:
            without = _with(scene, number, stacked(colors[number][:-1]))
            yield _with(without, target, stacked((*colors[target], colors[number][-1])))
    for number, tower in enumerate(colors):
        for index in reversed(range(len(tower))):
            yield _with(scene, number, stacked(tower[:index] + tower[index + 1 :]))
    for number, tower in enumerate(colors):
        for color in COLORS if len(tower) < TALLEST else ():
            yield _with(scene, number, stacked((*tower, color)))
            yield _with(scene, number, stacked((color, *tower)))


def stacked(colors: Sequence[str]) -> Box:
    """A tower of these colours, from the base to the top."""
    step = BLOCK + TOWER_GAP
    return tuple(
        Object(TOWER_X, BOX_SIDE - BLOCK - number * step, BLOCK, "square", color) for number, color in enumerate(colors)
    )


def _with(scene: Scene, number: int, box: Box) -> Scene:
    return Scene((*scene.boxes[:number], box, *scene.boxes[number + 1 :]))
