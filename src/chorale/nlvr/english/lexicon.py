"""Lexicons: from the words of a sentence to the terminals (functions and constants) a program for it may use.

There are two. The *reference* lexicon is the agenda of the earlier implementation: substring tests, all that is
triggered is required. It is kept as it was, quirks included, for the published rows. *Ours* is `triggers`: a table of
patterns over normalised words. It says which terminals search may use (`allowed`), and for each content word which
terminals would explain it (`explains`), so that programs can be ranked by what they leave unexplained.

The table names terminals by pattern (`*_count_equals`), and a language keeps those it has: one table serves the macro,
the consistent and the extended language. A language with more to say puts its own rows in front of the table.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from chorale.nlvr.english.words import Vocabulary, lemma, normalise, number
from chorale.nlvr.pictures.scenes import COLORS, SHAPES, SIZES

# --- The reference's agenda -------------------------------------------------------------------------------------------

_REFERENCE_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
# The first word that occurs decides, in this order.
_REFERENCE_SIDES = {
    "top": "top", "bottom": "bottom", "base": "bottom", "corner": "corner", "right": "right", "left": "left",
    "wall": "wall", "edge": "wall",
}  # fmt: skip


def reference_consistent(sentence: str) -> frozenset[str]:
    """What the reference triggers in the consistent language; its search requires all of it."""
    text = sentence.lower()
    agenda: set[str] = set()
    if text.startswith(("there is a box", "there is a tower ")):
        agenda |= {"box_exists", "box_filter", "all_boxes"}
    elif _has(text, "box", "tower") and not _has(text, "of a box", "of a tower"):
        agenda |= {"box_filter", "all_boxes"}
    elif text.startswith("there is a "):
        agenda.add("object_exists")
    agenda |= _reference_places(text)
    if _has(text, "contains", "has"):
        agenda.add("box_filter")
    agenda |= _reference_named(text, COLORS + SHAPES)
    agenda |= _reference_attributes(text)
    return frozenset(agenda or ({"box_filter", "all_boxes"} if "box" in text else {"all_objects"}))


def reference_macro(sentence: str) -> frozenset[str]:
    """What the reference triggers in the macro language; its search requires all of it."""
    text = sentence.lower()
    agenda: set[str] = set()
    of_boxes = text.startswith(("there is a box", "there is a tower "))
    if of_boxes:
        agenda.add("box_exists")
        agenda |= {f"color_{name}" for name in _reference_named(text, COLORS)}
        agenda |= {f"shape_{name}" for name in _reference_named(text, SHAPES)}
    else:
        if text.startswith("there is a "):
            agenda.add("object_exists")
        agenda |= _reference_places(text)
        agenda |= _reference_named(text, COLORS + SHAPES)
    if _has(text, "contains", "has"):
        agenda.add("all_boxes")
    agenda |= _reference_attributes(text)
    return frozenset(agenda or ({"all_boxes"} if "box" in text else {"all_objects"}))


def _reference_places(text: str) -> set[str]:
    """Touch, top, bottom and not. A side that is touched is used up: it does not trigger top or bottom as well."""
    side = next((function for word, function in _REFERENCE_SIDES.items() if word in text), "object")
    places = {"negate_filter"} if "not" in text else set()
    if "touch" in text:
        places.add(f"touch_{side}")
    elif side in ("top", "bottom"):
        places.add(side)
    return places


def _reference_attributes(text: str) -> set[str]:
    """What is triggered by its own name in both languages: sizes, above and below, numbers."""
    numbers = {str(value) for value, word in enumerate(_REFERENCE_NUMBERS, start=1) if _has(text, word, str(value))}
    return numbers | _reference_named(text, (*SIZES.values(), "above", "below"))


def _reference_named(text: str, names: Iterable[str]) -> set[str]:
    return {name for name in names if name in text}


def _has(text: str, *parts: str) -> bool:
    return any(part in text for part in parts)


# --- Ours -------------------------------------------------------------------------------------------------------------

# What holds a program together; any sentence may need it.
GLUE = frozenset(("all_objects", "all_boxes", "box_filter", "box_exists", "object_exists", "box_filter_and"))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    `pattern`: elements are lemmas, `a|b` is a choice, `a?` may be missing; COLOR, SHAPE, NUMBER and ONE stand for their
    words. Each entry of `explains` is one thing the words ask for; a program answers it by using any of its terminals.
    `brings` come along with the words without answering anything (the 1 of "no block" = fewer than 1); `permits` may be
    used but count as unexplained. Names may hold `*`, and {color}, {shape}, {number} of the matched words.
    """

    pattern: str
    explains: tuple[str, ...] = ()
    brings: str = ""
    permits: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Words `start` to `end` (exclusive) ask for one of `terminals`; none of them means the language cannot say it."""

    start: int
    end: int
    word: str
    terminals: frozenset[str]


@dataclass(frozen=True, slots=True)
class Triggers:
    """What a sentence lets a program use."""

    words: tuple[str, ...]
    allowed: frozenset[str]  # what search narrows to
    explained: frozenset[str]  # those of `allowed` that some word, or the glue, accounts for
    explains: tuple[Explanation, ...]
    unknown: tuple[int, ...]  # places of words the table does not know

    def unexplained_words(self, used: Collection[str]) -> tuple[Explanation, ...]:
        """What the sentence asks for and a program with these terminals does not say."""
        return tuple(asked for asked in self.explains if asked.terminals.isdisjoint(used))

    def unexplained_terminals(self, used: Iterable[str]) -> frozenset[str]:
        """What a program with these terminals says and no word of the sentence asks for."""
        return frozenset(used) - self.explained


BOX_WORDS = "box|tower|grid|container|column"
WALL_WORDS = "wall|edge|side|line|border|boundary"
LOW_WORDS = "bottom|base|floor|ground|foundation"
_UNSAYABLE = ("",)  # the words ask for something, and no language has it so far

_COMPARISONS = {
    "greater_equals": ("at least", "minimum of?", "not|no less|few|fewer than"),
    "lesser_equals": ("at most", "maximum of?", "not|no more than", "up to"),
    "greater": ("more|greater|larger than",),
    "lesser": ("less|few|fewer|smaller than",),
    "equals": ("exactly|precisely|just|only", "exactly|only only|exactly"),
}

_FUNCTION_WORDS = """a also among an and another any as at be block but by color consist contain do element figure for
    from have here i if in include inside into it item its kind lie locate made make number object of one other out
    part piece place position rest set shape sit size some stand such than that the their them there these they thing
    this those to type up where which while with within"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

