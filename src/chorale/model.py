"""A trained parser as its users see it.

    parser = chorale.load("runs/language")
    for reading in parser.parse("There is a black square", "picture.png"):
        print(reading.probability, reading.program, reading.answers)

Readings come best first. What a parse alone does not need is imported by the method that needs it: `chorale parse` is
mostly imports.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from chorale.domain import Answer, Domain, Doubt, Reading, TracedPart, Unlabelled, Utterance, hints_of, kind_of, needed
from chorale.domain.contexts import context_of, contexts_of
from chorale.domain.lexicon import unknown_words
from chorale.domain.meanings import FOR_PROBES
from chorale.domain.parsing import Corpus, Parsed, SentenceParser, Simplifying
from chorale.domain.queries import Query
from chorale.domain.registry import find_domain, registered
from chorale.domain.utterance import utterances_of
from chorale.errors import ChoraleError, nearest
from chorale.evaluation.confidence import DEFAULT_CONFIDENCE, LEAST, Confidence, Sure
from chorale.evaluation.doubts import Evidence, doubts, evidence, pairs
from chorale.evaluation.evaluate import Evaluation, evaluate
from chorale.evaluation.metrics import percent
from chorale.evaluation.predictions import may_be_silent, predictions_of
from chorale.language import plain
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.ranker import Ranker
from chorale.runs.models import ModelFile, hash_of_kind, read_about, read_model, write_model

if TYPE_CHECKING:
    from chorale.evaluation.probe import Probe
    from chorale.evaluation.robustness import Robustness
    from chorale.explain import Explanation
    from chorale.explain.reply import Reply
    from chorale.training.recipes import Recipe

DEFAULT = "best"
"""The model that is loaded if none is named."""
ANSWER_IF = 0.5
"""How sure a model must be to answer."""

Asked = tuple[str, Any]
"""A sentence, and the context it is about."""

log = logging.getLogger("chorale")

_KEPT = (
    "domain",
    "language",
    "recipe",
    "seed",
    "beam",
    "metrics",
    "seen",
    "familiar",
    "words",
    "taught",
    "taught_words",
)


@dataclass(frozen=True)
class Answered:
    """What a model says about a sentence, and whether to believe it."""

    answer: Answer | None
    """None if it is not known, or if there was nothing to ask about."""
    confidence: float
    """How likely the answer is right."""
    reasons: tuple[Doubt, ...]
    """What speaks against it."""
    readings: list[Reading]
    """The best first; none for questions that are not answered with yes or no."""
    meant: float = 0.0
    """How likely the first reading is what was meant; another one may give the same answer."""


class Model:
    """Any parser together with the domain it speaks of."""

    def __init__(self, parser: SentenceParser, domain: Domain, about: ModelFile) -> None:
        self.parser = parser
        self.domain = domain
        self.about = about
        self.language = about.language
        self.beam = about.beam
        fitted: Confidence | None = getattr(parser, "confidence", None) or about.confidence
        self.confidence = fitted if fitted is not None and fitted.is_known else DEFAULT_CONFIDENCE
        self.spoken = domain.languages[about.language]
        self._simplifying = Simplifying(parser, self.spoken)
        self._known, self._familiar = (
            None if hashes is None else frozenset(hashes) for hashes in (about.words, about.familiar)
        )
        self._taught_words = frozenset(about.taught_words)

    def __repr__(self) -> str:
        return f"<Model {self._described}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._described)}</p>"

    @property
    def _described(self) -> str:
        """What it is, and how good."""
        about, figures = self.about, percent(self.about.metrics, "dev_")
        name = f"{about.recipe or 'without a name'}, seed {about.seed}"
        known = f", dev {figures}" if figures else ""
        return f"{name}: a {about.kind_text} for {about.domain}, language {about.language}{known}"

    # -- reading -------------------------------------------------------------------------------------------------------

    @overload
    def parse(self, sentence: str, contexts: Any = None, *, beam: int | None = None) -> list[Reading]: ...
    @overload
    def parse(
        self, sentence: list[str] | tuple[str, ...] | list[Asked], contexts: Any = None, *, beam: int | None = None
    ) -> list[list[Reading]]: ...

    def parse(
        self,
        sentence: str | list[str] | tuple[str, ...] | list[Asked],
        contexts: Any = None,
        *,
        beam: int | None = None,
    ) -> list[Reading] | list[list[Reading]]:
        """The readings in the beam, the best first, and what each says about the contexts.

        A context is what the domain speaks of, its file or its JSON, and there may be a list of them. Several sentences
        are parsed together, and each has a list of readings; they are asked about the same contexts, or each comes as
        a pair with a context of its own.

        The best is the one that the parser puts first: the most probable one; with a reranker both count. Programs
        are simplified by the laws of their language, and those that become the same are one.
        """
        if isinstance(sentence, str):
            return self.read([Unlabelled(sentence, contexts_of(self.domain, contexts))], beam=beam)[0]
        return self.read(self._asked(sentence, contexts_of(self.domain, contexts)), beam=beam)

    def read(self, utterances: Sequence[Utterance], *, beam: int | None = None) -> list[list[Reading]]:
        """The readings of utterances, each with what it says about the utterance's contexts."""
        if not utterances:
            return []
        corpus = self._corpus(utterances, grounded=any(utterance.contexts for utterance in utterances))
        for utterance, words in zip(utterances, corpus.words, strict=True):
            if not words:
                raise ChoraleError(f"there is no word in {utterance.sentence!r:.80}")
        readings: dict[int, list[Reading]] = {}
        for index, beam_of in self._simplifying.parse(corpus, beam=beam, attention=True):
            said, utterance = tuple(corpus.words[index]), utterances[index]
            readings[index] = [
                replace(
                    one,
                    answers=corpus.grounding.answers(one.program, index) if utterance.contexts else None,
                    words=said,
                    utterance=utterance,
                    origin=self,
                )
                for one in beam_of
            ]
        return [readings[index] for index in range(len(utterances))]

    def _asked(self, asked: Any, contexts: tuple[Any, ...]) -> list[Unlabelled]:
        """Sentences about the same contexts, or pairs of a sentence and its own context."""
        if isinstance(asked, list | tuple):
            if all(isinstance(one, str) for one in asked):
                return [Unlabelled(one, contexts) for one in asked]
            if all(isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str) for one in asked):
                if contexts:
                    raise ChoraleError(
                        f"each sentence has a {self.domain.context_word} of its own; leave out the other"
                    )
                return [Unlabelled(one, (context_of(self.domain, context),)) for one, context in asked]
        raise ChoraleError(
            "expected a sentence, a list of sentences, or a list of pairs (sentence, context); found "
            f"{type(asked).__name__} {asked!r:.60}"
        )

    # -- answering -----------------------------------------------------------------------------------------------------

    @overload
    def answer(
        self, sentence: str, context: Any = None, *, answer_if: float = ANSWER_IF, beam: int | None = None
    ) -> Answered: ...
    @overload
    def answer(
        self,
        sentence: list[str] | tuple[str, ...] | list[Asked],
        context: Any = None,
        *,
        answer_if: float = ANSWER_IF,
        beam: int | None = None,
    ) -> list[Answered]: ...

    def answer(
        self,
        sentence: str | list[str] | tuple[str, ...] | list[Asked],
        context: Any = None,
        *,
        answer_if: float = ANSWER_IF,
        beam: int | None = None,
    ) -> Answered | list[Answered]:
        """What the best program says about a context, if it is trusted enough, and what speaks against it.

        A yes/no question is answered like the statement it asks about. Below a confidence of `answer_if` the answer is
        None: not known. Several sentences have a list of answers; see `parse`.
        """
        given = () if context is None else (context_of(self.domain, context),)
        if isinstance(sentence, str):
            return self.answered(Unlabelled(sentence, given), answer_if=answer_if, beam=beam)
        return [self.answered(one, answer_if=answer_if, beam=beam) for one in self._asked(sentence, given)]

    def answered(self, asked: Unlabelled, *, answer_if: float = ANSWER_IF, beam: int | None = None) -> Answered:
        """The same for an utterance, whose context is taken as it is."""
        claim = self.domain.statement(asked.sentence)
        if claim is None:
            return Answered(None, 0.0, (Doubt("question", "this question cannot be answered with yes or no"),), [])
        if not self.domain.words(claim):
            return Answered(None, 0.0, (Doubt("empty", "there is no word in it"),), [])
        if (beyond := self.domain.beyond(asked)) is not None:
            return Answered(None, 0.0, (beyond,), [])
        slips = {} if self._known is None else self.domain.slips(asked, self._is_known)
        meant = replace(asked, sentence=_with_words(claim, slips))
        [readings] = self.read([meant], beam=beam)
        sure, reasons = self._trust(meant, readings)
        reasons += tuple(Doubt("typo", f"{typed!r} is read as {read!r}") for typed, read in slips.items())
        said = readings[0].answers[0] if readings and readings[0].answers else None
        answer = said if sure.confidence >= answer_if else None
        return Answered(answer, sure.confidence, reasons, readings, sure.meant)

    @overload
    def ask(self, about: Any, question: str, *, answer_if: float = ANSWER_IF, **options: Any) -> Reply: ...
    @overload
    def ask(
        self, about: Any, question: Sequence[str], *, answer_if: float = ANSWER_IF, **options: Any
    ) -> list[Reply]: ...

    def ask(
        self, about: Any, question: str | Sequence[str], *, answer_if: float = ANSWER_IF, **options: Any
    ) -> Reply | list[Reply]:
        """A question about a table, answered with all that is needed to check it; several have a list of replies.

        The table is a file, a frame of pandas or polars, a list of dicts, a dict of lists, or a `Table`. It is read
        once. Options say how a file is meant that could be read otherwise: `separator`, `header`, `decimal_comma`,
        `day_first`, `encoding`, and `table` where it has several. In other domains it is any context.
        """
        from chorale.explain.reply import Reply  # noqa: PLC0415 - a parse does without

        context = context_of(self.domain, about, **options)
        notes = () if self.domain.codec is None else tuple(self.domain.codec.notes(context))
        replies = []
        for one in [question] if isinstance(question, str) else question:
            answered = self.answered(Unlabelled(one, (context,)), answer_if=answer_if)
            said, readings = self.domain.answers.to_json(answered.answer), tuple(answered.readings)
            sure = answered.confidence, answered.reasons
            replies.append(Reply(one, said, *sure, readings, notes, self.domain, answer_if, answered.meant))
        return replies[0] if isinstance(question, str) else replies

    def _trust(self, utterance: Utterance, readings: Sequence[Reading]) -> tuple[Sure, tuple[Doubt, ...]]:
        """How far the first reading is to be trusted, and what speaks against it.

        Readings need answers where there are contexts: the probable ones, at least, down to the first that has none.
        """
        if not readings or readings[0].is_silent:
            return Sure(0.0, 0.0), (Doubt("nothing", "no program was found for the sentence"),)
        evidence = self._evidence(utterance, readings)
        sure = self.confidence.of(evidence)
        return sure, tuple(doubts(evidence, self.language, sure.confidence))

    def _is_known(self, word: str) -> bool:
        """Whether training sentences had a word."""
        return self._known is not None and hash_of_kind(word) in self._known

    def _evidence(self, utterance: Utterance, readings: Sequence[Reading]) -> Evidence:
        """What is known about the first reading."""
        kind = kind_of(self.domain, utterance.sentence)
        hints = hints_of(self.domain, self.language, utterance)
        known, familiar = self._known, self._familiar
        is_known = None if known is None else self._is_known
        unknown = unknown_words(hints, self.domain.words(utterance.sentence), is_known)
        found = evidence(
            readings[0].program,
            hints,
            probability=readings[0].probability,
            alike=_alike(readings),
            joints=pairs(kind, self.domain.lemma) if familiar else (),
            is_familiar=lambda pair: familiar is None or hash_of_kind(pair) in familiar or self._is_taught(pair),
            unknown=tuple(word for word in unknown if not self._is_taught(word)),
        )
        unsaid = tuple(words for words in found.unsaid if not all(map(self._is_taught, words.split())))
        return replace(found, unsaid=unsaid)  # what words mean that were taught is not for the lexicon to say

    def _is_taught(self, words: str) -> bool:
        """Whether a marked sentence had a word, or two side by side."""
        return hash_of_kind(words) in self._taught_words

    def predict(
        self, utterances: Sequence[Utterance], *, beam: int | None = None, tick: Callable[[int], None] = lambda _: None
    ) -> list[Reading]:
        """The best reading of each utterance, what it says, and how far it is to be trusted; no labels are needed.

        Programs are simplified as in `parse`. Sentences are taken as statements.
        """
        trusted: dict[int, tuple[Sure, tuple[Doubt, ...]]] = {}

        def judged() -> Parsed:
            for index, readings in self._simplifying.parse(corpus, beam=beam):
                probable = [one for number, one in enumerate(readings) if not number or one.probability >= LEAST]
                if probable and probable[0].answer_probability is None and corpus.utterances[index].contexts:
                    answers = corpus.grounding.answers
                    probable = [replace(one, answers=answers(one.program, index)) for one in probable]
                trusted[index] = self._trust(corpus.utterances[index], probable)
                yield index, readings

        corpus = self._corpus(utterances)
        predictions = predictions_of(corpus, judged(), tick, silent=may_be_silent(self.parser))
        return [
            replace(one, confidence=sure.confidence, meant=sure.meant, reasons=reasons, origin=self)
            for index, one in enumerate(predictions)
            for sure, reasons in [trusted[index]]
        ]

    def evaluate(
        self, data: str | Path | Sequence[Utterance], predictions: Sequence[Reading] | None = None
    ) -> Evaluation:
        """How often it is right on labelled utterances, or on those of a data file, overall and in parts."""
        utterances = self.domain.read(Path(data)) if isinstance(data, str | Path) else data
        return evaluate(
            utterances,
            self.predict(utterances) if predictions is None else predictions,
            abstraction=lambda sentence: hash_of_kind(kind_of(self.domain, sentence)),
            seen=self.about.seen,
            kind=self.domain.kind,
            compared=self.domain.answers,
        )

    def probe(self, utterances: Sequence[Utterance], *, contexts: int = FOR_PROBES) -> Probe:
        """How often the answer hangs on a toss-up between meanings that generated contexts tell apart."""
        from chorale.evaluation.probe import probe  # noqa: PLC0415 - a parse does without

        return probe(self.parser, self._corpus(utterances), self.domain, self.language, contexts=contexts)

    def robustness(self, utterances: Sequence[Utterance], predictions: Sequence[Reading] | None = None) -> Robustness:
        """How many right answers stay right when utterances change and what is right is known (`Domain.probes`)."""
        from chorale.evaluation.robustness import robustness_of  # noqa: PLC0415 - a parse does without

        probes = needed(self.domain.probes, self.domain, "probes", "robustness")
        said = self.predict(utterances) if predictions is None else predictions
        return robustness_of(self.predict, probes, utterances, said, self.domain.answers)

    # -- explaining: what readings ask their origin --------------------------------------------------------------------

    def plain(self, reading: Reading) -> str | None:
        """A reading in plain English; None if its language has no words for it."""
        return None if reading.is_silent else plain(reading.program, self.spoken)

    def query(self, reading: Reading) -> Query | None:
        """A reading as SQL about its first context; None if its domain has no SQL, or nothing was asked about."""
        queries, asked = self.domain.queries, reading.utterance
        if queries is None or asked is None or not asked.contexts or reading.is_silent:
            return None
        return queries.query(reading.program, asked.contexts[0])

    def answer_text(self, answer: Answer | None) -> str:
        """An answer as people have it."""
        return self.domain.answers.text(answer)

    def trace(self, reading: Reading) -> Sequence[TracedPart]:
        """Each part of a reading's program, innermost first, with what it returns on the first context."""
        asked = reading.utterance
        if asked is None or not asked.contexts:
            raise ChoraleError(f"a trace needs a context: parse the sentence with a {self.domain.context_word}")
        if reading.is_silent:
            return ()
        bound = self.domain.bind(self.language, asked, asked.contexts[:1])
        return self.domain.tracing.trace(reading.program, bound, asked.contexts[0])

    def explain(self, reading: Reading, *, answer_if: float = ANSWER_IF) -> Explanation:
        """Why a sentence was read so, and what follows for its first context."""
        from chorale.explain import Belief, explain  # noqa: PLC0415 - a parse does without

        asked = reading.utterance
        assert asked is not None
        # With all contexts, since the constants of programs may come from any of them.
        answered = self.answered(Unlabelled(asked.sentence, tuple(asked.contexts)), answer_if=answer_if)
        trust = None
        if answered.readings and answered.readings[0].program == reading.program:
            is_enough = answered.confidence >= answer_if
            trust = Belief(answered.confidence, answered.reasons, is_enough, answered.meant)
        return explain(reading, answered.readings, asked, self.domain, self.language, self.parser, trust)

    # -- teaching ------------------------------------------------------------------------------------------------------

    @property
    def can_be_taught(self) -> bool:
        """Whether it learns from marked answers; a network does not."""
        return isinstance(self.parser, Ranker | KeyedRanker)

    def taught(self, marked: Sequence[Utterance]) -> Model:
        """A model that has learned from a few marked answers, in seconds; this one stays as it is.

        Only a ranker can be taught: it learns from answers alone, and changes as little as it can.
        """
        if isinstance(self.parser, KeyedRanker):
            parser: SentenceParser = self._taught_by_key(self.parser, utterances_of(marked))
        elif isinstance(self.parser, Ranker):
            parser = self._taught(self.parser, marked)
        else:
            raise ChoraleError(f"a {self.about.kind} cannot be taught; take a ranker, such as the shipped {DEFAULT!r}")
        words = {word for one in marked for word in self.domain.words(one.sentence)}
        words.update(pair for one in marked for pair in pairs(kind_of(self.domain, one.sentence), self.domain.lemma))
        hashes = self._taught_words.union(map(hash_of_kind, words))
        taught = {"taught": self.about.taught + len(marked), "taught_words": sorted(hashes)}
        about = self.about.model_copy(update=taught)
        return Model(parser, self.domain, about)

    def _taught(self, ranker: Ranker, marked: Sequence[Utterance]) -> Ranker:
        from chorale.ranker.posing import pose  # noqa: PLC0415 - a parse does without
        from chorale.ranker.teaching import TEACHING_FLIP, taught  # noqa: PLC0415

        problem, _ = pose(self._corpus(marked), ranker, TEACHING_FLIP)
        if not problem.utterances:
            raise ChoraleError("there is nothing to learn from: no marked sentence has a program")
        return ranker.with_weights(taught(ranker, problem))

    def _taught_by_key(self, ranker: KeyedRanker, marked: Sequence[Utterance]) -> KeyedRanker:
        from chorale.ranker.keyed_teaching import questions_of, taught_by_key  # noqa: PLC0415 - a parse does without

        if (questions := questions_of(ranker, marked)) is None:
            raise ChoraleError("there is nothing to learn from: no program gives an answer that was marked as right")
        return ranker.with_weights(taught_by_key(ranker, questions))

    def save(self, folder: str | Path) -> None:
        """Write the model into a folder, which `load` reads."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        about = self.about.model_dump(include={*_KEPT})
        write_model(Path(folder) / "model.json", self.parser, about)

    def _corpus(self, utterances: Sequence[Utterance], *, grounded: bool = True) -> Corpus:
        checked = utterances_of(utterances)
        return Corpus.of(self.domain, self.language, checked, grounded=grounded, **self.about.given)


def _alike(readings: Sequence[Reading]) -> float | None:
    """How probable the readings are that give the same answers as the first; None if there are no answers."""
    first = readings[0]
    if first.answer_probability is not None or first.answers is None:
        return first.answer_probability
    return sum(one.probability for one in readings if one.answers == first.answers and one.probability >= LEAST)


def _with_words(sentence: str, others: Mapping[str, str]) -> str:
    """A sentence with other words in the place of some."""
    for word, other in others.items():
        sentence = re.sub(rf"\b{re.escape(word)}\b", other, sentence, flags=re.IGNORECASE)
    return sentence


def train(
    recipe: str | Path | Recipe, data: str | Path, out: str | Path, *, domain: Domain | str | None = None, seed: int = 0
) -> Model:
    """Train a parser, and load it: `chorale.train("ranker", "corpus", "runs/ranker")`.

    A recipe is one that ships, by its name, a TOML file, or what `chorale.training.recipes.parse_recipe` gave; `data` a
    folder with the splits train and dev; `out` the folder of the run. The same call resumes a run that was stopped, and
    loads one that is complete. With another domain than the recipe's, its first language is learned, unless the recipe
    names one that it has.
    """
    from chorale.training.recipes import Recipe, find_recipe, read_recipe  # noqa: PLC0415 - asking alone does not need it
    from chorale.training.train import train as train_run  # noqa: PLC0415 - does without

    read = recipe if isinstance(recipe, Recipe) else read_recipe(find_recipe(_path(recipe, "a recipe")))
    about = _domain(domain or read.domain)
    if domain is not None:
        language = read.language if read.language in about.languages else next(iter(about.languages))
        read = read.model_copy(update={"domain": about.name, "language": language})
    folder, run = _path(data, "a folder with the splits train and dev"), _path(out, "the folder of a run")
    log.info("training %s on %s", read.name, folder)
    return load(train_run(read, folder, run, seed=seed, domain=about), about)


def shipped() -> dict[str, Path]:
    """The folders of the models inside the package, by name; the first is the one that is loaded by default."""
    folder = Path(str(files("chorale"))) / "models"
    models = {path.parent.name: path.parent for path in sorted(folder.glob("*/model.json"))}
    return dict(sorted(models.items(), key=lambda item: item[0] != DEFAULT))


def load(path: str | Path | None = None, domain: Domain | str | None = None, device: str = "cpu") -> Model:
    """The trained parser in the folder of a run, or of a model that was copied elsewhere, or a shipped one by its name.

    Without a path it is the best of those that ship. A folder that is there takes precedence.

    A model of a domain that is not installed needs the domain, or the name of its class, "mymodule:Bar": what a file
    says is never imported.
    """
    if path is None and not shipped():
        raise ChoraleError("no model ships with this Chorale; name the folder of a run")
    path = next(iter(shipped().values())) if path is None else _path(path, "the folder of a run, or one that ships")
    file = _model_file(path if path.exists() else shipped().get(str(path), path))
    known, about, parser = _read(file, domain, device)
    log.info("loading %s: a %s for %s", file, about.kind_text, about.domain)
    return Model(parser, known, about)


def _read(file: Path, domain: Domain | str | None, device: str) -> tuple[Domain, ModelFile, SentenceParser]:
    """What is in a model's file; read anew if another process puts a new model in its place meanwhile."""
    about = read_about(file)
    if domain is None and about.domain not in registered():
        raise ChoraleError(
            f"{file}: there is no domain {about.domain!r} installed here, which the model needs; name its class, "
            "as in --domain mymodule:Bar"
        )
    about_domain = _domain(about.domain if domain is None else domain)
    if about_domain.name != about.domain:
        raise ChoraleError(f"{file}: the model is for {about.domain}, not for {about_domain.name}")
    try:
        return about_domain, about, read_model(file, about, about_domain, device)
    except ChoraleError:
        if read_about(file) == about:
            raise
    return _read(file, domain, device)


