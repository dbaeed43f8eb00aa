"""Predictions as `predict_to_file` writes them, all at once: the slow twin of the file."""

from __future__ import annotations

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
