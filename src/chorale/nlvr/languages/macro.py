"""The macro language of Dasigi et al. (2019), on which the Iterative Search row is built.

No currying and no composition; a set comes first and a constant second. Boxes are filtered by `member_...` macros,
each of which asks one question about the objects of a box.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chorale.language import function
from chorale.nlvr.languages.functions import (
    TESTS,
    Answer,
    Boxes,
    Common,
    Objects,
    Test,
    count_of_colors,
    count_of_shapes,
    typed,
)
from chorale.nlvr.pictures.worlds import Counts, ObjectSet, intersection


def _set_first(test: Test) -> Callable[..., Any]:
    return lambda self, things, constant: test(things, constant)


def _member(test: Test) -> Callable[..., Any]:
    return lambda self, boxes, constant: boxes.keep(test(self.worlds.boxes.all_objects, constant))


def _same_and_different(count: Callable[[ObjectSet], Counts]) -> tuple[Any, Any]:
    same = typed(lambda self, boxes: boxes.keep(count(self.worlds.boxes.all_objects) <= 1), Boxes, Boxes)
    return same, typed(lambda self, boxes: boxes.keep(count(self.worlds.boxes.all_objects) > 1), Boxes, Boxes)


class Macro(Common):
    """The macro language, bound to a corpus."""

    root = Answer
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
    member_color_same, member_color_different = _same_and_different(count_of_colors)
    member_shape_same, member_shape_different = _same_and_different(count_of_shapes)

    @function
    def above(self, objects: Objects) -> Objects:
        return self._beyond(objects, "above")

    @function
    def below(self, objects: Objects) -> Objects:
        return self._beyond(objects, "below")

    def _beyond(self, objects: ObjectSet, relation: str) -> ObjectSet:
        """What is above (below) every object of the input in its box; nothing in a box without input."""
        words = intersection(objects.words, objects.view.table(relation))
        return ObjectSet(words * (objects.words != 0), objects.view)
