"""Typing errors: a word that nobody knows and that is nearly one of the table's, or of those that ask for its columns.

Two words are nearly the same if one letter is wrong, missing or too much, or if two neighbours are swapped, and if they
begin with the same letter. A name may be another person's, so a short word in capitals is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from chorale.tables.english import FAMILIES, FUNCTION_WORDS, LIGHT, PLACES, SUPERLATIVES, TRIGGERS
from chorale.tables.table import Table
from chorale.tables.words import stem, words

_SHORT = 4
"""Letters that a word must have to be nearly another one,"""
_SHORT_NAME = 6
"""and those that one must have which may be a name."""
_MOST = 5_000  # values of a column whose words are looked at
_ENGLISH = frozenset(FAMILIES).union(SUPERLATIVES, LIGHT, FUNCTION_WORDS, PLACES, *TRIGGERS.values())


def repairs(sentence: str, table: Table, is_known: Callable[[str], bool]) -> dict[str, str]:
    """The words of a question that are mistyped, each with what it is read as.

    >>> table = Table(["City", "Price"], [["Lisbon", "7"], ["Rome", "9"]])
    >>> repairs("what is the prise of lisbn", table, {"what", "is", "the", "of"}.__contains__)
    {'prise': 'price', 'lisbn': 'lisbon'}
    """
    strange = [word for word in dict.fromkeys(words(sentence)) if _is_strange(word, sentence, is_known)]
    own = set(_words_of(table)) if strange else set[str]()
    stems = {stem(word) for word in own}
    found = {}
    for word in strange:
        if stem(word) not in stems and (read := _nearest(word, own) or _nearest(word, _ENGLISH)):
            found[word] = read
    return found


def repaired(sentence: str, read_as: dict[str, str]) -> str:
    """The sentence with other words in the place of those that are mistyped."""
    for typed, read in read_as.items():
        sentence = re.sub(rf"\b{re.escape(typed)}\b", read, sentence, flags=re.IGNORECASE)
    return sentence


def _is_strange(word: str, sentence: str, is_known: Callable[[str], bool]) -> bool:
    if not word.isalpha() or len(word) < _SHORT or word in _ENGLISH or is_known(word):
        return False
    return len(word) >= _SHORT_NAME or re.search(rf"(?<!^)\b{word.capitalize()}\b", sentence) is None


def _words_of(table: Table) -> Iterator[str]:
    """The words of names of columns, and of cells."""
    for column in table.columns[: table.width]:
        yield from words(column.header)
        if len(column.values) <= _MOST:
            for plain in column.values.plains:
                yield from words(plain)


def _nearest(word: str, among: Iterable[str]) -> str | None:
    """The only one that is nearly the same; None if there are several or none."""
    near = [other for other in among if other[0] == word[0] and len(other) >= _SHORT and is_nearly(word, other)]
    kinds = {stem(other) for other in near}
    return min(near, key=lambda other: (abs(len(other) - len(word)), other)) if len(kinds) == 1 else None


def is_nearly(one: str, other: str) -> bool:
    """Whether a letter is wrong, missing or too much, or two neighbours are swapped.

    >>> [is_nearly("price", other) for other in ["prise", "pric", "pprice", "prcie", "price", "prizes", "prism"]]
    [True, True, True, True, False, False, False]
    """
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((it for it, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    if len(a) != len(b):
        longer, shorter = (a, b) if len(a) > len(b) else (b, a)
        return longer[1:] == shorter
    return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
