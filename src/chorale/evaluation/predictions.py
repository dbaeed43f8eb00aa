"""Predictions: what a parser says about each utterance, and the two files that hold it.

predictions.csv   identifier,true     one line per pair, as the data set's own scorer reads it
programs.jsonl    {"identifier": ..., "sentence": ..., "program": ..., "probability": ..., "denotations": [...],
                   "confidence": ..., "reasons": [...]}
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter

from chorale.domain import Answer, Utterance, agreement, pairs_of
from chorale.domain.parsing import Corpus, ScoredProgram, SentenceParser
from chorale.errors import ChoraleError

UNKNOWN = "unknown"
"""What stands for an answer that is not given."""

Tick = Callable[[int], None]
Row = tuple[int, str, str]
"""A line of the data, the name of the pair that stands there, and an answer."""


def _nobody(_: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Prediction:
    """The best program for an utterance, and what it says in each context."""

    identifier: str
    sentence: str
    program: str
    probability: float
    denotations: tuple[Answer, ...]
    confidence: float | None = None
    """How far it is to be trusted, if that was asked."""
    reasons: tuple[str, ...] = ()
    """What speaks against it."""

    def is_known(self, answer_if: float) -> bool:
        """Whether it is sure enough to be given as an answer."""
        return self.confidence is None or self.confidence >= answer_if


def as_csv(utterances: Sequence[Utterance], predictions: Sequence[Prediction], answer_if: float = 0.0) -> str:
    """One line `identifier,answer` per pair, in the order of the data; what is less sure than asked for is unknown."""
    pairs = zip(utterances, predictions, strict=True)
    rows = [row for utterance, one in pairs for row in rows_of(utterance, one, answer_if)]
    return csv_lines(sorted(rows, key=itemgetter(0)))


def rows_of(utterance: Utterance, prediction: Prediction, answer_if: float) -> list[Row]:
    """The pairs of an utterance: the line of each in the data, its name, and what is answered."""
    is_known = prediction.is_known(answer_if)
    return [
        (line, name, answer_text(answer) if is_known else UNKNOWN)
        for (line, name), answer in zip(pairs_of(utterance), prediction.denotations, strict=True)
    ]


def csv_lines(rows: Iterable[Row]) -> str:
    """The names and answers of pairs."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(row[1:] for row in rows)
    return text.getvalue()


def as_json_lines(predictions: Sequence[Prediction]) -> str:
    """One JSON object per utterance; answers that JSON does not know become text."""
    lines = []
    for one in predictions:
        answers = [it if it is None or isinstance(it, int | float | str) else answer_text(it) for it in one.denotations]
        lines.append(json.dumps({**asdict(one), "denotations": answers}, ensure_ascii=False) + "\n")
    return "".join(lines)


def answer_text(answer: Answer) -> str:
    """An answer in a file: true, false, a number, or several values with | between."""
    if isinstance(answer, bool):
        return "true" if answer else "false"
    if isinstance(answer, frozenset):
        return "|".join(sorted(map(answer_text, answer)))
    return "|".join(map(answer_text, answer)) if isinstance(answer, tuple) else str(answer)


def predict(
    parser: SentenceParser, corpus: Corpus, *, beam: int | None = None, tick: Tick = _nobody
) -> list[Prediction]:
    """The best program of every utterance and what it says, in order; `tick` hears of every utterance."""
    return predictions_of(corpus, parser.parse(corpus, beam=beam, top=1), tick)


def predictions_of(
    corpus: Corpus, found: Iterable[tuple[int, Sequence[ScoredProgram]]], tick: Tick = _nobody
) -> list[Prediction]:
    """The first programs of utterances as predictions, in the order of the corpus."""
    best: dict[int, Prediction] = {}
    for index, listed in found:
        utterance = corpus.utterances[index]
        if not listed:
            raise ChoraleError(
                f"utterance {utterance.identifier}: no program was found; allow longer ones (max_actions)"
            )
        program, chance = listed[0].program, math.exp(listed[0].log_probability)
        said = corpus.grounding.answers(program, index)
        best[index] = Prediction(utterance.identifier, utterance.sentence, program.text, chance, said)
        tick(1)
    return [best[index] for index in sorted(best)]


def rights(corpus: Corpus, predictions: Sequence[Prediction]) -> list[tuple[bool, ...]]:
    """For each utterance, in which contexts its program is right."""
    pairs = zip(corpus.utterances, predictions, strict=True)
    return [agreement(p.denotations, u.answers, corpus.grounding.agrees) for u, p in pairs]
