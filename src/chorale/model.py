"""A trained parser as its users see it.

    parser = chorale.load("runs/language")
    for parse in parser.parse("There is a black square", "picture.png"):
        print(parse.probability, parse.program, parse.denotations)

Programs come best first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Answer, Domain, Unlabelled, Utterance, kind_of, needed
from chorale.domain.contexts import contexts_of
from chorale.domain.drawing import TracedPart
from chorale.domain.parsing import Corpus, ScoredProgram, SentenceParser, Simplifying
from chorale.domain.registry import find_domain, registered
from chorale.errors import ChoraleError, nearest
from chorale.evaluation.confidence import DEFAULT_CONFIDENCE, Confidence
from chorale.evaluation.doubts import Doubt, Evidence, doubts, evidence, strangeness
from chorale.evaluation.evaluate import Evaluation, evaluate
from chorale.evaluation.predictions import Prediction, answer_text, predictions_of
from chorale.evaluation.probe import CONTEXTS, Probe, probe
from chorale.explain import Explanation, Trust, explain
from chorale.language import Program, plain
from chorale.ranker.posing import pose
from chorale.ranker.ranker import Ranker
from chorale.ranker.teaching import TEACHING_FLIP, taught
from chorale.runs.listing import explain_unfinished
from chorale.runs.models import ModelFile, hash_of_kind, read_about, read_model, write_model

DEFAULT = "best"
"""The model that is loaded if none is named."""
ANSWER_IF = 0.5
"""How sure a model must be to answer."""


@dataclass(frozen=True, repr=False)
class Parse:
    """One program for a sentence."""

    program: Program
    """Simplified by the laws of its language."""
    probability: float
    """Of this program and of all in the beam that the laws make the same."""
    denotations: tuple[Answer, ...] | None
    """What it says in each context, if any were given."""
    words: tuple[str, ...]
    """The sentence as the parser read it."""
    decoded: Program
    """What the parser wrote, before it was simplified."""
    attention: NDArray[np.float32] | None = None
    """Where each action of `decoded` looked, (action, word), if the parser attends to words."""
    rank_probability: float | None = None
    """How likely the reranker holds the program to be right, if the model has one."""
    model: Model | None = field(default=None, compare=False)
    """What gave it."""
    utterance: Utterance | None = field(default=None, compare=False)
    """What was asked: the sentence and the contexts."""

    @property
    def said(self) -> str:
        """Its answers as text; empty without contexts."""
        return ", ".join(map(answer_text, self.denotations or ()))

    def __repr__(self) -> str:
        answers = f", {self.said}" if self.denotations else ""
        return f"<Parse {self.program}, {self.probability:.1%}{answers}>"

    def _repr_html_(self) -> str:
        """The program, what it says and its tree, for notebooks."""
        said = f" · {escape(self.said)}" if self.denotations else ""
        return f"<p><code>{escape(self.program.text)}</code> {self.probability:.1%}{said}</p>{self.program.to_svg()}"

    @property
    def plain(self) -> str | None:
        """The program in plain English; None if its language has no words for it."""
        return None if self.model is None else plain(self.program, self.model.spoken)

    def trace(self) -> Sequence[TracedPart]:
        """Each part of the program, innermost first, with what it returns on the first context."""
        model, asked = self._asked()
        if not asked.contexts:
            raise ChoraleError("a trace needs a context: parse the sentence with a picture")
        drawing = needed(model.domain.drawing, model.domain, "drawing", "a trace")
        return drawing.trace(self.program, asked.contexts[0], model.language)

    def explain(self, *, answer_if: float = ANSWER_IF) -> Explanation:
        """Why the sentence was read so, and what follows for the first context; it shows itself in a notebook."""
        model, asked = self._asked()
        answered = model.answer(asked.sentence, asked.contexts[0] if asked.contexts else None, answer_if=answer_if)
        trust = None
        if answered.parses and answered.parses[0].program == self.program:
            trust = Trust(answered.confidence, answered.reasons, answered.confidence >= answer_if)
        return explain(self, answered.parses, asked, model.domain, model.language, model.parser, trust)

    def _asked(self) -> tuple[Model, Utterance]:
        if self.model is None or self.utterance is None:
            raise ChoraleError("this parse does not know its model; take one that `Model.parse` gave")
        return self.model, self.utterance


@dataclass(frozen=True)
class Answered:
    """What a model says about a sentence, and whether to believe it."""

    answer: Answer | None
    """None if it is not known, or if there was nothing to ask about."""
    confidence: float
    """How likely it is that the first parse says what the sentence says."""
    reasons: tuple[Doubt, ...]
    """What speaks against it."""
    parses: list[Parse]
    """The readings, the best first; none for questions that are not answered with yes or no."""


class Model:
    """Any parser together with the domain it speaks of."""

    def __init__(self, parser: SentenceParser, domain: Domain, about: ModelFile) -> None:
        self.parser = parser
        self.domain = domain
        self.about = about
        self.language = about.language
        self.beam = about.beam
        self.confidence: Confidence | None = getattr(parser, "confidence", None)
        self.spoken = domain.languages[about.language]
        self._simplifying = Simplifying(parser, self.spoken)

    def __repr__(self) -> str:
        return f"<Model {self._described}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._described)}</p>"

    @property
    def _described(self) -> str:
        """What it is, and how good."""
        about, dev = self.about, self.about.metrics
        figures = [f"{100 * dev[key]:.1f}" for key in ("dev_accuracy", "dev_consistency") if key in dev]
        name = f"{about.recipe or 'without a name'}, seed {about.seed}"
        known = f", dev {' / '.join(figures)}" if figures else ""
        return f"{name}: a {about.kind} for {about.domain}, language {about.language}{known}"

    @overload
    def parse(self, sentence: str, contexts: Any = None, *, beam: int | None = None) -> list[Parse]: ...
    @overload
    def parse(
        self, sentence: list[str] | tuple[str, ...], contexts: Any = None, *, beam: int | None = None
    ) -> list[list[Parse]]: ...

    def parse(
        self, sentence: str | list[str] | tuple[str, ...], contexts: Any = None, *, beam: int | None = None
    ) -> list[Parse] | list[list[Parse]]:
        """The programs in the beam, the best first, and what each says about the contexts.

        A context is a picture, its file or its JSON, and there may be a list of them. Several sentences are parsed
        together, and each has a list of programs.

        The best is the one that the parser puts first: the most probable one; with a reranker both have a say. Programs
        are simplified by the laws of their language, and those that become the same are one.
        """
        if isinstance(sentence, str):
            return self._parsed([sentence], contexts, beam)[0]
        if not isinstance(sentence, list | tuple) or not all(isinstance(one, str) for one in sentence):
            raise ChoraleError(
                f"a sentence is text, or a list of texts; found {type(sentence).__name__} {sentence!r:.60}"
            )
        return self._parsed(sentence, contexts, beam) if sentence else []

    def _parsed(self, sentences: Sequence[str], given: Any, beam: int | None) -> list[list[Parse]]:
        contexts = contexts_of(self.domain, given)
        asked = [Unlabelled(one, contexts) for one in sentences]
        corpus = self._corpus(asked, grounded=bool(contexts))
        for sentence, words in zip(sentences, corpus.words, strict=True):
            if not words:
                raise ChoraleError(f"there is no word in {sentence!r:.80}")
        parses: dict[int, list[Parse]] = {}
        for index, found in self._simplifying.parse(corpus, beam=beam, attention=True):
            parses[index] = [
                Parse(
                    one.program,
                    math.exp(one.log_probability),
                    corpus.grounding.answers(one.program, index) if contexts else None,
                    tuple(corpus.words[index]),
                    one.decoded or one.program,
                    one.attention,
                    one.rank_probability,
                    self,
                    asked[index],
                )
                for one in found
            ]
        return [parses[index] for index in range(len(sentences))]

    def answer(
        self, sentence: str, context: Any | None = None, *, answer_if: float = ANSWER_IF, beam: int | None = None
    ) -> Answered:
        """What the best program says about a context, if it is trusted enough, and what speaks against it.

        A yes/no question is answered like the statement it asks about. Below a confidence of `answer_if` the answer is
        None: not known.
        """
        claim = self.domain.statement(sentence)
        if claim is None:
            return Answered(None, 0.0, (Doubt("question", "this question cannot be answered with yes or no"),), [])
        if not self.domain.words(claim):
            return Answered(None, 0.0, (Doubt("empty", "there is no word in it"),), [])
        parses = self.parse(claim, None if context is None else [context], beam=beam)
        confidence, reasons = self._trust(claim, parses)
        said = parses[0].denotations[0] if parses and parses[0].denotations is not None else None
        return Answered(said if confidence >= answer_if else None, confidence, reasons, parses)

    def _trust(self, sentence: str, parses: Sequence[Parse | ScoredProgram]) -> tuple[float, tuple[Doubt, ...]]:
        """How far the first program is to be trusted, and what speaks against it."""
        if not parses:
            return 0.0, (Doubt("nothing", "no program was found for the sentence"),)
        found = self._evidence(sentence, parses)
        return (self.confidence or DEFAULT_CONFIDENCE).of(found), tuple(doubts(found, self.language))

    def _evidence(self, sentence: str, parses: Sequence[Parse | ScoredProgram]) -> Evidence:
        """What is known about the first program."""
        kind = kind_of(self.domain, sentence)
        lexicon = self.domain.lexicon(self.language)
        familiar = frozenset(self.about.familiar or ())
        return evidence(
            parses[0].program,
            None if lexicon is None else lexicon.hints(Unlabelled(sentence)),
            probability=parses[0].probability,
            rival=max((one.probability for one in parses[1:]), default=0.0),
            strange=strangeness(kind, familiar, hash_of_kind) if familiar else 0.0,
            is_new=self.about.seen is not None and hash_of_kind(kind) not in self.about.seen,
        )

    def predict(
        self, utterances: Sequence[Utterance], *, beam: int | None = None, tick: Callable[[int], None] = lambda _: None
    ) -> list[Prediction]:
        """The best program of each utterance and what it says, and how far it is to be trusted; no labels are needed.

        Programs are simplified as in `parse`. Sentences are taken as statements.
        """
        trusted: dict[str, tuple[float, tuple[Doubt, ...]]] = {}

        def judged() -> Iterator[tuple[int, list[ScoredProgram]]]:
            for index, found in self._simplifying.parse(corpus, beam=beam):
                sentence = corpus.utterances[index].sentence
                if sentence not in trusted:
                    trusted[sentence] = self._trust(sentence, found)
                yield index, found

        corpus = self._corpus(utterances)
        predictions = predictions_of(corpus, judged(), tick)
        return [
            replace(one, confidence=confidence, reasons=tuple(map(str, reasons)))
            for one in predictions
            for confidence, reasons in [trusted[one.sentence]]
        ]

    def evaluate(self, utterances: Sequence[Utterance], predictions: Sequence[Prediction] | None = None) -> Evaluation:
        """Accuracy and consistency on labelled utterances, as a whole and in parts."""
        return evaluate(
            utterances,
            self.predict(utterances) if predictions is None else predictions,
            abstraction=lambda sentence: hash_of_kind(kind_of(self.domain, sentence)),
            seen=self.about.seen,
            kind=self.domain.kind,
            agrees=self.domain.agrees,
        )

    @property
    def can_be_taught(self) -> bool:
        """Whether it learns from marked answers; a network does not."""
        return isinstance(self.parser, Ranker)

    def taught(self, marked: Sequence[Utterance]) -> Model:
        """A model that has learned from a few marked answers, in seconds; this one stays as it is.

        Only a ranker can be taught: it learns from true and false alone, and changes as little as it can.
        """
        if not isinstance(self.parser, Ranker):
            raise ChoraleError(f"a {self.about.kind} cannot be taught; take a ranker, such as the shipped {DEFAULT!r}")
        problem, _ = pose(self._corpus(marked), self.parser, TEACHING_FLIP)
        if not problem.utterances:
            raise ChoraleError("there is nothing to learn from: no marked sentence has a program")
        return Model(self.parser.with_weights(taught(self.parser, problem)), self.domain, self.about)

    def save(self, folder: str | Path) -> None:
        """Write the model into a folder, which `load` reads."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        about = self.about.model_dump(include={"domain", "language", "recipe", "seed", "beam", "metrics", "seen"})
        write_model(Path(folder) / "model.json", self.parser, {**about, "familiar": self.about.familiar})

    def probe(self, utterances: Sequence[Utterance], *, contexts: int = CONTEXTS) -> Probe:
        """How often the answer hangs on a toss-up between meanings that generated contexts tell apart."""
        return probe(self.parser, self._corpus(utterances), self.domain, self.language, contexts=contexts)

    def _corpus(self, utterances: Sequence[Utterance], *, grounded: bool = True) -> Corpus:
        return Corpus.of(self.domain, self.language, utterances, grounded=grounded, **self.about.given)


