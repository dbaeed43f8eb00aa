"""Parts: a program, aligned with its sentence, as a list of things that templates look at.

The programs of a sentence have most of their parts in common, so a part is known by a key and its features are computed
once. The score of a program is the sum of the scores of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from functools import cached_property
from typing import Any

from chorale.domain import Hints
from chorale.errors import ChoraleError
from chorale.language import Grammar, Program
from chorale.ranker import features
from chorale.ranker.alignment import Node, align, nodes_of
from chorale.ranker.features import Feature

START, END = "^", "$"
"""What stands before the first word and after the last."""
LARGEST = 7
"""The most functions of a sub-program that is compared with words as a whole."""
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
        self._features: dict[Hashable, tuple[Feature, ...]] = {}
        if len(hints.spans) != len(hints.explains) or not all(0 <= a < b <= len(hints.words) for a, b in hints.spans):
            raise ChoraleError(
                "the lexicon does not tell where its phrases stand, which the ranker must know: `Hints` needs the "
                "words of the sentence, and in `spans` the first word of each of `explains` and the one after its last"
            )
        asked = [span for span, (_, wanted) in zip(hints.spans, hints.explains, strict=True) if wanted]
        self.pieces = sorted(set(asked))
        self._piece = {span: number for number, span in enumerate(self.pieces)}

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
    def bag(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.words)))

    def parts(self, program: Program) -> list[Hashable]:
        """The keys of a program's parts; `features` tells what each of them is."""
        return list(_Walk(self, program).parts())

    def features(self, key: Hashable) -> tuple[Feature, ...]:
        """The features of a part."""
        return self._features[key]

    def put(self, key: Hashable, make: Callable[..., Any], *values: Any) -> Hashable:
        """A part, known by its key; it is made and looked at only once."""
        if key not in self._features:
            part = make(*values)
            own = self._templates[type(part).__name__]
            self._features[key] = tuple((name, *value) for name, template in own for value in template(part))
        return key


