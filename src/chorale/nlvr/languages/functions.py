"""What all languages of this domain share: sets of boxes and objects, filters, walls, contact.

Each method computes on a whole corpus at once; see `worlds`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

import numpy as np

from chorale.language import Language, Type, constants, function
from chorale.nlvr.pictures.scenes import COLORS, SHAPES
from chorale.nlvr.pictures.worlds import BoxSet, Counts, ObjectSet, Truth, Worlds

Objects = Annotated[ObjectSet, "Set[Object]"]
Boxes = Annotated[BoxSet, "Set[Box]"]
Answer = Annotated[Truth, "bool"]
Filter = Callable[[Objects], Objects]
Predicate = Callable[[Objects], Answer]
Test = Callable[[Any, Any], Truth]
"""What is asked of a set and a constant."""


class Color(str):
    """A colour as a value."""


class Shape(str):
    """A shape as a value."""


COMPARISONS: dict[str, Test] = {
    "equals": np.equal,
    "not_equals": np.not_equal,
    "greater": np.greater,
    "greater_equals": np.greater_equal,
    "lesser": np.less,
    "lesser_equals": np.less_equal,
}
"""The six ways of comparing a count with a number."""


_QUANTIFIERS: dict[str, Test] = {
    "all": lambda objects, attribute: ~objects.view.any(objects.words & ~objects.view.table(attribute)),
    "any": lambda objects, attribute: objects.where(attribute).exists(),
    "none": lambda objects, attribute: ~objects.where(attribute).exists(),
}
"""How many of some objects have a property; all and none are true of no objects."""


def _compared(count: Callable[[Any], Counts], comparison: Test) -> Test:
    return lambda things, number: comparison(count(things), number)


_COUNTS: dict[str, tuple[Any, Callable[[Any], Counts]]] = {
    "box_count": (Boxes, BoxSet.count),
    "object_count": (Objects, ObjectSet.count),
    "object_color_count": (Objects, lambda objects: objects.count_kinds(COLORS)),
    "object_shape_count": (Objects, lambda objects: objects.count_kinds(SHAPES)),
}
TESTS: tuple[tuple[str, Any, Any, Test], ...] = (
    *(
        (f"{counted}_{name}", things, int, _compared(count, comparison))
        for counted, (things, count) in _COUNTS.items()
        for name, comparison in COMPARISONS.items()
    ),
    *(
        (f"object_{aspect}_{which}_equals", Objects, constant, holds)
        for aspect, constant in (("color", Color), ("shape", Shape))
        for which, holds in _QUANTIFIERS.items()
    ),
)
"""The functions from a set and a constant to an answer, by name, with the types of both. Languages differ in which of
the two comes first."""


def typed(method: Callable[..., Any], *types: Any) -> Any:
    """A function of the language whose types are not written as annotations: of its arguments, then of its value."""
    _, *parameters = inspect.signature(method).parameters
    method.__annotations__ = dict(zip((*parameters, "return"), types, strict=True))
    return function(method)


def filter_by(attribute: str) -> Any:
    """A function that keeps the objects with the given property."""
    return typed(lambda self, objects: objects.where(attribute), Objects, Objects)


def most_frequent(attributes: Sequence[str]) -> Any:
    """A function that keeps the objects of the most frequent kind."""
    return typed(lambda self, objects: objects.most_frequent(attributes), Objects, Objects)


def related_by(relation: str) -> Any:
    """A function from objects to those that stand in a relation to one of them."""
    return typed(lambda self, objects: objects.related(relation), Objects, Objects)


class Common(Language):
    """Functions that mean the same in every language of this domain; `worlds` is the corpus."""

    stacks = True

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds

    def at(self, contexts: Sequence[int]) -> Self:
        return type(self)(self.worlds.at(contexts))

    def probes(self, kind: Type) -> Sequence[ObjectSet]:
        # Functions over objects are called on each box by itself (by box_filter) or on the whole picture.
        return (self.worlds.boxes.all_objects, self.worlds.images.all_objects) if str(kind) == "Set[Object]" else ()

    def stacked(self, kind: Type, value: Any) -> Any:
        if isinstance(value, ObjectSet):
            return ObjectSet(value.words[np.newaxis], value.view)
        if isinstance(value, BoxSet):
            return BoxSet(tuple(chosen[np.newaxis] for chosen in value.chosen), value.worlds)
        return [value] if isinstance(value, str) else np.asarray(value)[np.newaxis, ...].reshape(1, -1)

    numbers = constants(int, {str(number): number for number in range(1, 10)})
    colors = constants(Color, {f"color_{color}": color for color in COLORS})
    shapes = constants(Shape, {f"shape_{shape}": shape for shape in SHAPES})

    @function
    def all_boxes(self) -> Boxes:
        return BoxSet(tuple(self.worlds.present), self.worlds)

    @function
    def all_objects(self) -> Objects:
        return self.worlds.images.all_objects

    @function
    def box_exists(self, boxes: Boxes) -> Answer:
        return boxes.exists()

    @function
    def object_exists(self, objects: Objects) -> Answer:
        return objects.exists()

    @function
    def object_in_box(self, boxes: Boxes) -> Objects:
        return boxes.objects()

    black, blue, yellow = (filter_by(color) for color in COLORS)
    circle, square, triangle = (filter_by(shape) for shape in SHAPES)
    small, medium, big = filter_by("small"), filter_by("medium"), filter_by("big")
    same_color, same_shape = most_frequent(COLORS), most_frequent(SHAPES)
    touch_top, touch_bottom = filter_by("touch_top"), filter_by("touch_bottom")
    touch_left, touch_right = filter_by("touch_left"), filter_by("touch_right")
    touch_wall, touch_corner, touch_object = filter_by("touch_wall"), filter_by("touch_corner"), related_by("touch")

    @function
    def top(self, objects: Objects) -> Objects:
        # Of the input, per box: what does not lie below another object of the input.
        return ObjectSet(objects.words & ~objects.related("below").words, objects.view)

    @function
    def bottom(self, objects: Objects) -> Objects:
        return ObjectSet(objects.words & ~objects.related("above").words, objects.view)

    @function
    def negate_filter(self, keep: Filter) -> Filter:
        # A filter may return a set of the split view (same_color does), so the input follows it there.
        def keep_the_others(objects: ObjectSet) -> ObjectSet:
            kept = keep(objects)
            return ObjectSet(objects.seen_in(kept.view).words & ~kept.words, kept.view)

        return keep_the_others
