"""Judging: how sure a ranker may be of its answers, found out on sentences it did not learn from.

The labels of train are held out twice in folds: by sentence template, so that the kinds asked about are new, and by
sentence, so that most kinds are known. Weights learned from the rest answer, the labels judge, and `confidence` is
fitted to both. Sentences in which words were replaced by words that do not exist show what nonsense looks like.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from random import Random
from statistics import fmean

from chorale.domain import Reading, Unlabelled, kind_of
from chorale.domain.lexicon import unknown_words
from chorale.domain.parsing import Corpus
from chorale.evaluation.confidence import Confidence, Judged, fit, nonsense
from chorale.evaluation.doubts import evidence, pairs, strangeness
from chorale.language import Program
from chorale.plumbing.files import fold_of
from chorale.ranker.features import Feature
from chorale.ranker.learning import Floats, LearningSettings, Problem, Tick
from chorale.ranker.ranker import Ranker

FOLDS = 5
NONSENSE = 10
"""One generated sentence for this many real ones."""


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
    judged: list[Judged] = []
    for round_, groups in enumerate((kinds, [utterance.sentence for utterance in corpus.utterances])):
        fold = [fold_of(group, FOLDS) for group in groups]
        for number in range(FOLDS):
            kept = {index for index, own in enumerate(fold) if own != number}
            if kept and len(kept) < len(fold):
                weights = problem.learn(settings, seed, only=kept)
                judged += _answers(corpus, ranker, problem, candidates, weights, kinds, kept)
            tick(round_ * FOLDS + number + 1, 2 * FOLDS)
    judged += _made_up(corpus, ranker, kinds, Random(seed))
    return fit(judged, settings.flip, _chance(corpus, ranker))


def _answers(
    corpus: Corpus,
    ranker: Ranker,
    problem: Problem,
    candidates: Sequence[Sequence[Reading]],
    weights: dict[Feature, float],
    kinds: Sequence[str],
    kept: set[int],
) -> Iterator[Judged]:
    """What weights say about the utterances that are not kept, judged by their labels."""
    known = {pair for index in kept for pair in pairs(kinds[index])}
    words = {word for index in kept for word in corpus.words[index]}
    seen = {kinds[index] for index in kept}
    probabilities = problem.probabilities(weights)
    for index, sentence, _ in problem.utterances:
        if index in kept or not len(probabilities[sentence]):
            continue
        utterance = corpus.utterances[index]
        best, probability, rival = best_of(candidates[sentence], probabilities[sentence])
        answers = zip(corpus.grounding.right(best, index), utterance.answers, strict=True)
        hints = ranker.hints(utterance)
        about = evidence(
            best,
            hints,
            probability=probability,
            rival=rival,
            strange=strangeness(kinds[index], known),
            is_new=kinds[index] not in seen,
            unknown=unknown_words(hints, corpus.words[index], words.__contains__),
        )
        yield Judged(about, [agreed for agreed, label in answers if label is not None])


def _chance(corpus: Corpus, ranker: Ranker) -> float:
    """How likely a wrong program agrees with a label by luck."""
    labels = [label for utterance in corpus.utterances for label in utterance.answers if label is not None]
    return fmean(map(ranker.domain.answers.chance, labels)) if labels else 0.5


def best_of(candidates: Sequence[Reading], probabilities: Floats) -> tuple[Program, float, float]:
    """The best program, how probable its meaning is, and the most probable other meaning."""
    total: dict[Hashable, float] = {}
    best: dict[Hashable, tuple[float, Program]] = {}
    for candidate, probability in zip(candidates, probabilities.tolist(), strict=True):
        total[candidate.meaning] = total.get(candidate.meaning, 0.0) + probability
        if probability >= best.get(candidate.meaning, (-1.0, None))[0]:
            best[candidate.meaning] = probability, candidate.program
    first, *others = sorted(total, key=lambda meaning: -total[meaning])
    return best[first][1], total[first], total[others[0]] if others else 0.0


def _made_up(corpus: Corpus, ranker: Ranker, kinds: Sequence[str], random: Random) -> Iterator[Judged]:
    """Sentences that mean nothing, as the ranker reads them."""
    known = {pair for kind in kinds for pair in pairs(kind)}
    words = {word for some in corpus.words for word in some}
    for utterance in random.sample(list(corpus.utterances), len(corpus.utterances) // NONSENSE):
        made_up = Unlabelled(nonsense(utterance.sentence, random), tuple(utterance.contexts))
        ranked = ranker.ranked(made_up)
        if ranked:
            best, *others = ranked
            kind, hints = kind_of(ranker.domain, made_up.sentence), ranker.hints(made_up)
            about = evidence(
                best.program,
                hints,
                probability=best.probability,
                rival=others[0].probability if others else 0.0,
                strange=strangeness(kind, known),
                is_new=True,
                unknown=unknown_words(hints, ranker.domain.words(made_up.sentence), words.__contains__),
            )
            yield Judged(about, (), is_nonsense=True)
