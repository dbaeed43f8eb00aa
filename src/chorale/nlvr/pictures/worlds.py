"""Worlds: a whole corpus of scenes, packed so that one vector operation works on every picture.

A set of objects in a box is one machine word: bit j says whether object j of the box belongs to it. Boxes that occur
several times in the corpus are stored once. A `View` says how such words hang together to rows, a row being what a
function sees as its whole input:

    images   words of the distinct boxes; a row is a picture and looks up its three boxes
    apart    words of each box of each picture, for sets that differ from picture to picture
    boxes    words of the distinct boxes; a row is one box by itself, as `box_filter` hands it to its predicate

Relations are unions: what lies above (below, touches) a set is the union of what lies above (...) each member. So a
relation is a table `(object, word)` of words, and applying it is a handful of vector operations whatever the relation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES, COLORS, MAX_OBJECTS, SHAPES, SIZES, Box, Scene

Words = NDArray[Any]  # unsigned integers of the smallest width that fits the largest box
Truth = NDArray[np.bool_]
Counts = NDArray[np.uint8]


_COLORS = {name: number for number, name in enumerate(COLORS)}
_SHAPES = {name: number for number, name in enumerate(SHAPES)}


class Things(NamedTuple):
    """Objects as numbers: a field is an array over boxes, for one index in the box or for all of them."""

    x: NDArray[np.int16]
    y: NDArray[np.int16]
    size: NDArray[np.int16]
    color: NDArray[np.int16]
    shape: NDArray[np.int16]
    there: Truth  # whether the box has an object at this index

    @staticmethod
    def of(boxes: Sequence[Box], most: int) -> Things:
        """All objects of all boxes, each field (index, box)."""
        table = np.zeros((6, most, len(boxes)), dtype=np.int16)
        places = [(row, column) for column, box in enumerate(boxes) for row in range(len(box))]
        if places:
            values = [(it.x, it.y, it.size, _COLORS[it.color], _SHAPES[it.shape], 1) for box in boxes for it in box]
            rows, columns = np.array(places).T
            table[:, rows, columns] = np.array(values, dtype=np.int16).T
        x, y, size, color, shape, there = table
        return Things(x, y, size, color, shape, there.astype(bool))

    def at(self, index: int) -> Things:
        """The objects at one index of each box."""
        return Things(*(values[index] for values in self))


MARGIN = 4  # pixels: what is so close to a wall touches it "closely"
TOWER_GAP = 1  # pixels between the blocks of a tower

_SIDES: dict[str, Callable[[int, Things], Truth]] = {
    "top": lambda margin, things: things.y <= margin,
    "left": lambda margin, things: things.x <= margin,
    "right": lambda margin, things: things.x + things.size >= BOX_SIDE - margin,
    "bottom": lambda margin, things: things.y + things.size >= BOX_SIDE - margin,
    "wall": lambda margin, things: _at_edge(things.x, things.size, margin) | _at_edge(things.y, things.size, margin),
    "corner": lambda margin, things: _at_edge(things.x, things.size, margin) & _at_edge(things.y, things.size, margin),
}
"""Whether an object comes so close to a side of its box."""

ATTRIBUTES: dict[str, Callable[[Things], Truth]] = {
    **{name: partial(lambda number, things: things.color == number, number) for number, name in enumerate(COLORS)},
    **{name: partial(lambda number, things: things.shape == number, number) for number, name in enumerate(SHAPES)},
    **{name: partial(lambda size, things: things.size == size, size) for size, name in SIZES.items()},
    "all": lambda things: things.there,
    **{
        f"{how}_{side}": partial(reaches, margin)
        for how, margin in (("touch", 0), ("near", MARGIN))
        for side, reaches in _SIDES.items()
    },
}
"""Properties of an object by name."""

RELATIONS: dict[str, Callable[[Things, Things], Truth]] = {
    "above": lambda thing, other: other.y < thing.y,
    "below": lambda thing, other: other.y > thing.y,
    "touch": lambda thing, other: gap(thing, other) == 0,
    "near": lambda thing, other: gap(thing, other) <= MARGIN,
    "directly_above": lambda thing, other: _rests_on(upper=other, lower=thing),
    "directly_below": lambda thing, other: _rests_on(upper=thing, lower=other),
}
"""Relations by name: whether `other` belongs to what the relation gives for `thing`, both in one box."""


def _at_edge(start: NDArray[np.int16], size: NDArray[np.int16], margin: int) -> Truth:
    """Whether an object reaches the edge of its box, or comes so close to it, at either end of one axis."""
    result: Truth = (start <= margin) | (start + size >= BOX_SIDE - margin)
    return result


def _rests_on(upper: Things, lower: Things) -> Truth:
    """Whether an object stands on another: some of it is straight above, with no gap or that of a tower between."""
    drop = lower.y - (upper.y + upper.size)
    overlap = np.minimum(upper.x + upper.size, lower.x + lower.size) - np.maximum(upper.x, lower.x)
    result: Truth = (drop >= 0) & (drop <= TOWER_GAP) & (overlap > 0)
    return result


def gap(one: Things, two: Things) -> NDArray[np.int16]:
    """How far apart two bounding squares are, along the axis where they are further apart; less than 0: overlap."""
    apart_x = np.maximum(one.x, two.x) - np.minimum(one.x + one.size, two.x + two.size)
    apart_y = np.maximum(one.y, two.y) - np.minimum(one.y + one.size, two.y + two.size)
    result: NDArray[np.int16] = np.maximum(apart_x, apart_y)
    return result


@dataclass(frozen=True, eq=False)
class BoxView:
    """Words and the rows they belong to."""

    packed: PackedBoxes
    indices: NDArray[np.intp] | None
    """The distinct box behind each word; None if word i is box i."""
    rows: tuple[NDArray[np.intp] | slice, ...]
    """One entry per box of a row: which word it is, for all rows."""
    split: BoxView | None = None
    """The view of the same rows in which every word belongs to one row; None if this is such a view."""
    copies: NDArray[np.intp] | None = None
    """In a split view: which word of the other view each word is a copy of."""
    _spread: dict[str, Words] = field(default_factory=dict, repr=False)

    def table(self, name: str | list[str]) -> Words:
        """A table of `PackedBoxes` for the words of this view; of several names, one row each."""
        if isinstance(name, list):
            return np.stack([self.table(one) for one in name])
        if self.indices is None:
            return self.packed.table(name)
        if name not in self._spread:
            self._spread[name] = _locked(np.ascontiguousarray(self.packed.table(name)[..., self.indices]))
        return self._spread[name]

    @property
    def full(self) -> Words:
        """All objects."""
        return self.table("all")

    @cached_property
    def all_objects(self) -> ObjectSet:
        """One and the same set each time, so that search recognises it."""
        return ObjectSet(self.full, self)

    def either(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each row, the bits that any of its words' values has."""
        return reduce(np.bitwise_or, (_picked(values, row) for row in self.rows))

    def any(self, words: Words) -> Truth:
        """For each row, whether any of its words has a bit."""
        truth: Truth = self.either(words) != 0
        return truth

    def sum(self, values: Counts) -> Counts:
        """For each row, the sum of its words' values."""
        return reduce(np.add, (_picked(values, row) for row in self.rows))


