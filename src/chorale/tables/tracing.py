"""What each part of a program finds in a table: the numbers of rows, the values of cells, the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chorale.domain.tracing import LONGEST, ValueStep
from chorale.errors import ChoraleError
from chorale.language import Language, Program
from chorale.language.execution import evaluate
from chorale.language.terms import Term, subterms, written
from chorale.tables.language import TableLanguage
from chorale.tables.language.types import Bits
from chorale.tables.language.wording import WORDING
from chorale.tables.matching import TableAnswers
from chorale.tables.table import Table
from chorale.tables.values import number_text

NOTHING = "nothing"
EMPTY = '""'
_FEW = 3  # rows, which are numbered one by one


class TableTracing:
    """Runs the parts of a program that do not merely name something, such as a column."""

    def trace(self, program: Program, language: Language, context: Table) -> list[ValueStep]:
        if not isinstance(language, TableLanguage):
            raise ChoraleError(f"a trace of a table needs its language; found {type(language).__name__}")
        named = type(language).grammar.open_types  # a bound one has none left
        parts = [term for term in subterms(program.term) if term.type not in named]
        return [_step(term, language) for term in dict.fromkeys(reversed(parts))]


def _step(term: Term, language: TableLanguage) -> ValueStep:
    phrase: Any = evaluate(term, WORDING)
    said = " and ".join(map(_said, phrase)) if type(phrase) is tuple else _said(phrase)  # a pair of rows
    text = _shown(str(term.type), language.value(term), language)
    return ValueStep(written(term), text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…", said)


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
    return TableAnswers().text(language.said(value)[0]) or NOTHING


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
