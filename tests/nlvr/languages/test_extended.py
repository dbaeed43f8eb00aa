"""The extended language: golden meanings, its slow twin, batches, and that it says all the consistent one says."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.nlvr.languages.test_execution import PACKED, POOLS, on_all_objects, parts_with_values, plain, walk
from tests.nlvr.languages.twin import run_slowly
from tests.strategies import programs, scenes

from chorale.domain import Unlabelled
from chorale.language import Function, Program, run
from chorale.language.execution import evaluate
from chorale.language.terms import written
from chorale.nlvr import Consistent, Extended, Macro
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.lexicon import GLUE
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Worlds

ADDED = set(Extended.grammar.signature) - set(Consistent.grammar.signature)

# -- golden meanings ----------------------------------------------------------------------------------------------

# As in `test_meanings`: every object has a letter, the letters of a scene stand box by box, digits are boxes.
WALLS = Scene(
    (
        (
            Object(4, 40, 10, "circle", "black"),  # a: four pixels from the left wall
            Object(5, 60, 10, "circle", "yellow"),  # b: five
            Object(66, 4, 30, "square", "blue"),  # c: four pixels from the top and from the right wall
            Object(35, 76, 20, "triangle", "blue"),  # d: four pixels from the floor
        ),
        (
            Object(0, 0, 10, "square", "black"),  # e: in the corner
            Object(14, 0, 10, "square", "yellow"),  # f: four pixels beside e
            Object(0, 15, 10, "square", "yellow"),  # g: five pixels below e
        ),
        (),
    )
)
TOWERS = Scene(
    (
        (
            Object(40, 80, 20, "square", "black"),  # h: on the floor
            Object(40, 59, 20, "square", "black"),  # i: one pixel above
            Object(40, 38, 20, "square", "yellow"),  # j
            Object(40, 17, 20, "square", "black"),  # k
        ),
        (
            Object(40, 80, 20, "square", "blue"),  # l
            Object(40, 59, 20, "square", "black"),  # m
        ),
        (
            Object(40, 80, 20, "square", "yellow"),  # n
            Object(40, 59, 20, "square", "yellow"),  # o
        ),
    )
)
LOOSE = Scene(
    (
        (
            Object(10, 70, 30, "square", "black"),  # p
            Object(39, 60, 10, "circle", "blue"),  # q: stands on p, by its outermost pixel
            Object(0, 60, 10, "circle", "yellow"),  # r: as low as q, but beside p: only a corner meets
            Object(15, 58, 10, "circle", "yellow"),  # s: two pixels above p
        ),
        (Object(50, 50, 10, "square", "black"),),  # t
        (Object(50, 50, 20, "circle", "blue"),),  # u
    )
)
EMPTY = Scene(((), (), ()))
SCENES = {
    "walls": (WALLS, ("abcd", "efg", "")),
    "towers": (TOWERS, ("hijk", "lm", "no")),
    "loose": (LOOSE, ("pqrs", "t", "u")),
    "empty": (EMPTY, ("", "", "")),
}
WORLDS = Worlds(scene for scene, _ in SCENES.values())

GOLDEN: list[tuple[str, str, str | bool]] = [
    ("walls", "near_left", "aeg"),
    ("walls", "near_right", "c"),
    ("walls", "near_top", "cef"),
    ("walls", "near_bottom", "d"),
    ("towers", "near_bottom", "hln"),
    ("walls", "near_wall", "acdefg"),
    ("walls", "near_corner", "ce"),
    ("empty", "near_wall", ""),
    # Contact: four pixels along both axes, and nothing is near itself.
    ("walls", "near_object", "ef"),
    ("walls", "near_object(black)", "f"),
    ("towers", "near_object(yellow)", "ikno"),
    ("loose", "near_object(square)", "qrs"),
    # Directly: in towers the neighbour; elsewhere no more than a pixel between, and one over the other.
    ("towers", "directly_above", "ijkmo"),
    ("towers", "directly_above(black)", "ij"),
    ("towers", "directly_below(black)", "hjl"),
    ("towers", "directly_above(directly_above(bottom))", "j"),
    ("loose", "directly_above(square)", "q"),
    ("loose", "directly_below(circle)", "p"),
    ("empty", "directly_above", ""),
    ("empty", "directly_below", ""),
    # A stack is of the given objects only: k stands on j, which is not black.
    ("towers", "in_stack", "hijklmno"),
    ("towers", "in_stack(black)", "hi"),
    ("towers", "in_stack(yellow)", "no"),
    ("towers", "in_stack(blue)", ""),
    ("loose", "in_stack", "pq"),
    # Between: the middle of all, and what is above one and below another.
    ("towers", "between", "ij"),
    ("towers", "between(black)", "ij"),
    ("towers", "between(yellow)", ""),
    # Either
    ("towers", "either_filter(blue, yellow)", "jlno"),
    ("towers", "either_filter(top, bottom)", "hklmno"),
    ("towers", "either_filter(same_color, blue)", "hiklm"),  # counted over all boxes: black is most frequent
    ("towers", "either_filter(blue, same_color)", "hiklm"),
    ("empty", "either_filter(blue, yellow)", ""),
    # None, all and both, over the whole picture
    ("towers", "object_none(circle(all_objects))", True),
    ("towers", "object_none(yellow(all_objects))", False),
    ("empty", "object_none(all_objects)", True),
    ("towers", "object_all(square)(all_objects)", True),
    ("towers", "object_all(black)(all_objects)", False),
    ("towers", "object_all(negate_filter(same_color))(yellow(all_objects))", False),  # of yellow ones all are the same
    ("towers", "object_all(in_stack)(yellow(directly_above(all_objects)))", False),
    ("walls", "object_all(near_wall)(black(all_objects))", True),
    ("empty", "object_all(black)(all_objects)", True),
    ("towers", "object_exists_both(blue, yellow)(all_objects)", True),
    ("towers", "object_exists_both(blue, circle)(all_objects)", False),
    ("towers", "object_exists_both(circle, blue)(all_objects)", False),
    ("empty", "object_exists_both(blue, blue)(all_objects)", False),
    # Exactly these colours
    ("towers", "object_colors_equal(color_black, color_blue, all_objects)", False),  # yellow as well
    ("towers", "object_colors_equal(color_black, color_blue, negate_filter(yellow)(all_objects))", True),
    ("towers", "object_colors_equal(color_blue, color_black, negate_filter(yellow)(all_objects))", True),
    ("towers", "object_colors_equal(color_black, color_yellow, yellow(all_objects))", False),  # no black one
    ("towers", "object_colors_equal(color_yellow, color_yellow, yellow(all_objects))", True),
    ("empty", "object_colors_equal(color_black, color_black, all_objects)", False),
    # Boxes, each by itself; an empty box is a box
    ("towers", "some_box(object_exists(blue))", True),
    ("towers", "some_box(object_exists(circle))", False),
    ("empty", "some_box(object_all(blue))", True),
    ("towers", "one_box(object_exists(blue))", True),
    ("towers", "one_box(object_exists(black))", False),
    ("towers", "one_box(object_exists(circle))", False),
    ("towers", "every_box(object_exists(square))", True),
    ("towers", "every_box(object_exists(black))", False),
    ("walls", "every_box(object_exists)", False),
    ("towers", "every_box(object_exists(same_color))", False),  # the box with one blue and one black
    ("towers", "no_box(object_exists(circle))", True),
    ("towers", "no_box(object_exists(blue))", False),
    ("walls", "no_box(object_count_lesser(1))", False),
    # Numbers of objects compared between boxes
    ("walls", "box_fewest_objects(all_boxes)", "2"),
    ("towers", "box_fewest_objects(all_boxes)", "12"),
    ("walls", "box_fewest_objects(box_filter(all_boxes, object_exists))", "1"),
    ("walls", "box_fewest_objects(box_filter(all_boxes, object_count_equals(9)))", ""),
    ("empty", "box_fewest_objects(all_boxes)", "012"),
    ("walls", "box_same_count(all_boxes)", ""),
    ("towers", "box_same_count(all_boxes)", "12"),
    ("towers", "box_same_count(box_filter(all_boxes, object_exists(black)))", ""),  # 1 is left without 2
    ("empty", "box_same_count(all_boxes)", "012"),
    # Colours of a part compared between boxes
    ("towers", "box_same_color(all_boxes, top)", "01"),
    ("towers", "box_same_color(all_boxes, bottom)", ""),
    ("towers", "box_same_color(all_boxes, negate_filter(top))", ""),  # black and blue, blue, yellow
    ("towers", "box_same_color(box_filter(all_boxes, object_exists(yellow)), top)", ""),  # 2 is left alone
    ("loose", "box_same_color(all_boxes, circle)", ""),  # nothing is kept of the second box
    ("loose", "box_same_color(all_boxes, square)", "01"),
    ("empty", "box_same_color(all_boxes, top)", ""),
]


def meaning(scene: str, expression: str) -> str | bool:
    """The value of an expression on a scene, written as in the table; a filter is tried on all objects."""
    place, names = list(SCENES).index(scene), SCENES[scene][1]
    language = Extended(WORLDS)
    value = run(Extended.parse(expression), language)
    found = plain(value, language)[place]
    if isinstance(found, bool):
        return found
    if isinstance(value, BoxSet):
        return "".join(map(str, sorted(found)))
    return "".join(names[box][number] for box, number in sorted(found))


@pytest.mark.parametrize(("scene", "expression", "expected"), GOLDEN)
def test_meaning(scene: str, expression: str, expected: str | bool) -> None:
    assert meaning(scene, expression) == expected


def test_the_table_covers_every_addition() -> None:
    heads = {re.match(r"\w+", expression)[0] for _, expression, _ in GOLDEN}  # type: ignore[index]
    assert heads == ADDED


# -- the slow twin ------------------------------------------------------------------------------------------------


@st.composite
def cases(draw: st.DrawFn) -> Program:
    """A program that uses one of the additions."""
    wanted = draw(st.sampled_from(sorted(ADDED)))
    rng = draw(st.randoms(use_true_random=True))
    while True:
        actions = walk(Extended.grammar, rng)
        if Extended.grammar.terminal_ids[wanted] in actions:
            return Program.from_actions(actions, Extended.grammar)


def check_agreement(program: Program, most: int, drawn: list[Scene]) -> None:
    for corpus, worlds in ((POOLS[most], PACKED[most]), (drawn, Worlds(drawn))):
        language = Extended(worlds)
        for term in parts_with_values(program):
            slow = [on_all_objects(run_slowly(term, scene, "extended"), scene) for scene in corpus]
            assert plain(evaluate(term, language), language) == slow, written(term)


corpora = st.lists(scenes(), min_size=1, max_size=4)


@given(cases(), st.sampled_from(sorted(POOLS)), corpora)
def test_agrees_with_the_slow_twin(program: Program, most: int, drawn: list[Scene]) -> None:
    check_agreement(program, most, drawn)


@pytest.mark.slow
@given(cases(), st.sampled_from(sorted(POOLS)), corpora)
def test_agrees_with_the_slow_twin_on_many_more(program: Program, most: int, drawn: list[Scene]) -> None:
    check_agreement(program, most, drawn)


@given(cases(), st.sampled_from(sorted(POOLS)), st.lists(st.integers(0, 23), max_size=6))
def test_some_images_alone_are_part_of_the_whole(program: Program, most: int, images: list[int]) -> None:
    whole = run(program, Extended(PACKED[most]))
    assert run(program, Extended(PACKED[most].at(images))).tolist() == whole[images].tolist()


@given(cases(), corpora, st.permutations(range(3)))
def test_the_order_of_boxes_does_not_matter(program: Program, drawn: list[Scene], order: list[int]) -> None:
    permuted = [scene.permuted(tuple(order)) for scene in drawn]
    assert run(program, Extended(Worlds(permuted))).tolist() == run(program, Extended(Worlds(drawn))).tolist()


# -- a superset of the consistent language --------------------------------------------------------------------------


def test_what_the_consistent_language_has_means_the_same_type() -> None:
    shared = Consistent.grammar.signature
    assert {name: Extended.grammar.signature[name] for name in shared} == shared
    assert set(map(str, Consistent.grammar.productions)) < set(map(str, Extended.grammar.productions))


@given(programs(Consistent.grammar, 20), st.sampled_from(sorted(POOLS)))
def test_every_consistent_program_is_an_extended_one_and_means_the_same(program: Program, most: int) -> None:
    same = Extended.parse(program.text)
    assert same.text == program.text
    assert same.actions == program.actions
    assert run(same, Extended(PACKED[most])).tolist() == run(program, Consistent(PACKED[most])).tolist()


def test_the_consistent_language_is_as_it_was() -> None:
    assert (len(Consistent.grammar), sum(Consistent.grammar.count(7))) == (94, 7_435)


# -- batches --------------------------------------------------------------------------------------------------------


def rows_of(value: Any) -> list[list[Any]]:
    """The values of a batch, row by row."""
    if isinstance(value, ObjectSet):
        return [[word.tolist() for word in row] for row in value.words]
    if isinstance(value, BoxSet):
        return [np.stack(place).tolist() for place in zip(*value.chosen, strict=True)]
    return [row.tolist() for row in value]


@pytest.mark.parametrize("name", sorted(ADDED))
@pytest.mark.parametrize("alone", [True, False])
def test_a_batch_of_programs_is_its_rows_one_by_one(name: str, alone: bool) -> None:
    """As search does it: every argument a batch, every function over objects asked for its values on the probes."""
    language = Extended(PACKED[9].at(range(20)))
    rng = random.Random(name)
    kind = Extended.grammar.signature[name]
    assert isinstance(kind, Function)
    probe = language.worlds.boxes.all_objects if alone else language.worlds.images.all_objects
    spellings = {
        "Set[Object]": ["all_objects", "object_in_box(box_filter(all_boxes, object_exists(blue)))"],
        "Set[Box]": [
            "all_boxes",
            "box_filter(all_boxes, object_exists(yellow))",
            "box_filter(all_boxes, object_exists)",
        ],
        "Color": ["color_black", "color_blue", "color_yellow"],
        "<Set[Object]:Set[Object]>": ["black", "same_color", "negate_filter(top)", "in_stack", "between"],
        "<Set[Object]:bool>": ["object_exists(black)", "object_count_equals(2)", "object_all(square)"],
    }
    # Functions over objects: one batch may mix sets that are split with sets that are not.
    arguments = [str(argument) for argument in kind.arguments]
    combinations = [[rng.choice(spellings[argument]) for argument in arguments] for _ in range(6)]
    if arguments[-1] == "Set[Object]":  # filters and predicates of objects: all rows in one view
        combinations = [[*row[:-1], "all_objects"] for row in combinations]
    columns = []
    for argument, column in zip(arguments, zip(*combinations, strict=True), strict=True):
        values = [run(Extended.parse(text), language) for text in column]
        columns.append(batched(argument, values, language))
    method = language.implementation(name)
    together = on_probe(method(*columns), probe)
    singles = []
    for combination in combinations:
        values = [run(Extended.parse(text), language) for text in combination]
        singles.append(on_probe(method(*values), probe))
    one_by_one = ObjectSet.joined([as_batch(one) for one in singles]) if isinstance(together, ObjectSet) else None
    if one_by_one is not None:
        assert rows_of(together.seen_in(one_by_one.view)) == rows_of(one_by_one)
    elif isinstance(together, BoxSet):
        assert rows_of(together) == [np.stack(one.chosen).tolist() for one in singles]
    else:
        assert rows_of(together) == [one.tolist() for one in singles]


def as_batch(value: ObjectSet) -> ObjectSet:
    return ObjectSet(value.words[np.newaxis], value.view)


def on_probe(value: Any, probe: ObjectSet) -> Any:
    return value(probe) if callable(value) else value


def batched(kind: str, values: list[Any], language: Extended) -> Any:
    """Values with one more axis in front; functions that give a batch for each probe."""
    if kind == "Color":
        return values
    if kind == "Set[Object]":
        return ObjectSet.joined([as_batch(value) for value in values])
    if kind == "Set[Box]":
        return BoxSet.joined([language.stacked(Extended.grammar.signature["all_boxes"], value) for value in values])

    def recall(probe: ObjectSet) -> Any:
        results = [value(probe) for value in values]
        if isinstance(results[0], ObjectSet):
            return ObjectSet.joined([as_batch(result) for result in results])
        return np.stack(results)

    return recall


# -- its words ------------------------------------------------------------------------------------------------------


ASKING = [
    ("There is a blue circle closely touching right wall of a box", "near_right"),
    ("There is a square nearly touching the corner", "near_corner"),
    ("There is an item almost touching the wall", "near_wall"),
    ("There is 1 tower with 2 black blocks stacked together", "in_stack one_box"),
    ("The second block from the base of a tower is blue", "directly_above"),
    ("There is a black block on a yellow block", "directly_above"),
    ("There is a blue block under a yellow block", "directly_below"),
    ("There is a black block between two yellow blocks", "between"),
    ("There is a blue or black triangle", "either_filter"),
    ("All black squares are touching the edge", "object_all"),
    ("There is a box with only blue and yellow items", "object_colors_equal some_box"),
    ("There is a box with a blue circle and a black square", "object_exists_both"),
    ("Each box has a yellow item", "every_box"),
    ("There is no tower with two blocks", "no_box"),
    ("There is a box with no black items", "object_none"),
    ("There is a tower without a yellow block", "object_none"),
    ("There is a box that does not have any circle", "object_none"),
    ("There are two boxes with the same number of items", "box_same_count"),
    ("Two of the three towers have the same base", "box_same_color"),
    ("The grey box with least number of objects has a circle", "box_fewest_objects"),
    ("There is a yellow item close to a black item", "near_object"),
    ("There is a black item closely touching the roof of a box", "near_top"),
    ("There is a yellow circle closely touching the left wall", "near_left"),
    ("There is a triangle closely touching the bottom of a box", "near_bottom"),
    ("There are 3 or more black blocks", "object_count_greater_equals"),
    ("There is a box with 2 items at most and a black item", "2 object_count_lesser_equals"),
    ("There is a box with 2 yellow items at most", "2 yellow object_count_lesser_equals"),
    ("There are not exactly three black items", "object_count_not_equals"),
    ("There is a box with two yellow items and three other items", "negate_filter"),
    ("The top and the base of a tower are black", "top bottom"),
]


@pytest.mark.parametrize(("sentence", "wanted"), ASKING)
def test_words_ask_for_the_additions(sentence: str, wanted: str) -> None:
    asked = set().union(
        *(terminals for _, terminals in Nlvr().lexicon("extended").hints(Unlabelled(sentence)).explains)
    )
    missing = set(wanted.split()) - asked
    assert missing <= {"object_exists_both", "object_colors_equal"}  # which come along with "and"
    assert missing <= Nlvr().lexicon("extended").hints(Unlabelled(sentence)).allowed


def test_some_sentence_asks_for_each_addition() -> None:
    assert {name for _, wanted in ASKING for name in wanted.split()} >= ADDED


@pytest.mark.parametrize("sentence", ["There is a circle touching the wall", "There are three yellow blocks"])
def test_sentences_of_the_consistent_language_bring_no_additions_but_what_any_sentence_may_need(sentence: str) -> None:
    assert Nlvr().lexicon("extended").hints(Unlabelled(sentence)).allowed & ADDED <= GLUE


# -- its page -------------------------------------------------------------------------------------------------------

PAGE = Path(__file__).resolve().parents[3] / "docs" / "languages.md"


@pytest.mark.parametrize("language", [Macro, Consistent, Extended])
def test_the_page_lists_every_function_with_its_type(language: type[Common]) -> None:
    section = PAGE.read_text().split(f"\n## The {language.__name__.lower()} language\n")[1].split("\n## ")[0]
    listed = dict(re.findall(r"^\| `([\w]+)` \| `([^`]+)` \|", section, flags=re.MULTILINE))
    own = {
        name: short(str(kind))
        for name, kind in language.grammar.signature.items()
        if not name.isdigit() and not name.startswith(("color_", "shape_"))
    }
    if language is Extended:
        own = {name: kind for name, kind in own.items() if name in ADDED}
    assert listed == own


def short(kind: str) -> str:
    """A type as the page writes it."""
    names = {"Set[Object]": "O", "Set[Box]": "B", "bool": "t", "int": "n", "Color": "c", "Shape": "s"}
    for name, letter in names.items():
        kind = kind.replace(name, letter)
    return kind
