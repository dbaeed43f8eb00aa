"""Candidates: for each utterance the programs that fit its labels, best first.

Utterances with the same words share one search: their contexts are pooled, so that all their labels count as evidence,
and a few further contexts of the corpus (`probes`) are looked at as well, so that meanings which happen to agree on the
utterance's own pictures are still told apart.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.language import Program
from chorale.language.domain import Grounding, Hints
from chorale.language.grammar import Kind
from chorale.search.enumeration import Budget, Enumeration
from chorale.search.evidence import Noise, Prior, prior_of


@dataclass(frozen=True)
class Settings:
    """What is searched, and what counts as a fit."""

    max_actions: int = 20
    """The longest program that is looked at."""
    noise: float = 0.05
    """The probability that a label is wrong; 0 keeps only programs that are right on all images."""
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


@dataclass(frozen=True)
class Candidate:
    """A program for an utterance, with how well it fits and how plausible it is."""

    program: Program
    prior: Prior
    wrong: int
    """On how many of the utterance's own images it disagrees with the label."""
    log_likelihood: float
    """Of all pooled labels."""

    @property
    def score(self) -> float:
        return self.log_likelihood + self.prior.log

    def to_json(self) -> dict[str, Any]:
        return {
            "program": self.program.text,
            "actions": self.prior.actions,
            "fit": round(self.log_likelihood, 4),
            "wrong": self.wrong,
            "prior": round(self.prior.log, 4),
        }


@dataclass(frozen=True)
class Group:
    """Utterances that say the same, by their places in the grounding."""

    sentence: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """What was found for one utterance."""

    utterance: int
    candidates: tuple[Candidate, ...]
    uniform: bool = False
    """Whether all its labels are equal, so that they say almost nothing."""
    hints: Hints | None = field(default=None, repr=False)


def groups_of(grounding: Grounding, pool: bool) -> list[Group]:
    """The utterances by what they say, in order of first appearance."""
    found: dict[str, list[int]] = {}
    for place, utterance in enumerate(grounding.utterances):
        plain = " ".join(re.findall(r"\w+", utterance.sentence.lower()))
        found.setdefault(plain if pool and grounding.is_shared else str(place), []).append(place)
    return [Group(grounding.utterances[places[0]].sentence, tuple(places)) for places in found.values()]


class Searcher:
    """Searches groups of utterances, one at a time."""

    def __init__(
        self, grounding: Grounding, hints: Callable[[str], Hints], settings: Settings, noise: Noise | None = None
    ) -> None:
        self.grounding, self.hints, self.settings = grounding, hints, settings
        self.noise = noise or Noise(settings.noise)
        count = min(settings.probes, len(grounding.utterances)) if grounding.is_shared else 0
        self._probes = random.Random(settings.seed).sample(range(len(grounding.utterances)), count)

    def search(self, group: Group) -> list[Result]:
        """The candidates of each member of a group."""
        hints = self.hints(group.sentence)
        labels, spans = self._labels(group)
        probes = [place for place in self._probes if place not in group.members]
        language = self.grounding.language([*group.members, *probes])
        fits = _Fits(labels, spans, self.noise)
        enumeration = Enumeration(
            language,
            self.settings.max_actions,
            allowed=hints.allowed,
            budget=budget_of(hints),
            accept=fits.acceptable,
            most=self.settings.most,
            outer=self.settings.outer,
        )
        candidates = self._ranked(enumeration, fits, hints)
        results = []
        for place, member in enumerate(group.members):
            own = [c for c in candidates if fits.suits(c.wrongs[place], spans[place])]
            kept = [Candidate(c.program, c.prior, c.wrongs[place], c.log_likelihood) for c in own]
            start, end = spans[place]
            uniform = len({label for label in labels[start:end] if label is not None}) < 2
            results.append(Result(member, tuple(kept[: self.settings.keep]), uniform, hints))
        return results

    def _labels(self, group: Group) -> tuple[list[Any], list[tuple[int, int]]]:
        labels: list[Any] = []
        spans = []
        for member in group.members:
            answers = self.grounding.utterances[member].answers
            spans.append((len(labels), len(labels) + len(answers)))
            labels += answers
        return labels, spans

    def _ranked(self, enumeration: Enumeration, fits: _Fits, hints: Hints) -> list[_Ranked]:
        """One candidate per meaning, best first."""
        grammar = enumeration.grammar
        best: dict[Any, tuple[float, _Ranked, tuple[int, int]]] = {}
        for cost, level in enumeration.found():
            agrees = fits.agrees(level.values[0])
            likelihood = self.noise.log_likelihood(agrees[:, fits.known]) if not self.noise.is_strict else None
            wrongs = fits.wrongs(agrees)
            for row in range(len(level)):
                names = [
                    grammar.productions[number].name
                    for number in enumeration.actions((0, cost, row))
                    if grammar.productions[number].kind is Kind.TERMINAL
                ]
                prior = prior_of(cost, names, hints)
                fit = float(likelihood[row]) if likelihood is not None else 0.0
                key = level.values[0][row]
                key = key.tobytes() if isinstance(key, np.ndarray) else key
                if key not in best or fit + prior.log > best[key][0]:
                    ranked = _Ranked(prior, fit, tuple(int(count) for count in wrongs[row]))
                    best[key] = (fit + prior.log, ranked, (cost, row))
        ordered = sorted(best.values(), key=lambda item: (-item[0], item[2]))
        return [
            found.with_program(enumeration.program(*place)) for _, found, place in ordered[: 4 * self.settings.keep]
        ]


