"""A whole corpus, searched into a file: by many workers, in one order; a search that was stopped can resume.

A search that was interrupted resumes (`engines.resuming`), and one with other settings starts afresh.

The corpus may be larger than the memory: groups come from the disk one by one, and each is written when it is found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from chorale.domain import Domain, Hints, Lexicon, Utterance
from chorale.engines.engine import Engine
from chorale.engines.local import Local
from chorale.engines.resuming import resumed, whole_lines
from chorale.plumbing.files import hash_of_all, unfinished
from chorale.plumbing.version import version
from chorale.search.by_meaning import ByMeaning
from chorale.search.files import CandidateLine, line_of
from chorale.search.on_disk import GroupSearch, Members, grouped
from chorale.search.reference import Reference
from chorale.search.settings import SearchSettings

_NOTHING = Hints(frozenset(), (), frozenset())  # of a domain without a lexicon


@dataclass
class Summary:
    """What a search found, and what it took."""

    utterances: int = 0
    covered: int = 0
    """Utterances with a candidate."""
    right: int = 0
    """Utterances with a candidate that is right in all contexts."""
    candidates: int = 0
    explained: int = 0
    """Utterances whose best candidate explains every content word."""
    uniform: int = 0
    """Utterances whose labels are all equal and say almost nothing."""
    wordless: int = 0
    """Utterances without any word that the lexicon knows."""
    seconds: float = 0.0
    peak_memory: int = 0
    """In bytes, of all local processes together; on a cluster, of the command itself."""

    @staticmethod
    def of(line: CandidateLine, utterance: Utterance, hints: Hints) -> Summary:
        """What one utterance counts."""
        candidates, sayable = line.candidates, all(wanted for _, wanted in hints.explains)
        return Summary(
            utterances=1,
            covered=int(bool(candidates)),
            right=int(any(candidate.wrong == 0 for candidate in candidates)),
            candidates=len(candidates),
            explained=int(bool(candidates) and sayable and not candidates[0].unexplained),
            uniform=int(len({answer for answer in utterance.answers if answer is not None}) < 2),
            wordless=int(not hints.explains),
        )

    def add(self, other: Summary) -> None:
        """Count what another one counts as well."""
        for name in ("utterances", "covered", "right", "candidates", "explained", "uniform", "wordless"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def share(self, count: int) -> float:
        """A count as a share of the utterances."""
        return count / max(1, self.utterances)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {
            "seconds": round(self.seconds, 1),
            "coverage": round(self.share(self.covered), 4),
            "right_share": round(self.share(self.right), 4),
            "candidates_per_utterance": round(self.share(self.candidates), 2),
            "explained_share": round(self.share(self.explained), 4),
        }


def search_to_file(
    domain: Domain,
    language: str,
    utterances: Sequence[Utterance],
    settings: SearchSettings,
    out: Path,
    *,
    data: str,
    engine: Engine | None = None,
    watch: Callable[[Summary], None] = lambda summary: None,
) -> Summary:
    """Search all utterances and write what is found; resumes an earlier call of the same kind that was stopped.

    `data` is a hash of what the utterances were read from. The file has its name only when it is complete.
    """
    engine = engine or Local()
    start, summary = time.perf_counter(), Summary()
    work = _Work(GroupSearch.of(domain, language, utterances, settings), domain.lexicon(language))
    with grouped(domain, language, utterances, settings) as groups:
        depends_on = {
            "version": version(),
            "data": data,
            "grammar": domain.languages[language].grammar.fingerprint,
            "settings": settings.model_dump(),
            "hints": hash_of_all(_said(work.hints(groups.first(group))) for group in groups),
            "agenda": hash_of_all(_required(work.search.procedure, utterances)),
        }
        with unfinished(out, depends_on, "search") as (target, part):
            for summarised in resumed(engine, work, map(groups.members, groups), part, work.done):
                summary.add(summarised)
                watch(summary)
            part.replace(target)
    summary.seconds = time.perf_counter() - start
    summary.peak_memory = engine.peak_memory()
    return summary


@dataclass(frozen=True)
class _Work:
    """What a worker does with a group."""

    search: GroupSearch
    lexicon: Lexicon | None

    def __call__(self, members: Members) -> tuple[bytes, Summary]:
        """The lines of its utterances, and what they count."""
        candidates = self.search(members)
        lines = [line_of(members[index][1], readings) for index, readings in candidates.items()]
        return b"".join(lines), self.counted(members, map(CandidateLine.model_validate_json, lines))

    def done(self, members: Members, stream: BinaryIO) -> Summary | None:
        """What the lines of a group count that an earlier search wrote."""
        lines = whole_lines(len(members), stream, CandidateLine.model_validate_json)
        is_theirs = [line.identifier for line in lines] == [utterance.identifier for _, utterance in members]
        return self.counted(members, lines) if is_theirs else None

    def counted(self, members: Members, lines: Iterable[CandidateLine]) -> Summary:
        """What the lines of a group count."""
        counts, hints = Summary(), self.hints(members[0][1])
        for (_, utterance), line in zip(members, lines, strict=True):
            counts.add(Summary.of(line, utterance, hints))
        return counts

    def hints(self, utterance: Utterance) -> Hints:
        """What the words of an utterance say."""
        return self.lexicon.hints(utterance) if self.lexicon else _NOTHING


def _said(hints: Hints) -> list[Any]:
    """Hints as JSON has them."""
    return [sorted(hints.allowed), [[word, sorted(wanted)] for word, wanted in hints.explains]]


def _required(procedure: ByMeaning | Reference, utterances: Iterable[Utterance]) -> Iterator[list[str]]:
    """What the reference demands of the programs of each utterance."""
    if isinstance(procedure, Reference):
        for utterance in utterances:
            yield sorted(procedure.agenda.required(utterance))
