"""Weighing: what decided, in words. The weights of a program, added up part by part.

A feature is one of hundreds, and its weight alone says little: "blue" is looked at by a dozen templates. So all the
features of a part (see `parts`) are added up, and the part is said in words: `"blue" speaks for blue`. Between two
programs only the parts that they do not have in common decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from chorale.domain import Utterance
from chorale.language import Program
from chorale.ranker.alignment import Node, align, nodes_of
from chorale.ranker.features import Feature
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.parts import Sentence
from chorale.ranker.ranker import Ranker

_FOR, _AGAINST = " speaks for ", " speaks against "


@dataclass(frozen=True)
class Weighed:
    """A part of a program, or a feature of it, and what it weighs: above zero it speaks for the program."""

    part: str
    weight: float

    @property
    def text(self) -> str:
        """The part in words."""
        return self.part.replace(_FOR, _AGAINST) if self.weight < 0 else self.part

    def __str__(self) -> str:
        return f"{self.text}, {self.weight:+.1f}"


@dataclass(frozen=True)
class Aligned:
    """A function or constant of a program, how deep it stands, and the words it says."""

    name: str
    depth: int
    words: str = ""
    """Empty if no words ask for it."""


def aligned(ranker: Ranker, utterance: Utterance, program: Program) -> list[Aligned]:
    """The functions of a program, each before what it is called with, and the words that each of them says."""
    words = _Words(ranker, utterance, program)
    said = [words.of(node.item) for node in words.nodes]
    return [replace(one, words=text) for one, text in zip(unaligned(program), said, strict=True)]


def unaligned(program: Program) -> list[Aligned]:
    """The same without words, for other parsers."""
    nodes: list[Aligned] = []
    for node in nodes_of(program):
        nodes.append(Aligned(node.name, nodes[node.parent].depth + 1 if node.parent >= 0 else 0))
    return nodes


def weighed(ranker: Ranker, utterance: Utterance, program: Program) -> list[Weighed]:
    """The parts of a program that have a weight, the heaviest first."""
    words = _Words(ranker, utterance, program)
    sums: dict[str, float] = {}
    for part in words.sentence.parts(program, ranker.true_of(utterance, program)):
        worth = sum(ranker.weights.get(feature, 0.0) for feature in words.sentence.features(part))
        if worth:
            text = words.text(words.sentence.key(part))
            sums[text] = sums.get(text, 0.0) + worth
    return _heaviest(sums)


def weighed_by_key(ranker: KeyedRanker, utterance: Utterance, program: Program) -> list[Weighed]:
    """The features of a program that have a weight, the heaviest first; one that several parts have counts as often."""
    sums: dict[str, float] = {}
    for reason in ranker.reasons(utterance, program):
        text = feature_text(reason.feature)
        sums[text] = sums.get(text, 0.0) + reason.weight
    return _heaviest(sums)


def feature_text(feature: Feature) -> str:
    """A feature by key in words: what it looks at, and what it found there.

    >>> feature_text(("call-word", "previous_row", "before"))
    'call word: previous_row, before'
    """
    name, *values = feature
    return f"{name.replace('-', ' ')}: {', '.join(values)}"


def compared(one: Sequence[Weighed], other: Sequence[Weighed]) -> list[Weighed]:
    """What speaks for the first program rather than the second, the heaviest first."""
    sums = {it.part: it.weight for it in one}
    for it in other:
        sums[it.part] = sums.get(it.part, 0.0) - it.weight
    return _heaviest(sums)


def _heaviest(sums: dict[str, float]) -> list[Weighed]:
    weighed = [Weighed(text, weight) for text, weight in sums.items() if weight]
    return sorted(weighed, key=lambda it: (-abs(it.weight), it.part))


class _Words:
    """A program that is aligned with a sentence, and the words for its parts."""

    def __init__(self, ranker: Ranker, utterance: Utterance, program: Program) -> None:
        self.sentence: Sentence = ranker.sentence(utterance)
        self.hints = self.sentence.hints
        self.tokens = [str(word) for word in ranker.domain.words(utterance.sentence)]
        self.nodes: list[Node] = nodes_of(program)
        align(self.nodes, self.hints)
        self.exact = {(self.hints.classes.get(it.name, it.name), it.item): it.name for it in self.nodes}

    def of(self, item: int) -> str:
        """The words of a phrase; those of the sentence itself, if the lexicon says where they are."""
        if item < 0:
            return ""
        if not self.hints.tokens:
            return self.sentence.phrase(item)
        start, end = self.hints.tokens[item]
        return " ".join(self.tokens[start:end])

    def between(self, start: int, end: int) -> str:
        """The words from one place to another, by the lexicon's count."""
        inside = [item for item, (a, b) in enumerate(self.hints.spans) if start <= a and b <= end]
        if not inside or not self.hints.tokens:
            return " ".join(self.sentence.words[max(start, 0) : max(end, 0)])
        first = min(self.hints.tokens[item][0] for item in inside)
        return " ".join(self.tokens[first : max(self.hints.tokens[item][1] for item in inside)])

    def text(self, key: Any) -> str:
        """What a part is, by its key; see `parts`."""
        match key:
            case ("said", name, _, _, item, _):
                return f'"{self.of(item)}"{_FOR}{self._exact(name, item)}'
            case ("missing", item):
                return f'"{self.of(item)}" is left out'
            case ("unsaid", name, *_):
                return f"{_plain(name)}, which no words ask for"
            case ("edge", parent, other, name, item, *_):
                child = f'"{self.of(item)}" as {self._exact(name, item)}'
                return f'{child}, inside of "{self.of(other)}" as {self._exact(parent, other)}'
            case ("tree", _, start, end, _):
                return f'"{self.between(start, end)}" is one piece'
            case ("next", number, *_):
                one, two = (self.between(*self.sentence.pieces[it]) for it in (number, number + 1))
                return f'"{one}" and "{two}" follow each other'
            case ("root", name, _):
                return f"it begins with {_plain(name)}"
            case ("call", parent, _, name) | ("chain", _, parent, name, _):
                return f"{_plain(name)} inside of {_plain(parent)}"
            case ("arguments", name, given, *_):
                return f"{_plain(name)} of {' and '.join(map(_plain, given))}"
            case ("truth", *_):
                return "how often it is true"
            case ("span", name, *_):
                return f"the words around what {_plain(name)} says"
        raise AssertionError(f"a part that has no words: {key!r}")

    def _exact(self, name: str, item: int) -> str:
        return self.exact.get((name, item), _plain(name))


def _plain(name: Any) -> str:
    """The name of a function; a class of them, such as {color}, in words."""
    text = str(name)
    return f"a {text.strip('{}')}" if text.startswith("{") else text
