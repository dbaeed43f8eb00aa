"""The macro language of Dasigi et al. (2019), on which the Iterative Search row is built.

No currying and no composition; a set comes first and a constant second. Boxes are filtered by `member_...` macros,
each of which asks one question about the objects of a box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chorale.nlvr.languages import wording
from chorale.nlvr.languages.functions import TESTS, Answer, Boxes, Common, Objects, Test, typed
from chorale.nlvr.languages.laws import MACRO
from chorale.nlvr.pictures.scenes import COLORS, SHAPES
from chorale.nlvr.pictures.worlds import ObjectSet, intersection


def _set_first(test: Test) -> Callable[..., Any]:
    return lambda self, things, constant: test(things, constant)


def _member(test: Test) -> Callable[..., Any]:
    return lambda self, boxes, constant: boxes.keep(test(self.worlds.boxes.all_objects, constant))


def _same_and_different(kinds: Sequence[str]) -> tuple[Any, Any]:
    def kept(test: Callable[..., Any]) -> Any:
        return typed(
            lambda self, boxes: boxes.keep(test(self.worlds.boxes.all_objects.count_kinds(kinds))), Boxes, Boxes
        )

    return kept(lambda count: count <= 1), kept(lambda count: count > 1)


def _beyond(relation: str) -> Any:
    """What is above (below) every object of the input in its box; nothing in a box without input."""

    def beyond(_: Common, objects: ObjectSet) -> ObjectSet:
        words = intersection(objects.words, objects.view.table(relation))
        return ObjectSet(words * (objects.words != 0), objects.view)

    return typed(beyond, Objects, Objects)


class Macro(Common):
    """The macro language, bound to a corpus."""

    root = Answer
    laws = MACRO
    wording = wording.MACRO
    composition = False
    currying = False

    vars().update({name: typed(_set_first(test), things, constant, Answer) for name, things, constant, test in TESTS})
    vars().update(
        {
            name.replace("object", "member"): typed(_member(test), Boxes, constant, Boxes)
            for name, things, constant, test in TESTS
            if things is Objects
        }
    )
    member_color_same, member_color_different = _same_and_different(COLORS)
    member_shape_same, member_shape_different = _same_and_different(SHAPES)

    above, below = _beyond("above"), _beyond("below")
