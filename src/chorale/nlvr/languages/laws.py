"""The laws of the languages: which programs about these pictures mean the same, whatever the picture.

An *attribute* belongs to an object by itself, so attributes may be asked in any order, and asking twice is idle.
*Plain* functions are made of attributes alone. A *selecting* function gives a part of its input: `top`, but not
`above`, which gives other objects. `top` depends on what it is given, and does not change places with an attribute.

Each law is checked by a test with random fillings on thousands of scenes; none is taken on trust.
"""

from __future__ import annotations

from chorale.language import Laws
from chorale.nlvr.languages.functions import Boxes, Filter, Objects, Predicate

_SIDES = "touch_corner touch_top touch_bottom touch_left touch_right"
_TOUCH = f"{_SIDES} touch_wall"
_NEAR = "near_corner near_wall near_top near_bottom near_left near_right"
_KINDS = "big medium small black blue yellow circle square triangle"  # as people say them: a big black square
_SELECTING = "top bottom same_color same_shape"

COMMON = Laws(
    """
    # What is asked twice
    {attribute}({attribute}(?x)) = {attribute}(?x)
    {attribute}({attribute2}(?x)) = {attribute2}({attribute}(?x))
    {once}({once}(?x)) = {once}(?x)
    touch_wall({side}(?x)) = {side}(?x)
    {side}(touch_wall(?x)) = {side}(?x)
    # What is highest of what is lowest: these are all equally high.
    {end}({end2}(?x)) = {end2}(?x)
    {end}({attribute}({end2}(?x))) = {attribute}({end2}(?x))
    object_exists({end}(?x)) = object_exists(?x)
    # Not
    negate_filter(negate_filter(?f:selecting))(?x) = ?f(?x)
    negate_filter(negate_filter(negate_filter(?f)))(?x) = negate_filter(?f)(?x)
    negate_filter(?f:plain)(negate_filter(?f)(?x)) = negate_filter(?f)(?x)
    negate_filter(?f:plain)(negate_filter(?g:plain)(?x)) = negate_filter(?g)(negate_filter(?f)(?x))
    negate_filter(?f:plain)({attribute}(?x)) = {attribute}(negate_filter(?f)(?x))
    # All of them
    object_in_box(all_boxes) = all_objects
    """,
    variables={"x": Objects, "b": Boxes, "f": Filter, "g": Filter, "p": Predicate, "q": Predicate, "r": Predicate},
    groups={
        "attribute": f"{_TOUCH} {_KINDS}",
        "plain": f"{_TOUCH} {_KINDS} negate_filter",
        "selecting": f"{_TOUCH} {_KINDS} {_SELECTING} negate_filter",
        "once": _SELECTING,
        "end": "top bottom",
        "side": _SIDES,
        "color": "black blue yellow",
        "shape": "circle square triangle",
        "aspect": "color shape",
    },
    order=f"all_boxes all_objects object_exists {_TOUCH} {_KINDS} negate_filter",
    brings="all_objects object_exists box_exists",
)
"""For all languages of NLVR."""

MACRO = COMMON + Laws(
    """
    above(top(?x)) = above(?x)  # above all of them is above the highest
    below(bottom(?x)) = below(?x)
    box_count_greater_equals(?b, 1) = box_exists(?b)
    box_count_greater(?b, 2) = box_count_equals(?b, 3)
    box_count_greater_equals(?b, 3) = box_count_equals(?b, 3)
    object_count_greater_equals(?x, 1) = object_exists(?x)
    object_{aspect}_count_greater_equals(?x, 1) = object_exists(?x)
    member_{aspect}_count_greater_equals(?b, 1) = member_count_greater_equals(?b, 1)
    member_{aspect}_count_lesser_equals(?b, 1) = member_{aspect}_same(?b)
    member_{aspect}_count_lesser(?b, 2) = member_{aspect}_same(?b)
    member_{aspect}_count_greater(?b, 1) = member_{aspect}_different(?b)
    member_{aspect}_count_greater_equals(?b, 2) = member_{aspect}_different(?b)
    object_color_any_equals(?x, color_{color}) = object_exists({color}(?x))
    object_shape_any_equals(?x, shape_{shape}) = object_exists({shape}(?x))
    """
)
"""For the macro language; a set comes first."""

