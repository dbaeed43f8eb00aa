"""The most probable programs of an utterance, as a network sees them that judges them once more (`rescorer`).

A program is known by figures (its log-probability, its prior, what each template of features adds to its score, how
probable its answer is) and by the labels of its parts; the utterance by its words. Programs of a corpus stand in one
file, utterance after utterance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from chorale.domain.candidates import Flags, Posed
from chorale.domain.templates import Keys
from chorale.plumbing.files import checked, sha256, write
from chorale.ranker.online import Examples
from chorale.ranker.weights import KeyWeights, summed

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

_LOG_PROBABILITY = 0  # its place among the figures
_FIGURES = 5  # besides one for each template
_LEAST = 1e-9  # probability


@dataclass(frozen=True)
class Best:
    """The most probable programs of an utterance, best first."""

    rows: Rows
    """Their places among all of its programs, (program,)."""
    figures: NDArray[np.float32]
    """(program, figure)."""
    labels: Keys
    """Of their parts, (program, part); 0 where there is none."""
    words: Keys
    """The utterance, (word,)."""
    answers: NDArray[np.intp]
    """A number for what each answers, (program,)."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def log_probabilities(self) -> Floats:
        """Before they are judged again, (program,)."""
        return self.figures[:, _LOG_PROBABILITY].astype(np.float64)


def figures_of(templates: int) -> int:
    """How many figures a program has, whose features are of this many templates."""
    return _FIGURES + templates


def log_probabilities_of(posed: Posed, weights: Floats) -> Floats:
    """Of each program, by the weight of each feature."""
    by_part = summed(posed.part, weights, posed.parts)
    return log_softmax(by_part[posed.programs].sum(axis=1) + posed.priors)


def best_of(posed: Posed, weights: Floats, log_probabilities: Floats, templates: int, most: int) -> Best:
    """At most this many programs; `weights` are those of each feature, `templates` the number of templates."""
    rows = np.argsort(-log_probabilities, kind="stable")[:most]
    parts = posed.programs[rows].astype(np.intp)  # (program, part)
    place = posed.part.astype(np.intp) * templates + posed.template
    by_template = summed(place, weights, posed.parts * templates).reshape(posed.parts, templates)
    answers = posed.answers[rows].astype(np.intp)
    by_answer = np.bincount(posed.answers, np.exp(log_probabilities))
    figures = [
        log_probabilities[rows],
        posed.priors[rows],
        np.log(by_answer[answers] + _LEAST),
        answers == by_answer.argmax(),
        np.arange(len(rows)) / most,
    ]
    together = np.concatenate([np.stack(figures, axis=1), by_template[parts].sum(axis=1)], axis=1)
    return Best(rows, together.astype(np.float32), posed.labels[parts], posed.words, answers)


@dataclass(frozen=True)
class Judged:
    """The best programs of an utterance, which of them are right, and the fold that the utterance is in."""

    best: Best
    right: Flags
    fold: int


def judged_by(
    examples: Examples, fold: Sequence[int], weights: Mapping[int, KeyWeights], templates: int, most: int
) -> list[Judged]:
    """The best programs of each utterance that has any, by the weights that were learned without its fold."""
    judged = []
    for posed, right, own in zip(examples.posed, examples.right, fold, strict=True):
        if len(posed):
            used = weights[own].of(posed.keys)
            best = best_of(posed, used, log_probabilities_of(posed, used), templates, most)
            judged.append(Judged(best, right[best.rows], own))
    return judged


def log_softmax(scores: Floats) -> Floats:
    """Scores as log-probabilities."""
    logs = scores - scores.max()
    return np.asarray(logs - np.log(np.exp(logs).sum()), np.float64)


def write_judged(path: Path, judged: Sequence[Judged]) -> str:
    """Write those of a corpus; returns the hash of the file."""
    width = max((it.best.labels.shape[1] for it in judged), default=0)
    wide = [np.pad(it.best.labels, ((0, 0), (0, width - it.best.labels.shape[1]))) for it in judged]
    content = save(
        {
            "programs": np.array([len(it.best) for it in judged], np.int64),
            "words_of": np.array([len(it.best.words) for it in judged], np.int64),
            "fold": np.array([it.fold for it in judged], np.int64),
            "figures": np.concatenate([it.best.figures for it in judged]),
            "labels": np.concatenate(wide),
            "words": np.concatenate([it.best.words for it in judged]),
            "answers": np.concatenate([it.best.answers for it in judged]).astype(np.int64),
            "right": np.concatenate([it.right for it in judged]),
        }
    )
    write(path, content)
    return sha256(content)


def read_judged(path: Path, wanted: str) -> list[Judged]:
    """Read them, in order."""
    it = load(checked(path, wanted))
    ends, word_ends = it["programs"].cumsum(), it["words_of"].cumsum()
    judged = []
    for number, (end, word_end) in enumerate(zip(ends.tolist(), word_ends.tolist(), strict=True)):
        count = int(it["programs"][number])
        own = slice(end - count, end)
        words = it["words"][word_end - int(it["words_of"][number]) : word_end]
        best = Best(np.arange(count), it["figures"][own], it["labels"][own], words, it["answers"][own])
        judged.append(Judged(best, it["right"][own], int(it["fold"][number])))
    return judged
