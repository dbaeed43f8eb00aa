"""The consistent language of Gupta, Singh and Gardner (2021): composition and currying instead of macros.

Constants come first, so that giving only the constant leaves a predicate over objects, and a phrase such as "at least
two yellow squares" is the same sub-program wherever it stands.
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
    Predicate,
    Shape,
    all_have,
    any_has,
    count_of_colors,
    count_of_shapes,
    none_has,
)
from chorale.nlvr.pictures.worlds import Counts, ObjectSet, Truth


def _box_count(comparison: str) -> Any:
    @function
    def test(self: Common, number: int, boxes: Boxes) -> Answer:
        return COMPARISONS[comparison](boxes.count(), number)

    return test


def _object_count(count: Callable[[ObjectSet], Counts], comparison: str) -> Any:
    @function
    def test(self: Common, number: int, objects: Objects) -> Answer:
        return COMPARISONS[comparison](count(objects), number)

    return test


def _color_test(holds: Callable[[ObjectSet, str], Truth]) -> Any:
    @function
    def test(self: Common, color: Color, objects: Objects) -> Answer:
        return holds(objects, color)

    return test


def _shape_test(holds: Callable[[ObjectSet, str], Truth]) -> Any:
    @function
    def test(self: Common, shape: Shape, objects: Objects) -> Answer:
        return holds(objects, shape)

    return test


class Consistent(Common):
    """The consistent language, bound to a corpus."""

    root = Answer
    # A filter is used only through composition: "yellow above black" is yellow . above . black wherever it stands.
    excluded = frozenset({"Set[Object] -> [<Set[Object]:Set[Object]>, Set[Object]]"})

    for _comparison in COMPARISONS:
        vars()[f"box_count_{_comparison}"] = _box_count(_comparison)
        vars()[f"object_count_{_comparison}"] = _object_count(ObjectSet.count, _comparison)
        vars()[f"object_color_count_{_comparison}"] = _object_count(count_of_colors, _comparison)
        vars()[f"object_shape_count_{_comparison}"] = _object_count(count_of_shapes, _comparison)
    del _comparison

    object_color_all_equals = _color_test(all_have)
    object_color_any_equals = _color_test(any_has)
    object_color_none_equals = _color_test(none_has)
    object_shape_all_equals = _shape_test(all_have)
    object_shape_any_equals = _shape_test(any_has)
    object_shape_none_equals = _shape_test(none_has)

    @function
    def object_color_same(self, objects: Objects) -> Answer:
        return count_of_colors(objects) <= 1

    @function
    def object_color_different(self, objects: Objects) -> Answer:
        return count_of_colors(objects) > 1

    @function
    def object_shape_same(self, objects: Objects) -> Answer:
        return count_of_shapes(objects) <= 1

    @function
    def object_shape_different(self, objects: Objects) -> Answer:
        return count_of_shapes(objects) > 1

    @function
    def above(self, objects: Objects) -> Objects:
        return objects.related("above")

    @function
    def below(self, objects: Objects) -> Objects:
        return objects.related("below")

    @function
    def box_filter(self, boxes: Boxes, passes: Predicate) -> Boxes:
        # Each distinct box is judged once, by itself, wherever in the corpus it stands.
        return boxes.keep(passes(self.worlds.boxes.all_objects))

    @function
    def box_filter_and(self, one: Predicate, other: Predicate) -> Predicate:
        return lambda objects: one(objects) & other(objects)