CONSISTENT = COMMON + Laws(
    """
    above(bottom(?x)) = above(?x)  # above any of them is above the lowest
    below(top(?x)) = below(?x)
    # Counts
    box_count_greater_equals(1, ?b) = box_exists(?b)
    box_count_greater(2, ?b) = box_count_equals(3, ?b)
    box_count_greater_equals(3, ?b) = box_count_equals(3, ?b)
    object_count_greater_equals(1, ?x) = object_exists(?x)
    object_{aspect}_count_greater_equals(1, ?x) = object_exists(?x)
    object_{aspect}_count_lesser(1, ?x) = object_count_lesser(1, ?x)
    object_{aspect}_count_lesser_equals(1, ?x) = object_{aspect}_same(?x)
    object_{aspect}_count_lesser(2, ?x) = object_{aspect}_same(?x)
    object_{aspect}_count_greater(1, ?x) = object_{aspect}_different(?x)
    object_{aspect}_count_greater_equals(2, ?x) = object_{aspect}_different(?x)
    # Colours and shapes as values and as filters
    object_color_any_equals(color_{color}, ?x) = object_exists({color}(?x))
    object_shape_any_equals(shape_{shape}, ?x) = object_exists({shape}(?x))
    # And
    box_filter_and(?p, ?p)(?x) = ?p(?x)
    box_filter_and(?p, ?q)(?x) = box_filter_and(?q, ?p)(?x)
    box_filter_and(?p, box_filter_and(?q, ?r))(?x) = box_filter_and(box_filter_and(?p, ?q), ?r)(?x)
    box_filter_and(?p, box_filter_and(?q, ?r))(?x) = box_filter_and(?q, box_filter_and(?p, ?r))(?x)
    box_filter_and(?p, box_filter_and(?p, ?q))(?x) = box_filter_and(?p, ?q)(?x)
    box_filter_and(?p, box_filter_and(?q, ?p))(?x) = box_filter_and(?p, ?q)(?x)
    box_filter(box_filter(?b, ?p), ?q) = box_filter(?b, box_filter_and(?p, ?q))
    # Where something of a kind is, there is something
    box_filter_and(object_exists, object_exists(?f))(?x) = object_exists(?f(?x))
    box_filter_and(object_exists, {some}(?n)(?f))(?x) = {some}(?n, ?f(?x))
    """,
    variables={"n": int},
    groups={
        "some": " ".join(
            f"object{aspect}_count_{comparison}"
            for aspect in ("", "_color", "_shape")
            for comparison in ("equals", "greater", "greater_equals")
        )
    },
)
"""For the consistent language."""

EXTENDED = CONSISTENT + Laws(
    """
    touch_{place}(near_{place}(?x)) = touch_{place}(?x)
    near_{place}(touch_{place}(?x)) = touch_{place}(?x)
    {at_wall}(near_wall(?x)) = {at_wall}(?x)
    near_wall({at_wall}(?x)) = {at_wall}(?x)
    {end}(in_stack({end2}(?x))) = in_stack({end2}(?x))
    # Either
    either_filter(?f, ?f)(?x) = ?f(?x)
    either_filter(?f, ?g)(?x) = either_filter(?g, ?f)(?x)
    either_filter(?f, either_filter(?f, ?g))(?x) = either_filter(?f, ?g)(?x)
    either_filter(?f, either_filter(?g, ?f))(?x) = either_filter(?f, ?g)(?x)
    either_filter(?f:plain, ?g:plain)({attribute}(?x)) = {attribute}(either_filter(?f, ?g)(?x))
    either_filter(?f:plain, ?g:plain)(either_filter(?f, ?g)(?x)) = either_filter(?f, ?g)(?x)
    # None, all, both
    object_count_lesser(1, ?x) = object_none(?x)
    object_{aspect}_count_lesser(1, ?x) = object_none(?x)
    object_color_none_equals(color_{color}, ?x) = object_none({color}(?x))
    object_shape_none_equals(shape_{shape}, ?x) = object_none({shape}(?x))
    object_color_all_equals(color_{color}, ?x) = object_all({color})(?x)
    object_shape_all_equals(shape_{shape}, ?x) = object_all({shape})(?x)
    object_none({end}(?x)) = object_none(?x)
    object_none(negate_filter(?f)(?x)) = object_all(?f)(?x)
    object_all(negate_filter(?f:selecting))(?x) = object_none(?f(?x))
    object_exists_both(?f, ?f)(?x) = object_exists(?f(?x))
    object_exists_both(?f, ?g)(?x) = object_exists_both(?g, ?f)(?x)
    object_colors_equal(color_{color}, color_{color2}, ?x) = object_colors_equal(color_{color2}, color_{color}, ?x)
    # Boxes
    box_exists(box_filter(all_boxes, ?p)) = some_box(?p)
    box_count_equals(1, box_filter(all_boxes, ?p)) = one_box(?p)
    box_count_equals(3, box_filter(all_boxes, ?p)) = every_box(?p)
    box_count_lesser(1, box_filter(all_boxes, ?p)) = no_box(?p)
    box_{once_more}(box_{once_more}(?b)) = box_{once_more}(?b)
    """,
    groups={
        "attribute": f"{_TOUCH} {_NEAR} {_KINDS}",
        "plain": f"{_TOUCH} {_NEAR} {_KINDS} negate_filter either_filter",
        "selecting": f"{_TOUCH} {_NEAR} {_KINDS} {_SELECTING} in_stack negate_filter either_filter",
        "once": f"{_SELECTING} in_stack",
        "at_wall": f"{_TOUCH} near_corner near_top near_bottom near_left near_right",
        "place": "top bottom left right wall corner",
        "once_more": "fewest_objects same_count",
    },
    order=(
        "all_boxes all_objects object_exists object_none object_all object_exists_both object_colors_equal "
        f"some_box one_box every_box no_box {_TOUCH} {_NEAR} {_KINDS}"
    ),
    brings="object_none object_all some_box one_box every_box no_box",
)
"""For the extended language."""
