"""The one door to search: the utterances of a domain, by meaning or with the reference's procedure, group by group."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from chorale.domain import Domain, Grounding, needed
from chorale.search.by_meaning import ByMeaning
from chorale.search.candidates import Found, Group
from chorale.search.reference import Reference
from chorale.search.settings import PROBES, SEED, SearchSettings


def search(
    domain: Domain,
    language: str,
    grounding: Grounding,
    settings: SearchSettings,
    *,
    groups: Sequence[Group] | None = None,
) -> Iterator[list[Found]]:
    """What is found for the utterances of a grounding, or for some groups of them, one group after another."""
    procedure = procedure_for(domain, language, settings)
    probes = probes_of(len(grounding.utterances)) if grounding.is_shared else ()
    chosen = groups_of(grounding, settings) if groups is None else groups
    return (procedure.search(grounding, group, probes) for group in chosen)


def procedure_for(domain: Domain, language: str, settings: SearchSettings) -> ByMeaning | Reference:
    """The procedure that the settings name."""
    if settings.procedure == "reference":
        agenda = needed(domain.agenda(language), domain, f"agenda for {language}", "the reference's search")
        return Reference(agenda, settings)
    lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "search by meaning")
    return ByMeaning(lexicon, settings)


def groups_of(grounding: Grounding, settings: SearchSettings) -> list[Group]:
    """The utterances by what they say, in order of first appearance; each by itself if nothing is pooled."""
    pooled = is_pooled(settings, grounding.is_shared)
    found: dict[str, list[int]] = {}
    for index, utterance in enumerate(grounding.utterances):
        found.setdefault(plain(utterance.sentence) if pooled else str(index), []).append(index)
    return list(map(tuple, found.values()))


def is_pooled(settings: SearchSettings, is_shared: bool) -> bool:
    """Whether utterances that say the same are searched together."""
    return settings.pool and settings.procedure == "meaning" and is_shared


def probes_of(utterances: int) -> list[int]:
    """The utterances that lend their contexts to tell meanings apart, of so many."""
    return random.Random(SEED).sample(range(utterances), min(PROBES, utterances))


def plain(sentence: str) -> str:
    """What a sentence says: its words in lower case."""
    return " ".join(re.findall(r"\w+", sentence.lower()))