def _picked(values: NDArray[Any], row: NDArray[np.intp] | slice) -> NDArray[Any]:
    """`values[..., row]`; `take` does the same in a third of the time."""
    return values[..., row] if isinstance(row, slice) else values.take(row, axis=-1)


class PackedBoxes:
    """The distinct boxes of a corpus, bit by bit."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self.boxes = boxes
        self.most = max(map(len, boxes), default=0)
        if self.most > MAX_OBJECTS:
            raise ChoraleError(f"a box holds at most {MAX_OBJECTS} objects, found {self.most}")
        self.dtype = np.dtype(next(f"uint{width}" for width in (8, 16, 32, 64) if self.most <= width))
        self.things = Things.of(boxes, self.most)
        self._tables: dict[str, Words] = {}

    def __len__(self) -> int:
        return len(self.boxes)

    def table(self, name: str) -> Words:
        """All objects ("all"), those with a property, or what a relation gives for each object; built when needed."""
        if name not in self._tables:
            plain = name in ATTRIBUTES  # one word per box
            words = self._words(ATTRIBUTES[name](self.things) & self.things.there) if plain else self._relation(name)
            self._tables[name] = _locked(words)
        return self._tables[name]

    def _relation(self, name: str) -> Words:
        """What the relation gives for each object by itself: (object, box)."""
        table = np.zeros((self.most, len(self.boxes)), dtype=self.dtype)
        for index in range(self.most):
            thing = self.things.at(index)
            holds = RELATIONS[name](thing, self.things) & self.things.there & thing.there
            holds[index] = False  # nothing is related to itself
            table[index] = self._words(holds)
        return table

    def _words(self, flags: Truth) -> Words:
        """One word per box from flags (object, box)."""
        words: Words = np.bitwise_or.reduce(flags.astype(self.dtype) << _places(self.most, self.dtype), axis=0)
        return words


def _locked(table: Words) -> Words:
    """The table, safe from change: `all_objects` hands it out as it is."""
    table.flags.writeable = False
    return table


def _merged(boxes: Sequence[Box]) -> list[Box | None]:
    """The boxes with None in place of those that hold the same as an earlier one."""
    contents = list(map(frozenset, boxes))
    return [None if contents[index] in contents[:index] else box for index, box in enumerate(boxes)]


class Worlds:
    """Scenes, packed; what a language of this domain computes on."""

    def __init__(self, scenes: Iterable[Scene], *, merge_equal_boxes: bool = False) -> None:
        """`merge_equal_boxes` makes boxes of a picture that look the same one, which is the reference's mistake."""
        numbers: dict[Box, int] = {}
        self.scenes = tuple(scenes)
        for index, scene in enumerate(self.scenes):
            if len(scene.boxes) != BOXES:
                raise ChoraleError(f"scene {index} has {len(scene.boxes)} boxes; a picture has {BOXES}")
        boxes = [_merged(scene.boxes) if merge_equal_boxes else scene.boxes for scene in self.scenes]
        columns = [numbers.setdefault(box or (), len(numbers)) for three in boxes for box in three]
        self.packed = PackedBoxes(tuple(numbers))
        self._columns = np.array(columns, dtype=np.intp).reshape(-1, BOXES).T  # (box, image)
        present = np.array([box is not None for three in boxes for box in three], dtype=bool)
        self.present: Truth = present.reshape(-1, BOXES).T  # (box, image) all but boxes that were merged with another
        self._look(None, self._columns)

    def at(self, images: Sequence[int]) -> Worlds:
        """Some of the images alone, in the given order; what is packed is shared."""
        part = object.__new__(Worlds)
        part.scenes = tuple(self.scenes[image] for image in images)
        part.packed = self.packed
        part._columns = self._columns[:, list(images)]
        part.present = self.present[:, list(images)]
        indices, words = np.unique(part._columns, return_inverse=True)
        part._look(indices, words.reshape(part._columns.shape))
        return part

    def _look(self, indices: NDArray[np.intp] | None, words: NDArray[np.intp]) -> None:
        """Make the views; `words` (box, image) says which word each box of each image is."""
        count = len(self.scenes)
        thirds = tuple(slice(index * count, (index + 1) * count) for index in range(BOXES))
        self.apart = BoxView(self.packed, self._columns.reshape(-1), thirds, copies=words.reshape(-1))
        self.images = BoxView(self.packed, indices, tuple(map(np.ascontiguousarray, words)), split=self.apart)
        self.boxes = BoxView(self.packed, indices, (slice(None),))

    def __len__(self) -> int:
        return len(self.scenes)


