"""Candidates: for each utterance the programs that fit its labels, best first.

Utterances with the same words share one search: their contexts are pooled, so that all their labels count as evidence,
and a few further contexts of the corpus (`probes`) are looked at as well, so that meanings which happen to agree on the
utterance's own pictures are still told apart.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from chorale.domain import Grounding, Hints
from chorale.language import Program
from chorale.search.enumeration import Enumeration
from chorale.search.evidence import Evidence, Span
from chorale.search.prior import Plausibility, Prior, budget_of

NOISE = 0.05


@dataclass(frozen=True)
class Settings:
    """What is searched, and what counts as a fit."""

    max_actions: int = 20
    """The longest program that is looked at."""
    noise: float = NOISE
    """The probability that a label is wrong; 0 keeps only programs that are right on all images of the utterance."""
    keep: int = 20
    """How many candidates are kept per utterance."""
    pool: bool = True
    """Whether the images of equal sentences are pooled."""
    probes: int = 12
    """How many further utterances lend their images to tell meanings apart."""
    most: int = 400
    """How many meanings are kept per kind of sub-program and length."""
    outer: int = 5
    """How many actions the outer function of a composition may have."""
    seed: int = 0
    """Chooses the probes."""

    @property
    def is_strict(self) -> bool:
        return self.noise == 0

    @property
    def doubt(self) -> float:
        """The rate at which labels count as evidence. Strict candidates are still ranked by labels of other images."""
        return self.noise or NOISE


@dataclass(frozen=True)
class Candidate:
    """A program for an utterance, with how well it fits and how plausible it is."""

    program: Program
    prior: Prior
    wrong: int
    """On how many of the utterance's own images it contradicts the label."""
    fit: float = 0.0
    """Log-likelihood of all pooled labels."""

    @property
    def score(self) -> float:
        """What candidates are ranked by."""
        return self.fit + self.prior.log


@dataclass(frozen=True)
class Result:
    """What was found for one utterance, which is known by its place in the grounding."""

    utterance: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Group:
    """Utterances that say the same, by their places in the grounding."""

    sentence: str
    members: tuple[int, ...]


class Procedure(Protocol):
    """A way to search."""

    @property
    def grounding(self) -> Grounding: ...

    def search(self, group: Group) -> list[Result]:
        """The candidates of each member of a group."""
        ...


def plain(sentence: str) -> str:
    """What a sentence says: its words in lower case."""
    return " ".join(re.findall(r"\w+", sentence.lower()))


def groups_of(grounding: Grounding, pool: bool) -> list[Group]:
    """The utterances by what they say, in order of first appearance; each by itself without pooling."""
    found: dict[str, list[int]] = {}
    for place, utterance in enumerate(grounding.utterances):
        says = plain(utterance.sentence) if pool and grounding.is_shared else str(place)
        found.setdefault(says, []).append(place)
    return [Group(grounding.utterances[places[0]].sentence, tuple(places)) for places in found.values()]


class Searcher:
    """Searches groups of utterances by meaning, one at a time.

    `rates` says for each utterance of the grounding how likely each of its labels is wrong; without it, all are as
    likely as the settings say.
    """

    def __init__(
        self,
        grounding: Grounding,
        hints: Callable[[str], Hints],
        settings: Settings,
        rates: Sequence[Sequence[float]] | None = None,
    ) -> None:
        self.grounding, self.hints, self.settings, self.rates = grounding, hints, settings, rates
        count = min(settings.probes, len(grounding.utterances)) if grounding.is_shared else 0
        self._probes = random.Random(settings.seed).sample(range(len(grounding.utterances)), count)

    def search(self, group: Group) -> list[Result]:
        """The candidates of each member of a group."""
        hints, evidence = self.hints(group.sentence), self._evidence(group)
        probes = [place for place in self._probes if place not in group.members]
        enumeration = Enumeration(
            self.grounding.language([*group.members, *probes]),
            self.settings.max_actions,
            allowed=hints.allowed,
            budget=budget_of(hints),
            accept=evidence.acceptable,
            most=self.settings.most,
            outer=self.settings.outer,
        )
        ranked = sorted(_best_spellings(enumeration, evidence, hints), key=lambda entry: (-entry.score, entry.place))
        programs: dict[tuple[int, int], Program] = {}
        results = []
        for place, member in enumerate(group.members):
            own = [entry for entry in ranked if entry.wrongs[place] <= evidence.allowed[place]]
            candidates = []
            for entry in own[: self.settings.keep]:
                if entry.place not in programs:
                    programs[entry.place] = enumeration.program(*entry.place)
                program = programs[entry.place]
                candidates.append(Candidate(program, entry.prior, int(entry.wrongs[place]), entry.fit))
            results.append(Result(member, tuple(candidates)))
        return results

    def _evidence(self, group: Group) -> Evidence:
        labels: list[Any] = []
        rates: list[float] = []
        spans: list[Span] = []
        for member in group.members:
            answers = self.grounding.utterances[member].answers
            spans.append((len(labels), len(labels) + len(answers)))
            labels += answers
            rates += [self.settings.doubt] * len(answers) if self.rates is None else self.rates[member]
        return Evidence(labels, spans, rates, self.settings.is_strict)


@dataclass(slots=True)
class _Entry:
    """A meaning with its best spelling so far."""

    score: float
    place: tuple[int, int]  # cost, row
    prior: Prior
    fit: float
    wrongs: Any  # (member,)


def _best_spellings(enumeration: Enumeration, evidence: Evidence, hints: Hints) -> Iterator[_Entry]:
    """One entry per meaning that was found."""
    plausibility = Plausibility(hints)
    best: dict[Any, _Entry] = {}
    for cost, level in enumeration.found():
        values = level.values[0]
        agrees = evidence.agrees(values)
        fits, wrongs = evidence.log_likelihood(agrees).tolist(), evidence.wrongs(agrees)
        for row, fit in enumerate(fits):
            prior = plausibility.of(cost, enumeration.terminals((0, cost, row)))
            score = fit + prior.log
            key = values[row].tobytes() if isinstance(values, np.ndarray) else values[row]
            known = best.get(key)
            if known is None or score > known.score:
                best[key] = _Entry(score, (cost, row), prior, fit, wrongs[row])
    yield from best.values()
