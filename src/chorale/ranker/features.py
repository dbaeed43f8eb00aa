"""Features: what the ranker sees of a sentence and a program, template by template.

A feature is a tuple of texts that begins with the name of its template: ("says", "base", "bottom"). Its weight is
shared by all utterances in which it holds. This is how a phrase comes to be read alike everywhere.

Templates look at parts of a program that is aligned with its sentence (`alignment`): a function that says a phrase
(`Said`), one that no phrase asks for (`Unsaid`), a function and one of its arguments (`Edge`), and so on. Each template
is a function that gives its features of one part, without the name in front. The examples are from

    there is a tower with a black block over a blue block
    some_box(object_exists(black(above(blue))))

No domain has a say here. Words that can take each other's place are one word and functions one name (`Hints.words`,
`Hints.classes`): "black" is {color}, and so is `black`. The type of a function stands for all functions alike, and the
set of functions that a phrase asks for (its *group*) for all phrases that mean the same. In the types of the examples,
O is Set[Object].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Feature = tuple[str, ...]
Values = Iterable[Feature]
"""Features without the name of their template."""
Template = Callable[[Any], Values]

MOST_BETWEEN = 4
"""So many words between two phrases are looked at as a whole."""
MOST_WORDS = 4
"""The longest stretch of words that a sub-program is compared with."""
SHARES = (0.01, 0.03, 0.08, 0.2, 0.4, 0.6, 0.8, 0.92, 0.97, 0.99)
"""Shares of contexts that are told apart; what hardly ever and what nearly always holds more finely."""

TEMPLATES: dict[str, dict[str, Template]] = {}
"""For each kind of part its templates, by name."""

T = TypeVar("T", bound=Template)


def _template(function: T) -> T:
    """The kind of part is the type of the function's argument."""
    kind, name = function.__annotations__["it"], function.__name__.replace("_", "-")
    TEMPLATES.setdefault(kind, {})[name] = function
    return function


def names() -> list[str]:
    """The names of all templates."""
    return [name for templates in TEMPLATES.values() for name in templates]


# -- a function that says a phrase ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """A function and the phrase it says, with the two words before and after it."""

    name: str
    type: str
    parent: str
    phrase: str
    group: str
    before: tuple[str, str]
    after: tuple[str, str]
    is_last: bool
    """Whether it is given nothing that the program names: of what stands in the box, or is there at all."""


@_template
def says(it: Said) -> Values:
    """What a phrase means: ("says", "over", "above")."""
    yield it.phrase, it.name


@_template
def says_group(it: Said) -> Values:
    """What phrases mean that ask for the same: ("says-group", "above directly_above", "above")."""
    yield it.group, it.name


@_template
def before(it: Said) -> Values:
    """The word before: ("before", "block", "above")."""
    yield it.before[1], it.name


@_template
def after(it: Said) -> Values:
    """The word after: ("after", "a", "above")."""
    yield it.after[0], it.name


@_template
def before_two(it: Said) -> Values:
    """The two words before: ("before-two", "{color}", "block", "above")."""
    yield *it.before, it.name


@_template
def after_two(it: Said) -> Values:
    """The two words after: ("after-two", "a", "{color}", "above")."""
    yield *it.after, it.name


@_template
def around(it: Said) -> Values:
    """The words before and after: ("around", "block", "a", "above")."""
    yield it.before[1], it.after[0], it.name


@_template
def before_says(it: Said) -> Values:
    """What a phrase means after a word: ("before-says", "block", "over", "above")."""
    yield it.before[1], it.phrase, it.name


@_template
def after_says(it: Said) -> Values:
    """What a phrase means before a word: ("after-says", "over", "a", "above")."""
    yield it.phrase, it.after[0], it.name


@_template
def around_says(it: Said) -> Values:
    """What a phrase means between two words: ("around-says", "block", "over", "a", "above")."""
    yield it.before[1], it.phrase, it.after[0], it.name


@_template
def before_type(it: Said) -> Values:
    """The type of what is meant after a word: ("before-type", "block", "above directly_above", "<O:O>")."""
    yield it.before[1], it.group, it.type


@_template
def after_type(it: Said) -> Values:
    """The type of what is meant before a word: ("after-type", "a", "above directly_above", "<O:O>")."""
    yield it.after[0], it.group, it.type


