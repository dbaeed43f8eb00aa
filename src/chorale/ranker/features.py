"""Features: what the ranker sees of a sentence and a program, template by template.

A feature is a tuple of texts that begins with the name of its template: ("says", "base", "bottom"). Its weight is
shared by all utterances in which it holds. This is how a phrase comes to be read alike everywhere.

Templates look at parts of a program that is aligned with its sentence (`alignment`): a function that says a phrase
(`Said`), one that no phrase asks for (`Unsaid`), a function and one of its arguments (`Edge`), and so on. Each kind of
part is a tuple of named fields, most of them texts, and the table below it has its templates: the name, the fields that
make up the feature, and an example of these. Examples are from here where they can be:

    there is a tower with a black block over a blue block
    some_box(object_exists(black(above(blue))))

No domain has a say here. Words that can take each other's place are one word and functions one name (`Hints.words`,
`Hints.classes`): "black" is {color}, and so is `black`. The type of a function stands for all functions alike, and the
set of functions that a phrase asks for (its *group*) for all phrases that mean the same. In the types of the examples,
O is Set[Object].
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Collection

from chorale.domain.templates import Extract, Feature, Template

__all__ = ["TEMPLATES", "Feature", "Template", "extracts", "names"]

TEMPLATES: dict[type, tuple[Template, ...]] = {}
"""The templates of each kind of part."""


def names() -> list[str]:
    """The names of all templates."""
    return [template.name for table in TEMPLATES.values() for template in table]


def extracts(chosen: Collection[str] | None = None) -> dict[type, list[Extract]]:
    """The templates of each kind of part as functions; all, or those of the chosen names."""
    return {
        kind: [template.extract for template in table if chosen is None or template.name in chosen]
        for kind, table in TEMPLATES.items()
    }


Said = namedtuple("Said", "name type parent phrase group before_that before after after_that is_last")
"""A function and the phrase it says, with two words before and two after it.

It is last if it is given nothing that the program names. A relation seldom is, "on top of it" apart.
"""
TEMPLATES[Said] = (
    Template("says", "phrase name", ("over", "above")),
    Template("says-group", "group name", ("above directly_above", "above")),
    Template("before", "before name", ("block", "above")),
    Template("after", "after name", ("a", "above")),
    Template("before-two", "before_that before name", ("{color}", "block", "above")),
    Template("after-two", "after after_that name", ("a", "{color}", "above")),
    Template("around", "before after name", ("block", "a", "above")),
    Template("before-says", "before phrase name", ("block", "over", "above")),
    Template("after-says", "phrase after name", ("over", "a", "above")),
    Template("around-says", "before phrase after name", ("block", "over", "a", "above")),
    Template("before-type", "before group type", ("block", "above directly_above", "<O:O>")),
    Template("after-type", "after group type", ("a", "above directly_above", "<O:O>")),
    Template("before-call", "before parent name", ("block", "{color}", "above")),
    Template("after-call", "after parent name", ("a", "{color}", "above")),
    Template("last", "name", ("{color}",), when="is_last"),
    Template("last-says", "phrase name", ("{color}", "{color}"), when="is_last"),
    Template("last-after", "after name", ("block", "{color}"), when="is_last"),
)

Unsaid = namedtuple("Unsaid", "name parent words first before_that before after")
"""A function that no phrase asks for, and all the different words of the sentence.

The first word is that of what is said below it, empty if there is none; the others are before and after all of that.
"""
TEMPLATES[Unsaid] = (
    Template("unasked", "name", ("object_exists",)),
    Template("unasked-with", "words name", ("with", "object_exists"), each="words"),
    Template("unasked-at", "first name", ("{color}", "object_exists"), when="first"),
    Template("unasked-before", "before name", ("a", "object_exists"), when="first"),
    Template("unasked-before-two", "before_that before name", ("with", "a", "object_exists"), when="first"),
    Template("unasked-after", "after name", ("block", "object_exists"), when="first"),
    Template("unasked-call", "parent before name", ("some_box", "a", "object_exists"), when="first"),
    Template(
        "unasked-call-at", "parent before first name", ("some_box", "a", "{color}", "object_exists"), when="first"
    ),
)

Span = namedtuple("Span", "name before after")
"""A function, and the words before and after all that it and those below it say."""
TEMPLATES[Span] = (
    Template("span-before", "before name", ("block", "above")),
    Template("span-after", "after name", ("block", "{color}")),
)

Missing = namedtuple("Missing", "phrase group before after")
"""A phrase that asks for something that the program does not have."""
TEMPLATES[Missing] = (
    Template("missing", "phrase", ("over",)),
    Template("missing-group", "group", ("above directly_above",)),
    Template("missing-before", "before phrase", ("block", "over")),
    Template("missing-after", "phrase after", ("over", "a")),
)

Call = namedtuple("Call", "parent argument name")
"""A function and one of its arguments: the first of `above` is a colour."""
TEMPLATES[Call] = (Template("calls", "parent argument name", ("above", "0", "{color}")),)

Chain = namedtuple("Chain", "above parent name")
"""A function, one of its arguments and one of that."""
TEMPLATES[Chain] = (Template("chain", "above parent name", ("{color}", "above", "{color}")),)

Edge = namedtuple("Edge", "parent parent_type parent_phrase name type phrase direction far is_close between words")
"""A function and one of its arguments, both of which say phrases; > if the function's phrase comes first.

