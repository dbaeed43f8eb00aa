"""Golden meanings: what every function of both languages returns on scenes made by hand.

A row is a scene, an expression and its value: letters for a set of objects, digits for a set of boxes, or a truth
value. `N` in an expression stands for every number, and the value is then the digits for which it is true.
"""

from typing import Any

import pytest

from chorale.language import run
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.macro import Macro
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Worlds

# Every object has a letter of its own; the letters of a scene stand box by box.
SCATTER = Scene(
    (
        (
            Object(0, 0, 10, "circle", "black"),  # a: in the top left corner
            Object(10, 10, 20, "square", "yellow"),  # b: its corner meets a's
            Object(30, 25, 10, "triangle", "blue"),  # c: its left edge lies at b's right one
            Object(70, 70, 30, "circle", "yellow"),  # d: in the bottom right corner
        ),
        (
            Object(0, 40, 20, "square", "blue"),  # e: at the left wall
            Object(80, 40, 20, "square", "black"),  # f: at the right wall, as high as e
            Object(45, 61, 10, "circle", "black"),  # g: nowhere in particular
        ),
        (),
    )
)
TOWERS = Scene(  # the first box and the last are equal
    (
        (
            Object(40, 80, 20, "square", "black"),  # h: on the floor
            Object(40, 59, 20, "square", "yellow"),  # i: one pixel above h
            Object(40, 38, 20, "square", "black"),  # j
        ),
        (Object(40, 80, 20, "square", "blue"),),  # k
        (
            Object(40, 80, 20, "square", "black"),  # l
            Object(40, 59, 20, "square", "yellow"),  # m
            Object(40, 38, 20, "square", "black"),  # n
        ),
    )
)
NEAR = Scene(
    (
        (
            Object(1, 0, 10, "triangle", "yellow"),  # o: at the top wall, one pixel from the left
            Object(11, 11, 10, "circle", "yellow"),  # p: one pixel below the corner of o
            Object(21, 11, 10, "circle", "blue"),  # q: touches p
            Object(31, 11, 10, "triangle", "blue"),  # r: touches q
            Object(0, 90, 10, "square", "black"),  # s: in the bottom left corner
        ),
        (),
        (),
    )
)
EMPTY = Scene(((), (), ()))
SCENES = {
    "scatter": (SCATTER, ("abcd", "efg", "")),
    "towers": (TOWERS, ("hij", "k", "lmn")),
    "near": (NEAR, ("opqrs", "", "")),
    "empty": (EMPTY, ("", "", "")),
}
WORLDS = Worlds(scene for scene, _ in SCENES.values())

Row = tuple[str, str, str | bool]

