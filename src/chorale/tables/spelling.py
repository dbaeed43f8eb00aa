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
_LONG = 7
"""Letters of a word that is nearly one of ours, although one letter of it is wrong."""
_MOST = 5_000  # values of a column whose words are looked at
_ENGLISH = frozenset(FAMILIES).union(SUPERLATIVES, LIGHT, FUNCTION_WORDS, PLACES, *TRIGGERS.values())


def slips(sentence: str, table: Table, is_known: Callable[[str], bool]) -> dict[str, str]:
    """The words of a question that are mistyped, each with what it is read as.

    >>> table = Table(["City", "Price"], [["Lisbon", "7"], ["Rome", "9"]])
    >>> slips("what is the prise of lisbn", table, {"what", "is", "the", "of"}.__contains__)
    {'prise': 'price', 'lisbn': 'lisbon'}
    """
    strange = [word for word in dict.fromkeys(words(sentence)) if _is_strange(word, sentence, is_known)]
    own = set(_words_of(table)) if strange else set[str]()
    stems = {stem(word) for word in own}
    found = {}
    for word in strange:
        if stem(word) not in stems and (read := _nearest(word, own) or _english(word)):
            found[word] = read
    return found


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


def _english(word: str) -> str | None:
    """The word of ours that is nearly the same; a short one with a wrong letter is likely to be another word."""
    read = _nearest(word, _ENGLISH) if len(word) > _SHORT else None
    is_wrong = read is not None and len(read) == len(word) and sorted(read) != sorted(word)
    return None if is_wrong and len(word) < _LONG else read


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
