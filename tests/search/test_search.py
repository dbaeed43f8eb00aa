"""The one door: also for utterances that bring tables of their own, and for answers that agree by a rule of theirs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.people import PeopleDomain, questions, words_of
from tests.search.conftest import Said

from chorale.domain import Answer, Answers, Grounding, Utterance
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.search.groups import groups_of
from chorale.search.search import search
from chorale.search.sentence import search_sentence
from chorale.search.settings import SearchSettings

REFERENCE = SearchSettings(procedure="reference")
SHORT = SearchSettings(max_actions=11)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "questions.jsonl"
    path.write_text("\n".join(questions(30, seed=2)))
    return path


@pytest.fixture(scope="module")
def grounding(asked: Path) -> Grounding:
    return PeopleDomain().ground("asking", PeopleDomain().read(asked))


class WithAgenda(PeopleDomain):
    """People, where a program must use the cells that a question names."""

    def agenda(self, language: str) -> WithAgenda:
        return self

    def required(self, utterance: Utterance) -> frozenset[str]:
        cells = {cell for row in utterance.contexts[0] for cell in row.values()}
        return frozenset(cells & set(words_of(utterance.sentence)))


def test_a_domain_without_an_agenda_cannot_be_searched_as_the_reference_does_and_the_error_says_so(
    grounding: Grounding,
) -> None:
    with pytest.raises(ChoraleError, match="people has no agenda for asking, which the reference's search needs"):
        search(PeopleDomain(), "asking", grounding, REFERENCE)


def test_a_domain_without_a_lexicon_cannot_be_searched_by_meaning(grounding: Grounding) -> None:
    class Wordless(PeopleDomain):
        def lexicon(self, language: str) -> None:  # type: ignore[override]
            return None

    with pytest.raises(ChoraleError, match="people has no lexicon for asking, which search by meaning needs"):
        search(Wordless(), "asking", grounding, SHORT)


@pytest.mark.parametrize("settings", [SHORT, REFERENCE])
def test_utterances_with_tables_of_their_own_are_searched_one_by_one(
    grounding: Grounding, settings: SearchSettings
) -> None:
    results = list(search(WithAgenda(), "asking", grounding, settings))
    assert [list(found) for found in results] == [[index] for index in range(30)]
    covered = 0
    for index, found in enumerate(results):
        covered += bool(found[index])
        for candidate in found[index]:
            wrong = sum(not right for right in grounding.right(candidate.program, index))
            assert wrong == candidate.wrong == 0
    assert covered >= 25


def test_a_sentence_about_several_tables_is_answered_table_by_table(grounding: Grounding) -> None:
    found = search_sentence(
        PeopleDomain(), "asking", grounding, SHORT, grounding.utterances[0].sentence, Path("q.jsonl")
    )
    assert found.utterances[0].identifier == "0"
    assert found.readings
    assert found.readings[0].wrong == 0


def test_equal_sentences_are_pooled_only_where_that_means_something(
    domain: Nlvr, corpus: list[Said], grounding: Grounding
) -> None:
    assert groups_of(domain, "consistent", corpus, SHORT)[0] == (0, 1)
    for alone in (REFERENCE, SearchSettings(pool=False)):
        assert groups_of(domain, "consistent", corpus, alone) == [(index,) for index in range(len(corpus))]
    asked = grounding.utterances
    assert groups_of(PeopleDomain(), "asking", asked, SHORT) == [(index,) for index in range(30)]
    assert groups_of(PeopleDomain(), "asking", [asked[0], asked[1], asked[0]], SHORT) == [(0, 2), (1,)]


class YesOrNo(Answers):
    """ "Yes" is right for true, and everything is for "no"."""

    def agrees(self, said: Answer, wanted: Answer) -> bool:
        return wanted == "no" or said is True


class Lenient(Nlvr):
    answers = YesOrNo()


@pytest.mark.parametrize("procedure", ["meaning", "reference"])
def test_what_is_right_is_asked_of_the_domain(corpus: list[Said], procedure: str) -> None:
    said = [Said("0", "There is a yellow item", corpus[0].contexts, ("yes", "no", None, "yes"))]  # type: ignore[arg-type]
    domain = Lenient()
    grounding = domain.ground("consistent", said)
    settings = SearchSettings(procedure=procedure, max_actions=7, noise=0.0)  # type: ignore[arg-type]
    [found] = search(domain, "consistent", grounding, settings)
    assert found[0]
    for candidate in found[0]:
        answers = grounding.answers(candidate.program, 0)
        assert answers[0]
        assert answers[3]
        assert candidate.wrong == 0


def test_plain_equality_asked_of_whole_arrays_finds_the_same_as_answer_by_answer(corpus: list[Said]) -> None:
    class Equal(Answers):
        def agrees(self, said: Answer, wanted: Answer) -> bool:
            return said == wanted

    class OneByOne(Nlvr):
        answers = Equal()

    assert Nlvr.answers.is_equality
    assert not OneByOne.answers.is_equality
    rng = Random(5)
    noisy = [one.labelled(*(a if rng.random() < 0.8 else None for a in one.answers)) for one in corpus]
    fast, slow = (
        [
            [(candidate.program.text, candidate.score, candidate.wrong) for candidate in found]
            for group in search(domain, "consistent", domain.ground("consistent", noisy), SearchSettings(max_actions=9))
            for found in group.values()
        ]
        for domain in (Nlvr(), OneByOne())
    )
    assert fast == slow
