"""Groups on the disk: those of a corpus that may be larger than the memory (see `groups`).

Who says what is sorted on the disk (`plumbing.scratch`). A group is then searched by itself: its utterances are
grounded together with those that lend their contexts to tell meanings apart, and with nobody else. So a worker, here or
on another machine, needs no more of the corpus than the group that it is handed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from sqlite3 import Connection

from chorale.domain import Domain, Utterance
from chorale.plumbing.scratch import scratch
from chorale.search.by_meaning import ByMeaning
from chorale.search.groups import CandidateLists, Group, is_pooled, probes_of, what_is_said
from chorale.search.reference import Reference
from chorale.search.search import procedure_for
from chorale.search.settings import SearchSettings

Members = Sequence[tuple[int, Utterance]]
"""The utterances of a group, each with its index in the corpus."""

_TABLES = (
    "CREATE TABLE said (text TEXT PRIMARY KEY, first INTEGER) WITHOUT ROWID",
    "CREATE TABLE member (first INTEGER, place INTEGER, PRIMARY KEY (first, place)) WITHOUT ROWID",
)


@contextmanager
def grouped(
    domain: Domain, language: str, utterances: Sequence[Utterance], settings: SearchSettings
) -> Iterator[Groups]:
    """The groups of a corpus, in order of first appearance; they are there as long as the context lasts."""
    if not is_pooled(settings):
        yield Groups(utterances)
        return
    with scratch(*_TABLES) as database:
        for place, utterance in enumerate(utterances):
            text = what_is_said(domain, language, utterance)
            database.execute("INSERT OR IGNORE INTO said VALUES (?, ?)", (text, place))
            database.execute("INSERT INTO member SELECT first, ? FROM said WHERE text = ?", (place, text))
        yield Groups(utterances, database)


class Groups:
    """Can be gone through as often as needed; each group is read when its turn comes."""

    def __init__(self, utterances: Sequence[Utterance], database: Connection | None = None) -> None:
        """Without a database each utterance is a group by itself."""
        self._utterances, self._database = utterances, database

    def __iter__(self) -> Iterator[Group]:
        if self._database is None:
            yield from ((place,) for place in range(len(self._utterances)))
            return
        rows = self._database.execute("SELECT first, place FROM member ORDER BY first, place")
        for _, members in groupby(rows, key=itemgetter(0)):
            yield tuple(place for _, place in members)

    def members(self, group: Group) -> Members:
        """The utterances of a group."""
        return [(place, self._utterances[place]) for place in group]

    def first(self, group: Group) -> Utterance:
        """The one that stands for all of them."""
        return self._utterances[group[0]]


@dataclass(frozen=True)
class GroupSearch:
    """Searches groups that it is handed one by one; it can be sent to other processes and machines."""

    domain: Domain
    language: str
    procedure: ByMeaning | Reference
    probes: Mapping[int, Utterance]
    """The utterances that lend their contexts to all groups, by their index in the corpus."""

    @staticmethod
    def of(domain: Domain, language: str, utterances: Sequence[Utterance], settings: SearchSettings) -> GroupSearch:
        """The search that the settings name, in a corpus."""
        procedure = procedure_for(domain, language, settings)
        probes = probes_of(domain, language, len(utterances))
        return GroupSearch(domain, language, procedure, {place: utterances[place] for place in probes})

    def __call__(self, members: Members) -> CandidateLists:
        """What is found for a group, whose utterances come first in the grounding."""
        own = dict(members)
        others = [utterance for place, utterance in self.probes.items() if place not in own]
        grounding = self.domain.ground(self.language, [*own.values(), *others])
        ours, probes = range(len(own)), range(len(own), len(own) + len(others))
        return self.procedure.search(grounding, tuple(ours), probes)
