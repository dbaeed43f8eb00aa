"""Parsers whose programs are simplified."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from tests.people import PeopleDomain

from chorale.domain import Reading, Unlabelled
from chorale.domain.parsing import Corpus, Simplifying
from chorale.domain.reading import merged
from chorale.errors import ChoraleError
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr

BEAM = {
    "object_color_same(bottom(bottom(all_objects)))": 0.3,
    "object_exists(square(yellow(all_objects)))": 0.25,
    "object_color_same(bottom(all_objects))": 0.2,
    "object_exists(yellow(square(all_objects)))": 0.125,
}


def read(text: str, probability: float) -> Reading:
    return Reading(Consistent.parse(text), log_probability=math.log(probability))


class Fixed:
    """A parser that gives the same beam for every sentence."""

    def parse(
        self, corpus: Corpus, *, beam: int | None = None, top: int | None = None, attention: bool = False
    ) -> Iterator[tuple[int, list[Reading]]]:
        for index in range(len(corpus)):
            found = [read(text, probability) for text, probability in BEAM.items()]
            yield index, found[:top]


def parsed(top: int | None = None) -> list[Reading]:
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
    assert first.program != first.simplified_from
    assert [first.decoded.text, second.decoded.text] == list(BEAM)[:2]


def test_the_whole_beam_counts_even_if_one_program_is_wanted() -> None:
    assert [round(math.exp(one.log_probability), 6) for one in parsed(top=1)] == [0.5]


def test_readings_of_one_meaning_are_one_and_keep_their_programs() -> None:
    """At the place of the first; probabilities add up, and never to more than one."""
    texts = ("object_exists(yellow(all_objects))", "object_exists(all_objects)", "object_exists(blue(all_objects))")
    beam = [read(text, probability) for text, probability in zip((*texts, texts[0]), (0.5, 0.2, 0.2, 0.6), strict=True)]
    first, second = merged(zip("abaa", beam, strict=True))
    assert (first.program, second.program) == (beam[0].program, beam[1].program)
    assert first.same == (beam[2].program,)
    assert first.probability == 1.0
    assert second.probability == pytest.approx(0.2)


# -- corpora -----------------------------------------------------------------------------------------------------------


def test_a_corpus_has_words_hints_and_what_tells_programs_apart_if_they_are_asked_for() -> None:
    said = [Unlabelled("There is a BLACK box."), Unlabelled("One circle")]
    domain = Nlvr()
    bare = Corpus.of(domain, "consistent", said, grounded=False)
    assert (bare.hints, bare.agendas, bare.meanings) == (None, None, None)
    assert bare.words == [list(domain.words(one.sentence)) for one in said] == bare.sentences([0, 1])
    assert bare.own_grammars([0, 1]) is None
    full = Corpus.of(domain, "consistent", said, agenda=True, hints=True, sample=True)
    assert full.hints == [domain.lexicon("consistent").hints(one) for one in said]
    assert full.agendas is not None
    assert [[Consistent.grammar.productions[number].name for number in one] for one in full.agendas] == [
        sorted(domain.agenda("consistent").required(one), key=Consistent.grammar.terminal_ids.__getitem__)
        for one in said
    ]
    assert full.meanings is not None
    assert full.meanings(0) is full.meanings(1), "pictures are the same for all sentences"


def test_utterances_that_bring_constants_have_grammars_and_meanings_of_their_own() -> None:
    domain = PeopleDomain()
    said = [Unlabelled("How many?", (table,)) for table in domain.variants(None, 2, 0)]
    corpus = Corpus.of(domain, "asking", said, sample=True)
    assert corpus.own_grammars([1, 0]) == [corpus.grounding.grammar(1), corpus.grounding.grammar(0)]
    assert corpus.meanings is not None
    for index, one in enumerate(said):
        assert corpus.meanings(index).contexts[0] == one.contexts[0]
    with pytest.raises(ChoraleError, match="sentences about people are read together with their table: give it too"):
        Corpus.of(domain, "asking", said, grounded=False)