TABLE: tuple[Row, ...] = (
    # Boxes. Whatever a program says about boxes starts from all of them.
    Row(BOX_WORDS, ("all_boxes",)),
    Row(f"grey square|rectangle|{BOX_WORDS}", ("all_boxes",)),
    Row("square box", ("all_boxes",)),
    Row(f"of a|any {BOX_WORDS}"),
    # Attributes
    Row("COLOR color?", ("{color} color_{color}",), "*_color_any_equals", "*_color_all_equals *_color_none_equals"),
    Row(f"COLOR {BOX_WORDS}", ("{color} color_{color}",), "*_color_any_equals *_color_all_equals"),
    Row("SHAPE", ("{shape} shape_{shape}",), "*_shape_any_equals", "*_shape_all_equals *_shape_none_equals"),
    Row("rectangle", ("square shape_square",)),
    Row("small|tiny|little size?", ("small",)),
    Row("medium|middle size", ("medium",)),
    Row("medium", ("medium",)),
    Row("big|large|huge size?", ("big",)),
    # Numbers
    Row("zero|0", ("*_count_lesser *_none_equals negate_filter",), "1"),
    Row("ONE|single", ("1 box_exists object_exists",), "*_count_equals *_count_greater_equals"),
    Row("NUMBER", ("{number}",), "*_count_equals *_count_greater_equals"),
    Row("pair|couple|twice", ("2",), "*_count_equals *_count_greater_equals"),
    Row("multiple|several", ("*_count_greater *_count_greater_equals",), "1 2 3"),
    Row("many|lot", ("*_count_greater *_count_greater_equals",), "2 3 4 5"),
    # Comparisons
    Row("at least ONE", ("*_count_greater_equals box_exists object_exists *_any_equals",), "1"),
    *(
        row
        for comparison, phrases in _COMPARISONS.items()
        for phrase in phrases
        for row in (
            Row(f"{phrase} NUMBER", (f"*_count_{comparison}", "{number}")),
            *([] if comparison == "equals" else [Row(phrase, (f"*_count_{comparison}",))]),
        )
    ),
    Row("exactly|precisely|just", ("*_count_equals",)),
    Row("only", ("*_all_equals *_count_equals *_none_equals *_count_lesser negate_filter",), "1 {colors} color_{rest}"),
    Row("more", ("*_count_greater *_count_greater_equals",)),
    Row("less|few|fewer", ("*_count_lesser *_count_lesser_equals",)),
    # No, not, all
    Row("no|none|without|neither|nor|nothing", ("*_count_lesser *_none_equals negate_filter",), "1"),
    Row("not", ("negate_filter *_none_equals *_count_lesser *_count_not_equals",), "1"),
    Row("not all|every|both", ("negate_filter *_different *_count_lesser *_count_not_equals",), "3"),
    Row("all|every", ("*_all_equals negate_filter *_count_equals *_count_lesser",), "1 3"),
    Row("each", ("box_filter *_all_equals *_count_equals",), "3"),
    Row("both", ("2 *_all_equals box_filter_and",)),
    Row(
        f"all|every|each of? the? grey? NUMBER? grey? {BOX_WORDS}", ("box_count_equals box_count_greater_equals",), "3"
    ),
    Row("or|either|odd|even|alternately", _UNSAYABLE),
    # Same and different
    Row("same in? color|shape|kind|type?", ("*_same same_*",), "1", "*_color_count_equals *_shape_count_equals"),
    Row("not the? same in? color|shape|kind|type?", ("*_different",)),
    Row("different", ("*_different *_color_count_* *_shape_count_*",), "1"),
    Row("same|different in? number|height|size|position|set|level", _UNSAYABLE),
    Row("least|most|more|few number", _UNSAYABLE),
    Row("height|tall|taller|tallest|short|shorter|shortest|smaller|bigger|level|total|count", _UNSAYABLE),
    # Touching
    Row("closely|nearly|almost? touch", ("touch_*",)),
    Row("in contact with?", ("touch_*",)),
    Row("near|nearby|close|next to?", ("touch_*",)),
    Row("each|one other|another", ("touch_object above below",)),
    Row("closely|nearly|almost? attach", ("touch_* above below",)),
    Row("stack together?", ("above below touch_object",)),
    Row("together", ("above below touch_object",)),
    Row(f"on? the? {WALL_WORDS}", ("touch_wall",)),
    Row(f"on? the? right {WALL_WORDS}?", ("touch_right",)),
    Row(f"on? the? left {WALL_WORDS}?", ("touch_left",)),
    Row(f"top|upper {WALL_WORDS}", ("touch_top",)),
    Row(f"{LOW_WORDS}|lower {WALL_WORDS}", ("touch_bottom",)),
    Row("roof|ceiling", ("touch_top",)),
    Row(
        f"top|upper|{LOW_WORDS}|lower? left|right? corner",
        ("touch_corner touch_top touch_bottom touch_left touch_right",),
    ),
    # Places
    Row("top|highest|topmost most?", ("top touch_top",)),
    Row(f"{LOW_WORDS}|lower|lowest", ("bottom touch_bottom",)),
    Row("on the? top", ("top above touch_top",)),
    Row("on top of", ("above",), "top"),
    Row(f"on the? {LOW_WORDS}", ("bottom touch_bottom",)),
    Row("directly? above|over|on|upon|higher", ("above",), "", "below"),
    Row("directly? below|under|beneath|underneath", ("below",), "", "above"),
    Row("after", ("above below",)),
    Row("in? between", ("above below",)),
    Row("middle|center", ("above below negate_filter",), "top bottom"),
    Row("second|third", ("above below negate_filter",), "top bottom"),
    Row("first|last", ("top bottom",)),
)


