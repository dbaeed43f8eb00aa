"""The macro language of Dasigi et al. (2019), on which the Iterative Search row is built.

No currying and no composition; a set comes first and a constant second. Boxes are filtered by `member_...` macros,
each of which asks one question about the objects of a box.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chorale.language import function
from chorale.nlvr.languages.functions import (
    COMPARISONS,
    Answer,
    Boxes,
    Color,
    Common,
    Objects,
    Shape,
    all_have,
    any_has,
    count_of_colors,
    count_of_shapes,
    none_has,
)
from chorale.nlvr.pictures.worlds import Counts, ObjectSet, Truth, intersection


def _box_count(comparison: str) -> Any:
    @function
    def test(self: Common, boxes: Boxes, number: int) -> Answer:
        return COMPARISONS[comparison](boxes.count(), number)

    return test


def _object_count(count: Callable[[ObjectSet], Counts], comparison: str) -> Any:
    @function
    def test(self: Common, objects: Objects, number: int) -> Answer:
        return COMPARISONS[comparison](count(objects), number)

    return test


def _member_count(count: Callable[[ObjectSet], Counts], comparison: str) -> Any:
    @function
    def keep(self: Common, boxes: Boxes, number: int) -> Boxes:
        return boxes.keep(COMPARISONS[comparison](count(self.worlds.boxes.all_objects), number))

    return keep


def _color_tests(holds: Callable[[ObjectSet, str], Truth]) -> tuple[Any, Any]:
    @function
    def test(self: Common, objects: Objects, color: Color) -> Answer:
        return holds(objects, color)

    @function
    def keep(self: Common, boxes: Boxes, color: Color) -> Boxes:
        return boxes.keep(holds(self.worlds.boxes.all_objects, color))

    return test, keep


def _shape_tests(holds: Callable[[ObjectSet, str], Truth]) -> tuple[Any, Any]:
    @function
    def test(self: Common, objects: Objects, shape: Shape) -> Answer:
        return holds(objects, shape)

    @function
    def keep(self: Common, boxes: Boxes, shape: Shape) -> Boxes:
        return boxes.keep(holds(self.worlds.boxes.all_objects, shape))

    return test, keep


class Macro(Common):
    """The macro language, bound to a corpus."""

    root = Answer
    composition = False
    currying = False

    for _comparison in COMPARISONS:
        vars()[f"box_count_{_comparison}"] = _box_count(_comparison)
        vars()[f"object_count_{_comparison}"] = _object_count(ObjectSet.count, _comparison)
        vars()[f"object_color_count_{_comparison}"] = _object_count(count_of_colors, _comparison)
        vars()[f"object_shape_count_{_comparison}"] = _object_count(count_of_shapes, _comparison)
        vars()[f"member_count_{_comparison}"] = _member_count(ObjectSet.count, _comparison)
        vars()[f"member_color_count_{_comparison}"] = _member_count(count_of_colors, _comparison)
        vars()[f"member_shape_count_{_comparison}"] = _member_count(count_of_shapes, _comparison)
    del _comparison

    object_color_all_equals, member_color_all_equals = _color_tests(all_have)
    object_color_any_equals, member_color_any_equals = _color_tests(any_has)
    object_color_none_equals, member_color_none_equals = _color_tests(none_has)
    object_shape_all_equals, member_shape_all_equals = _shape_tests(all_have)
    object_shape_any_equals, member_shape_any_equals = _shape_tests(any_has)
    object_shape_none_equals, member_shape_none_equals = _shape_tests(none_has)

    @function
    def member_color_same(self, boxes: Boxes) -> Boxes:
        return boxes.keep(count_of_colors(self.worlds.boxes.all_objects) <= 1)

    @function
    def member_color_different(self, boxes: Boxes) -> Boxes:
        return boxes.keep(count_of_colors(self.worlds.boxes.all_objects) > 1)

    @function
    def member_shape_same(self, boxes: Boxes) -> Boxes:
        return boxes.keep(count_of_shapes(self.worlds.boxes.all_objects) <= 1)

    @function
    def member_shape_different(self, boxes: Boxes) -> Boxes:
        return boxes.keep(count_of_shapes(self.worlds.boxes.all_objects) > 1)

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
