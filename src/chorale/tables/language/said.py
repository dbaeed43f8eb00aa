"""How answers are put together, and what they say in the end.

An answer that has a number for each value of a column would be large, and most of a search's answers are not of that
kind. So it keeps the rows that its numbers are made of, and they are computed anew when somebody wants to read them.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.utterance import Answer as SaidAnswer
from chorale.tables.dates import Date
from chorale.tables.language import types
from chorale.tables.language.types import (
    AVERAGES,
    CELLS,
    CONTRAST,
    CONTRASTS,
    COUNTS,
    DATE,
    GROUPED,
    NUMBER,
    TIME,
    TRUTH,
    Answer,
    Bits,
    Floats,
    Ids,
    OverTables,
)
from chorale.tables.values import number_text

_FIRST_DAY = 306  # of the year 1, as `Date.days` counts
_FOUR_CENTURIES = 146_097  # days, after which the calendar repeats itself


class Said(OverTables):
    """Answers as batches, and as what they say."""

    # -- putting together ----------------------------------------------------------------------------------------------

    def _cells(self, column: NDArray[np.int16], values: Bits) -> Answer:
        """Some values of a column, (batch, table, value)."""
        answer: Answer = np.zeros(len(column), self.answer_type)
        answer["tag"], answer["column"], answer["number"] = CELLS, column, np.nan
        packed = np.packbits(values, axis=-1)
        answer["values"][..., : packed.shape[-1]] = packed
        return answer

    def _number(self, number: NDArray[np.generic], tag: int | NDArray[np.intp] = NUMBER) -> Answer:
        """A number on each table, (batch, table)."""
        answer: Answer = np.zeros(len(number), self.answer_type)
        plain = np.asarray(number, np.float64) + 0.0  # minus zero has other bytes than zero, and so has minus NaN
        answer["tag"], answer["number"] = tag, np.where(np.isnan(plain), np.nan, plain)
        return answer

    def _read(self, view: Ids, number: Floats) -> Answer:
        """A number that is read as the view's cells are: as a date, as a time."""
        kinds = self.view_kinds[view]
        return self._number(number, np.where(kinds == "date", DATE, np.where(kinds == "time", TIME, NUMBER)))

    def _truth(self, truth: Bits, unknown: Bits) -> Answer:
        return self._number(np.where(unknown, np.nan, truth), TRUTH)

    def _contrast(self, contrast: Ids, difference: Floats) -> Answer:
        answer = self._number(np.sign(difference), CONTRAST)
        answer["column"] = contrast
        return answer

    def _grouped(self, tag: int, column: Ids, view: Ids | int, rows: Bits) -> Answer:
        """What a view comes to in the rows with each value of a column."""
        answer: Answer = np.zeros(len(column), self.answer_type)
        answer["tag"], answer["column"], answer["number"] = tag, column, np.reshape(view, (-1, 1))
        packed = np.packbits(rows, axis=-1)
        answer["values"][..., : packed.shape[-1]] = packed
        return answer

    # -- reading -------------------------------------------------------------------------------------------------------

    def said(self, answer: Any) -> tuple[SaidAnswer | None, ...]:
        """What an answer, a row of a batch, says of each table.

        Texts of cells, a number, a date, a time, yes or no, one of two words, or for each value a text "value: number".
        """
        tag = answer["tag"]
        if tag == CELLS:
            texts = self.values[int(answer["column"])].texts
            flags = np.unpackbits(answer["values"], axis=-1)
            return tuple(tuple(texts[place] for place in np.flatnonzero(row)) or None for row in flags)
        if tag in GROUPED:
            return tuple(
                tuple(f"{text}: {number_text(number)}" for text, number in pairs) or None
                for pairs in self.pairs(answer)
            )
        words = CONTRASTS[int(answer["column"])] if tag == CONTRAST else ("", "")
        return tuple(None if np.isnan(number) else _said(int(tag), float(number), words) for number in answer["number"])

    def pairs(self, answer: Any) -> tuple[tuple[tuple[str, float], ...], ...]:
        """Of an answer that has a number for each value of a column: values and numbers, for each table."""
        column, view = int(answer["column"]), int(answer["number"][0])
        texts = self.stack.values[column].texts
        pairs = []
        for table, packed in enumerate(answer["values"]):
            rows = np.flatnonzero(np.unpackbits(packed, count=self.stack.shape[1]))
            ids = self.stack.ids[column, table, rows]
            numbers = np.ones(len(rows)) if answer["tag"] == COUNTS else self.stack.numbers[view, table, rows]
            times = np.bincount(ids, minlength=len(texts))
            shares = np.maximum(times, 1) if answer["tag"] == AVERAGES else 1
            sums = np.bincount(ids, numbers, minlength=len(texts)) / shares
            pairs.append(tuple((texts[place], float(sums[place])) for place in np.flatnonzero(times)))
        return tuple(pairs)


def _said(tag: int, number: float, words: tuple[str, str]) -> SaidAnswer:
    match tag:
        case types.TRUTH:
            return "yes" if number else "no"
        case types.CONTRAST:
            return "the same" if not number else words[number < 0]
        case types.DATE:
            return date_of(number)
        case types.TIME:
            return time_text(number)
    return number


def date_of(days: float) -> Date:
    """The date of a place on the calendar, see `Date.days`; the year 0 is an unknown one.

    >>> date_of(Date(1998, 5, 3).days), date_of(Date(None, 5, 3).days)
    (Date(year=1998, month=5, day=3), Date(year=None, month=5, day=3))
    """
    day = round(days)
    if day >= _FIRST_DAY:
        day_of = date.fromordinal(min(day - _FIRST_DAY + 1, date.max.toordinal()))
        return Date(day_of.year, day_of.month, day_of.day)
    day_of = date.fromordinal(max(1, day - _FIRST_DAY + 1 + _FOUR_CENTURIES))
    return Date(None, day_of.month, day_of.day)


def time_text(seconds: float) -> str:
    """Seconds as a table would have them, to the hundredth.

    >>> time_text(259.414), time_text(7394), time_text(35), time_text(-61.5)
    ('4:19.41', '2:03:14', '0:35', '-1:01.5')
    """
    hundredths = round(abs(seconds) * 100)
    minutes, rest = divmod(hundredths, 6_000)
    fraction = f".{rest % 100:02}".rstrip("0").rstrip(".")
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{'-' if seconds < 0 and hundredths else ''}{whole}:{rest // 100:02}{fraction}"
