"""The extended language: the consistent one, and what people say of these pictures that it cannot say, or not shortly.

Built by looking at training sentences. Every function is here because with it more of them have a program that fits
their labels and says all their words; `docs/languages.md` has the figures, and what was tried and left out.

The second half of the file is its part of the lexicon: entries that go in front of the common table.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chorale.language import function
from chorale.nlvr.english.lexicon import BOX_WORDS, COMPARISONS, LOW_WORDS, TABLE, WALL_WORDS, Entry
from chorale.nlvr.languages import wording
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.functions import Answer, Boxes, Color, Filter, Objects, Predicate, filter_by, related_by
from chorale.nlvr.languages.laws import EXTENDED
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Truth


class Extended(Consistent):
    """The extended language, bound to a corpus."""

    abbreviations = frozenset(
        {
            "box_exists",  # some_box
            "object_exists_both",  # box_filter_and of two object_exists
            *(f"object_{aspect}_{which}_equals" for aspect in ("color", "shape") for which in ("all", "any", "none")),
        }
    )  # fmt: skip

    laws = EXTENDED
    wording = wording.EXTENDED
    commutative = Consistent.commutative | {"either_filter", "object_exists_both", "object_colors_equal"}

    # "Closely touching": within a margin of a wall, a corner, another object.
    near_top, near_bottom = filter_by("near_top"), filter_by("near_bottom")
    near_left, near_right = filter_by("near_left"), filter_by("near_right")
    near_wall, near_corner = filter_by("near_wall"), filter_by("near_corner")
    near_object = related_by("near")
    directly_above, directly_below = related_by("directly_above"), related_by("directly_below")

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
    def object_none(self, objects: Objects) -> Answer:
        return ~objects.exists()

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

    @function
    def box_same_color(self, boxes: Boxes, keep: Filter) -> Boxes:
        # Boxes of which what is kept has the colours of what is kept of another box of the input.
        return boxes.alike(keep(self.worlds.boxes.all_objects))

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
_COUNTED_COLORS = "object_color_count_equals object_color_count_greater_equals"
_COUNTED_SHAPES = "object_shape_count_equals object_shape_count_greater_equals"
_NONE = "object_none *_none_equals"
_SOME_OF = "1 box_count_greater_equals"  # of boxes that were chosen, at least one
_FEWER = "1 box_count_lesser"
_NUMBER_OF = f"number of item|object|block in|of? the|each|all|every? {BOX_WORDS} be"
_PLENTY = "object_count_greater_equals box_count_greater_equals"
_THINGS = "item|object|block|one|element|figure|thing|shape"
_AT = "on|at? the?"
_NEXT = "directly_above directly_below"
_OR = {"or more": "greater_equals", "or less|few|fewer": "lesser_equals"}
_AFTERWARDS = {"at most|maximum": "lesser_equals", **_OR}


def _compared() -> Iterator[tuple[str, str]]:
    """A number and what it is compared by, before or after: "at least two", "two or more"."""
    for comparison, phrases in COMPARISONS.items():
        yield from ((f"{phrase} {{number}}", comparison) for phrase in phrases)
    yield from ((f"{{number}} {after}", comparison) for after, comparison in _OR.items())
    yield "not have? exactly|precisely? {number}", "not_equals"


ENTRIES: tuple[Entry, ...] = (
    Entry("block block", ("black color_black",)),  # "black block", mistyped: other slips are repaired in `words`
    # Boxes
    Entry(BOX_WORDS, (_BOXES,)),
    Entry(f"grey square|rectangle|{BOX_WORDS}", (_BOXES,)),
    Entry("square box", (_BOXES,)),
    Entry(
        f"{{color}} {BOX_WORDS}", ("{color} color_{color}", _BOXES), "*_color_any_equals *_color_all_equals object_all"
    ),
    Entry(
        f"no {{color}} {BOX_WORDS}",
        ("box_count_lesser no_box", f"{_BOXES} no_box", "{color} color_{color}"),
        "1 object_all *_color_all_equals",
    ),
    *(
        row
        for box in (f"grey? {BOX_WORDS}", "grey square|rectangle")
        for row in (  # one function says that it is boxes, and how many
            Entry(f"{{one}}|single {box}", ("1 one_box some_box box_exists", f"{_BOXES} one_box"), _COUNTED),
            Entry(
                f"{{one}} of the {{number}}? {box}", ("1 one_box some_box box_exists", f"{_BOXES} one_box"), _COUNTED
            ),
            Entry(f"exactly|precisely|just|only {{one}} {box}", ("box_count_equals one_box", f"{_BOXES} one_box"), "1"),
            Entry(f"at least {{one}} {box}", ("box_count_greater_equals some_box box_exists", _BOXES), "1"),
            Entry(
                f"all|every|each of? the? grey? {{number}}? {box}",
                ("box_count_equals box_count_greater_equals every_box", f"{_BOXES} every_box"),
                "3",
            ),
            Entry(f"no|none|neither of? the? {{number}}? {box}", ("box_count_lesser no_box", f"{_BOXES} no_box"), "1"),
            *(
                Entry(f"{phrase} of? the? {box}", (f"box_count_{comparison}", "{number}", _BOXES))
                for phrase, comparison in _compared()
            ),
        )
    ),
    Entry("each", ("box_filter every_box object_all *_all_equals *_count_equals",), "3"),
    Entry(f"out? of the three|3 {BOX_WORDS}", (_BOXES,)),  # there are no more
    Entry(f"in|inside the? same {BOX_WORDS}", (_BOXES,)),
    Entry(f"of its|their {BOX_WORDS}"),
    # "The base of a tower" is any base. That of "a tower with two blocks" is one of a box that is told apart.
    Entry(f"of a|any|the {BOX_WORDS} with|which|that|have|contain", (f"{_BOXES} no_box",)),
    Entry("same in? number|height|level of?", ("box_same_count",), _SOME_OF),
    Entry("not the? same in? number|height|level of?", ("box_same_count", "box_count_lesser"), "1 3"),
    Entry("different in? number|height|level of?", ("box_same_count", "box_count_lesser"), "1"),
    Entry(
        "same in? color|shape|kind|type?",
        ("*_same same_* box_same_color",),
        "1",
        "*_color_count_equals *_shape_count_equals",
    ),
    Entry(f"{_NUMBER_OF} different", ("box_same_count", _BOXES), _FEWER),
    Entry(f"{_NUMBER_OF} not the? same", ("box_same_count", _BOXES), f"{_FEWER} 3"),
    Entry(f"{_NUMBER_OF} the? same", ("box_same_count", _BOXES), "3 box_count_equals"),
    Entry("odd|even number|count of?", ("",)),  # no function says it
    Entry("least|few|fewest number of?", ("box_fewest_objects",), _SOME_OF),
    Entry("fewest", ("box_fewest_objects",), _SOME_OF),
    Entry(f"as many {_THINGS} as another|other {BOX_WORDS}", ("box_same_count", _BOXES), _SOME_OF),
    Entry("share the? most common color", ("same_color",)),
    Entry("share the? most common shape|kind|type", ("same_shape",)),
    Entry("share the? same? color|shape|kind|type", ("*_same same_* box_same_color",), "1"),
    Entry("short|shortest", ("box_fewest_objects",), _SOME_OF),
    # Touching
    *(
        Entry(f"{_CLOSELY} touch|attach the|a|any? {words}", (f"touch_{side} near_{side}",))
        for side, words in _SIDES.items()
    ),
    Entry(f"{_CLOSELY} touch|attach", ("touch_* near_*",)),
    Entry("near|nearby|close|next to?", ("touch_* near_*",)),
    Entry("attach to|with?", (_CONTACT,)),
    Entry(f"{_CLOSELY}? touch|attach with? {_EACH_OTHER}", (f"{_CONTACT} in_stack",)),
    Entry(f"stack|attach on? top? of? {_EACH_OTHER}", ("in_stack",)),
    Entry("stack|attach together?", ("in_stack",)),
    Entry("together", ("in_stack touch_object",)),
    Entry("on|over|above top? of? each|one other", ("in_stack",)),
    Entry(_EACH_OTHER, (f"{_CONTACT} in_stack above below",)),
    Entry("left corner", ("touch_corner", "touch_left")),
    Entry("right corner", ("touch_corner", "touch_right")),
    Entry("top|upper corner", ("touch_corner", "touch_top")),
    Entry(f"{LOW_WORDS}|lower corner", ("touch_corner", "touch_bottom")),
    # Places
    Entry("right|just|immediately on? top of", ("above directly_above",)),
    Entry("right|just|immediately above|over|on|upon", ("above directly_above",)),
    Entry("right|just|immediately below|under|beneath|underneath", ("below directly_below",)),
    Entry("on the? top", ("top above touch_top",)),
    Entry("on top of", ("above directly_above",), "top"),
    Entry("directly? above|over|on|upon|higher", ("above directly_above",), "", "below"),
    Entry("directly? below|under|beneath|underneath", ("below directly_below",), "", "above"),
    Entry("after", ("above directly_above",)),
    Entry("stand on|upon", ("bottom above directly_above",)),
    Entry("in? between two?", ("between above below",)),
    Entry("in? the? middle|center", ("between above below negate_filter",), "top bottom"),
    Entry(f"{_AT} top and|or {_AT} {LOW_WORDS}", ("top touch_top", "bottom touch_bottom"), "either_filter object_all"),
    Entry(f"{_AT} {LOW_WORDS} and|or {_AT} top", ("bottom touch_bottom", "top touch_top"), "either_filter object_all"),
    *(
        row
        for end, words, upon in (("bottom", LOW_WORDS, "directly_above"), ("top", "top", "directly_below"))
        for row in (
            Entry(f"second {_THINGS}? from|of? the? {words}", (upon, end)),
            Entry(f"third {_THINGS}? from|of? the? {words}", (upon, upon, end)),
        )
    ),
    Entry("second", (_NEXT, "bottom top")),
    Entry("third", (_NEXT, _NEXT, "bottom top")),
    # How many
    Entry("exactly on", ("*_count_equals", "1")),  # "one", with a letter left out
    Entry("multiple|several", (_PLENTY,), "2"),
    Entry("multiple|several|many different? color", ("object_color_count_greater_equals",), "2"),
    Entry("multiple|several|many different? shape|kind|type", ("object_shape_count_greater_equals",), "2"),
    Entry("many|lot", (_PLENTY,), "3 4 5"),
    *(
        row
        for after, comparison in _AFTERWARDS.items()
        for row in (
            Entry(f"{{number}} {_THINGS} {after}", ("{number}", f"*_count_{comparison}")),
            Entry(f"{{number}} {{shape}} {after}", ("{number}", "{shape}", f"object_count_{comparison}")),
            Entry(
                f"{{number}} {{color}} {_THINGS}? {after}",
                ("{number}", "{color} color_{color}", f"object_count_{comparison}"),
            ),
            Entry(
                f"{{number}} {{color}} {{shape}} {after}",
                ("{number}", "{color} color_{color}", "{shape}", f"object_count_{comparison}"),
            ),
        )
    ),
    # No, not
    Entry("no|none|without|neither|nor|nothing|zero|0", (f"{_NONE} negate_filter no_box",), "1"),
    Entry("not", (f"{_NONE} negate_filter",), "1"),
    Entry("not a|any|one? single", (_NONE,)),
    # "An item that is not black" is there; "the items are not black" may also say that none is.
    Entry(f"{_THINGS} not", ("negate_filter",)),
    Entry(f"{_THINGS} that|which be|do not", ("negate_filter",)),
    Entry("{shape} not", ("{shape} shape_{shape}", "negate_filter")),
    Entry("{shape} that|which be|do not", ("{shape} shape_{shape}", "negate_filter")),
    Entry(f"touch no {WALL_WORDS}", ("negate_filter", "touch_wall")),
    Entry("not exactly|precisely? {number}", ("*_count_not_equals", "{number}")),
    Entry("other", ("negate_filter",)),
    Entry(f"among other {_THINGS}?"),
    Entry("no other", ("object_none object_all *_count_equals",), "negate_filter 1"),
    # And, or, all, only
    Entry("or", ("either_filter",)),
    *(Entry(f"{{number}} {after}", (f"*_count_{comparison}", "{number}")) for after, comparison in _OR.items()),
    Entry("either"),
    Entry("and", permits="object_exists_both"),
    Entry("both a|an", ("box_filter_and object_exists_both",)),
    Entry("both", ("2 *_all_equals box_filter_and object_exists_both object_all",)),
    Entry("all|every", ("*_all_equals object_all every_box *_count_equals",), "3"),
    Entry("{number} different? color", (_COUNTED_COLORS, "{number}")),
    Entry("only? {one}|single color", (f"{_COUNTED_COLORS} object_color_same",), "1"),
    Entry("{number} different? shape|kind|type", (_COUNTED_SHAPES, "{number}")),
    Entry("only? {one}|single shape|kind|type", (f"{_COUNTED_SHAPES} object_shape_same",), "1"),
    *(
        Entry(f"{phrase} different? {words}", (f"object_{aspect}_count_{comparison}", "{number}"))
        for phrase, comparison in _compared()
        for aspect, words in (("color", "color"), ("shape", "shape|kind|type"))
    ),
    Entry("all {number} different? color|shape|kind", ("*_color_count_* *_shape_count_*", "{number} *_different")),
    Entry("only", ("*_all_equals object_all object_colors_equal *_count_equals",), "1 {colors} color_{rest}"),
    Entry(
        "{color} and {color} color?",
        ("{color} color_{color}", "{color} color_{color}"),
        "object_colors_equal *_color_any_equals",
        "*_color_all_equals *_color_none_equals object_exists_both",
    ),
    *TABLE,
)
"""The lexicon's table for this language."""
