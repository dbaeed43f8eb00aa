"""Learning weights by key, one utterance at a time: marginal likelihood, for millions of features.

The probability of a program z for an utterance x is log-linear, on top of the prior of the search. Which program is
meant is not known, only whether its answer is right:

    p(z | x) ~ exp(w . f(x, z) + prior(z))              loss = - sum_x log( sum over right z of p(z | x)  +  none )

where *none* is the probability that no program of the list is meant. AdaGrad takes a step after every utterance, with a
share of the features left out of it, so that they learn to do without one another; the weights after the last passes
are averaged. Features of fewer than two utterances are not looked at.

A program is a sum of parts and a part a sum of features, so a step is two sums forwards and two back (`stepping`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chorale.domain.candidates import Flags, Posed
from chorale.domain.templates import Keys
from chorale.plumbing.checking import Checked, Count
from chorale.ranker.weights import KeyWeights

Floats = NDArray[np.float64]
Tick = Callable[[int, int], None]
"""Told of every pass: which one, of how many."""
Share = Annotated[float, Field(ge=0, lt=1)]
Positive = Annotated[float, Field(gt=0)]

MIN_COUNT = 2
"""In how many utterances a feature must occur to be looked at."""
_FIRST_SQUARE = 0.01  # of AdaGrad, so that the first steps are not too long


class OnlineSettings(Checked):
    """How the weights are learned."""

    passes: Count = 7
    """How often all utterances are gone through."""
    averaged: Count = 3
    """After how many of the last passes the weights are averaged."""
    step_size: Positive = 0.05
    """Of AdaGrad."""
    l2: Annotated[float, Field(ge=0)] = 1e-4
    """How much large weights cost, per step."""
    dropout: Share = 0.3
    """The share of features that a step does without."""
    none: Positive = 0.02
    """The probability that no program of the list is meant."""


@dataclass(frozen=True)
class _Example:
    """An utterance with the features that are looked at, by their numbers."""

    features: NDArray[np.int32]
    """Different ones, (feature,)."""
    which: NDArray[np.uint16] | NDArray[np.int32]
    """Which of these each use of a feature is, (use,)."""
    part: NDArray[np.uint16]
    """The part that uses it, (use,)."""
    posed: Posed
    right: Flags


class Examples:
    """What is learned from: utterances, and which of their programs are right."""

    def __init__(self) -> None:
        self.posed: list[Posed] = []
        self.right: list[Flags] = []
        self._made: tuple[int, tuple[Keys, NDArray[np.int32], dict[int, _Example]]] | None = None

    def add(self, posed: Posed, right: Flags) -> None:
        """One more utterance."""
        self.posed.append(posed)
        self.right.append(right)

    def __len__(self) -> int:
        return len(self.posed)

    def learn(
        self,
        settings: OnlineSettings,
        seed: int,
        tick: Tick = lambda done, of: None,
        only: Collection[int] | None = None,
    ) -> KeyWeights:
        """The weights, learned from all utterances or from those of these numbers."""
        known, number, indexed = self._indexed
        chosen = indexed if only is None else {it: indexed[it] for it in sorted(only) if it in indexed}
        examples = list(chosen.values())
        often = None if len(examples) == len(indexed) else _counts(examples, len(known)) >= MIN_COUNT
        return KeyWeights.of_pairs(known, _learned(examples, often, len(known), settings, seed, tick)[number])

    @property
    def _indexed(self) -> tuple[Keys, NDArray[np.int32], dict[int, _Example]]:
        """The features with their numbers, and the utterances of which something can be learned, by their places.

        Made once for all folds, since it costs nearly as much as learning.
        """
        if self._made is None or self._made[0] != len(self):
            useful = [it for it in range(len(self)) if len(self.posed[it]) > 1 and self.right[it].any()]
            known, number = _known([self.posed[it].keys for it in useful])
            indexed = {it: _example(self.posed[it], self.right[it], known, number) for it in useful}
            self._made = len(self), (known, number, indexed)
        return self._made[1]


def _known(keys: Sequence[Keys]) -> tuple[Keys, NDArray[np.int32]]:
    """The features of two utterances at least, sorted by their keys, and a number for each.

    The most frequent have the lowest numbers: weights that every step needs lie side by side in the memory then.
    """
    together = np.concatenate([np.zeros(0, np.uint32), *(np.unique(it) for it in keys)])
    together.sort()
    first = np.ones(len(together), bool)
    first[1:] = together[1:] != together[:-1]
    starts = np.flatnonzero(first)
    count = np.diff(np.append(starts, len(together)))
    often = count >= MIN_COUNT
    number = np.empty(np.count_nonzero(often), np.int32)
    number[np.argsort(-count[often], kind="stable")] = np.arange(len(number))
    return together[starts[often]], number


def _counts(examples: Sequence[_Example], features: int) -> NDArray[np.intp]:
    """In how many of the utterances each feature occurs."""
    count = np.zeros(features, np.intp)
    for it in examples:
        count[it.features] += 1
    return count


def _example(posed: Posed, right: Flags, known: Keys, number: NDArray[np.int32]) -> _Example:
    place = np.searchsorted(known, posed.keys)
    is_known = known[np.minimum(place, len(known) - 1)] == posed.keys if len(known) else np.zeros(len(place), bool)
    features, which = np.unique(number[place[is_known]], return_inverse=True)
    is_small = len(features) <= np.iinfo(np.uint16).max  # there are tens of millions of uses
    uses = which.astype(np.uint16) if is_small else which.astype(np.int32)
    return _Example(features, uses, posed.part[is_known], posed, right)


def _learned(
    examples: Sequence[_Example],
    often: NDArray[np.bool_] | None,
    count: int,
    settings: OnlineSettings,
    seed: int,
    tick: Tick,
) -> Floats:
    """The weight of each feature; `often` says which are looked at, if not all."""
    from chorale.ranker.stepping import step  # noqa: PLC0415 - numba, which only learning needs

    state, total = np.zeros((count, 2)), np.zeros(count)
    state[:, 1] = _FIRST_SQUARE
    rng = np.random.default_rng([seed, 0])
    averaged = min(settings.averaged, settings.passes)
    for number in range(settings.passes):
        for place in rng.permutation(len(examples)).tolist():
            it = examples[place]
            kept = _kept(it, often, settings.dropout, rng)
            step(
                it.features, it.which, it.part, kept, it.posed.parts, it.posed.programs, it.posed.priors, it.right,
                state, settings.dropout, settings.none, settings.l2, settings.step_size,
            )  # fmt: skip
        if number >= settings.passes - averaged:
            total += state[:, 0] / averaged
        tick(number + 1, settings.passes)
    return total


def _kept(
    example: _Example, often: NDArray[np.bool_] | None, dropout: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Which uses of features a step looks at."""
    kept = np.ones(len(example.part), bool) if often is None else often[example.features][example.which]
    kept[kept] = rng.random(np.count_nonzero(kept), np.float32) >= dropout
    return kept
