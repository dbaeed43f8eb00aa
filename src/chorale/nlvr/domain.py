"""NLVR as a `Domain`: the one door through which the rest of Chorale sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from chorale.domain import Answer, Domain, TruthValues, Utterance
from chorale.nlvr import reader, reference
from chorale.nlvr.english import questions, words
from chorale.nlvr.english.abstract_examples import Abstractions
from chorale.nlvr.english.lexicon import Lexicon, subject
from chorale.nlvr.english.relations import Relations
from chorale.nlvr.english.watched import WATCHED
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.extended import ENTRIES, Extended
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.languages.macro import Macro
from chorale.nlvr.pictures.edits import SceneEdits
from chorale.nlvr.pictures.random_scenes import context_about, random_context
from chorale.nlvr.pictures.scene_pictures import SceneCodec, ScenePictures, SceneTracing
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import Worlds


class Nlvr(Domain):
    """Sentences about three boxes of coloured shapes, each true or false."""

    name = "nlvr"
    languages: ClassVar[Mapping[str, type[Common]]] = {
        "consistent": Consistent,
        "extended": Extended,
        "macro": Macro,
        **reference.MERGED,
    }
    sentences = WATCHED
    context_type = Scene
    relations = Relations()
    abstractions = Abstractions(languages)
    answers = TruthValues()
    codec = SceneCodec()
    drawing = ScenePictures()
    tracing = SceneTracing()
    editing = SceneEdits(languages)
    stage = Path(__file__).parent / "stage"
    context_word = "picture"
    kinds_differ_in = "colours, shapes and numbers"

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return reader.read(path, labels_required=labels_required).utterances

    def opened(self, path: Path, *, labels_required: bool = True) -> AbstractContextManager[Sequence[Utterance]]:
        return reader.opened(path, labels_required=labels_required)

    def words(self, sentence: str) -> list[str]:
        return [token.text for token in words.tokens(sentence)]

    def lemma(self, word: str) -> str:
        return words.lemma(word)

    def statement(self, sentence: str) -> str | None:
        return questions.statement(sentence)

    def check(self, path: Path, *, labels_required: bool = True) -> dict[str, Any]:
        report = asdict(reader.check(path, labels_required=labels_required))
        for finding in (*report["problems"], *report["notes"]):
            del finding["path"]
        del report["path"]
        return report

    def topic(self, utterance: Utterance) -> tuple[str, ...] | None:
        return subject(utterance.sentence) or None

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> list[Scene]:
        """Random scenes, with more of what the sentence is about."""
        about = None if utterance is None else self.topic(utterance)
        if about is None:
            rng = Random(seed)
            return [random_context(rng) for _ in range(count)]
        rng = Random(" ".join([*about, str(seed)]) if seed else " ".join(about))
        return [context_about(rng, about) for _ in range(count)]

    def bind(self, language: str, utterance: Utterance | None, contexts: Sequence[Scene]) -> Common:
        return self.languages[language](Worlds(contexts, merge_equal_boxes=language in reference.MERGED))

    def data_line(self, identifier: str, sentence: str, context: Scene, answer: Answer) -> dict[str, Any]:
        return {
            "identifier": identifier,
            "sentence": sentence,
            "structured_rep": context.to_json(),
            "label": "true" if answer else "false",
        }

    def kind(self, context: Scene) -> str:
        return "towers" if context.is_tower else "scatter"

    @cache  # noqa: B019 - there are few languages, and a domain lives as long as the program
    def lexicon(self, language: str) -> Lexicon:
        spoken = self.languages[language]
        if spoken is Extended:
            return Lexicon(spoken.grammar.signature, ENTRIES, closely=True)
        return Lexicon(spoken.grammar.signature)

    def agenda(self, language: str) -> reference.ReferenceAgenda | None:
        """The reference knows nothing of the extended language."""
        return None if language == "extended" else reference.ReferenceAgenda(self.languages[language])
