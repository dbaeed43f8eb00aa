"""Abstraction: the words of a lexical cluster become slots, in utterances and in programs, and back.

    there are exactly two towers with a blue block at the base
    there are {comparison} {number} towers with a {color} block at the {location}
    box_count_{comparison}({number}, box_filter(all_boxes, object_exists({color}({location}))))

The same value again is the same slot, so what holds of an abstract utterance holds of all its fillings: "black over
black" is not "black over blue". Clusters and the notation are those of `slots`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chorale.nlvr.english.phrase_table import PhraseTable
from chorale.nlvr.english.slots import CLUSTERS, cluster_of, fill, is_slot, names, slot_of, slots_of
from chorale.nlvr.english.words import normalise
from chorale.nlvr.pictures.scenes import COLORS

_NAME = re.compile(r"[A-Za-z_]\w*|\d+")
_MEANINGS = {
    phrase: (cluster, value)
    for cluster, values in CLUSTERS.items()
    for value, phrases in values.items()
    for phrase in phrases
}
_PHRASES = PhraseTable((phrase.split(), meaning) for phrase, meaning in _MEANINGS.items())


@dataclass(frozen=True, slots=True)
class Filling:
    """What stood in a slot: the words that were said and the value they have in a program."""

    slot: str
    words: str
    value: str


@dataclass(frozen=True, slots=True)
class AbstractUtterance:
    """The words of a sentence with slots, and what stood in each of them, in order."""

    tokens: tuple[str, ...]
    fillings: tuple[Filling, ...]

    @property
    def text(self) -> str:
        return " ".join(self.tokens)

    @property
    def values(self) -> dict[str, str]:
        """The value of each slot."""
        return {filling.slot: filling.value for filling in self.fillings}

    @property
    def sentence(self) -> str:
        """The sentence again, as `normalise` writes it."""
        said = iter(self.fillings)
        return " ".join(next(said).words if is_slot(token) else token for token in self.tokens)

    def program(self, text: str) -> str:
        """The text of a program with the slots of this sentence in it."""
        return abstract_program(text, self.values)

    def fill(self, program: str) -> str | None:
        """An abstract program with what stands in the slots of this sentence; None if it has a slot too many."""
        values = self.values
        return fill(program, values) if values.keys() >= set(slots_of(program)) else None


def abstract_utterance(sentence: str) -> AbstractUtterance:
    """The sentence with slips repaired and the words of clusters made slots."""
    return abstract_words(normalise(sentence))


def abstract_words(clean: Sequence[str]) -> AbstractUtterance:
    """The same for words that are clean already."""
    tokens, fillings = [], []
    taken: dict[str, list[str]] = {}  # cluster -> values in order of appearance
    for words, meaning in _pieces(clean):
        if meaning is None:
            tokens.append(words)
            continue
        cluster, value = meaning
        values = taken.setdefault(cluster, [])
        if value not in values:
            values.append(value)
        tokens.append(slot_of(cluster, values.index(value) + 1))
        fillings.append(Filling(tokens[-1], words, value))
    return AbstractUtterance(tuple(tokens), tuple(fillings))


def abstract_program(program: str, values: Mapping[str, str]) -> str:
    """The text of a program with the names that an utterance's slots stand for made slots; the rest stays.

    >>> abstract_program("object_exists(black(all_objects))", {"{color}": "black"})
    'object_exists({color}(all_objects))'
    """
    named: dict[str, str] = {}
    for slot, value in reversed(list(values.items())):  # where two slots could stand for a name, the first one does
        named |= zip(names(cluster_of(slot), value), names(cluster_of(slot), slot), strict=True)
    return _NAME.sub(lambda name: named.get(name.group(), name.group()), program)


def kind(sentence: str) -> str:
    """The coarse abstraction that tells sentences of a seen kind from others: colours, shapes and numbers as slots.

    >>> kind("There are 2 yellow squares above a black one.")
    'there are {number} {color} {shape} above a {color} one'
    """
    coarse = {"color": "{color}", "shape": "{shape}", "number": "{number}", "one": "{number}"}
    pieces = _pieces(normalise(sentence))
    return " ".join(coarse.get(meaning[0], words) if meaning else words for words, meaning in pieces)


def _pieces(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """The words from left to right, the longest phrase of a cluster first; each with its cluster and value."""
    pieces = _PHRASES.pieces([(word,) for word in words], lambda start, end: _belongs(words, start, end))
    return ((" ".join(words[start:end]), meaning) for start, end, meaning in pieces)


def _belongs(words: Sequence[str], start: int, end: int) -> bool:
    """Whether a phrase means here what its cluster says; some words have other uses."""
    phrase = " ".join(words[start:end])
    before = words[start - 1] if start else ""
    after = words[start + 1] if start + 1 < len(words) else ""
    if phrase == "only":  # "only two blocks", not "only black blocks"
        return _MEANINGS.get(after, ("",))[0] in ("one", "number")
    if phrase == "on":  # "on a black block", not "on the right"
        return after == "a"
    if phrase == "one":  # "one block", not "a black one"
        return before not in COLORS
    if phrase in CLUSTERS["shape"]["square"]:  # a grey square is a box
        return before != "grey"
    return True
