"""A typed language of questions over tables: conditions choose rows, rows and columns give answers.

    total("[Points] as number", rows_where(equals("[Team]", "'paris'")))

Columns, views, and the words and numbers of a question are constants that come with each question. Functions mean the
same everywhere, also where nobody would ask so (the total of dates): what is worth looking at is for a search to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any, ClassVar, Self

import numpy as np

from chorale.domain.utterance import Answer as SaidAnswer
from chorale.language import Basic, Program, Type
from chorale.language.execution import evaluate
from chorale.language.quotas import Quota
from chorale.language.terms import Term
from chorale.tables.dates import Date
from chorale.tables.language import types
from chorale.tables.language.answers import OfConditions, OfNumbers, OfRows
from chorale.tables.language.conditions import KINDS, Conditions
from chorale.tables.language.laws import LAWS
from chorale.tables.language.pairs import OfPairs
from chorale.tables.language.rows import Chosen, Extreme, Ordered, Related
from chorale.tables.language.types import (
    CELLS,
    CONTRASTS,
    GROUPED,
    Answer,
    Averages,
    Bits,
    Cells,
    Condition,
    Pair,
    Rows,
    Sums,
    bits,
)
from chorale.tables.language.wording import WORDING
from chorale.tables.table import Table
from chorale.tables.values import number_text
from chorale.tables.words import stems

__all__ = ["KINDS", "TableLanguage", "constants_of", "constants_of_words"]

Constants = dict[str, tuple[Basic, Any]]

_MAY_BE_EMPTY = np.isin(KINDS, ["is_number", "over", "at_least", "under", "at_most", "in_decade"])
"""Kinds of conditions that make sense if no row fulfils them: nobody earns over a million."""
_IS_LISTED = np.isin(range(max(GROUPED) + 1), [CELLS, *GROUPED])
"""Tags of answers that are lists of values."""


class TableLanguage(Conditions, Chosen, Ordered, Extreme, Related, OfPairs, OfNumbers, OfRows, OfConditions):
    """The whole language, over a table and altered copies of it."""

    root = Answer
    composition = currying = False
    stacks = True
    open_types = (
        types.Span, types.Quantity, types.Decade, types.Moment, types.Contrast, types.Column, types.View,
    )  # fmt: skip
    commutative = frozenset(
        {
            "rows_where_both",
            "rows_where_all_three",
            "rows_where_either",
            "count_where_both",
            "exists_where_both",
            "sum_of_columns",
            "difference_of_columns",
        }
    )
    laws = LAWS
    wording = WORDING
    stages: ClassVar[Mapping[Any, Quota]] = {
        Condition: Quota(keep=80),
        Rows: Quota(keep=170, first=44, build=30, generations=2),
        Pair: Quota(keep=60),
        Cells: Quota(keep=1000),
        Sums: Quota(keep=300),
        Averages: Quota(keep=100),
        Answer: Quota(keep=700),
    }

    def stacked(self, kind: Type, value: Any) -> Any:
        return np.asarray(value)[None]

    def at(self, contexts: Sequence[int]) -> Self:
        """On some of the tables; the first of them must have the same columns."""
        narrowed = type(self)([self.stack.tables[context] for context in contexts])
        narrowed.__dict__.update(
            {name: self.__dict__[name] for name in ("_constants", "grammar") if name in vars(self)}
        )
        return narrowed

    def defined(self, kind: Type, batch: Any) -> Bits | None:
        """Whatever is not empty on the first table; some conditions may be, so that there can be counts of zero."""
        match str(kind):
            case "Condition":
                return bits(_any(batch["mask"][:, 0]) | _MAY_BE_EMPTY[batch["kind"]])
            case "Rows":
                return _any(batch[:, 0])
            case "Pair":
                return _any(batch[:, 0, 0]) & _any(batch[:, 1, 0])
            case "Cells":
                return _any(batch["times"][:, 0] > 0)
            case "Sums" | "Averages":
                return _any(~np.isnan(batch["sums"][:, 0]))
            case "Answer":
                is_listed = _IS_LISTED[batch["tag"]]
                return np.where(is_listed, _any(batch["values"][:, 0] > 0), ~np.isnan(batch["number"][:, 0]))
        return None

    def executed(self, term: Term) -> tuple[SaidAnswer | None, ...]:
        """What a whole program says of each table."""
        return self.said(self.value(term))

    def value(self, term: Term) -> Any:
        """The value of a term: what a batch of it alone has in its row."""
        return evaluate(term, _One(self))[0]

    def answers(self, program: Program) -> tuple[SaidAnswer | None, ...]:
        """What a whole program says of each table."""
        return self.executed(program.term)


class _One:
    """A language whose constants are batches of one, so that its functions compute a single program."""

    def __init__(self, language: TableLanguage) -> None:
        self.language = language

    def implementation(self, name: str) -> Any:
        value, kind = self.language.implementation(name), self.language.grammar.signature[name]
        return self.language.stacked(kind, value) if isinstance(kind, Basic) else value


def constants_of(table: Table) -> Constants:
    """The columns and views of a table, by the names that programs have for them.

    >>> list(constants_of(Table(["City", "Points"], [["Rome", "7"]])))
    ['[City]', '[Points]', '[Points] as number']
    """
    columns = {f"[{column.name}]": (Basic("Column"), np.intp(column.index)) for column in table.columns}
    views = {
        f"[{table.columns[view.column].name}] as {view.kind}": (Basic("View"), np.intp(place))
        for place, view in enumerate(table.views)
    }
    return columns | views


def constants_of_words(
    spans: Iterable[str] = (),
    quantities: Iterable[float] = (),
    decades: Iterable[int] = (),
    contrasts: Iterable[str] = (),
    moments: Iterable[Date] = (),
) -> Constants:
    """What a question names, by the names that programs have for it; words are compared by their stems.

    >>> list(constants_of_words(["new york"], [7, 2.5], [1990], ["more"]))
    ["'new york'", '7', '2.5', '1990s', 'more or less']
    """
    return {
        **{f"'{words}'": (Basic("Span"), np.str_(" ".join(stems(words)))) for words in spans},
        **{number_text(number): (Basic("Quantity"), np.float64(number)) for number in quantities},
        **{f"{decade}s": (Basic("Decade"), np.float64(decade)) for decade in decades},
        **{str(moment): (Basic("Moment"), np.array(astuple(moment), np.float64)) for moment in moments},
        **{
            f"{more} or {less}": (Basic("Contrast"), np.intp(place))
            for place, (more, less) in enumerate(CONTRASTS)
            if more in set(contrasts)
        },
    }


def _any(flags: Bits) -> Bits:
    return bits(flags.any(axis=-1))
