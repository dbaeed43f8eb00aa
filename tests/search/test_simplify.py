"""The shortest program of the same meaning, and how it is known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.nlvr.languages.test_execution import walk
from tests.people import PeopleDomain

from chorale.domain import Domain, Unlabelled
from chorale.language import Program, run
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.search.simplify import simplified

DOMAIN = Nlvr()
SCENES = [random_scene(random.Random(number)) for number in range(400)]


@pytest.mark.parametrize(
    ("language", "before", "after", "known"),
    [
        ("consistent", "object_exists(yellow(yellow(all_objects)))", "object_exists(yellow(all_objects))", "proved"),
        ("consistent", "object_exists(yellow(all_objects))", "object_exists(yellow(all_objects))", "unchanged"),
        ("consistent", "box_exists(box_filter(all_boxes, object_exists(black(top))))",
         "object_exists(black(top(all_objects)))", "agrees on 4,000 generated contexts"),
        ("extended", "box_exists(box_filter(all_boxes, box_filter_and(object_exists, object_exists(black))))",
         "some_box(object_exists(black))", "proved"),
        ("macro", "object_exists(above(top(top(all_objects))))", "object_exists(above(all_objects))", "proved"),
    ],
)  # fmt: skip
def test_the_shortest_is_found_and_it_is_said_how_it_is_known(
    language: str, before: str, after: str, known: str
) -> None:
    found = simplified(DOMAIN.languages[language].parse(before), DOMAIN, language)
    assert (found.program.text, found.known) == (after, known)
    assert simplified(found.program, DOMAIN, language).program == found.program


def test_without_contexts_only_laws_count() -> None:
    program = DOMAIN.languages["consistent"].parse("box_exists(box_filter(all_boxes, object_exists(black(top))))")
    assert simplified(program, DOMAIN, "consistent", contexts=0).program is program


def test_a_domain_that_makes_no_contexts_has_only_its_laws() -> None:
    class Still(Nlvr):
        variants = Domain.variants  # type: ignore[assignment]

    program = DOMAIN.languages["consistent"].parse("box_exists(box_filter(all_boxes, object_exists(black(top))))")
    assert simplified(program, Still(), "consistent").known == "unchanged"


def test_programs_with_constants_of_a_table_are_shortened_on_altered_copies_of_it() -> None:
    domain = PeopleDomain()
    table = domain.variants(None, 1, 3)[0]
    said = Unlabelled("?", (table,))
    language = domain.bind("asking", said, [table])
    pet = table[0]["pet"]
    twice = language.parse(f"count(who(pet, {pet}, who(pet, {pet}, everybody)))")
    found = simplified(twice, domain, "asking", utterance=said, contexts=500)
    assert (found.program.text, found.looked_at) == (f"count(who(pet, {pet}, everybody))", 500)


@settings(max_examples=settings.default.max_examples // 10)
@given(st.sampled_from(["macro", "consistent", "extended"]), st.randoms(use_true_random=True))
def test_what_is_found_is_no_longer_and_says_the_same(language: str, rng: random.Random) -> None:
    spoken = DOMAIN.languages[language]
    program = Program.from_actions(walk(spoken.grammar, rng), spoken.grammar)
    found = simplified(program, DOMAIN, language)
    assert found.program.size <= program.size
    assert spoken.parse(found.program.text) == found.program
    bound = DOMAIN.bind(language, None, SCENES)
    agreeing = run(program, bound) == run(found.program, bound)
    assert agreeing.all() if found.looked_at is None else agreeing.mean() > 0.98
    assert simplified(program, DOMAIN, language) == found
