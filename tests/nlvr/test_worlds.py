"""Packing: distinct boxes once, words as wide as needed, tables that say what the scenes say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import scenes

from chorale.errors import ChoraleError
from chorale.language import run
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.pictures.scenes import Box, Object, Scene
from chorale.nlvr.pictures.worlds import ATTRIBUTES, RELATIONS, Things, Worlds, gap, intersection, union

ONE = (Object(0, 0, 10, "circle", "black"),)
TWO = (Object(0, 0, 10, "circle", "black"), Object(50, 50, 30, "square", "yellow"))


def crowd(count: int) -> Box:
    return tuple(Object(cell % 10 * 10, cell // 10 * 10, 10, "circle", "blue") for cell in range(count))


def test_equal_boxes_are_stored_once() -> None:
    worlds = Worlds([Scene((ONE, TWO, ONE)), Scene((TWO, (), TWO))])
    assert len(worlds) == 2
    assert len(worlds.packed) == 3


@pytest.mark.parametrize(("most", "bits"), [(0, 8), (8, 8), (9, 16), (16, 16), (17, 32), (32, 32), (33, 64), (64, 64)])
def test_words_are_as_wide_as_the_largest_box_needs(most: int, bits: int) -> None:
    worlds = Worlds([Scene((crowd(most), (), ONE[:most]))])
    assert worlds.images.full.dtype == np.dtype(f"uint{bits}")
    assert int(worlds.images.all_objects.count()[0]) == most + len(ONE[:most])


def test_three_full_boxes_can_be_counted() -> None:
    worlds = Worlds([Scene((crowd(64),) * 3)])
    assert worlds.images.all_objects.count().tolist() == [192]


def test_a_box_with_too_many_objects_is_an_error_for_people() -> None:
    with pytest.raises(ChoraleError, match="at most 64 objects, found 65"):
        Worlds([Scene((crowd(65), (), ()))])


def test_a_scene_without_three_boxes_is_an_error_for_people() -> None:
    with pytest.raises(ChoraleError, match="scene 1 has 2 boxes; a picture has 3"):
        Worlds([Scene((ONE, TWO, ())), Scene((ONE, TWO))])


@pytest.mark.parametrize(
    "text",
    [
        "object_exists(same_color(above(all_objects)))",
        "box_count_equals(1, box_filter(all_boxes, object_count_equals(2)))",
        "object_color_count_equals(1, object_in_box(all_boxes))",
    ],
)
def test_a_corpus_without_scenes_has_no_denotations(text: str) -> None:
    assert run(Consistent.parse(text), Consistent(Worlds([]))).tolist() == []


@given(scenes())
def test_tables_say_of_each_object_what_the_scene_says(scene: Scene) -> None:
    worlds = Worlds([scene])
    for name in ("black", "triangle", "medium"):
        table = worlds.apart.table(name)  # one word per box
        for word, box in zip(table, scene.boxes, strict=True):
            has = [
                name in (thing.color, thing.shape, {10: "small", 20: "medium", 30: "big"}[thing.size]) for thing in box
            ]
            assert [bool(int(word) >> place & 1) for place in range(len(box))] == has
            assert int(word) >> len(box) == 0


@given(scenes())
def test_nothing_is_related_to_itself_or_to_what_is_not_there(scene: Scene) -> None:
    worlds = Worlds([scene])
    for name in RELATIONS:
        table = worlds.images.table(name)  # (object, box)
        for place, row in enumerate(table):
            assert not (row >> row.dtype.type(place) & row.dtype.type(1)).any()
            assert not (row & ~worlds.images.full).any()


def test_contact_is_symmetric_and_above_mirrors_below() -> None:
    table = {name: Worlds([Scene((crowd(12), (), ()))]).packed.table(name)[:, 0] for name in RELATIONS}
    for one in range(12):
        for other in range(12):
            assert table["touch"][one] >> other & 1 == table["touch"][other] >> one & 1
            assert table["above"][one] >> other & 1 == table["below"][other] >> one & 1


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(20, 0, 0), (20, 20, 0), (21, 0, 1), (0, 25, 5), (21, 24, 4), (10, 10, -10), (19, 0, -1)],
)
def test_gap_is_the_distance_of_two_squares(x: int, y: int, expected: int) -> None:
    things = Things.of([(Object(0, 0, 20, "square", "black"), Object(x, y, 20, "square", "black"))], 2)
    assert gap(things.at(0), things.at(1)).tolist() == [expected]
    assert gap(things.at(1), things.at(0)).tolist() == [expected]


@given(st.data())
def test_union_and_intersection_go_over_the_members(data: st.DataObject) -> None:
    most = data.draw(st.sampled_from((1, 8, 40)))
    word = st.integers(0, 2**most - 1)
    dtype = np.uint8 if most <= 8 else np.uint64
    words = data.draw(st.lists(word, min_size=1, max_size=5))
    rows = data.draw(st.lists(st.lists(word, min_size=len(words), max_size=len(words)), min_size=most, max_size=most))
    table = np.array(rows, dtype=dtype)  # (object, word)
    everything = int(np.iinfo(dtype).max)
    for column, given_word in enumerate(words):
        either, both = 0, everything
        for place in range(most):
            if given_word >> place & 1:
                either |= rows[place][column]
                both &= rows[place][column]
        assert int(union(np.array(words, dtype=dtype), table)[column]) == either
        assert int(intersection(np.array(words, dtype=dtype), table)[column]) == both


def test_tables_cannot_be_changed_by_accident() -> None:
    worlds = Worlds([Scene((ONE, TWO, ()))])
    for view in (worlds.images, worlds.apart, worlds.boxes):
        for name in (*ATTRIBUTES, *RELATIONS):
            assert not view.table(name).flags.writeable
