"""The probe: toss-ups between meanings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from chorale.domain import Reading, Unlabelled
from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.evaluation.probe import Rivals, probe, rivals_of
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.reader import read as read_data

DOMAIN = Nlvr()
YELLOW, BLUE = "object_exists(yellow(all_objects))", "object_exists(blue(all_objects))"
YELLOW_TOO = "object_color_any_equals(color_yellow, all_objects)"


def read(text: str, probability: float) -> Reading:
    return Reading(Consistent.parse(text), log_probability=math.log(probability))


class Fixed:
    """A parser that gives each sentence its beam."""

    def __init__(self, beams: Mapping[str, Mapping[str, float]]) -> None:
        self.beams = beams

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Iterator[tuple[int, list[Reading]]]:
        for index in reversed(range(len(corpus))):
            beam_of = self.beams[corpus.utterances[index].sentence]
            yield index, [read(text, probability) for text, probability in beam_of.items()][:top]


def probed(*beams: Mapping[str, float]):  # type: ignore[no-untyped-def]
    scenes = tuple(random_scene(Random(number)) for number in range(30))
    asked = {str(number): beam for number, beam in enumerate(beams)}
    corpus = Corpus.of(DOMAIN, "consistent", [Unlabelled(name, scenes) for name in asked])
    return probe(Fixed(asked), corpus, DOMAIN, "consistent", contexts=200)


def test_spellings_of_a_meaning_are_no_rivals_and_count_together() -> None:
    found = probed({YELLOW: 0.3, BLUE: 0.25, YELLOW_TOO: 0.3})
    [meanings] = found.meanings
    assert (meanings.probability, meanings.rival) == (pytest.approx(0.6), pytest.approx(0.25))
    assert (found.toss_ups, found.decisive) == (0.0, 0.0)


def test_a_rival_with_more_than_half_the_probability_makes_a_toss_up() -> None:
    found = probed({YELLOW: 0.4, BLUE: 0.3}, {YELLOW: 0.8, BLUE: 0.1}, {BLUE: 1.0}, {YELLOW: 0.4, YELLOW_TOO: 0.39})
    assert [one.is_toss_up for one in found.meanings] == [True, False, False, False]
    assert (found.toss_ups, found.decisive) == (0.25, 0.25)
    assert found.scores() == {}  # no labels
    assert found.to_json() == {"contexts": 200, "toss_ups": 0.25, "decisive": 0.25, "parts": {}}


def test_a_toss_up_is_decisive_if_the_rival_says_something_else_about_the_own_contexts() -> None:
    beam = [read(YELLOW, probability) for probability in (0.4, 0.3, 0.2)]
    same = rivals_of(beam, ["a", "b", "c"], [(True,), (True,), (False,)])
    assert same == Rivals(pytest.approx(0.4), pytest.approx(0.3), pytest.approx(0.2))  # type: ignore[arg-type]
    assert same.is_toss_up
    assert not same.is_decisive  # 0.4 is no less than twice 0.2
    assert rivals_of(beam, ["a", "b", "a"], [(True,), (False,), (True,)]).is_toss_up is False


def test_consistency_is_given_for_clear_ones_and_toss_ups(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from chorale.nlvr.pictures.synthetic import write_corpus  # noqa: PLC0415

    file = write_corpus(tmp_path, {"dev": 6})["dev"]
    utterances = read_data(file).utterances
    corpus = Corpus.of(DOMAIN, "consistent", utterances)
    beams = {one.sentence: {YELLOW: 0.4, BLUE: 0.3} for one in utterances}
    beams[utterances[0].sentence] = {YELLOW: 0.9}
    found = probe(Fixed(beams), corpus, DOMAIN, "consistent", contexts=100)
    scores = found.scores()
    assert scores["clear"].groups + scores["toss-up"].groups == len(utterances)
    assert scores["clear"].groups == sum(one.sentence == utterances[0].sentence for one in utterances)


def test_nothing_cannot_be_probed() -> None:
    with pytest.raises(ChoraleError, match="no utterances to probe"):
        probe(Fixed({}), Corpus.of(DOMAIN, "consistent", []), DOMAIN, "consistent")
