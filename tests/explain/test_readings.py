"""The beam grouped by meaning."""

from __future__ import annotations

from dataclasses import replace

from tests.explain.conftest import SENTENCE

from chorale.explain.readings import readings
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
    beam = [replace(best, program=ranker.spoken.parse(text), probability=0.25) for text in spellings]
    found = readings(beam, ranker.domain, ranker.language, contexts=200)
    assert [[parse.program.text for parse in it.parses] for it in found] == [
        [spellings[0], spellings[2], spellings[3]],
        [spellings[1]],
    ]
    assert [it.probability for it in found] == [0.75, 0.25]


def test_a_reading_comes_with_a_picture_on_which_it_differs(ranker: Model) -> None:
    found = readings(ranker.parse(SENTENCE), ranker.domain, ranker.language)
    assert found[0].difference is None
    for reading in found[1:]:
        assert reading.difference is not None
        context, first, here = reading.difference
        bound = ranker.domain.bind(ranker.language, [context])
        assert first != here
        assert run(found[0].best.program, bound).tolist() == [first]
        for parse in reading.parses:
            assert run(parse.program, bound).tolist() == [here]


class Ungenerated(Nlvr):
    """NLVR without pictures of its own."""

    generator = None


def test_without_generated_pictures_each_program_stands_alone(ranker: Model) -> None:
    beam = ranker.parse(SENTENCE)
    assert [it.parses for it in readings(beam, Ungenerated(), ranker.language)] == [(parse,) for parse in beam]
