"""What the rest of Chorale sees of a domain.

Search, training and the playground never import a domain; they are handed one: its languages, a reader for its files,
its words, a lexicon, and pictures of its contexts. A *context* is what a program runs on: a picture, a table. An
*answer* is what it says there: true, a list of values.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError
from chorale.language.abstracted import Abstracted, Plain
from chorale.language.execution import run
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.language.related import Related

Answer = Hashable


class Utterance(Protocol):
    """A sentence, the contexts it was said of, and the right answer in each, None where it is not known."""

    @property
    def identifier(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def contexts(self) -> Sequence[Any]: ...
    @property
    def answers(self) -> Sequence[Answer | None]: ...


@dataclass(frozen=True)
class Hints:
    """What a lexicon knows about the programs of a sentence."""

    allowed: frozenset[str]
    """The functions and constants that its programs may use."""
    explains: tuple[tuple[str, frozenset[str]], ...]
    """Its content words in order, each with the terminals that say it; none if the language cannot."""
    glue: frozenset[str]
    """Terminals that no word needs to ask for, or that come along with what words ask for."""


class Grounding(Protocol):
    """A language on the contexts of a list of utterances, which are known by their place in the list."""

    @property
    def utterances(self) -> Sequence[Utterance]: ...

    @property
    def is_shared(self) -> bool:
        """Whether a program means something in every context, so that evidence of equal sentences can be pooled."""
        ...

    def grammar(self, utterance: int) -> Grammar:
        """The grammar of programs for an utterance; its own constants, if it has any, come behind the shared ones."""
        ...

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        """What a program says in each context of an utterance."""
        ...

    def language(self, utterances: Sequence[int]) -> Language:
        """The language on the contexts of these utterances alone, in this order."""
        ...


class Domain(Protocol):
    """A domain: everything that the rest of Chorale wants to know of NLVR, or of tables.

    Derive from it, and what has an obvious answer is there already: a domain needs `name`, `languages`, `read`, `hints`
    and either `bind` or `ground`.
    """

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> Mapping[str, type[Language]]: ...

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        """The utterances of a file; raises `ChoraleError` listing all that is wrong with it."""
        ...

    def words(self, sentence: str) -> list[str]:
        """The words of a sentence as the parser sees them."""
        return re.findall(r"\w+", sentence.lower())

    def hints(self, language: str, sentence: str) -> Hints:
        """What the lexicon says about the programs of a sentence."""
        ...

    def agenda(self, language: str, sentence: str) -> frozenset[str]:
        """The terminals that the reference's rules want in every program of a sentence."""
        return frozenset()

    def abstraction(self, sentence: str) -> str:
        """The kind of a sentence: what is left when its variable words are slots."""
        return " ".join(self.words(sentence))

    def abstracted(self, sentence: str) -> Abstracted:
        """The sentence with slots for all words that vary, finer than `abstraction`; its programs have them too."""
        return Plain(" ".join(self.words(sentence)))

    def abstract_examples(self, language: str, file: str = "") -> Mapping[str, Sequence[str]]:
        """Abstract utterances with their abstract programs, the most plausible first; those of a file if one is named.

        Utterances are written as `abstracted` writes them.
        """
        if file:
            raise ChoraleError(f"{file}: {self.name} cannot read abstract examples")
        return {}

    def examples(self, language: str, rng: Random, total: int, file: str = "") -> list[tuple[str, str]]:
        """About `total` sentences with programs: abstract examples whose slots are filled at random."""
        raise ChoraleError(f"{self.name}: there are no abstract examples")

    def kind(self, context: Any) -> str:
        """The kind of a context; figures are also reported kind by kind."""
        return "all"

    def related(
        self,
        utterances: Sequence[Utterance],
        sets: str = "run",
        *,
        matching: str = "tokens",
        partners: int = 1,
        other_fillers: int = 0,
        seed: int = 0,
    ) -> list[Related]:
        """Pairs of utterances that share a phrase, with where it stands in both.

        An utterance has `partners` of them for each phrase, and `other_fillers` that have it with other fillers.
        """
        return []

    def fillers(self) -> frozenset[str]:
        """The terminals that say what fills the slots of phrases, such as colours."""
        return frozenset()

    def ground(self, language: str, utterances: Sequence[Utterance]) -> Grounding:
        """A language on the contexts of these utterances."""
        contexts = [context for utterance in utterances for context in utterance.contexts]
        return SharedGrounding(self.bind(language, contexts), utterances)

    def bind(self, language: str, contexts: Sequence[Any]) -> Language:
        """A language on any contexts."""
        raise NotImplementedError(f"{self.name}: programs cannot be bound to contexts of several utterances")

    def generate(self, rng: Random) -> Any:
        """A random context, such as utterances are said of."""
        raise NotImplementedError(f"{self.name}: contexts cannot be generated")

    def raters(self, utterance: Utterance) -> Sequence[str | None]:
        """Who gave each of an utterance's answers, None where that is not known."""
        return [None] * len(utterance.answers)


class SharedGrounding:
    """A grounding whose programs run on the contexts of all utterances at once, and are remembered."""

    is_shared = True

    def __init__(self, language: Language, utterances: Sequence[Utterance], most_remembered: int = 200_000) -> None:
        self.bound = language
        self.utterances = utterances
        ends = np.cumsum([len(utterance.contexts) for utterance in utterances], dtype=np.intp)
        self.spans = [(int(end) - len(u.contexts), int(end)) for end, u in zip(ends, utterances, strict=True)]
        self._remembered: dict[Program, NDArray[np.uint8]] = {}  # a bit per context
        self._most_remembered = most_remembered

    def grammar(self, utterance: int) -> Grammar:
        return self.bound.grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        start, end = self.spans[utterance]
        first = start // 8
        bits = np.unpackbits(self._everywhere(program)[first : (end + 7) // 8])
        return tuple(bits[start - 8 * first : end - 8 * first].astype(bool).tolist())

    def language(self, utterances: Sequence[int]) -> Language:
        rows = [row for utterance in utterances for row in range(*self.spans[utterance])]
        return self.bound.at(rows)

    def _everywhere(self, program: Program) -> NDArray[np.uint8]:
        """The program's truth in every context of the list, packed."""
        if program not in self._remembered:
            if len(self._remembered) >= self._most_remembered:
                self._remembered.clear()
            self._remembered[program] = np.packbits(run(program, self.bound))
        return self._remembered[program]
