"""Tracing: each part of a program, and what it returns in one context.

Every domain has a trace: parts that are not functions are run and their values shown (`ValueTracing`). A domain may
bring one that shows more, such as objects in a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from chorale.domain.answers import Answers
from chorale.language.execution import evaluate
from chorale.language.language import Language
from chorale.language.lifting import Lifted
from chorale.language.plain import plain
from chorale.language.program import Program
from chorale.language.terms import Term, subterms, written
from chorale.language.types import Function

LONGEST = 80
"""Characters of a value that are shown."""


class TracedPart(Protocol):
    """A part of a program, and what it returned."""

    @property
    def text(self) -> str:
        """What is shown, for people: the part, perhaps with what is asked of it in front."""
        ...

    @property
    def part(self) -> str:
        """The part of the program that it shows, as `terms.written` writes it."""
        ...

    @property
    def plain(self) -> str:
        """The part in plain words; empty if there are none."""
        ...

    @property
    def result(self) -> str:
        """What it returned, in a few words: true, two boxes; empty if there is nothing to say."""
        ...

    def to_json(self) -> dict[str, Any]: ...


class Tracing(Protocol):
    """Runs the parts of programs one by one."""

    def trace(self, program: Program, language: Language, context: Any) -> Sequence[TracedPart]:
        """The parts of a program, innermost first; `language` is bound to the context, and to nothing else.

        None if the program is a function by itself.
        """
        ...


@dataclass(frozen=True)
class ValueStep:
    """A part of a program and its value as text."""

    part: str
    result: str
    plain: str = ""

    @property
    def text(self) -> str:
        return self.part

    def to_json(self) -> dict[str, Any]:
        """The step for machines."""
        return {"text": self.text, "plain": self.plain, "value": self.result}


class ValueTracing:
    """Shows the value of each part that is not a function, as text."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def trace(self, program: Program, language: Language, context: Any) -> list[ValueStep]:
        parts = [term for term in subterms(program.term) if not isinstance(term.type, Function)]
        return list(dict.fromkeys(self._step(term, language, program) for term in reversed(parts)))

    def _step(self, term: Term, language: Language, program: Program) -> ValueStep:
        kind = language.kind if isinstance(language, Lifted) else type(language)
        said = plain(Program(term, program.grammar), kind, simplify=False)
        return ValueStep(written(term), self._shown(evaluate(term, language)), said or "")

    def _shown(self, value: Any) -> str:
        """A value on one context; whole answers come as a sequence of one."""
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if isinstance(value, tuple | list) and len(value) == 1:
            value = value[0]
        text = self._answers.text(value) or "nothing"
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
