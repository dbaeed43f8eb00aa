"""What a question asks for that its table does not have: a property that no column says, a name that no cell has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chorale.tables.dates import MONTH_NAMES
from chorale.tables.english import FAMILIES, LIGHT, PROPERTIES, SUPERLATIVES, TRIGGERS, families_of
from chorale.tables.linking import Linking
from chorale.tables.table import Column
from chorale.tables.words import stems, words

_MONEY = frozenset({"price", "amount", "salary"})
_CAPITAL = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z][a-z]+")
_TITLED = 0.5  # the share of words in capitals from which on capitals are no sign of names
_NO_NAMES = (
    frozenset(MONTH_NAMES) | frozenset(FAMILIES) | LIGHT | SUPERLATIVES | frozenset[str]().union(*TRIGGERS.values())
)


def lacking(linking: Linking) -> list[int]:
    """The places of words that ask for what the table does not have."""
    linked = {place for span in linking.spans for place in range(span.start, span.end)}
    asked, own = linking.asked, {it for column in linking.own for it in stems(column.header)}
    wanted = {*_properties(linking), *_names(asked.sentence)}
    return [
        place
        for place, word in enumerate(asked.words)
        if word in wanted and place not in linked and asked.stems[place] not in own
    ]


def _properties(linking: Linking) -> Iterator[str]:
    """Properties that no column has, by whatever name."""
    said = PROPERTIES & linking.asked.bag
    known = families_of([word for column in linking.own for word in _called(column)] if said else [])
    if any(column.values.look == "money" for column in linking.own):
        known |= _MONEY
    return (word for word in said if known.isdisjoint(families_of([word]) or {word}))


def _called(column: Column) -> list[str]:
    """The words of its name, and of what stands beside its numbers, such as kg."""
    beside = next((it for it in column.values.plains if it), "") if column.type == "mixed" else ""
    return [*words(column.header), *words(beside)]


def _names(sentence: str) -> Iterator[str]:
    """Words in capitals, if not most words are."""
    found = [name.lower() for name in _CAPITAL.findall(sentence)]
    if len(found) < _TITLED * len(sentence.split()):
        yield from (name for name in found if name not in _NO_NAMES)
