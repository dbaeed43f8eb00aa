"""A whole corpus, predicted into files: batch by batch, by many workers, and what was stopped goes on.

A batch holds utterances with sentences of like length, which is how a network decodes them. The batches are cut from
the whole corpus, never by worker, so that every digit is the same as if all had been predicted at once.

Until all is there, the lines of the programs go to a file whose name holds a hash of everything they depend on. They
are put into the order of the data at the end. Of a process that is killed, the batch under way is lost.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from pydantic import TypeAdapter, ValidationError

from chorale.domain import Utterance
from chorale.engines.engine import Engine
from chorale.engines.local import Local
from chorale.evaluation.predictions import Prediction, Row, as_json_lines, csv_of, rows_of
from chorale.plumbing.files import STANDARD, replacing, unfinished, write

BATCH = 256
"""Utterances in a batch: a multiple of what a network decodes at once, and some seconds of work."""

Predict = Callable[[Sequence[Utterance]], Sequence[Prediction]]
_LINE = TypeAdapter(Prediction)


def predict_to_file(
    predict: Predict,
    utterances: Sequence[Utterance],
    words: Callable[[str], Sequence[Any]],
    out: Path,
    *,
    depends_on: Any,
    programs: Path | None = None,
    answer_if: float = 0.0,
    engine: Engine | None = None,
) -> None:
    """Write what is predicted for all utterances; goes on where an earlier call of the same kind was stopped.

    `words` gives the words of a sentence, `depends_on` (as JSON has it) says what predictions depend on besides the
    utterances' order: the data, the model. Without it nothing is kept for another call.
    """
    order = sorted(range(len(utterances)), key=lambda index: len(words(utterances[index].sentence)))
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    with _part(out, depends_on) as part:
        done = _keep_whole_batches(part, utterances, batches)
        things = ([utterances[index] for index in batch] for batch in batches[done:])
        work = partial(_lines, predict)
        with open(part, "ab") as stream, closing((engine or Local()).map(work, things)) as new:
            for lines in new:
                stream.write(lines)
                stream.flush()
            os.fsync(stream.fileno())
        _finish(part, utterances, order, out, programs, answer_if)
        part.unlink()


def _lines(predict: Predict, utterances: Sequence[Utterance]) -> bytes:
    return as_json_lines(predict(utterances)).encode()


@contextmanager
def _part(out: Path, depends_on: Any) -> Iterator[Path]:
    """Where lines go until all are there: beside the file, or to a place of its own if they are not to be kept."""
    is_special = out == STANDARD or (out.exists() and not out.is_file())  # /dev/null and the like
    if depends_on is None or is_special:
        with TemporaryDirectory(prefix="chorale-") as folder:
            part = Path(folder) / "part"
            part.touch()
            yield part
    else:
        with unfinished(out, depends_on, "prediction") as (_, part):
            yield part


def _keep_whole_batches(part: Path, utterances: Sequence[Utterance], batches: Sequence[Sequence[int]]) -> int:
    """Cut off what follows the batches that an earlier call wrote to their end; gives back how many these are."""
    count, length = 0, 0
    with open(part, "rb") as stream:
        for batch in batches:
            if not all(_is_of(stream.readline(), utterances[index]) for index in batch):
                break
            count, length = count + 1, stream.tell()
    os.truncate(part, length)
    return count


def _is_of(line: bytes, utterance: Utterance) -> bool:
    """Whether a line was written to its end, and is about this utterance."""
    try:
        read = _LINE.validate_json(line)
    except ValidationError:
        return False
    is_whole = line.endswith(b"\n") and len(read.denotations) == len(utterance.contexts)
    return is_whole and read.identifier == utterance.identifier


def _finish(
    part: Path,
    utterances: Sequence[Utterance],
    order: Sequence[int],
    out: Path,
    programs: Path | None,
    answer_if: float,
) -> None:
    """Write the two files, in the order of the data.

    A sentence is trusted as it was when it was first decoded: in another batch its last digits may differ.
    """
    places, rows = [0] * len(order), list[tuple[int, list[Row]]]()
    trusted: dict[str, dict[str, Any]] = {}

    def read(stream: BinaryIO) -> Prediction:
        one = _LINE.validate_json(stream.readline())
        first = trusted.setdefault(one.sentence, {"confidence": one.confidence, "reasons": one.reasons})
        return replace(one, **first)

    with open(part, "rb") as stream:
        for index in order:
            places[index] = stream.tell()
            rows.append((index, rows_of(utterances[index], read(stream), answer_if)))
        if programs is not None:
            with replacing(programs) as target:
                for place in places:
                    stream.seek(place)
                    target.write(as_json_lines([read(stream)]).encode())
    rows.sort(key=lambda found: found[0])
    write(out, csv_of(row for _, some in rows for row in some).encode())
