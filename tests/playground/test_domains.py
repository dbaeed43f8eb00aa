"""The API with domains of other kinds: no pictures, answers that are numbers, programs with constants of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.people import PeopleDomain
from tests.playground.bills import BillLexicon, Bills, BillsWithoutJson, ItemisedBills, untrained
from tests.playground.conftest import Inline
from tests.playground.test_app import asked, refused

from chorale.domain import Domain, Hints, Utterance
from chorale.playground import limits
from chorale.playground.answering import Answering
from chorale.playground.app import application

BILL = {"lines": [{"item": "tea", "price": 3}, {"item": "soup", "price": 7}, {"item": "juice", "price": 5}]}
COUNT, TOTAL = "count(drinks(all_lines))", "total(drinks(all_lines))"
SUM = "What is the sum of the drinks?"


def served(domain: Domain) -> Iterator[TestClient]:
    app = application(Inline(Answering(untrained(domain), invented=1_000)), "mine", names=["testserver"])
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def bills() -> Iterator[TestClient]:
    yield from served(Bills())


@pytest.fixture(scope="module")
def itemised() -> Iterator[TestClient]:
    yield from served(ItemisedBills())


@pytest.fixture(scope="module")
def without_json() -> Iterator[TestClient]:
    yield from served(BillsWithoutJson())


# -- what is served ----------------------------------------------------------------------------------------------------


def test_a_domain_tells_what_it_can_what_it_speaks_of_and_an_example(bills: TestClient) -> None:
    about = bills.get("/api/about").json()
    assert set(about["can"]) == {"codec", "generator", "teaching"}
    assert (about["context_word"], about["sentences"]) == ("bill", list(Bills.sentences))
    assert "objects_in_a_box" not in about["limits"]
    example = about["example"]
    found = asked(bills, "run", program=example["program"], scene=example["scene"])
    assert found["answer"] == asked(bills, "parse", sentence=example["sentence"], scene=example["scene"])["answer"]


def test_the_description_has_the_domains_own_examples(bills: TestClient) -> None:
    example = bills.get("/api/about").json()["example"]
    described = bills.get("/api/openapi.json").json()["components"]["schemas"]
    assert described["RunRequest"]["properties"]["scene"]["examples"] == [example["scene"]]
    assert described["RunRequest"]["properties"]["program"]["examples"] == [example["program"]]
    assert described["ParseRequest"]["properties"]["sentence"]["examples"] == [Bills.sentences[0]]


# -- sentences and programs --------------------------------------------------------------------------------------------


def test_a_question_is_answered_with_a_number_and_the_value_of_each_part(bills: TestClient) -> None:
    found = asked(bills, "parse", sentence="What do the dear meals cost?", scene=BILL)
    assert (found["answer"], found["answer_text"], found["scene"]) == (7, "7", BILL)
    best = found["parses"][0]
    assert best["program"] == "total(dear(meals(all_lines)))"
    [meals] = best["tree"]["children"][0]["children"]
    assert [found["words"][n] for n in meals["words"]] == ["meals"]
    assert best["steps"][meals["step"]]["value"] == "1"  # the second line
    assert best["steps"][best["tree"]["step"]]["value"] == "7"


def test_a_sentence_is_read_without_a_context(bills: TestClient) -> None:
    found = asked(bills, "parse", sentence=SUM)
    assert (found["answer"], found["answer_text"], found["scene"]) == (None, None, None)
    assert {one["program"] for one in found["parses"][:2]} == {COUNT, TOTAL}


def test_two_programs_are_told_apart_in_the_context_itself_or_an_invented_one(bills: TestClient) -> None:
    here = asked(bills, "distinguish", one=COUNT, other=TOTAL, scene=BILL)
    assert (here["scene"], here["answers"], here["answer_texts"], here["changes"]) == (BILL, [2, 8], ["2", "8"], 0)
    nothing: dict[str, Any] = {"lines": []}
    for message in ({}, {"scene": nothing}):
        found = asked(bills, "distinguish", one=COUNT, other=TOTAL, **message)
        said = [asked(bills, "run", program=text, scene=found["scene"])["answer"] for text in (COUNT, TOTAL)]
        assert found["changes"] is None
        assert found["answers"] == said
        assert said[0] != said[1]


def test_contexts_are_invented_and_not_changed_where_the_domain_cannot(bills: TestClient) -> None:
    one, again, other = (bills.get(f"/api/invent?seed={seed}").json()["scene"] for seed in (1, 1, 2))
    assert one == again != other
    message = refused(bills, "change", "not_supported", program=COUNT, scene=BILL, answer=1)
    assert "has no editing" in message
    assert "reads no pictures" in refused(bills, "see", "not_supported", picture="AAAA")


class _Counting(Bills):
    """Counts how often its lexicon is asked."""

    asked = 0

    def lexicon(self, language: str) -> BillLexicon:
        domain = self

        class Counted(BillLexicon):
            def hints(self, utterance: Utterance) -> Hints:
                domain.asked += 1
                return super().hints(utterance)

        return Counted(self.languages[language].grammar.signature)


def test_the_lexicon_is_asked_once_for_a_sentence() -> None:
    domain = _Counting()
    answering = Answering(untrained(domain))
    for _ in range(2):
        answering.parse("How many meals are there?", BILL, None, 5, 0.5)
    assert domain.asked == 1


# -- constants of their own --------------------------------------------------------------------------------------------


def test_programs_are_read_with_the_constants_of_the_context_that_comes_along(itemised: TestClient) -> None:
    sentence = "What does the soup cost?"
    found = asked(itemised, "parse", sentence=sentence, scene=BILL)
    assert (found["answer"], found["parses"][0]["program"]) == (7, "total(only(soup, all_lines))")
    for one in found["parses"]:
        assert asked(itemised, "run", program=one["program"], scene=BILL)["answer"] == one["answer"]
    without_soup = {"lines": BILL["lines"][:1]}
    message = refused(itemised, "run", "bad_program", program=found["parses"][0]["program"], scene=without_soup)
    assert "soup" in message


def test_programs_are_read_with_the_constants_of_the_sentence_that_comes_along(itemised: TestClient) -> None:
    sentence = "What do the drinks above 4 cost?"
    found = asked(itemised, "parse", sentence=sentence, scene=BILL)
    best = found["parses"][0]
    assert (best["program"], best["answer"]) == ("total(above(4, drinks(all_lines)))", 5)
    assert asked(itemised, "run", program=best["program"], scene=BILL, sentence=sentence)["answer"] == 5
    assert "4" in refused(itemised, "run", "bad_program", program=best["program"], scene=BILL)
    other = best["program"].replace("4", "2")
    refused(itemised, "distinguish", "bad_program", one=best["program"], other=other, scene=BILL, sentence=sentence)


def test_their_programs_are_told_apart_in_contexts_that_have_the_same_constants(itemised: TestClient) -> None:
    one, other = "count(only(soup, all_lines))", "count(only(tea, all_lines))"
    assert asked(itemised, "run", program=one, scene=BILL) != asked(itemised, "run", program=other, scene=BILL)
    found = asked(itemised, "distinguish", one=one, other=other, scene=BILL)
    assert found["changes"] is None  # there is one of each on this bill
    assert found["answers"] == [
        sum(line["item"] == item for line in found["scene"]["lines"]) for item in ("soup", "tea")
    ]


def test_without_its_context_such_a_sentence_is_not_read(itemised: TestClient) -> None:
    assert "with their bill" in refused(itemised, "parse", "bad_scene", sentence=SUM)
    assert "with their bill" in refused(itemised, "distinguish", "bad_scene", one=COUNT, other=TOTAL)


ANNA, BERT, DORA = (
    {"name": name, "city": city, "job": job}
    for name, city, job in (("anna", "paris", "baker"), ("bert", "rome", "nurse"), ("dora", "rome", "baker"))
)


@pytest.fixture(scope="module")
def people() -> Iterator[TestClient]:
    yield from served(PeopleDomain())


@pytest.mark.parametrize(
    ("sentence", "program", "answer", "text"),
    [
        ("How many have rome?", "count(who(city, rome, everybody))", 2, "2"),
        ("What is the city of anna?", "look_up(city, who(name, anna, everybody))", ["paris"], "paris"),
        ("What is the name of rome?", "look_up(name, who(city, rome, everybody))", ["bert", "dora"], "bert|dora"),
    ],
)
def test_questions_about_a_table_have_numbers_and_lists_for_answers(
    people: TestClient, sentence: str, program: str, answer: Any, text: str
) -> None:
    table = [ANNA, BERT, DORA]
    found = asked(people, "parse", sentence=sentence, scene=table, top=10)
    [read] = [one for one in found["parses"] if one["program"] == program]
    assert (read["answer"], read["answer_text"]) == (answer, text)
    assert asked(people, "run", program=program, scene=table, sentence=sentence)["answer"] == answer
    marks = [{"sentence": sentence, "scene": table, "answer": answer}]
    [taught] = asked(people, "teach", marks=marks)["marked"]
    assert (taught["right_after"], taught["marks"]) == (1, 1)
    lines = asked(people, "export", marks=marks)["lines"]
    assert [(line["contexts"], line["answers"]) for line in lines] == [([table], [answer])]


def test_a_table_is_refused_in_the_words_of_its_domain(people: TestClient) -> None:
    assert "expected a table" in refused(people, "parse", "bad_scene", sentence="How many have rome?", scene={})
    assert "with their table" in refused(people, "parse", "bad_scene", sentence="How many have rome?")
    about = people.get("/api/about").json()
    assert (about["context_word"], about["sentences"]) == ("table", [])
    assert [set(row) for row in about["example"]["scene"]] == [{"name", "city", "job", "pet"}] * 5


# -- teaching ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [{"answer": 8}, {"answer_text": "8"}])
def test_a_number_is_marked_as_json_or_text_taught_and_exported(
    bills: TestClient, answer: dict[str, Any], tmp_path: Path
) -> None:
    marks = [{"sentence": SUM, "scene": BILL, **answer}]
    assert asked(bills, "parse", sentence=SUM, scene=BILL)["parses"][0]["answer"] == 2
    taught = asked(bills, "parse", sentence=SUM, scene=BILL, marks=marks)
    assert (taught["parses"][0]["program"], taught["answer"]) == (TOTAL, 8)
    found = asked(bills, "teach", marks=marks)
    [changed] = found["marked"]
    assert (found["others"], found["looked_at"]) == ([], len(Bills.sentences) - 1)  # the marked sentence is no other
    assert (changed["before"]["program"], changed["after"]["program"]) == (COUNT, TOTAL)
    assert (changed["right_before"], changed["right_after"], changed["marks"]) == (0, 1, 1)
    file = tmp_path / "marks.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in asked(bills, "export", marks=marks)["lines"]))
    [read] = Bills().read(file)
    assert (read.sentence, read.contexts, read.answers) == (SUM, (BILL,), (8,))


def test_marks_of_one_sentence_about_contexts_with_other_constants_are_utterances_of_their_own(
    itemised: TestClient, tmp_path: Path
) -> None:
    sentence = "What is the sum of the tea?"
    other = {"lines": [{"item": "tea", "price": 4}, {"item": "cake", "price": 2}]}
    marks = [{"sentence": sentence, "scene": bill, "answer": price} for bill, price in ((BILL, 3), (other, 4))]
    found = asked(itemised, "teach", marks=marks)
    assert [(one["right_before"], one["right_after"], one["marks"]) for one in found["marked"]] == [(0, 1, 1)] * 2
    assert (found["looked_at"], found["sentences"]) == (0, 0)
    file = tmp_path / "marks.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in asked(itemised, "export", marks=marks)["lines"]))
    assert [one.contexts for one in ItemisedBills().read(file)] == [(BILL,), (other,)]


@pytest.mark.parametrize("answer", [{}, {"answer": None}, {"answer": {"a": 1}}, {"answer": 1, "answer_text": "1"}])
def test_what_is_no_answer_is_refused(bills: TestClient, answer: dict[str, Any]) -> None:
    assert "marks.0.answer" in refused(bills, "teach", "invalid", marks=[{"sentence": SUM, "scene": BILL, **answer}])


# -- contexts that nobody can work with --------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", [1, [], {}, {"lines": 1}, {"lines": [{"item": "gold", "price": 1}]}])
def test_a_context_that_programs_stumble_over_is_refused_and_not_a_fault(bills: TestClient, scene: Any) -> None:
    assert "do not work on this bill" in refused(bills, "parse", "bad_scene", sentence=SUM, scene=scene)
    refused(bills, "run", "bad_scene", program="total(drinks(all_lines))", scene=scene)
    refused(bills, "teach", "bad_scene", marks=[{"sentence": SUM, "scene": scene, "answer": 1}])


def test_what_the_codec_refuses_is_told_in_its_own_words(itemised: TestClient) -> None:
    assert "each with an item" in refused(itemised, "parse", "bad_scene", sentence=SUM, scene={"lines": [1]})


def test_the_name_of_a_file_is_a_text_and_is_not_opened(bills: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "bill.json"
    file.write_text(json.dumps(BILL))
    refused(bills, "parse", "bad_scene", sentence=SUM, scene=str(file))


def deep(levels: int) -> Any:
    return [] if levels == 1 else [deep(levels - 1)]


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ({**BILL, "note": deep(limits.DEPTH)}, "levels deep"),
        ({**BILL, "note": [0] * limits.VALUES}, "20,000 values"),
        ({**BILL, "note": float("nan")}, "no number"),
        ({**BILL, "note": "\ud800"}, "half a letter"),
        ({**BILL, "\ud800": 1}, "half a letter"),
    ],
)
def test_what_is_too_much_or_could_not_be_sent_back_is_refused(bills: TestClient, scene: Any, message: str) -> None:
    content = json.dumps({"sentence": SUM, "scene": scene})
    response = bills.post("/api/parse", content=content, headers={"Content-Type": "application/json"})
    assert response.json()["error"]["code"] == "bad_scene"
    assert message in response.json()["error"]["message"]
    note = {**BILL, "note": [deep(limits.DEPTH - 2), "\u00e9", 0.5]}
    assert asked(bills, "parse", sentence=SUM, scene=note)["scene"] == note


# -- no JSON -----------------------------------------------------------------------------------------------------------


def test_where_contexts_have_no_json_sentences_are_still_read(without_json: TestClient) -> None:
    about = without_json.get("/api/about").json()
    assert "codec" not in about["can"]
    assert about["example"]["scene"] is None
    assert "price" in about["example"]["text"]
    assert asked(without_json, "parse", sentence=SUM)["parses"]
    assert "has no codec, which a bill as JSON needs" in refused(
        without_json, "parse", "not_supported", sentence=SUM, scene=BILL
    )
    assert without_json.get("/api/invent").json()["error"]["code"] == "not_supported"