@dataclass(frozen=True, slots=True)
class ObjectSet:
    """A set of objects for every row of a view."""

    words: Words
    view: BoxView

    def where(self, attribute: str | list[str]) -> ObjectSet:
        """The members that have a property."""
        return ObjectSet(self.words & self.view.table(attribute), self.view)

    def related(self, relation: str) -> ObjectSet:
        """The union of what the relation gives for each member."""
        return ObjectSet(union(self.words, self.view.table(relation)), self.view)

    def exists(self) -> Truth:
        return self.view.any(self.words)

    def count(self) -> Counts:
        return self.view.sum(np.bitwise_count(self.words))

    def count_kinds(self, attributes: Sequence[str]) -> Counts:
        """How many of the given properties occur."""
        kinds = np.zeros(self.words.shape, dtype=np.uint8)  # one bit per property
        for number, name in enumerate(attributes):
            kinds |= (self.where(name).words != 0).view(np.uint8) * np.uint8(1 << number)
        counts: Counts = np.bitwise_count(self.view.either(kinds))
        return counts

    def most_frequent(self, attributes: Sequence[str]) -> ObjectSet:
        """The members with the property that most members of the row have, if two or more do; ties: the first one."""
        view = self.view.split or self.view
        members = self.seen_in(view)
        kinds = [members.where(name) for name in attributes]
        counts = [kind.count() for kind in kinds]
        most = np.maximum.reduce(counts)
        undecided = most >= 2  # (row,)
        words = np.zeros_like(members.words)
        for kind, count in zip(kinds, counts, strict=True):
            chosen = undecided & (count == most)
            undecided &= ~chosen
            words |= kind.words * np.tile(chosen, len(view.rows))
        return ObjectSet(words, view)

    def seen_in(self, view: BoxView) -> ObjectSet:
        """The same set in this view or in its split."""
        if view is self.view:
            return self
        assert view.copies is not None
        return ObjectSet(_picked(self.words, view.copies), view)

    def take(self, rows: NDArray[np.intp]) -> ObjectSet:
        """Some rows of a batch of sets."""
        return ObjectSet(self.words[rows], self.view)

    @staticmethod
    def joined(batches: Sequence[ObjectSet]) -> ObjectSet:
        """Batches one behind another; if one of them is split, all are."""
        view = next((batch.view for batch in batches if batch.view.copies is not None), batches[0].view)
        return ObjectSet(np.concatenate([batch.seen_in(view).words for batch in batches]), view)

    def keys(self) -> Words:
        """What tells the rows of a batch apart."""
        return self.words


