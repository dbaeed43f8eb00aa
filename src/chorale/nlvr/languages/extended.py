"""The extended language: the consistent one, and what people say of these pictures that it cannot say, or not shortly.

Built by looking at training sentences. Every function is here because with it more of them have a program that fits
their labels and says all their words; `docs/languages.md` has the figures, and what was tried and left out.

The second half of the file is its part of the lexicon: rows that go in front of the common table.
"""

from __future__ import annotations

import numpy as np

from chorale.language import function
from chorale.nlvr.english.lexicon import BOX_WORDS, LOW_WORDS, TABLE, WALL_WORDS, Row
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.functions import Answer, Boxes, Color, Filter, Objects, Predicate, filter_by
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Truth


class Extended(Consistent):
    """The extended language, bound to a corpus."""

    # "Closely touching": within a margin of a wall, a corner, another object.
    near_top, near_bottom = filter_by("near_top"), filter_by("near_bottom")
    near_left, near_right = filter_by("near_left"), filter_by("near_right")
    near_wall, near_corner = filter_by("near_wall"), filter_by("near_corner")

    @function
    def near_object(self, objects: Objects) -> Objects:
        return objects.related("near")

    @function
    def directly_above(self, objects: Objects) -> Objects:
        return objects.related("directly_above")

    @function
    def directly_below(self, objects: Objects) -> Objects:
        return objects.related("directly_below")

    @function
    def in_stack(self, objects: Objects) -> Objects:
        # Of the input: what stands directly on, or carries, another object of the input.
        beside = objects.related("directly_above").words | objects.related("directly_below").words
        return ObjectSet(objects.words & beside, objects.view)

    @function
    def between(self, objects: Objects) -> Objects:
        # Above one object of the input and below another; of all objects: the middle ones.
        return ObjectSet(objects.related("above").words & objects.related("below").words, objects.view)

    @function
    def either_filter(self, one: Filter, other: Filter) -> Filter:
        def keep(objects: ObjectSet) -> ObjectSet:
            first, second = one(objects), other(objects)
            view = first.view if first.view.copies is not None else second.view  # if one set is split, both are
            return ObjectSet(first.seen_in(view).words | second.seen_in(view).words, view)

        return keep

    @function
    def object_all(self, keep: Filter) -> Predicate:
        # Whether a filter keeps all it is given; true of no objects.
        def test(objects: ObjectSet) -> Truth:
            kept = keep(objects)
            all_kept: Truth = ~kept.view.any(objects.seen_in(kept.view).words & ~kept.words)
            return all_kept

        return test

    @function
    def object_exists_both(self, one: Filter, other: Filter) -> Predicate:
        return lambda objects: one(objects).exists() & other(objects).exists()

    @function
    def object_colors_equal(self, one: Color, other: Color, objects: Objects) -> Answer:
        # Both colours occur and no third one does.
        first, second = objects.where(one), objects.where(other)
        others = objects.words & ~(first.words | second.words)
        return first.exists() & second.exists() & ~objects.view.any(others)

    @function
    def some_box(self, passes: Predicate) -> Answer:
        return self._passing(passes).exists()

    @function
    def one_box(self, passes: Predicate) -> Answer:
        alone: Truth = self._passing(passes).count() == 1
        return alone

    @function
    def every_box(self, passes: Predicate) -> Answer:
        everywhere: Truth = np.logical_and.reduce(self._passing(passes).chosen)
        return everywhere

    @function
    def no_box(self, passes: Predicate) -> Answer:
        return ~self._passing(passes).exists()

    @function
    def box_fewest_objects(self, boxes: Boxes) -> Boxes:
        # Ties are kept, as in `top`.
        return boxes.fewest()

    @function
    def box_same_count(self, boxes: Boxes) -> Boxes:
        # Boxes that hold as many objects as another box of the input.
        return boxes.as_many()

    def _passing(self, passes: Predicate) -> BoxSet:
        return self.box_filter(self.all_boxes(), passes)


_CLOSELY = "closely|nearly|almost|nearby|near|close"
_SIDES = {
    "right": f"right {WALL_WORDS}?",
    "left": f"left {WALL_WORDS}?",
    "wall": WALL_WORDS,
    "top": f"top|roof|ceiling|upper {WALL_WORDS}?",
    "bottom": f"{LOW_WORDS}|lower {WALL_WORDS}?",
    "corner": "corner",
}
_EACH_OTHER = "each|one other|another"
_CONTACT = "touch_object near_object"
_BOXES = "all_boxes some_box"
_COUNTED = "*_count_equals *_count_greater_equals"

