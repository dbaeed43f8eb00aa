"""The extended language: the consistent one and what its speakers miss."""

from __future__ import annotations

import numpy as np

from chorale.language import function
from chorale.nlvr.consistent import Consistent
from chorale.nlvr.functions import Answer, Boxes, Color, Filter, Objects, Predicate, filter_by
from chorale.nlvr.lexicon import Row, _BOX, _WALL, _LOW
from chorale.nlvr.worlds import BoxSet, ObjectSet, Truth


def _seen_together(one: ObjectSet, other: ObjectSet) -> tuple[ObjectSet, ObjectSet]:
    """Two sets in one view: if one of them is split, both are."""
    view = one.view if one.view.copies is not None else other.view
    return one.seen_in(view), other.seen_in(view)


class Extended(Consistent):
    """The extended language, bound to a corpus."""

    near_top, near_bottom = filter_by("near_top"), filter_by("near_bottom")
    near_left, near_right = filter_by("near_left"), filter_by("near_right")
    near_wall, near_corner = filter_by("near_wall"), filter_by("near_corner")

    @function
    def near_object(self, objects: Objects) -> Objects:
        return objects.related("near")

    @function
    def near_object1(self, objects: Objects) -> Objects:
        return objects.related("near1")

    @function
    def directly_above(self, objects: Objects) -> Objects:
        return objects.related("directly_above")

    @function
    def directly_below(self, objects: Objects) -> Objects:
        return objects.related("directly_below")

    @function
    def between(self, objects: Objects) -> Objects:
        return ObjectSet(objects.related("above").words & objects.related("below").words, objects.view)

    @function
    def in_stack(self, objects: Objects) -> Objects:
        beside = objects.related("directly_above").words | objects.related("directly_below").words
        return ObjectSet(objects.words & beside, objects.view)

    @function
    def either_filter(self, one: Filter, other: Filter) -> Filter:
        def keep(objects: ObjectSet) -> ObjectSet:
            first, second = _seen_together(one(objects), other(objects))
            return ObjectSet(first.words | second.words, first.view)

        return keep

    @function
    def box_filter_or(self, one: Predicate, other: Predicate) -> Predicate:
        return lambda objects: one(objects) | other(objects)

    @function
    def object_all(self, keep: Filter) -> Predicate:
        def test(objects: ObjectSet) -> Truth:
            kept = keep(objects)
            return ~kept.view.any(objects.seen_in(kept.view).words & ~kept.words)

        return test

    @function
    def object_exists_both(self, one: Filter, other: Filter) -> Predicate:
        return lambda objects: one(objects).exists() & other(objects).exists()

    @function
    def object_more(self, one: Filter, other: Filter) -> Predicate:
        return lambda objects: one(objects).count() > other(objects).count()

    @function
    def object_colors_equal(self, one: Color, other: Color, objects: Objects) -> Answer:
        table = objects.view.table(one) | objects.view.table(other)
        return objects.where(one).exists() & objects.where(other).exists() & ~objects.view.any(objects.words & ~table)

    @function
    def some_box(self, passes: Predicate) -> Answer:
        return self._passing(passes).exists()

    @function
    def every_box(self, passes: Predicate) -> Answer:
        return np.logical_and.reduce(self._passing(passes).chosen)

    @function
    def no_box(self, passes: Predicate) -> Answer:
        return ~self._passing(passes).exists()

    @function
    def one_box(self, passes: Predicate) -> Answer:
        return self._passing(passes).count() == 1

    @function
    def most_objects(self, boxes: Boxes) -> Boxes:
        counts = boxes.sizes()
        most = np.maximum.reduce(counts)
        return BoxSet(tuple(b & (c == most) for b, c in zip(boxes.chosen, counts)), boxes.worlds)

    @function
    def fewest_objects(self, boxes: Boxes) -> Boxes:
        counts = [np.where(b, c, 255) for b, c in zip(boxes.chosen, boxes.sizes())]
        least = np.minimum.reduce(counts)
        return BoxSet(tuple(b & (c == least) for b, c in zip(boxes.chosen, counts)), boxes.worlds)

    @function
    def same_count(self, boxes: Boxes) -> Boxes:
        sizes = boxes.sizes()
        kept = []
        for i, (b, c) in enumerate(zip(boxes.chosen, sizes)):
            same = [bb & (cc == c) for j, (bb, cc) in enumerate(zip(boxes.chosen, sizes)) if j != i]
            kept.append(b & np.logical_or.reduce(same))
        return BoxSet(tuple(kept), boxes.worlds)

    def _passing(self, passes: Predicate) -> BoxSet:
        return self.all_boxes().keep(passes(self.worlds.boxes.all_objects))


