"""Files of candidates: what was found for an utterance is a JSON line, read and written here alone.

    {"identifier": "17", "sentence": "There is a ...", "candidates": [{"program": "object_exists(...)", ...}, ...]}

Of a candidate only `program` must be there; `fit` and `prior` are in nats, `wrong` counts the utterance's own contexts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from chorale.domain import Grounding, Reading, Utterance
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.plumbing.checking import Checked, Count, named, problems
from chorale.plumbing.files import lines, replacing

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
    def of(reading: Reading) -> CandidateText:
        """A candidate, made ready to be written."""
        return CandidateText(
            program=reading.program.text,
            actions=len(reading.program.action_ids),
            fit=reading.log_likelihood,
            prior=reading.log_prior,
            wrong=reading.wrong,
            unexplained=reading.unexplained,
        )


class CandidateLine(Checked):
    """What a file says of one utterance."""

    identifier: str
    sentence: str = ""
    candidates: list[CandidateText]


def line_of(utterance: Utterance, candidates: Sequence[Reading]) -> bytes:
    """The line of an utterance."""
    written = [CandidateText.of(candidate) for candidate in candidates]
    line = CandidateLine(identifier=utterance.identifier, sentence=utterance.sentence, candidates=written)
    return (json.dumps(line.model_dump(), ensure_ascii=False) + "\n").encode()


def write_candidates(path: Path, utterances: Sequence[Utterance], candidates: Mapping[int, Sequence[Reading]]) -> str:
    """Write candidates, which are known by the index of their utterance; returns the hash of the file."""
    running = hashlib.sha256()
    with replacing(path) as stream:
        for index, utterance in enumerate(utterances):
            line = line_of(utterance, candidates.get(index, ()))
            running.update(line)
            stream.write(line)
    return running.hexdigest()


def read_candidates(path: Path, grounding: Grounding) -> dict[int, list[Reading]]:
    """The candidates in a file by the index of their utterance; those of other utterances are left out."""
    return dict(each_of(path, grounding))


def each_of(path: Path, grounding: Grounding) -> Iterator[tuple[int, list[Reading]]]:
    """The same one by one, in the order of the file."""
    known = {utterance.identifier: index for index, utterance in enumerate(grounding.utterances)}
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
                yield index, _parsed(line, grounding, index)
            except ChoraleError as error:
                raise ChoraleError(f"{path}:{number}: {error}") from None


def _parsed(line: CandidateLine, grounding: Grounding, index: int) -> list[Reading]:
    """The candidates of a line, each program once."""
    readings: dict[Program, Reading] = {}
    for text in line.candidates:
        program = Program.parse(text.program, grounding.grammar(index))
        if program.action_ids:  # raises if no actions build it
            one = Reading(program, text.prior, text.fit, wrong=text.wrong, unexplained=text.unexplained)
            readings.setdefault(program, one)
    return list(readings.values())
