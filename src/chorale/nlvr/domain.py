"""NLVR as a `Domain`: the one door through which the rest of Chorale sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar

from chorale.errors import ChoraleError
from chorale.language.domain import Domain, Hints, Utterance
from chorale.language.related import Related
from chorale.nlvr import abstraction, lexicon, phrases, reader, words
from chorale.nlvr.abstract_examples import AbstractExample, augment, load
from chorale.nlvr.abstract_examples import read as read_examples
from chorale.nlvr.consistent import Consistent
from chorale.nlvr.extended import ROWS, Extended
from chorale.nlvr.functions import Common
from chorale.nlvr.macro import Macro
from chorale.nlvr.scenes import Scene
from chorale.nlvr.synthetic_scenes import random_scene
from chorale.nlvr.worlds import Worlds


@dataclass(frozen=True, slots=True)
class Slotted:
    """A sentence whose words of a lexical cluster are slots; see `abstraction`."""

    utterance: abstraction.AbstractUtterance

    @property
    def text(self) -> str:
        return self.utterance.text

    def program(self, text: str) -> str:
        return abstraction.abstract_program(text, self.utterance.values)

    def fill(self, program: str) -> str | None:
        values = self.utterance.values
        return abstraction.fill(program, values) if values.keys() >= set(abstraction.slots_of(program)) else None


class Nlvr(Domain):
    """Sentences about three boxes of coloured shapes, each true or false."""

    name = "nlvr"
    languages: ClassVar[Mapping[str, type[Common]]] = {
        "consistent": Consistent,
        "extended": Extended,
        "macro": Macro,
        "consistent_merged": Consistent,
        "macro_merged": Macro,
    }
    """Those whose names end in `_merged` take boxes that look the same for one, as the reference does by mistake."""

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return reader.read(path, labels_required=labels_required).utterances

    def words(self, sentence: str) -> list[str]:
        return [token.text for token in words.tokens(sentence)]

    def abstraction(self, sentence: str) -> str:
        """The kind of a sentence: colours, shapes and numbers as slots; evaluation asks whether train has it."""
        return abstraction.slots(sentence)

    def abstracted(self, sentence: str) -> Slotted:
        return Slotted(abstraction.abstract_utterance(sentence))

    def abstract_examples(self, language: str, file: str = "") -> Mapping[str, Sequence[str]]:
        return {example.utterance: example.programs for example in self._examples(language, file)}

    def examples(self, language: str, rng: Random, total: int, file: str = "") -> list[tuple[str, str]]:
        return augment(self._examples(language, file), rng, total=total)

    def _examples(self, language: str, file: str) -> Sequence[AbstractExample]:
        if not issubclass(self.languages[language], Consistent):  # those that extend it give its functions its meaning
            raise ChoraleError(
                f"{self.name}: abstract examples are written in the language consistent; {language} cannot read them"
            )
        return read_examples(Path(file)) if file else load()

    def hints(self, language: str, sentence: str) -> Hints:
        triggers = self._lexicon(language).triggers(sentence)
        explains = tuple((asked.word, asked.terminals) for asked in triggers.explains)
        return Hints(triggers.allowed, explains, triggers.explained)

    def agenda(self, language: str, sentence: str) -> frozenset[str]:
        find = lexicon.reference_macro if self.languages[language] is Macro else lexicon.reference_consistent
        return find(sentence)

    def kind(self, context: Scene) -> str:
        return "towers" if context.is_tower else "scatter"

    def bind(self, language: str, contexts: Sequence[Scene]) -> Common:
        return self.languages[language](Worlds(contexts, merge_equal_boxes=language.endswith("_merged")))

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

    def fillers(self) -> frozenset[str]:
        return phrases.FILLERS

    def generate(self, rng: Random) -> Scene:
        return random_scene(rng)

    def raters(self, utterance: Utterance) -> Sequence[str | None]:
        if not isinstance(utterance, reader.Utterance):
            return super().raters(utterance)
        return [next(iter(e.evals)) if len(e.evals) == 1 else None for e in utterance.examples]

    @cache  # noqa: B019 - there is one instance, and it lives as long as the program
    def _lexicon(self, language: str) -> lexicon.Lexicon:
        rows = ROWS if self.languages[language] is Extended else lexicon.TABLE
        return lexicon.Lexicon(self.languages[language].grammar.signature, rows)
