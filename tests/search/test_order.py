"""Arguments in the order of the sentence: the same meaning, and one spelling whichever the search kept."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import programs

from chorale.domain import Hints, Unlabelled
from chorale.language import Program, run
from chorale.nlvr import Consistent, Extended
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.search.order import in_sentence_order

BOUND = Nlvr().bind("extended", None, [random_scene(random.Random(seed)) for seed in range(40)])
WORDS = ("black", "box", "filter", "blue", "exists")
NAMES = sorted(Extended.grammar.terminal_ids)


def ordered(sentence: str, text: str) -> str:
    hints = Nlvr().lexicon("extended").hints(Unlabelled(sentence))
    return in_sentence_order(Extended.parse(text), hints, Nlvr().words(sentence), Extended.commutative).text


@pytest.mark.parametrize(
    ("sentence", "one", "other"),
    [
        (
            "There is a box with two black items and two blue ones",
            "object_count_equals(2, black)",
            "object_count_equals(2, blue)",
        ),
        (
            "There is a box with a yellow circle and at least one triangle touching the wall",
            "object_exists(yellow(circle))",
            "object_exists(triangle(touch_wall))",
        ),
    ],
)
def test_what_is_said_first_stands_first(sentence: str, one: str, other: str) -> None:
    right, wrong = (f"some_box(box_filter_and({a}, {b}))" for a, b in ((one, other), (other, one)))
    assert ordered(sentence, wrong) == ordered(sentence, right) == Extended.parse(right).text


def test_arguments_of_another_type_and_of_other_functions_stay_where_they_are() -> None:
    text = "object_colors_equal(color_blue, color_black, all_objects)"
    assert ordered("only black and blue items", text) == text.replace("blue, color_black", "black, color_blue")
    chain = "object_exists(blue(above(black(all_objects))))"
    assert ordered("a black item below a blue one", chain) == chain


def test_arguments_that_no_word_asks_for_stay_as_they_are() -> None:
    text = "some_box(box_filter_and(object_exists(yellow), object_exists(black)))"
    assert ordered("there is a box", text) == Extended.parse(text).text


@given(programs(Extended.grammar), st.lists(st.sets(st.sampled_from(NAMES), max_size=4), max_size=6))
def test_the_meaning_stays_and_ordering_twice_changes_nothing(program: Program, wanted: list[set[str]]) -> None:
    hints = Hints(frozenset(), tuple(("word", frozenset(names)) for names in wanted), frozenset())
    again = in_sentence_order(program, hints, WORDS, Extended.commutative)
    assert np.array_equal(run(again, BOUND), run(program, BOUND))
    assert sorted(again.action_ids) == sorted(program.action_ids)
    assert in_sentence_order(again, hints, WORDS, Extended.commutative) == again


@pytest.mark.parametrize("language", [Consistent, Extended])
def test_every_function_that_is_called_commutative_is_one(language: type[Consistent]) -> None:
    for name in language.commutative:
        first, second, *_ = language.grammar.signature[name].arguments  # type: ignore[union-attr]
        assert first == second