def _places(count: int, dtype: np.dtype[Any]) -> Words:
    """The indices of a word's bits, as a column: (index, 1)."""
    return np.arange(count, dtype=dtype)[:, np.newaxis]


def union(words: Words, table: Words) -> Words:
    """The union of the table's words over the members of each set; `table` is (object, word)."""
    if words.ndim > 1:  # a batch: object by object, so that temporaries stay small
        one = words.dtype.type(1)
        parts = (row * (words >> words.dtype.type(index) & one) for index, row in enumerate(table))
        return reduce(np.bitwise_or, parts, np.zeros_like(words))
    given = words >> _places(len(table), words.dtype)  # all objects in one sweep: temporaries are small, calls are not
    given &= words.dtype.type(1)
    given *= table
    result: Words = np.bitwise_or.reduce(given, axis=0)
    return result


def intersection(words: Words, table: Words) -> Words:
    """What the table's words have in common over the members of each set; everything, if there are none."""
    return ~union(words, ~table)


@dataclass(frozen=True, slots=True)
class BoxSet:
    """A set of boxes for every picture."""

    chosen: tuple[Truth, ...]  # one per box of a picture
    worlds: Worlds

    def exists(self) -> Truth:
        truth: Truth = np.logical_or.reduce(self.chosen)
        return truth

    def count(self) -> Counts:
        return reduce(np.add, (index.view(np.uint8) for index in self.chosen))

    def objects(self) -> ObjectSet:
        """The objects of these boxes."""
        view = self.worlds.apart
        return ObjectSet(view.full * self.keys(), view)

    def fewest(self) -> BoxSet:
        """The boxes with the fewest objects, per picture; ties are kept."""
        counts = [np.where(index, count, 255) for index, count in zip(self.chosen, self._sizes(), strict=True)]
        least = np.minimum.reduce(counts)
        kept = (index & (count == least) for index, count in zip(self.chosen, counts, strict=True))
        return BoxSet(tuple(kept), self.worlds)

    def as_many(self) -> BoxSet:
        """The boxes with as many objects as another one of the set."""
        pairs = list(zip(self.chosen, self._sizes(), strict=True))
        kept = []
        for index, (mine, count) in enumerate(pairs):
            equal = [theirs & (other == count) for theirs, other in pairs[:index] + pairs[index + 1 :]]
            kept.append(mine & np.logical_or.reduce(equal))
        return BoxSet(tuple(kept), self.worlds)

    def alike(self, kept: ObjectSet) -> BoxSet:
        """The boxes of which something is kept, in the colours of what is kept of another one of the set."""
        by_color = [kept.where(color).exists() for color in COLORS]
        colors = reduce(np.add, (held.astype(np.uint8) << number for number, held in enumerate(by_color)))
        pairs = list(zip(self.chosen, (_picked(colors, row) for row in self.worlds.images.rows), strict=True))
        kept_boxes = []
        for index, (mine, held) in enumerate(pairs):
            equal = [theirs & (other == held) for theirs, other in pairs[:index] + pairs[index + 1 :]]
            kept_boxes.append(mine & (held > 0) & np.logical_or.reduce(equal))
        return BoxSet(tuple(kept_boxes), self.worlds)

    def _sizes(self) -> list[Counts]:
        """How many objects each box of each picture has, whether it belongs to the set or not."""
        view = self.worlds.images
        counts = np.bitwise_count(view.full)
        return [_picked(counts, row) for row in view.rows]

    def keep(self, passes: Truth) -> BoxSet:
        """The boxes that pass; `passes` has an entry per distinct box."""
        pairs = zip(self.chosen, self.worlds.images.rows, strict=True)
        return BoxSet(tuple(old & _picked(passes, row) for old, row in pairs), self.worlds)

    def take(self, rows: NDArray[np.intp]) -> BoxSet:
        """Some rows of a batch of sets."""
        return BoxSet(tuple(index[rows] for index in self.chosen), self.worlds)

    @staticmethod
    def joined(batches: Sequence[BoxSet]) -> BoxSet:
        """Batches one behind another."""
        chosen = zip(*(batch.chosen for batch in batches), strict=True)
        return BoxSet(tuple(np.concatenate(indices) for indices in chosen), batches[0].worlds)

    def keys(self) -> Truth:
        """What tells the rows of a batch apart."""
        return np.concatenate(self.chosen, axis=-1)
