"""A ranker by key: the programs that a domain proposes for an utterance, and millions of weights that choose.

The most probable *answer* is given: programs that answer alike add up, and the most probable of them is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chorale.domain import Domain, Hints, Reading, Utterance, hints_of, needed
from chorale.domain.candidates import Candidates, Posed, features_of
from chorale.domain.parsing import Corpus, Parsed
from chorale.domain.templates import Feature, key_of
from chorale.evaluation.confidence import Confidence
from chorale.language import Program
from chorale.plumbing.cache import Cache
from chorale.plumbing.checking import Checked
from chorale.ranker.best import best_of, figures_of, log_probabilities_of
from chorale.ranker.ranker import BEAM, Reason
from chorale.ranker.rescorer import Rescorer
from chorale.ranker.weights import KeyWeights, summed

Floats = NDArray[np.float64]

_REMEMBERED = 4_096  # utterances


class ProposalSettings(Checked):
    """What is chosen from. Models of strangers bring it along, so there is a limit to each."""

    copies: Annotated[int, Field(ge=0, le=20)] = 3
    """How many variants of its context tell the meanings of an utterance apart."""
    meanings: Annotated[int, Field(ge=1, le=5_000)] = 700
    """The most meanings kept per utterance."""


@dataclass(frozen=True)
class Scored:
    """The programs of an utterance and how probable they are."""

    candidates: Candidates
    posed: Posed
    log_probabilities: Floats
    """Of each program."""
    by_answer: Floats
    """Of each answer, by its number."""

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The programs, those of the most probable answer first."""
        return np.lexsort((-self.log_probabilities, -self.by_answer[self.posed.answers]))


class KeyedRanker:
    """Weights by key, and the domain that proposes what they choose from."""

    may_be_silent = True
    """There is nothing to propose for some utterances, such as questions about an empty table."""

    def __init__(
        self,
        domain: Domain,
        language: str,
        search: ProposalSettings,
        weights: KeyWeights,
        templates: Collection[str] | None = None,
        confidence: Confidence | None = None,
        rescorer: Rescorer | None = None,
    ) -> None:
        self.domain, self.language, self.search, self.weights = domain, language, search, weights
        self.rescorer = rescorer
        self.proposing = needed(domain.proposing(language), domain, f"proposals for {language}", "a ranker by key")
        self.templates, self.confidence = templates, confidence
        self._keyed = self.proposing.keyed(templates)
        self.remembered: Cache[Hashable, list[Reading]] = Cache(_REMEMBERED)

    def __reduce__(self) -> tuple[Any, ...]:
        """What other processes get: without what was made of templates and what is remembered."""
        return KeyedRanker, (
            self.domain, self.language, self.search, self.weights, self.templates, self.confidence, self.rescorer,
        )  # fmt: skip

    def with_weights(self, weights: KeyWeights) -> KeyedRanker:
        """The same with other weights."""
        other = KeyedRanker(
            self.domain, self.language, self.search, weights, self.templates, self.confidence, self.rescorer
        )
        other.remembered.most = self.remembered.most
        return other

    def with_rescorer(self, rescorer: Rescorer | None, confidence: Confidence | None) -> KeyedRanker:
        """The same with networks that judge the best readings once more, or without, and the confidence that fits."""
        return KeyedRanker(self.domain, self.language, self.search, self.weights, self.templates, confidence, rescorer)

    @property
    def template_count(self) -> int:
        """How many templates of features there are."""
        return sum(map(len, self._keyed.values()))

    @property
    def figures(self) -> int:
        """How many figures a rescorer sees of a reading."""
        return figures_of(self.template_count)

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Parsed:
        """The most probable readings of every utterance; there is no attention."""
        for index, utterance in enumerate(corpus.utterances):
            readings = self.remembered.get(self.domain.identity(utterance), partial(self.ranked, utterance))
            yield index, readings[: top or beam or BEAM]

    def hints(self, utterance: Utterance) -> Hints | None:
        """What the words of an utterance say."""
        return hints_of(self.domain, self.language, utterance)

    def candidates(self, utterance: Utterance) -> Candidates | None:
        """What is chosen from; None if there is nothing."""
        return self.proposing.propose(utterance, self.search.copies, self.search.meanings)

    def posed(self, candidates: Candidates) -> Posed:
        """Candidates as arrays, with the features that are looked at."""
        return candidates.posed(self._keyed)

    def scored(self, utterance: Utterance) -> Scored | None:
        """All programs of an utterance with their probabilities."""
        candidates = self.candidates(utterance)
        if candidates is None:
            return None
        posed = self.posed(candidates)
        weights = self.weights.of(posed.keys)
        logs = log_probabilities_of(posed, weights)
        if self.rescorer is not None:
            best = best_of(posed, weights, logs, self.template_count, self.rescorer.most)
            logs[best.rows] = self.rescorer.judged(best)
        return Scored(candidates, posed, logs, summed(posed.answers, np.exp(logs), int(posed.answers.max()) + 1))

    def ranked(self, utterance: Utterance, most: int = BEAM) -> list[Reading]:
        """The most probable readings, those of the most probable answer first."""
        scored = self.scored(utterance)
        if scored is None:
            return []
        return [
            replace(
                scored.candidates.reading(row),
                log_probability=float(scored.log_probabilities[row]),
                answer_probability=float(scored.by_answer[scored.posed.answers[row]]),
            )
            for row in scored.order[:most].tolist()
        ]

    def reasons(self, utterance: Utterance, program: Program) -> list[Reason]:
        """The features of a program that have a weight, the heaviest first."""
        candidates = self.candidates(utterance)
        if candidates is None:
            return []
        row = next((it for it in range(len(candidates.programs)) if candidates.reading(it).program == program), None)
        if row is None:
            return []
        parts = [candidates.parts[it] for it in candidates.programs[row].tolist() if it]
        chosen = self.proposing.chosen(self.templates)
        features: list[Feature] = [feature for part in parts for feature in features_of(part, chosen)]
        weights = self.weights.of(np.array([key_of(feature) for feature in features], np.uint32))
        reasons = [
            Reason(feature, weight) for feature, weight in zip(features, weights.tolist(), strict=True) if weight
        ]
        return sorted(reasons, key=lambda reason: -abs(reason.weight))
