from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import programs

from chorale.language import Program
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.abstraction import abstract_program, abstract_utterance, kind
from chorale.nlvr.english.slots import CLUSTERS, cluster_of, fill, is_slot, slot_of, slots_of
from chorale.nlvr.english.words import normalise
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.reader import read

PHRASES = [phrase for values in CLUSTERS.values() for phrases in values.values() for phrase in phrases]
FILLERS = """there is are a an the grey only on top least not than tower boxes items with and of it squere
    atleast"""
sentences = st.lists(st.sampled_from(PHRASES + FILLERS.split()), max_size=14).map(" ".join)


@st.composite
def values(draw: st.DrawFn) -> Mapping[str, str]:
    """Slots of several clusters with values, as an utterance would have them."""
    found = {}
    for cluster in draw(st.lists(st.sampled_from(sorted(CLUSTERS)), unique=True)):
        some = draw(st.lists(st.sampled_from(sorted(CLUSTERS[cluster])), unique=True, min_size=1, max_size=3))
        found |= {slot_of(cluster, number): value for number, value in enumerate(some, start=1)}
    return found


@pytest.mark.parametrize(
    ("sentence", "abstract"),
    [
        (
            "There are exactly 2 towers with a blue block at the base.",
            "there are {comparison} {number} towers with a {color} block at the {location}",
        ),
        ("There is atleast one big sqaure", "there is {comparison} {one} {size} {shape}"),
        ("a black block on top of a blue block", "a {color} block {relation} a {color2} block"),
        ("a black block on a black block", "a {color} block {relation} a {color} block"),
        ("2 circles touching the right wall", "{number} {shape} touching the {edge}"),
        ("a box with only one item", "a box with {comparison} {one} item"),
        ("two of 2 boxes, three of 3", "{number} of {number} boxes {number2} of {number2}"),
        # words that look like a cluster's and are not
        ("a box with only black items", "a box with only {color} items"),
        ("a black one on the right", "a {color} one on the right"),
        ("one grey square with a square", "{one} grey square with a {shape}"),
        ("10 items", "10 items"),
    ],
)
def test_words_of_a_cluster_become_slots(sentence: str, abstract: str) -> None:
    assert abstract_utterance(sentence).text == abstract


def test_a_slot_holds_the_words_and_what_programs_call_them() -> None:
    found = abstract_utterance("Over the bottom and the base: at least 2")
    assert found.tokens == ("{relation}", "the", "{location}", "and", "the", "{location}", "{comparison}", "{number}")
    assert found.values == {
        "{relation}": "above",
        "{location}": "bottom",
        "{comparison}": "greater_equals",
        "{number}": "2",
    }
    assert [filling.words for filling in found.fillings] == ["over", "bottom", "base", "at least", "2"]


@given(sentences)
def test_an_abstract_utterance_gives_its_sentence_back(sentence: str) -> None:
    found = abstract_utterance(sentence)
    assert found.sentence == " ".join(normalise(sentence))
    assert sum(map(is_slot, found.tokens)) == len(found.fillings)


@given(sentences)
def test_slots_are_numbered_by_value_in_order_of_appearance(sentence: str) -> None:
    found = abstract_utterance(sentence)
    for cluster in CLUSTERS:
        mine = [slot for slot in slots_of(found.text) if cluster_of(slot) == cluster]
        assert mine == [slot_of(cluster, number) for number in range(1, len(mine) + 1)]
        assert len({found.values[slot] for slot in mine}) == len(mine)


@given(programs(Consistent.grammar), values())
def test_an_abstract_program_gives_its_program_back(program: Program, values: Mapping[str, str]) -> None:
    assert fill(abstract_program(program.text, values), values) == program.text


def test_program_names_become_slots_whole_or_in_part() -> None:
    values = abstract_utterance("exactly one box with at least 3 black items or circles at the top wall").values
    program = (
        "box_count_equals(1, box_filter(all_boxes, box_filter_and(object_count_greater_equals(3)(black(touch_top)), "
        "box_filter_and(object_color_any_equals(color_black), object_shape_all_equals(shape_circle)))))"
    )
    assert abstract_program(program, values) == (
        "box_count_{comparison}({one}, box_filter(all_boxes, "
        "box_filter_and(object_count_{comparison2}({number})({color}(touch_{edge})), "
        "box_filter_and(object_color_any_equals(color_{color}), object_shape_all_equals(shape_{shape})))))"
    )


def test_names_that_no_slot_stands_for_stay() -> None:
    program = "object_count_lesser(1, yellow(touch_wall(all_objects)))"
    assert abstract_program(program, {"{color}": "black", "{number}": "2"}) == program


@pytest.mark.parametrize("cluster", sorted(CLUSTERS))
def test_every_value_is_a_name_of_the_language_or_part_of_one(cluster: str) -> None:
    known = {*Consistent.grammar.signature, *Extended.grammar.signature}
    for value in CLUSTERS[cluster]:
        assert any(slots_of(abstract_program(name, {f"{{{cluster}}}": value})) for name in known), value


def test_the_coarse_abstraction_has_slots_for_colours_shapes_and_numbers_only() -> None:
    sentence = "There are at least 2 yelow squares, or one big circle, at the top wall"
    coarse = "there are at least {number} {color} {shape} or {number} big {shape} at the top wall"
    assert kind(sentence) == coarse
    assert Nlvr().abstractions.kind(sentence) == coarse


@pytest.mark.nlvr
def test_every_training_sentence_comes_back(nlvr) -> None:
    for utterance in read(nlvr / "train.json").utterances:
        found = abstract_utterance(utterance.sentence)
        assert found.sentence == " ".join(normalise(utterance.sentence))
        assert abstract_utterance(found.sentence) == found
