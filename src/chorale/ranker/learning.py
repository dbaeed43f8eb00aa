"""Learning the weights: marginal likelihood that forgives wrong labels.

The probability of a program z for a sentence x is log-linear in its features, on top of the prior of the search:

    p(z | x) ~ exp(w . f(x, z) + prior(z))

Which program is meant is not known, only labels, and each of these is wrong with a small probability (*flip*). So

    loss = - sum_x log( sum_z p(z | x) prod_i P(label_i | z)  +  none )  +  l2 |w|^2 / 2 per utterance

where *none* is the probability that no program of the list is meant, and the labels are a matter of luck. P is relative
to luck: if a wrong program agrees with a label with the probability c (*chance*), one that agrees with it counts
(1 - flip) / c, another flip / (1 - c). All utterances take part in every step of gradient descent (AdaGrad), a share of
the features is left out of each, so that they learn to do without one another, and the last weights are averaged.

A program is a sum of parts and a part a sum of features, so a step is two sums forwards and two back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chorale.plumbing.checking import Checked, Count
from chorale.ranker.features import Feature
from chorale.ranker.parts import Sentence

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Share = Annotated[float, Field(ge=0, lt=1)]
Positive = Annotated[float, Field(gt=0)]

NONE = 0.0005
"""The chance that no program of the list is meant."""
MIN_COUNT = 2
"""In how many different sentences a feature must occur to be looked at."""
AVERAGED = 15
"""The weights of this many last steps are averaged."""

Labelled = tuple[int, int, Floats]
"""The name of an utterance, the number of its sentence, and how well each program fits its labels."""

Tick = Callable[[int, int], None]
"""Told of every step: which one, of how many."""

_NONE = np.zeros(0, dtype=np.intp)


class LearningSettings(Checked):
    """How the weights are learned."""

    steps: Count = 40
    """How many steps are made, each with all utterances."""
    step_size: Positive = 0.3
    """Of AdaGrad."""
    l2: Annotated[float, Field(ge=0)] = 0.003
    """How much large weights cost, per utterance."""
    dropout: Share = 0.5
    """The share of features that a step does without."""
    flip: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """The probability that a label is wrong."""


class Problem:
    """What is to be learned, as arrays; sentences are added one by one."""

    def __init__(self) -> None:
        self.features: dict[Feature, int] = {}
        self._own: list[Ints] = []  # the features of each sentence
        self._part_features: list[int] = []
        self._part_lengths: list[int] = []
        self._program_parts: list[int] = []
        self._program_lengths: list[int] = []
        self._priors: list[float] = []
        self._starts = [0]  # the first program of each sentence
        self.utterances: list[Labelled] = []

    def add_sentence(self, sentence: Sentence, programs: Sequence[Sequence[int]], priors: Sequence[float]) -> int:
        """A sentence with the parts and the prior of each of its programs; returns its number."""
        known: dict[int, int] = {}
        own: set[int] = set()
        for parts in programs:
            for part in parts:
                if part not in known:
                    known[part] = len(self._part_lengths)
                    numbers = [self.features.setdefault(one, len(self.features)) for one in sentence.features(part)]
                    own.update(numbers)
                    self._part_features += numbers
                    self._part_lengths.append(len(numbers))
                self._program_parts.append(known[part])
            self._program_lengths.append(len(parts))
        self._own.append(np.array(sorted(own), dtype=np.intp))
        self._priors += priors
        self._starts.append(len(self._priors))
        return len(self._starts) - 2

    def add_utterance(
        self, name: int, sentence: int, right: Sequence[Sequence[bool]], flip: float, chance: Sequence[float]
    ) -> None:
        """Somebody who says a sentence: which of the labels each program agrees with.

        `chance` is, for each label, the probability that a wrong program agrees with it by luck, above 0 and below 1.
        """
        table, luck = np.array(right, dtype=bool), np.array(chance)  # (program, label), (label,)
        if table.size:  # else there is no program, or no label
            fit = np.where(table, math.log1p(-flip), math.log(flip)).sum(axis=1)
            fit -= np.where(table, np.log(luck), np.log1p(-luck)).sum(axis=1)
            self.utterances.append((name, sentence, fit))

    def learn(
        self,
        settings: LearningSettings,
        seed: int,
        tick: Tick = lambda step, steps: None,
        only: Collection[int] | None = None,
    ) -> dict[Feature, float]:
        """The weights of all features that have one, learned from all utterances or from those named in `only`."""
        utterances = [one for one in self.utterances if only is None or one[0] in only]
        spoken = sorted({sentence for _, sentence, _ in utterances})
        counts = np.bincount(np.concatenate([*(self._own[one] for one in spoken), _NONE]), minlength=len(self.features))
        chosen = counts >= MIN_COUNT
        model = self.posed(chosen, utterances, NONE)
        weights = _descend(model, settings, np.random.default_rng([seed, 0]), tick)
        names = (name for name, is_chosen in zip(self.features, chosen, strict=True) if is_chosen)
        return {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}

    def probabilities(self, weights: Mapping[Feature, float]) -> list[Floats]:
        """The probability of each program of each sentence."""
        model = self.posed(np.ones(len(self.features), dtype=bool), [], 1.0)
        shares = model.probabilities(np.array([weights.get(feature, 0.0) for feature in self.features]))
        return [shares[start:end] for start, end in zip(self._starts, self._starts[1:], strict=False)]

    def posed(self, chosen: NDArray[np.bool_], utterances: Sequence[Labelled], none: float) -> LogLinear:
        """The model whose weights are sought, with the chosen features only."""
        number = np.cumsum(chosen) - 1
        feature = np.array(self._part_features, dtype=np.intp)
        part_of_feature = np.repeat(np.arange(len(self._part_lengths)), self._part_lengths)
        is_chosen, starts = chosen[feature], np.array(self._starts, dtype=np.intp)
        said = [np.arange(starts[one], starts[one + 1]) for _, one, _ in utterances]
        return LogLinear(
            features=int(chosen.sum()),
            parts=len(self._part_lengths),
            feature=number[feature[is_chosen]],
            part_of_feature=part_of_feature[is_chosen],
            part=np.array(self._program_parts, dtype=np.intp),
            program_of_part=np.repeat(np.arange(len(self._priors)), self._program_lengths),
            prior=np.array(self._priors),
            starts=starts,
            said=np.concatenate([*said, starts[:0]]),
            said_by=np.repeat(np.arange(len(said)), [len(one) for one in said]),
            likely=np.exp(np.concatenate([*(fit for _, _, fit in utterances), np.zeros(0)])),
            utterances=len(utterances),
            none=none,
        )


@dataclass(frozen=True)
class LogLinear:
    """The model as arrays: features of parts, parts of programs, programs of sentences, labels of utterances."""

    features: int
    parts: int
    feature: Ints
    part_of_feature: Ints
    part: Ints
    program_of_part: Ints
    prior: Floats
    starts: Ints
    """The first program of each sentence."""
    said: Ints
    """The programs of each utterance, one after another."""
    said_by: Ints
    likely: Floats
    """How much more probable each of these makes the labels than luck does."""
    utterances: int
    none: float

    @cached_property
    def sentence(self) -> Ints:
        """The sentence of each program."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def probabilities(self, weights: Floats) -> Floats:
        """The probability of each program among those of its sentence."""
        part_scores = np.bincount(self.part_of_feature, weights[self.feature], self.parts)
        scores = np.bincount(self.program_of_part, part_scores[self.part], len(self.prior)) + self.prior
        return _softmax(scores, self.starts, self.sentence)

    def loss_and_gradient(self, weights: Floats) -> tuple[float, Floats]:
        """Minus the log-likelihood of all labels, and its derivative by each weight."""
        programs, sentences, utterances = len(self.prior), len(self.starts) - 1, self.utterances
        probability = self.probabilities(weights)
        posterior = probability[self.said] * self.likely  # (utterance and program)
        evidence = np.bincount(self.said_by, posterior, utterances) + self.none
        posterior /= evidence[self.said_by]
        by_program = np.bincount(self.said, posterior, programs)
        by_score = (
            probability * np.bincount(self.sentence, by_program, sentences)[self.sentence] - by_program
        )  # (program)
        by_part = np.bincount(self.part, by_score[self.program_of_part], self.parts)
        gradient = np.bincount(self.feature, by_part[self.part_of_feature], self.features).astype(np.float64)
        return -float(np.log(evidence).sum()), gradient


def _descend(model: LogLinear, settings: LearningSettings, rng: np.random.Generator, tick: Tick) -> Floats:
    """The average of the last weights."""
    weights, squares, total = (np.zeros(model.features) for _ in range(3))
    averaged = min(AVERAGED, settings.steps)
    for step in range(settings.steps):
        kept = (rng.random(model.features) >= settings.dropout) / (1 - settings.dropout)
        gradient = model.loss_and_gradient(weights * kept)[1] * kept
        gradient += settings.l2 * model.utterances * weights
        squares += gradient**2
        weights -= settings.step_size * gradient / np.sqrt(squares + 1e-8)
        if step >= settings.steps - averaged:
            total += weights / averaged
        tick(step + 1, settings.steps)
    return total


def _softmax(scores: Floats, starts: Ints, of_sentence: Ints) -> Floats:
    """The probability of each program among those of its sentence."""
    count = len(starts) - 1
    highest, full = np.zeros(count), np.diff(starts) > 0
    if full.any():
        highest[full] = np.maximum.reduceat(scores, starts[:-1][full])
    raised = np.exp(scores - highest[of_sentence])
    shares: Floats = raised / np.bincount(of_sentence, raised, count)[of_sentence]
    return shares
