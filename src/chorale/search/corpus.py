"""A whole corpus: every group of utterances searched, in parallel, the records streamed to a file in one order."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chorale.domain import Hints, Utterance
from chorale.search.candidates import Group, Procedure
from chorale.search.records import Journal, Record, line_of, record_of

_AT_ONCE = 4  # groups that a worker is handed at a time


@dataclass
class Summary:
    """What a search found, and what it took."""

    utterances: int = 0
    covered: int = 0
    """Utterances with a candidate."""
    right: int = 0
    """Utterances with a candidate that is right on all images."""
    candidates: int = 0
    explained: int = 0
    """Utterances whose best candidate explains every content word."""
    uniform: int = 0
    """Utterances whose labels are all equal and say almost nothing."""
    wordless: int = 0
    """Utterances without any word that the lexicon knows."""
    seconds: float = 0.0
    peak_memory: int = 0
    """In bytes, of all processes together."""

    def add(self, record: Record, utterance: Utterance, hints: Hints) -> None:
        """Count one utterance."""
        found = record["candidates"]
        self.utterances += 1
        self.covered += bool(found)
        self.right += any(candidate["wrong"] == 0 for candidate in found)
        self.candidates += len(found)
        sayable = all(wanted for _, wanted in hints.explains)
        self.explained += bool(found) and sayable and not found[0]["unexplained"]
        self.uniform += len({answer for answer in utterance.answers if answer is not None}) < 2
        self.wordless += not hints.explains

    @property
    def coverage(self) -> float:
        return self.covered / max(1, self.utterances)

    def to_json(self) -> dict[str, Any]:
        counts = asdict(self)
        counts["seconds"] = round(self.seconds, 1)
        return counts | {
            "coverage": round(self.coverage, 4),
            "right_share": round(self.right / max(1, self.utterances), 4),
            "candidates_per_utterance": round(self.candidates / max(1, self.utterances), 2),
            "explained_share": round(self.explained / max(1, self.utterances), 4),
        }


def search_corpus(
    procedure: Procedure,
    groups: Sequence[Group],
    hints: Callable[[str], Hints],
    out: Path,
    mark: str,
    *,
    jobs: int = 1,
    watch: Callable[[Summary], None] = lambda summary: None,
) -> Summary:
    """Search all groups and write the records; goes on where an earlier call with the same `mark` was stopped.

    `mark` is a fingerprint of everything the records depend on. The file has its name only when it is complete.
    """
    start = time.perf_counter()
    utterances = procedure.grounding.utterances
    summary = Summary()

    def count(records: Sequence[Record], group: Group) -> None:
        known = hints(group.sentence)
        for record, member in zip(records, group.members, strict=True):
            summary.add(record, utterances[member], known)
        watch(summary)

    expected = [[utterances[member].identifier for member in group.members] for group in groups]
    with Journal(out, mark, expected) as journal:
        place = at = 0
        while at < len(journal.done):
            group = groups[place]
            count(journal.done[at : at + len(group.members)], group)
            place, at = place + 1, at + len(group.members)
        with _mapping(procedure, jobs) as search:
            for group, records in zip(groups[place:], search(groups[place:]), strict=True):
                journal.write([line_of(record) for record in records])
                count(records, group)
        journal.finish()
    summary.seconds = time.perf_counter() - start
    summary.peak_memory = peak_memory(jobs)
    return summary


_procedure: Procedure  # of a worker


def _start(procedure: Procedure) -> None:
    global _procedure  # noqa: PLW0603 - a worker is handed its procedure once, not with every group
    _procedure = procedure
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _work(group: Group) -> list[Record]:
    return _records(_procedure, group)


def _records(procedure: Procedure, group: Group) -> list[Record]:
    return [record_of(result, procedure.grounding) for result in procedure.search(group)]


@contextmanager
def _mapping(procedure: Procedure, jobs: int) -> Iterator[Callable[[Sequence[Group]], Iterator[list[Record]]]]:
    """A function that searches groups in their order, here or in other processes."""
    if jobs <= 1:
        yield lambda groups: (_records(procedure, group) for group in groups)
        return
    with multiprocessing.Pool(jobs, _start, (procedure,)) as pool:
        yield lambda groups: pool.imap(_work, groups, _AT_ONCE)
        pool.close()
        pool.join()


def peak_memory(jobs: int = 1) -> int:
    """The largest resident size so far, in bytes; that of the largest worker counts for each of them."""
    unit = 1 if sys.platform == "darwin" else 1024
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if jobs > 1 else 0
    return unit * (own + jobs * worker)
