"""What the functions of the three languages are called in plain English.

Objects of the picture and objects of one box are different nouns, because a box need not be named inside itself: "an
object at the top of a box", but "a box that holds an object at the top". A filter says something of a noun; a predicate
makes a clause of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from chorale.language import Wording
from chorale.language.english import NONE, NUMBERS, Amount, Clause, Modifier, Noun, all_of, doing, there_is
from chorale.nlvr.languages.functions import COMPARISONS, Boxes, Objects
from chorale.nlvr.pictures.scenes import COLORS, SHAPES

FilterWords = Callable[[Noun], Noun]
PredicateWords = Callable[[Noun], Clause]

INSIDE = Noun("object", "objects", order=("size", "color"))
"""The objects of a box, inside of what is said of that box."""
OBJECTS = replace(INSIDE, container=("a box", "a box"))
"""The objects of the picture."""
BOXES = Noun("box", "boxes")


class Number(int):
    """A number that can be said."""

    def said(self) -> str:
        return NUMBERS[self]


class Shape(NamedTuple):
    """A shape, one and many."""

    one: str
    many: str

    def said(self) -> str:
        return self.one


_KINDS = {shape: Shape(shape, f"{shape}s") for shape in SHAPES}
_SIDES = {"top": "the top wall", "bottom": "the bottom wall", "left": "the left wall", "right": "the right wall"}
_PLACES = {**_SIDES, "wall": "a wall", "corner": "a corner"}

# -- filters -----------------------------------------------------------------------------------------------------------


def _adjective(word: str, group: str) -> FilterWords:
    return lambda noun: noun.with_adjective(word, group)


def _kind(kind: Shape) -> FilterWords:
    return lambda noun: noun.as_kind(*kind)


def _being(text: str) -> FilterWords:
    return lambda noun: noun.with_modifier(Modifier.of(text))


def _end(superlative: str, end: str) -> FilterWords:
    def said(noun: Noun) -> Noun:
        if not noun.is_plain:
            return replace(noun.opened(), superlative=superlative).closed()
        if noun.container is None:
            return noun.with_modifier(Modifier.of(f"at the {end}"))
        where = Modifier.of(*(f"at the {end} of {box}" for box in noun.container))
        return replace(noun, is_placed=False).with_modifier(where)

    return said


def _sharing(aspect: str) -> FilterWords:
    return lambda noun: noun.with_modifier(Modifier.of(f"sharing the most common {aspect}")).closed()


def _related(relation: str) -> FilterWords:
    def said(noun: Noun) -> Noun:
        other = f"another {noun.singular}" if noun.is_plain else noun.indefinite
        return _others(noun, f"{relation} {other}")

    return said


def _beyond(relation: str) -> FilterWords:
    return lambda noun: _others(noun, f"{relation} every {noun.singular} in the same box")


def _between(noun: Noun) -> Noun:
    return _others(noun, f"between two {f'other {noun.plural}' if noun.is_plain else noun.plural}")


def _others(noun: Noun, where: str) -> Noun:
    """Objects that stand somewhere near the given ones, which are in the same box."""
    return replace(noun.plain(), container=noun.container).with_modifier(Modifier.of(where))


def _in_stack(noun: Noun) -> Noun:
    return noun.with_modifier(Modifier.of("stacked with another one", "stacked with one another")).closed()


def _not(keep: FilterWords) -> FilterWords:
    def said(noun: Noun) -> Noun:
        noun = noun.opened()
        kept = keep(noun)
        return replace(noun.with_modifier(noun.difference(kept).negated()), is_closed=kept.is_closed)

    return said


def _either(one: FilterWords, other: FilterWords) -> FilterWords:
    def said(noun: Noun) -> Noun:
        noun = noun.opened()
        first, second = one(noun), other(noun)
        either = noun.difference(first).or_else(noun.difference(second))
        return replace(noun.with_modifier(either), is_closed=first.is_closed or second.is_closed)

    return said


# -- clauses -----------------------------------------------------------------------------------------------------------


def _all(keep: FilterWords, noun: Noun) -> Clause:
    known = replace(noun, is_closed=False)
    what = known.difference(keep(known)).text(plural=True)
    is_long = noun.modifiers or noun.is_placed  # where it ends would be hard to see
    shorter = what.removeprefix(f"{noun.plural} ")  # "all objects above ...", not "all objects objects above ..."
    question = f"of the {noun.plural}, are all {what}" if is_long else f"are all {noun.plural} {shorter}"
    return Clause(question, f"are they all {what}", whose=(noun.plural, f"are all {what}"))


def _all_are(keeping: Callable[[Any], FilterWords], constant: Any, noun: Noun) -> Clause:
    return _all(keeping(constant), noun)


def _some_are(keeping: Callable[[Any], FilterWords], constant: Any, noun: Noun) -> Clause:
    return there_is(keeping(constant)(noun))


def _none_are(keeping: Callable[[Any], FilterWords], constant: Any, noun: Noun) -> Clause:
    return there_is(keeping(constant)(noun), NONE)


def _number(noun: Noun, number: int) -> Clause:
    """That there are not so many."""
    which = f"number of {noun.plural}"
    text = NUMBERS[number]
    return Clause(f"is the {which} different from {text}", whose=(which, f"is not {text}"))


def _counted(comparison: str, number: int, noun: Noun) -> Clause:
    if comparison == "not_equals":
        return _number(noun, number)
    if noun == replace(BOXES, clauses=noun.clauses) and noun.clauses and (comparison, number) == ("equals", 3):
        return _boxes("all three boxes", "do", noun.clauses)
    return there_is(noun, Amount.of(comparison, number))


def _varied(aspect: str, comparison: str, number: int, noun: Noun) -> Clause:
    """How many different colours or shapes there are."""
    if comparison == "not_equals":
        return _come_in(f"a number of {aspect}s other than {NUMBERS[number]}", noun)
    amount = Amount.of(comparison, number)
    if amount == NONE:
        return there_is(noun, NONE)
    return _come_in(f"{amount.text} {aspect}{'' if amount.is_one else 's'}", noun)


def _come_in(what: str, noun: Noun) -> Clause:
    come = f"come in {what}"
    return Clause(f"do the {noun.plural} {come}", f"do they {come}", whose=(noun.plural, come))


def _same(aspect: str, noun: Noun) -> Clause:
    have = f"have the same {aspect}"
    return Clause(f"do all {noun.plural} {have}", f"do they all {have}", whose=(noun.plural, f"all {have}"))


def _different(aspect: str, noun: Noun) -> Clause:
    return _come_in(f"more than one {aspect}", noun)


def _colors_equal(one: str, other: str, noun: Noun) -> Clause:
    both = f"exactly two colours, {one} and {other}" if one != other else f"exactly one colour, {one}"
    return _come_in(both, noun)


def _exists_both(one: FilterWords, other: FilterWords, noun: Noun) -> Clause:
    return all_of([there_is(one(noun)), there_is(other(noun))])


def _and(one: PredicateWords, other: PredicateWords, noun: Noun) -> Clause:
    return all_of([one(noun), other(noun)])


def _curried(words: Callable[..., Clause]) -> Callable[..., PredicateWords]:
    """The words of a function that gives a predicate."""
    return lambda *given: partial(words, *given)


# -- boxes -------------------------------------------------------------------------------------------------------------


def _box_filter(boxes: Noun, passes: PredicateWords) -> Noun:
    return boxes.with_clause(passes(INSIDE))


def _boxes(which: str, do: str, clauses: Sequence[Clause]) -> Clause:
    """Clauses that are true of several boxes."""
    if not any(clause.whose for clause in clauses):
        return Clause(f"{do} {which} {doing(clauses, BOXES.verb, plural=True)}")
    if not any(clause.does for clause in clauses):
        return Clause(f"in {which}, {all_of(clauses).question}")
    return there_is(replace(BOXES, clauses=tuple(clauses)), Amount.of("equals", 3))


def _box(amount: Amount | None, passes: PredicateWords) -> Clause:
    return there_is(_box_filter(BOXES, passes), amount)


def _every_box(passes: PredicateWords) -> Clause:
    return _boxes("every box", "does", _box_filter(BOXES, passes).clauses)


def _in_box(boxes: Noun) -> Noun:
    if boxes.is_plain:
        return OBJECTS
    return replace(INSIDE, container=(boxes.indefinite, boxes.plural), is_placed=True)


def _fewest(boxes: Noun) -> Noun:
    among = "" if boxes.is_plain else f" among the {boxes.plural}"
    return boxes.plain().with_clause(_has(f"the fewest objects{among}"))


def _same_count(boxes: Noun) -> Noun:
    if boxes.is_plain:
        return boxes.with_clause(_has("as many objects as another box"))
    return boxes.with_clause(_has("as many objects as another such box")).closed()


def _same_color(boxes: Noun, keep: FilterWords) -> Noun:
    things = keep(INSIDE).plural
    same = f"have the same colours as those of another {'box' if boxes.is_plain else 'such box'}"
    clause = Clause(f"do the {things} {same}", f"do they {same}", whose=(things, same))
    return boxes.with_clause(clause) if boxes.is_plain else boxes.with_clause(clause).closed()


def _has(what: str) -> Clause:
    return Clause(f"does it have {what}", does=(f"has {what}", f"have {what}"))


# -- the tables --------------------------------------------------------------------------------------------------------

_COMMON: dict[str, Any] = {
    **{str(number): Number(number) for number in range(1, 10)},
    **{f"color_{color}": color for color in COLORS},
    **{f"shape_{shape}": kind for shape, kind in _KINDS.items()},
    "all_boxes": BOXES,
    "all_objects": OBJECTS,
    **{color: _adjective(color, "color") for color in COLORS},
    **{size: _adjective(size, "size") for size in ("small", "medium", "big")},
    **{shape: _kind(kind) for shape, kind in _KINDS.items()},
    **{f"touch_{place}": _being(f"touching {text}") for place, text in _PLACES.items()},
    "touch_object": _related("touching"),
    "same_color": _sharing("colour"),
    "same_shape": _sharing("shape"),
    "top": _end("topmost", "top"),
    "bottom": _end("lowest", "bottom"),
    "negate_filter": _not,
    "box_exists": there_is,
    "object_exists": there_is,
    "object_in_box": _in_box,
}
_COLOR: Callable[[str], FilterWords] = partial(_adjective, group="color")
_ASPECTS: dict[str, tuple[str, Callable[[Any], FilterWords]]] = {"color": ("colour", _COLOR), "shape": ("shape", _kind)}
_TESTS: dict[str, Callable[[Any, Noun], Clause]] = {}
"""The words of all functions from a constant and a set to an answer."""
_ALIKE: dict[str, Callable[[Noun], Clause]] = {}
for comparison in COMPARISONS:
    _TESTS |= {f"{counted}_count_{comparison}": partial(_counted, comparison) for counted in ("box", "object")}
for aspect, (text, keeping) in _ASPECTS.items():
    for comparison in COMPARISONS:
        _TESTS[f"object_{aspect}_count_{comparison}"] = partial(_varied, text, comparison)
    _TESTS[f"object_{aspect}_all_equals"] = partial(_all_are, keeping)
    _TESTS[f"object_{aspect}_any_equals"] = partial(_some_are, keeping)
    _TESTS[f"object_{aspect}_none_equals"] = partial(_none_are, keeping)
    _ALIKE[f"object_{aspect}_same"] = partial(_same, text)
    _ALIKE[f"object_{aspect}_different"] = partial(_different, text)


def _set_first(words: Callable[[Any, Noun], Clause]) -> Callable[[Noun, Any], Clause]:
    return lambda noun, constant: words(constant, noun)


def _member(words: Callable[[Any, Noun], Clause]) -> Callable[[Noun, Any], Noun]:
    return lambda boxes, constant: boxes.with_clause(words(constant, INSIDE))


def _member_alike(words: PredicateWords) -> FilterWords:
    return lambda boxes: boxes.with_clause(words(INSIDE))


_OPEN = {Objects: INSIDE, Boxes: BOXES}

MACRO = Wording(
    {
        **_COMMON,
        **{name: _set_first(words) for name, words in _TESTS.items()},
        **{f"member{name[6:]}": _member(words) for name, words in _TESTS.items() if name.startswith("object")},
        **{f"member{name[6:]}": _member_alike(words) for name, words in _ALIKE.items()},
        "above": _beyond("above"),
        "below": _beyond("below"),
    },
    _OPEN,
)
"""For the macro language; a set comes first."""

CONSISTENT = Wording(
    {
        **_COMMON,
        **_TESTS,
        **_ALIKE,
        "above": _related("above"),
        "below": _related("below"),
        "box_filter": _box_filter,
        "box_filter_and": _curried(_and),
    },
    _OPEN,
)
"""For the consistent language."""

EXTENDED = Wording(
    {
        **CONSISTENT.words,
        **{f"near_{place}": _being(f"close to {text}") for place, text in _PLACES.items()},
        "near_object": _related("close to"),
        "directly_above": _related("directly above"),
        "directly_below": _related("directly below"),
        "in_stack": _in_stack,
        "between": _between,
        "either_filter": _either,
        "object_none": partial(there_is, amount=NONE),
        "object_all": _curried(_all),
        "object_exists_both": _curried(_exists_both),
        "object_colors_equal": _colors_equal,
        "some_box": partial(_box, None),
        "one_box": partial(_box, Amount.of("equals", 1)),
        "no_box": partial(_box, Amount("no", is_one=True)),
        "every_box": _every_box,
        "box_fewest_objects": _fewest,
        "box_same_count": _same_count,
        "box_same_color": _same_color,
    },
    _OPEN,
)
"""For the extended language."""
