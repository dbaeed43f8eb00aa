"""Errors by sentence template: in which groups of utterances the mistakes lie.

Utterances are grouped by what a domain can tell of them: the kind of their contexts, whether train has sentences of
their kind, how long they are, their kind itself, and the content words that its lexicon knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chorale.domain import Domain, Utterance, kind_of
from chorale.evaluation.evaluate import NOT_SEEN, SEEN
from chorale.evaluation.metrics import Right, measures_of, score_of
from chorale.report.tables import share
from chorale.runs.models import hash_of_kind

LENGTHS = ((1, 6), (7, 9), (10, 12), (13, 16), (17, None))
MOST = 12
"""How many kinds, or words, are listed."""
LEAST = 3
"""A word that fewer utterances have is not listed."""
Groups = Mapping[str, Sequence[int]]
"""Indices of utterances, by the name of the group they belong to."""
Rights = Sequence[Mapping[str, Right]]
"""For each run, what was right, by the identifier of the utterance."""


def parts(domain: Domain, utterances: Sequence[Utterance], seen: Sequence[str] | None) -> dict[str, list[int]]:
    """Everything; by kind of context; by whether train has the sentence template; by length."""
    groups: dict[str, list[int]] = {"all": list(range(len(utterances)))}
    contexts: dict[str, list[int]] = {}
    for index, utterance in enumerate(utterances):
        if utterance.contexts:
            contexts.setdefault(domain.kind(utterance.contexts[0]), []).append(index)
    groups |= dict(sorted(contexts.items())) if len(contexts) > 1 else {}
    if seen is not None:
        known = frozenset(seen)
        is_seen = [hash_of_kind(kind_of(domain, utterance.sentence)) in known for utterance in utterances]
        groups[SEEN] = [index for index, flag in enumerate(is_seen) if flag]
        groups[NOT_SEEN] = [index for index, flag in enumerate(is_seen) if not flag]
    lengths = [len(domain.words(utterance.sentence)) for utterance in utterances]
    for low, high in LENGTHS:
        name = f"{low} words or more" if high is None else f"{low} to {high} words"
        groups[name] = [it for it, length in enumerate(lengths) if low <= length <= (high or length)]
    return {name: members for name, members in groups.items() if members}


def sentence_kinds(domain: Domain, utterances: Sequence[Utterance], rights: Rights) -> dict[str, list[int]]:
    """The sentence templates with the most mistakes, of those with two utterances or more."""
    groups: dict[str, list[int]] = {}
    for index, utterance in enumerate(utterances):
        groups.setdefault(kind_of(domain, utterance.sentence), []).append(index)
    return _worst({name: some for name, some in groups.items() if len(some) > 1}, utterances, rights)


def words(domain: Domain, language: str, utterances: Sequence[Utterance], rights: Rights) -> dict[str, list[int]]:
    """The content words whose utterances have the most mistakes; those that can take each other's place are one."""
    if (lexicon := domain.lexicon(language)) is None:
        return {}
    groups: dict[str, list[int]] = {}
    for index, utterance in enumerate(utterances):
        hints = lexicon.hints(utterance)
        phrases = [" ".join(hints.words[start:end]) for start, end in hints.spans] or [it for it, _ in hints.explains]
        for word in dict.fromkeys(phrases):
            groups.setdefault(word, []).append(index)
    return _worst({name: some for name, some in groups.items() if len(some) >= LEAST}, utterances, rights)


def kinds_table(
    what: str, groups: Groups, utterances: Sequence[Utterance], systems: Mapping[str, Rights]
) -> list[list[str]]:
    """The measures of each group, means over runs; of several systems only that which they are judged by.

    The first line is the heads.
    """
    measures = measures_of(right for runs in systems.values() for right in runs[0].values())
    measures = measures if len(systems) == 1 else measures[-1:]
    lines = [[what, "utterances", *(measures if len(systems) == 1 else systems)]]
    for group, members in groups.items():
        names = [utterances[index].identifier for index in members]
        cells = []
        for runs in systems.values():
            scores = [score_of([right[name] for name in names]) for right in runs]
            cells += [share([getattr(score, it) for score in scores]).partition(" ")[0] for it in measures]
        lines.append([group, f"{len(members):,}", *cells])
    return lines


def _worst(groups: Groups, utterances: Sequence[Utterance], rights: Rights) -> dict[str, list[int]]:
    """The groups with more mistakes than others of their size; an utterance counts in all runs that are wrong on it."""
    wrong = [sum(not all(right[utterance.identifier]) for right in rights) for utterance in utterances]
    usual = sum(wrong) / max(1, len(wrong))
    excess = {name: sum(wrong[index] - usual for index in members) for name, members in groups.items()}
    ordered = sorted(groups, key=lambda name: (-excess[name], name))
    return {name: list(groups[name]) for name in ordered[:MOST] if excess[name] > 0}
