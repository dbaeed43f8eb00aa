"""What the rest of Chorale sees of a domain.

Search, training and the playground never import a domain; they are handed one. Five members are all that everybody
needs: a name, languages, a reader, words, and `bind` (or `ground`, where each utterance brings constants of its own).
The rest are *capabilities*, small objects that a domain has or has not; who needs one that is missing says so.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from operator import eq
from pathlib import Path
from random import Random
from typing import Any, ClassVar, TypeVar

from chorale.domain.abstractions import Abstractions
from chorale.domain.drawing import Drawing
from chorale.domain.editing import Editing
from chorale.domain.grounding import Grounding, SharedGrounding
from chorale.domain.lexicon import Agenda, Lexicon
from chorale.domain.relations import Relations
from chorale.domain.utterance import Answer, Utterance
from chorale.errors import ChoraleError, unknown
from chorale.language.grammar import Grammar
from chorale.language.language import Language

T = TypeVar("T")
Generator = Callable[[Random], Any]
"""Makes contexts such as utterances are said of: what tells two programs apart."""
Focus = Callable[[Random, Sequence[str]], Any]
"""Makes contexts with more of what a sentence is about (`Hints.about`): what tells its meanings apart."""


class Domain(ABC):
    """NLVR, or tables, or yours."""

    name: ClassVar[str]
    languages: ClassVar[Mapping[str, type[Language]]]
    sentences: Sequence[str] = ()
    """Sentences of many kinds, whose readings are watched while a model is taught."""
    context_type: ClassVar[type | None] = None
    """What contexts are, if they are all of one type; others are then refused."""

    @abstractmethod
    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        """The utterances of a file; raises `ChoraleError` listing all that is wrong with it."""

    def opened(self, path: Path, *, labels_required: bool = True) -> AbstractContextManager[Sequence[Utterance]]:
        """The utterances of a file that may be larger than the memory, as long as the context lasts.

        A domain with large files leaves them on the disk until they are asked for. If it does not say how, they are
        read into memory.
        """
        return nullcontext(self.read(path, labels_required=labels_required))

    def words(self, sentence: str) -> list[str]:
        """The words of a sentence as the parser sees them."""
        return re.findall(r"\w+", sentence.lower())

    def statement(self, sentence: str) -> str | None:
        """What is claimed: of a yes/no question the statement it asks about, of other questions nothing."""
        return sentence

    def bind(self, language: str, contexts: Sequence[Any]) -> Language:
        """A language on any contexts."""
        raise ChoraleError(f"{self.name}: programs cannot be bound to contexts of several utterances")

    def ground(self, language: str, utterances: Sequence[Utterance]) -> Grounding:
        """A language on the contexts of these utterances."""
        contexts = [context for utterance in utterances for context in utterance.contexts]
        agrees = eq if type(self).agrees is Domain.agrees else self.agrees  # of plain equality whole arrays are asked
        return SharedGrounding(self.bind(language, contexts), utterances, agrees)

    def agrees(self, said: Answer, wanted: Answer) -> bool:
        """Whether an answer is right."""
        return said == wanted

    def data_line(self, identifier: str, sentence: str, context: Any, answer: Answer) -> dict[str, Any]:
        """An example as a line of a data file, as `read` takes it; marks are kept so."""
        raise ChoraleError(f"{self.name}: this domain does not say how examples are written (`Domain.data_line`)")

    def kind(self, context: Any) -> str:
        """The kind of a context; figures are also reported kind by kind."""
        return "all"

    # -- capabilities ----------------------------------------------------------------------------------------------

    def lexicon(self, language: str) -> Lexicon | None:
        """What words say about the programs of a language; search by meaning needs it."""
        return None

    def agenda(self, language: str) -> Agenda | None:
        """What programs of a language must use; the reference's search and coverage need it."""
        return None

    relations: Relations | None = None
    abstractions: Abstractions | None = None
    generator: Generator | None = None
    focus: Focus | None = None
    drawing: Drawing | None = None
    editing: Editing | None = None


def needed(capability: T | None, domain: Domain, what: str, needed_by: str) -> T:
    """A capability, or an error that says who needs it."""
    if capability is None:
        raise ChoraleError(f"the domain {domain.name} has no {what}, which {needed_by} needs")
    return capability


def grammar_of(domain: Domain, language: str) -> Grammar:
    """The grammar that all utterances share, without the constants that contexts bring."""
    if language not in domain.languages:
        raise ChoraleError(f"{domain.name} has no language {language!r}; {unknown(language, domain.languages)}")
    return domain.languages[language].grammar


def kind_of(domain: Domain, sentence: str) -> str:
    """The kind of a sentence; in a domain without abstractions its words."""
    if domain.abstractions is not None:
        return domain.abstractions.kind(sentence)
    return " ".join(domain.words(sentence))
