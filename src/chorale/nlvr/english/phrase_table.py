"""Phrase tables: phrases with what each of them means, found in a sentence; the one way to find anything in it.

A phrase is a sequence of keys. A word of the sentence answers to one key, itself, or to several: "black" is also a
`{color}`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Generic, TypeVar

T = TypeVar("T")
Keys = Sequence[Collection[str]]
"""What each word of a sentence answers to."""


class PhraseTable(Generic[T]):
    """Phrases by their keys. Of two meanings of a phrase the first counts."""

    def __init__(self, entries: Iterable[tuple[Sequence[str], T]]) -> None:
        self._meanings: dict[tuple[str, ...], tuple[int, T]] = {}
        self._lengths: dict[str, set[int]] = {}  # of the phrases that begin with a key
        for phrase, meaning in entries:
            self._meanings.setdefault(tuple(phrase), (len(self._meanings), meaning))
            self._lengths.setdefault(phrase[0], set()).add(len(phrase))

    def at(self, keys: Keys, start: int) -> Iterator[tuple[int, T]]:
        """The phrases that begin at a word, each with its end; the longest first, of equally long ones the first."""
        lengths = {length for key in keys[start] for length in self._lengths.get(key, ())}
        for end in sorted((start + length for length in lengths if start + length <= len(keys)), reverse=True):
            phrases = (phrase for phrase in product(*keys[start:end]) if phrase in self._meanings)
            for _, meaning in sorted((self._meanings[phrase] for phrase in phrases), key=lambda entry: entry[0]):
                yield end, meaning

    def pieces(self, keys: Keys, fits: Callable[[int, int], bool] | None = None) -> Iterator[tuple[int, int, T | None]]:
        """A sentence from left to right, the longest phrase first: start, end and meaning; other words have none.

        A phrase can be refused where it stands: `fits` is asked about its start and end.
        """
        start = 0
        while start < len(keys):
            phrases = ((end, meaning) for end, meaning in self.at(keys, start) if fits is None or fits(start, end))
            end, meaning = next(phrases, (start + 1, None))
            yield start, end, meaning
            start = end