def shipped() -> dict[str, Path]:
    """The folders of the models inside the package, by name; the first is the one that is loaded by default."""
    folder = Path(str(files("chorale"))) / "models"
    found = {path.parent.name: path.parent for path in sorted(folder.glob("*/model.json"))}
    return dict(sorted(found.items(), key=lambda item: item[0] != DEFAULT))


def load(path: str | Path | None = None, domain: Domain | None = None, device: str = "cpu") -> Model:
    """The trained parser in the folder of a run, or of a model that was copied elsewhere, or a shipped one by its name.

    Without a path it is the best of those that ship. A folder that is there has the first say.

    A model of a domain that is not installed needs the domain: what a file says is never imported.
    """
    if path is None and not shipped():
        raise ChoraleError("no model ships with this Chorale; name the folder of a run")
    path = path or next(iter(shipped().values()))
    path = path if Path(path).exists() else shipped().get(str(path), path)
    file = Path(path)
    if file.is_dir():
        file = file / "model.json"
        if not file.exists() and (problem := explain_unfinished(Path(path))):
            raise ChoraleError(problem)
    if not file.exists() or file.suffix != ".json":
        close, names = nearest(str(path), shipped()), ", ".join(shipped())
        hint = f"did you mean {close!r}?" if close else f"expected the folder of a run, or one that ships: {names}"
        raise ChoraleError(f"{path}: no model {'here' if Path(path).exists() else 'of this name'}; {hint}")
    about = read_about(file)
    if domain is None and about.domain not in registered():
        raise ChoraleError(
            f"{file}: there is no domain {about.domain!r} installed here, of which the model speaks; name its class, "
            "as in --domain mymodule:Bar"
        )
    domain = domain or find_domain(about.domain)
    if domain.name != about.domain:
        raise ChoraleError(f"{file}: the model speaks of {about.domain}, not of {domain.name}")
    return Model(read_model(file, about, domain, device), domain, about)
