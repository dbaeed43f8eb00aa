"""NLVR as a `Domain`: the one door through which the rest of Chorale sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar

from chorale.language.domain import Domain, Hints, Utterance
from chorale.language.related import Related
from chorale.nlvr import abstraction, lexicon, phrases, reader, words
from chorale.nlvr.consistent import Consistent
from chorale.nlvr.extended import ROWS, Extended
from chorale.nlvr.functions import Common
from chorale.nlvr.macro import Macro
from chorale.nlvr.scenes import Scene
from chorale.nlvr.synthetic_scenes import random_scene
from chorale.nlvr.worlds import Worlds


class Nlvr(Domain):
    """Sentences about three boxes of coloured shapes, each true or false."""

    name = "nlvr"
    languages: ClassVar[Mapping[str, type[Common]]] = {
        "consistent": Consistent,
        "extended": Extended,
        "macro": Macro,
    }

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return reader.read(path, labels_required=labels_required).utterances

    def words(self, sentence: str) -> list[str]:
        return [token.text for token in words.tokens(sentence)]

    def abstraction(self, sentence: str) -> str:
        """The kind of a sentence: colours, shapes and numbers as slots; evaluation asks whether train has it."""
        return abstraction.slots(sentence)

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
        return self.languages[language](Worlds(contexts))

    def related(
        self,
        utterances: Sequence[Utterance],
        sets: str = "run",
        *,
        matching: str = "tokens",
        partners: int = 1,
        seed: int = 0,
    ) -> list[Related]:
        sentences = [utterance.sentence for utterance in utterances]
        how = phrases.matching_named(matching)
        return phrases.related_utterances(
            sentences, phrases.read_phrases(sets), matching=how, partners=partners, seed=seed
        )

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
