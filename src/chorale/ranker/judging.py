"""Judging: how sure a ranker may be of its answers, found out on sentences it did not learn from.

The labels of train are held out twice in folds: by sentence, as in fresh text, in which some kinds of sentence are
new, and by kind, so that all are. Weights learned from the rest answer, the labels judge, and `confidence` is fitted to
both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from statistics import fmean

from chorale.domain import Reading, kind_of
from chorale.domain.lexicon import unknown_words
from chorale.domain.parsing import Corpus
from chorale.evaluation.confidence import LEAST, Confidence, Judged, fit
from chorale.evaluation.doubts import evidence, pairs
from chorale.language import Program
from chorale.plumbing.files import fold_of
from chorale.ranker.features import Feature
from chorale.ranker.learning import Floats, LearningSettings, Problem, Tick
from chorale.ranker.ranker import Ranker

FOLDS = 5
HASTE = 1.2
"""How much more often labels of train are wrong than single ratings of pairs that people agreed on. Of those in NLVR's
dev, for which five people rated each pair and doubtful pairs were left out, 5.2 % are."""
BY_KIND = 0.25
"""How much sentences of held-out kinds count; with them, about half of all kinds are new."""


def judged_confidence(
    corpus: Corpus,
    ranker: Ranker,
    problem: Problem,
    candidates: Sequence[Sequence[Reading]],
    settings: LearningSettings,
    seed: int,
    tick: Tick = lambda step, steps: None,
) -> Confidence:
    """The confidence of a ranker that has learned; `candidates` are those of the problem's sentences."""
    kinds = [kind_of(ranker.domain, utterance.sentence) for utterance in corpus.utterances]
    sentences = [utterance.sentence for utterance in corpus.utterances]
    judged: list[Judged] = []
    for round_, (groups, weight) in enumerate(((kinds, BY_KIND), (sentences, 1.0))):
        fold = [fold_of(group, FOLDS) for group in groups]
        for number in range(FOLDS):
            kept = {index for index, own in enumerate(fold) if own != number}
            if kept and len(kept) < len(fold):
                weights = problem.learn(settings, seed, only=kept)
                judged += _answers(corpus, ranker, problem, candidates, weights, kinds, kept, weight)
            tick(round_ * FOLDS + number + 1, 2 * FOLDS)
    return fit(judged, HASTE * settings.flip, _chance(corpus, ranker))


def _answers(
    corpus: Corpus,
    ranker: Ranker,
    problem: Problem,
    candidates: Sequence[Sequence[Reading]],
    weights: dict[Feature, float],
    kinds: Sequence[str],
    kept: set[int],
    weight: float,
) -> Iterator[Judged]:
    """What weights say about the utterances that are not kept, judged by their labels."""
    lemma = ranker.domain.lemma
    known = {pair for index in kept for pair in pairs(kinds[index], lemma)}
    words = {word for index in kept for word in corpus.words[index]}
    probabilities = problem.probabilities(weights)
    for index, sentence, _ in problem.utterances:
        if index in kept or not len(probabilities[sentence]):
            continue
        utterance, grounding = corpus.utterances[index], corpus.grounding
        (best, probability), *others = by_meaning(candidates[sentence], probabilities[sentence])
        said = grounding.answers(best, index)
        alike = sum(it for program, it in others if it >= LEAST and grounding.answers(program, index) == said)
        hints = ranker.hints(utterance)
        about = evidence(
            best,
            hints,
            probability=probability,
            alike=probability + alike,
            joints=pairs(kinds[index], lemma),
            is_familiar=known.__contains__,
            unknown=unknown_words(hints, corpus.words[index], words.__contains__),
        )
        if not about.is_at_a_loss:
            answers = zip(grounding.right(best, index), utterance.answers, strict=True)
            yield Judged(about, [agreed for agreed, label in answers if label is not None], weight)


def _chance(corpus: Corpus, ranker: Ranker) -> float:
    """How likely a wrong program agrees with a label by luck."""
    labels = [label for utterance in corpus.utterances for label in utterance.answers if label is not None]
    return fmean(map(ranker.domain.answers.chance, labels)) if labels else 0.5


def by_meaning(candidates: Sequence[Reading], probabilities: Floats) -> list[tuple[Program, float]]:
    """The best program of each meaning, and how probable the meaning is; the most probable first."""
    total: dict[Hashable, float] = {}
    best: dict[Hashable, tuple[float, Program]] = {}
    for candidate, probability in zip(candidates, probabilities.tolist(), strict=True):
        total[candidate.meaning] = total.get(candidate.meaning, 0.0) + probability
        if candidate.meaning not in best or probability >= best[candidate.meaning][0]:
            best[candidate.meaning] = probability, candidate.program
    return [(best[meaning][1], total[meaning]) for meaning in sorted(total, key=lambda meaning: -total[meaning])]