ROWS: tuple[Row, ...] = (
    # Boxes
    Row(BOX_WORDS, (_BOXES,)),
    Row(f"grey square|rectangle|{BOX_WORDS}", (_BOXES,)),
    Row("square box", (_BOXES,)),
    Row(f"COLOR {BOX_WORDS}", ("{color} color_{color}", _BOXES), "*_color_any_equals *_color_all_equals"),
    *(
        row
        for box in (f"grey? {BOX_WORDS}", "grey square|rectangle")
        for row in (  # one function says that it is boxes, and how many
            Row(f"ONE|single {box}", ("1 one_box some_box box_exists", f"{_BOXES} one_box"), _COUNTED),
            Row(f"ONE of the NUMBER? {box}", ("1 one_box some_box box_exists", f"{_BOXES} one_box"), _COUNTED),
            Row(f"exactly|precisely|just|only ONE {box}", ("box_count_equals one_box", f"{_BOXES} one_box"), "1"),
            Row(f"at least ONE {box}", ("box_count_greater_equals some_box box_exists", _BOXES), "1"),
            Row(
                f"all|every|each of? the? grey? NUMBER? {box}",
                ("box_count_equals box_count_greater_equals every_box", f"{_BOXES} every_box"),
                "3",
            ),
            Row(f"no|none|neither of? the? NUMBER? {box}", ("box_count_lesser no_box", f"{_BOXES} no_box"), "1"),
        )
    ),
    Row("each", ("box_filter every_box object_all *_all_equals *_count_equals",), "3"),
    Row("same|different in? number|height", ("box_same_count",)),
    Row("least|few|fewest number of?", ("box_fewest_objects",)),
    Row("short|shortest", ("box_fewest_objects",)),
    # Touching
    *(
        Row(f"{_CLOSELY} touch|attach the|a|any? {words}", (f"touch_{side} near_{side}",))
        for side, words in _SIDES.items()
    ),
    Row(f"{_CLOSELY} touch|attach", ("touch_* near_*",)),
    Row("near|nearby|close|next to?", ("touch_* near_*",)),
    Row("attach to|with?", (_CONTACT,)),
    Row(f"{_CLOSELY}? touch|attach with? {_EACH_OTHER}", (f"{_CONTACT} in_stack",)),
    Row(f"stack|attach on? top? of? {_EACH_OTHER}", ("in_stack",)),
    Row("stack|attach together?", ("in_stack",)),
    Row("together", ("in_stack touch_object",)),
    Row("on|over|above top? of? each|one other", ("in_stack",)),
    Row(_EACH_OTHER, (f"{_CONTACT} in_stack above below",)),
    # Places
    Row("on the? top", ("top above touch_top directly_above",)),
    Row("on top of", ("above directly_above",), "top"),
    Row("directly? above|over|on|upon|higher", ("above directly_above",), "", "below"),
    Row("directly? below|under|beneath|underneath", ("below directly_below",), "", "above"),
    Row("after", ("above directly_above",)),
    Row("in? between two?", ("between above below",)),
    Row("in? the? middle|center", ("between above below negate_filter",), "top bottom"),
    Row("second", ("directly_* above below",), "top bottom"),
    Row("third", ("directly_* above below", "directly_* above below"), "top bottom"),
    # And, or, all, only
    Row("or", ("either_filter",)),
    Row("NUMBER or more", ("*_count_greater_equals", "{number}")),
    Row("either"),
    Row("and", permits="object_exists_both"),
    Row("both", ("2 *_all_equals box_filter_and object_exists_both object_all",)),
    Row("all|every", ("*_all_equals object_all negate_filter *_count_equals *_count_lesser *_same",), "1 3"),
    Row("all NUMBER different? color|shape|kind", ("*_color_count_* *_shape_count_*", "{number} *_different")),
    Row(
        "only",
        ("*_all_equals object_all object_colors_equal *_count_equals *_none_equals *_count_lesser negate_filter",),
        "1 {colors} color_{rest}",
    ),
    Row(
        "COLOR and COLOR color?",
        ("{color} color_{color}", "{color} color_{color}"),
        "object_colors_equal *_color_any_equals",
        "*_color_all_equals *_color_none_equals object_exists_both",
    ),
    *TABLE,
)
"""The lexicon's table for this language."""
