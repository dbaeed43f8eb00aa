"""Alignment: which words each part of a program says.

A program is looked at as a tree of its functions and constants (`nodes_of`); in a chain of functions, each is the last
argument of the one before it. The lexicon says which phrases of the sentence ask for a function. If several do ("a
black block above a black block"), functions of one name take different phrases, so that neighbours in the tree are
close in the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import perm

from chorale.domain import Hints
from chorale.language import Program
from chorale.language.terms import Term
from chorale.language.types import Function

_MOST_CHOICES = 5_040
"""Up to this many ways of giving phrases to functions of one name are all tried; of more, a good one is taken."""


@dataclass(slots=True)
class Node:
    """A function or constant of a program, where it stands in the tree, and which phrase it says."""

    name: str
    parent: int
    """The index of the node it is an argument of; -1 for the root."""
    argument: int
    """Which argument it is."""
    children: list[int]
    is_later: bool = False
    """Whether it is given to what the function returns, like x in `negate_filter(yellow)(x)`."""
    item: int = -1
    """The phrase that it says, by its index in `Hints.explains`; -1 if no phrase asks for it."""


def nodes_of(program: Program) -> list[Node]:
    """The nodes of a program, each before what it is called with."""
    nodes: list[Node] = []

    def add(term: Term, parent: int, argument: int, taken: int) -> None:
        for part in term.parts:
            index = len(nodes)
            nodes.append(Node(part.name, parent, argument, [], argument >= taken))
            if parent >= 0:
                nodes[parent].children.append(index)
            taken = len(part.declared.arguments) if isinstance(part.declared, Function) else 0
            for number, given in enumerate(part.arguments):
                add(given, index, number, taken)
            parent, argument = index, len(part.arguments)

    add(program.term, -1, 0, 1)
    return nodes


def asking(hints: Hints) -> dict[str, list[int]]:
    """For each function the phrases that ask for it, by their index."""
    wanted: dict[str, list[int]] = {}
    for item, (_, names) in enumerate(hints.explains):
        for name in names:
            wanted.setdefault(name, []).append(item)
    return wanted


def align(nodes: Sequence[Node], hints: Hints, wanted: Mapping[str, Sequence[int]] | None = None) -> None:
    """Find the phrase of each node. To align many programs of a sentence, pass `asking(hints)` along."""
    wanted = asking(hints) if wanted is None else wanted
    open_: dict[str, list[int]] = {}
    for index, node in enumerate(nodes):
        if node.name in wanted:
            open_.setdefault(node.name, []).append(index)
    for name, indices in list(open_.items()):
        if len(indices) == len(wanted[name]) == 1:
            nodes[indices[0]].item = wanted[name][0]
            del open_[name]
    for _ in range(2):  # once more when the neighbours have found their phrases
        for name, indices in open_.items():
            _choose(nodes, indices, wanted[name], hints)


def _choose(nodes: Sequence[Node], indices: Sequence[int], items: Sequence[int], hints: Hints) -> None:
    """Give nodes of one name different phrases, close to their neighbours; if there are too few, some get none."""
    near = [_near(nodes, index, hints) for index in indices]
    far = [[abs(hints.spans[item][0] - place) for item in items] for place in near]
    is_short = len(items) < len(indices)
    if is_short:  # phrases choose functions
        far = [list(column) for column in zip(*far, strict=True)]
    count, of = sorted((len(indices), len(items)))
    if perm(of, count) <= _MOST_CHOICES:
        choices = permutations(range(of), count)
        chosen = min(choices, key=lambda some: sum(far[row][column] for row, column in enumerate(some)))
    else:
        chosen = _one_by_one(far)
    for index in indices:
        nodes[index].item = -1
    for row, column in enumerate(chosen):
        index, item = (column, row) if is_short else (row, column)
        nodes[indices[index]].item = items[item]


def _one_by_one(far: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """For each row the nearest that none before it has taken."""
    chosen: list[int] = []
    for row in far:
        chosen.append(min((item for item in range(len(row)) if item not in chosen), key=row.__getitem__))
    return tuple(chosen)


def _near(nodes: Sequence[Node], index: int, hints: Hints) -> float:
    """Where in the sentence the neighbours of a node stand."""
    node, below = nodes[index], nodes[index].children
    places = [hints.spans[nodes[other].item][0] for other in below if nodes[other].item >= 0]
    up = node.parent
    while up >= 0:
        around = (up, *(other for other in nodes[up].children if other != index))
        starts = [hints.spans[nodes[other].item][0] for other in around if nodes[other].item >= 0]
        if starts:
            places += starts
            break
        up = nodes[up].parent
    return sum(places) / len(places) if places else 0.0