@_template
def before_call(it: Said) -> Values:
    """The word before, and what the function is an argument of: ("before-call", "block", "{color}", "above")."""
    yield it.before[1], it.parent, it.name


@_template
def after_call(it: Said) -> Values:
    """The word after, and what the function is an argument of: ("after-call", "a", "{color}", "above")."""
    yield it.after[0], it.parent, it.name


@_template
def last(it: Said) -> Values:
    """That it is given nothing that is named: ("last", "{color}"). A relation seldom is, "on top of it" apart."""
    if it.is_last:
        yield (it.name,)


@_template
def last_says(it: Said) -> Values:
    """The same with the phrase: ("last-says", "{color}", "{color}")."""
    if it.is_last:
        yield it.phrase, it.name


@_template
def last_after(it: Said) -> Values:
    """The same with the word after: ("last-after", "block", "{color}")."""
    if it.is_last:
        yield it.after[0], it.name


# -- a function that no phrase asks for ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unsaid:
    """A function that no phrase asks for; words are those of what is below it."""

    name: str
    parent: str
    words: Sequence[str]
    """The different words of the sentence."""
    first: str
    """The first word that something below it says; empty if there is none."""
    before: tuple[str, str]
    after: str


@_template
def unasked(it: Unsaid) -> Values:
    """That it is there: ("unasked", "object_exists")."""
    yield (it.name,)


@_template
def unasked_with(it: Unsaid) -> Values:
    """Any word of the sentence: ("unasked-with", "with", "object_exists")."""
    for word in it.words:
        yield word, it.name


@_template
def unasked_at(it: Unsaid) -> Values:
    """The first word below: ("unasked-at", "{color}", "object_exists")."""
    if it.first:
        yield it.first, it.name


@_template
def unasked_before(it: Unsaid) -> Values:
    """The word before that: ("unasked-before", "a", "object_exists")."""
    if it.first:
        yield it.before[1], it.name


@_template
def unasked_before_two(it: Unsaid) -> Values:
    """The two words before that: ("unasked-before-two", "with", "a", "object_exists")."""
    if it.first:
        yield *it.before, it.name


@_template
def unasked_after(it: Unsaid) -> Values:
    """The word after the last one below: ("unasked-after", "block", "object_exists")."""
    if it.first:
        yield it.after, it.name


@_template
def unasked_call(it: Unsaid) -> Values:
    """The word before, and what it is an argument of: ("unasked-call", "some_box", "a", "object_exists")."""
    if it.first:
        yield it.parent, it.before[1], it.name


@_template
def unasked_call_at(it: Unsaid) -> Values:
    """The same with the first word below: ("unasked-call-at", "some_box", "a", "{color}", "object_exists")."""
    if it.first:
        yield it.parent, it.before[1], it.first, it.name


# -- a function and the words that it and what is below it say -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """A function, and the words before and after all that it and those below it say."""

    name: str
    before: str
    after: str


@_template
def span_before(it: Span) -> Values:
    """("span-before", "block", "above")."""
    yield it.before, it.name


@_template
def span_after(it: Span) -> Values:
    """("span-after", "block", "{color}")."""
    yield it.after, it.name


# -- a phrase that nothing says --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Missing:
    """A phrase that asks for something that the program does not have."""

    phrase: str
    group: str
    before: str
    after: str


@_template
def missing(it: Missing) -> Values:
    """("missing", "over")."""
    yield (it.phrase,)


@_template
def missing_group(it: Missing) -> Values:
    """("missing-group", "above directly_above")."""
    yield (it.group,)


@_template
def missing_before(it: Missing) -> Values:
    """("missing-before", "block", "over")."""
    yield it.before, it.phrase


@_template
def missing_after(it: Missing) -> Values:
    """("missing-after", "over", "a")."""
    yield it.phrase, it.after


# -- a function and one of its arguments -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """A function and one of its arguments."""

    parent: str
    argument: str
    name: str


@_template
def calls(it: Call) -> Values:
    """("calls", "above", "0", "{color}"): the first argument of `above` is a colour."""
    yield it.parent, it.argument, it.name


