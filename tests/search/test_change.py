"""Changing an answer: what is found is right, and one change is enough wherever one change would do."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.people import PeopleDomain
from tests.strategies import programs, towers

from chorale.errors import ChoraleError
from chorale.language import Program, run
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.edits import around
from chorale.nlvr.pictures.random_scenes import random_scatter
from chorale.nlvr.pictures.scenes import BOXES, Object, Scene
from chorale.search.change import change

DOMAIN, LANGUAGE = Nlvr(), "extended"
FEW = settings(max_examples=settings.default.max_examples // 4)
SCENES = st.tuples(*[towers()] * BOXES).map(Scene)
EMPTY = Scene(((), (), ()))


def said(program: Program, scene: Scene, language: str = LANGUAGE) -> bool:
    return bool(run(program, DOMAIN.bind(language, None, [scene]))[0])


@FEW
@given(programs(Consistent.grammar), SCENES, st.booleans())
def test_what_is_found_has_the_answer_and_one_change_is_found_where_one_is_enough(
    program: Program, scene: Scene, wanted: bool
) -> None:
    found = change(program, scene, wanted, DOMAIN, "consistent", most=400)
    near = any(said(program, one, "consistent") == wanted for one in around(scene))
    if found:
        assert said(program, found.context, "consistent") == wanted
        assert (found.changes == 0) == (said(program, scene, "consistent") == wanted)
    if found.changes != 0:
        assert (found.changes == 1) == near
    assert found.looked_at <= 400


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("some_box(object_exists(black(top)))", 1),
        ("every_box(object_exists(blue))", 3),
        ("object_count_equals(4, yellow(square(all_objects)))", 4),
        ("every_box(object_count_equals(2))", 6),
    ],
)
def test_what_needs_several_changes_is_found_with_as_few(text: str, changes: int) -> None:
    found = change(DOMAIN.languages[LANGUAGE].parse(text), EMPTY, True, DOMAIN, LANGUAGE)
    assert found.changes == changes
    assert said(DOMAIN.languages[LANGUAGE].parse(text), found.context)


def test_a_recolouring_comes_before_an_object_more() -> None:
    scene = Scene(((Object(40, 80, 20, "square", "black"),), (), ()))
    program = DOMAIN.languages[LANGUAGE].parse("object_exists(yellow(all_objects))")
    assert change(program, scene, True, DOMAIN, LANGUAGE).context.boxes[0] == (Object(40, 80, 20, "square", "yellow"),)


def test_what_cannot_be_is_given_up_after_so_many_contexts() -> None:
    program = DOMAIN.languages[LANGUAGE].parse("object_exists(yellow(black(all_objects)))")
    found = change(program, random_scatter(Random(1)), True, DOMAIN, LANGUAGE, most=1_500)
    assert not found
    assert (found.context, found.looked_at) == (None, 1_500)


def test_a_domain_that_cannot_edit_says_so() -> None:
    program = Consistent.parse("object_exists(yellow(all_objects))")
    with pytest.raises(ChoraleError, match="the domain people has no editing"):
        change(program, (), True, PeopleDomain(), "asking")
