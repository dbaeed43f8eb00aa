"""The meanings of a whole corpus; on the disk while they are searched, so that a training that is killed resumes.

Each sentence is a JSON line: its readings, as program, prior, meaning, share of truth and words left unsaid.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from chorale.domain import Reading, Utterance
from chorale.engines.local import Local
from chorale.engines.resuming import resumed
from chorale.language import Program
from chorale.plumbing.files import unfinished
from chorale.plumbing.version import version
from chorale.ranker.ranker import Ranker


def searched(
    utterances: Sequence[Utterance],
    ranker: Ranker,
    out: Path,
    *,
    data: str,
    tick: Callable[[int, int], None] = lambda done, of: None,
) -> list[list[Reading]]:
    """What a ranker chooses from, for each utterance; `out` names the file that holds what was found so far.

    `data` is a hash of what the utterances were read from. The file is the caller's to remove.
    """
    depends_on = {
        "version": version(),
        "data": data,
        "grammar": ranker.domain.languages[ranker.language].grammar.fingerprint,
        "settings": ranker.search.model_dump(),
    }
    work, listed = _Work(ranker), list[list[Reading]]()
    with unfinished(out, depends_on, "training") as (_, part):
        for readings in resumed(Local(), work, utterances, part, work.read):
            listed.append(readings)
            tick(len(listed), len(utterances))
    return listed


@dataclass(frozen=True)
class _Work:
    """What is done with an utterance."""

    ranker: Ranker

    def __call__(self, utterance: Utterance) -> tuple[bytes, list[Reading]]:
        readings = self.ranker.candidates(utterance)
        line = [[it.program.text, it.log_prior, it.meaning, it.true_of, it.unexplained] for it in readings]
        return json.dumps(line, ensure_ascii=False).encode() + b"\n", readings

    def read(self, utterance: Utterance, stream: BinaryIO) -> list[Reading] | None:
        """The next line; None if it was not written to its end."""
        line = stream.readline()
        if not line.endswith(b"\n"):
            return None
        grammar = self.ranker.grammar(utterance)
        try:
            return [
                Reading(Program.parse(text, grammar), prior, meaning=meaning, true_of=share, unexplained=tuple(unsaid))
                for text, prior, meaning, share, unsaid in json.loads(line)
            ]
        except (ValueError, TypeError):  # what a crash left; a ChoraleError is a ValueError
            return None
