"""Answers: what programs return in a context, and how that is compared, printed and read.

An answer is anything that can be a key: true, a number, a text, a tuple of them. `Answers` is enough for these. A
domain that compares answers differently (dates, numbers with units) derives a class from it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from chorale.domain.utterance import Answer
from chorale.errors import ChoraleError

BETWEEN = "|"
"""Separates the values of an answer that has several, in text."""


class Answers:
    """Answers that are right if they are equal."""

    example = "true, 7 or a|b"
    """What an answer looks like as text, for messages."""

    def agrees(self, said: Answer, wanted: Answer) -> bool:
        """Whether an answer is right."""
        return said == wanted

    @property
    def is_equality(self) -> bool:
        """Whether right means equal; then whole arrays are compared at once."""
        return type(self).agrees is Answers.agrees

    def right(self, said: Sequence[Answer], wanted: Sequence[Answer | None]) -> tuple[bool, ...]:
        """Which answers are right."""
        return tuple(bool(self.agrees(one, label)) for one, label in zip(said, wanted, strict=True))

    def chance(self, wanted: Answer) -> float:
        """How likely a wrong program gives this answer by luck: half for true and false, a tenth for others."""
        return 0.5 if isinstance(wanted, bool) else 0.1

    def text(self, answer: Answer | None) -> str:
        """An answer as people and files have it: true, 7, or several values with | between.

        >>> Answers().text((3, "a")), Answers().text(True)
        ('3|a', 'true')
        """
        if isinstance(answer, bool):
            return "true" if answer else "false"
        if isinstance(answer, frozenset):
            return BETWEEN.join(sorted(map(self.text, answer)))
        return BETWEEN.join(map(self.text, answer)) if isinstance(answer, tuple) else str(answer)

    def shown(self, answer: Answer | None) -> str:
        """The same for people, in its most readable form."""
        return self.text(answer)

    def values_of(self, text: str) -> list[str]:
        """The values in the text of an answer, each as it is.

        >>> Answers().values_of("3|a"), Answers().values_of("")
        (['3', 'a'], [])
        """
        return text.split(BETWEEN) if text else []

    def from_text(self, text: str) -> Answer:
        """The answer that somebody typed; a list of one ends in |.

        >>> [Answers().from_text(text) for text in ("3|a", "a|", "true", "0.5")]
        [(3, 'a'), ('a',), True, 0.5]
        """
        if BETWEEN in text:
            parts = text.removesuffix(BETWEEN).split(BETWEEN)
            return tuple(map(self.from_text, parts)) if parts != [""] else ()
        if text in {"true", "false"}:
            return text == "true"
        with suppress(ValueError):
            return int(text)
        with suppress(ValueError):
            number = float(text)
            return number if math.isfinite(number) else text  # "Nan" is a name
        return text

    def to_json(self, answer: Answer | None) -> Any:
        """An answer as JSON has it."""
        if answer is None or isinstance(answer, bool | int | float | str):
            return answer
        if isinstance(answer, frozenset):
            return sorted((self.to_json(one) for one in answer), key=json.dumps)
        return [self.to_json(one) for one in answer] if isinstance(answer, tuple) else str(answer)

    def from_json(self, value: Any) -> Answer:
        """The answer in JSON; raises `ChoraleError` if it is not one."""
        if isinstance(value, list):
            return tuple(map(self.from_json, value))
        if isinstance(value, bool | int | float | str):
            return value
        raise ChoraleError(f"expected an answer such as {self.example}; found {json.dumps(value):.60}")


class TruthValues(Answers):
    """Answers that are true or false, and nothing else."""

    example = "true or false"

    def from_text(self, text: str) -> Answer:
        if text not in {"true", "false"}:
            raise ChoraleError(f"expected {self.example}; found {text!r:.60}")
        return text == "true"

    def from_json(self, value: Any) -> Answer:
        if not isinstance(value, bool):
            raise ChoraleError(f"expected {self.example}; found {json.dumps(value):.60}")
        return value
