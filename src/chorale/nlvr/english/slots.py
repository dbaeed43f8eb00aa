"""Slots: where a word that varies stands, in sentences and in programs. The one way to write, find and fill them.

    there are {comparison} {number} towers with a {color} block over a {color2} block

A slot is named after its lexical cluster: words that can take each other's place. Words of a cluster that mean the same
have one value ("base" and "bottom" are `bottom`), and the value is what stands in a program. Another value of the same
cluster is another slot: {color}, {color2}.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from chorale.nlvr.english.words import NUMBER_WORDS
from chorale.nlvr.pictures.scenes import COLORS, SHAPES, SIZES

_SIDES = ("top", "bottom", "left", "right")

CLUSTERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "color": {color: (color,) for color in COLORS},
    "shape": {shape: (shape, shape + "s") for shape in SHAPES},
    "size": {**{size: (size,) for size in SIZES.values()}, "big": ("big", "large")},
    "location": {"top": ("top",), "bottom": ("base", "bottom")},
    "relation": {"above": ("above", "over", "on", "on top of"), "below": ("below", "under", "beneath", "underneath")},
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
    "one": {"1": (NUMBER_WORDS[1], "1")},
    "number": {str(value): (NUMBER_WORDS[value], str(value)) for value in range(2, 10)},
}
"""For each cluster its values, as programs name them, and for each value the ways to say it; the usual one first."""

SPELLINGS = {**CLUSTERS, "number": {**CLUSTERS["one"], **CLUSTERS["number"]}}
"""The same where one is a number like the others, as in phrases and templates."""

_FORMS = {
    "color": ("{}", "color_{}"),
    "shape": ("{}", "shape_{}"),
    "edge": ("touch_{}", "near_{}"),
    "location": ("{}", "touch_{}", "near_{}"),
    "comparison": tuple(f"{kind}_count_{{}}" for kind in ("box", "object", "object_color", "object_shape")),
}
"""How a value is part of the names of a program, where it is not just the name itself."""

_SLOT = re.compile(r"(\{[a-z]+\d*\})")


def slot_of(cluster: str, number: int = 1) -> str:
    """The slot of a cluster: `{color}`, `{color2}`."""
    return f"{{{cluster}{number if number > 1 else ''}}}"


def is_slot(token: str) -> bool:
    """Whether a token of an abstract utterance is a slot."""
    return _SLOT.fullmatch(token) is not None


def slots_of(text: str) -> tuple[str, ...]:
    """The different slots of a sentence or a program, in order of appearance."""
    return tuple(dict.fromkeys(_SLOT.findall(text)))


def cluster_of(slot: str) -> str:
    """The cluster of a slot: `color` of `{color2}`."""
    return slot.strip("{}").rstrip("0123456789")


def names(cluster: str, value: str) -> list[str]:
    """The names in a program that say a value of a cluster, or hold its slot: `black` and `color_black`."""
    return [form.format(value) for form in _FORMS.get(cluster, ("{}",))]


def fill(text: str, values: Mapping[str, str]) -> str:
    """A sentence or a program with values in its slots.

    >>> fill("there is a {color} {shape}", {"{color}": "black", "{shape}": "circle"})
    'there is a black circle'
    """
    return _SLOT.sub(lambda slot: values[slot.group()], text)


def fillings(text: str, choices: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The text with every choice in every slot; one that occurs twice need not be spelled alike.

    >>> list(fillings("{number} {color} items", {"{number}": ("two", "2"), "{color}": ("black",)}))
    ['two black items', '2 black items']
    """
    parts = _SLOT.split(text)
    return map("".join, product(*(choices[part] if is_slot(part) else (part,) for part in parts)))
