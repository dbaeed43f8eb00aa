"""Traces: every sub-program with what it returns, innermost first."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import programs, scenes

from chorale.language import run
from chorale.nlvr import Consistent, Macro
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.nlvr.pictures.trace import profiles, trace
from chorale.nlvr.pictures.worlds import Worlds

YELLOW, BLACK = Object(40, 80, 20, "square", "yellow"), Object(40, 59, 20, "square", "black")
SCENE = Scene(((YELLOW, BLACK), (YELLOW,), (YELLOW, BLACK)))  # two of its boxes are equal


def steps(text, scene=SCENE, language=Consistent):
    found = trace(language.parse(text), scene, language)
    return [(step.text, step.value or sorted(step.objects if step.boxes is None else step.boxes)) for step in found]


def test_sets_grow_from_the_inside_to_the_answer():
    assert steps("object_exists(black(top(all_objects)))") == [
        ("all_objects", [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)]),
        ("top(all_objects)", [(0, 1), (1, 0), (2, 1)]),
        ("black(top(all_objects))", [(0, 1), (2, 1)]),
        ("object_exists(black(top(all_objects)))", "true"),
    ]


def test_a_predicate_is_shown_box_by_box():
    assert steps("box_count_equals(2, box_filter(all_boxes, object_exists(black(top))))") == [
        ("all_boxes", [0, 1, 2]),
        ("in each box: top", [(0, 1), (1, 0), (2, 1)]),
        ("in each box: black(top)", [(0, 1), (2, 1)]),
        ("box_filter(all_boxes, object_exists(black(top)))", [0, 2]),
        ("box_count_equals(2, box_filter(all_boxes, object_exists(black(top))))", "true"),
    ]


def test_same_color_is_judged_in_each_box_by_itself():
    shown = dict(steps("box_exists(box_filter(all_boxes, object_exists(same_color)))"))
    assert shown["in each box: same_color"] == []  # no box has a colour twice, though the picture has


def test_both_sides_of_and_are_shown():
    program = "box_exists(box_filter(all_boxes, box_filter_and(object_exists(black), object_count_equals(1))))"
    assert [text for text, _ in steps(program)] == [
        "all_boxes",
        "in each box: black",
        "boxes with: object_exists(black)",
        "boxes with: object_count_equals(1)",
        "box_filter(all_boxes, box_filter_and(object_exists(black), object_count_equals(1)))",
        program,
    ]


def test_what_a_quantifier_asks_of_each_box_is_shown():
    program = "one_box(box_filter_and(object_exists(black), object_exists)(negate_filter(yellow)))"
    assert steps(program, language=Extended) == [
        ("in each box: yellow", [(0, 0), (1, 0), (2, 0)]),
        ("in each box: negate_filter(yellow)", [(0, 1), (2, 1)]),
        ("in each box: black(negate_filter(yellow))", [(0, 1), (2, 1)]),
        ("boxes with: object_exists(black(negate_filter(yellow)))", [0, 2]),
        ("boxes with: object_exists(negate_filter(yellow))", [0, 2]),
        ("boxes with: box_filter_and(object_exists(black), object_exists)(negate_filter(yellow))", [0, 2]),
        (program, "false"),
    ]


def test_filters_inside_of_others_are_shown_on_what_those_are_given():
    program = "object_exists_both(black, negate_filter(top))(all_objects)"
    assert [text for text, _ in steps(program, language=Extended)] == [
        "all_objects",
        "black(all_objects)",
        "top(all_objects)",
        "negate_filter(top)(all_objects)",
        program,
    ]


def test_each_step_is_said_in_plain_words():
    found = trace(Extended.parse("one_box(object_exists(black(top)))"), SCENE, Extended)
    assert [step.plain for step in found] == [
        "in each box: the objects at the top",
        "in each box: the black objects at the top",
        "the boxes that hold a black object at the top",
        "Is there exactly one box that holds a black object at the top?",
    ]


def test_a_predicate_is_only_asked_of_the_boxes_it_is_given():
    program = "box_exists(box_filter(box_filter(all_boxes, object_exists(black)), object_exists(yellow)))"
    assert dict(steps(program))["in each box: yellow"] == [(0, 0), (2, 0)]


def test_objects_of_chosen_boxes_are_not_those_of_equal_boxes_elsewhere():
    program = "object_exists(object_in_box(member_count_equals(all_boxes, 1)))"
    assert dict(steps(program, language=Macro))["object_in_box(member_count_equals(all_boxes, 1))"] == [(1, 0)]


@pytest.mark.parametrize("language", [Consistent, Macro, Extended])
@settings(max_examples=settings.default.max_examples * 2 // 5)
@given(data=st.data(), scene=scenes())
def test_a_trace_ends_in_the_denotation_and_says_nothing_twice(language, data, scene):
    program = data.draw(programs(language.grammar))
    found = trace(program, scene, language)
    assert found[-1].text == program.text
    assert found[-1].value == ("true" if run(program, language(Worlds([scene])))[0] else "false")
    assert len({step.text for step in found}) == len(found)


def traced(language, program):
    bound = Nlvr().bind(language, None, [SCENE])
    return Nlvr().tracing.trace(bound.parse(program), bound, SCENE)


@pytest.mark.parametrize(
    ("language", "program"),
    [
        ("consistent", "object_exists(black(top(all_objects)))"),
        ("macro", "box_exists(member_count_equals(all_boxes, 2))"),
    ],
)
def test_the_domain_draws_traces_in_each_of_its_languages(language, program):
    """The demo once drew every model's programs as if they were of the consistent language."""
    steps = traced(language, program)
    assert (steps[-1].text, steps[-1].value) == (program, "true")
    record = steps[-1].to_json()
    assert record.pop("plain").startswith("Is there")
    assert record == {"text": program, "objects": None, "boxes": None, "value": "true"}
    assert Nlvr.drawing.draw_trace(steps, "svg").startswith(b"<svg")
    assert Nlvr.drawing.draw_trace(steps, "png").startswith(b"\x89PNG")


def test_a_step_is_drawn_by_itself_and_says_what_it_returned():
    yellow = sum(thing.color == "yellow" for thing in SCENE.objects)
    steps = traced("consistent", "object_exists(yellow(all_objects))")
    pictures = [Nlvr.drawing.draw_step(step, "svg").decode() for step in steps]
    assert steps[-1].result == ("true" if yellow else "false")
    assert steps[0].result == f"{len(SCENE.objects)} objects"
    assert [picture.count('class="halo"') // 2 for picture in pictures] == [len(SCENE.objects), yellow, 0]
    assert not any("<text" in picture for picture in pictures)


@settings(max_examples=settings.default.max_examples // 5)
@given(programs(Nlvr.languages["extended"].grammar), st.lists(scenes(), min_size=1, max_size=4))
def test_profiles_of_many_scenes_are_those_of_each_by_itself(program, some):
    extended = Nlvr.languages["extended"]
    together = profiles(program, some, extended)
    assert [row.tolist() for row in together] == [profiles(program, [one], extended)[0].tolist() for one in some]
    for row, scene in zip(together, some, strict=True):
        assert row[:3].tolist() == [len(box) for box in scene.boxes]
        assert bool(row[-1]) == bool(run(program, extended(Worlds([scene])))[0])
