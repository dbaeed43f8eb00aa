"""Abstraction: the words of a lexical cluster become slots, in utterances and in programs, and back.

    there are exactly two towers with a blue block at the base
    there are {comparison} {number} towers with a {color} block at the {location}
    box_count_{comparison}({number}, box_filter(all_boxes, object_exists({color}({location}))))

Words of a cluster that mean the same have one value ("base" and "bottom" are `bottom`), and the value is what stands in
the program. Another value of the same cluster is another slot: {color}, {color2}. The same value again is the same
slot, so what holds of an abstract utterance holds of all its fillings: "black over black" is not "black over blue".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from chorale.nlvr.english.words import Vocabulary, normalise
from chorale.nlvr.languages.functions import COMPARISONS
from chorale.nlvr.pictures.scenes import COLORS, SHAPES, SIZES

_SIDES = ("top", "bottom", "left", "right")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")

CLUSTERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "color": {color: (color,) for color in COLORS},
    "shape": {shape: (shape, shape + "s") for shape in SHAPES},
    "size": {**{size: (size,) for size in SIZES.values()}, "big": ("big", "large")},
    "location": {"top": ("top",), "bottom": ("base", "bottom")},
    "relation": {
        "above": ("above", "over", "on", "on top of"),
        "below": ("below", "under", "beneath", "underneath"),
    },
    "edge": {
        "wall": ("wall", "edge", "side"),
        "corner": ("corner",),
        **{side: tuple(f"{side} {wall}" for wall in ("wall", "edge", "side")) for side in _SIDES},
    },
    "comparison": {
        "equals": ("exactly", "only", "just"),
        "greater_equals": ("at least", "not less than"),
        "lesser_equals": ("at most", "not more than"),
        "greater": ("more than",),
        "lesser": ("less than", "fewer than"),
    },
    "one": {"1": ("one", "1")},
    "number": {str(value): (word, str(value)) for value, word in enumerate(_NUMBERS, start=2)},
}
"""For each cluster its values, as programs name them, and for each value the ways to say it; the usual one first."""

_FORMS = {
    "color": ("{}", "color_{}"),
    "shape": ("{}", "shape_{}"),
    "edge": ("touch_{}", "near_{}"),
    "location": ("{}", "touch_{}", "near_{}"),
    "comparison": tuple(f"{kind}_count_{{}}" for kind in ("box", "object", "object_color", "object_shape")),
}
"""How a value is part of the names of a program, where it is not just the name itself."""

_SLOT = re.compile(r"\{([a-z]+)(\d*)\}")
_NAME = re.compile(r"[A-Za-z_]\w*|\d+")


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


def abstract_utterance(sentence: str, vocabulary: Vocabulary | None = None) -> AbstractUtterance:
    """The sentence with slips repaired and the words of clusters made slots."""
    return abstract_words(normalise(sentence, vocabulary))


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
        tokens.append(_slot(cluster, values.index(value) + 1))
        fillings.append(Filling(tokens[-1], words, value))
    return AbstractUtterance(tuple(tokens), tuple(fillings))


def abstract_program(program: str, values: Mapping[str, str]) -> str:
    """The text of a program with the names that an utterance's slots stand for made slots; the rest stays.

    >>> abstract_program("object_exists(black(all_objects))", {"{color}": "black"})
    'object_exists({color}(all_objects))'
    """
    named = {
        form.format(value): form.format(slot)
        for slot, value in reversed(list(values.items()))  # where two slots could stand for a name, the first one does
        for form in _FORMS.get(cluster_of(slot), ("{}",))
    }
    return _NAME.sub(lambda name: named.get(name.group(), name.group()), program)


def fill(text: str, values: Mapping[str, str]) -> str:
    """An abstract program, or the text of an abstract utterance, with values in its slots.

    >>> fill("there is a {color} {shape}", {"{color}": "black", "{shape}": "circle"})
    'there is a black circle'
    """
    return _SLOT.sub(lambda slot: values[slot.group()], text)


def slots(sentence: str, vocabulary: Vocabulary | None = None) -> str:
    """The coarse abstraction that tells sentences of a seen kind from others: colours, shapes and numbers as slots.

    >>> slots("There are 2 yellow squares above a black one.")
    'there are {number} {color} {shape} above a {color} one'
    """
    coarse = {"color": "{color}", "shape": "{shape}", "number": "{number}", "one": "{number}"}
    pieces = _pieces(normalise(sentence, vocabulary))
    return " ".join(coarse.get(meaning[0], words) if meaning else words for words, meaning in pieces)


def is_slot(token: str) -> bool:
    """Whether a token of an abstract utterance is a slot."""
    return _SLOT.fullmatch(token) is not None


def slots_of(text: str) -> tuple[str, ...]:
    """The different slots of an abstract utterance or program, in order of appearance."""
    return tuple(dict.fromkeys(slot.group() for slot in _SLOT.finditer(text)))


def cluster_of(slot: str) -> str:
    """The cluster of a slot: `color` of `{color2}`."""
    return slot.strip("{}").rstrip("0123456789")


def _slot(cluster: str, place: int) -> str:
    return f"{{{cluster}{place if place > 1 else ''}}}"


def _pieces(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """The words from left to right, the longest phrase of a cluster first; each with its cluster and value."""
    phrases = _phrases()
    longest = max(map(len, phrases))
    place = 0
    while place < len(words):
        for length in range(longest, 0, -1):
            phrase = tuple(words[place : place + length])
            if phrase in phrases and _belongs(phrase, words, place):
                yield " ".join(phrase), phrases[phrase]
                break
        else:
            phrase = (words[place],)
            yield words[place], None
        place += len(phrase)


def _belongs(phrase: tuple[str, ...], words: Sequence[str], place: int) -> bool:
    """Whether a phrase means here what its cluster says; some words have other uses."""
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    if phrase == ("only",):  # "only two blocks", not "only black blocks"
        return _phrases().get((after,), ("",))[0] in ("one", "number")
    if phrase == ("on",):  # "on a black block", not "on the right"
        return after == "a"
    if phrase == ("one",):  # "one block", not "a black one"
        return before not in COLORS
    if phrase[0] in CLUSTERS["shape"]["square"]:  # a grey square is a box
        return before != "grey"
    return True


@cache
def _phrases() -> dict[tuple[str, ...], tuple[str, str]]:
    """Phrase -> cluster and value."""
    assert set(CLUSTERS["comparison"]) <= set(COMPARISONS)
    return {
        tuple(phrase.split()): (cluster, value)
        for cluster, values in CLUSTERS.items()
        for value, said in values.items()
        for phrase in said
    }