_CLOSELY = "closely|nearly|almost|nearby|near|close"
_BOXES = "all_boxes some_box every_box no_box one_box"
_TO = "to|at|on? the|a|any|one|their|its?"
ROWS: tuple[Row, ...] = (
    Row(_BOX, (_BOXES,)),
    Row(f"grey square|rectangle|{_BOX}", (_BOXES,)),
    Row("square box", (_BOXES,)),
    *(
        row
        for closely, near in (("", ""), (_CLOSELY + " ", "near"))
        for row in (
            Row(f"{closely}touch|attach {_TO} right {_WALL}?", (f"touch_right {near}_right",)),
            Row(f"{closely}touch|attach {_TO} left {_WALL}?", (f"touch_left {near}_left",)),
            Row(f"{closely}touch|attach {_TO} {_WALL}", (f"touch_wall {near}_wall",)),
            Row(f"{closely}touch|attach {_TO} top|roof|ceiling|upper {_WALL}?", (f"touch_top {near}_top",)),
            Row(f"{closely}touch|attach {_TO} {_LOW}|lower {_WALL}?", (f"touch_bottom {near}_bottom",)),
            Row(
                f"{closely}touch|attach {_TO} corner",
                (f"touch_corner {near}_corner",),
            ),
            Row(f"{closely}touch|attach each|one other|another", (f"touch_object near_object near_object1 in_stack",)),
            Row(f"{closely}touch|attach", (f"touch_* near_object near_object1 {near}_*",)),
        )
    ),
    Row("near|nearby|close|next to?", ("touch_* near_*",)),
    Row("each|one other|another", ("touch_object near_object near_object1 above below directly_* in_stack",)),
    Row("stack|attach together?", ("in_stack above below directly_* touch_object near_object near_object1",)),
    Row("stack|attach on? top? of? each|one other|another", ("in_stack directly_* above below",)),
    Row("together", ("in_stack above below touch_object near_object near_object1",)),
    Row("or|either", ("either_filter box_filter_or",)),
    Row("either", ()),
    Row("and", (), "", "object_exists_both"),
    Row("on the? top", ("top above touch_top directly_above",)),
    Row("on top of", ("above directly_above",), "top"),
    Row("directly? above|over|on|upon|higher", ("above directly_above",), "", "below directly_below"),
    Row("directly? below|under|beneath|underneath", ("below directly_below",), "", "above directly_above"),
    Row("after", ("above below directly_*",)),
    Row("in? between two?", ("between above below",)),
    Row("in? the? middle|center", ("between above below negate_filter",), "top bottom"),
    Row("second", ("directly_* above below negate_filter",), "top bottom"),
    Row("third", ("directly_* above below", "directly_* above below"), "top bottom"),
    Row("all|every", ("*_all_equals object_all negate_filter *_count_equals *_count_lesser *_same",), "1 3"),
    Row("each", ("box_filter object_all every_box *_all_equals *_count_equals",), "3"),
    Row("both", ("2 *_all_equals box_filter_and object_exists_both object_all",)),
    Row(f"all|every|each of? the? grey? NUMBER? grey? {_BOX}", ("box_count_equals box_count_greater_equals every_box",), "3"),
    Row(f"no|none|neither of? the? grey? NUMBER? grey? {_BOX}", ("box_count_lesser no_box",), "1 all_boxes box_filter"),
    Row("all NUMBER different? color|shape|kind", ("*_color_count_* *_shape_count_*", "{number} *_different")),
    Row("only", ("*_all_equals *_count_equals *_none_equals *_count_lesser negate_filter object_all object_colors_equal",), "1 {colors} color_{rest} either_filter"),
    Row("COLOR and COLOR color?", ("{color} color_{color}", "{color} color_{color}"), "object_colors_equal *_color_any_equals", "*_color_all_equals *_color_none_equals object_exists_both either_filter"),
    Row("same number|height", ("same_count",)),
    Row("different|not in? number|height", ("same_count",)),
    Row("least|few|fewest number|of?", ("fewest_objects *_count_greater_equals",)),
    Row("most|more|large|maximum|highest number|of?", ("most_objects object_more",)),
    Row("tall|tallest|taller", ("most_objects",)),
    Row("short|shortest|shorter|smaller", ("fewest_objects",)),
    Row("more COLOR|SHAPE", ("object_more *_count_greater *_count_greater_equals", "{color} {shape}")),
)
