"""A program's trace: each of its sub-programs, innermost first, with what it returns on one scene.

Sub-programs that are sets or truth values are run as they stand. A predicate inside `box_filter` has no value of its
own; it is asked of each box by itself. So its chain is followed function by function: what `square` picks in each box,
then `yellow(square)`; the boxes for which the whole predicate holds are what `box_filter` returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chorale.language import Basic, Function, Program
from chorale.language.execution import evaluate
from chorale.language.terms import Compose, Term, composed, written
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.drawing import TraceStep
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Worlds

OBJECTS, BOXES, ANSWER = Basic("Set[Object]"), Basic("Set[Box]"), Basic("bool")
PREDICATE = Function((OBJECTS,), ANSWER)


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
        for argument in term.arguments:
            yield from self.steps(argument)
            if argument.type == BOXES:
                asked = evaluate(argument, self.language)
            elif argument.type == PREDICATE and asked is not None:
                inside = list(self._predicate_steps(argument, asked))
                yield from inside[:-1]  # the boxes for which it holds are what this term returns
        yield self._step(written(term), evaluate(term, self.language))

    def _predicate_steps(self, term: Term, asked: BoxSet) -> Iterator[TraceStep]:
        """What a predicate looks at in each of the boxes it is asked about, then the boxes for which it holds."""
        indices = self._boxes(asked)
        tail: Term | None = None
        for part in reversed(term.parts):
            for argument in part.arguments:  # the two sides of box_filter_and
                if argument.type == PREDICATE:
                    yield from self._predicate_steps(argument, asked)
            tail = part if tail is None else composed(part, tail)
            value = evaluate(tail, self.language)(self.worlds.boxes.all_objects)
            if isinstance(value, ObjectSet):
                chosen = frozenset((box, index) for box, index in self._objects(value) if box in indices)
                yield TraceStep(f"in each box: {written(tail)}", self.scene, objects=chosen)
            else:
                yield TraceStep(f"boxes with: {written(tail)}", self.scene, boxes=self._boxes(asked.keep(value)))

    def _step(self, text: str, value: Any) -> TraceStep:
        if isinstance(value, ObjectSet):
            return TraceStep(text, self.scene, objects=self._objects(value))
        if isinstance(value, BoxSet):
            return TraceStep(text, self.scene, boxes=self._boxes(value))
        return TraceStep(text, self.scene, value="true" if value[0] else "false")

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
