"""Posing: the meanings of sentences and what labels say about them, made ready to be learned from."""

from __future__ import annotations

from collections.abc import Callable

from chorale.domain.parsing import Corpus
from chorale.ranker.learning import Problem
from chorale.ranker.ranker import Ranker
from chorale.search.candidates import Candidate
from chorale.search.search import plain


def pose(
    corpus: Corpus, ranker: Ranker, listed: int, flip: float, tick: Callable[[int, int], None] = lambda done, of: None
) -> tuple[Problem, list[list[Candidate]]]:
    """The meanings of all sentences, the most plausible ones, and what labels say about them; also the meanings alone.

    Utterances are known by their index in the corpus.
    """
    problem, groups, found = Problem(), _groups(corpus), list[list[Candidate]]()
    for done, group in enumerate(groups, 1):
        utterance = corpus.utterances[group[0]]
        candidates = [candidate for candidate in ranker.candidates(utterance) if candidate.meaning < listed]
        found.append(candidates)
        sentence = ranker.sentence(utterance)
        parts = [sentence.parts(candidate.program, candidate.true_of) for candidate in candidates]
        number = problem.add_sentence(sentence, parts, [candidate.prior.log for candidate in candidates])
        for member in group:
            known = [answer is not None for answer in corpus.utterances[member].answers]
            right = [
                [agreed for agreed, is_known in zip(said, known, strict=True) if is_known]
                for said in (corpus.grounding.right(candidate.program, member) for candidate in candidates)
            ]
            problem.add_utterance(member, number, right, flip, chance=[0.5] * sum(known))
        tick(done, len(groups))
    return problem, found


def _groups(corpus: Corpus) -> list[list[int]]:
    """The utterances by what they say."""
    found: dict[str, list[int]] = {}
    for index, utterance in enumerate(corpus.utterances):
        found.setdefault(plain(utterance.sentence), []).append(index)
    return list(found.values())
