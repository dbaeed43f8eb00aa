"""Predictions: the best reading of each utterance, and the two files that hold them.

predictions.csv   identifier,true     one line per pair, as the data set's own scorer reads it
predictions.tsv   identifier<TAB>a<TAB>b     the same with tabs, as WikiTableQuestions has it; a name alone: not known
programs.jsonl    {"identifier": ..., "sentence": ..., "program": ..., "probability": ..., "denotations": [...],
                   "confidence": ..., "meant": ..., "reasons": [...]}
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from chorale.domain import Answers, Reading, Utterance, pairs_of
from chorale.domain.parsing import Corpus, Parsed, SentenceParser
from chorale.domain.reading import silence
from chorale.errors import ChoraleError

UNKNOWN = "unknown"
"""What stands for an answer that is not given."""

Tick = Callable[[int], None]
Row = tuple[int, str, str | None]
"""A line of the data, the name of the pair that stands there, and an answer; None if it is not known."""

_LINE_ENDS = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")  # whatever some reader takes for the end of a field


def _nobody(_: int) -> None: ...


@dataclass(frozen=True, slots=True)
class PredictionLine:
    """A prediction as a file has it."""

    identifier: str
    sentence: str
    program: str
    probability: float
    denotations: tuple[Any, ...]
    """What the program says in each context; what JSON does not know becomes text."""
    confidence: float | None = None
    meant: float | None = None
    reasons: tuple[str, ...] = ()

    @staticmethod
    def of(reading: Reading, answers: Answers) -> PredictionLine:
        """A prediction, made ready to be written."""
        assert reading.utterance is not None
        said = (
            it if it is None or isinstance(it, int | float | str) else answers.text(it) for it in reading.answers or ()
        )
        return PredictionLine(
            reading.utterance.identifier,
            reading.utterance.sentence,
            "" if reading.is_silent else reading.program.text,
            reading.probability,
            tuple(said),
            reading.confidence,
            reading.meant,
            tuple(map(str, reading.reasons)),
        )

    @property
    def text(self) -> str:
        """The line."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"

    def rows(self, utterance: Utterance, answers: Answers, answer_if: float) -> list[Row]:
        """The pairs of an utterance: the line of each in the data, its name, and what is answered."""
        is_known = self.confidence is None or self.confidence >= answer_if
        return [
            (line, name, (said if isinstance(said, str) else answers.text(said)) if is_known else None)
            for (line, name), said in zip(pairs_of(utterance), self.denotations, strict=True)
        ]


def csv_lines(rows: Iterable[Row]) -> str:
    """The names and answers of pairs."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((name, UNKNOWN if said is None else said) for _, name, said in rows)
    return text.getvalue()


def tsv_lines(rows: Iterable[Row], answers: Answers) -> str:
    """The same with a tab before each value of an answer, and a blank for a line break or a tab within one.

    >>> tsv_lines([(2, "nt-1", "Paris|12\\t000"), (3, "nt-2", None)], Answers())
    'nt-1\\tParis\\t12 000\\nnt-2\\n'
    """
    return "".join("\t".join([name, *_values(said, answers)]) + "\n" for _, name, said in rows)


def _values(said: str | None, answers: Answers) -> list[str]:
    return [_LINE_ENDS.sub(" ", value) for value in answers.values_of(said)] if said else []


def predict(parser: SentenceParser, corpus: Corpus, *, beam: int | None = None, tick: Tick = _nobody) -> list[Reading]:
    """The best reading of every utterance and what it says, in order; `tick` hears of every utterance."""
    return predictions_of(corpus, parser.parse(corpus, beam=beam, top=1), tick, silent=may_be_silent(parser))


def may_be_silent(parser: SentenceParser) -> bool:
    """Whether the parser may find no program for an utterance without anything being wrong with it."""
    return getattr(parser, "may_be_silent", False)


def predictions_of(corpus: Corpus, parsed: Parsed, tick: Tick = _nobody, *, silent: bool = False) -> list[Reading]:
    """The first readings of utterances with what they say, in the order of the corpus.

    With `silent`, what has no program is a reading that says nothing; else that is an error.
    """
    best: dict[int, Reading] = {}
    for index, listed in parsed:
        utterance = corpus.utterances[index]
        if listed:
            said = corpus.grounding.answers(listed[0].program, index)
            best[index] = replace(listed[0], answers=said, utterance=utterance)
        elif silent:
            best[index] = silence(utterance, corpus.shared)
        else:
            raise ChoraleError(
                f"utterance {utterance.identifier}: no program was found; allow longer ones (max_actions)"
            )
        tick(1)
    return [best[index] for index in sorted(best)]


def rights(corpus: Corpus, predictions: Sequence[Reading]) -> list[tuple[bool, ...]]:
    """For each utterance, in which contexts its program is right."""
    pairs = zip(corpus.utterances, predictions, strict=True)
    return [corpus.grounding.compared.right(p.answers or (), u.answers) for u, p in pairs]
