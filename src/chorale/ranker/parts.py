"""Parts: a program, aligned with its sentence, as a list of things that templates look at.

The programs of a sentence have most of their parts in common, so parts are numbered and the features of each are
computed once. The score of a program is the sum of the scores of its parts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import combinations, starmap
from typing import Any

from chorale.domain import Hints
from chorale.errors import ChoraleError
from chorale.language import Grammar, Program
from chorale.ranker import features as kinds
from chorale.ranker.alignment import Node, align, asking, nodes_of
from chorale.ranker.features import Feature

START, END = "^", "$"
"""What stands before the first word and after the last."""
LARGEST = 7
"""The most functions of a sub-program that is compared with words as a whole."""
LATER = "'"
"""Marks what is given to what a function returns."""
FIRST_WORDS = 4
FURTHEST = 3
MOST_BETWEEN = 4
"""Up to this many words between two phrases are looked at as a whole."""
MOST_WORDS = 4
"""The longest stretch of words that a sub-program is compared with."""
SHARES = (0.01, 0.03, 0.08, 0.2, 0.4, 0.6, 0.8, 0.92, 0.97, 0.99)
"""Shares of contexts that are told apart; what hardly ever and what nearly always holds more finely."""

Place = tuple[int, int]
"""The index of a first word, and of the one after the last."""
NOWHERE = (-1, -1)


class Sentence:
    """A sentence as the lexicon reads it, and the features of the programs it may have."""

    def __init__(self, hints: Hints, grammar: Grammar, templates: Collection[str] | None = None) -> None:
        """`templates` are the names of those that are used; all, if nothing is said."""
        self.hints, self.grammar = hints, grammar
        self.words, self.spans, self._bag = hints.words, hints.spans, sorted(set(hints.words))
        self._extracts = kinds.extracts(templates)
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._keys: list[tuple[Any, ...]] = []
        self._features: list[tuple[Feature, ...]] = []
        self._types: dict[str, str] = {}
        if len(hints.spans) != len(hints.explains) or not all(0 <= a < b <= len(hints.words) for a, b in hints.spans):
            raise ChoraleError(
                "the lexicon does not tell where its phrases stand, which the ranker must know: `Hints` needs the "
                "words of the sentence, and in `spans` the first word of each of `explains` and the one after its last"
            )
        self.pieces = sorted({span for span, (_, wanted) in zip(hints.spans, hints.explains, strict=True) if wanted})

    def word(self, index: int) -> str:
        """The word at an index, or what stands before or after all of them."""
        if index < 0:
            return START
        return self.words[index] if index < len(self.words) else END

    def text(self, place: Place) -> str:
        """The words at a place."""
        return " ".join(self.words[slice(*place)])

    def phrase(self, item: int) -> str:
        """The words of a phrase."""
        return self.text(self.spans[item])

    def group(self, item: int) -> str:
        """What a phrase asks for, by the names of classes."""
        return " ".join(sorted({self.hints.classes.get(name, name) for name in self.hints.explains[item][1]}))

    @cached_property
    def wanted(self) -> dict[str, list[int]]:
        """For each function the phrases that ask for it."""
        return asking(self.hints)

    def type(self, name: str) -> str:
        """The type of a function, written out."""
        if name not in self._types:
            self._types[name] = str(self.grammar.signature[name]) if name in self.grammar.signature else ""
        return self._types[name]

    def parts(self, program: Program, true_of: float | None = None) -> list[int]:
        """The parts of a program, by their numbers; `features` tells what each of them is.

        `true_of` is the share of contexts of which the program is true, if anybody looked.
        """
        walk = _Walk(self, program)
        return [*walk.parts(), *([] if true_of is None else [walk.truth(true_of)])]

    def features(self, part: int) -> tuple[Feature, ...]:
        """The features of a part."""
        return self._features[part]

    def key(self, part: int) -> tuple[Any, ...]:
        """What a part is known by."""
        return self._keys[part]

    def put(self, key: tuple[Any, ...], make: Callable[..., tuple[Any, ...]]) -> int:
        """The number of a part, by a key of its kind and all that it is made of; it is made and looked at only once."""
        number = self._numbers.get(key)
        if number is None:
            part, number = make(*key[1:]), len(self._features)
            self._features.append(tuple([one for extract in self._extracts[type(part)] for one in extract(part)]))
            self._keys.append(key)
            self._numbers[key] = number
        return number

    # Parts, each made of what its key says: names, phrases by their index, and places in the sentence.

    def said(self, name: str, type_: str, parent: str, item: int, is_last: bool) -> kinds.Said:
        start, end = self.spans[item]
        before, after = (self.word(start - 2), self.word(start - 1)), (self.word(end), self.word(end + 1))
        return kinds.Said(name, type_, parent, self.phrase(item), self.group(item), *before, *after, is_last)

    def unsaid(self, name: str, parent: str, start: int, end: int) -> kinds.Unsaid:
        first = self.word(start) if end >= 0 else ""
        before = self.word(start - 2), self.word(start - 1)
        return kinds.Unsaid(name, parent, self._bag, first, *before, self.word(end))

    def span(self, name: str, start: int, end: int) -> kinds.Span:
        return kinds.Span(name, self.word(start - 1), self.word(end))

    def missing(self, item: int) -> kinds.Missing:
        start, end = self.spans[item]
        return kinds.Missing(self.phrase(item), self.group(item), self.word(start - 1), self.word(end))

    def chain(self, above: str, parent: str, name: str, mark: str) -> kinds.Chain:
        return kinds.Chain(above, parent, name + mark)

    def edge(self, parent: str, other: int, name: str, item: int, types: tuple[str, str], mark: str) -> kinds.Edge:
        one, two = self.spans[other], self.spans[item]
        direction = ">" if one[0] < two[0] else "<" if two[0] < one[0] else "="
        (_, start), (end, _) = sorted((one, two))
        words = self.words[start:end]
        count = len(words)
        return kinds.Edge(
            parent=parent,
            parent_type=types[0],
            parent_phrase=self.phrase(other),
            name=name,
            type=types[1],
            phrase=self.phrase(item),
            direction=direction + mark,
            far=str(count) if count <= 3 else "4-6" if count <= 6 else "far",
            is_close=count <= MOST_BETWEEN,
            between=" ".join(words),
            words=sorted(set(words)),
        )

    def arguments(self, name: str, given: Sequence[str], one: Place, two: Place, has_twins: bool) -> kinds.Arguments:
        is_mixed = one != NOWHERE and one[1] > two[0]
        if one == NOWHERE or is_mixed:
            return kinds.Arguments(name, given, has_twins, is_mixed, is_close=False, between="", words=())
        words = self.words[one[1] : two[0]]
        is_close, between = len(words) <= MOST_BETWEEN, " ".join(words)
        return kinds.Arguments(name, given, has_twins, is_mixed, is_close, between, sorted(set(words)) or [""])

    def tree(self, text: str, start: int, end: int, others: int) -> kinds.Tree:
        words = self.text((start, end)) if text and end - start <= MOST_WORDS else ""
        return kinds.Tree(text, words, str(min(others, 3)) if others else "")

    def next(self, number: int, relation: str, over: str, types: tuple[str, str]) -> kinds.Next:
        one, two = self.pieces[number : number + 2]
        words = self.words[one[1] : two[0]]
        heavy = [word for word in words if word not in self.hints.light]
        between, frame = (" ".join(some) if len(some) <= MOST_BETWEEN else "..." for some in (words, heavy))
        return kinds.Next(self.text(one), between, self.text(two), relation, over, frame, *types)

    def root(self, name: str, below: str) -> kinds.Root:
        starts = [self.text((0, count)) for count in range(1, min(FIRST_WORDS, len(self.words)) + 1)]
        return kinds.Root(starts, starts[1:], name, below)


class _Walk:
    """One program of a sentence."""

    def __init__(self, sentence: Sentence, program: Program) -> None:
        self.sentence = sentence
        self.nodes: list[Node] = nodes_of(program)
        align(self.nodes, sentence.hints, sentence.wanted)
        classes = sentence.hints.classes
        self.names = [classes.get(node.name, node.name) for node in self.nodes]
        self.types = [sentence.type(node.name) for node in self.nodes]
        count = len(self.nodes)
        self.items: list[set[int]] = [set() for _ in range(count)]
        self.spans = [NOWHERE] * count
        self.texts = [""] * count  # of sub-programs that are small enough
        self.sizes = [1] * count
        for index in range(count - 1, -1, -1):
            self._gather(index)

    def _gather(self, index: int) -> None:
        """What a node and those below it say."""
        node, items = self.nodes[index], self.items[index]
        if node.item >= 0:
            items.add(node.item)
        for child in node.children:
            items |= self.items[child]
            self.sizes[index] += self.sizes[child]
        if items:
            said = [self.sentence.spans[item] for item in items]
            self.spans[index] = (min(start for start, _ in said), max(end for _, end in said))
        if self.sizes[index] <= LARGEST:
            below = ",".join([self.texts[child] for child in node.children])
            self.texts[index] = f"{self.names[index]}({below})" if below else self.names[index]

    def parts(self) -> Iterator[int]:
        """The numbers of all parts."""
        s = self.sentence
        for index, node in enumerate(self.nodes):
            yield from self._of_node(index, node)
            if node.parent >= 0:
                yield from self._of_edge(index, node)
            if len(node.children) > 1:
                yield self._arguments(index, node)
            if self.sizes[index] > 1 and self.items[index]:
                yield self._tree(index)
        below = self.nodes[0].children
        yield s.put(("root", self.names[0], self.names[below[-1]] if below else ""), s.root)
        for item, (_, wanted) in enumerate(s.hints.explains):
            if wanted and item not in self.items[0]:
                yield s.put(("missing", item), s.missing)
        yield from self._neighbours()

    def truth(self, true_of: float) -> int:
        """The number of the part that is about the share of contexts of which the program is true."""
        number = bisect_right(SHARES, true_of)
        share = f"< {SHARES[number]}" if number < len(SHARES) else f">= {SHARES[-1]}"
        return self.sentence.put(("truth", share, self.names[0]), kinds.Truth)

    def _of_node(self, index: int, node: Node) -> Iterator[int]:
        s, name = self.sentence, self.names[index]
        parent = self.names[node.parent] if node.parent >= 0 else ""
        start, end = self.spans[index]
        if node.item >= 0:
            is_last = not any(self.items[child] for child in node.children)
            yield s.put(("said", name, self.types[index], parent, node.item, is_last), s.said)
        else:
            yield s.put(("unsaid", name, parent, start, end), s.unsaid)
        if end >= 0:
            yield s.put(("span", name, start, end), s.span)

    def _of_edge(self, index: int, node: Node) -> Iterator[int]:
        s, up, mark = self.sentence, self.nodes[node.parent], self._mark(index)
        name, parent = self.names[index], self.names[node.parent]
        yield s.put(("call", parent, str(node.argument), name), kinds.Call)
        if up.parent >= 0:
            yield s.put(("chain", self.names[up.parent], parent, name, mark), s.chain)
        if node.item >= 0 and up.item >= 0:
            types = self.types[node.parent], self.types[index]
            yield s.put(("edge", parent, up.item, name, node.item, types, mark), s.edge)

    def _arguments(self, index: int, node: Node) -> int:
        given = tuple([self.names[child] for child in node.children])
        one, two = sorted((self.spans[node.children[0]], self.spans[node.children[-1]]))
        has_twins = any(starmap(self._are_twins, combinations(node.children, 2)))
        return self.sentence.put(("arguments", self.names[index], given, one, two, has_twins), self.sentence.arguments)

    def _are_twins(self, one: int, two: int) -> bool:
        """Whether two sub-programs are the same."""
        first, second = self.nodes[one], self.nodes[two]
        is_alike = first.name == second.name and len(first.children) == len(second.children)
        return is_alike and all(map(self._are_twins, first.children, second.children))

    def _tree(self, index: int) -> int:
        s, (start, end) = self.sentence, self.spans[index]
        own = {s.spans[item] for item in self.items[index]}
        elsewhere = {s.spans[item] for item in self.items[0] - self.items[index]} - own
        others = sum(start <= span[0] and span[1] <= end for span in elsewhere)
        return s.put(("tree", self.texts[index], start, end, others), s.tree)

    def _neighbours(self) -> Iterator[int]:
        """How phrases that follow each other hang together."""
        s = self.sentence
        at = dict[Place, int]()
        for index, node in enumerate(self.nodes):
            if node.item >= 0:
                at.setdefault(s.spans[node.item], index)
        for number, (one, two) in enumerate(zip(s.pieces, s.pieces[1:], strict=False)):
            first, second = at.get(one, -1), at.get(two, -1)
            relation, over = self._relation(first, second)
            yield s.put(("next", number, relation, over, (self._type(first), self._type(second))), s.next)

    def _type(self, index: int) -> str:
        return self.types[index] if index >= 0 else ""

    def _relation(self, one: int, two: int) -> tuple[str, str]:
        if one < 0 or two < 0:
            return f"{'+' if one >= 0 else '-'}{'+' if two >= 0 else '-'}", ""
        up, below = list(self._upwards(one)), list[int]()
        for down, index in enumerate(self._upwards(two)):
            if index in up:
                rise = up.index(index)
                left, right = (self._mark(path[-1]) if path else "" for path in (up[:rise], below))
                if rise and down:
                    return f"{left}s{right}", self.names[index]
                return (f"u{min(rise, FURTHEST)}{left}" if rise else f"d{min(down, FURTHEST)}{right}"), ""
            below.append(index)
        raise AssertionError("two nodes of a tree have a root in common")

    def _mark(self, index: int) -> str:
        return LATER if self.nodes[index].is_later else ""

    def _upwards(self, index: int) -> Iterator[int]:
        while index >= 0:
            yield index
            index = self.nodes[index].parent
