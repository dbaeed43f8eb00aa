"""From a program to a query: the compiler's method for each function is called as the function itself would be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.language.terms import Apply, Compose, Term
from chorale.tables.dates import written_date
from chorale.tables.language import KINDS, Constants, TableLanguage, constants_of, constants_of_words
from chorale.tables.language.types import CONTRASTS
from chorale.tables.sql.answers import Asked, OfCells, OfNumbers, OfPairs, OfRows
from chorale.tables.sql.columns import Columns
from chorale.tables.sql.conditions import Conditions
from chorale.tables.sql.parts import Chosen, Holds
from chorale.tables.sql.rows import Rows
from chorale.tables.sql.select import Select
from chorale.tables.table import Table

_OF_VALUES = frozenset(
    {
        *("cells", "totals", "averages", "count_per", "total_per", "average_per", "same_as", "have_same", "shared"),
        *("which_has_more", "which_has_less", "is_repeated", "occurs"),
    }
)
"""Functions that tell the values of their column apart, however each is spelled."""


@dataclass(frozen=True)
class Query:
    """A query, and how its outcome is read."""

    text: str
    kind: str

    def __str__(self) -> str:
        return self.text


def sql_of(program: Program, table: Table) -> Query:
    """The query that says of a table what a program says of it; `NoSqlError`, with the reason, if there is none."""
    constants = constants_of(table)
    known: Constants = {}
    for term in _constants(program.term):
        known |= _constant(term, constants)
    language = TableLanguage([table]).with_constants(known)
    whole = {int(known[name][1]) for name in _columns_of_values(program.term)}
    columns = Columns(table, frozenset(whole))
    asked = Compiler(table, language, columns).compiled(program.term)
    if not isinstance(asked, Asked):
        raise ChoraleError(f"only whole programs become queries; this is a {program.type}")
    return Query(columns.finished("\n".join(asked.lines)), asked.kind)


class Compiler(Conditions, OfCells, OfPairs, OfRows, Rows, OfNumbers):
    """The whole language."""

    def compiled(self, term: Term) -> Any:
        """What a part of a program becomes."""
        if isinstance(term, Compose):
            raise ChoraleError("programs over tables are not composed")
        kind = str(term.type)
        if not term.arguments and kind not in {"Rows"}:
            return self._value(term, kind)
        arguments = [self.compiled(argument) for argument in term.arguments]
        method = getattr(self, term.name)
        if term.name in KINDS:
            mask = self.masks(term)
            return Holds(method(mask, *arguments), mask)
        made = method(*arguments)
        return Chosen(made, self.masks(term)) if isinstance(made, Select) else made

    def _value(self, term: Apply, kind: str) -> Any:
        """What a constant is."""
        match kind:
            case "Span":
                return term.name[1:-1]
            case "Moment":
                return written_date(term.name)
            case "Quantity" | "Decade":
                return float(self.language.implementation(term.name))
        return int(self.language.implementation(term.name))


def _constants(term: Term) -> Iterator[Apply]:
    """The constants that a program names."""
    if isinstance(term, Apply):
        if not term.arguments and str(term.declared) in _KINDS:
            yield term
        for argument in term.arguments:
            yield from _constants(argument)


def _columns_of_values(term: Term) -> Iterator[str]:
    """The columns of a program whose values must be told apart."""
    if isinstance(term, Apply):
        if term.name in _OF_VALUES:
            yield from (it.name for it in term.arguments if isinstance(it, Apply) and str(it.type) == "Column")
        for argument in term.arguments:
            yield from _columns_of_values(argument)


_KINDS = ("Span", "Quantity", "Decade", "Moment", "Contrast", "Column", "View")


def _constant(term: Apply, constants: Constants) -> Constants:
    """A constant by its name, as `constants_of` and `constants_of_words` name it."""
    name = term.name
    match str(term.declared):
        case "Span":
            return constants_of_words([name[1:-1]])
        case "Quantity":
            return constants_of_words(quantities=[float(name)])
        case "Decade":
            return constants_of_words(decades=[int(name[:-1])])
        case "Moment" if moment := written_date(name):
            return constants_of_words(moments=[moment])
        case "Contrast":
            return constants_of_words(contrasts=[more for more, less in CONTRASTS if name == f"{more} or {less}"])
    if name not in constants:
        raise ChoraleError(f"the table has no {name}")
    return {name: constants[name]}
