"""What each part of a program finds in a table: the numbers of rows, the values of cells, the answer.

A step also says where it found that: which rows, and the columns whose cells it looked at or took. A pair of row sets
has two groups of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from chorale.domain.tracing import LONGEST
from chorale.errors import ChoraleError
from chorale.language import Language, Program
from chorale.language.execution import evaluate
from chorale.language.terms import Term, subterms, written
from chorale.tables.language import TableLanguage
from chorale.tables.language.types import CELLS, Bits
from chorale.tables.language.wording import WORDING
from chorale.tables.matching import TableAnswers
from chorale.tables.table import Table
from chorale.tables.values import number_text

NOTHING = "nothing"
EMPTY = '""'
_FEW = 3  # rows, which are numbered one by one
_OF_COLUMNS = frozenset({"Condition", "Cells", "Sums", "Averages"})


@dataclass(frozen=True)
class TableStep:
    """A part of a program, its value as text, and where it was found."""

    part: str
    result: str
    plain: str
    groups: tuple[tuple[int, ...], ...]
    """The rows that it found, from zero; two groups of them if it is a pair."""
    columns: tuple[int, ...]
    """The columns whose cells it looked at or took, in the rows that it found."""
    table: Table = field(repr=False, hash=False)
    shown: tuple[int, ...] = ()
    """All columns that the program names."""

    @property
    def text(self) -> str:
        return self.part

    def to_json(self) -> dict[str, Any]:
        """The step for machines; rows are counted from one, as in the result."""
        return {
            "text": self.text,
            "plain": self.plain,
            "value": self.result,
            "rows": [[row + 1 for row in group] for group in self.groups],
            "columns": [self.table.columns[column].name for column in self.columns],
        }


class TableTracing:
    """Runs the parts of a program that do not merely name something, such as a column."""

    def trace(self, program: Program, language: Language, context: Table) -> list[TableStep]:
        if not isinstance(language, TableLanguage):
            raise ChoraleError(f"a trace of a table needs its language; found {type(language).__name__}")
        named = type(language).grammar.open_types  # a bound one has none left
        parts = [term for term in subterms(program.term) if term.type not in named]
        steps = [_step(term, language, context) for term in dict.fromkeys(reversed(parts))]
        shown = tuple(sorted({column for step in steps for column in step.columns}))
        return [replace(step, shown=shown) for step in steps]


def _step(term: Term, language: TableLanguage, table: Table) -> TableStep:
    phrase: Any = evaluate(term, WORDING)
    said = " and ".join(map(_said, phrase)) if type(phrase) is tuple else _said(phrase)  # a pair of rows
    text = _shown(str(term.type), language.value(term), language)
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    groups, columns = _found(term, language)
    rows = tuple(tuple(np.flatnonzero(mask).tolist()) for mask in groups)
    return TableStep(written(term), text, said, rows, tuple(dict.fromkeys(columns)), table)


def _said(phrase: Any) -> str:
    return phrase if isinstance(phrase, str) else str(phrase.said())


def _shown(kind: str, value: Any, language: TableLanguage) -> str:
    """A value on the one table, in a few words."""
    match kind:
        case "Condition":
            return rows_text(value["mask"][0])
        case "Rows":
            return rows_text(value[0])
        case "Pair":
            return " and ".join(rows_text(rows[0]) for rows in value)
        case "Cells":
            return _listed(
                [language.values[int(value["column"])].texts[it] for it in np.flatnonzero(value["times"][0])]
            )
        case "Sums" | "Averages":
            texts = language.values[int(value["column"])].texts
            sums = value["sums"][0][: len(texts)]
            return _listed([f"{texts[it] or EMPTY}: {number_text(sums[it])}" for it in np.flatnonzero(~np.isnan(sums))])
    return TableAnswers().shown(language.said(value)[0]) or NOTHING


def rows_text(rows: Bits) -> str:
    """Some rows of a table by their numbers, counted from one.

    >>> rows_text(np.array([True, False, True])), rows_text(np.array([False, True])), rows_text(np.zeros(2, bool))
    ('rows 1, 3', 'row 2', 'no row')
    """
    numbers = (np.flatnonzero(rows) + 1).tolist()
    if not numbers:
        return "no row"
    if rows.all() and len(numbers) > _FEW:
        return f"all {len(numbers)} rows"
    return f"row{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(text or EMPTY for text in texts) or NOTHING


# -- where it was found ------------------------------------------------------------------------------------------------


def _found(term: Term, language: TableLanguage) -> tuple[list[Bits], list[int]]:
    """The groups of rows that a part found, and the columns that it looked at there."""
    value, kind = language.value(term), str(term.type)
    columns = _columns(term, language)
    match kind:
        case "Condition":
            return [value["mask"][0]], columns
        case "Rows":
            return [value[0]], columns
        case "Pair":
            return [value[0][0], value[1][0]], [it for one in _arguments(term) for it in _columns(one, language)]
    groups: list[Bits] = []
    for argument in _arguments(term):
        if str(argument.type) not in {"Rows", "Pair", *_OF_COLUMNS}:
            continue
        rows, named = _found(argument, language)
        columns += named if str(argument.type) in _OF_COLUMNS else []
        groups = [one & other for one in groups for other in rows] if groups else rows
    if kind == "Answer" and value["tag"] == CELLS and int(value["column"]) < len(language.stack.table.columns):
        groups = [mask & _has_value(value, language) for mask in groups]
    return groups, columns


def _has_value(answer: Any, language: TableLanguage) -> Bits:
    """The rows that have one of the values of an answer, (row,)."""
    column = language.stack.table.columns[int(answer["column"])]
    flags = np.unpackbits(answer["values"][0])[: len(column.values)].astype(bool)
    has_value: Bits = flags[column.ids]
    return has_value


def _columns(term: Term, language: TableLanguage) -> list[int]:
    """The columns of the table that a part names itself; of a virtual one, what it is read from."""
    table = language.stack.table
    places: list[int] = []
    for argument in _arguments(term):
        if str(argument.type) == "Column":
            places.append(int(language.value(argument)))
        elif str(argument.type) == "View":
            places.append(table.views[int(language.value(argument))].column)
    return [table.columns[place].source for place in places]


def _arguments(term: Term) -> tuple[Term, ...]:
    """What a part is called with; programs over tables are not composed."""
    return term.parts[0].arguments