@dataclass
class _Ranked:
    prior: Prior
    log_likelihood: float
    wrongs: tuple[int, ...]  # per member of the group
    program: Program = field(init=False)

    def with_program(self, program: Program) -> _Ranked:
        self.program = program
        return self


class _Fits:
    """How the values of root entries agree with the labels of a group."""

    def __init__(self, labels: Sequence[Any], spans: Sequence[tuple[int, int]], noise: Noise) -> None:
        self.labels, self.spans, self.noise = list(labels), spans, noise
        self.known = np.array([label is not None for label in labels], dtype=bool)

    def agrees(self, values: Any) -> NDArray[np.bool_]:
        """(entry, label); a label that is not known agrees with everything."""
        count = len(self.labels)
        if isinstance(values, np.ndarray):
            own = values[:, :count] == np.array([bool(label) for label in self.labels])
        else:
            own = np.array([[said == label for said, label in zip(row, self.labels, strict=False)] for row in values])
        return own | ~self.known

    def wrongs(self, agrees: NDArray[np.bool_]) -> NDArray[np.int64]:
        """(entry, member): how many labels of each member are contradicted."""
        return np.stack([(~agrees[:, start:end]).sum(axis=1) for start, end in self.spans], axis=1)

    def suits(self, wrong: int, span: tuple[int, int]) -> bool:
        """Whether so many contradictions of one utterance can be put down to wrong labels."""
        return wrong == 0 if self.noise.is_strict else wrong <= (span[1] - span[0] + 1) // 4

    def acceptable(self, values: Any) -> NDArray[np.bool_]:
        """Entries that suit at least one member."""
        wrongs = self.wrongs(self.agrees(values))
        most = [0 if self.noise.is_strict else (end - start + 1) // 4 for start, end in self.spans]
        accepted: NDArray[np.bool_] = (wrongs <= np.array(most)).any(axis=1)
        return accepted


def budget_of(hints: Hints) -> Budget:
    """Each terminal may be used as often as words ask for it, and once if no word does."""
    asked: dict[str, int] = dict.fromkeys(sorted(hints.allowed), 0)
    for _, wanted in hints.explains:
        for name in wanted:
            asked[name] += 1
    names = sorted(asked, key=lambda name: (asked[name], name))
    return Budget({name: number for number, name in enumerate(names)}, [max(asked[name], 1) for name in names])


def search_all(searcher: Searcher, groups: Iterable[Group]) -> Iterator[Result]:
    """The results of all utterances, group by group."""
    for group in groups:
        yield from searcher.search(group)