def _domain(given: Domain | str) -> Domain:
    """A domain, or that of a name."""
    domain = find_domain(given) if isinstance(given, str) else given
    if not isinstance(domain, Domain):
        name = (
            f"the class {domain.__name__} itself" if isinstance(domain, type) else f"{type(domain).__name__} {domain!r}"
        )
        raise ChoraleError(
            f"expected a domain, as in Bar(), or the name of its class, 'mymodule:Bar'; found {name:.60}"
        )
    return domain


def _path(given: Any, what: str) -> Path:
    if not isinstance(given, str | Path):
        raise ChoraleError(f"expected {what}; found {type(given).__name__} {given!r:.60}")
    return Path(given)


def _model_file(path: Path) -> Path:
    """The JSON of the model in a folder, or the file itself."""
    file = path / "model.json" if path.is_dir() else path
    if path.is_dir() and not file.exists():
        from chorale.runs.listing import explain_unfinished  # noqa: PLC0415 - only needed for the error

        if problem := explain_unfinished(path):
            raise ChoraleError(problem)
    if not file.exists() or file.suffix != ".json":
        close, names = nearest(str(path), shipped()), ", ".join(shipped())
        hint = f"did you mean {close!r}?" if close else f"expected the folder of a run, or one that ships: {names}"
        raise ChoraleError(f"{path}: no model {'here' if path.exists() else 'of this name'}; {hint}")
    return file
