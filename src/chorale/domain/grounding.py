"""Groundings: a language on the contexts of a list of utterances, which are known by their index in the list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from operator import eq
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.utterance import Answer, Utterance
from chorale.errors import ChoraleError
from chorale.language.execution import run
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.program import Program

Agrees = Callable[[Any, Any], bool]


class Grounding(ABC):
    """What programs say about utterances, and whether that is right."""

    utterances: Sequence[Utterance]
    is_shared: bool = False
    """Whether a program means something in every context, so that evidence of equal sentences can be pooled."""
    agrees: Agrees = staticmethod(eq)
    """Whether what was said is the wanted answer; see `Domain.agrees`."""

    @abstractmethod
    def grammar(self, utterance: int) -> Grammar:
        """The grammar of programs for an utterance; its own constants, if it has any, come after the shared ones."""

    @abstractmethod
    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        """What a program says in each context of an utterance."""

    @abstractmethod
    def language(self, utterances: Sequence[int]) -> Language:
        """The language on the contexts of these utterances alone, in this order."""

    def right(self, program: Program, utterance: int) -> tuple[bool, ...]:
        """In which contexts of an utterance a program says what is wanted."""
        return agreement(self.answers(program, utterance), self.utterances[utterance].answers, self.agrees)


def agreement(said: Sequence[Any], wanted: Sequence[Any], agrees: Agrees = eq) -> tuple[bool, ...]:
    """Which answers are right."""
    return tuple(bool(agrees(a, b)) for a, b in zip(said, wanted, strict=True))


class SharedGrounding(Grounding):
    """A grounding whose programs run on the contexts of all utterances at once, and are remembered."""

    is_shared = True

    def __init__(
        self,
        language: Language,
        utterances: Sequence[Utterance],
        agrees: Agrees = eq,
        most_remembered: int = 200_000,
    ) -> None:
        self.bound = language
        self.utterances = utterances
        self.agrees = agrees
        ends = np.cumsum([len(utterance.contexts) for utterance in utterances], dtype=np.intp)
        self.spans = [(int(end) - len(u.contexts), int(end)) for end, u in zip(ends, utterances, strict=True)]
        self._remembered: dict[Program, NDArray[np.uint8] | tuple[Answer, ...]] = {}
        self._most_remembered = most_remembered

    def grammar(self, utterance: int) -> Grammar:
        return self.bound.grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        start, end = self.spans[utterance]
        said = self._everywhere(program)
        if isinstance(said, tuple):
            return said[start:end]
        first = start // 8
        bits = np.unpackbits(said[first : (end + 7) // 8])
        return tuple(bits[start - 8 * first : end - 8 * first].astype(bool).tolist())

    def language(self, utterances: Sequence[int]) -> Language:
        rows = [row for utterance in utterances for row in range(*self.spans[utterance])]
        return self.bound.at(rows)

    def _everywhere(self, program: Program) -> NDArray[np.uint8] | tuple[Answer, ...]:
        """What the program says in every context of the list; truth values take a bit each."""
        if program not in self._remembered:
            if len(self._remembered) >= self._most_remembered:
                self._remembered.clear()
            said = run(program, self.bound)
            if not (isinstance(said, np.ndarray) and said.dtype == bool):
                said = tuple(said.tolist() if isinstance(said, np.ndarray) else said)
            self._remembered[program] = said if isinstance(said, tuple) else np.packbits(said)
        return self._remembered[program]


class Ungrounded(Grounding):
    """Sentences that nobody asked about anything: programs have a grammar, and no answers."""

    def __init__(self, language: type[Language], utterances: Sequence[Utterance]) -> None:
        self.bound = language
        self.utterances = utterances

    def grammar(self, utterance: int) -> Grammar:
        return self.bound.grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        return ()

    def language(self, utterances: Sequence[int]) -> Language:
        raise ChoraleError("these sentences were said of nothing, so that no program can be run")
