"""Parsers whose programs are simplified."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from chorale.domain import Unlabelled
from chorale.domain.parsing import Corpus, ScoredProgram, Simplifying
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr

BEAM = {
    "object_color_same(bottom(bottom(all_objects)))": 0.3,
    "object_exists(square(yellow(all_objects)))": 0.25,
    "object_color_same(bottom(all_objects))": 0.2,
    "object_exists(yellow(square(all_objects)))": 0.125,
}


class Fixed:
    """A parser that gives the same beam for every sentence."""

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Iterator[tuple[int, list[ScoredProgram]]]:
        for index in range(len(corpus)):
            found = [ScoredProgram(Consistent.parse(text), math.log(chance)) for text, chance in BEAM.items()]
            yield index, found[:top]


def parsed(top: int | None = None) -> list[ScoredProgram]:
    corpus = Corpus.of(Nlvr(), "consistent", [Unlabelled("a square")], grounded=False)
    [(_, found)] = Simplifying(Fixed(), Consistent).parse(corpus, top=top)
    return found


def test_programs_that_become_the_same_are_one_and_their_probabilities_add_up() -> None:
    found = {one.program.text: math.exp(one.log_probability) for one in parsed()}
    assert found == {
        "object_color_same(bottom(all_objects))": pytest.approx(0.5),
        "object_exists(yellow(square(all_objects)))": pytest.approx(0.375),
    }


def test_the_parsers_order_stays_and_what_it_wrote_is_kept() -> None:
    first, second = parsed()
    assert first.decoded is not None
    assert second.decoded is not None
    assert [first.decoded.text, second.decoded.text] == list(BEAM)[:2]


def test_the_whole_beam_counts_even_if_one_program_is_wanted() -> None:
    assert [round(math.exp(one.log_probability), 6) for one in parsed(top=1)] == [0.5]
