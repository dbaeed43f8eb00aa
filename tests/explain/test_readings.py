"""The beam grouped by meaning."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.explain.conftest import SENTENCE
from tests.people import PeopleDomain

from chorale.domain import Domain, Reading, Unlabelled
from chorale.explain.readings import by_meaning, differences
from chorale.language import run
from chorale.model import Model
from chorale.nlvr.domain import Nlvr


def test_programs_that_say_the_same_are_one_reading(ranker: Model) -> None:
    best = ranker.parse(SENTENCE)[0]
    spellings = [
        "some_box(object_exists(black(top)))",
        "some_box(object_exists(black))",
        "box_exists(box_filter(all_boxes, object_exists(black(top))))",
        "object_exists(black(top(all_objects)))",
    ]
    beam = [replace(best, program=ranker.spoken.parse(text), log_probability=math.log(0.25)) for text in spellings]
    found = by_meaning(beam, ranker.domain, ranker.language)
    assert [[program.text for program in (it.program, *it.same)] for it in found] == [
        [spellings[0], spellings[2], spellings[3]],
        [spellings[1]],
    ]
    assert [it.probability for it in found] == pytest.approx([0.75, 0.25])


def test_a_reading_comes_with_a_picture_on_which_it_differs(ranker: Model) -> None:
    found = by_meaning(ranker.parse(SENTENCE), ranker.domain, ranker.language)
    nothing, *others = differences(found, ranker.domain, ranker.language)
    assert nothing is None
    assert others
    for reading, difference in zip(found[1:], others, strict=True):
        assert difference is not None
        first, here = difference.answers or ()
        bound = ranker.domain.bind(ranker.language, None, [difference.context])
        assert first != here
        assert run(found[0].program, bound).tolist() == [first]
        for program in (reading.program, *reading.same):
            assert run(program, bound).tolist() == [here]


class Ungenerated(Nlvr):
    """NLVR without pictures of its own."""

    variants = Domain.variants  # type: ignore[assignment]


def test_without_generated_pictures_each_program_stands_alone(ranker: Model) -> None:
    beam = ranker.parse(SENTENCE)
    assert by_meaning(beam, Ungenerated(), ranker.language) == beam
    assert differences(beam, Ungenerated(), ranker.language) == [None] * len(beam)


def test_readings_with_constants_of_a_table_are_told_apart_on_altered_copies_of_it() -> None:
    domain = PeopleDomain()
    table = domain.variants(None, 1, 0)[0]
    said = Unlabelled("How many have cat?", (table,))
    parse = domain.bind("asking", said, [table]).parse
    pet = table[0]["pet"]
    some = f"who(pet, {pet}, everybody)"
    texts = [f"count({some})", "count(everybody)", f"count(who(pet, {pet}, {some}))"]
    beam = [Reading(parse(text), log_probability=math.log(0.25), utterance=said) for text in texts]
    found = by_meaning(beam, domain, "asking")
    assert [[program.text for program in (it.program, *it.same)] for it in found] == [texts[::2], texts[1:2]]
    nothing, difference = differences(found, domain, "asking")
    assert nothing is None
    assert difference is not None
    having = sum(row["pet"] == pet for row in difference.context)
    assert difference.answers == (having, len(table))
    assert by_meaning([replace(one, utterance=None) for one in beam], domain, "asking") == [
        replace(one, utterance=None) for one in beam
    ]