@dataclass(frozen=True, slots=True)
class Chain:
    """A function, one of its arguments and one of that."""

    above: str
    parent: str
    name: str


@_template
def chain(it: Chain) -> Values:
    """("chain", "{color}", "above", "{color}")."""
    yield it.above, it.parent, it.name


@dataclass(frozen=True, slots=True)
class Edge:
    """A function and one of its arguments, both of which say phrases; > if the function's phrase comes first.

    It is >' if the argument is given to what the function returns, like x in `negate_filter(yellow)(x)`: "not yellow"
    is said of x.
    """

    parent: str
    parent_type: str
    parent_phrase: str
    name: str
    type: str
    phrase: str
    direction: str
    between: tuple[str, ...]

    @property
    def far(self) -> str:
        count = len(self.between)
        return str(count) if count <= 3 else "4-6" if count <= 6 else "far"


@_template
def edge(it: Edge) -> Values:
    """("edge", "above", "{color}", ">"): what is above is said before the colour of what it is above of."""
    yield it.parent, it.name, it.direction


@_template
def edge_type(it: Edge) -> Values:
    """("edge-type", "<O:O>", "<O:O>", ">")."""
    yield it.parent_type, it.type, it.direction


@_template
def edge_far(it: Edge) -> Values:
    """With the number of words between: ("edge-far", "above", "{color}", ">", "1")."""
    yield it.parent, it.name, it.direction, it.far


@_template
def edge_far_type(it: Edge) -> Values:
    """("edge-far-type", "<O:O>", "<O:O>", ">", "1")."""
    yield it.parent_type, it.type, it.direction, it.far


@_template
def between(it: Edge) -> Values:
    """With the words between: ("between", "above", "a", "{color}", ">")."""
    if len(it.between) <= MOST_BETWEEN:
        yield it.parent, " ".join(it.between), it.name, it.direction


@_template
def between_type(it: Edge) -> Values:
    """("between-type", "<O:O>", "a", "<O:O>", ">")."""
    if len(it.between) <= MOST_BETWEEN:
        yield it.parent_type, " ".join(it.between), it.type, it.direction


@_template
def between_phrases(it: Edge) -> Values:
    """With both phrases: ("between-phrases", "over", "a", "{color}", "above", "{color}")."""
    if len(it.between) <= MOST_BETWEEN:
        yield it.parent_phrase, " ".join(it.between), it.phrase, it.parent, it.name


@_template
def between_word(it: Edge) -> Values:
    """With any word between: ("between-word", "above", "a", "{color}", ">")."""
    for word in sorted(set(it.between)):
        yield it.parent, word, it.name, it.direction


@_template
def between_word_type(it: Edge) -> Values:
    """("between-word-type", "<O:O>", "a", "<O:O>", ">")."""
    for word in sorted(set(it.between)):
        yield it.parent_type, word, it.type, it.direction


# -- a function with several arguments -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arguments:
    """A function and all its arguments; what is said between the words of the first and those of the last."""

    name: str
    arguments: tuple[str, ...]
    between: tuple[str, ...] | None
    """None if they say nothing, or if their words are mixed."""
    is_mixed: bool
    has_twins: bool
    """Whether two arguments are the same."""


@_template
def arguments(it: Arguments) -> Values:
    """("arguments", "object_count_equals", "{number}", "{color}")."""
    yield it.name, *it.arguments


@_template
def joint(it: Arguments) -> Values:
    """The words between: ("joint", "box_filter_and", "block and a")."""
    if it.between is not None and len(it.between) <= MOST_BETWEEN:
        yield it.name, " ".join(it.between)


@_template
def joint_word(it: Arguments) -> Values:
    """Any word between: ("joint-word", "box_filter_and", "and")."""
    if it.between is not None:
        for word in sorted(set(it.between)) or [""]:
            yield it.name, word


@_template
def joint_mixed(it: Arguments) -> Values:
    """That the words of two arguments are mixed: ("joint-mixed", "box_filter_and")."""
    if it.is_mixed:
        yield (it.name,)


@_template
def twins(it: Arguments) -> Values:
    """That two arguments are the same: ("twins", "box_filter_and")."""
    if it.has_twins:
        yield (it.name,)