class Lexicon:
    """A table made ready for one language, given the names of its terminals."""

    def __init__(self, terminals: Collection[str], rows: Sequence[Row] = TABLE) -> None:
        self.terminals = frozenset(terminals)
        self._names = sorted(self.terminals)
        self._variants: dict[str, list[_Variant]] = {}  # what the first word must be -> patterns
        self._expanded: dict[str, frozenset[str]] = {}
        for order, row in enumerate(rows):
            for elements in _alternatives(row.pattern):
                for key in elements[0]:
                    self._variants.setdefault(key, []).append(_Variant(elements, order, row))

    def triggers(self, sentence: str, vocabulary: Vocabulary | None = None) -> Triggers:
        """Look a sentence up in the table, left to right, the longest pattern first."""
        reading = _Reading(tuple(normalise(sentence, vocabulary)))
        explains: list[Explanation] = []
        explained = set(GLUE & self.terminals)
        permitted: set[str] = set()
        unknown: list[int] = []
        place = 0
        while place < len(reading.words):
            row, length = self._match(reading, place)
            end = place + length
            if row is not None:
                fill = reading.fill(place, end)
                for wanted in row.explains:
                    names = self._relevant(wanted, fill, reading)
                    explains.append(Explanation(place, end, " ".join(reading.words[place:end]), names))
                    explained |= names
                explained |= self._relevant(row.brings, fill, reading)
                permitted |= self._relevant(row.permits, fill, reading)
            elif reading.lemmas[place] not in FUNCTION_WORDS:
                unknown.append(place)
            place = end
        return Triggers(
            words=reading.words,
            allowed=frozenset(explained | permitted),
            explained=frozenset(explained),
            explains=tuple(explains),
            unknown=tuple(unknown),
        )

    def _match(self, reading: _Reading, place: int) -> tuple[Row | None, int]:
        """The row of the longest pattern that matches here (of equally long ones, the first of the table)."""
        found = [
            variant
            for key in reading.keys[place]
            for variant in self._variants.get(key, ())
            if variant.matches(reading.keys, place)
        ]
        if not found:
            return None, 1
        best = max(found, key=lambda variant: (len(variant.elements), -variant.order))
        return best.row, len(best.elements)

    def _relevant(self, wanted: str, fill: Mapping[str, Sequence[str]], reading: _Reading) -> frozenset[str]:
        """The terminals of this language that the names stand for and that the sentence is about."""
        names: set[str] = set()
        for name in wanted.split():
            for filled in _filled(name, fill):
                if filled not in self._expanded:
                    self._expanded[filled] = frozenset(n for n in self._names if fnmatchcase(n, filled))
                names |= self._expanded[filled]
        return frozenset(name for name in names if reading.is_about(name))


