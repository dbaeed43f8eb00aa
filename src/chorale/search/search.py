"""The one door to search: the utterances of a domain, by meaning or with the reference's procedure, group by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chorale.domain import Domain, Grounding, needed
from chorale.search.by_meaning import ByMeaning
from chorale.search.groups import CandidateLists, Group, groups_of, probes_of
from chorale.search.reference import Reference
from chorale.search.settings import SearchSettings


def search(
    domain: Domain,
    language: str,
    grounding: Grounding,
    settings: SearchSettings,
    *,
    groups: Sequence[Group] | None = None,
) -> Iterator[CandidateLists]:
    """What is found for the utterances of a grounding, or for some groups of them, one group after another."""
    procedure = procedure_for(domain, language, settings)
    probes = probes_of(domain, language, len(grounding.utterances))
    chosen = groups_of(domain, language, grounding.utterances, settings) if groups is None else groups
    return (procedure.search(grounding, group, probes) for group in chosen)


def procedure_for(domain: Domain, language: str, settings: SearchSettings) -> ByMeaning | Reference:
    """The procedure that the settings name."""
    if settings.procedure == "reference":
        agenda = needed(domain.agenda(language), domain, f"agenda for {language}", "the reference's search")
        return Reference(agenda, settings)
    lexicon = needed(domain.lexicon(language), domain, f"lexicon for {language}", "search by meaning")
    return ByMeaning(lexicon, settings)
