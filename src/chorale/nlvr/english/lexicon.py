"""The lexicon: from the words of a sentence to the terminals (functions and constants) a program for it may use.

It is a table of patterns over normalised words. It says which terminals search may use, and for each content word which
terminals would explain it, so that programs can be ranked by what they leave unexplained. (The reference's lexicon, an
agenda of terminals that a program must use, is in `reference`.)

The table names terminals by pattern (`*_count_equals`), and a language keeps those it has: one table serves the macro,
the consistent and the extended language. A language with more to say puts its own entries in front of the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from itertools import chain, product

from chorale.domain import Hints, Utterance
from chorale.nlvr.english.phrase_table import PhraseTable
from chorale.nlvr.english.slots import fillings
from chorale.nlvr.english.synonyms import SUGGESTS
from chorale.nlvr.english.words import lemma, normalise, number, origins, repairs, unsure
from chorale.nlvr.pictures.scenes import COLORS, SHAPES
from chorale.plumbing.cache import Cache

# What holds a program together; any sentence may need it.
GLUE = frozenset(
    ("all_objects", "all_boxes", "box_filter", "box_exists", "object_exists", "box_filter_and", "some_box")
)

LARGEST = 9
"""The largest number that programs know."""

CLASSES = {
    **dict.fromkeys(COLORS, "{color}"),
    **dict.fromkeys(SHAPES, "{shape}"),
    **{f"color_{color}": "color_{color}" for color in COLORS},
    **{f"shape_{shape}": "shape_{shape}" for shape in SHAPES},
    **{str(value): "{number}" for value in range(2, LARGEST + 1)},
    **dict.fromkeys(("small", "medium", "big"), "{size}"),
}
"""Terminals that can take each other's place: colours, shapes, sizes, and numbers from two on."""

# Words that join two parts of a sentence, each of which may need some of it.
JOINTS = frozenset(("and", "with", "which", "that", "but", "have", "contain", "include", "both", "as", "where"))

