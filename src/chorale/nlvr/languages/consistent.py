"""The consistent language of Gupta, Singh and Gardner (2021): composition and currying instead of macros.

Constants come first, so that giving only the constant leaves a predicate over objects, and a phrase such as "at least
two yellow squares" is the same sub-program wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chorale.language import function
from chorale.nlvr.languages import wording
from chorale.nlvr.languages.functions import TESTS, Answer, Boxes, Common, Objects, Predicate, Test, related_by, typed
from chorale.nlvr.languages.laws import CONSISTENT
from chorale.nlvr.pictures.scenes import COLORS, SHAPES


def _constant_first(test: Test) -> Callable[..., Any]:
    return lambda self, constant, things: test(things, constant)


def _same_and_different(kinds: Sequence[str]) -> tuple[Any, Any]:
    same = typed(lambda self, objects: objects.count_kinds(kinds) <= 1, Objects, Answer)
    return same, typed(lambda self, objects: objects.count_kinds(kinds) > 1, Objects, Answer)


class Consistent(Common):
    """The consistent language, bound to a corpus."""

    root = Answer
    laws = CONSISTENT
    wording = wording.CONSISTENT
    # A filter is used only through composition: "yellow above black" is yellow . above . black wherever it stands.
    excluded = frozenset({"Set[Object] -> [<Set[Object]:Set[Object]>, Set[Object]]"})
    commutative = frozenset({"box_filter_and"})

    vars().update(
        {name: typed(_constant_first(test), constant, things, Answer) for name, things, constant, test in TESTS}
    )
    object_color_same, object_color_different = _same_and_different(COLORS)
    object_shape_same, object_shape_different = _same_and_different(SHAPES)

    above, below = related_by("above"), related_by("below")

    @function
    def box_filter(self, boxes: Boxes, passes: Predicate) -> Boxes:
        # Each distinct box is judged once, by itself, wherever in the corpus it stands.
        return boxes.keep(passes(self.worlds.boxes.all_objects))

    @function
    def box_filter_and(self, one: Predicate, other: Predicate) -> Predicate:
        return lambda objects: one(objects) & other(objects)