It is >' if the argument is given to what the function returns, like x in `negate_filter(yellow)(x)`: "not yellow" is
said of x. Of the words between there are the number, roughly, the text, which is looked at if they are close, and each.
"""
TEMPLATES[Edge] = (
    Template("edge", "parent name direction", ("above", "{color}", ">")),
    Template("edge-type", "parent_type type direction", ("<O:O>", "<O:O>", ">")),
    Template("edge-far", "parent name direction far", ("above", "{color}", ">", "1")),
    Template("edge-far-type", "parent_type type direction far", ("<O:O>", "<O:O>", ">", "1")),
    Template("between", "parent between name direction", ("above", "a", "{color}", ">"), when="is_close"),
    Template("between-type", "parent_type between type direction", ("<O:O>", "a", "<O:O>", ">"), when="is_close"),
    Template(
        "between-phrases",
        "parent_phrase between phrase parent name",
        ("over", "a", "{color}", "above", "{color}"),
        when="is_close",
    ),
    Template("between-word", "parent words name direction", ("above", "a", "{color}", ">"), each="words"),
    Template("between-word-type", "parent_type words type direction", ("<O:O>", "a", "<O:O>", ">"), each="words"),
)

Arguments = namedtuple("Arguments", "name arguments has_twins is_mixed is_close between words")
"""A function and all its arguments; what is said between the words of the first and those of the last.

They are mixed if there is no such place. If they follow each other at once, the only word between is an empty one.
"""
TEMPLATES[Arguments] = (
    Template("arguments", "name arguments", ("object_count_equals", "{number}", "{color}"), spread="arguments"),
    Template("joint", "name between", ("box_filter_and", "block and a"), when="is_close"),
    Template("joint-word", "name words", ("box_filter_and", "and"), each="words"),
    Template("joint-mixed", "name", ("box_filter_and",), when="is_mixed"),
    Template("twins", "name", ("box_filter_and",), when="has_twins"),
)

Tree = namedtuple("Tree", "text words others")
"""A sub-program, and all the words from the first to the last that it says, empty if either is long.

The others are the number of phrases among them that are said elsewhere in the program, empty if there is none.
"""
TEMPLATES[Tree] = (
    Template("crossing", "others", ("1",), when="others"),
    Template("words", "words text", ("over a {color}", "above({color})"), when="words"),
)

Next = namedtuple("Next", "left between right relation over frame left_type right_type")
"""Two phrases that follow each other, and how what says them hangs together in the program.

The relation is how far down (d) or up (u) the second is of the first, or s if both are below the function `over`; - and
+ say that one of them is missing. Behind d and u, and beside s, ' marks what is given to what a function returns. The
frame is what stands between without words that say nothing (`Hints.light`), such as "block"; the types are those of the
functions that say the two.
"""
TEMPLATES[Next] = (
    Template("follows", "between relation over", ("block", "d1", "")),
    Template("follows-relation", "between relation", ("block", "d1")),
    Template("follows-left", "left between relation over", ("{color}", "block", "d1", "")),
    Template("follows-right", "between right relation over", ("block", "over", "d1", "")),
    Template("follows-both", "left right relation over", ("{color}", "over", "d1", "")),
    Template("follows-all", "left between right relation over", ("{color}", "block", "over", "d1", "")),
    Template("follows-types", "left_type right_type relation over", ("<O:O>", "<O:O>", "d1", "")),
    Template("follows-frame", "frame relation over", ("", "d1", "")),
    Template("follows-frame-types", "left_type frame right_type relation over", ("<O:O>", "", "<O:O>", "d1", "")),
    Template("follows-frame-left", "left frame relation over", ("{color}", "", "d1", "")),
    Template("follows-frame-right", "frame right relation over", ("", "over", "d1", "")),
    Template("follows-frame-all", "left frame right relation over", ("{color}", "", "over", "d1", "")),
)

Truth = namedtuple("Truth", "share root")
"""The share of generated contexts of which a program is true. People seldom say what is always or never true."""
TEMPLATES[Truth] = (
    Template("true-of", "share", ("< 0.4",)),
    Template("true-of-root", "share root", ("< 0.4", "some_box")),
)

Root = namedtuple("Root", "starts longer name below")
"""How the sentence begins, with one to four words and with two to four, and how the program does."""
TEMPLATES[Root] = (
    Template("root", "starts name", ("there be a", "some_box"), each="starts"),
    Template("root-below", "longer name below", ("there be a", "some_box", "object_exists"), each="longer"),
)
