"""A whole corpus, searched into a file: by many workers, in one order, and a search that was stopped goes on.

Until it is complete, the file has another name, which holds a hash of everything its content depends on. So a search
that was interrupted goes on where it stopped, and one with other settings starts afresh.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chorale.domain import Domain, Grounding, Hints, Utterance
from chorale.engines.engine import Engine
from chorale.engines.local import Local
from chorale.plumbing.files import naming, unfinished
from chorale.plumbing.version import version
from chorale.search.by_meaning import ByMeaning
from chorale.search.candidates import Group
from chorale.search.files import CandidateLine, line_of
from chorale.search.reference import Reference
from chorale.search.search import groups_of, procedure_for
from chorale.search.settings import SearchSettings

_NOTHING = Hints(frozenset(), (), frozenset())  # of a domain without a lexicon


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
    """In bytes, of all local processes together; on a cluster, of the command itself."""

    def add(self, line: CandidateLine, utterance: Utterance, hints: Hints) -> None:
        """Count one utterance."""
        found = line.candidates
        self.utterances += 1
        self.covered += bool(found)
        self.right += any(candidate.wrong == 0 for candidate in found)
        self.candidates += len(found)
        sayable = all(wanted for _, wanted in hints.explains)
        self.explained += bool(found) and sayable and not found[0].unexplained
        self.uniform += len({answer for answer in utterance.answers if answer is not None}) < 2
        self.wordless += not hints.explains

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
    grounding: Grounding,
    settings: SearchSettings,
    out: Path,
    *,
    data: str,
    rates: Mapping[str, float] | None = None,
    engine: Engine | None = None,
    watch: Callable[[Summary], None] = lambda summary: None,
) -> Summary:
    """Search all utterances and write what is found; goes on where an earlier call of the same kind was stopped.

    `data` is a hash of what the utterances were read from. The file has its name only when it is complete.
    """
    engine = engine or Local()
    start, summary, utterances = time.perf_counter(), Summary(), grounding.utterances
    procedure, groups = procedure_for(domain, language, grounding, settings, rates), groups_of(grounding, settings)
    lexicon = domain.lexicon(language)
    hints = [lexicon.hints(utterances[group[0]]) if lexicon else _NOTHING for group in groups]
    agenda = [sorted(procedure.agenda.required(one)) for one in utterances] if isinstance(procedure, Reference) else []
    depends_on = {
        "version": version(),
        "data": data,
        "grammar": domain.languages[language].grammar.fingerprint,
        "settings": settings.model_dump(),
        "rates": rates or {},
        "hints": [[sorted(it.allowed), [[word, sorted(wanted)] for word, wanted in it.explains]] for it in hints],
        "agenda": agenda,
    }
    with unfinished(out, depends_on, "search") as (target, part):
        done = _whole_groups(part, [[utterances[member].identifier for member in group] for group in groups])
        os.truncate(part, sum(map(len, chain.from_iterable(done))))
        work = partial(_lines, procedure, utterances)
        with naming(part), open(part, "ab") as stream, closing(engine.map(work, groups[len(done) :])) as new:
            for index, lines in enumerate(chain(done, new)):
                if index >= len(done):
                    stream.writelines(lines)
                    stream.flush()
                for member, line in zip(groups[index], lines, strict=True):
                    summary.add(CandidateLine.model_validate_json(line), utterances[member], hints[index])
                watch(summary)
            os.fsync(stream.fileno())
        part.replace(target)
    summary.seconds = time.perf_counter() - start
    summary.peak_memory = engine.peak_memory()
    return summary


def _whole_groups(part: Path, groups: Sequence[Sequence[str]]) -> list[list[bytes]]:
    """The lines that an earlier search wrote, as far as they are those of whole groups, given as identifiers."""
    written, done = iter(part.read_bytes().splitlines(keepends=True)), list[list[bytes]]()
    for group in groups:
        lines = list(islice(written, len(group)))
        if [_identifier(line) for line in lines] != group:
            break
        done.append(lines)
    return done


def _identifier(line: bytes) -> str | None:
    """Whose line it is; None if it was not written to its end."""
    try:
        return CandidateLine.model_validate_json(line).identifier if line.endswith(b"\n") else None
    except ValidationError:
        return None


def _lines(procedure: ByMeaning | Reference, utterances: Sequence[Utterance], group: Group) -> list[bytes]:
    return [line_of(utterances[one.utterance], one.candidates) for one in procedure.search(group)]
