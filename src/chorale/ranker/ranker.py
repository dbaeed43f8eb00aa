"""The ranker: a parser that lists the meanings a sentence may have and chooses among them.

There is no network. The search from words alone (`search.from_words`) proposes programs, and weights of features that
all sentences share (`features`) say how probable each of them is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from chorale.domain import Domain, Hints, Utterance, needed
from chorale.domain.parsing import Corpus, ScoredProgram
from chorale.evaluation.confidence import Confidence
from chorale.language import Program
from chorale.ranker.features import Feature
from chorale.ranker.parts import Sentence
from chorale.search.candidates import Candidate
from chorale.search.from_words import FromWords, WordsSettings

BEAM = 20
"""How many meanings are given if nobody says; what comes after has next to no probability."""
_REMEMBERED = 4_096  # sentences


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
        self._from_words = FromWords.of(domain, language, search)
        self._lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "the ranker")
        self._grammar = domain.languages[language].grammar
        self.most_remembered = _REMEMBERED
        self._remembered: dict[str, list[ScoredProgram]] = {}

    def with_weights(self, weights: Mapping[Feature, float]) -> Ranker:
        """The same with other weights."""
        other = Ranker(self.domain, self.language, self.search, weights, self.templates, self.confidence)
        other.most_remembered = self.most_remembered
        return other

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Iterator[tuple[int, list[ScoredProgram]]]:
        """The most probable programs of every utterance; there is no attention."""
        for index, utterance in enumerate(corpus.utterances):
            yield index, self._known(utterance)[: top or beam or BEAM]

    def reasons(self, utterance: Utterance, program: Program) -> list[Reason]:
        """The features of a program that have a weight, the heaviest first."""
        sentence = self.sentence(utterance)
        parts = sentence.parts(program, self.true_of(utterance, program))
        found = [feature for part in parts for feature in sentence.features(part)]
        weighed = [Reason(feature, self.weights[feature]) for feature in found if feature in self.weights]
        return sorted(weighed, key=lambda reason: -abs(reason.weight))

    def sentence(self, utterance: Utterance) -> Sentence:
        """What the features look at."""
        return Sentence(self.hints(utterance), self._grammar, self.templates)

    def true_of(self, utterance: Utterance, program: Program) -> float | None:
        """The share of generated contexts, those of the sentence, of which a program is true."""
        return self._from_words.true_of(utterance, program)

    def hints(self, utterance: Utterance) -> Hints:
        """What the lexicon says of a sentence."""
        return self._lexicon.hints(utterance)

    def candidates(self, utterance: Utterance) -> list[Candidate]:
        """What is chosen from."""
        return self._from_words.search(utterance)

    def _known(self, utterance: Utterance) -> list[ScoredProgram]:
        """The programs of a sentence, which does not change with what it is said of."""
        if utterance.sentence not in self._remembered:
            if len(self._remembered) >= self.most_remembered:
                self._remembered.clear()
            self._remembered[utterance.sentence] = self.ranked(utterance)
        return self._remembered[utterance.sentence]

    def ranked(self, utterance: Utterance) -> list[ScoredProgram]:
        """The meanings of a sentence, the most probable first, each in its most probable spelling."""
        sentence, weight_of = self.sentence(utterance), self.weights.get
        worth: dict[int, float] = {}
        spellings: dict[int, list[tuple[float, Program]]] = {}
        for candidate in self.candidates(utterance):
            score = candidate.prior.log
            for part in sentence.parts(candidate.program, candidate.true_of):
                if part not in worth:
                    worth[part] = sum([weight_of(feature, 0.0) for feature in sentence.features(part)])
                score += worth[part]
            spellings.setdefault(candidate.meaning, []).append((score, candidate.program))
        scored = [
            (_log_sum(score for score, _ in some), max(some, key=itemgetter(0))[1]) for some in spellings.values()
        ]
        scored.sort(key=lambda pair: -pair[0])
        total = _log_sum(score for score, _ in scored) if scored else 0.0
        return [ScoredProgram(program, score - total) for score, program in scored]


def _log_sum(scores: Iterable[float]) -> float:
    """The logarithm of summed exponentials."""
    found = list(scores)
    highest = max(found)
    return highest + math.log(sum(math.exp(score - highest) for score in found))
