"""NLVR as a `Domain`: the one door through which the rest of Chorale sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

from chorale.language.domain import Hints, SharedGrounding, Utterance
from chorale.language.language import Language
from chorale.nlvr import lexicon, reader, words
from chorale.nlvr.consistent import Consistent
from chorale.nlvr.extended import ROWS, Extended
from chorale.nlvr.macro import Macro
from chorale.nlvr.worlds import Worlds


class Nlvr:
    """Sentences about three boxes of coloured shapes, each true or false."""

    name = "nlvr"
    languages: ClassVar[Mapping[str, type[Language]]] = {
        "consistent": Consistent,
        "extended": Extended,
        "macro": Macro,
    }

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return reader.read(path, labels_required=labels_required).utterances

    def words(self, sentence: str) -> list[str]:
        return [token.text for token in words.tokens(sentence)]

    def hints(self, language: str, sentence: str) -> Hints:
        triggers = self._lexicon(language).triggers(sentence)
        explains = tuple((asked.word, asked.terminals) for asked in triggers.explains)
        return Hints(triggers.allowed, explains, lexicon.GLUE)

    def ground(self, language: str, utterances: Sequence[Utterance]) -> SharedGrounding:
        scenes = [scene for utterance in utterances for scene in utterance.contexts]
        return SharedGrounding(self.languages[language](Worlds(scenes)), utterances)

    @cache  # noqa: B019 - there is one instance, and it lives as long as the program
    def _lexicon(self, language: str) -> lexicon.Lexicon:
        rows = ROWS + lexicon.TABLE if language == "extended" else lexicon.TABLE
        return lexicon.Lexicon(self.languages[language].grammar.signature, rows)
