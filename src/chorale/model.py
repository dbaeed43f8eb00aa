"""A trained parser as its users see it.

parser = chorale.load("runs/language")
for parse in parser.parse("There is a black square", scenes):
    print(parse.probability, parse.program, parse.denotations)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Answer, Domain, Unlabelled, Utterance, grammar_of, kind_of
from chorale.domain.registry import find_domain
from chorale.errors import ChoraleError
from chorale.evaluation.evaluate import Evaluation, evaluate
from chorale.evaluation.predictions import Prediction
from chorale.language.grammar import Grammar
from chorale.language.program import Program
from chorale.parser import Beam, Parser, Reranker
from chorale.runs.checkpoints import mark_of, read_about, read_model, read_reranker
from chorale.training.corpora import Corpus, agenda_of
from chorale.training.decoding import decode, evaluating
from chorale.training.rewards import Rewards


@dataclass(frozen=True)
class Parse:
    """One program for a sentence."""

    program: Program
    probability: float
    denotations: tuple[Answer, ...] | None
    """What it says in each context, if any were given."""
    words: tuple[str, ...] = field(repr=False)
    """The sentence as the parser read it."""
    attention: NDArray[np.float32] = field(repr=False)
    """Where each action looked: (action, word)."""
    rank_probability: float | None = None
    """How likely the reranker holds the program to be right, if the model has one."""


class Model:
    """A parser together with the domain it speaks of, and the reranker that helps it to choose, if there is one."""

    def __init__(self, parser: Parser, domain: Domain, about: dict[str, Any], reranker: Reranker | None = None) -> None:
        self.parser = parser
        self.reranker = reranker
        self.domain = domain
        self.about = about
        self.language: str = about["language"]
        self.beam = int(about.get("beam", 10))
        self.max_actions = int(about.get("max_actions", 21))
        self.agenda = bool(about.get("agenda", False))
        """Whether the parser is told what a sentence triggers."""

    def parse(self, sentence: str, scenes: Sequence[Any] | None = None, *, beam: int | None = None) -> list[Parse]:
        """The programs in the beam, the best first, and what each says about the scenes.

        The best is the most probable one; with a reranker both have a say.
        """
        words = tuple(map(str, self.domain.words(sentence)))
        if not words:
            raise ChoraleError(f"there is no word in {sentence!r}")
        grounding = self.domain.ground(self.language, [Unlabelled(sentence, tuple(scenes))]) if scenes else None
        grammar = grounding.grammar(0) if grounding else self.parser.grammar
        own = None if grammar is self.parser.grammar else [grammar]
        with evaluating(self.parser):
            agendas = [agenda_of(self.domain, self.language, Unlabelled(sentence))] if self.agenda else None
            encoding = self.parser.encode([words], grammars=own, agendas=agendas)
            found = self.parser.search(encoding, beam or self.beam, self.max_actions, attention=True)
        found, ranks = self._reranked(words, found, own)
        assert found.attention is not None
        parses = []
        for rank in np.flatnonzero(found.found[0].numpy(force=True)):
            actions = [action for action in found.actions[0, rank].tolist() if action >= 0]
            program = Program.from_actions(actions, grammar)
            attention = found.attention[0, rank, : len(actions)].numpy(force=True)
            answers = grounding.answers(program, 0) if grounding else None
            probability = math.exp(found.log_probabilities[0, rank].item())
            parses.append(Parse(program, probability, answers, words, attention, ranks[rank] if ranks else None))
        return parses

    def _reranked(
        self, words: Sequence[str], beam: Beam, own: Sequence[Grammar] | None
    ) -> tuple[Beam, list[float] | None]:
        """The beam of one sentence in its final order, and what the reranker thinks of each program."""
        if self.reranker is None:
            return beam, None
        with evaluating(self.reranker):
            ranked = self.reranker.rerank([words], beam, grammars=own)
        return ranked.beam, ranked.probabilities[0].tolist()

    def predict(
        self, utterances: Sequence[Utterance], *, beam: int | None = None, tick: Callable[[int], None] = lambda _: None
    ) -> list[Prediction]:
        """The best program of each utterance and what it says; no labels are needed."""
        corpus = Corpus.of(self.domain, self.language, utterances, agenda=self.agenda)
        return decode(
            self.parser,
            corpus,
            Rewards(corpus.grounding),
            beam or self.beam,
            self.max_actions,
            tick,
            agenda=self.agenda,
            reranker=self.reranker,
        )

    def evaluate(self, utterances: Sequence[Utterance], predictions: Sequence[Prediction] | None = None) -> Evaluation:
        """Accuracy and consistency on labelled utterances, as a whole and in parts."""
        return evaluate(
            utterances,
            self.predict(utterances) if predictions is None else predictions,
            abstraction=lambda sentence: mark_of(kind_of(self.domain, sentence)),
            seen=self.about.get("seen"),
            kind=self.domain.kind,
            agrees=self.domain.agrees,
        )


def shipped() -> Path | None:
    """The folder of the model inside the package, if this Chorale has one."""
    folder = Path(str(files("chorale"))) / "models" / "consistency"
    return folder if (folder / "model.json").is_file() else None


def load(path: str | Path | None = None, domain: Domain | None = None, device: str = "cpu") -> Model:
    """The trained parser in the folder of a run, or of a model that was copied elsewhere; without one, the shipped."""
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
    domain = domain or find_domain(about["domain"])
    if domain.name != about["domain"]:
        raise ChoraleError(f"{file}: the model speaks of {about['domain']}, not of {domain.name}")
    parser = read_model(file, grammar_of(domain, about["language"]), device)
    return Model(parser, domain, about, read_reranker(file, parser))
