"""What the words of a question say about its programs, to judge how far an answer can be trusted.

Words that link to cells and numbers ask for their constants, the name of a column for the column, its views and counts,
and a superlative for functions that choose or compare.
"""

from __future__ import annotations

from chorale.domain.lexicon import Hints
from chorale.domain.utterance import Utterance
from chorale.tables.asked import Asked
from chorale.tables.costs import TableCosts, costs_of
from chorale.tables.english import LIGHT, PASSED, families_of
from chorale.tables.lacking import lacking
from chorale.tables.language import TableLanguage
from chorale.tables.table import Column, Table
from chorale.tables.words import stem, stems, words

_WHOLE = 3  # the level of a name of which all words are said
_CHOICES = ("most", "least", "first", "last", "top", "bottom", "nth", "next_", "which_has", "range", "from_", "longest")
_SUPERLATIVE = ("est", "most", "least", "first", "last", "top", "bottom")
_NOTHING = Hints(frozenset(), (), frozenset(), is_open=True)
_CHOOSING = frozenset(name for name in TableLanguage.grammar.signature if name.startswith(_CHOICES))
"""Functions that superlatives ask for."""
_COUNTING = frozenset(name for name in TableLanguage.grammar.signature if name.startswith("count"))
"""Functions that the name of a column may ask for: how many cities are rows of cities."""
_ROWS = frozenset(map(stem, ("rows", "entries", "records", "lines", "items", "things")))
"""What rows are called in any table."""
_AVERAGES = frozenset(name for name in TableLanguage.grammar.signature if "average" in name)
_TOTALS = frozenset(name for name in TableLanguage.grammar.signature if "total" in name) | {"sum_of_columns"}
_SUMS = {
    **dict.fromkeys(("average", "mean"), _AVERAGES),
    **dict.fromkeys(("total", "altogether", "sum", "together", "overall"), _TOTALS),
}
"""Functions that ask for what many numbers come to."""


class TableLexicon:
    """All functions and columns hold programs together; some of them are asked for by words besides."""

    def hints(self, utterance: Utterance) -> Hints:
        if not utterance.contexts:
            return _NOTHING
        asked = Asked(utterance.sentence)
        costs = costs_of(asked, utterance.contexts[0])
        places = _places(asked, costs) | {(place, place + 1): set() for place in lacking(costs.linking)}
        spans = _without_overlaps(places)
        glue = frozenset(TableLanguage.grammar.signature) | frozenset(
            name for name in costs.constants if not costs.says.get(name)
        )
        return Hints(
            glue | frozenset(costs.constants),
            tuple((" ".join(asked.words[start:end]), frozenset(places[start, end])) for start, end in spans),
            glue,
            words=tuple(asked.words),
            spans=tuple(spans),
            tokens=tuple(spans),
            is_open=True,
        )


def _places(asked: Asked, costs: TableCosts) -> dict[tuple[int, int], set[str]]:
    """What each stretch of words asks for."""
    places: dict[tuple[int, int], set[str]] = {}
    for name, bits in costs.says.items():
        if bits and name in costs.constants:
            start, end = (bits & -bits).bit_length() - 1, bits.bit_length()
            places.setdefault((start, end), set()).add(name)
    for place in asked.superlatives:
        if asked.words[place].endswith(_SUPERLATIVE):
            places.setdefault((place, place + 1), set()).update(_CHOOSING)
    for column, naming in zip(costs.linking.table.columns, costs.linking.namings, strict=True):
        name_of = stems(column.header)
        end = naming.place + len(name_of)
        if naming.level == _WHOLE and asked.stems[naming.place : end] == name_of:
            places.setdefault((naming.place, end), set()).update(_constants(costs, column) | _COUNTING)
    for place in range(len(asked.words)):
        if wanted := _wanted(place, asked, costs):
            places.setdefault((place, place + 1), set()).update(wanted)
    return places


def _wanted(place: int, asked: Asked, costs: TableCosts) -> set[str]:
    """What a word asks for by itself: some functions, or columns whose name has it or one of its family."""
    word, stemmed = asked.words[place], asked.stems[place]
    if word in LIGHT | PASSED and word not in _SUMS:
        return set()
    found = set(_SUMS.get(word, ()))
    if stemmed in _ROWS or stemmed in stems(_name(costs.linking.table)):
        found |= _COUNTING
    own = [column for column in costs.linking.own if stemmed in stems(column.header)]
    for column in own:
        found |= _constants(costs, column) | _COUNTING
    if not own and (families := families_of([word])):
        related = (it for it in costs.linking.own if not families.isdisjoint(families_of(words(it.header))))
        for column in related:
            found |= _constants(costs, column)
    return found


def _constants(costs: TableCosts, column: Column) -> set[str]:
    """The column, and its views."""
    return {name for name in costs.constants if name.startswith(f"[{column.name}]")}


def _name(table: Table) -> str:
    """What a table is called in its file, or what the file is called."""
    return table.source.table or table.source.path.stem if table.source is not None else ""


def _without_overlaps(places: dict[tuple[int, int], set[str]]) -> list[tuple[int, int]]:
    """The longest stretches of words, none of which lies within another."""
    return sorted(
        (start, end)
        for start, end in places
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in places)
    )
