"""What the rest of Chorale sees of a domain.

Search, training and the playground never import a domain; they are handed one. A name, languages and a lexicon are all
that most domains must say; everything else has a default, or is a *capability*: a small object that a domain may have.
If something needs one that is missing, an error says so.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from chorale.domain import json_lines
from chorale.domain.abstractions import Abstractions
from chorale.domain.answers import Answers
from chorale.domain.candidates import Proposing
from chorale.domain.codec import Codec
from chorale.domain.costs import Costs, costs_of
from chorale.domain.drawing import Drawing
from chorale.domain.editing import Editing
from chorale.domain.grounding import Grounding, OwnGrounding, SharedGrounding
from chorale.domain.lexicon import Agenda, Lexicon, hints_of
from chorale.domain.probes import Probes
from chorale.domain.queries import Queries
from chorale.domain.reading import Doubt
from chorale.domain.relations import Relations
from chorale.domain.showing import Showing
from chorale.domain.synthesis import Synthesis
from chorale.domain.tracing import Tracing, ValueTracing
from chorale.domain.utterance import Answer, Utterance
from chorale.domain.without import Without
from chorale.errors import ChoraleError, unknown
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.lifting import lifted
from chorale.language.types import Basic

T = TypeVar("T")

_MOVED = {
    "generator": "`variants(utterance, count, seed)` makes contexts now",
    "focus": "`variants(utterance, count, seed)` makes contexts now; `topic(utterance)` says what they depend on",
    "agrees": "`answers`, an object of `chorale.domain.Answers`, compares answers now",
    "ground": "`bind(language, utterance, contexts)` binds an utterance's own constants now; `constants` names them",
    "raters": "it was removed without a replacement",
}
"""Members of the old interface, and what replaces them."""


class Domain(ABC):
    """NLVR, or tables, or yours."""

    name: ClassVar[str]
    languages: ClassVar[Mapping[str, type[Language]]]
    answers: Answers = Answers()
    """How answers are compared, printed and read."""
    codec: Codec | None = None
    """Contexts from JSON and files, and as JSON again."""
    sentences: Sequence[str] = ()
    """Sentences of many kinds, whose readings are watched while a model is taught."""
    example: tuple[str, Any] | None = None
    """A sentence and a context to begin with; without one the first of `sentences`, and a context that is made."""
    context_type: ClassVar[type | tuple[type, ...] | None] = None
    """What contexts are, if they are all of one type; others are then refused."""
    context_word: ClassVar[str] = "context"
    """What a context is called: a picture, a table."""
    kinds_differ_in: ClassVar[str] = ""
    """In what sentences of one kind differ, for people: "colours and numbers". Empty if only equal ones are alike."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for old, instead in _MOVED.items():
            if old in vars(cls):
                raise ChoraleError(f"{cls.__name__}.{old}: domains have no such member any more; {instead}")
        if "bind" in vars(cls) and len(inspect.signature(vars(cls)["bind"]).parameters) != 4:
            raise ChoraleError(
                f"{cls.__name__}.bind: it takes (self, language, utterance, contexts) now; the utterance is None where "
                "the contexts of many utterances are bound at once"
            )
        if "drawing" in vars(cls) and hasattr(vars(cls)["drawing"], "from_json") and cls.codec is None:
            raise ChoraleError(
                f"{cls.__name__}.drawing: reading contexts is a capability of its own now: name it `codec` as well"
            )

    def __getstate__(self) -> dict[str, Any]:
        """What other processes get: contexts that were generated are made again there."""
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_made")}

    # -- data --------------------------------------------------------------------------------------------------------

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        """The utterances of a file; raises `ChoraleError` listing all that is wrong with it.

        By default it is a file of JSON lines, see `json_lines`; contexts are read by the codec.
        """
        return json_lines.read(self, path, labels_required=labels_required)

    def opened(self, path: Path, *, labels_required: bool = True) -> AbstractContextManager[Sequence[Utterance]]:
        """The utterances of a file that may be larger than the memory, as long as the context lasts.

        A domain with large files leaves them on the disk until they are asked for. If it does not say how, they are
        read into memory.
        """
        return nullcontext(self.read(path, labels_required=labels_required))

    def check(self, path: Path, *, labels_required: bool = True) -> dict[str, Any]:
        """What there is to say about a file: `pairs`, `groups`, `problems` and `notes`, each with line and field."""
        with self.opened(path, labels_required=labels_required) as utterances:
            counts = {"pairs": sum(len(utterance.contexts) for utterance in utterances), "groups": len(utterances)}
        return {"problems": [], "notes": [], **counts}

    def data_line(self, identifier: str, sentence: str, context: Any, answer: Answer) -> dict[str, Any]:
        """An example as a line of a data file, as `read` takes it; marks are kept so."""
        if type(self).read is not Domain.read:
            raise ChoraleError(f"{self.name}: this domain does not say how examples are written (`Domain.data_line`)")
        return json_lines.line(self, identifier, sentence, [context], [answer])

    # -- sentences ---------------------------------------------------------------------------------------------------

    def words(self, sentence: str) -> list[str]:
        """The words of a sentence as the parser sees them."""
        return re.findall(r"\w+", sentence.lower())

    def lemma(self, word: str) -> str:
        """The form of a word that stands for all of its forms, where it does not matter which it is."""
        return word

    def statement(self, sentence: str) -> str | None:
        """What is claimed: of a yes/no question the statement it asks about, of other questions nothing."""
        return sentence

    def beyond(self, utterance: Utterance) -> Doubt | None:
        """Why no program over its contexts can answer an utterance, if that is plain before any is looked for."""
        return None

    def slips(self, utterance: Utterance, is_known: Callable[[str], bool]) -> Mapping[str, str]:
        """Words that are mistyped, each with what it is read as; `is_known` tells what training sentences had."""
        return {}

    def identity(self, utterance: Utterance) -> Hashable:
        """What a parse may be remembered by: the sentence, and where utterances bring constants their contexts too."""
        if any(map(self.has_constants, self.languages)):
            return utterance.sentence, self.topic(utterance)
        return utterance.sentence

    # -- contexts ----------------------------------------------------------------------------------------------------

    def kind(self, context: Any) -> str:
        """The kind of a context; figures are also reported kind by kind."""
        return "all"

    def constants(self, utterance: Utterance) -> Mapping[str, tuple[Basic, Any]]:
        """The constants that an utterance brings, of the language's `open_types`: each with its type and its value."""
        return {}

    def bind(self, language: str, utterance: Utterance | None, contexts: Sequence[Any]) -> Language:
        """A language on these contexts, with the constants of the utterance, if it has any of its own.

        Without an utterance they may be the contexts of many, or nobody's. A language that is written for one context
        is lifted; others are made of all contexts at once.
        """
        make: Any = self.languages[language]
        is_own = self.has_constants(language)
        if is_own and utterance is None:
            raise ChoraleError(f"{self.name}: programs cannot be bound to contexts of several utterances")
        bound: Language = lifted(make, contexts) if make.per_context else make(contexts)
        return bound.with_constants(self.constants(utterance)) if is_own and utterance is not None else bound

    def has_constants(self, language: str) -> bool:
        """Whether utterances bring constants of their own to a language."""
        return bool(self.languages[language].grammar.open_types)

    def ground(self, language: str, utterances: Sequence[Utterance]) -> Grounding:
        """A language on the contexts of these utterances."""
        if self.has_constants(language):
            return OwnGrounding(lambda it, contexts: self.bind(language, it, contexts), utterances, self.answers)
        contexts = [context for utterance in utterances for context in utterance.contexts]
        return SharedGrounding(self.bind(language, None, contexts), utterances, self.answers)

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> Sequence[Any]:
        """Contexts of which an utterance could have been said, the same ones for the same seed.

        New pictures, altered copies of a table: they tell its programs apart. Without an utterance, any contexts.
        """
        return ()

    @property
    def makes_contexts(self) -> bool:
        """Whether the domain can make contexts."""
        return type(self).variants is not Domain.variants

    def topic(self, utterance: Utterance) -> Hashable:
        """What the variants and constants of an utterance depend on; utterances of one topic share them.

        By default nothing, or the contexts where utterances bring constants of their own.
        """
        if not any(map(self.has_constants, self.languages)):
            return None
        contexts = tuple(utterance.contexts)
        try:
            hash(contexts)
        except TypeError:
            return repr(contexts)
        return contexts

    # -- capabilities ------------------------------------------------------------------------------------------------

    def lexicon(self, language: str) -> Lexicon | None:
        """What words say about the programs of a language; search by meaning needs it."""
        return None

    def costs(self, language: str, utterance: Utterance) -> Costs:
        """What programs for an utterance are made of and what that costs: needed by languages that have `stages`.

        By default as the lexicon's hints say.
        """
        hints = hints_of(self, language, utterance)
        return costs_of(needed(hints, self, f"lexicon for {language}", "search in stages"))

    def proposing(self, language: str) -> Proposing | None:
        """What it proposes for utterances in a language, with features by key; a ranker by key needs it."""
        return None

    def agenda(self, language: str) -> Agenda | None:
        """What programs of a language must use; the reference's search and coverage need it."""
        return None

    relations: Relations | None = None
    abstractions: Abstractions | None = None
    drawing: Drawing | None = None
    editing: Editing | None = None
    probes: Probes | None = None
    queries: Queries | None = None
    showing: Showing | None = None
    synthesis: Synthesis | None = None
    without: Without | None = None
    stage: ClassVar[Path | None] = None
    """A folder with `stage.js` and `stage.css`: how the playground shows contexts, and lets people change them. Without
    one they stand there as JSON. docs/playground.md has what a stage must know."""

    @property
    def tracing(self) -> Tracing:
        """What each part of a program returns in a context: by default its value as text."""
        return ValueTracing(self.answers)


def needed(capability: T | None, domain: Domain, what: str, needed_by: str) -> T:
    """A capability, or an error that says what needs it."""
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
