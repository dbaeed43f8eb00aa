"""Learning the weights: marginal likelihood that forgives wrong labels.

The probability of a program z for a sentence x is log-linear in its features, on top of the prior of the search:

    p(z | x) ~ exp(w . f(x, z) + prior(z))

Which program is meant is not known, only labels, and each of these is wrong with a small probability (*flip*). So

    loss = - sum_x log( sum_z p(z | x) prod_i P(label_i | z)  +  none )  +  l2 |w|^2 / 2 per utterance

where *none* is the chance that no program of the list is meant, and the labels are a matter of luck. All utterances
take part in every step (AdaGrad), a share of the features is left out of each, so that they learn to do without one
another, and the last weights are averaged.

A program is a sum of parts and a part a sum of features, so a step is two sums forwards and two back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
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


class LearningSettings(Checked):
    """How the weights are learned."""

    steps: Count = 40
    """How many steps are made, each with all utterances."""
    averaged: Count = 15
    """The weights of so many last steps are averaged."""
    step_size: Positive = 0.3
    """Of AdaGrad."""
    l2: Annotated[float, Field(ge=0)] = 0.003
    """How much large weights cost, per utterance."""
    dropout: Share = 0.3
    """The share of features that a step does without."""
    flip: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """The probability that a label is wrong."""
    none: Positive = 0.0005
    """The chance that no program of the list is meant."""
    min_count: Count = 2
    """In how many different sentences a feature must occur to be looked at."""


class Problem:
    """What is to be learned, as arrays; sentences are added one by one."""

    def __init__(self) -> None:
        self.features: dict[Feature, int] = {}
        self._occurs: list[int] = []  # in how many sentences
        self._part_features: list[int] = []
        self._part_lengths: list[int] = []
        self._program_parts: list[int] = []
        self._program_lengths: list[int] = []
        self._priors: list[float] = []
        self._starts = [0]  # the first program of each sentence
        self._utterances: list[tuple[int, Floats, float]] = []

    def add_sentence(self, sentence: Sentence, programs: Sequence[Sequence[Hashable]], priors: Sequence[float]) -> int:
        """A sentence with the parts and the prior of each of its programs; gives back its number."""
        known: dict[Hashable, int] = {}
        own: set[int] = set()
        for parts in programs:
            for key in parts:
                if key not in known:
                    known[key] = len(self._part_lengths)
                    found = [self.features.setdefault(one, len(self.features)) for one in sentence.features(key)]
                    own.update(found)
                    self._part_features += found
                    self._part_lengths.append(len(found))
                self._program_parts.append(known[key])
            self._program_lengths.append(len(parts))
        self._occurs += [0] * (len(self.features) - len(self._occurs))
        for feature in own:
            self._occurs[feature] += 1
        self._priors += priors
        self._starts.append(len(self._priors))
        return len(self._starts) - 2

    def add_utterance(self, sentence: int, right: Sequence[Sequence[bool]], flip: float, weight: float = 1.0) -> None:
        """Somebody who says a sentence: which of the labels each program agrees with."""
        table = np.array(right, dtype=bool).reshape(len(right), -1)
        if table.size:
            fit = np.where(table, math.log1p(-flip), math.log(flip)).sum(axis=1)
            self._utterances.append((sentence, fit - table.shape[1] * math.log(0.5), weight))

    def learn(
        self, settings: LearningSettings, seed: int, tick: Callable[[int, int], None] = lambda step, steps: None
    ) -> dict[Feature, float]:
        """The weights of all features that have one."""
        chosen = np.array(self._occurs, dtype=np.intp) >= settings.min_count
        weights = self._descend(settings, seed, chosen, tick)
        names = (name for name, is_chosen in zip(self.features, chosen, strict=True) if is_chosen)
        return {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}

    def _descend(
        self, settings: LearningSettings, seed: int, chosen: NDArray[np.bool_], tick: Callable[[int, int], None]
    ) -> Floats:
        number = np.cumsum(chosen) - 1
        parts, programs, sentences = len(self._part_lengths), len(self._priors), len(self._starts) - 1
        feature = np.array(self._part_features, dtype=np.intp)
        of_part = np.repeat(np.arange(parts), self._part_lengths)
        of_part, feature = of_part[chosen[feature]], number[feature[chosen[feature]]]
        part = np.array(self._program_parts, dtype=np.intp)
        of_program = np.repeat(np.arange(programs), self._program_lengths)
        starts = np.array(self._starts, dtype=np.intp)
        of_sentence = np.repeat(np.arange(sentences), np.diff(starts))
        prior = np.array(self._priors)
        utterances = [one for one in self._utterances if len(one[1])]
        count = len(utterances)
        said = np.concatenate([np.arange(starts[one], starts[one + 1]) for one, _, _ in utterances] or [starts[:0]])
        by = np.repeat(np.arange(count), [len(fit) for _, fit, _ in utterances])
        likely = np.exp(np.concatenate([fit for _, fit, _ in utterances] or [prior[:0]]))
        importance = np.array([weight for _, _, weight in utterances])

        rng = np.random.default_rng(seed)
        weights, seen, total = (np.zeros(int(chosen.sum())) for _ in range(3))
        averaged = min(settings.averaged, settings.steps)
        for step in range(settings.steps):
            kept = (rng.random(len(weights)) >= settings.dropout) / (1 - settings.dropout)
            part_scores = np.bincount(of_part, (weights * kept)[feature], parts)
            scores = np.bincount(of_program, part_scores[part], programs) + prior
            chance = _softmax(scores, starts, of_sentence)
            meant = chance[said] * likely
            meant /= (np.bincount(by, meant, count) + settings.none)[by]
            meant *= importance[by]
            found = np.bincount(said, meant, programs)
            wanted = found - chance * np.bincount(of_sentence, found, sentences)[of_sentence]
            slope = np.bincount(part, wanted[of_program], parts)
            gradient = np.bincount(feature, slope[of_part], len(weights)) * kept
            gradient -= settings.l2 * count * weights
            seen += gradient**2
            weights += settings.step_size * gradient / np.sqrt(seen + 1e-8)
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
