"""The slow twin of execution: plain sets, one scene at a time, straight from the languages' definitions.

A set of objects is a set of (box, place in the box), a set of boxes is a set of box numbers, and every function takes
its arguments one by one. Nothing here is shared with the fast path but the terms.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from chorale.language.terms import Compose, Term
from chorale.nlvr.pictures.scenes import Object, Scene

Objects = frozenset[tuple[int, int]]
Boxes = frozenset[int]

COLORS = ("black", "blue", "yellow")
SHAPES = ("circle", "square", "triangle")
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "equals": operator.eq,
    "not_equals": operator.ne,
    "greater": operator.gt,
    "greater_equals": operator.ge,
    "lesser": operator.lt,
    "lesser_equals": operator.le,
}
PROPERTIES: dict[str, Callable[[Object], bool]] = {
    "black": lambda thing: thing.color == "black",
    "blue": lambda thing: thing.color == "blue",
    "yellow": lambda thing: thing.color == "yellow",
    "circle": lambda thing: thing.shape == "circle",
    "square": lambda thing: thing.shape == "square",
    "triangle": lambda thing: thing.shape == "triangle",
    "small": lambda thing: thing.size == 10,
    "medium": lambda thing: thing.size == 20,
    "big": lambda thing: thing.size == 30,
    "touch_top": lambda thing: thing.y == 0,
    "touch_left": lambda thing: thing.x == 0,
    "touch_right": lambda thing: thing.x + thing.size == 100,
    "touch_bottom": lambda thing: thing.y + thing.size == 100,
    "touch_wall": lambda thing: 0 in (thing.x, thing.y) or 100 in (thing.x + thing.size, thing.y + thing.size),
    "touch_corner": lambda thing: (
        (thing.y == 0 or thing.y + thing.size == 100) and (thing.x == 0 or thing.x + thing.size == 100)
    ),
}


def run_slowly(term: Term, scene: Scene, language: str, tie_order: Sequence[str] = COLORS) -> Any:
    """The value of a term on one scene; `tie_order` says which colour wins a tie of `same_color`."""
    return _value(term, {"consistent": _consistent, "extended": _extended, "macro": _macro}[language](scene, tie_order))


def _value(term: Term, meanings: dict[str, Any]) -> Any:
    if isinstance(term, Compose):

        def chain(argument: Any) -> Any:
            for part in reversed(term.parts):
                argument = _value(part, meanings)(argument)
            return argument

        return chain
    value = meanings[term.name]
    for argument in term.arguments:
        value = value(_value(argument, meanings))
    return value


def _common(scene: Scene, tie_order: Sequence[str]) -> dict[str, Any]:
    everything = frozenset((box, place) for box, held in enumerate(scene.boxes) for place in range(len(held)))

    def thing(where: tuple[int, int]) -> Object:
        return scene.boxes[where[0]][where[1]]

    def per_box(choose: Callable[[list[tuple[int, int]]], list[tuple[int, int]]]) -> Callable[[Objects], Objects]:
        return lambda given: frozenset(
            chosen for box in range(len(scene.boxes)) for chosen in choose([one for one in given if one[0] == box])
        )

    def highest(given: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return [one for one in given if thing(one).y == min(thing(other).y for other in given)]

    def lowest(given: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return [one for one in given if thing(one).y == max(thing(other).y for other in given)]

    def touching(given: Objects) -> Objects:
        return frozenset(
            one
            for one in everything
            if any(one != other and one[0] == other[0] and _touch(thing(one), thing(other)) for other in given)
        )

    def most_frequent(kind: str, order: Sequence[str]) -> Callable[[Objects], Objects]:
        def keep(given: Objects) -> Objects:
            counts = Counter(getattr(thing(one), kind) for one in given)
            best = max(order, key=lambda name: counts[name])  # the first of equals
            return frozenset(one for one in given if counts[best] > 1 and getattr(thing(one), kind) == best)

        return keep

    def keeping(has: Callable[[Object], bool]) -> Callable[[Objects], Objects]:
        return lambda given: frozenset(one for one in given if has(thing(one)))

    return {
        **{str(number): number for number in range(1, 10)},
        **{f"color_{color}": color for color in COLORS},
        **{f"shape_{shape}": shape for shape in SHAPES},
        **{name: keeping(has) for name, has in PROPERTIES.items()},
        "all_boxes": frozenset(range(len(scene.boxes))),
        "all_objects": everything,
        "box_exists": lambda boxes: len(boxes) > 0,
        "object_exists": lambda given: len(given) > 0,
        "object_in_box": lambda boxes: frozenset(one for one in everything if one[0] in boxes),
        "same_color": most_frequent("color", tie_order),
        "same_shape": most_frequent("shape", SHAPES),
        "touch_object": touching,
        "top": per_box(highest),
        "bottom": per_box(lowest),
        "negate_filter": lambda keep: lambda given: given - keep(given),
    }


def _touch(one: Object, other: Object) -> bool:
    """Whether two bounding squares have points in common, but no area."""
    points = one.x <= other.right and other.x <= one.right and one.y <= other.bottom and other.y <= one.bottom
    area = one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
    return points and not area


def _counts(scene: Scene) -> dict[str, Callable[[Objects], int]]:
    def kinds(kind: str) -> Callable[[Objects], int]:
        return lambda given: len({getattr(scene.boxes[box][place], kind) for box, place in given})

    return {"": len, "color_": kinds("color"), "shape_": kinds("shape")}


def _tests(scene: Scene) -> dict[str, Callable[[Objects, str], bool]]:
    """`color_all_equals` and its kind, with the set first."""

    def test(kind: str, combine: Callable[[list[bool]], bool]) -> Callable[[Objects, str], bool]:
        return lambda given, value: combine([getattr(scene.boxes[box][place], kind) == value for box, place in given])

    combinations: dict[str, Callable[[list[bool]], bool]] = {
        "all": all,
        "any": any,
        "none": lambda found: not any(found),
    }
    return {
        f"{kind}_{name}_equals": test(kind, combine)
        for kind in ("color", "shape")
        for name, combine in combinations.items()
    }


def _consistent(scene: Scene, tie_order: Sequence[str]) -> dict[str, Any]:
    meanings = _common(scene, tie_order)

    def in_box(box: int) -> Objects:
        return frozenset((box, place) for place in range(len(scene.boxes[box])))

    def beyond(is_beyond: Callable[[int, int], bool]) -> Callable[[Objects], Objects]:
        return lambda given: frozenset(
            (box, place)
            for box, held in enumerate(scene.boxes)
            for place, thing in enumerate(held)
            if any(is_beyond(thing.y, held[other].y) for where, other in given if where == box)
        )

    meanings["above"] = beyond(operator.lt)
    meanings["below"] = beyond(operator.gt)
    meanings["box_filter"] = lambda boxes: lambda passes: frozenset(box for box in boxes if passes(in_box(box)))
    meanings["box_filter_and"] = lambda one: lambda two: lambda given: one(given) and two(given)
    for name, compare in COMPARISONS.items():
        meanings[f"box_count_{name}"] = lambda number, compare=compare: lambda boxes: compare(len(boxes), number)
        for kind, count in _counts(scene).items():
            meanings[f"object_{kind}count_{name}"] = lambda number, compare=compare, count=count: (
                lambda given: compare(count(given), number)
            )
    for name, test in _tests(scene).items():
        meanings[f"object_{name}"] = lambda value, test=test: lambda given: test(given, value)
    for kind in ("color", "shape"):
        count = _counts(scene)[f"{kind}_"]
        meanings[f"object_{kind}_same"] = lambda given, count=count: count(given) <= 1
        meanings[f"object_{kind}_different"] = lambda given, count=count: count(given) > 1
    return meanings


def _extended(scene: Scene, tie_order: Sequence[str]) -> dict[str, Any]:
    meanings = _consistent(scene, tie_order)

    def thing(where: tuple[int, int]) -> Object:
        return scene.boxes[where[0]][where[1]]

    def neighbours(holds: Callable[[Object, Object], bool]) -> Callable[[Objects], Objects]:
        """All objects that are so related to another object of the input in their box."""
        return lambda given: frozenset(
            (box, place)
            for box, held in enumerate(scene.boxes)
            for place in range(len(held))
            if any(where == box and other != place and holds(held[place], held[other]) for where, other in given)
        )

    def near_wall(one: Object) -> dict[str, bool]:
        return {"top": one.y <= 4, "left": one.x <= 4, "right": one.right >= 96, "bottom": one.bottom >= 96}

    def keeping(has: Callable[[Object], bool]) -> Callable[[Objects], Objects]:
        return lambda given: frozenset(one for one in given if has(thing(one)))

    def passing(passes: Callable[[Objects], bool]) -> list[bool]:
        return [passes(frozenset((box, place) for place in range(len(held)))) for box, held in enumerate(scene.boxes)]

    for side in ("top", "left", "right", "bottom"):
        meanings[f"near_{side}"] = keeping(lambda one, side=side: near_wall(one)[side])
    meanings["near_wall"] = keeping(lambda one: any(near_wall(one).values()))
    meanings["near_corner"] = keeping(lambda one: (one.y <= 4 or one.bottom >= 96) and (one.x <= 4 or one.right >= 96))
    meanings["near_object"] = neighbours(_near)
    meanings["directly_above"] = neighbours(_stands_on)
    meanings["directly_below"] = neighbours(lambda one, other: _stands_on(other, one))
    meanings["in_stack"] = lambda given: given & (meanings["directly_above"](given) | meanings["directly_below"](given))
    meanings["between"] = lambda given: meanings["above"](given) & meanings["below"](given)
    meanings["either_filter"] = lambda one: lambda two: lambda given: one(given) | two(given)
    meanings["object_none"] = lambda given: len(given) == 0
    meanings["object_all"] = lambda keep: lambda given: keep(given) >= given
    meanings["object_exists_both"] = lambda one: lambda two: lambda given: bool(one(given)) and bool(two(given))
    meanings["object_colors_equal"] = lambda one: (
        lambda two: lambda given: {thing(o).color for o in given} == {one, two}
    )
    meanings["some_box"] = lambda passes: any(passing(passes))
    meanings["one_box"] = lambda passes: sum(passing(passes)) == 1
    meanings["every_box"] = lambda passes: all(passing(passes))
    meanings["no_box"] = lambda passes: not any(passing(passes))
    sizes = [len(held) for held in scene.boxes]
    meanings["box_fewest_objects"] = lambda boxes: frozenset(
        box for box in boxes if sizes[box] == min(sizes[other] for other in boxes)
    )
    meanings["box_same_count"] = lambda boxes: frozenset(
        box for box in boxes if any(other != box and sizes[other] == sizes[box] for other in boxes)
    )

    def colors(keep: Callable[[Objects], Objects], box: int) -> set[str]:
        return {thing(one).color for one in keep(frozenset((box, place) for place in range(sizes[box])))}

    meanings["box_same_color"] = lambda boxes: (
        lambda keep: frozenset(
            box
            for box in boxes
            if any(other != box and colors(keep, other) == colors(keep, box) != set() for other in boxes)
        )
    )
    return meanings


def _near(one: Object, other: Object) -> bool:
    """Whether two bounding squares come within 4 pixels of each other, along both axes."""
    return (
        one.x - other.right <= 4
        and other.x - one.right <= 4
        and one.y - other.bottom <= 4
        and other.y - one.bottom <= 4
    )


def _stands_on(one: Object, other: Object) -> bool:
    """Whether the lower edge of one lies on the upper edge of the other, or a pixel above it, and not beside it."""
    return other.y - one.bottom in (0, 1) and one.x < other.right and other.x < one.right


def _macro(scene: Scene, tie_order: Sequence[str]) -> dict[str, Any]:
    meanings = _common(scene, tie_order)

    def in_box(box: int) -> Objects:
        return frozenset((box, place) for place in range(len(scene.boxes[box])))

    def beyond(is_beyond: Callable[[int, int], bool]) -> Callable[[Objects], Objects]:
        def find(given: Objects) -> Objects:
            found = set()
            for box in {where for where, _ in given}:
                heights = [scene.boxes[box][other].y for where, other in given if where == box]
                for place, thing in enumerate(scene.boxes[box]):
                    if all(is_beyond(thing.y, height) for height in heights):
                        found.add((box, place))
            return frozenset(found)

        return find

    def members(test: Callable[[Objects, Any], bool]) -> Callable[[Boxes], Callable[[Any], Boxes]]:
        return lambda boxes: lambda value: frozenset(box for box in boxes if test(in_box(box), value))

    def question(test: Callable[[Objects, Any], bool]) -> Callable[[Objects], Callable[[Any], bool]]:
        return lambda given: lambda value: test(given, value)

    meanings["above"] = beyond(operator.lt)
    meanings["below"] = beyond(operator.gt)
    for name, compare in COMPARISONS.items():
        meanings[f"box_count_{name}"] = lambda boxes, compare=compare: lambda number: compare(len(boxes), number)
        for kind, count in _counts(scene).items():

            def compared(given: Objects, number: int, compare: Any = compare, count: Any = count) -> bool:
                return bool(compare(count(given), number))

            meanings[f"object_{kind}count_{name}"] = question(compared)
            meanings[f"member_{kind}count_{name}"] = members(compared)
    for name, test in _tests(scene).items():
        meanings[f"object_{name}"] = question(test)
        meanings[f"member_{name}"] = members(test)
    for kind in ("color", "shape"):
        count = _counts(scene)[f"{kind}_"]
        meanings[f"member_{kind}_same"] = lambda boxes, count=count: frozenset(
            box for box in boxes if count(in_box(box)) <= 1
        )
        meanings[f"member_{kind}_different"] = lambda boxes, count=count: frozenset(
            box for box in boxes if count(in_box(box)) > 1
        )
    return meanings
