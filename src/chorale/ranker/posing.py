"""Posing: the meanings of sentences and what labels say about them, made ready to be learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chorale.domain import Reading, Utterance
from chorale.domain.parsing import Corpus
from chorale.ranker.learning import Problem
from chorale.ranker.ranker import Ranker
from chorale.search.groups import what_is_said

Search = Callable[[Sequence[Utterance]], list[list[Reading]]]


def pose(
    corpus: Corpus,
    ranker: Ranker,
    flip: float,
    tick: Callable[[int, int], None] = lambda done, of: None,
    search: Search | None = None,
) -> tuple[Problem, list[list[Reading]]]:
    """The meanings of all sentences, and what labels say about them; also the meanings alone.

    Utterances are known by their index in the corpus. `search` finds what the ranker chooses from, such as `searched`;
    without one the ranker does.
    """
    problem, groups = Problem(), _groups(corpus, ranker)
    chance = ranker.domain.answers.chance
    said = [corpus.utterances[group[0]] for group in groups]
    readings = search(said) if search else list(map(ranker.candidates, said))
    for done, (group, utterance, candidates) in enumerate(zip(groups, said, readings, strict=True), 1):
        sentence = ranker.sentence(utterance)
        parts = [sentence.parts(candidate.program, candidate.true_of) for candidate in candidates]
        number = problem.add_sentence(sentence, parts, [candidate.log_prior for candidate in candidates])
        for member in group:
            labels = corpus.utterances[member].answers
            right = [
                [agreed for agreed, label in zip(said, labels, strict=True) if label is not None]
                for said in (corpus.grounding.right(candidate.program, member) for candidate in candidates)
            ]
            chances = [chance(label) for label in labels if label is not None]
            problem.add_utterance(member, number, right, flip, chances)
        tick(done, len(groups))
    return problem, readings


def _groups(corpus: Corpus, ranker: Ranker) -> list[list[int]]:
    """The utterances by what they say."""
    groups: dict[str, list[int]] = {}
    for index, utterance in enumerate(corpus.utterances):
        groups.setdefault(what_is_said(ranker.domain, ranker.language, utterance), []).append(index)
    return list(groups.values())
