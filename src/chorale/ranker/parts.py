"""Parts: a program, aligned with its sentence, as a list of things that templates look at.

The programs of a sentence have most of their parts in common, so parts are numbered and the features of each are
computed once. The score of a program is the sum of the scores of its parts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from functools import cached_property, partial
from itertools import combinations, starmap
from typing import Any

from chorale.domain import Hints
from chorale.errors import ChoraleError
from chorale.language import Grammar, Program
from chorale.ranker import features
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

Nothing = (-1, -1)


class Sentence:
    """A sentence as the lexicon reads it, and the features of the programs it may have."""

    def __init__(self, hints: Hints, grammar: Grammar, templates: Collection[str] | None = None) -> None:
        """`templates` are the names of those that are used; all, if nothing is said."""
        self.hints, self.grammar = hints, grammar
        self.words, self.spans = hints.words, hints.spans
        self._templates = {
            kind: [(name, template) for name, template in own.items() if templates is None or name in templates]
            for kind, own in features.TEMPLATES.items()
        }
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._keys: list[tuple[Any, ...]] = []
        self._features: list[tuple[Feature, ...]] = []
        self._types: dict[str, str] = {}
        if len(hints.spans) != len(hints.explains) or not all(0 <= a < b <= len(hints.words) for a, b in hints.spans):
            raise ChoraleError(
                "the lexicon does not tell where its phrases stand, which the ranker must know: `Hints` needs the "
                "words of the sentence, and in `spans` the first word of each of `explains` and the one after its last"
            )
        asked = [span for span, (_, wanted) in zip(hints.spans, hints.explains, strict=True) if wanted]
        self.pieces = sorted(set(asked))

    def word(self, index: int) -> str:
        """The word at an index, or what stands before or after all of them."""
        if index < 0:
            return START
        return self.words[index] if index < len(self.words) else END

    def phrase(self, item: int) -> str:
        """The words of a phrase."""
        start, end = self.spans[item]
        return " ".join(self.words[start:end])

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

    @cached_property
    def bag(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.words)))

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

    def put(self, key: tuple[Any, ...], make: Callable[[], Any]) -> int:
        """The number of a part that is known by a key; it is made and looked at only once."""
        number = self._numbers.get(key)
        if number is None:
            part, number = make(), len(self._features)
            own = self._templates[type(part).__name__]
            self._features.append(tuple((name, *value) for name, template in own for value in template(part)))
            self._keys.append(key)
            self._numbers[key] = number
        return number


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
        self.spans = [Nothing] * count
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
        """The numbers of all parts; what a part is made of is looked up only if its key is new."""
        put = self.sentence.put
        for index, node in enumerate(self.nodes):
            yield from self._of_node(index, node)
            if node.parent >= 0:
                yield from self._of_edge(index, node)
            if len(node.children) > 1:
                yield self._arguments(index, node)
            if self.sizes[index] > 1 and self.items[index]:
                yield self._tree(index)
        name, below = self.names[0], self.names[self.nodes[0].children[-1]] if self.nodes[0].children else ""
        first = self.sentence.words[:FIRST_WORDS]
        yield put(("root", name, below), lambda: features.Root(first, name, below))
        for item, (_, wanted) in enumerate(self.sentence.hints.explains):
            if wanted and item not in self.items[0]:
                yield self._missing(item)
        yield from self._neighbours()

    def truth(self, true_of: float) -> int:
        name, number = self.names[0], bisect_right(features.SHARES, true_of)
        share = f"< {features.SHARES[number]}" if number < len(features.SHARES) else f">= {features.SHARES[-1]}"
        return self.sentence.put(("truth", share, name), lambda: features.Truth(share, name))

    def _of_node(self, index: int, node: Node) -> Iterator[int]:
        s, name, kind, item = self.sentence, self.names[index], self.types[index], node.item
        parent = self.names[node.parent] if node.parent >= 0 else ""
        start, end = self.spans[index]
        is_last = not self._says_below(node)

        def said() -> features.Said:
            first, last = s.spans[item]
            around = (s.word(first - 2), s.word(first - 1)), (s.word(last), s.word(last + 1))
            return features.Said(name, kind, parent, s.phrase(item), s.group(item), *around, is_last)

        def unsaid() -> features.Unsaid:
            before = s.word(start - 2), s.word(start - 1)
            return features.Unsaid(name, parent, s.bag, s.word(start) if end >= 0 else "", before, s.word(end))

        yield (
            s.put(("said", name, kind, parent, item, is_last), said)
            if item >= 0
            else s.put(("unsaid", name, parent, start, end), unsaid)
        )
        if end >= 0:
            yield s.put(("span", name, start, end), lambda: features.Span(name, s.word(start - 1), s.word(end)))

    def _says_below(self, node: Node) -> bool:
        """Whether what a node is called with says anything."""
        return any(self.items[child] for child in node.children)

    def _of_edge(self, index: int, node: Node) -> Iterator[int]:
        s, name, parent, argument = self.sentence, self.names[index], self.names[node.parent], node.argument
        mark = self._mark(index)
        yield s.put(("call", parent, argument, name), lambda: features.Call(parent, str(argument), name))
        above = self.nodes[node.parent].parent
        if above >= 0:
            first = self.names[above]
            yield s.put(("chain", first, parent, name, mark), lambda: features.Chain(first, parent, name + mark))
        item, other = node.item, self.nodes[node.parent].item
        if item < 0 or other < 0:
            return
        types = self.types[node.parent], self.types[index]

        def edge() -> features.Edge:
            one, two = s.spans[other], s.spans[item]
            direction, between = "=", tuple[str, ...]()
            if one[0] < two[0]:
                direction, between = ">", s.words[one[1] : two[0]]
            elif two[0] < one[0]:
                direction, between = "<", s.words[two[1] : one[0]]
            phrases = s.phrase(other), s.phrase(item)
            return features.Edge(parent, types[0], phrases[0], name, types[1], phrases[1], direction + mark, between)

        yield s.put(("edge", parent, other, name, item, types, mark), edge)

    def _arguments(self, index: int, node: Node) -> int:
        s, name = self.sentence, self.names[index]
        given = tuple(self.names[child] for child in node.children)
        one, two = sorted((self.spans[node.children[0]], self.spans[node.children[-1]]))
        has_twins = any(starmap(self._are_twins, combinations(node.children, 2)))

        def arguments() -> features.Arguments:
            between = s.words[one[1] : two[0]] if one != Nothing and one[1] <= two[0] else None
            is_mixed = one != Nothing and between is None
            return features.Arguments(name, given, between, is_mixed, has_twins)

        return s.put(("arguments", name, given, one, two, has_twins), arguments)

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
        text = self.texts[index]
        return s.put(("tree", text, start, end, others), lambda: features.Tree(text, s.words[start:end], others))

    def _missing(self, item: int) -> int:
        s, (start, end) = self.sentence, self.sentence.spans[item]
        return s.put(
            ("missing", item),
            lambda: features.Missing(s.phrase(item), s.group(item), s.word(start - 1), s.word(end)),
        )

    def _neighbours(self) -> Iterator[int]:
        """How phrases that follow each other hang together."""
        s = self.sentence
        at = dict[tuple[int, int], int]()
        for index, node in enumerate(self.nodes):
            if node.item >= 0:
                at.setdefault(s.spans[node.item], index)
        for number, (one, two) in enumerate(zip(s.pieces, s.pieces[1:], strict=False)):
            first, second = at.get(one, -1), at.get(two, -1)
            relation, over = self._relation(first, second)
            types = self._type(first), self._type(second)
            yield s.put(("next", number, relation, over, types), partial(self._next, one, two, types, relation, over))

    def _next(
        self, one: tuple[int, int], two: tuple[int, int], types: tuple[str, str], relation: str, over: str
    ) -> features.Next:
        s = self.sentence
        words = s.words[one[1] : two[0]]
        between, frame = (
            " ".join(some) if len(some) <= features.MOST_BETWEEN else "..."
            for some in (words, [word for word in words if word not in s.hints.light])
        )
        left, right = (" ".join(s.words[start:end]) for start, end in (one, two))
        return features.Next(left, between, right, relation, over, frame, types)

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
