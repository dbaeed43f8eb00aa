"""What the words of a question say about its programs, for whoever judges how far an answer is to be trusted.

Words that link to cells and numbers ask for their constants, the name of a column for the column, its views and counts,
and a superlative for functions that choose or compare.
"""

from __future__ import annotations

from chorale.domain.lexicon import Hints
from chorale.domain.utterance import Utterance
from chorale.tables.asked import Asked
from chorale.tables.costs import TableCosts, costs_of
from chorale.tables.language import TableLanguage
from chorale.tables.words import stems

_WHOLE = 3  # the level of a name of which all words are said
_CHOICES = ("most", "least", "first", "last", "top", "bottom", "nth", "next_", "which_has", "range", "from_", "longest")
_SUPERLATIVE = ("est", "most", "least", "first", "last", "top", "bottom")
_NOTHING = Hints(frozenset(), (), frozenset(), is_open=True)
_CHOOSING = frozenset(name for name in TableLanguage.grammar.signature if name.startswith(_CHOICES))
"""Functions that superlatives ask for."""
_COUNTING = frozenset(name for name in TableLanguage.grammar.signature if name.startswith("count"))
"""Functions that the name of a column may ask for: how many cities are rows of cities."""


class TableLexicon:
    """All functions and columns hold programs together; some of them are asked for by words besides."""

    def hints(self, utterance: Utterance) -> Hints:
        if not utterance.contexts:
            return _NOTHING
        asked = Asked(utterance.sentence)
        costs = costs_of(asked, utterance.contexts[0])
        places = _places(asked, costs)
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
            named = {name for name in costs.constants if name.startswith(f"[{column.name}]")}
            places.setdefault((naming.place, end), set()).update(named | _COUNTING)
    return places


def _without_overlaps(places: dict[tuple[int, int], set[str]]) -> list[tuple[int, int]]:
    """The longest stretches of words, none of which lies within another."""
    return sorted(
        (start, end)
        for start, end in places
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in places)
    )
