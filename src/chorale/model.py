"""A trained parser as its users see it.

parser = chorale.load("runs/language")
for parse in parser.parse("There is a black square", scenes):
    print(parse.probability, parse.program, parse.denotations)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from chorale.domain import Answer, Domain, Unlabelled, Utterance, grammar_of, kind_of
from chorale.domain.parsing import Corpus, SentenceParser
from chorale.domain.registry import find_domain, registered
from chorale.errors import ChoraleError
from chorale.evaluation.evaluate import Evaluation, evaluate
from chorale.evaluation.predictions import Prediction, predict
from chorale.language.program import Program
from chorale.runs.checkpoints import ModelFile, hash_of_kind, read_about, read_model


@dataclass(frozen=True)
class Parse:
    """One program for a sentence."""

    program: Program
    probability: float
    denotations: tuple[Answer, ...] | None
    """What it says in each context, if any were given."""
    words: tuple[str, ...] = field(repr=False)
    """The sentence as the parser read it."""
    attention: NDArray[np.float32] | None = field(default=None, repr=False)
    """Where each action looked, (action, word), if the parser attends to words."""
    rank_probability: float | None = None
    """How likely the reranker holds the program to be right, if the model has one."""


class Model:
    """Any parser together with the domain it speaks of."""

    def __init__(self, parser: SentenceParser, domain: Domain, about: ModelFile) -> None:
        self.parser = parser
        self.domain = domain
        self.about = about
        self.language = about.language
        self.beam = about.beam

    def parse(self, sentence: str, contexts: Sequence[Any] | None = None, *, beam: int | None = None) -> list[Parse]:
        """The programs in the beam, the best first, and what each says about the contexts.

        The best is the most probable one; with a reranker both have a say.
        """
        corpus = self._corpus([Unlabelled(sentence, tuple(contexts or ()))], grounded=bool(contexts))
        [words] = corpus.words
        if not words:
            raise ChoraleError(f"there is no word in {sentence!r:.80}")
        with _one_thread():
            [(_, found)] = self.parser.parse(corpus, beam=beam, attention=True)
        return [
            Parse(
                one.program,
                math.exp(one.log_probability),
                corpus.grounding.answers(one.program, 0) if contexts else None,
                tuple(words),
                one.attention,
                one.rank_probability,
            )
            for one in found
        ]

    def predict(
        self, utterances: Sequence[Utterance], *, beam: int | None = None, tick: Callable[[int], None] = lambda _: None
    ) -> list[Prediction]:
        """The best program of each utterance and what it says; no labels are needed."""
        return predict(self.parser, self._corpus(utterances), beam=beam, tick=tick)

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

    def _corpus(self, utterances: Sequence[Utterance], *, grounded: bool = True) -> Corpus:
        rules = self.about.decoding
        return Corpus.of(
            self.domain,
            self.language,
            utterances,
            agenda=self.about.agenda,
            hints=self.about.sizes.lexicon or rules.unexplained > 0,
            sample=rules.informative,
            grounded=grounded,
        )


@contextmanager
def _one_thread() -> Iterator[None]:
    """For one sentence a second thread only costs; the caller's setting is left as it was."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def shipped() -> Path | None:
    """The folder of the model inside the package, if this Chorale has one."""
    folder = Path(str(files("chorale"))) / "models" / "consistency"
    return folder if (folder / "model.json").is_file() else None


def load(path: str | Path | None = None, domain: Domain | None = None, device: str = "cpu") -> Model:
    """The trained parser in the folder of a run, or of a model that was copied elsewhere; without one, the shipped.

    A model of a domain that is not installed needs the domain: what a file says is never imported.
    """
    path = path or shipped()
    if path is None:
        raise ChoraleError("no model ships with this Chorale; name the folder of a run")
    file = Path(path)
    if file.is_dir():
        file = file / "model.json"
        if not file.exists() and (Path(path) / "progress.json").exists():
            raise ChoraleError(f"{path}: this run is not complete yet; go on with it: chorale train ... --out {path}")
    if not file.exists():
        raise ChoraleError(f"{file}: no such model; expected the folder of a run")
    about = read_about(file)
    if domain is None and about.domain not in registered():
        raise ChoraleError(
            f"{file}: there is no domain {about.domain!r} installed here, of which the model speaks; name its class, "
            "as in --domain mymodule:Bar"
        )
    domain = domain or find_domain(about.domain)
    if domain.name != about.domain:
        raise ChoraleError(f"{file}: the model speaks of {about.domain}, not of {domain.name}")
    return Model(read_model(file, about, grammar_of(domain, about.language), device), domain, about)
