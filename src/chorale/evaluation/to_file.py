"""A whole corpus, predicted into files: batch by batch, by many workers; it resumes after a stop.

A batch holds utterances with sentences of like length, which is how a network decodes them. The batches are cut from
the whole corpus, never by worker, so that every digit is the same as if all had been predicted at once.

Until all is there, the lines of the programs go to a file whose name holds a hash of everything they depend on
(`engines.resuming`). They are put into the order of the data at the end.

The corpus may be larger than the memory: only the batches in progress are held. In which order utterances are decoded,
and where their lines stand, is noted on the disk (`plumbing.scratch`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from chorale.domain import Answers, Domain, Reading, Utterance
from chorale.engines.engine import Engine
from chorale.engines.local import Local
from chorale.engines.resuming import resumed, whole_lines
from chorale.evaluation.predictions import PredictionLine, csv_lines, tsv_lines
from chorale.plumbing.files import STANDARD, replacing, unfinished
from chorale.plumbing.scratch import scratch

BATCH = 64
"""Utterances in a batch: a multiple of what a network decodes at once, and some seconds of work."""

Predict = Callable[[Sequence[Utterance]], Sequence[Reading]]
_LINE = TypeAdapter(PredictionLine)
_TABLES = (
    "CREATE TABLE turn (length INTEGER, place INTEGER, PRIMARY KEY (length, place)) WITHOUT ROWID",
    "CREATE TABLE line (place INTEGER PRIMARY KEY, start INTEGER)",
    "CREATE TABLE answer (line INTEGER, place INTEGER, number INTEGER, name TEXT, said TEXT,"
    " PRIMARY KEY (line, place, number)) WITHOUT ROWID",
)


def predict_to_file(
    predict: Predict,
    domain: Domain,
    utterances: Sequence[Utterance],
    out: Path,
    *,
    depends_on: Any,
    programs: Path | None = None,
    answer_if: float = 0.0,
    header: bool = False,
    engine: Engine | None = None,
) -> None:
    """Write what is predicted for all utterances; resumes an earlier call of the same kind that was stopped.

    If the name ends in .tsv, there are tabs between names and values, else commas between names and answers.

    `depends_on` (as JSON has it) says what predictions depend on besides the utterances' order: the data, the model.
    Without it nothing is kept for another call.
    """
    with scratch(*_TABLES) as database, _part(out, depends_on) as part:
        turns = ((len(domain.words(it.sentence)), place) for place, it in enumerate(utterances))
        database.executemany("INSERT INTO turn VALUES (?, ?)", turns)
        batches = ([utterances[place] for place in batch] for batch in _batches(database))
        for _ in resumed(engine or Local(), partial(_lines, predict, domain.answers), batches, part, _done):
            pass
        _finish(part, domain, utterances, database, out, programs, answer_if, header=header)
        part.unlink()


def _order(database: Connection) -> Iterator[int]:
    """The utterances in the order in which they are decoded: the place of each."""
    return (place for (place,) in database.execute("SELECT place FROM turn ORDER BY length, place"))


def _batches(database: Connection) -> Iterator[list[int]]:
    order = _order(database)
    while batch := list(islice(order, BATCH)):
        yield batch


def _lines(predict: Predict, answers: Answers, batch: Sequence[Utterance]) -> tuple[bytes, int]:
    """What is predicted for a batch, and how many lines that is."""
    return "".join(PredictionLine.of(one, answers).text for one in predict(batch)).encode(), len(batch)


def _done(batch: Sequence[Utterance], stream: BinaryIO) -> int | None:
    """How many lines of a batch an earlier call wrote; None if that is not all of them."""
    lines = [(it.identifier, len(it.denotations)) for it in whole_lines(len(batch), stream, _LINE.validate_json)]
    return len(batch) if lines == [(it.identifier, len(it.contexts)) for it in batch] else None


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


def _finish(
    part: Path,
    domain: Domain,
    utterances: Sequence[Utterance],
    database: Connection,
    out: Path,
    programs: Path | None,
    answer_if: float,
    *,
    header: bool,
) -> None:
    """Write the two files, in the order of the data."""
    with open(part, "rb") as stream:
        for place in _order(database):
            start = stream.tell()
            stream.readline()
            database.execute("INSERT INTO line VALUES (?, ?)", (place, start))
        with nullcontext() if programs is None else replacing(programs) as target:
            starts = database.execute("SELECT start FROM line ORDER BY place")
            for place, (utterance, (start,)) in enumerate(zip(utterances, starts, strict=True)):
                one = _line_at(stream, start)
                if target is not None:
                    target.write(one.text.encode())
                rows = enumerate(one.rows(utterance, domain.answers, answer_if))
                answers = ((line, place, number, name, said) for number, (line, name, said) in rows)
                database.executemany("INSERT INTO answer VALUES (?, ?, ?, ?, ?)", answers)
    has_tabs = out.suffix == ".tsv"
    with replacing(out) as target:
        if header:
            target.write(b"identifier\tanswer\n" if has_tabs else b"identifier,answer\n")
        for row in database.execute("SELECT line, name, said FROM answer ORDER BY line, place, number"):
            target.write((tsv_lines([row], domain.answers) if has_tabs else csv_lines([row])).encode())


def _line_at(stream: BinaryIO, start: int) -> PredictionLine:
    stream.seek(start)
    return _LINE.validate_json(stream.readline())
