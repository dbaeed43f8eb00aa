"""Features: each template says by an example what it gives, and none of them knows one colour from another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended
from chorale.ranker import features
from chorale.ranker.features import TEMPLATES, Feature, Template
from chorale.ranker.parts import Sentence

ALL = [(kind, template) for kind, table in TEMPLATES.items() for template in table]
THE_ONE = tuple(line.strip() for line in (features.__doc__ or "").splitlines() if line.startswith("    "))
OTHERS = (
    (THE_ONE[0], "some_box(object_exists(black))"),
    (THE_ONE[0], "some_box(box_filter_and(object_exists(black(blue)), object_exists(above)))"),
    ("there are two black blocks", "object_count_equals(2, black(all_objects))"),
    (
        "there is a tower with a black block and a blue block",
        "some_box(box_filter_and(object_exists(black), object_exists(blue)))",
    ),
    ("there is a box with a black item", "some_box(box_filter_and(object_exists(black), object_exists(black)))"),
    (
        "there is a tower with a black block and a blue block at the top and base",
        "some_box(box_filter_and(object_exists(black(top)), object_exists(blue(bottom))))",
    ),
)
"""Where examples hold that cannot hold of the sentence in the module's docstring."""
ELSEWHERE = {features.Missing, features.Arguments}
LEXICON = Nlvr().lexicon("extended")
TRUE_OF = 0.3


def found(sentence: Sentence, program: str) -> list[Feature]:
    return [one for key in sentence.parts(Extended.parse(program), TRUE_OF) for one in sentence.features(key)]


def test_no_two_templates_have_the_same_name() -> None:
    assert len(set(features.names())) == len(features.names()) == len(ALL)


@pytest.mark.parametrize(("kind", "template"), ALL, ids=features.names())
def test_the_example_of_a_template_is_one_of_its_features(
    sentence: Callable[[str], Sentence], kind: type, template: Template
) -> None:
    shown = (template.name, *(text.replace("<O:O>", "<Set[Object]:Set[Object]>") for text in template.example))
    assert len(THE_ONE) == 2
    if kind in ELSEWHERE or template.name == "crossing":
        assert any(shown in found(sentence(text), program) for text, program in OTHERS), shown
    else:
        assert shown in found(sentence(THE_ONE[0]), THE_ONE[1])


SAID_LAST = features.Said("above", "O:O", "red", "over", "above/on", "two", "one", "next", "later", True)
UNSAID = features.Unsaid("exists", "box", ["a", "be"], "red", "two", "one", "next")
EDGE = features.Edge("above", "O:O", "over", "red", "S:S", "crimson", ">", "2", True, "a_big", ["a", "big"])
ARGUMENTS = features.Arguments("and", ("red", "blue"), False, False, True, "or_a", ["a", "or"])
PINNED: list[tuple[tuple[Any, ...], list[str]]] = [
    (
        SAID_LAST,
        [
            "says over above",
            "says-group above/on above",
            "before one above",
            "after next above",
            "before-two two one above",
            "after-two next later above",
            "around one next above",
            "before-says one over above",
            "after-says over next above",
            "around-says one over next above",
            "before-type one above/on O:O",
            "after-type next above/on O:O",
            "before-call one red above",
            "after-call next red above",
            "last above",
            "last-says over above",
            "last-after next above",
        ],
    ),
    (
        UNSAID,
        [
            "unasked exists",
            "unasked-with a exists",
            "unasked-with be exists",
            "unasked-at red exists",
            "unasked-before one exists",
            "unasked-before-two two one exists",
            "unasked-after next exists",
            "unasked-call box one exists",
            "unasked-call-at box one red exists",
        ],
    ),
    (UNSAID._replace(first=""), ["unasked exists", "unasked-with a exists", "unasked-with be exists"]),
    (features.Span("above", "one", "next"), ["span-before one above", "span-after next above"]),
    (
        features.Missing("over", "above/on", "one", "next"),
        ["missing over", "missing-group above/on", "missing-before one over", "missing-after over next"],
    ),
    (features.Call("above", "0", "red"), ["calls above 0 red"]),
    (features.Chain("box", "above", "red"), ["chain box above red"]),
    (
        EDGE,
        [
            "edge above red >",
            "edge-type O:O S:S >",
            "edge-far above red > 2",
            "edge-far-type O:O S:S > 2",
            "between above a_big red >",
            "between-type O:O a_big S:S >",
            "between-phrases over a_big crimson above red",
            "between-word above a red >",
            "between-word above big red >",
            "between-word-type O:O a S:S >",
            "between-word-type O:O big S:S >",
        ],
    ),
    (
        EDGE._replace(is_close=False, words=[]),
        ["edge above red >", "edge-type O:O S:S >", "edge-far above red > 2", "edge-far-type O:O S:S > 2"],
    ),
    (ARGUMENTS, ["arguments and red blue", "joint and or_a", "joint-word and a", "joint-word and or"]),
    (ARGUMENTS._replace(is_close=False, words=[], is_mixed=True), ["arguments and red blue", "joint-mixed and"]),
    (ARGUMENTS._replace(is_close=False, words=[], has_twins=True), ["arguments and red blue", "twins and"]),
    (features.Tree("above(red)", "over_red", "2"), ["crossing 2", "words over_red above(red)"]),
    (features.Tree("above(red)", "", ""), []),
    (
        features.Next("red", "one_block", "over", "d1", "and", "one", "O:O", "S:S"),
        [
            "follows one_block d1 and",
            "follows-relation one_block d1",
            "follows-left red one_block d1 and",
            "follows-right one_block over d1 and",
            "follows-both red over d1 and",
            "follows-all red one_block over d1 and",
            "follows-types O:O S:S d1 and",
            "follows-frame one d1 and",
            "follows-frame-types O:O one S:S d1 and",
            "follows-frame-left red one d1 and",
            "follows-frame-right one over d1 and",
            "follows-frame-all red one over d1 and",
        ],
    ),
    (features.Truth("<0.4", "box"), ["true-of <0.4", "true-of-root <0.4 box"]),
    (
        features.Root(["there", "there_be"], ["there_be"], "box", "exists"),
        ["root there box", "root there_be box", "root-below there_be box exists"],
    ),
]
"""Parts, and all their features, each written as one text."""


