"""Features: each template says by an example what it gives, and none of them knows one colour from another."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended
from chorale.ranker import features
from chorale.ranker.features import TEMPLATES, Feature, Template
from chorale.ranker.parts import Sentence

ALL = [(kind, name, template) for kind, own in TEMPLATES.items() for name, template in own.items()]
EXAMPLE = re.compile(r'\("[^()"]*"(?:, "(?:[^"]*)")*\)')
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
ELSEWHERE = {"Missing", "Arguments"}
LEXICON = Nlvr().lexicon("extended")
TRUE_OF = 0.3


def found(sentence: Sentence, program: str) -> list[Feature]:
    return [one for key in sentence.parts(Extended.parse(program), TRUE_OF) for one in sentence.features(key)]


def example(template: Template) -> Feature:
    """The feature that a template's docstring shows, with the types of objects spelled out."""
    shown = EXAMPLE.search(template.__doc__ or "")
    assert shown, f"{template.__name__} shows no example"
    return tuple(text.replace("<O:O>", "<Set[Object]:Set[Object]>") for text in ast.literal_eval(shown.group()))


def test_no_two_templates_have_the_same_name() -> None:
    assert len(set(features.names())) == len(features.names()) == len(ALL)


@pytest.mark.parametrize(("kind", "name", "template"), ALL, ids=[name for _, name, _ in ALL])
def test_the_example_of_a_template_is_one_of_its_features(
    sentence: Callable[[str], Sentence], kind: str, name: str, template: Template
) -> None:
    shown = example(template)
    assert shown[0] == name
    assert len(THE_ONE) == 2
    if kind in ELSEWHERE or name == "crossing":
        assert any(shown in found(sentence(text), program) for text, program in OTHERS), shown
    else:
        assert shown in found(sentence(THE_ONE[0]), THE_ONE[1])


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