SHARED: list[Row] = [
    ("scatter", "all_boxes", "012"),
    ("empty", "all_boxes", "012"),
    ("scatter", "all_objects", "abcdefg"),
    ("empty", "all_objects", ""),
    ("empty", "box_exists(all_boxes)", True),  # a box without objects is a box
    ("scatter", "object_exists(all_objects)", True),
    ("empty", "object_exists(all_objects)", False),
    ("scatter", "object_in_box(all_boxes)", "abcdefg"),
    ("scatter", "black(all_objects)", "afg"),
    ("scatter", "blue(all_objects)", "ce"),
    ("scatter", "yellow(all_objects)", "bd"),
    ("scatter", "circle(all_objects)", "adg"),
    ("scatter", "square(all_objects)", "bef"),
    ("scatter", "triangle(all_objects)", "c"),
    ("scatter", "small(all_objects)", "acg"),
    ("scatter", "medium(all_objects)", "bef"),
    ("scatter", "big(all_objects)", "d"),
    ("scatter", "yellow(square(all_objects))", "b"),
    # The most frequent value counts over all boxes; ties go to the first name, and one object is not "the same".
    ("scatter", "same_color(all_objects)", "afg"),
    ("scatter", "same_color(square(all_objects))", ""),
    ("near", "same_color(all_objects)", "qr"),  # blue and yellow: two each
    ("near", "same_color(black(all_objects))", ""),
    ("towers", "same_color(all_objects)", "hjln"),
    ("empty", "same_color(all_objects)", ""),
    ("scatter", "same_shape(all_objects)", "adg"),  # three circles, three squares
    ("scatter", "same_shape(yellow(all_objects))", ""),
    ("near", "same_shape(all_objects)", "pq"),  # two circles, two triangles
    ("near", "same_shape(triangle(all_objects))", "or"),
    ("empty", "same_shape(all_objects)", ""),
    ("scatter", "touch_top(all_objects)", "a"),
    ("scatter", "touch_left(all_objects)", "ae"),
    ("scatter", "touch_right(all_objects)", "df"),
    ("scatter", "touch_bottom(all_objects)", "d"),
    ("scatter", "touch_wall(all_objects)", "adef"),
    ("scatter", "touch_corner(all_objects)", "ad"),
    ("near", "touch_left(all_objects)", "s"),  # one pixel away is away
    ("near", "touch_wall(all_objects)", "os"),
    ("near", "touch_corner(all_objects)", "s"),
    ("towers", "touch_bottom(all_objects)", "hkl"),
    ("scatter", "touch_object(circle(all_objects))", "b"),  # corner to corner; nothing touches itself
    ("scatter", "touch_object(yellow(all_objects))", "ac"),
    ("scatter", "touch_object(all_objects)", "abc"),  # members that touch members
    ("near", "touch_object(triangle(all_objects))", "q"),  # a gap of one pixel is no contact
    ("near", "touch_object(circle(all_objects))", "pqr"),  # p and q touch each other
    ("towers", "touch_object(all_objects)", ""),
    ("scatter", "top(all_objects)", "aef"),  # per box; e and f are equally high
    ("scatter", "top(yellow(all_objects))", "b"),
    ("near", "top(blue(all_objects))", "qr"),
    ("empty", "top(all_objects)", ""),
    ("scatter", "bottom(all_objects)", "dg"),
    ("scatter", "bottom(square(all_objects))", "bef"),
    ("towers", "bottom(yellow(all_objects))", "im"),
    ("empty", "bottom(all_objects)", ""),
    ("scatter", "negate_filter(yellow)(all_objects)", "acefg"),
    ("scatter", "negate_filter(top)(square(all_objects))", ""),
    ("scatter", "negate_filter(same_color)(all_objects)", "bcde"),
    ("scatter", "negate_filter(touch_object)(yellow(all_objects))", "bd"),  # x minus f(x): b touches no yellow object
    ("scatter", "negate_filter(negate_filter(black))(all_objects)", "afg"),
]

TRUE_OF_THREE = {
    "equals": "3",
    "not_equals": "12456789",
    "greater": "12",
    "greater_equals": "123",
    "lesser": "456789",
    "lesser_equals": "3456789",
}
"""The numbers that three is equal to, greater than and so on."""

