"""The one door: also for utterances that bring tables of their own, and for answers that agree by a rule of theirs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.search.conftest import Said
from tests.tables import Tables, questions, words_of

from chorale.domain import Answer, Grounding, Utterance
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.search.search import groups_of, search
from chorale.search.sentence import search_sentence
from chorale.search.settings import SearchSettings

REFERENCE = SearchSettings(procedure="reference")
SHORT = SearchSettings(max_actions=11)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "questions.jsonl"
    path.write_text("\n".join(questions(30, seed=2)))
    return path


@pytest.fixture(scope="module")
def grounding(asked: Path) -> Grounding:
    return Tables().ground("asking", Tables().read(asked))


class WithAgenda(Tables):
    """Tables, where a program must use the cells that a question names."""

    def agenda(self, language: str) -> WithAgenda:
        return self

    def required(self, utterance: Utterance) -> frozenset[str]:
        cells = {cell for row in utterance.contexts[0] for cell in row.values()}
        return frozenset(cells & set(words_of(utterance.sentence)))


def test_a_domain_without_an_agenda_cannot_be_searched_as_the_reference_does_and_the_error_says_so(
    grounding: Grounding,
) -> None:
    with pytest.raises(ChoraleError, match="tables has no agenda for asking, which the reference's search needs"):
        search(Tables(), "asking", grounding, REFERENCE)


def test_a_domain_without_a_lexicon_cannot_be_searched_by_meaning(grounding: Grounding) -> None:
    class Wordless(Tables):
        def lexicon(self, language: str) -> None:  # type: ignore[override]
            return None

    with pytest.raises(ChoraleError, match="tables has no lexicon for asking, which search by meaning needs"):
        search(Wordless(), "asking", grounding, SHORT)


@pytest.mark.parametrize("settings", [SHORT, REFERENCE])
def test_utterances_with_tables_of_their_own_are_searched_one_by_one(
    grounding: Grounding, settings: SearchSettings
) -> None:
    results = list(search(WithAgenda(), "asking", grounding, settings))
    assert [found.utterance for group in results for found in group] == list(range(30))
    covered = 0
    for [found] in results:
        covered += bool(found.candidates)
        for candidate in found.candidates:
            wrong = sum(not right for right in grounding.right(candidate.program, found.utterance))
            assert wrong == candidate.wrong == 0
    assert covered >= 25


def test_a_sentence_about_several_tables_is_answered_table_by_table(grounding: Grounding) -> None:
    found = search_sentence(Tables(), "asking", grounding, SHORT, grounding.utterances[0].sentence, Path("q.jsonl"))
    assert found.utterances[0].identifier == "0"
    assert found.candidates
    assert found.candidates[0].wrong == 0


def test_equal_sentences_are_pooled_only_where_that_means_something(
    domain: Nlvr, corpus: list[Said], grounding: Grounding
) -> None:
    shared = domain.ground("consistent", corpus)
    assert groups_of(shared, SHORT)[0] == (0, 1)
    for alone in (REFERENCE, SearchSettings(pool=False)):
        assert groups_of(shared, alone) == [(index,) for index in range(len(corpus))]
    assert groups_of(grounding, SHORT) == [(index,) for index in range(30)]


class Lenient(Nlvr):
    """NLVR where "yes" is right for true, and everything is for false."""

    def agrees(self, said: Answer, wanted: Answer) -> bool:
        return wanted == "no" or said is True


@pytest.mark.parametrize("procedure", ["meaning", "reference"])
def test_what_is_right_is_asked_of_the_domain(corpus: list[Said], procedure: str) -> None:
    said = [Said("0", "There is a yellow item", corpus[0].contexts, ("yes", "no", None, "yes"))]  # type: ignore[arg-type]
    domain = Lenient()
    grounding = domain.ground("consistent", said)
    settings = SearchSettings(procedure=procedure, max_actions=7, noise=0.0)  # type: ignore[arg-type]
    [[found]] = search(domain, "consistent", grounding, settings)
    assert found.candidates
    for candidate in found.candidates:
        answers = grounding.answers(candidate.program, 0)
        assert answers[0]
        assert answers[3]
        assert candidate.wrong == 0


def test_plain_equality_asked_of_whole_arrays_finds_the_same_as_answer_by_answer(corpus: list[Said]) -> None:
    class OneByOne(Nlvr):
        def agrees(self, said: Answer, wanted: Answer) -> bool:
            return said == wanted

    rng = Random(5)
    noisy = [one.labelled(*(a if rng.random() < 0.8 else None for a in one.answers)) for one in corpus]
    fast, slow = (
        [
            [(candidate.program.text, candidate.score, candidate.wrong) for candidate in found.candidates]
            for group in search(domain, "consistent", domain.ground("consistent", noisy), SearchSettings(max_actions=9))
            for found in group
        ]
        for domain in (Nlvr(), OneByOne())
    )
    assert fast == slow
