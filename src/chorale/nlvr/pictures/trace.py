"""A program's trace: each of its sub-programs, innermost first, with what it returns on one scene.

Sub-programs that are sets or truth values are run as they stand. A predicate inside `box_filter` or `some_box` has no
value of its own; it is asked of each box by itself. So its chain is followed function by function: what `square` picks
in each box, then `yellow(square)`, then the boxes for which the whole predicate holds. A filter or a predicate inside
another one, as in `negate_filter(yellow)`, is given what that one is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chorale.language import Basic, Function, Program, plain
from chorale.language.execution import evaluate
from chorale.language.terms import Compose, Term, applied, composed, named, written
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.drawing import TraceStep
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Worlds

OBJECTS, BOXES, ANSWER = Basic("Set[Object]"), Basic("Set[Box]"), Basic("bool")
PREDICATE, FILTER = Function((OBJECTS,), ANSWER), Function((OBJECTS,), OBJECTS)


def trace(program: Program, scene: Scene, language: type[Common]) -> list[TraceStep]:
    """The steps of a program of this language on a scene; the last one is the program itself."""
    return list(dict.fromkeys(_Tracer(scene, language).steps(program.term)))


class _Tracer:
    def __init__(self, scene: Scene, language: type[Common]) -> None:
        self.scene = scene
        self.worlds = Worlds([scene])
        self.language = language(self.worlds)

    def steps(self, term: Term) -> Iterator[TraceStep]:
        """What is inside the term, then the term itself; nothing for functions and plain constants."""
        if term.type not in (OBJECTS, BOXES, ANSWER) or isinstance(term, Compose):
            return
        asked: BoxSet | None = None
        *_, last = (None, *term.arguments)
        if term.declared == Function((PREDICATE,), ANSWER):  # some_box, every_box
            yield from self._inside(term.arguments[0], self.language.all_boxes())
        elif last is not None and last.type == OBJECTS:
            yield from self.steps(last)
            for argument in term.arguments:
                if argument.type in (PREDICATE, FILTER):
                    yield from self.steps(applied(argument, last))
        else:
            for argument in term.arguments:
                yield from self.steps(argument)
                if argument.type == BOXES:
                    asked = evaluate(argument, self.language)
                elif argument.type in (PREDICATE, FILTER) and asked is not None:
                    *inside, last_inside = self._inside(argument, asked)
                    yield from inside
                    if argument.type == FILTER:  # else: the boxes for which it holds are what this term returns
                        yield last_inside
        yield self._step(term, evaluate(term, self.language))

    def _inside(self, term: Term, asked: BoxSet, tail: Term | None = None) -> Iterator[TraceStep]:
        """What a function over objects gives in each of these boxes, after `tail`; of a predicate, where it holds."""
        indices = self._boxes(asked)
        for part in reversed(term.parts):
            for argument in part.arguments:
                if argument.type in (PREDICATE, FILTER):
                    yield from self._inside(argument, asked, tail)
            tail = part if tail is None else composed(part, tail)
            value = evaluate(tail, self.language)(self.worlds.boxes.all_objects)
            if isinstance(value, ObjectSet):
                chosen = frozenset((box, index) for box, index in self._objects(value) if box in indices)
                words = f"in each box: {self._plain(tail)}"
                yield TraceStep(f"in each box: {written(tail)}", self.scene, objects=chosen, plain=words)
            else:
                boxes = self._boxes(asked.keep(value))
                words = self._plain(applied(self._filter, tail))
                yield TraceStep(f"boxes with: {written(tail)}", self.scene, boxes=boxes, plain=words)

    def _step(self, term: Term, value: Any) -> TraceStep:
        text, words = written(term), self._plain(term)
        if isinstance(value, ObjectSet):
            return TraceStep(text, self.scene, objects=self._objects(value), plain=words)
        if isinstance(value, BoxSet):
            return TraceStep(text, self.scene, boxes=self._boxes(value), plain=words)
        return TraceStep(text, self.scene, value="true" if value[0] else "false", plain=words)

    def _plain(self, term: Term) -> str:
        return plain(Program(term, self.language.grammar), type(self.language), simplify=False) or ""

    @property
    def _filter(self) -> Term:
        """The boxes that pass a predicate which is still to be given."""
        signature = self.language.grammar.signature
        return applied(*(named(name, signature[name]) for name in ("box_filter", "all_boxes")))

    def _boxes(self, boxes: BoxSet) -> frozenset[int]:
        return frozenset(index for index, chosen in enumerate(boxes.chosen) if chosen[0])

    def _objects(self, objects: ObjectSet) -> frozenset[tuple[int, int]]:
        found = set()
        for box, held in enumerate(self.scene.boxes):
            # A word per box of the picture, or one per distinct box.
            number = box if objects.view is self.worlds.apart else self.worlds.images.rows[box][0]  # type: ignore[index]
            word = int(objects.words[number])
            found |= {(box, index) for index in range(len(held)) if word >> index & 1}
        return frozenset(found)
