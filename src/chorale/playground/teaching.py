"""Teaching: models that learned from marks which a request brings along.

The server keeps nothing. Marks live in the browser and come with each request; the model they teach is made when it is
first asked for, which takes less than a parse, and is kept for a while by each worker. The served model stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chorale.errors import ChoraleError
from chorale.evaluation.teaching import Change, changes_of
from chorale.language import plain
from chorale.language.language import read_program
from chorale.model import Model
from chorale.playground import limits
from chorale.playground.refusals import Refusal
from chorale.runs.marks import next_line

Json = dict[str, Any]
Mark = Mapping[str, Any]
"""A sentence, a scene as JSON, and the answer."""


@dataclass(frozen=True)
class Marked:
    """All marks of a sentence."""

    identifier: str
    sentence: str
    contexts: tuple[Any, ...]
    answers: tuple[bool, ...]


class Teaching:
    """Teaches one model, again and again from where it is; `read_scene` reads a scene or refuses it."""

    def __init__(self, model: Model, read_scene: Callable[[Any], Any]) -> None:
        self._model, self._read_scene = model, read_scene
        self._kept = lru_cache(limits.TAUGHT)(self._learn)

    def taught(self, marks: Sequence[Mark]) -> Model:
        """The model after these marks."""
        return self._kept(json.dumps(marks, sort_keys=True))

    def changes(self, marks: Sequence[Mark], skip: int, take: int) -> Json:
        """What these marks change, in the marked sentences and in some of the others."""
        sentences = list(dict.fromkeys(self._model.domain.sentences))
        after = self.taught(marks)
        try:
            found = changes_of(self._model, after, self._utterances(marks), sentences[skip : skip + take])
        except ChoraleError as error:
            raise Refusal("bad_sentence", str(error)) from None
        return {
            "marked": [self._shown(one) for one in found.marked],
            "others": [self._shown(one) for one in found.others],
            "looked_at": found.looked_at,
            "sentences": len(sentences),
        }

    def lines(self, marks: Sequence[Mark]) -> list[Json]:
        """The marks as a data file of the domain."""
        lines: list[Json] = []
        for sentence, context, answer in self._read(marks):
            try:
                lines.append(next_line(lines, self._model.domain, sentence, context, answer))
            except ChoraleError as error:
                raise Refusal("not_supported", str(error)) from None
        return lines

    def _learn(self, marks: str) -> Model:
        if not self._model.can_be_taught:
            raise Refusal("not_supported", f"a {self._model.about.kind} cannot be taught; serve a ranker")
        try:
            return self._model.taught(self._utterances(json.loads(marks)))
        except ChoraleError as error:
            raise Refusal("bad_sentence", str(error)) from None

    def _utterances(self, marks: Sequence[Mark]) -> list[Marked]:
        said: dict[str, list[tuple[Any, bool]]] = {}
        for sentence, context, answer in self._read(marks):
            said.setdefault(sentence, []).append((context, answer))
        if len(said) > limits.MARKED_SENTENCES:
            raise Refusal("invalid", f"marks: more than {limits.MARKED_SENTENCES} different sentences")
        return [
            Marked(str(number), sentence, tuple(it for it, _ in some), tuple(it for _, it in some))
            for number, (sentence, some) in enumerate(said.items(), 1)
        ]

    def _read(self, marks: Sequence[Mark]) -> list[tuple[str, Any, bool]]:
        """The statement, the context and the answer of each mark."""
        return [
            (self._claim(mark["sentence"], number), self._context(mark["scene"], number), mark["answer"])
            for number, mark in enumerate(marks)
        ]

    def _claim(self, sentence: str, number: int) -> str:
        """Questions are taught as the statements they ask about, as they are answered."""
        claim = self._model.domain.statement(sentence)
        if claim is None:
            raise Refusal("bad_sentence", f"marks.{number}: this question cannot be answered with yes or no")
        if not 1 <= len(self._model.domain.words(claim)) <= limits.WORDS:
            raise Refusal("bad_sentence", f"marks.{number}: the sentence has no word, or more than {limits.WORDS}")
        return claim

    def _context(self, scene: Any, number: int) -> Any:
        try:
            return self._read_scene(scene)
        except Refusal as refusal:
            raise Refusal(refusal.code, f"marks.{number}: {refusal.message}") from None

    def _shown(self, change: Change) -> Json:
        return {
            "sentence": change.sentence,
            "before": self._understood(change.before),
            "after": self._understood(change.after),
            "right_before": change.right_before,
            "right_after": change.right_after,
            "marks": change.marks,
        }

    def _understood(self, program: str) -> Json:
        language = self._model.spoken
        return {"program": program, "plain": plain(read_program(program, language), language) if program else None}
