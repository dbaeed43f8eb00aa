"""The ranker: a parser that lists the meanings a sentence may have and chooses among them.

There is no network. The search from words alone (`search.from_words`) proposes programs, and weights of features that
all sentences share (`features`) say how probable each of them is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

from chorale.domain import Domain, Hints, Reading, Utterance
from chorale.domain.parsing import Corpus, Parsed
from chorale.evaluation.confidence import Confidence
from chorale.language import Program
from chorale.language.grammar import Grammar
from chorale.plumbing.cache import Cache
from chorale.ranker.features import Feature
from chorale.ranker.parts import Sentence
from chorale.search.from_words import FromWords, WordsSettings

BEAM = 20
"""How many meanings are given if nobody says; what comes after has next to no probability."""
_REMEMBERED = 4_096  # utterances


@dataclass(frozen=True)
class Reason:
    """A feature that speaks for a program, or against it."""

    feature: Feature
    weight: float


class Ranker:
    """Weights, and the search that proposes what they choose from."""

    def __init__(
        self,
        domain: Domain,
        language: str,
        search: WordsSettings,
        weights: Mapping[Feature, float],
        templates: Collection[str] | None = None,
        confidence: Confidence | None = None,
    ) -> None:
        self.domain, self.language, self.search, self.weights = domain, language, search, weights
        self.templates, self.confidence = templates, confidence
        self._from_words = FromWords(domain, language, search)
        self.remembered: Cache[Hashable, list[Reading]] = Cache(_REMEMBERED)

    def with_weights(self, weights: Mapping[Feature, float]) -> Ranker:
        """The same with other weights."""
        other = Ranker(self.domain, self.language, self.search, weights, self.templates, self.confidence)
        other.remembered.most = self.remembered.most
        return other

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Parsed:
        """The most probable readings of every utterance; there is no attention."""
        for index, utterance in enumerate(corpus.utterances):
            readings = self.remembered.get(self.domain.identity(utterance), partial(self.ranked, utterance))
            yield index, readings[: top or beam or BEAM]

    def reasons(self, utterance: Utterance, program: Program) -> list[Reason]:
        """The features of a program that have a weight, the heaviest first."""
        sentence = self.sentence(utterance)
        parts = sentence.parts(program, self.true_of(utterance, program))
        features = [feature for part in parts for feature in sentence.features(part)]
        weighed = [Reason(feature, self.weights[feature]) for feature in features if feature in self.weights]
        return sorted(weighed, key=lambda reason: -abs(reason.weight))

    def sentence(self, utterance: Utterance) -> Sentence:
        """What the features look at."""
        return Sentence(self.hints(utterance), self.grammar(utterance), self.templates)

    def grammar(self, utterance: Utterance) -> Grammar:
        """What programs of an utterance are written in, with its own constants."""
        return self._from_words.meanings(utterance).language.grammar

    def true_of(self, utterance: Utterance, program: Program) -> float | None:
        """The share of contexts, those that tell its meanings apart, of which a program is true."""
        return self._from_words.meanings(utterance).true_of(program)

    def hints(self, utterance: Utterance) -> Hints:
        """What the lexicon says of a sentence."""
        return self._from_words.hints(utterance)

    def candidates(self, utterance: Utterance) -> list[Reading]:
        """What is chosen from."""
        return self._from_words.search(utterance)

    def ranked(self, utterance: Utterance) -> list[Reading]:
        """The meanings of a sentence, the most probable first, each in its most probable spelling."""
        sentence, weight_of = self.sentence(utterance), self.weights.get
        worth: dict[int, float] = {}
        spellings: dict[Hashable, list[tuple[float, Reading]]] = {}
        for candidate in self.candidates(utterance):
            score = candidate.log_prior
            for part in sentence.parts(candidate.program, candidate.true_of):
                if part not in worth:
                    worth[part] = sum([weight_of(feature, 0.0) for feature in sentence.features(part)])
                score += worth[part]
            spellings.setdefault(candidate.meaning, []).append((score, candidate))
        scored = [
            (_log_sum(score for score, _ in some), max(some, key=itemgetter(0))[1]) for some in spellings.values()
        ]
        scored.sort(key=lambda pair: -pair[0])
        total = _log_sum(score for score, _ in scored) if scored else 0.0
        return [replace(reading, log_probability=score - total) for score, reading in scored]


def _log_sum(scores: Iterable[float]) -> float:
    """The logarithm of summed exponentials."""
    listed = list(scores)
    highest = max(listed)
    return highest + math.log(sum(math.exp(score - highest) for score in listed))
