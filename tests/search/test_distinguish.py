from __future__ import annotations

from random import Random

import pytest
from chorale.search.distinguish import distinguish, generated
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import programs
from tests.strategies import scenes as random_scenes

from chorale.language import run
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Scene

DOMAIN = Nlvr()


@given(programs(Consistent.grammar), programs(Consistent.grammar), st.lists(random_scenes(), min_size=1, max_size=6))
def test_the_context_given_is_the_first_on_which_the_programs_differ(one, other, scenes: list[Scene]) -> None:  # type: ignore[no-untyped-def]
    found = distinguish(one, other, DOMAIN.bind("consistent", scenes))
    apart = [DOMAIN.bind("consistent", [scene]) for scene in scenes]
    said = [(bool(run(one, language)[0]), bool(run(other, language)[0])) for language in apart]
    differ = [index for index, (first, second) in enumerate(said) if first != second]
    assert bool(found) == bool(differ)
    assert found.looked_at == len(scenes)
    if differ:
        assert found.index == differ[0]
        assert found.answers == said[differ[0]]


def test_where_the_corpus_does_not_help_contexts_are_generated() -> None:
    one, other = (Consistent.parse(f"object_exists({name}(all_objects))") for name in ("yellow", "blue"))
    empty = DOMAIN.bind("consistent", [Scene(((), (), ()))])
    assert not distinguish(one, other, empty)
    found = distinguish(one, other, empty, generated(DOMAIN, "consistent", 600))
    assert found.index is None
    assert found.answers is not None
    language = DOMAIN.bind("consistent", [found.context])
    assert (bool(run(one, language)[0]), bool(run(other, language)[0])) == found.answers


def test_programs_with_one_meaning_are_not_told_apart_and_the_answer_says_how_many_contexts_were_looked_at() -> None:
    one = Consistent.parse("object_exists(yellow(square(all_objects)))")
    other = Consistent.parse("object_exists(square(yellow(all_objects)))")
    found = distinguish(one, other, DOMAIN.bind("consistent", []), generated(DOMAIN, "consistent", 1200))
    assert not found
    assert found.looked_at == 1200
    assert str(found) == "no difference found on 1,200 images"


@pytest.mark.parametrize("count", [1, 500, 700])
def test_as_many_contexts_are_generated_as_asked_for_and_the_same_every_time(count: int) -> None:
    first, second = (
        [context for contexts, _ in generated(DOMAIN, "macro", count, seed=3) for context in contexts] for _ in range(2)
    )
    assert len(first) == count
    assert first == second


def test_programs_of_two_languages_are_told_apart_on_the_same_contexts() -> None:
    rng = Random(2)
    scenes = [DOMAIN.generator(rng) for _ in range(200)]
    ours, theirs = (DOMAIN.bind(name, scenes) for name in ("macro", "consistent"))
    above = "object_exists(above(black(all_objects)))"  # above all of them, and above any of them
    assert distinguish(ours.parse(above), theirs.parse(above), ours, other_language=theirs).answers == (False, True)
    black = "object_exists(black(all_objects))"
    assert not distinguish(ours.parse(black), theirs.parse(black), ours, other_language=theirs)
