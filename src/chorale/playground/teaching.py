"""Teaching: models that learned from marks which a request brings along.

The server keeps nothing. Marks live in the browser and come with each request; the model they teach is made when it is
first asked for, which takes less than a parse, and is kept for a while by each worker. The served model stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from chorale.domain import Answer, Example, Reading, Unlabelled
from chorale.evaluation.teaching import Retaught, changes_of
from chorale.model import Model
from chorale.playground import limits
from chorale.playground.received import received_answer, received_context
from chorale.playground.refusals import Refusal, refusing
from chorale.runs.marks import next_line

Json = dict[str, Any]
Mark = Mapping[str, Any]
"""A sentence, a context as JSON, and the answer, as JSON or as text."""


class Teaching:
    """Teaches one model, again and again from where it is."""

    def __init__(self, model: Model) -> None:
        self._model, self._domain = model, model.domain
        self._kept = lru_cache(limits.TAUGHT)(self._learn)

    def taught(self, marks: Sequence[Mark]) -> Model:
        """The model after these marks."""
        return self._kept(json.dumps(marks, sort_keys=True))

    def changes(self, marks: Sequence[Mark], skip: int, take: int) -> Json:
        """What these marks change, in the marked sentences and in some of the others."""
        after, marked = self.taught(marks), self._utterances(marks)
        others = self._others({one.sentence for one in marked})
        with refusing("bad_sentence"):
            found = changes_of(self._model, after, marked, others[skip : skip + take])
        return {
            "marked": [self._shown(one) for one in found.marked],
            "others": [self._shown(one) for one in found.others],
            "looked_at": found.looked_at,
            "sentences": len(others),
        }

    def lines(self, marks: Sequence[Mark]) -> list[Json]:
        """The marks as a data file of the domain."""
        lines: list[Json] = []
        for sentence, context, answer in self._read(marks):
            with refusing("not_supported"):
                lines.append(next_line(lines, self._domain, sentence, context, answer))
        return lines

    def _learn(self, marks: str) -> Model:
        if not self._model.can_be_taught:
            raise Refusal("not_supported", f"a {self._model.about.kind} cannot be taught; serve a ranker")
        with refusing("bad_sentence"):
            return self._model.taught(self._utterances(json.loads(marks)))

    def _others(self, marked: Collection[str]) -> list[Unlabelled]:
        """The domain's own sentences, but for marked ones; none where a sentence is not read without a context."""
        if self._domain.has_constants(self._model.language):
            return []
        return [Unlabelled(sentence) for sentence in dict.fromkeys(self._domain.sentences) if sentence not in marked]

    def _utterances(self, marks: Sequence[Mark]) -> list[Example]:
        """The marks by what they were said of: all those of a sentence, if its context brings no constants."""
        said: dict[Hashable, list[tuple[str, Any, Answer]]] = {}
        for one in self._read(marks):
            said.setdefault(self._domain.identity(Unlabelled(one[0], one[1:2])), []).append(one)
        if len({sentence for some in said.values() for sentence, _, _ in some}) > limits.MARKED_SENTENCES:
            raise Refusal("invalid", f"marks: more than {limits.MARKED_SENTENCES} different sentences")
        return [
            Example(str(number), some[0][0], tuple(it for _, it, _ in some), tuple(it for _, _, it in some))
            for number, some in enumerate(said.values(), 1)
        ]

    def _read(self, marks: Sequence[Mark]) -> list[tuple[str, Any, Answer]]:
        """The statement, the context and the answer of each mark."""
        found = []
        for number, mark in enumerate(marks):
            claim = self._claim(mark["sentence"], number)
            context = received_context(self._domain, mark["scene"], f"marks.{number}: ")
            said, typed = mark.get("answer"), mark.get("answer_text")
            found.append((claim, context, received_answer(self._domain, said, typed, f"marks.{number}.")))
        return found

    def _claim(self, sentence: str, number: int) -> str:
        """Questions are taught as the statements they ask about, as they are answered."""
        claim = self._domain.statement(sentence)
        if claim is None:
            raise Refusal("bad_sentence", f"marks.{number}: this question cannot be answered with yes or no")
        if not 1 <= len(self._domain.words(claim)) <= limits.WORDS:
            raise Refusal("bad_sentence", f"marks.{number}: the sentence has no word, or more than {limits.WORDS}")
        return claim

    def _shown(self, change: Retaught) -> Json:
        return {
            "sentence": change.sentence,
            "before": _understood(change.before),
            "after": _understood(change.after),
            "right_before": change.right_before,
            "right_after": change.right_after,
            "marks": change.marks,
        }


def _understood(reading: Reading | None) -> Json:
    if reading is None:
        return {"program": "", "plain": None}
    return {"program": reading.program.text, "plain": reading.plain}