CONSISTENT: list[Row] = [
    *((scene, f"box_count_{name}(N, all_boxes)", true) for name, true in TRUE_OF_THREE.items() for scene in SCENES),
    *(("scatter", f"object_count_{name}(N, black(all_objects))", true) for name, true in TRUE_OF_THREE.items()),
    *(("scatter", f"object_color_count_{name}(N, all_objects)", true) for name, true in TRUE_OF_THREE.items()),
    *(("scatter", f"object_shape_count_{name}(N, all_objects)", true) for name, true in TRUE_OF_THREE.items()),
    ("empty", "object_count_lesser(N, all_objects)", "123456789"),
    ("empty", "object_color_count_greater_equals(N, all_objects)", ""),
    ("towers", "object_shape_count_equals(N, all_objects)", "1"),
    ("scatter", "object_color_all_equals(color_black, black(all_objects))", True),
    ("scatter", "object_color_all_equals(color_black, all_objects)", False),
    ("empty", "object_color_all_equals(color_black, all_objects)", True),
    ("scatter", "object_color_any_equals(color_blue, square(all_objects))", True),
    ("scatter", "object_color_any_equals(color_blue, circle(all_objects))", False),
    ("empty", "object_color_any_equals(color_blue, all_objects)", False),
    ("scatter", "object_color_none_equals(color_blue, circle(all_objects))", True),
    ("scatter", "object_color_none_equals(color_blue, square(all_objects))", False),
    ("empty", "object_color_none_equals(color_blue, all_objects)", True),
    ("towers", "object_shape_all_equals(shape_square, all_objects)", True),
    ("scatter", "object_shape_all_equals(shape_square, all_objects)", False),
    ("empty", "object_shape_all_equals(shape_square, all_objects)", True),
    ("scatter", "object_shape_any_equals(shape_triangle, blue(all_objects))", True),
    ("scatter", "object_shape_any_equals(shape_triangle, black(all_objects))", False),
    ("empty", "object_shape_any_equals(shape_triangle, all_objects)", False),
    ("scatter", "object_shape_none_equals(shape_triangle, black(all_objects))", True),
    ("scatter", "object_shape_none_equals(shape_triangle, blue(all_objects))", False),
    ("empty", "object_shape_none_equals(shape_triangle, all_objects)", True),
    ("scatter", "object_color_same(black(all_objects))", True),
    ("scatter", "object_color_same(square(all_objects))", False),
    ("scatter", "object_color_same(big(all_objects))", True),
    ("empty", "object_color_same(all_objects)", True),
    ("scatter", "object_color_different(square(all_objects))", True),
    ("towers", "object_color_different(yellow(all_objects))", False),
    ("scatter", "object_color_different(big(all_objects))", False),
    ("empty", "object_color_different(all_objects)", False),
    ("towers", "object_shape_same(all_objects)", True),
    ("scatter", "object_shape_same(blue(all_objects))", False),
    ("scatter", "object_shape_same(big(all_objects))", True),
    ("empty", "object_shape_same(all_objects)", True),
    ("scatter", "object_shape_different(blue(all_objects))", True),
    ("towers", "object_shape_different(all_objects)", False),
    ("scatter", "object_shape_different(big(all_objects))", False),
    ("empty", "object_shape_different(all_objects)", False),
    # Above any of them: the lowest one of the box decides, and members may be returned.
    ("scatter", "above(yellow(all_objects))", "abc"),
    ("scatter", "above(black(all_objects))", "ef"),
    ("scatter", "above(square(all_objects))", "a"),  # as high as is not above
    ("towers", "above(black(all_objects))", "ijmn"),
    ("empty", "above(all_objects)", ""),
    ("scatter", "below(yellow(all_objects))", "cd"),
    ("scatter", "below(square(all_objects))", "cdg"),
    ("towers", "below(black(all_objects))", "hilm"),
    ("empty", "below(all_objects)", ""),
    ("scatter", "box_filter(all_boxes, object_exists(blue))", "01"),
    ("scatter", "box_filter(all_boxes, object_count_equals(3))", "1"),
    ("scatter", "box_filter(all_boxes, object_color_all_equals(color_black))", "2"),
    ("scatter", "box_filter(all_boxes, object_exists(same_color))", "01"),  # the most frequent of each box by itself
    ("near", "box_filter(all_boxes, object_exists(yellow(same_color)))", ""),  # the tie is blue's
    ("scatter", "box_filter(box_filter(all_boxes, object_exists(black)), object_exists(yellow))", "0"),
    ("towers", "box_filter(all_boxes, object_count_greater(1))", "02"),
    ("towers", "box_count_equals(N, box_filter(all_boxes, object_exists(yellow)))", "2"),  # equal boxes are two
    ("towers", "object_in_box(box_filter(all_boxes, object_exists(yellow)))", "hijlmn"),
    ("towers", "object_count_equals(N, object_in_box(box_filter(all_boxes, object_exists(yellow))))", "6"),
    ("scatter", "object_in_box(box_filter(all_boxes, object_count_equals(3)))", "efg"),
    ("scatter", "box_exists(box_filter(all_boxes, object_count_equals(9)))", False),
    ("scatter", "box_filter_and(object_exists(black), object_exists(big))(all_objects)", True),
    ("scatter", "box_filter_and(object_exists(black), object_count_equals(9))(all_objects)", False),
    ("scatter", "box_filter(all_boxes, box_filter_and(object_exists(black), object_exists(big)))", "0"),
]

