"""The one door to search: the utterances of a domain, by meaning or with the reference's procedure, group by group."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from chorale.domain import Domain, Grounding, needed
from chorale.search.by_meaning import ByMeaning
from chorale.search.candidates import Found, Group
from chorale.search.reference import Reference
from chorale.search.settings import SearchSettings


def search(
    domain: Domain,
    language: str,
    grounding: Grounding,
    settings: SearchSettings,
    *,
    groups: Sequence[Group] | None = None,
    rates: Mapping[str, float] | None = None,
) -> Iterator[list[Found]]:
    """What is found for the utterances of a grounding, or for some groups of them, one group after another.

    `rates` says how often raters are wrong (see `raters`); without it, all answers are as likely wrong as the settings
    say.
    """
    procedure = procedure_for(domain, language, grounding, settings, rates)
    return map(procedure.search, groups_of(grounding, settings) if groups is None else groups)


def procedure_for(
    domain: Domain,
    language: str,
    grounding: Grounding,
    settings: SearchSettings,
    rates: Mapping[str, float] | None = None,
) -> ByMeaning | Reference:
    """The procedure that the settings name."""
    if settings.procedure == "reference":
        agenda = needed(domain.agenda(language), domain, f"agenda for {language}", "the reference's search")
        return Reference(grounding, agenda, settings)
    lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "search by meaning")
    own = [[settings.doubt] * len(one.answers) for one in grounding.utterances]
    if rates:
        raters = needed(domain.raters, domain, "raters", "weighing their answers")
        own = [[rates.get(name or "", settings.doubt) for name in raters(one)] for one in grounding.utterances]
    return ByMeaning(grounding, lexicon, settings, own)


def groups_of(grounding: Grounding, settings: SearchSettings) -> list[Group]:
    """The utterances by what they say, in order of first appearance; each by itself if nothing is pooled."""
    is_pooled = settings.pool and settings.procedure == "meaning" and grounding.is_shared
    found: dict[str, list[int]] = {}
    for index, utterance in enumerate(grounding.utterances):
        found.setdefault(plain(utterance.sentence) if is_pooled else str(index), []).append(index)
    return list(map(tuple, found.values()))


def plain(sentence: str) -> str:
    """What a sentence says: its words in lower case."""
    return " ".join(re.findall(r"\w+", sentence.lower()))
