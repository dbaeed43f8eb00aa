"""What Python gives at the top: `load`, `train`, `Model` and `Reading`, for pictures and for a domain of one's own."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.people import RECIPE, PeopleDomain

import chorale
from chorale.domain import Example
from chorale.errors import ChoraleError
from chorale.model import Model
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.training.recipes import parse_recipe

YELLOW, BLUE = (Scene(((Object(10, 10, 20, "circle", color),), (), ())) for color in ("yellow", "blue"))
SENTENCES = ["There is a yellow circle", "There is a blue circle"]
TABLE = (
    {"name": "anna", "city": "rome", "job": "baker"},
    {"name": "bert", "city": "rome", "job": "nurse"},
    {"name": "dora", "city": "oslo", "job": "nurse"},
)
OTHER = ({"name": "hugo", "city": "oslo", "job": "nurse"}, {"name": "gina", "city": "rome", "job": "baker"})
COUNT, WHICH = "How many have rome?", "Which people have nurse?"
JSON = [dict(row) for row in TABLE]


@pytest.fixture(scope="module")
def model() -> Model:
    return chorale.load()


@pytest.fixture(scope="module")
def asker(people: Path) -> Model:
    """A model of the domain of people."""
    return chorale.load(people, domain="tests.people:PeopleDomain")


# -- sentences and contexts -------------------------------------------------------------------------------------------


def test_each_sentence_may_have_a_picture_of_its_own(model: Model) -> None:
    asked = [(sentence, scene) for sentence in SENTENCES for scene in (YELLOW, BLUE.to_json())]
    assert [readings[0].answers for readings in model.parse(asked)] == [(True,), (False,), (False,), (True,)]
    assert [found.answer for found in model.answer(asked)] == [True, False, False, True]
    alone = [model.parse(sentence, context) for sentence, context in asked]
    assert [list(map(str, found)) for found in model.parse(asked)] == [list(map(str, found)) for found in alone]


def test_several_sentences_are_answered_about_one_picture(model: Model) -> None:
    assert [found.answer for found in model.answer(SENTENCES, YELLOW)] == [True, False]
    assert [found.answer for found in model.answer(tuple(SENTENCES), BLUE)] == [False, True]
    assert [found.answer for found in model.answer(SENTENCES)] == [None, None]
    assert model.answer([]) == []


def test_each_sentence_may_have_a_table_of_its_own_with_constants_of_its_own(asker: Model) -> None:
    asked = [(COUNT, TABLE), (COUNT, OTHER), (WHICH, TABLE), (WHICH, [dict(row) for row in OTHER])]
    wanted = [2, 1, ("bert", "dora"), ("hugo",)]
    assert [found.answer for found in asker.answer(asked, answer_if=0)] == wanted
    assert [readings[0].answers for readings in asker.parse(asked)] == [(answer,) for answer in wanted]
    assert [found.answer for found in asker.answer([COUNT, WHICH], TABLE)] == [2, ("bert", "dora")]


def test_a_tuple_of_rows_and_its_json_are_one_table_and_a_list_of_tables_is_several(asker: Model) -> None:
    for one in (TABLE, JSON, [TABLE], (TABLE,), [JSON]):
        assert asker.parse(COUNT, one)[0].answers == (2,)
    for several in ([TABLE, OTHER], (TABLE, OTHER), [JSON, OTHER]):
        assert asker.parse(COUNT, several)[0].answers == (2, 1)
    assert asker.answer(COUNT, JSON).answer == 2


def test_readings_and_answers_show_what_was_said(asker: Model) -> None:
    best = asker.parse(WHICH, [TABLE, OTHER])[0]
    assert isinstance(best, chorale.Reading)
    assert best.said == "bert|dora, hugo"
    assert repr(best) == f"<Reading {best.program}, {best.probability:.1%}, bert|dora, hugo>"
    assert best.plain is None  # its language has no words for programs
    assert [(step.text, step.result) for step in best.trace()][-1] == (best.program.text, "bert|dora")
    explained = best.explain()
    assert (explained.reading, explained.answer) == (best, ("bert", "dora"))


@pytest.mark.parametrize(
    ("sentence", "context", "said"),
    [
        (COUNT, None, "read together with their table: give it too"),
        ([COUNT, WHICH], None, "read together with their table: give it too"),
        (COUNT, 5, "expected a table, its file, or its JSON, or a list of such; found int 5"),
        (COUNT, [5], "found int 5|expected a table"),
        (COUNT, {"name": "anna"}, "expected a table: a list of rows"),
        (COUNT, object(), "found object"),
        (COUNT, "nowhere.json", r"nowhere\.json: no such file"),
        ([(COUNT, TABLE)], TABLE, "each sentence has a table of its own; leave out the other"),
        ([(COUNT, TABLE, 1)], None, "or a list of pairs"),
        ([(COUNT,)], None, "or a list of pairs"),
        ([(COUNT, TABLE), WHICH], None, "or a list of pairs"),
        ([(TABLE, COUNT)], None, "or a list of pairs"),
        ((COUNT, TABLE), None, "or a list of pairs"),
        ([(COUNT, 5)], None, "expected a table, its file"),
        ([(COUNT, None)], None, "expected a table, its file"),
        ({COUNT}, TABLE, "expected a sentence, a list of sentences"),
        (b"How many?", TABLE, "expected a sentence, a list of sentences"),
        (["", COUNT], TABLE, "there is no word in ''"),
    ],
)
def test_what_is_no_sentence_or_no_table_is_told_in_words(asker: Model, sentence: Any, context: Any, said: str) -> None:
    with pytest.raises(ChoraleError, match=said):
        asker.parse(sentence, context)
    if sentence != ["", COUNT]:  # an empty sentence is not known, and no mistake
        with pytest.raises(ChoraleError, match=said):
            asker.answer(sentence, context)


def test_our_errors_are_value_errors(model: Model) -> None:
    with pytest.raises(ValueError, match="expected a sentence"):
        model.parse(5)  # type: ignore[call-overload]


# -- utterances -------------------------------------------------------------------------------------------------------


def test_a_data_file_is_evaluated_by_its_path(asker: Model, people: Path) -> None:
    path = people.parent / "dev.jsonl"
    wanted = asker.evaluate(asker.domain.read(path))
    assert asker.evaluate(path) == asker.evaluate(str(path)) == wanted
    assert wanted.score.pairs == 20
    with pytest.raises(ChoraleError, match=r"nowhere\.jsonl: no such file"):
        asker.evaluate("nowhere.jsonl")


@pytest.mark.parametrize("given", [5, None, "dev.jsonl", ["a"], [(COUNT, TABLE)], {"sentence": COUNT}])
def test_what_is_no_list_of_utterances_is_told_in_words(asker: Model, given: Any) -> None:
    for ask in (asker.predict, asker.taught, asker.probe, *([] if isinstance(given, str) else [asker.evaluate])):
        with pytest.raises(ChoraleError, match="expected a list of utterances"):
            ask(given)
    assert len(asker.predict([Example("1", COUNT, (TABLE,), (2,))])) == 1


# -- readings by themselves -------------------------------------------------------------------------------------------


def test_a_reading_without_a_model_says_what_it_can(asker: Model) -> None:
    program = asker.parse(COUNT, TABLE)[0].program
    alone = chorale.Reading(program, answers=(2, ("a", "b")))
    assert alone.plain is None
    assert alone.said == "2, ('a', 'b')"
    assert program.text in repr(alone)
    assert program.text in alone._repr_html_()
    for ask in (alone.trace, alone.explain):
        with pytest.raises(ChoraleError, match=r"does not know its model; take one that `Model\.parse` gave"):
            ask()


def test_a_trace_without_a_context_is_told_what_it_lacks(model: Model) -> None:
    best = model.parse(SENTENCES[0])[0]
    with pytest.raises(ChoraleError, match="a trace needs a context: parse the sentence with a picture"):
        best.trace()
    assert best.plain == "Is there a yellow circle?"
    assert best.explain().answer is None


# -- loading and training ---------------------------------------------------------------------------------------------


def test_a_model_of_ones_own_domain_is_loaded_with_its_class_or_its_object(people: Path) -> None:
    for domain in ("tests.people:PeopleDomain", PeopleDomain()):
        assert chorale.load(people, domain=domain).answer(COUNT, TABLE).answer == 2  # type: ignore[arg-type]
        assert isinstance(chorale.load(str(people), domain).domain, PeopleDomain)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("domain", "said"),
    [
        (None, "there is no domain 'people' installed here"),
        ("nlvr", "the model is for people, not for nlvr"),
        ("people", "there is no domain 'people'"),
        ("tests.people:Nobody", "expected a class such as mymodule:Bar"),
        ("nowhere.at.all:People", "expected a class such as mymodule:Bar"),
        ("tests.people:Asking", r"expected a chorale\.domain\.Domain"),
        ("tests.people:NAMES", r"expected a chorale\.domain\.Domain"),
        (PeopleDomain, "found the class PeopleDomain itself"),
        (5, "expected a domain, as in Bar.., or the name of its class, 'mymodule:Bar'; found int 5"),
        (Path("people.py"), "expected a domain"),
    ],
    ids=str,
)
def test_what_is_no_domain_of_the_model_is_told_in_words(people: Path, domain: Any, said: str) -> None:
    with pytest.raises(ChoraleError, match=said):
        chorale.load(people, domain)


@pytest.mark.parametrize("path", [5, b"best", ["best"], object(), "", "nowhere"])
def test_what_is_no_model_is_told_in_words(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ChoraleError, match="expected the folder of a run, or one that ships"):
        chorale.load(path)


def test_a_training_is_one_call_and_the_same_call_loads_it(people: Path) -> None:
    weights = people / "model.safetensors"
    before = weights.stat().st_mtime_ns
    model = chorale.train(parse_recipe(RECIPE), str(people.parent), str(people), domain="tests.people:PeopleDomain")
    assert weights.stat().st_mtime_ns == before
    assert model.answer(COUNT, TABLE).answer == 2


def test_a_recipe_may_name_the_class_of_its_domain(people: Path, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(f'domain = "tests.people:PeopleDomain"\n{RECIPE}')
    model = chorale.train(tmp_path / "own.toml", people.parent, tmp_path / "run")
    assert (model.about.domain, model.about.recipe) == ("people", "people")
    assert model.answer(COUNT, TABLE).answer == 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"recipe": 5}, "expected a recipe; found int 5"),
        ({"recipe": "rankr"}, "did you mean 'ranker'?"),
        ({"data": None}, "expected a folder with the splits train and dev; found NoneType None"),
        ({"data": "nowhere"}, "nowhere: no such folder"),
        ({"out": 5}, "expected the folder of a run; found int 5"),
        ({"domain": 5}, "expected a domain"),
        ({"domain": PeopleDomain}, "found the class PeopleDomain itself"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_told_in_words(
    people: Path, tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    given = {"recipe": "ranker", "data": people.parent, "out": tmp_path / "run", "domain": PeopleDomain(), **changed}
    with pytest.raises(ChoraleError, match=said):
        chorale.train(**given)
    assert not (tmp_path / "run").exists()


# -- logging ----------------------------------------------------------------------------------------------------------


def test_loading_and_training_are_logged(people: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="chorale")
    chorale.load("best")
    [line] = caplog.messages
    assert line.endswith("model.json: a ranker for nlvr")
    chorale.train(parse_recipe(RECIPE), people.parent, people, domain=PeopleDomain())
    assert caplog.messages[1:] == [f"training people on {people.parent}", caplog.messages[-1]]
    assert {record.name.partition(".")[0] for record in caplog.records} == {"chorale"}


SILENT = """
import logging, chorale
chorale.load().answer("There is a yellow circle")
logging.getLogger("chorale").error("nobody asked")
"""


def test_nothing_is_said_unless_it_is_asked_for() -> None:
    command = [sys.executable, "-c", SILENT]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_names_at_the_top_are_there() -> None:
    for name in chorale.__all__:
        assert getattr(chorale, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Parse'"):
        _ = chorale.Parse
