"""Files of candidates: what was found for an utterance is a JSON line, read and written here alone.

    {"identifier": "17", "sentence": "There is a ...", "candidates": [{"program": "object_exists(...)", ...}, ...]}

Of a candidate only `program` must be there; `fit` and `prior` are in nats, `wrong` counts the utterance's own contexts.

A file that grows has another name until it is complete, which holds a hash of everything its content depends on. So a
search that was interrupted goes on where it stopped, and one with other settings starts afresh.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from chorale.domain import Grounding, Utterance
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.plumbing.checking import Checked, Count, named, problems
from chorale.plumbing.files import lines, sha256, write
from chorale.search.candidates import Candidate
from chorale.search.prior import Prior

_EXPECTED = '{"identifier": "17", "sentence": "...", "candidates": [{"program": "..."}]}'


class CandidateText(Checked):
    """A candidate as a file has it."""

    program: str
    actions: Count | None = None
    fit: float = 0.0
    prior: float = 0.0
    wrong: Annotated[int, Field(ge=0, le=10**9)] = 0
    unexplained: tuple[str, ...] = ()

    @staticmethod
    def of(candidate: Candidate) -> CandidateText:
        """A candidate, made ready to be written."""
        return CandidateText(
            program=candidate.program.text,
            actions=len(candidate.program.action_ids),
            fit=round(candidate.fit, 4),
            prior=round(candidate.prior.log, 4),
            wrong=candidate.wrong,
            unexplained=candidate.prior.unexplained,
        )


class CandidateLine(Checked):
    """What a file says of one utterance."""

    identifier: str
    sentence: str = ""
    candidates: list[CandidateText]


def line_of(utterance: Utterance, candidates: Sequence[Candidate]) -> str:
    """The line of an utterance."""
    written = [CandidateText.of(candidate) for candidate in candidates]
    line = CandidateLine(identifier=utterance.identifier, sentence=utterance.sentence, candidates=written)
    return json.dumps(line.model_dump(), ensure_ascii=False) + "\n"


def write_candidates(path: Path, utterances: Sequence[Utterance], found: Mapping[int, Sequence[Candidate]]) -> str:
    """Write candidates, which are known by the index of their utterance; gives back the hash of the file."""
    written = (line_of(utterance, found.get(index, ())) for index, utterance in enumerate(utterances))
    content = "".join(written).encode()
    write(path, content)
    return sha256(content)


def read_candidates(path: Path, grounding: Grounding) -> dict[int, list[Candidate]]:
    """The candidates in a file by the index of their utterance; those of other utterances are left out."""
    known = {utterance.identifier: index for index, utterance in enumerate(grounding.utterances)}
    found: dict[int, list[Candidate]] = {}
    for number, content in lines(path):
        try:
            line = CandidateLine.model_validate_json(content)
        except ValidationError as error:
            wrong = "; ".join(
                ": ".join(filter(None, (named(key), what))) for key, what in problems(error, CandidateLine)[:5]
            )
            raise ChoraleError(f"{path}:{number}: not a line of candidates: {wrong}; expected {_EXPECTED}") from None
        if line.candidates and (index := known.get(line.identifier)) is not None:
            try:
                found[index] = _parsed(line, grounding, index)
            except ChoraleError as error:
                raise ChoraleError(f"{path}:{number}: {error}") from None
    return found


def _parsed(line: CandidateLine, grounding: Grounding, index: int) -> list[Candidate]:
    """The candidates of a line, each program once."""
    found: dict[Program, Candidate] = {}
    for text in line.candidates:
        program = Program.parse(text.program, grounding.grammar(index))
        if not program.action_ids:  # raises if no actions build it
            continue
        prior = Prior(text.prior, text.unexplained)
        found.setdefault(program, Candidate(program, prior, text.wrong, text.fit))
    return list(found.values())


class GrowingFile:
    """A file of candidates under construction; `done` holds the lines that an earlier run had written, step by step.

    `steps` are the identifiers of all utterances in the order of the file, those together that are written together.
    """

    def __init__(self, out: Path, depends_on: str, steps: Sequence[Sequence[str]]) -> None:
        self.out = out
        self.part = out.with_name(f"{out.name}.{depends_on}.part")
        self.done, length = self._earlier(steps)
        self._stream = open(self.part, "r+b" if self.part.exists() else "w+b")  # noqa: SIM115 - closed by __exit__
        self._stream.truncate(length)
        self._stream.seek(length)

    def __enter__(self) -> GrowingFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def write(self, content: Sequence[str]) -> None:
        """Add the lines of one step."""
        self._stream.write("".join(content).encode())
        self._stream.flush()

    def finish(self) -> None:
        """Give the file its name, and forget unfinished ones of other settings."""
        os.fsync(self._stream.fileno())
        self._stream.close()
        self.part.replace(self.out)
        for other in self.out.parent.glob(f"{glob.escape(self.out.name)}.{'[0-9a-f]' * 12}.part"):
            other.unlink(missing_ok=True)

    def _earlier(self, steps: Sequence[Sequence[str]]) -> tuple[list[list[str]], int]:
        """The whole steps at the start of an unfinished file, and how many bytes they take."""
        written = self.part.read_bytes().splitlines(keepends=True) if self.part.exists() else []
        done: list[list[str]] = []
        start = length = 0
        for step in steps:
            taken = written[start : start + len(step)]
            if [_identifier(line) for line in taken] != list(step):
                break
            done.append([line.decode() for line in taken])
            start, length = start + len(step), length + sum(map(len, taken))
        return done, length


def _identifier(line: bytes) -> str | None:
    """Whose line it is; None if it was not written to its end."""
    try:
        return CandidateLine.model_validate_json(line).identifier if line.endswith(b"\n") else None
    except ValidationError:
        return None
