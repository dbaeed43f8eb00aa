"""Words, as questions and cells are compared: in lower case, without the endings that plurals and verbs have.

Stems are not English words: "prices", "priced" and "pricing" are "pric". It matters only that they are the same.
"""

from __future__ import annotations

import re
from functools import lru_cache

from chorale.tables.values import plain

_WORD = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+"  # numbers: 1,200.5
    r"|[a-z]+(?:'[a-z]+)?|[^\W\d_]+"  # words: don't
    r"|[$%#&+]"
)
_SHORT = 3  # letters; such words have no ending
_REMEMBERED = 100_000  # words
_ENDINGS = (  # which endings become what, in words of so many letters at least; the first that fits counts
    (("ies",), "y", 5),
    (("sses",), "ss", 0),
    (("ches",), "ch", 0),
    (("shes",), "sh", 0),
    (("xes",), "x", 0),
    (("ss", "us"), None, 0),
    (("s",), "", 0),
    (("ing",), "", 6),
    (("ed",), "", 5),
)
_SILENT = 5  # letters, from which on a last e is dropped


def stems(text: str) -> list[str]:
    """The words and numbers of a text, stemmed.

    >>> stems("The Cities' 1,200 prices"), stems("Zoë's boxes, 2.5%")
    (['the', 'city', '1200', 'pric'], ['zoe', 'box', '2.5', '%'])
    """
    return [stem(word) for word in words(text)]


def words(text: str) -> list[str]:
    """The words and numbers of a text in lower case, without the ending of a genitive.

    >>> words("Zoë's Boxes")
    ['zoe', 'boxes']
    """
    return [word.removesuffix("'s") for word in _WORD.findall(plain(text))]


@lru_cache(_REMEMBERED)
def stem(word: str) -> str:
    """A word of lower case without its ending; a number without commas.

    >>> [stem(word) for word in ["classes", "class", "bus", "played", "red", "matches", "goals", "gas"]]
    ['class', 'class', 'bus', 'play', 'red', 'match', 'goal', 'gas']
    """
    if not word.isalpha():
        return word.replace(",", "")
    if len(word) <= _SHORT:
        return word
    short = _without_ending(word)
    return short.removesuffix("e") if len(short) >= _SILENT else short


def _without_ending(word: str) -> str:
    for endings, instead, length in _ENDINGS:
        for ending in endings:
            if len(word) >= length and word.endswith(ending):
                return word if instead is None else word.removesuffix(ending) + instead
    return word
