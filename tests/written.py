"""Predictions as `predict_to_file` writes them, all at once: the slow twin of the files."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from operator import itemgetter

from chorale.domain import Answers, Reading, Utterance
from chorale.evaluation.predictions import PredictionLine, csv_lines


def as_csv(
    utterances: Sequence[Utterance], predictions: Sequence[Reading], answers: Answers, answer_if: float = 0.0
) -> str:
    """One line `identifier,answer` per pair, in the order of the data; what is less sure than asked for is unknown."""
    lines = [PredictionLine.of(one, answers) for one in predictions]
    rows = [
        row
        for utterance, line in zip(utterances, lines, strict=True)
        for row in line.rows(utterance, answers, answer_if)
    ]
    return csv_lines(sorted(rows, key=itemgetter(0)))


def as_tsv(
    utterances: Sequence[Utterance], predictions: Sequence[Reading], answers: Answers, answer_if: float = 0.0
) -> str:
    """The same with a tab before each value; what is less sure than asked for has none."""
    lines = []
    for row in csv.reader(as_csv(utterances, predictions, answers, answer_if).splitlines()):
        name, said = row
        lines.append(name if said in ("unknown", "") else f"{name}\t" + said.replace("|", "\t"))
    return "".join(f"{line}\n" for line in lines)
