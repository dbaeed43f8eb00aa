"""Which of many answers are right, all at once. `TableAnswers.agrees` says the same, one answer at a time."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.utterance import Answer
from chorale.tables.language import TableLanguage
from chorale.tables.language.types import CELLS, NUMBER
from chorale.tables.matching import TableAnswers, said_value, wanted_values
from chorale.tables.values import CLOSE

Flags = NDArray[np.bool_]


class Right:
    """What is wanted of a question."""

    def __init__(self, language: TableLanguage, wanted: Answer) -> None:
        self.language, self.wanted = language, wanted
        self.targets = wanted_values(wanted)
        self._columns: dict[int, tuple[Flags, NDArray[np.intp] | None]] = {}

    def of(self, answers: Any) -> Flags:
        """Which answers, rows of a batch, are right on the first table."""
        right = np.zeros(len(answers), bool)
        if not self.targets:
            return right
        tags = answers["tag"]
        cells = np.flatnonzero(tags == CELLS)
        for column in np.unique(answers["column"][cells]).tolist():
            rows = cells[answers["column"][cells] == column]
            right[rows] = self._of_cells(column, answers["values"][rows, 0])
        is_number = tags == NUMBER
        if self._number is not None:
            right[is_number] = np.abs(answers["number"][is_number, 0] - self._number) < CLOSE
        is_known = (tags == CELLS) | (is_number & (not self._is_spelled))
        for row in np.flatnonzero(~is_known).tolist():
            right[row] = TableAnswers().agrees(self.language.said(answers[row])[0], self.wanted)
        return right

    @cached_property
    def _number(self) -> float | None:
        """The one number that is wanted."""
        return self.targets[0].number if len(self.targets) == 1 else None

    @cached_property
    def _is_spelled(self) -> bool:
        """Whether what is wanted is a number by its normal form alone: 7[1]."""
        return self._number is None and any(said_value(it.normal).number is not None for it in self.targets)

    def _of_cells(self, column: int, packed: NDArray[np.uint8]) -> Flags:
        matches, keys = self._column(column)
        said = np.unpackbits(packed, axis=-1, count=matches.shape[1]).astype(bool)  # (answer, value)
        size = said.sum(axis=-1)
        if keys is not None:
            size = np.array([len(set(keys[row].tolist())) for row in said], np.intp)
        hits = (said[:, None] & matches).any(axis=-1).all(axis=-1)
        return np.asarray(hits & (size == len(self.targets)), bool)

    def _column(self, column: int) -> tuple[Flags, NDArray[np.intp] | None]:
        """Which values match each target, (target, value); and what duplicates have in common, if there are any."""
        if column not in self._columns:
            values = [said_value(text) for text in self.language.values[column].texts]
            matches = np.array([[target.matches(value) for value in values] for target in self.targets], bool)
            numbers: dict[Any, int] = {}
            keys = np.array([numbers.setdefault(value.key, len(numbers)) for value in values], np.intp)
            self._columns[column] = matches, None if len(numbers) == len(values) else keys
        return self._columns[column]