class _Walk:
    """One program of a sentence."""

    def __init__(self, sentence: Sentence, program: Program) -> None:
        self.sentence = sentence
        self.nodes: list[Node] = nodes_of(program)
        align(self.nodes, sentence.hints)
        classes, signature = sentence.hints.classes, sentence.grammar.signature
        self.names = [classes.get(node.name, node.name) for node in self.nodes]
        self.types = [str(signature[node.name]) if node.name in signature else "" for node in self.nodes]
        count = len(self.nodes)
        self.items: list[set[int]] = [set() for _ in range(count)]
        self.spans = [Nothing] * count
        self.texts = [""] * count  # by the names of classes
        self.exact = [""] * count
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
        for texts, name in ((self.texts, self.names[index]), (self.exact, node.name)):
            below = ",".join(texts[child] for child in node.children)
            texts[index] = f"{name}({below})" if below else name

    def parts(self) -> Iterator[Hashable]:
        put = self.sentence.put
        for index, node in enumerate(self.nodes):
            yield from self._of_node(index, node)
            if node.parent >= 0:
                yield from self._of_edge(index, node)
            if len(node.children) > 1:
                yield self._arguments(index, node)
            if self.sizes[index] > 1 and self.items[index]:
                yield self._tree(index)
        below = self.names[self.nodes[0].children[-1]] if self.nodes[0].children else ""
        first = self.sentence.words[:FIRST_WORDS]
        yield put(("root", self.names[0], below), features.Root, first, self.names[0], below)
        for item, (_, wanted) in enumerate(self.sentence.hints.explains):
            if wanted and item not in self.items[0]:
                yield self._missing(item)
        yield from self._neighbours()

    def _of_node(self, index: int, node: Node) -> Iterator[Hashable]:
        s, name = self.sentence, self.names[index]
        parent = self.names[node.parent] if node.parent >= 0 else ""
        start, end = self.spans[index]
        if node.item >= 0:
            key: Hashable = ("said", name, self.types[index], parent, node.item)
            first, last = s.spans[node.item]
            around = (s.word(first - 2), s.word(first - 1)), (s.word(last), s.word(last + 1))
            phrase, group = s.phrase(node.item), s.group(node.item)
            yield s.put(key, features.Said, name, self.types[index], parent, phrase, group, *around)
        else:
            said = s.word(start) if end >= 0 else ""
            before = s.word(start - 2), s.word(start - 1)
            key = ("unsaid", name, parent, start, end)
            yield s.put(key, features.Unsaid, name, parent, s.bag, said, before, s.word(end))
        if end >= 0:
            yield s.put(("span", name, start, end), features.Span, name, s.word(start - 1), s.word(end))

    def _of_edge(self, index: int, node: Node) -> Iterator[Hashable]:
        s, name, parent = self.sentence, self.names[index], self.names[node.parent]
        yield s.put(("call", parent, node.argument, name), features.Call, parent, str(node.argument), name)
        above = self.nodes[node.parent].parent
        if above >= 0:
            yield s.put(("chain", self.names[above], parent, name), features.Chain, self.names[above], parent, name)
        item, other = node.item, self.nodes[node.parent].item
        if item < 0 or other < 0:
            return
        one, two = s.spans[other], s.spans[item]
        direction, between = "=", tuple[str, ...]()
        if one[0] < two[0]:
            direction, between = ">", s.words[one[1] : two[0]]
        elif two[0] < one[0]:
            direction, between = "<", s.words[two[1] : one[0]]
        types = self.types[node.parent], self.types[index]
        yield s.put(
            ("edge", parent, other, name, item, types),
            features.Edge,
            parent,
            types[0],
            s.phrase(other),
            name,
            types[1],
            s.phrase(item),
            direction,
            between,
        )

    def _arguments(self, index: int, node: Node) -> Hashable:
        s, name = self.sentence, self.names[index]
        given = tuple(self.names[child] for child in node.children)
        one, two = sorted((self.spans[node.children[0]], self.spans[node.children[-1]]))
        between = s.words[one[1] : two[0]] if one != Nothing and one[1] <= two[0] else None
        is_mixed = one != Nothing and between is None
        has_twins = len({self.exact[child] for child in node.children}) < len(node.children)
        key = ("arguments", name, given, one, two, has_twins)
        return s.put(key, features.Arguments, name, given, between, is_mixed, has_twins)

    def _tree(self, index: int) -> Hashable:
        s, (start, end) = self.sentence, self.spans[index]
        own = {s.spans[item] for item in self.items[index]}
        elsewhere = {s.spans[item] for item in self.items[0] - self.items[index]} - own
        others = sum(start <= span[0] and span[1] <= end for span in elsewhere)
        text = self.texts[index] if self.sizes[index] <= LARGEST else ""
        return s.put(("tree", text, start, end, others), features.Tree, text, s.words[start:end], others)

    def _missing(self, item: int) -> Hashable:
        s, (start, end) = self.sentence, self.sentence.spans[item]
        return s.put(("missing", item), features.Missing, s.phrase(item), s.group(item), s.word(start - 1), s.word(end))

    def _neighbours(self) -> Iterator[Hashable]:
        """How phrases that follow each other hang together."""
        s = self.sentence
        at = dict[tuple[int, int], int]()
        for index, node in enumerate(self.nodes):
            if node.item >= 0:
                at.setdefault(s.spans[node.item], index)
        for number, (one, two) in enumerate(zip(s.pieces, s.pieces[1:], strict=False)):
            relation, over = self._relation(at.get(one, -1), at.get(two, -1))
            words = s.words[one[1] : two[0]]
            between = " ".join(words) if len(words) <= features.MOST_BETWEEN else "..."
            left, right = (" ".join(s.words[start:end]) for start, end in (one, two))
            key = ("next", number, relation, over)
            yield s.put(key, features.Next, left, between, right, relation, over)

    def _relation(self, one: int, two: int) -> tuple[str, str]:
        if one < 0 or two < 0:
            return f"{'+' if one >= 0 else '-'}{'+' if two >= 0 else '-'}", ""
        up = list(self._upwards(one))
        for down, index in enumerate(self._upwards(two)):
            if index in up:
                rise = up.index(index)
                if rise and down:
                    return "s", self.names[index]
                return (f"u{min(rise, FURTHEST)}" if rise else f"d{min(down, FURTHEST)}"), ""
        raise AssertionError("two nodes of a tree have a root in common")

    def _upwards(self, index: int) -> Iterator[int]:
        while index >= 0:
            yield index
            index = self.nodes[index].parent
