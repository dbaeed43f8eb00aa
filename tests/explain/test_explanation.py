"""Explanations of what the shipped models say."""

from __future__ import annotations

import json

import pytest
from tests.explain.conftest import SCENE, SENTENCE

from chorale.errors import ChoraleError
from chorale.model import Model


def test_a_ranker_tells_words_weights_and_what_decided(ranker: Model) -> None:
    explanation = ranker.parse(SENTENCE, [SCENE])[0].explain()
    assert explanation.answer is True
    assert {(it.name, it.words) for it in explanation.tree} >= {("black", "black"), ("top", "top")}
    assert explanation.weights[0].weight > 0
    assert explanation.rival is not None
    assert explanation.rival.program != explanation.reading.program
    assert explanation.decided
    assert explanation.steps[-1].result == "true"
    assert explanation.reading.attention is None


def test_a_network_tells_where_it_looked(network: Model) -> None:
    record = network.parse(SENTENCE, [SCENE])[0].explain().to_json()
    assert len(record["attention"]) == len(record["actions"])
    assert all(len(row) == len(record["words"]) for row in record["attention"])
    assert record["weights"] == record["decided"] == []
    assert all(node["words"] == "" for node in record["tree"])


def test_the_json_of_an_explanation_says_all_of_it(ranker: Model) -> None:
    record = json.loads(json.dumps(ranker.parse(SENTENCE, [SCENE])[0].explain().to_json()))
    assert record["plain"] == "Is there a box that holds a black object at the top?"
    assert record["answer"] is True
    assert record["steps"][-1]["text"] == record["program"]
    assert record["readings"][0]["programs"][0] == record["program"]
    shown = sum(it["probability"] for it in record["readings"])
    assert shown + record["other_readings"]["probability"] == pytest.approx(1)


def test_a_lower_program_of_the_beam_is_explained_against_the_best(ranker: Model) -> None:
    first, second, *_ = ranker.parse(SENTENCE, [SCENE])
    explanation = second.explain()
    assert explanation.reading is second
    assert explanation.rival is not None
    assert explanation.rival.program == first.program


def test_an_explanation_says_how_far_to_believe_it(network: Model) -> None:
    parse, *others = network.parse("There is a yelow block in a frumious tower", [SCENE])
    explanation = parse.explain(answer_if=0)
    assert explanation.trust is not None
    assert explanation.answer == explanation.said == (parse.answers or ())[0]
    answered = network.answer("There is a yelow block in a frumious tower", SCENE)
    assert (explanation.trust.confidence, explanation.trust.reasons) == (answered.confidence, answered.reasons)
    assert "'frumious' is not known" in "".join(it["text"] for it in explanation.to_json()["reasons"])
    doubted = parse.explain(answer_if=1)
    assert doubted.said is not None
    assert doubted.answer is None
    assert doubted.to_json()["answer"] is None
    assert others[0].explain().trust is None  # confidence is in the best program


def test_without_a_picture_there_is_no_trace(ranker: Model) -> None:
    parse = ranker.parse(SENTENCE)[0]
    explanation = parse.explain()
    assert explanation.answer is None
    assert explanation.steps == ()
    with pytest.raises(ChoraleError, match="nothing to draw"):
        explanation.picture("png")
    with pytest.raises(ChoraleError, match="parse the sentence with a picture"):
        parse.trace()


def test_a_parse_traces_itself(ranker: Model) -> None:
    parse = ranker.parse(SENTENCE, [SCENE])[0]
    assert [step.text for step in parse.trace()] == [step.text for step in parse.explain().steps]
    assert parse.explain().picture("svg").startswith(b"<svg")