MEMBERS = {  # of boxes with 4, 3 and 0 objects asked for 3, or with 3, 2 and 0 kinds asked for 2
    "equals": "1",
    "not_equals": "02",
    "greater": "0",
    "greater_equals": "01",
    "lesser": "2",
    "lesser_equals": "12",
}

MACRO: list[Row] = [
    *((scene, f"box_count_{name}(all_boxes, N)", true) for name, true in TRUE_OF_THREE.items() for scene in SCENES),
    *(("scatter", f"object_count_{name}(black(all_objects), N)", true) for name, true in TRUE_OF_THREE.items()),
    *(("scatter", f"object_color_count_{name}(all_objects, N)", true) for name, true in TRUE_OF_THREE.items()),
    *(("scatter", f"object_shape_count_{name}(all_objects, N)", true) for name, true in TRUE_OF_THREE.items()),
    *(("scatter", f"member_count_{name}(all_boxes, 3)", true) for name, true in MEMBERS.items()),
    *(("scatter", f"member_color_count_{name}(all_boxes, 2)", true) for name, true in MEMBERS.items()),
    *(("scatter", f"member_shape_count_{name}(all_boxes, 2)", true) for name, true in MEMBERS.items()),
    ("scatter", "object_color_all_equals(black(all_objects), color_black)", True),
    ("scatter", "object_color_all_equals(all_objects, color_black)", False),
    ("empty", "object_color_all_equals(all_objects, color_black)", True),
    ("scatter", "object_color_any_equals(square(all_objects), color_blue)", True),
    ("empty", "object_color_any_equals(all_objects, color_blue)", False),
    ("scatter", "object_color_none_equals(square(all_objects), color_blue)", False),
    ("empty", "object_color_none_equals(all_objects, color_blue)", True),
    ("towers", "object_shape_all_equals(all_objects, shape_square)", True),
    ("scatter", "object_shape_all_equals(all_objects, shape_square)", False),
    ("empty", "object_shape_all_equals(all_objects, shape_square)", True),
    ("scatter", "object_shape_any_equals(blue(all_objects), shape_triangle)", True),
    ("empty", "object_shape_any_equals(all_objects, shape_triangle)", False),
    ("scatter", "object_shape_none_equals(blue(all_objects), shape_triangle)", False),
    ("empty", "object_shape_none_equals(all_objects, shape_triangle)", True),
    ("towers", "member_color_all_equals(all_boxes, color_blue)", "1"),
    ("scatter", "member_color_all_equals(all_boxes, color_blue)", "2"),  # the empty box
    ("scatter", "member_color_any_equals(all_boxes, color_yellow)", "0"),
    ("scatter", "member_color_none_equals(all_boxes, color_yellow)", "12"),
    ("towers", "member_shape_all_equals(all_boxes, shape_square)", "012"),
    ("scatter", "member_shape_all_equals(all_boxes, shape_square)", "2"),
    ("scatter", "member_shape_any_equals(all_boxes, shape_triangle)", "0"),
    ("scatter", "member_shape_none_equals(all_boxes, shape_triangle)", "12"),
    ("towers", "member_color_same(all_boxes)", "1"),
    ("scatter", "member_color_same(all_boxes)", "2"),
    ("towers", "member_color_different(all_boxes)", "02"),
    ("scatter", "member_color_different(all_boxes)", "01"),
    ("towers", "member_shape_same(all_boxes)", "012"),
    ("scatter", "member_shape_same(all_boxes)", "2"),
    ("scatter", "member_shape_different(all_boxes)", "01"),
    ("empty", "member_shape_different(all_boxes)", ""),
    # Above all of them: the highest one of the box decides, and a box without input gives nothing.
    ("scatter", "above(yellow(all_objects))", "a"),
    ("scatter", "above(black(all_objects))", ""),
    ("scatter", "above(big(all_objects))", "abc"),
    ("scatter", "above(circle(all_objects))", "ef"),
    ("towers", "above(yellow(all_objects))", "jn"),
    ("towers", "above(black(all_objects))", ""),
    ("empty", "above(all_objects)", ""),
    ("scatter", "below(yellow(all_objects))", ""),
    ("scatter", "below(square(all_objects))", "cdg"),
    ("towers", "below(yellow(all_objects))", "hl"),
    ("empty", "below(all_objects)", ""),
    ("scatter", "member_color_any_equals(member_count_greater(all_boxes, 2), color_yellow)", "0"),
    ("towers", "box_count_equals(member_color_any_equals(all_boxes, color_yellow), N)", "2"),  # equal boxes are two
    ("towers", "object_in_box(member_count_greater(all_boxes, 1))", "hijlmn"),
    ("scatter", "box_exists(member_count_greater(all_boxes, 4))", False),
]