# -- a sub-program and its words -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tree:
    """A sub-program, all the words from the first to the last that it says, and how many of these others say."""

    text: str
    words: tuple[str, ...]
    others: int


@_template
def crossing(it: Tree) -> Values:
    """That phrases are said elsewhere in the program: ("crossing", "1")."""
    if it.others:
        yield (str(min(it.others, 3)),)


@_template
def words(it: Tree) -> Values:
    """("words", "over a {color}", "above({color})")."""
    if it.text and len(it.words) <= MOST_WORDS:
        yield " ".join(it.words), it.text


# -- two phrases that follow each other ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Next:
    """Two phrases that follow each other, and how what says them hangs together in the program.

    The relation is how far down (d) or up (u) the second is of the first, or s if both are below the function `over`;
    - and + say that one of them is missing. Behind d and u, and beside s, ' marks what is given to what a function
    returns. The frame is what stands between without words that say nothing
    (`Hints.light`), the types are those of the functions that say the two.
    """

    left: str
    between: str
    right: str
    relation: str
    over: str
    frame: str
    types: tuple[str, str]


@_template
def follows(it: Next) -> Values:
    """("follows", "block", "d1", ""): what follows after "block" is an argument."""
    yield it.between, it.relation, it.over


@_template
def follows_relation(it: Next) -> Values:
    """("follows-relation", "block", "d1")."""
    yield it.between, it.relation


@_template
def follows_left(it: Next) -> Values:
    """("follows-left", "{color}", "block", "d1", "")."""
    yield it.left, it.between, it.relation, it.over


@_template
def follows_right(it: Next) -> Values:
    """("follows-right", "block", "over", "d1", "")."""
    yield it.between, it.right, it.relation, it.over


@_template
def follows_both(it: Next) -> Values:
    """("follows-both", "{color}", "over", "d1", "")."""
    yield it.left, it.right, it.relation, it.over


@_template
def follows_all(it: Next) -> Values:
    """("follows-all", "{color}", "block", "over", "d1", "")."""
    yield it.left, it.between, it.right, it.relation, it.over


@_template
def follows_types(it: Next) -> Values:
    """By types alone: ("follows-types", "<O:O>", "<O:O>", "d1", "")."""
    yield *it.types, it.relation, it.over


@_template
def follows_frame(it: Next) -> Values:
    """("follows-frame", "", "d1", ""): "block" says nothing."""
    yield it.frame, it.relation, it.over


@_template
def follows_frame_types(it: Next) -> Values:
    """("follows-frame-types", "<O:O>", "", "<O:O>", "d1", "")."""
    yield it.types[0], it.frame, it.types[1], it.relation, it.over


@_template
def follows_frame_left(it: Next) -> Values:
    """("follows-frame-left", "{color}", "", "d1", "")."""
    yield it.left, it.frame, it.relation, it.over


@_template
def follows_frame_right(it: Next) -> Values:
    """("follows-frame-right", "", "over", "d1", "")."""
    yield it.frame, it.right, it.relation, it.over


@_template
def follows_frame_all(it: Next) -> Values:
    """("follows-frame-all", "{color}", "", "over", "d1", "")."""
    yield it.left, it.frame, it.right, it.relation, it.over


# -- of how much a program is true -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth:
    """The share of generated contexts of which a program is true. People seldom say what is always or never true."""

    share: str
    """The least of `SHARES` that it is below."""
    root: str


@_template
def true_of(it: Truth) -> Values:
    """("true-of", "< 0.4")."""
    yield (it.share,)


@_template
def true_of_root(it: Truth) -> Values:
    """The same with the first function: ("true-of-root", "< 0.4", "some_box")."""
    yield it.share, it.root


# -- the whole ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Root:
    """How the sentence begins, and how the program does."""

    first: tuple[str, ...]
    name: str
    below: str


@_template
def root(it: Root) -> Values:
    """The first one to four words: ("root", "there be a", "some_box")."""
    for count in range(1, len(it.first) + 1):
        yield " ".join(it.first[:count]), it.name


@_template
def root_below(it: Root) -> Values:
    """The same with the next function: ("root-below", "there be a", "some_box", "object_exists")."""
    for count in range(2, len(it.first) + 1):
        yield " ".join(it.first[:count]), it.name, it.below
