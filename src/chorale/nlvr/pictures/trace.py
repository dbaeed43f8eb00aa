"""A program's trace: each of its sub-programs, innermost first, with what it returns on one scene.

Sub-programs that are sets or truth values are run as they stand. A predicate inside `box_filter` or `some_box` has no
value of its own; it is asked of each box by itself. So its chain is followed function by function: what `square` picks
in each box, then `yellow(square)`, then the boxes for which the whole predicate holds. A filter or a predicate inside
another one, as in `negate_filter(yellow)`, is given what that one is given.

The same walk on many scenes gives their profiles: how much each part finds in each box, as numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from chorale.language import Basic, Function, Program, plain
from chorale.language.execution import evaluate
from chorale.language.terms import Compose, Term, applied, composed, named, written
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Truth, Words, Worlds

OBJECTS, BOXES, ANSWER = Basic("Set[Object]"), Basic("Set[Box]"), Basic("bool")
PREDICATE, FILTER = Function((OBJECTS,), ANSWER), Function((OBJECTS,), OBJECTS)


@dataclass(frozen=True)
class TraceStep:
    """One sub-program of a trace and what it returned on a scene."""

    text: str
    scene: Scene = field(hash=False)  # large, and the same for all steps of a trace
    objects: frozenset[tuple[int, int]] | None = None
    boxes: frozenset[int] | None = None
    value: str | None = None
    plain: str = ""
    """The sub-program in plain words."""
    part: str = ""
    """The sub-program by itself; `text` may say in front what is asked of it."""

    @property
    def result(self) -> str:
        """What it returned, in a few words; empty for a function by itself."""
        if self.value is not None:
            return self.value
        if self.objects is not None:
            return f"{len(self.objects) or 'no'} {'object' if len(self.objects) == 1 else 'objects'}"
        return "" if self.boxes is None else f"{len(self.boxes) or 'no'} {'box' if len(self.boxes) == 1 else 'boxes'}"

    def to_json(self) -> dict[str, Any]:
        """The step for machines."""
        objects = None if self.objects is None else [list(name) for name in sorted(self.objects)]
        boxes = None if self.boxes is None else sorted(self.boxes)
        return {"text": self.text, "plain": self.plain, "objects": objects, "boxes": boxes, "value": self.value}


def trace(program: Program, scene: Scene, language: type[Common]) -> list[TraceStep]:
    """The steps of a program of this language on a scene; the last one is the program itself."""
    walk = _walk(scene, cast(Hashable, language))
    return list(dict.fromkeys(walk.step(part, scene) for part in walk.parts(program.term)))


def profiles(program: Program, scenes: Sequence[Scene], language: type[Common]) -> NDArray[np.uint8]:
    """What the parts of a program find in each scene: how many objects in each box, which boxes, true or false."""
    walk = _Walk(Worlds(scenes), language)
    values = [walk.worlds.images.all_objects, *(part.value for part in walk.parts(program.term))]
    rows = [row for value in values for row in walk.numbers(value)]
    return np.array(rows, dtype=np.uint8).reshape(-1, len(scenes)).T  # (scene, figure)


@lru_cache(maxsize=4)  # the readings of a sentence are traced one after another
def _walk(scene: Scene, language: Any) -> _Walk:
    return _Walk(Worlds([scene]), language)


@lru_cache(maxsize=2_048)  # readings have most of their parts in common, and so have sentences
def _said(term: Term, language: Any) -> str:
    """A part in plain words."""
    return plain(Program(term, language.grammar), language, simplify=False) or ""


@dataclass(frozen=True)
class _Part:
    """A part of a program, and what it returns on all scenes."""

    term: Term
    value: ObjectSet | BoxSet | Truth
    asked: BoxSet | None = None
    """The boxes that it was asked of, one by one, if it is a function."""


class _Walk:
    """A language on some scenes, and the parts of programs in it."""

    def __init__(self, worlds: Worlds, language: type[Common]) -> None:
        self.worlds = worlds
        self.language = language(worlds)

    def parts(self, term: Term) -> Iterator[_Part]:
        """What is inside the term, then the term itself; nothing for functions and plain constants."""
        if term.type not in (OBJECTS, BOXES, ANSWER) or isinstance(term, Compose):
            return
        asked: BoxSet | None = None
        *_, last = (None, *term.arguments)
        if term.declared == Function((PREDICATE,), ANSWER):  # some_box, every_box
            yield from self._inside(term.arguments[0], self.language.all_boxes())
        elif last is not None and last.type == OBJECTS:
            yield from self.parts(last)
            for argument in term.arguments:
                if argument.type in (PREDICATE, FILTER):
                    yield from self.parts(applied(argument, last))
        else:
            for argument in term.arguments:
                yield from self.parts(argument)
                if argument.type == BOXES:
                    asked = evaluate(argument, self.language)
                elif argument.type in (PREDICATE, FILTER) and asked is not None:
                    *inside, last_inside = self._inside(argument, asked)
                    yield from inside
                    if argument.type == FILTER:  # else: the boxes for which it holds are what this term returns
                        yield last_inside
        yield _Part(term, evaluate(term, self.language))

    def _inside(self, term: Term, asked: BoxSet, tail: Term | None = None) -> Iterator[_Part]:
        """What a function over objects gives in each of these boxes, after `tail`; of a predicate, where it holds."""
        for part in reversed(term.parts):
            for argument in part.arguments:
                if argument.type in (PREDICATE, FILTER):
                    yield from self._inside(argument, asked, tail)
            tail = part if tail is None else composed(part, tail)
            value = evaluate(tail, self.language)(self.worlds.boxes.all_objects)
            yield _Part(tail, value if isinstance(value, ObjectSet) else asked.keep(value), asked)

    # -- on one scene --------------------------------------------------------------------------------------------------

    def step(self, part: _Part, scene: Scene) -> TraceStep:
        """What a part returns on the only scene."""
        own = written(part.term)
        text, words = self._named(part, own)
        if isinstance(part.value, ObjectSet):
            held = self._by_box(part.value)
            asked = range(len(scene.boxes)) if part.asked is None else _boxes(part.asked)
            objects = ((box, index) for box in asked for index in range(len(scene.boxes[box])))
            chosen = frozenset((box, index) for box, index in objects if int(held[box][0]) >> index & 1)
            return TraceStep(text, scene, objects=chosen, plain=words, part=own)
        if isinstance(part.value, BoxSet):
            return TraceStep(text, scene, boxes=_boxes(part.value), plain=words, part=own)
        return TraceStep(text, scene, value="true" if part.value[0] else "false", plain=words, part=own)

    def _named(self, part: _Part, text: str) -> tuple[str, str]:
        """A part as people are shown it, by its text and in plain words."""
        if part.asked is None:
            return text, self._plain(part.term)
        if isinstance(part.value, ObjectSet):
            return f"in each box: {text}", f"in each box: {self._plain(part.term)}"
        return f"boxes with: {text}", self._plain(applied(self._filter, part.term))

    def _plain(self, term: Term) -> str:
        return _said(term, cast(Hashable, type(self.language)))

    @property
    def _filter(self) -> Term:
        """The boxes that pass a predicate which is still to be given."""
        signature = self.language.grammar.signature
        return applied(*(named(name, signature[name]) for name in ("box_filter", "all_boxes")))

    # -- on many -------------------------------------------------------------------------------------------------------

    def numbers(self, value: ObjectSet | BoxSet | Truth) -> Sequence[NDArray[Any]]:
        """A value as rows of numbers, one per scene."""
        if isinstance(value, ObjectSet):
            return [np.bitwise_count(words) for words in self._by_box(value)]
        return value.chosen if isinstance(value, BoxSet) else [value]

    def _by_box(self, objects: ObjectSet) -> list[Words]:
        """The words of a set: for each box of a picture, those of all scenes."""
        apart = objects.view is self.worlds.apart  # a word per box of each picture, or one per distinct box
        return [objects.words[row] for row in (self.worlds.apart if apart else self.worlds.images).rows]


def _boxes(boxes: BoxSet) -> frozenset[int]:
    return frozenset(index for index, chosen in enumerate(boxes.chosen) if chosen[0])
