"""One sentence: the candidates of everybody who says it, and where the best two differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from chorale.domain import Domain, Grounding, Utterance, pairs_of
from chorale.errors import ChoraleError, nearest
from chorale.language import Program
from chorale.search.candidates import Candidate, Group
from chorale.search.distinguish import Difference, distinguish, generated
from chorale.search.search import plain, search
from chorale.search.settings import SearchSettings


@dataclass(frozen=True)
class SentenceFound:
    """What was found for a sentence."""

    utterances: list[Utterance]
    candidates: list[Candidate]
    """Best first; `wrong` counts over all utterances."""
    difference: Difference | None = None
    """Between the best two, if there are two."""
    name: str | None = None
    """Of the context on which they differ."""
    context: Any = None


def search_sentence(
    domain: Domain,
    language: str,
    grounding: Grounding,
    settings: SearchSettings,
    sentence: str,
    data: Path,
) -> SentenceFound:
    """Search for all utterances of a file that say a sentence; their evidence is pooled where contexts are shared."""
    says = [plain(utterance.sentence) for utterance in grounding.utterances]
    group = tuple(index for index, said in enumerate(says) if said == plain(sentence))
    if not group:
        close = nearest(plain(sentence), says)
        raise ChoraleError(f"{data}: nobody says {sentence!r}{f'; did you mean {close!r}?' if close else ''}")
    utterances = [grounding.utterances[member] for member in group]
    groups = [group] if grounding.is_shared else [(member,) for member in group]
    results = chain.from_iterable(search(domain, language, grounding, settings, groups=groups))
    found: dict[Program, Candidate] = {}
    for candidate in chain.from_iterable(one.candidates for one in results):
        found.setdefault(candidate.program, candidate)
    candidates = sorted(found.values(), key=lambda candidate: -candidate.score)[: settings.keep]
    if grounding.is_shared:
        candidates = [replace(one, wrong=_wrong(one.program, grounding, group)) for one in candidates]
    if len(candidates) < 2:
        return SentenceFound(utterances, candidates)
    everywhere = range(len(grounding.utterances)) if grounding.is_shared else group[:1]
    more = generated(domain, language) if grounding.is_shared and domain.generator is not None else ()
    differ = distinguish(candidates[0].program, candidates[1].program, grounding.language(everywhere), more)
    name, context = ("generated" if differ else None), differ.context
    if differ.index is not None:
        members = [grounding.utterances[member] for member in everywhere]
        name, context = [
            (name, context) for one in members for (_, name), context in zip(pairs_of(one), one.contexts, strict=True)
        ][differ.index]
    return SentenceFound(utterances, candidates, differ, name, context)


def _wrong(program: Program, grounding: Grounding, group: Group) -> int:
    """How many answers of a group a program contradicts."""
    return sum(
        wanted is not None and not right
        for member in group
        for right, wanted in zip(grounding.right(program, member), grounding.utterances[member].answers, strict=True)
    )