# Words after which something that was named is meant once more.
AGAIN = frozenset(("it", "which", "include", "including", "both", "them", "other"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table.

    `pattern`: elements are lemmas, `a|b` is a choice, `a?` may be missing; {color}, {shape}, {number} and {one} stand
    for their words. Each part of `explains` is one thing the words ask for; a program answers it by using any of its
    terminals. `brings` come along with the words without answering anything (the 1 of "no block" = fewer than 1);
    `permits` may be used but count as unexplained. Names may hold `*`, and {color}, {shape}, {number} of the matched
    words, {colors}, how many colours the sentence names, and {rest}, those it does not.
    """

    pattern: str
    explains: tuple[str, ...] = ()
    brings: str = ""
    permits: str = ""

    def phrases(self) -> Iterator[tuple[str, ...]]:
        """The pattern with every choice made."""
        choices = [
            [*((word,) for word in element.removesuffix("?").split("|")), *([()] if element.endswith("?") else [])]
            for element in self.pattern.split()
        ]
        return filter(None, (tuple(chain.from_iterable(choice)) for choice in product(*choices)))


BOX_WORDS = "box|tower|grid|container|column"
WALL_WORDS = "wall|edge|side|line|border|boundary"
LOW_WORDS = "bottom|base|floor|ground|foundation"
SMALL_WORDS = "small|tiny|little"
BIG_WORDS = "big|large|huge"
_BOXES = frozenset(BOX_WORDS.split("|"))
_WALLS = frozenset(WALL_WORDS.split("|"))
_AT_WALLS = _WALLS | {"corner"}
_LOW = frozenset((*LOW_WORDS.split("|"), "lower"))
_HIGH = frozenset(("top", "upper", "roof", "ceiling"))
_TOUCHING = frozenset(("touch", "attach", "near", "close", "next", "corner", "roof"))
_SHAPE_WORDS = frozenset(("shape", "kind", "type"))
_SIZES = frozenset((*SMALL_WORDS.split("|"), "medium", *BIG_WORDS.split("|")))
_OF_TOWERS = frozenset(("tower", "block"))
_OF_SCATTER = frozenset(("item", "object", "touch", "small", "medium", "big", "corner", "wall", "edge"))
_JOINED = ("box_filter_and", "object_exists", "object_none")
_DENIALS = frozenset(("no", "none", "neither", "not"))
_SMALL_WORDS = frozenset(("a", "an", "the", "at", "on", "in"))

# Words after which colours and shapes are counted, like numbers.
_COUNTING = """all another count each every few less many more multiple number only other several various"""
COUNTING = frozenset(_COUNTING.split())
_REMEMBERED = 256  # sentences
_UNSAYABLE = ("",)  # the words ask for something, and no language has it so far

COMPARISONS = {
    "greater_equals": ("at least", "minimum of?", "not|no less|few|fewer than"),
    "lesser_equals": ("at most", "maximum of?", "not|no more than", "up to"),
    "greater": ("more|greater|larger than",),
    "lesser": ("less|few|fewer|smaller than",),
    "equals": ("exactly|precisely|just|only", "exactly|only only|exactly"),
}

_FUNCTION_WORDS = """a also among an and another any as at be block but by can color consist contain do
    element figure find for found from have here i in include inside into it item its kind lie locate made make
    number object of one other out part piece place position rest see seen set shape show sit size some stand such
    than that the their them there these they thing this those to type up visible where which while with within
    actually amongst anything anywhere build built come compose composed comprised depict depicted exist form formed get
    got image indeed itself now own picture present put scene shown so something somewhere themselves too we
    whose you"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

_LIGHT = """a also an block element figure in it item object of one piece the there thing"""
LIGHT = frozenset(_LIGHT.split())
"""Words that do not tell how phrases hang together: "two items are black" is read like "two are black"."""

TABLE: tuple[Entry, ...] = (
    # Boxes. Whatever a program says about boxes starts from all of them.
    Entry(BOX_WORDS, ("all_boxes",)),
    Entry(f"grey square|rectangle|{BOX_WORDS}", ("all_boxes",)),
    Entry("square box", ("all_boxes",)),
    Entry(f"of a|any {BOX_WORDS}"),
    # Attributes
    Entry("{color} color?", ("{color} color_{color}",), "*_color_any_equals", "*_color_all_equals *_color_none_equals"),
    Entry(f"{{color}} {BOX_WORDS}", ("{color} color_{color}",), "*_color_any_equals *_color_all_equals"),
    Entry("{shape}", ("{shape} shape_{shape}",), "*_shape_any_equals", "*_shape_all_equals *_shape_none_equals"),
    Entry("rectangle", ("square shape_square",)),
    Entry(f"{SMALL_WORDS} size?", ("small",)),
    Entry("medium|middle size", ("medium",)),
    Entry("medium", ("medium",)),
    Entry(f"{BIG_WORDS} size?", ("big",)),
    # Numbers
    Entry("zero|0", ("*_count_lesser *_none_equals negate_filter",), "1"),
    Entry("{one}|single", ("1 box_exists object_exists",), "*_count_equals *_count_greater_equals"),
    Entry("{number}", ("{number}",), "*_count_equals *_count_greater_equals"),
    Entry("pair|couple|twice", ("2",), "*_count_equals *_count_greater_equals"),
    Entry("multiple|several", ("*_count_greater *_count_greater_equals",), "1 2 3"),
    Entry("many|lot", ("*_count_greater *_count_greater_equals",), "2 3 4 5"),
    # Comparisons
    Entry("at least {one}", ("*_count_greater_equals box_exists object_exists *_any_equals",), "1"),
    *(
        row
        for comparison, phrases in COMPARISONS.items()
        for phrase in phrases
        for row in (
            Entry(f"{phrase} {{number}}", (f"*_count_{comparison}", "{number}")),
            *([] if comparison == "equals" else [Entry(phrase, (f"*_count_{comparison}",))]),
        )
    ),
    Entry("exactly|precisely|just", ("*_count_equals",)),
    Entry(
        "only", ("*_all_equals *_count_equals *_none_equals *_count_lesser negate_filter",), "1 {colors} color_{rest}"
    ),
    Entry("more", ("*_count_greater *_count_greater_equals",)),
    Entry("less|few|fewer", ("*_count_lesser *_count_lesser_equals",)),
    # No, not, all
    Entry("at all"),
    Entry("no|none|without|neither|nor|nothing", ("*_count_lesser *_none_equals negate_filter",), "1"),
    Entry("not", ("negate_filter *_none_equals *_count_lesser *_count_not_equals",), "1"),
    Entry("not all|every|both", ("negate_filter *_different *_count_lesser *_count_not_equals",), "3"),
    Entry("all|every", ("*_all_equals negate_filter *_count_equals *_count_lesser",), "1 3"),
    Entry("each", ("box_filter *_all_equals *_count_equals",), "3"),
    Entry("both", ("2 *_all_equals box_filter_and",)),
    Entry(
        f"all|every|each of? the? grey? {{number}}? grey? {BOX_WORDS}",
        ("box_count_equals box_count_greater_equals",),
        "3",
    ),
    Entry("or|either|odd|even|alternately", _UNSAYABLE),
    # Same and different
    Entry("same in? color|shape|kind|type?", ("*_same same_*",), "1", "*_color_count_equals *_shape_count_equals"),
    Entry("not the? same in? color|shape|kind|type?", ("*_different",)),
    Entry("different", ("*_different *_color_count_* *_shape_count_*",), "1"),
    Entry("same|different in? number|height|size|position|set|level", _UNSAYABLE),
    Entry("least|most|more|few number", _UNSAYABLE),
    Entry(f"highest {BOX_WORDS}", _UNSAYABLE),
    Entry("height|tall|taller|tallest|short|shorter|shortest|smaller|bigger|level|total|count", _UNSAYABLE),
    # Touching
    Entry("closely|nearly|almost? touch", ("touch_*",)),
    Entry("in contact with?", ("touch_*",)),
    Entry("near|nearby|close|next to?", ("touch_*",)),
    Entry("each|one other|another", ("touch_object above below",)),
    Entry("closely|nearly|almost? attach", ("touch_* above below",)),
    Entry("stack together?", ("above below touch_object",)),
    Entry("together", ("above below touch_object",)),
    Entry(f"on? the? {WALL_WORDS}", ("touch_wall",)),
    Entry(f"on? the? right {WALL_WORDS}?", ("touch_right",)),
    Entry(f"on? the? left {WALL_WORDS}?", ("touch_left",)),
    Entry(f"top|upper {WALL_WORDS}", ("touch_top",)),
    Entry(f"{LOW_WORDS}|lower {WALL_WORDS}", ("touch_bottom",)),
    Entry("roof|ceiling", ("touch_top",)),
    Entry(
        f"top|upper|{LOW_WORDS}|lower? left|right? corner",
        ("touch_corner touch_top touch_bottom touch_left touch_right",),
    ),
    # Places
    Entry("top|highest|topmost most?", ("top touch_top",)),
    Entry(f"{LOW_WORDS}|lower|lowest", ("bottom touch_bottom",)),
    Entry("on the? top", ("top above touch_top",)),
    Entry("on top of", ("above",), "top"),
    Entry(f"on the? {LOW_WORDS}", ("bottom touch_bottom",)),
    Entry("directly? above|over|on|upon|higher", ("above",), "", "below"),
    Entry("directly? below|under|beneath|underneath", ("below",), "", "above"),
    Entry("after", ("above below",)),
    Entry("in? between", ("above below",)),
    Entry("middle|center", ("above below negate_filter",), "top bottom"),
    Entry("second|third", ("above below negate_filter",), "top bottom"),
    Entry("first|last", ("top bottom",)),
)


class Lexicon:
    """A table made ready for one language, given the names of its terminals."""

    def __init__(self, terminals: Collection[str], entries: Sequence[Entry] = TABLE, *, closely: bool = False) -> None:
        """Whether it is read closely what a sentence is about: see `_Close`."""
        self._terminals, self._read = sorted(terminals), _Close if closely else _Reading
        self._table = PhraseTable((phrase, entry) for entry in entries for phrase in entry.phrases())
        self._expanded: dict[str, frozenset[str]] = {}
        self._hints: Cache[str, Hints] = Cache(_REMEMBERED)  # a parser, its judge and its page all ask for them

    def hints(self, utterance: Utterance) -> Hints:
        """What the words of a sentence ask for."""
        return self._hints.get(utterance.sentence, lambda: self._looked_up(utterance.sentence))

    def _looked_up(self, sentence: str) -> Hints:
        """Look a sentence up in the table, left to right, the longest pattern first."""
        reading = self._read(normalise(sentence), sentence.count(","))
        origin = origins(sentence, reading.words)
        explains: list[tuple[str, frozenset[str]]] = []
        spans: list[tuple[int, int]] = []
        tokens: list[tuple[int, int]] = []
        explained = set(GLUE.intersection(self._terminals))
        permitted: set[str] = set()
        unknown: list[str] = []
        brought: set[str] = set()
        for start, end, entry in self._table.pieces(reading.keys):
            if entry is None:
                unknown += [word for word in reading.words[start:end] if lemma(word) not in FUNCTION_WORDS]
            else:
                values = reading.values(start, end)
                explaining = () if reading.goes_without_saying(start, end) else entry.explains
                asked = [self._relevant(wanted, values, reading) for wanted in explaining]
                explains += [(" ".join(reading.words[start:end]), names) for names in asked]
                spans += [(start, end)] * len(asked)
                tokens += [(origin[start][0], origin[end - 1][1])] * len(asked)
                along = self._relevant(entry.brings, values, reading)
                brought |= along
                explained.update(*asked, along)
                permitted |= self._relevant(entry.permits, values, reading)
        allowed = frozenset(explained | permitted)
        return Hints(
            allowed,
            tuple(explains),
            frozenset(explained),
            words=reading.classes,
            light=LIGHT,
            spans=tuple(spans),
            tokens=tuple(tokens),
            classes=CLASSES,
            repeats={**dict.fromkeys(brought, 1), **reading.repeats(allowed)},
            unknown=(*unknown, *unsure(sentence)),
            beyond=tuple(word for word in reading.words if (number(word) or 0) > LARGEST),
            repaired=tuple(repairs(sentence)),
            meant=tuple(_meant(reading.words, unknown)),
        )

    def _relevant(self, wanted: str, values: Mapping[str, Sequence[str]], reading: _Reading) -> frozenset[str]:
        """The terminals of this language that the names stand for and that the sentence is about."""
        names: set[str] = set()
        for pattern in chain.from_iterable(fillings(name, values) for name in wanted.split()):
            if pattern not in self._expanded:
                self._expanded[pattern] = frozenset(name for name in self._terminals if fnmatchcase(name, pattern))
            names |= self._expanded[pattern]
        return frozenset(filter(reading.is_about, names))


def _meant(words: Sequence[str], unknown: Collection[str]) -> Iterator[tuple[str, str]]:
    """Unknown words with what would be understood in their place, and the words before it: "a yellow circle"."""
    for place, word in enumerate(words):
        if word in unknown and word in SUGGESTS:
            yield word, " ".join([*words[max(place - 2, 0) : place], SUGGESTS[word]])


@lru_cache(maxsize=4_096)
def subject(sentence: str) -> tuple[str, ...]:
    """The colours and shapes that a sentence names, and the kind of picture, if it tells: see `context_about`."""
    return _Reading(normalise(sentence)).subject


class _Reading:
    """The words of one sentence and what they are about."""

    def __init__(self, words: Sequence[str], commas: int = 0) -> None:
        self.words, self.commas = words, commas
        self.lemmas = tuple(map(lemma, words))
        self.keys = tuple(map(_keys, self.lemmas))
        self._mentioned = frozenset(self.lemmas)
        self._colors = self._mentioned & set(COLORS)

    def values(self, start: int, end: int) -> dict[str, list[str]]:
        """Values of the slots for the words from `start` to `end`."""
        span = self.lemmas[start:end]
        return {
            "{color}": [word for word in span if word in COLORS],
            "{shape}": [word for word in span if word in SHAPES],
            "{number}": [str(value) for word in span if (value := number(word)) is not None],
            "{colors}": [str(len(self._colors))],
            "{rest}": [color for color in COLORS if self._colors and color not in self._colors],
        }

    @property
    def classes(self) -> tuple[str, ...]:
        """The words with colours, shapes and numbers as slots."""
        return tuple(map(_class, self.lemmas))

    @property
    def subject(self) -> tuple[str, ...]:
        if self._mentioned & _OF_TOWERS:
            return *(color for color in COLORS if color in self._colors), "towers"
        named = tuple(word for word in (*COLORS, *SHAPES) if word in self._mentioned)
        is_scatter = not self._mentioned.isdisjoint((*SHAPES, *_OF_SCATTER))
        return (*named, "scatter") if is_scatter else named

    def repeats(self, allowed: Collection[str]) -> dict[str, int]:
        """What holds a program together may be used once more for every word that joins two parts of a sentence."""
        joints = sum(word in JOINTS for word in self.lemmas)
        numbers = sum(number(word) is not None for word in self.lemmas)
        again = (*COLORS, *SHAPES) if self._mentioned & AGAIN else ()
        often = {"box_filter_and": joints, "object_exists": joints + 1, "object_none": joints}
        often |= {name: self.lemmas.count(name) + 1 for name in again}
        return {name: often.get(name, numbers) for name in allowed if name in often or "_count_" in name}

    @cached_property
    def _boxes(self) -> bool:
        """Whether boxes are spoken of by themselves, not just in "the bottom of a box"."""
        lemmas, words = self.lemmas, _BOXES | {"grey"}
        return any(word in words and lemmas[max(i - 2, 0) : i] != ("of", "a") for i, word in enumerate(lemmas))

    @cached_property
    def _touched(self) -> frozenset[str]:
        """The touch functions this sentence may mean, from the sides it names."""
        sides = {f"touch_{side}" for side in ("left", "right", "corner") if side in self._mentioned}
        sides |= {"touch_top"} if self._names_side(_HIGH) else set()
        sides |= {"touch_bottom"} if self._names_side(_LOW) else set()
        sides |= {"touch_wall"} if self._mentioned & _WALLS else set()
        if not self._mentioned & (_TOUCHING | _WALLS):
            sides -= {"touch_top", "touch_bottom"}  # "at the top", "as the base": of a tower, not of the box
        if not sides or self._mentioned & {"other", "another", "together"}:
            sides.add("touch_object")
        return frozenset(sides)

    def _names_side(self, words: Collection[str]) -> bool:
        return any(word in words and self._is_side(index) for index, word in enumerate(self.lemmas))

    def _is_side(self, index: int) -> bool:
        """Whether the top or bottom that is named here may be a wall."""
        return True

    def goes_without_saying(self, start: int, end: int) -> bool:
        """Whether the words from `start` to `end` are true of all that the sentence speaks of."""
        return False

    def is_about(self, name: str) -> bool:
        """Whether a terminal that a pattern stands for has to do with this sentence."""
        if name.startswith(("touch_", "near_")):
            return f"touch_{name.split('_')[1]}" in self._touched
        if name.startswith(("box_count", "box_same_color", "member_")) and not self._boxes:
            return False
        for aspect, values in (("color", COLORS), ("shape", SHAPES)):
            named = aspect in self._mentioned or (aspect == "shape" and bool(self._mentioned & {"kind", "type"}))
            if f"{aspect}_count" in name:
                return self._counts(aspect)
            if name.endswith((f"{aspect}_same", f"{aspect}_different", f"same_{aspect}")):
                return named or not self._mentioned & {"color", "shape", "kind", "type"}
            if f"_{aspect}_" in name:
                return named or not self._mentioned.isdisjoint(values)
        return True

    def _counts(self, aspect: str) -> bool:
        """Whether colours or shapes may be counted."""
        if aspect == "color":
            return "color" in self._mentioned or ("only" in self._mentioned and len(self._colors) > 0)
        return not self._mentioned.isdisjoint(_SHAPE_WORDS)


class _Close(_Reading):
    """The same, read closely.

    Shapes are not said of towers, whose blocks are all squares. "Top" and "bottom" are walls only beside words of
    touching. Colours and shapes are counted only where something counts them ("two different colors").
    """

    def goes_without_saying(self, start: int, end: int) -> bool:
        return self._of_blocks and self.lemmas[start:end] == ("square",)

    def is_about(self, name: str) -> bool:
        if name == "no_box":
            return self._denies_boxes
        return super().is_about(name) and not (self._of_blocks and (name in SHAPES or "shape" in name))

    @cached_property
    def _of_blocks(self) -> bool:
        """Whether it is blocks of towers that are spoken of, and nothing of their shape."""
        return "tower" in self._mentioned and self._mentioned.isdisjoint(_SHAPE_WORDS)

    @cached_property
    def _denies_boxes(self) -> bool:
        """Whether a box is spoken of after a no: "no block as the base of a tower", but not "a tower with no block"."""
        denials = (index for index, word in enumerate(self.lemmas) if word in _DENIALS)
        return not _BOXES.isdisjoint(self.lemmas[next(denials, len(self.lemmas)) :])

    def repeats(self, allowed: Collection[str]) -> dict[str, int]:
        """What two parts share ("a black circle and square") may be used once more. Commas join parts as well."""
        more = super().repeats(allowed)
        more |= {name: more[name] + self.commas for name in _JOINED if name in more}
        for index, word in enumerate(self.lemmas):
            if word in ("and", "or"):
                for name in self._shared(index) & set(allowed):
                    more[name] = max(more.get(name, 0), self.lemmas.count(name) + 1)
        return more

    def _shared(self, index: int) -> set[str]:
        """What the words around an "and" have in common: a shape after two colours, a colour before two shapes."""
        before = [word for word in self.lemmas[:index] if word not in _SMALL_WORDS][-3:]
        after = [word for word in self.lemmas[index + 1 :] if word not in _SMALL_WORDS][:3]
        if not before or not after:
            return set()
        if before[-1] in COLORS and after[0] in COLORS:
            return set(after[1:]) & set(SHAPES)
        if (before[-1] in SHAPES and after[0] in SHAPES) or {before[-1], after[0]} <= _HIGH | _LOW:
            return set(COLORS) & self._mentioned
        return set()

    def _counts(self, aspect: str) -> bool:
        words = {"color"} if aspect == "color" else _SHAPE_WORDS
        return any(word in words and self._is_counted(index) for index, word in enumerate(self.lemmas))

    def _is_counted(self, index: int) -> bool:
        before = self.lemmas[max(index - 3, 0) : index]
        if not before or before[-1] in COLORS:
            return False
        return any(word in COUNTING or number(word) is not None for word in before)

    def _is_side(self, index: int) -> bool:
        beside = self.lemmas[max(index - 4, 0) : index]
        return bool(_TOUCHING.intersection(beside) or _AT_WALLS.intersection(self.lemmas[index + 1 : index + 3]))


def _class(word: str) -> str:
    """A word, or the slot that stands for all words of its class; one is not a number like the others."""
    value = number(word)
    if value is not None:
        return "one" if value == 1 else "{number}"
    if word in _SIZES:
        return "{size}"
    return "{color}" if word in COLORS else "{shape}" if word in SHAPES else word


def _keys(word: str) -> list[str]:
    """What elements of a pattern a lemma answers to."""
    value = number(word)
    answers = {"{color}": word in COLORS, "{shape}": word in SHAPES, "{number}": value is not None, "{one}": value == 1}
    return [word, *(slot for slot, holds in answers.items() if holds)]
