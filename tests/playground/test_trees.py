"""Trees: every part once, in the order in which words are aligned, with the step of its own text."""

from hypothesis import given, settings
from tests.strategies import programs, scenes

from chorale.domain import Hints, Unlabelled
from chorale.language import Program
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.trace import trace
from chorale.playground.trees import aligned_words, tree_of
from chorale.ranker.alignment import nodes_of

DOMAIN, EXTENDED = Nlvr(), Nlvr.languages["extended"]


def flat(node):  # type: ignore[no-untyped-def]
    return [node, *(one for child in node["children"] for one in flat(child))]


def shown_on_nothing(program: Program) -> tuple[list[str], dict[str, int]]:
    """The texts of a program's steps on an empty picture, and which of them shows each function."""
    steps = trace(program, Scene(((), (), ())), EXTENDED)
    parts = flat(tree_of(program, [step.part for step in steps]))
    return [step.text for step in steps], {part["name"]: part["step"] for part in parts}


@settings(max_examples=settings.default.max_examples // 4)
@given(programs(EXTENDED.grammar), scenes())
def test_parts_come_in_the_order_of_alignment_and_point_to_their_steps(program: Program, scene: Scene) -> None:
    steps = trace(program, scene, EXTENDED)
    numbered = [[index] for index in range(program.size)]
    parts = flat(tree_of(program, [step.part for step in steps], numbered))
    assert [part["name"] for part in parts] == [node.name for node in nodes_of(program)]
    assert [part["words"] for part in parts] == numbered
    assert parts[0]["text"] == program.text
    assert parts[0]["step"] == len(steps) - 1
    for part in parts:
        own = [index for index, step in enumerate(steps) if step.part == part["text"]]
        assert part["step"] in own or not own
    for step in steps:  # a part is what people are shown, but for what is asked of it
        assert step.text.removeprefix("in each box: ").removeprefix("boxes with: ") == step.part


def test_a_predicate_that_boxes_are_filtered_by_is_shown_by_what_is_kept() -> None:
    program = EXTENDED.parse("box_exists(box_filter(all_boxes, object_exists(black(top))))")
    steps, shown = shown_on_nothing(program)
    assert shown["object_exists"] == shown["box_filter"]
    assert steps[shown["black"]] == "in each box: black(top)"


def test_a_filter_inside_a_function_is_shown_on_what_that_one_is_given() -> None:
    program = EXTENDED.parse("one_box(box_filter_and(object_exists(black), object_exists)(negate_filter(yellow)))")
    steps, shown = shown_on_nothing(program)
    assert steps[shown["black"]] == "in each box: black(negate_filter(yellow))"
    assert steps[shown["yellow"]] == "in each box: yellow"
    steps, shown = shown_on_nothing(EXTENDED.parse("object_all(yellow, all_objects)"))
    assert steps[shown["yellow"]] == "yellow(all_objects)"


def test_a_number_has_no_step() -> None:
    program = EXTENDED.parse("object_count_equals(2, all_objects)")
    assert {part["name"]: part["step"] for part in flat(tree_of(program, ["all_objects", program.text]))}["2"] is None


def test_words_ask_for_parts() -> None:
    program = EXTENDED.parse("object_count_equals(2, yellow(square(all_objects)))")
    sentence = "There are two yellow squares."
    words = DOMAIN.words(sentence)
    asked = dict(
        zip(
            [node.name for node in nodes_of(program)],
            aligned_words(program, DOMAIN.lexicon("extended").hints(Unlabelled(sentence))),
            strict=True,
        )
    )
    assert [words[index] for index in asked["yellow"]] == ["yellow"]
    assert [words[index] for index in asked["2"]] == ["two"]


def test_a_lexicon_that_does_not_tell_where_words_stand_aligns_nothing() -> None:
    program = EXTENDED.parse("object_exists(all_objects)")
    silent = Hints(frozenset({"object_exists"}), (("is", frozenset({"object_exists"})),), frozenset({"all_objects"}))
    assert aligned_words(program, silent) == []
    assert aligned_words(program, None) == []