TABLES: dict[type[Consistent | Macro], list[Row]] = {Consistent: SHARED + CONSISTENT, Macro: SHARED + MACRO}
ROWS = [
    pytest.param(language, *row, id=f"{language.__name__}-{row[0]}-{row[1]}")
    for language, rows in TABLES.items()
    for row in rows
]


def meaning(language: type[Consistent | Macro], scene: str, expression: str) -> str | bool:
    """The value of an expression on a scene, written as in the tables."""
    if "N" in expression:
        numbers = "123456789"
        return "".join(number for number in numbers if meaning(language, scene, expression.replace("N", number)))
    place = list(SCENES).index(scene)
    value = run(language.parse(expression), language(WORLDS))
    if isinstance(value, BoxSet):
        return "".join(str(box) for box, chosen in enumerate(value.chosen) if chosen[place])
    if isinstance(value, ObjectSet):
        return _letters(value, scene, place)
    return bool(value[place])


def _letters(objects: ObjectSet, scene: str, place: int) -> str:
    _, names = SCENES[scene]
    found = ""
    for row, letters in zip(objects.view.rows, names, strict=True):
        word = int(objects.words[row][place])
        assert word >> len(letters) == 0, "a set holds an object that is not there"
        found += "".join(letter for bit, letter in enumerate(letters) if word >> bit & 1)
    return found


@pytest.mark.parametrize(("language", "scene", "expression", "expected"), ROWS)
def test_meaning(language: type[Consistent | Macro], scene: str, expression: str, expected: Any) -> None:
    assert meaning(language, scene, expression) == expected


@pytest.mark.parametrize(("language", "functions"), [(Consistent, 64), (Macro, 86)])
def test_the_table_covers_every_function(language: type[Consistent | Macro], functions: int) -> None:
    heads = {language.parse(row[1].replace("N", "1")).term.name for row in TABLES[language]}
    constants = {name for name in language.grammar.signature if name.isdigit() or name.startswith(("color_", "shape_"))}
    assert len(constants) == 15
    assert heads == set(language.grammar.signature) - constants
    assert len(heads) == functions


def test_colors_and_shapes_are_counted_over_all_boxes_of_a_picture() -> None:
    assert meaning(Consistent, "towers", "object_color_count_equals(N, all_objects)") == "3"
    assert meaning(Macro, "towers", "member_color_count_equals(all_boxes, 2)") == "02"
