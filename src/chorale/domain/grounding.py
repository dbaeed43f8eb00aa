"""Groundings: a language on the contexts of a list of utterances, which are known by their index in the list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.answers import Answers
from chorale.domain.utterance import Answer, Utterance
from chorale.errors import ChoraleError
from chorale.language.execution import run
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.plumbing.cache import Cache

Everywhere = NDArray[np.uint8] | tuple[Answer, ...]
"""What a program says in all contexts of a list; truth values take a bit each."""
_REMEMBERED = 200_000  # programs


class Grounding(ABC):
    """What programs say about utterances, and whether that is right."""

    utterances: Sequence[Utterance]
    compared: Answers

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
        return self.compared.right(self.answers(program, utterance), self.utterances[utterance].answers)


class SharedGrounding(Grounding):
    """A grounding whose programs run on the contexts of all utterances at once, and are remembered."""

    def __init__(self, language: Language, utterances: Sequence[Utterance], compared: Answers | None = None) -> None:
        self.bound, self.utterances, self.compared = language, utterances, compared or Answers()
        ends = np.cumsum([len(utterance.contexts) for utterance in utterances], dtype=np.intp)
        self.spans = [(int(end) - len(u.contexts), int(end)) for end, u in zip(ends, utterances, strict=True)]
        self._remembered: Cache[Program, Everywhere] = Cache(_REMEMBERED)

    def grammar(self, utterance: int) -> Grammar:
        return self.bound.grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        start, end = self.spans[utterance]
        said = self._remembered.get(program, lambda: self._everywhere(program))
        if isinstance(said, tuple):
            return said[start:end]
        first = start // 8
        bits = np.unpackbits(said[first : (end + 7) // 8])
        return tuple(bits[start - 8 * first : end - 8 * first].astype(bool).tolist())

    def language(self, utterances: Sequence[int]) -> Language:
        rows = [row for utterance in utterances for row in range(*self.spans[utterance])]
        return self.bound.at(rows)

    def _everywhere(self, program: Program) -> Everywhere:
        said = run(program, self.bound)
        if isinstance(said, np.ndarray) and said.dtype == bool:
            return np.packbits(said)
        return tuple(said.tolist() if isinstance(said, np.ndarray) else said)


class OwnGrounding(Grounding):
    """A grounding of utterances that bring constants of their own: each has its own grammar.

    `bind` gives the language with the constants of an utterance on some contexts.
    """

    def __init__(
        self,
        bind: Callable[[Utterance, Sequence[Any]], Language],
        utterances: Sequence[Utterance],
        compared: Answers | None = None,
    ) -> None:
        self._bind, self.utterances, self.compared = bind, utterances, compared or Answers()
        self._bound: list[Language | None] = [None] * len(utterances)

    def grammar(self, utterance: int) -> Grammar:
        return self._own(utterance).grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        said = run(program, self._own(utterance))
        return tuple(said.tolist() if isinstance(said, np.ndarray) else said)

    def language(self, utterances: Sequence[int]) -> Language:
        """Several utterances may be named if they have the same constants."""
        if len(utterances) == 1:
            return self._own(utterances[0])
        contexts = [context for number in utterances for context in self.utterances[number].contexts]
        return self._bind(self.utterances[utterances[0]], contexts)

    def _own(self, utterance: int) -> Language:
        bound = self._bound[utterance]
        if bound is None:
            asked = self.utterances[utterance]
            bound = self._bound[utterance] = self._bind(asked, asked.contexts)
        return bound


class Ungrounded(Grounding):
    """Sentences without contexts: programs have a grammar, and no answers."""

    def __init__(self, language: type[Language], utterances: Sequence[Utterance]) -> None:
        self.bound, self.utterances, self.compared = language, utterances, Answers()

    def grammar(self, utterance: int) -> Grammar:
        return self.bound.grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        return ()

    def language(self, utterances: Sequence[int]) -> Language:
        raise ChoraleError("these sentences have no contexts, so no program can be run")
