"""Records: what was found for an utterance, as a JSON line, and a file of them that grows and can be continued.

    {"identifier": "17", "sentence": "There is a ...", "candidates": [{"program": "object_exists(...)", ...}, ...]}

A file that is not complete has another name, which holds a fingerprint of everything its content depends on. So a
search that was interrupted goes on where it stopped, and one with other settings starts afresh.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chorale.domain import Grounding
from chorale.errors import ChoraleError
from chorale.search.candidates import Candidate, Result

Record = dict[str, Any]


def record_of(result: Result, grounding: Grounding) -> Record:
    """What was found for one utterance."""
    utterance = grounding.utterances[result.utterance]
    return {
        "identifier": utterance.identifier,
        "sentence": utterance.sentence,
        "candidates": [candidate_record(candidate) for candidate in result.candidates],
    }


def candidate_record(candidate: Candidate) -> Record:
    """A candidate as JSON: `fit` and `prior` are in nats, `wrong` counts the utterance's own images."""
    return {
        "program": candidate.program.text,
        "actions": candidate.prior.actions,
        "fit": round(candidate.fit, 4),
        "prior": round(candidate.prior.log, 4),
        "wrong": candidate.wrong,
        "unexplained": list(candidate.prior.unexplained),
    }


def line_of(record: Record) -> str:
    """A record as a line of a file."""
    return json.dumps(record, ensure_ascii=False) + "\n"


def fingerprint(about: Mapping[str, Any]) -> str:
    """Changes whenever something changes that the content of a file depends on."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:12]


class Journal:
    """A file of records under construction; `done` holds what an earlier run had written.

    `expected` are the identifiers of all utterances in the order of the file, in steps that are written together.
    """

    def __init__(self, out: Path, mark: str, expected: Sequence[Sequence[str]]) -> None:
        self.out = Path(os.path.realpath(out))
        if self.out.exists() and not self.out.is_file():
            raise ChoraleError(f"{out}: not a file that could be replaced")
        self.part = self.out.with_name(f"{self.out.name}.{mark}.part")
        self.done, length = self._earlier(expected)
        self._stream = open(self.part, "r+b" if self.part.exists() else "w+b")  # noqa: SIM115 - closed by __exit__
        self._stream.truncate(length)
        self._stream.seek(length)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def write(self, lines: Sequence[str]) -> None:
        """Add the lines of one step."""
        self._stream.write("".join(lines).encode())
        self._stream.flush()

    def finish(self) -> None:
        """Give the file its name, and forget unfinished ones of other settings."""
        os.fsync(self._stream.fileno())
        self._stream.close()
        self.part.replace(self.out)
        for other in self.out.parent.glob(f"{_escaped(self.out.name)}.{'[0-9a-f]' * len(self._mark)}.part"):
            other.unlink(missing_ok=True)

    @property
    def _mark(self) -> str:
        return self.part.name[len(self.out.name) + 1 : -len(".part")]

    def _earlier(self, expected: Sequence[Sequence[str]]) -> tuple[list[Record], int]:
        """The whole steps at the start of an unfinished file, and how many bytes they take."""
        lines = self.part.read_bytes().splitlines(keepends=True) if self.part.exists() else []
        done: list[Record] = []
        length = 0
        for step in expected:
            taken = lines[len(done) : len(done) + len(step)]
            records = [_read(line) for line in taken]
            if [record.get("identifier") for record in records] != list(step):
                break
            done += records
            length += sum(map(len, taken))
        return done, length


def _read(line: bytes) -> Record:
    """The record of a line, empty if the line was not written to its end."""
    try:
        record = json.loads(line) if line.endswith(b"\n") else {}
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
