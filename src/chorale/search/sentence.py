"""One sentence: the candidates of everybody who says it, and where the best two differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from chorale.domain import Difference, Domain, Grounding, Reading, Utterance, differences_of, pairs_of
from chorale.errors import ChoraleError, nearest
from chorale.language import Program
from chorale.search.groups import Group, normalised, what_is_said
from chorale.search.search import search
from chorale.search.settings import SearchSettings


@dataclass(frozen=True)
class SentenceCandidates:
    """What was found for a sentence."""

    utterances: list[Utterance]
    readings: list[Reading]
    """Best first; `wrong` counts over all utterances."""
    difference: Difference | None = None
    """Between the best two, if there are two."""
    name: str | None = None
    """Of the context in which they differ."""
    context: Any = None


def search_sentence(
    domain: Domain, language: str, grounding: Grounding, settings: SearchSettings, sentence: str, data: Path
) -> SentenceCandidates:
    """Search for all utterances of a file that say a sentence; evidence of those that say the same is pooled."""
    says = [normalised(utterance.sentence) for utterance in grounding.utterances]
    chosen = [index for index, said in enumerate(says) if said == normalised(sentence)]
    if not chosen:
        close = nearest(normalised(sentence), says)
        raise ChoraleError(f"{data}: no utterance says {sentence!r}{f'; did you mean {close!r}?' if close else ''}")
    groups: dict[str, list[int]] = {}
    for index in chosen:
        groups.setdefault(what_is_said(domain, language, grounding.utterances[index]), []).append(index)
    group = tuple(next(iter(groups.values())))  # where contexts bring constants, each context is a matter of its own
    [candidates] = search(domain, language, grounding, settings, groups=[group])
    first: dict[Program, Reading] = {}
    for one in chain.from_iterable(candidates.values()):
        first.setdefault(one.program, one)
    best = sorted(first.values(), key=lambda one: -one.score)[: settings.keep]
    best = [replace(one, wrong=_wrong(one.program, grounding, group)) for one in best]
    utterances = [grounding.utterances[member] for member in group]
    if len(best) < 2:
        return SentenceCandidates(utterances, best)
    return _compared(domain, language, grounding, group, SentenceCandidates(utterances, best))


def _compared(
    domain: Domain, language: str, grounding: Grounding, group: Group, result: SentenceCandidates
) -> SentenceCandidates:
    """With where the best two differ: in the data, or else in a generated context."""
    is_own = domain.has_constants(language)
    members = result.utterances[:1] if is_own else list(grounding.utterances)
    named = [(name, context) for one in members for (_, name), context in zip(pairs_of(one), one.contexts, strict=True)]
    asked = result.utterances[0] if is_own else None
    meanings = differences_of(domain, language, asked, [context for _, context in named])
    differ = meanings.compare(result.readings[0].program, result.readings[1].program)
    if differ.index is None:
        return replace(result, difference=differ)
    name = named[differ.index][0] if differ.index < len(named) else "generated"
    return replace(result, difference=differ, name=name, context=differ.context)


def _wrong(program: Program, grounding: Grounding, group: Group) -> int:
    """How many answers of a group a program contradicts."""
    return sum(
        wanted is not None and not right
        for member in group
        for right, wanted in zip(grounding.right(program, member), grounding.utterances[member].answers, strict=True)
    )