def triggers(
    sentence: str, terminals: Collection[str], vocabulary: Vocabulary | None = None, rows: Sequence[Row] = TABLE
) -> Triggers:
    """One sentence looked up for a language with these terminals; for many sentences build the `Lexicon` once."""
    return Lexicon(terminals, rows).triggers(sentence, vocabulary)


@dataclass(frozen=True, slots=True)
class _Variant:
    """A pattern with its optional elements decided: for each word the lemmas or classes it may be."""

    elements: tuple[frozenset[str], ...]
    order: int
    row: Row

    def matches(self, keys: Sequence[frozenset[str]], place: int) -> bool:
        here = keys[place : place + len(self.elements)]
        return len(here) == len(self.elements) and all(
            not element.isdisjoint(key) for element, key in zip(self.elements, here, strict=True)
        )


def _alternatives(pattern: str) -> Iterator[tuple[frozenset[str], ...]]:
    """The pattern with each optional element there or not."""
    choices = []
    for element in pattern.split():
        words = (frozenset(element.removesuffix("?").split("|")),)
        choices.append(((), words) if element.endswith("?") else (words,))
    for choice in itertools.product(*choices):
        elements = tuple(itertools.chain.from_iterable(choice))
        if elements:
            yield elements


def _filled(name: str, fill: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for slot, values in fill.items():
        if slot in name:
            return (name.replace(slot, value) for value in values)
    return iter((name,))


class _Reading:
    """The words of one sentence and what they are about."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.lemmas = tuple(map(lemma, words))
        self.keys = tuple(map(_keys, self.lemmas))

    def fill(self, start: int, end: int) -> dict[str, list[str]]:
        """Values of the slots for the words from `start` to `end`."""
        span = self.lemmas[start:end]
        return {
            "{color}": [word for word in span if word in COLORS],
            "{shape}": [word for word in span if word in SHAPES],
            "{number}": [str(value) for word in span if (value := number(word)) is not None],
            "{colors}": [str(len(self._colors))],
            "{rest}": [color for color in COLORS if self._colors and color not in self._colors],
        }

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        return frozenset(self.lemmas)

    @cached_property
    def _colors(self) -> frozenset[str]:
        return self._mentioned & set(COLORS)

    @cached_property
    def _boxes(self) -> bool:
        """Whether boxes are spoken of by themselves, not just in "the bottom of a box"."""
        lemmas, words = self.lemmas, set(BOX_WORDS.split("|")) | {"grey"}
        return any(word in words and lemmas[max(i - 2, 0) : i] != ("of", "a") for i, word in enumerate(lemmas))

    @cached_property
    def _touched(self) -> frozenset[str]:
        """The touch functions this sentence may mean, from the sides it names."""
        sides = {f"touch_{side}" for side in ("left", "right", "corner") if side in self._mentioned}
        sides |= {"touch_top"} if self._mentioned & {"top", "upper", "roof", "ceiling"} else set()
        sides |= {"touch_bottom"} if self._mentioned & {*LOW_WORDS.split("|"), "lower"} else set()
        sides |= {"touch_wall"} if self._mentioned & set(WALL_WORDS.split("|")) else set()
        if not self._mentioned & {"touch", "attach", "near", "close", "next", "corner", "roof", *WALL_WORDS.split("|")}:
            sides -= {"touch_top", "touch_bottom"}  # "at the top", "as the base": of a tower, not of the box
        if not sides or self._mentioned & {"other", "another", "together"}:
            sides.add("touch_object")
        return frozenset(sides)

    def is_about(self, name: str) -> bool:
        """Whether a terminal that a pattern stands for has to do with this sentence."""
        if name.startswith(("touch_", "near_")):
            return f"touch_{name.split('_')[1]}" in self._touched
        if name.startswith(("box_count", "member_")) and not self._boxes:
            return False
        for aspect, values in (("color", COLORS), ("shape", SHAPES)):
            named = aspect in self._mentioned or (aspect == "shape" and bool(self._mentioned & {"kind", "type"}))
            if f"{aspect}_count" in name:
                return named or (aspect == "color" and "only" in self._mentioned and len(self._colors) > 0)
            if name.endswith((f"{aspect}_same", f"{aspect}_different", f"same_{aspect}")):
                return named or not self._mentioned & {"color", "shape", "kind", "type"}
            if f"_{aspect}_" in name:
                return named or not self._mentioned.isdisjoint(values)
        return True


def _keys(word: str) -> frozenset[str]:
    """What pattern elements a lemma answers to."""
    keys = {word}
    if word in COLORS:
        keys.add("COLOR")
    if word in SHAPES:
        keys.add("SHAPE")
    value = number(word)
    if value is not None:
        keys.add("NUMBER")
    if value == 1:
        keys.add("ONE")
    return frozenset(keys)
