from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.search.conftest import Said

from chorale.domain import Reading
from chorale.language import Program, run
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.search.search import search
from chorale.search.settings import SearchSettings

PLANTED = [
    ("There is a box with at least two yellow items",
     "box_exists(box_filter(all_boxes, object_count_greater_equals(2)(yellow)))"),
    ("There is a black square above a blue circle", "object_exists(black(square(above(blue(circle(all_objects))))))"),
    ("There are exactly two black items touching the wall", "object_count_equals(2, black(touch_wall(all_objects)))"),
    ("There is exactly one box with a small triangle and a big circle",
     "box_count_equals(1, box_filter(all_boxes, box_filter_and(object_exists(small(triangle)), "
     "object_exists(big(circle)))))"),
]  # fmt: skip

Saying = Callable[..., Said]


def searched(domain: Nlvr, said: list[Said], **settings: object) -> list[list[Reading]]:
    """The candidates of each utterance."""
    grounding = domain.ground("consistent", said)
    groups = search(domain, "consistent", grounding, SearchSettings(**settings))  # type: ignore[arg-type]
    found = {index: candidates for group in groups for index, candidates in group.items()}
    return [found[index] for index in range(len(said))]


@pytest.fixture(scope="session")
def meaning(domain: Nlvr) -> Callable[[str | Program], bytes]:
    """What a program says on many scenes."""
    rng = Random(11)
    language = domain.bind("consistent", None, [random_scene(rng) for _ in range(2000)])

    def of(program: str | Program) -> bytes:
        return bytes(run(language.parse(program) if isinstance(program, str) else program, language).tobytes())

    return of


@pytest.mark.parametrize(("sentence", "program"), PLANTED)
def test_a_planted_program_is_ranked_first_when_the_labels_determine_it(
    domain: Nlvr, say: Saying, meaning: Callable[[str | Program], bytes], sentence: str, program: str
) -> None:
    said = say(sentence, program, images=96)
    for noise in (0.0, 0.05):
        [candidates] = searched(domain, [said], noise=noise)
        assert meaning(candidates[0].program) == meaning(program)
        assert candidates[0].wrong == 0


@pytest.mark.parametrize(("sentence", "program"), PLANTED)
def test_a_planted_program_is_still_found_when_five_labels_in_a_hundred_are_wrong(
    domain: Nlvr, say: Saying, meaning: Callable[[str | Program], bytes], sentence: str, program: str
) -> None:
    said = say(sentence, program, images=60)
    flipped = set(Random(2).sample(range(60), 3))
    noisy = said.labelled(*(label != (place in flipped) for place, label in enumerate(said.answers)))
    [candidates] = searched(domain, [noisy])
    assert meaning(candidates[0].program) == meaning(program)
    assert candidates[0].wrong == 3
    [strict] = searched(domain, [noisy], noise=0.0)
    assert meaning(program) not in map(meaning, (candidate.program for candidate in strict))


def test_strict_candidates_are_right_everywhere_and_tolerant_ones_on_three_images_of_four(
    domain: Nlvr, corpus: list[Said]
) -> None:
    grounding = domain.ground("consistent", corpus)
    for noise, most in ((0.0, 0), (0.05, 1)):
        for index, candidates in enumerate(searched(domain, corpus, noise=noise)):
            for candidate in candidates:
                said = grounding.answers(candidate.program, index)
                labels = corpus[index].answers
                wrong = sum(one != other for one, other in zip(said, labels, strict=True))
                assert wrong == candidate.wrong <= most


def test_candidates_have_different_meanings_and_are_ranked_by_fit_and_prior(
    domain: Nlvr, corpus: list[Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chorale.search.groups.PROBES", len(corpus))
    everywhere = domain.ground("consistent", corpus)
    for candidates in searched(domain, corpus, keep=50):
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        meanings = [run(candidate.program, everywhere.bound).tobytes() for candidate in candidates]
        assert len(set(meanings)) == len(meanings)


def test_pooling_counts_the_labels_of_all_utterances_that_say_the_same(domain: Nlvr, say: Saying) -> None:
    sentence, program = PLANTED[0]
    said = say(sentence, program, images=64)
    quarters = [
        Said(str(at), sentence.upper() + "!" * at, said.contexts[at : at + 4], said.answers[at : at + 4])
        for at in range(0, 64, 4)
    ]
    pooled, alone = (searched(domain, quarters, pool=pool) for pool in (True, False))
    assert {candidates[0].program.text for candidates in pooled} == {program}
    assert {candidates[0].program.text for candidates in alone} != {program}


def test_labels_that_are_not_known_contradict_nothing(domain: Nlvr, say: Saying) -> None:
    said = say(*PLANTED[0], images=96)
    half = said.labelled(*(label if place % 2 else None for place, label in enumerate(said.answers)))
    none = said.labelled(*[None] * 96)
    of_half, of_none = searched(domain, [half, none], pool=False)
    assert of_half[0].program.text == PLANTED[0][1]
    assert of_none
    assert all(candidate.wrong == 0 for candidate in of_none)


@pytest.mark.parametrize("sentence", ["Hello world", "", "?!", "ok " * 300])
def test_a_sentence_without_a_known_word_is_no_crash(domain: Nlvr, say: Saying, sentence: str) -> None:
    odd = Said("odd", sentence, say(*PLANTED[0]).contexts[:4], (True, False, True, True))
    [candidates] = searched(domain, [odd])
    assert all(candidate.wrong <= 1 for candidate in candidates)


def test_a_corpus_of_one_utterance_with_one_image_can_be_searched(domain: Nlvr, say: Saying) -> None:
    one = Said("one", "There is a yellow item", say(*PLANTED[0]).contexts[:1], (True,))
    [candidates] = searched(domain, [one])
    assert candidates