@pytest.mark.parametrize(("part", "expected"), PINNED, ids=lambda it: type(it).__name__)
def test_the_features_of_a_part_are_those_that_models_have_weights_for(
    part: tuple[Any, ...], expected: list[str]
) -> None:
    given = [one for extract in features.extracts()[type(part)] for one in extract(part)]
    assert given == [tuple(text.split()) for text in expected]


def test_a_function_that_is_not_the_last_has_no_features_of_last_ones() -> None:
    given, last = (
        [one for extract in features.extracts()[features.Said] for one in extract(part)]
        for part in (SAID_LAST._replace(is_last=False), SAID_LAST)
    )
    assert given == [one for one in last if not one[0].startswith("last")]


def test_every_template_is_pinned_in_the_order_that_models_name_them() -> None:
    assert list(dict.fromkeys(text.split()[0] for _, expected in PINNED for text in expected)) == features.names()


def test_every_feature_is_texts_and_begins_with_the_name_of_its_template(
    sentence: Callable[[str], Sentence],
) -> None:
    for text, program in (THE_ONE, *OTHERS):
        for feature in found(sentence(text), program):
            assert feature[0] in features.names()
            assert all(isinstance(part, str) and not {"\t", "\n"} & set(part) for part in feature)


def test_templates_that_are_left_out_give_nothing_and_the_others_the_same() -> None:
    hints = LEXICON.hints(Unlabelled(THE_ONE[0], ()))
    everything = found(Sentence(hints, Extended.grammar), THE_ONE[1])
    some = {"says", "edge", "root"}
    assert found(Sentence(hints, Extended.grammar, some), THE_ONE[1]) == [one for one in everything if one[0] in some]


SAID = (
    ("there is a tower with a {a} block over a {b} block", "some_box(object_exists({a}(above({b}))))"),
    (
        "there is a box with {m} {a} items and {n} {b} items",
        "some_box(box_filter_and(object_count_equals({m})({a}), object_count_greater_equals({n})({b})))",
    ),
    ("there is a box with only {a} and {b} items", "some_box(object_colors_equal(color_{a}, color_{b}))"),
    ("there is a {s} {a} item over a {t} item", "object_exists({s}({a}(above({t}(all_objects)))))"),
    ("{a} and {b} blocks touch the wall", "object_exists({a}(touch_wall(all_objects)))"),
)


@given(
    st.sampled_from(SAID),
    st.permutations(("black", "blue", "yellow")),
    st.lists(st.integers(2, 9).map(str), min_size=2, max_size=2, unique=True),
    st.permutations(("small", "medium", "big")),
)
def test_no_feature_depends_on_which_colours_numbers_and_sizes_are_named(
    said: tuple[str, str], colors: list[str], numbers: list[str], sizes: list[str]
) -> None:
    def features_with(a: str, b: str, m: str, n: str, s: str, t: str) -> Counter[Feature]:
        text, program = (it.format(a=a, b=b, m=m, n=n, s=s, t=t) for it in said)
        return Counter(found(Sentence(LEXICON.hints(Unlabelled(text, ())), Extended.grammar), program))

    expected = features_with("black", "blue", "2", "3", "small", "medium")
    assert features_with(*colors[:2], *numbers, *sizes[:2]) == expected


def test_arguments_are_twins_only_if_they_are_the_same(sentence: Callable[[str], Sentence]) -> None:
    read = sentence("there is a tower with a black block and a blue block")
    program = "some_box(box_filter_and(object_exists(black), object_exists({})))"
    assert ("twins", "box_filter_and") in found(read, program.format("black"))
    assert ("twins", "box_filter_and") not in found(read, program.format("blue"))
