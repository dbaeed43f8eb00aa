"""Answering: each request of the API as a function of the model. Plain values in, plain values out; no web here."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chorale.domain import Hints, needed
from chorale.domain.drawing import Drawing
from chorale.errors import ChoraleError
from chorale.explain.readings import Reading, readings
from chorale.language import plain, run
from chorale.language.language import read_program
from chorale.language.program import Program
from chorale.model import Model, Parse
from chorale.playground import limits
from chorale.playground.refusals import Refusal
from chorale.playground.teaching import Teaching
from chorale.playground.trees import aligned_words, tree_of
from chorale.search.change import change
from chorale.search.distinguish import Batch, distinguish, generated

INVENTED = 5_000
"""Scenes that are made up, at most, to find one with what is wanted; they are kept for the next request."""
Json = dict[str, Any]


class Answering:
    """Answers requests about one model. Mistakes of the asker end in a `Refusal`."""

    def __init__(self, model: Model, invented: int = INVENTED) -> None:
        self.model, self.domain, self.language = model, model.domain, model.language
        self._invented = _Kept(lambda: generated(self.domain, self.language, invented))
        self._teaching = Teaching(model, self._scene)

    def answer(self, what: str, arguments: Mapping[str, Any]) -> Any:
        """The answer to a request by its name."""
        return getattr(self, what)(**arguments)

    # -- requests ------------------------------------------------------------------------------------------------------

    def parse(
        self,
        sentence: str,
        scene: Any,
        picture: str | None,
        top: int,
        answer_if: float,
        marks: Sequence[Mapping[str, Any]] = (),
    ) -> Json:
        if scene is not None and picture is not None:
            raise Refusal("invalid", "scene and picture: give one of them, not both")
        context = self._pictured(picture) if picture is not None else self._scene(scene) if scene is not None else None
        if len(self.domain.words(sentence)) > limits.WORDS:
            raise Refusal("bad_sentence", f"the sentence has more than {limits.WORDS} words")
        model = self._teaching.taught(marks) if marks else self.model
        try:
            said = model.answer(sentence, context, answer_if=answer_if, beam=max(top, model.beam))
        except ChoraleError as error:
            raise Refusal("bad_sentence", str(error)) from None
        return {
            "answer": _plain(said.answer),
            "confidence": said.confidence,
            "reasons": [{"kind": reason.kind, "text": reason.text} for reason in said.reasons],
            "words": list(said.parses[0].words) if said.parses else self.domain.words(sentence),
            "scene": None if context is None else self._drawing("a scene").to_json(context),
            "parses": self._readings(said.parses, context, top),
        }

    def run(self, program: str, scene: Any) -> Json:
        question, context = self._program(program), self._scene(scene)
        [answer] = _listed(run(question, self.domain.bind(self.language, [context])))
        return self._shown(question, context, answer)

    def see(self, picture: str) -> Json:
        return {"scene": self._drawing("see").to_json(self._pictured(picture))}

    def distinguish(self, one: str, other: str, scene: Any) -> Json:
        first, second = self._program(one), self._program(other)
        drawing, editing = self._drawing("distinguish"), self.domain.editing
        looked_at = 0
        if scene is not None and editing is not None:
            context = self._scene(scene)
            near = [context, *editing.around(context)]
            found = distinguish(first, second, self.domain.bind(self.language, near))
            if found.index is not None and found.answers is not None:
                return _difference(drawing.to_json(near[found.index]), found.answers, int(found.index > 0), 1)
            looked_at = found.looked_at
        try:
            found = distinguish(first, second, self.domain.bind(self.language, []), self._invented)
        except ChoraleError as error:
            raise Refusal("not_supported", str(error)) from None
        invented = drawing.to_json(found.context) if found else None
        return _difference(invented, found.answers, None, looked_at + found.looked_at)

    def change(self, program: str, scene: Any, answer: Any) -> Json:
        question, context, drawing = self._program(program), self._scene(scene), self._drawing("change")
        try:
            found = change(question, context, answer, self.domain, self.language)
        except ChoraleError as error:
            raise Refusal("not_supported", str(error)) from None
        if found:
            return {"scene": drawing.to_json(found.context), "changes": found.changes, "looked_at": found.looked_at}
        invented, looked_at = self._with_answer(question, answer)
        scene = None if invented is None else drawing.to_json(invented)
        return {"scene": scene, "changes": None, "looked_at": found.looked_at + looked_at}

    def teach(self, marks: Sequence[Mapping[str, Any]], skip: int, take: int) -> Json:
        return self._teaching.changes(marks, skip, take)

    def export(self, marks: Sequence[Mapping[str, Any]]) -> Json:
        return {"lines": self._teaching.lines(marks)}

    def about(self) -> Json:
        has = {name: getattr(self.domain, name) is not None for name in ("drawing", "editing", "generator")}
        has["teaching"] = self.model.can_be_taught
        return {"domain": self.domain.name, "language": self.language, "can": [name for name, it in has.items() if it]}

    def invent(self, seed: int) -> Json:
        try:
            make = needed(self.domain.generator, self.domain, "generator", "inventing a scene")
        except ChoraleError as error:
            raise Refusal("not_supported", str(error)) from None
        return {"scene": self._drawing("inventing a scene").to_json(make(Random(seed)))}

    # -- what they share -----------------------------------------------------------------------------------------------

    def _readings(self, parses: Sequence[Parse], context: Any, top: int) -> list[Json]:
        """The first programs of a beam, those of the same meaning as one."""
        lexicon, asked = self.domain.lexicon(self.language), parses[0].utterance if parses else None
        hints = None if lexicon is None or asked is None else lexicon.hints(asked)
        found = readings(parses[: 2 * limits.READINGS], self.domain, self.language)
        return [self._reading(one, context, hints) for one in found[:top]]

    def _reading(self, reading: Reading, context: Any, hints: Hints | None) -> Json:
        """A reading with all that is shown of it."""
        one, attention = reading.best, None
        if one.attention is not None:
            weights = [[round(float(weight), 4) for weight in row] for row in one.attention]
            attention = {"actions": list(one.decoded.actions), "weights": weights}
        words = [] if attention else aligned_words(one.program, hints)
        said = one.denotations[0] if one.denotations else None
        return {
            **self._shown(one.program, context, said, words),
            "probability": reading.probability,
            "attention": attention,
        }

    def _shown(self, program: Program, context: Any, answer: Any, words: Sequence[Sequence[int]] = ()) -> Json:
        """A program, and what its parts say of a context, of which it gives this answer."""
        steps = [] if context is None else self._drawing("a trace").trace(program, context, self.language)
        return {
            "program": program.text,
            "plain": plain(program, self.domain.languages[self.language]),
            "answer": _plain(answer),
            "tree": tree_of(program, [step.text for step in steps], words),
            "steps": [step.to_json() for step in steps],
        }

    def _with_answer(self, program: Program, answer: Any) -> tuple[Any, int]:
        """A made-up context in which the program gives this answer, and how many were looked at."""
        looked_at = 0
        for contexts, bound in self._invented if self.domain.generator else ():
            looked_at += len(contexts)
            for context, said in zip(contexts, _listed(run(program, bound)), strict=True):
                if self.domain.agrees(said, answer):
                    return context, looked_at
        return None, looked_at

    def _program(self, text: str) -> Program:
        try:
            program = read_program(text, self.domain.languages[self.language])
        except ChoraleError as error:
            raise Refusal("bad_program", str(error)) from None
        if program.size > limits.PROGRAM_SIZE:
            raise Refusal("bad_program", f"the program names more than {limits.PROGRAM_SIZE} functions and constants")
        return program

    def _scene(self, scene: Any) -> Any:
        if isinstance(scene, list) and any(isinstance(box, list) and len(box) > limits.OBJECTS for box in scene):
            raise Refusal("bad_scene", f"a box has more than {limits.OBJECTS} objects")
        try:
            return self._drawing("a scene").from_json(scene)
        except ChoraleError as error:
            raise Refusal("bad_scene", str(error)) from None

    def _pictured(self, picture: str) -> Any:
        try:
            content = base64.b64decode(picture, validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refusal("bad_picture", f"picture: not base64: {error}") from None
        if len(content) > limits.PICTURE:
            raise Refusal("too_large", f"picture: more than {limits.PICTURE:,} bytes")
        try:
            return self._drawing("a picture").see(content)
        except ChoraleError as error:
            raise Refusal("bad_picture", str(error)) from None

    def _drawing(self, needed_by: str) -> Drawing:
        try:
            return needed(self.domain.drawing, self.domain, "drawing", needed_by)
        except ChoraleError as error:
            raise Refusal("not_supported", str(error)) from None


class _Kept:
    """What an iterator gives, again and again; made when it is first asked for."""

    def __init__(self, make: Callable[[], Iterator[Batch]]) -> None:
        self._make, self._made = make, list[Batch]()
        self._rest: Iterator[Batch] | None = None

    def __iter__(self) -> Iterator[Batch]:
        yield from self._made
        self._rest = self._rest or self._make()
        for batch in self._rest:
            self._made.append(batch)
            yield batch


def _difference(scene: Any, answers: Sequence[Any] | None, changes: int | None, looked_at: int) -> Json:
    said = None if answers is None else [_plain(answer) for answer in answers]
    return {"scene": scene, "answers": said, "changes": changes, "looked_at": looked_at}


def _listed(said: Any) -> list[Any]:
    return said.tolist() if hasattr(said, "tolist") else list(said)


def _plain(answer: Any) -> Any:
    """An answer as JSON knows it."""
    if answer is None or isinstance(answer, bool | int | float | str):
        return answer
    return [_plain(one) for one in answer] if isinstance(answer, tuple | list | frozenset) else str(answer)
