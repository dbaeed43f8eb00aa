"""NLVR as a `Domain`: the one door through which the rest of Chorale sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar

from chorale.domain import Domain, Hints, Related, Utterance
from chorale.errors import ChoraleError
from chorale.nlvr import reader
from chorale.nlvr.english import abstraction, lexicon, phrases, words
from chorale.nlvr.english.abstract_examples import AbstractExample, augment, load
from chorale.nlvr.english.abstract_examples import read as read_examples
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.extended import ROWS, Extended
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.languages.macro import Macro
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.scene_pictures import ScenePictures
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import Worlds

LANGUAGES: Mapping[str, type[Common]] = {
    "consistent": Consistent,
    "extended": Extended,
    "macro": Macro,
    "consistent_merged": Consistent,
    "macro_merged": Macro,
}
"""Those whose names end in `_merged` take boxes that look the same for one, as the reference does by mistake."""


@dataclass(frozen=True, slots=True)
class Slotted:
    """A sentence whose words of a lexical cluster are slots; see `abstraction`."""

    utterance: abstraction.AbstractUtterance

    @property
    def text(self) -> str:
        return self.utterance.text

    @property
    def values(self) -> Mapping[str, str]:
        return self.utterance.values

    def program(self, text: str) -> str:
        return abstraction.abstract_program(text, self.utterance.values)

    def fill(self, program: str) -> str | None:
        known = self.values.keys() >= set(abstraction.slots_of(program))
        return abstraction.fill(program, self.values) if known else None


class Abstractions:
    """NLVR's slots."""

    def kind(self, sentence: str) -> str:
        """Colours, shapes and numbers as slots."""
        return abstraction.slots(sentence)

    def slotted(self, sentence: str) -> Slotted:
        return Slotted(abstraction.abstract_utterance(sentence))

    def examples(self, language: str, file: str = "") -> Mapping[str, Sequence[str]]:
        return {example.utterance: example.programs for example in self._read(language, file)}

    def filled(self, language: str, rng: Random, total: int, file: str = "") -> list[tuple[str, str]]:
        return augment(self._read(language, file), rng, total=total)

    def _read(self, language: str, file: str) -> Sequence[AbstractExample]:
        if not issubclass(LANGUAGES[language], Consistent):  # those that extend it give its functions its meaning
            raise ChoraleError(
                f"nlvr: abstract examples are written in the language consistent; {language} cannot read them"
            )
        return read_examples(Path(file)) if file else load()


class Relations:
    """Utterances of NLVR that share a phrase."""

    fillers = phrases.FILLERS

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
        sentences = [utterance.sentence for utterance in utterances]
        how = phrases.matching_named(matching)
        found = phrases.read_phrases(sets)
        return phrases.related_utterances(
            sentences, found, matching=how, partners=partners, other_fillers=other_fillers, seed=seed
        )


@dataclass(frozen=True)
class WordLexicon:
    """Our lexicon, made ready for one language."""

    table: lexicon.Lexicon

    def hints(self, utterance: Utterance) -> Hints:
        triggers = self.table.triggers(utterance.sentence)
        explains = tuple((asked.word, asked.terminals) for asked in triggers.explains)
        return Hints(triggers.allowed, explains, triggers.explained)


@dataclass(frozen=True)
class ReferenceAgenda:
    """What the reference's rules want in a program."""

    language: type[Common]

    def required(self, utterance: Utterance) -> frozenset[str]:
        find = lexicon.reference_macro if self.language is Macro else lexicon.reference_consistent
        return find(utterance.sentence)


def raters(utterance: Utterance) -> Sequence[str | None]:
    """Who gave each label, where one person did."""
    if not isinstance(utterance, reader.Utterance):
        return [None] * len(utterance.answers)
    return [next(iter(e.evals)) if len(e.evals) == 1 else None for e in utterance.examples]


class Nlvr(Domain):
    """Sentences about three boxes of coloured shapes, each true or false."""

    name = "nlvr"
    languages: ClassVar[Mapping[str, type[Common]]] = LANGUAGES
    relations = Relations()
    abstractions = Abstractions()
    generator = staticmethod(random_scene)
    raters = staticmethod(raters)
    drawing = ScenePictures(LANGUAGES)

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return reader.read(path, labels_required=labels_required).utterances

    def words(self, sentence: str) -> list[str]:
        return [token.text for token in words.tokens(sentence)]

    def bind(self, language: str, contexts: Sequence[Scene]) -> Common:
        return LANGUAGES[language](Worlds(contexts, merge_equal_boxes=language.endswith("_merged")))

    def kind(self, context: Scene) -> str:
        return "towers" if context.is_tower else "scatter"

    @cache  # noqa: B019 - there are few languages, and a domain lives as long as the program
    def lexicon(self, language: str) -> WordLexicon:
        rows = ROWS if LANGUAGES[language] is Extended else lexicon.TABLE
        return WordLexicon(lexicon.Lexicon(LANGUAGES[language].grammar.signature, rows))

    def agenda(self, language: str) -> ReferenceAgenda | None:
        """The reference knows nothing of the extended language."""
        return None if LANGUAGES[language] is Extended else ReferenceAgenda(LANGUAGES[language])
