"""A ranker by key learns from marked answers, and changes as little as it can."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.towns import HEADER, town_rows

import chorale
from chorale.domain import Answer, Utterance
from chorale.domain.json_lines import Example
from chorale.errors import ChoraleError
from chorale.evaluation.teaching import changes_of
from chorale.model import Model
from chorale.ranker.keyed import KeyedRanker
from chorale.ranker.keyed_teaching import Question, Questions, questions_of
from chorale.ranker.teaching import NONE, TEACHING_FLIP
from chorale.tables.table import Table

FEWEST = "which town has the fewest people?"


def smallest(seed: int) -> str:
    """The town with the fewest people."""
    return min(town_rows(seed), key=lambda row: int(row[3]))[0]


def marked(sentence: str, seed: int, answer: Answer) -> Utterance:
    return Example("1", sentence, (Table(HEADER, town_rows(seed)),), (answer,))


@pytest.fixture(scope="module")
def model(towns: Path) -> Model:
    return chorale.load(towns)


@pytest.fixture(scope="module")
def taught(model: Model) -> Model:
    return model.taught([marked(FEWEST, 3, (smallest(3),))])


def weights_of(model: Model) -> dict[int, float]:
    assert isinstance(model.parser, KeyedRanker)
    weights = model.parser.weights
    return {key: weight for key, weight in zip(weights.keys.tolist(), weights.weights.tolist(), strict=True) if weight}


def said(model: Model, sentence: str, seed: int) -> str:
    return model.parse(sentence, Table(HEADER, town_rows(seed)))[0].said


def test_one_answer_teaches_a_question_also_about_other_tables(model: Model, taught: Model) -> None:
    for seed in (3, 7, 9):
        assert said(model, FEWEST, seed) != smallest(seed)
        assert said(taught, FEWEST, seed) == smallest(seed)


def test_other_questions_are_answered_as_before(model: Model, taught: Model, towns: Path) -> None:
    others = model.domain.read(towns.parent / "random-split-1-dev.tsv")
    asked = [marked(FEWEST, 3, (smallest(3),))]
    found = changes_of(model, taught, asked, others)
    assert found.looked_at == len({model.domain.identity(one) for one in others})
    assert taught.evaluate(others).score.accuracy == 1.0
    [one] = found.marked
    assert (one.right_before, one.right_after, one.marks) == (0, 1, 1)


def test_harm_to_other_questions_shows(model: Model, towns: Path) -> None:
    """Somebody teaches that the most people are the fewest."""
    wrong = [marked("which town has the most people?", seed, (smallest(seed),)) for seed in (3, 4)]
    others = model.domain.read(towns.parent / "random-split-1-dev.tsv")
    changed = changes_of(model, model.taught(wrong), wrong, others).others
    assert "which town has the most people?" in {one.sentence for one in changed}


def test_what_is_right_already_changes_nothing(model: Model) -> None:
    town, _, mayor, _ = town_rows(3)[0]
    again = model.taught([marked(f"who is the mayor of {town}?", 3, (mayor,))])
    assert weights_of(again) == weights_of(model)


def test_the_model_that_teaches_stays_as_it_is(model: Model) -> None:
    before = weights_of(model)
    model.taught([marked(FEWEST, 3, (smallest(3),))])
    assert weights_of(model) == before


def test_a_taught_model_is_a_folder_like_any_other(taught: Model, tmp_path: Path) -> None:
    taught.save(tmp_path / "taught")
    again = chorale.load(tmp_path / "taught")
    assert again.about.taught == 1
    assert said(again, FEWEST, 7) == smallest(7)


def test_an_answer_that_no_program_gives_teaches_nothing(model: Model) -> None:
    with pytest.raises(ChoraleError, match="no program gives an answer that was marked"):
        model.taught([marked(FEWEST, 3, ("Atlantis",))])


def test_a_question_that_cannot_be_learned_does_not_keep_others_from_it(model: Model) -> None:
    both = [marked("who?", 4, ("Atlantis",)), marked(FEWEST, 3, (smallest(3),))]
    assert said(model.taught(both), FEWEST, 7) == smallest(7)


def test_a_question_about_two_tables_is_refused(model: Model) -> None:
    tables = tuple(Table(HEADER, town_rows(seed)) for seed in (1, 2))
    with pytest.raises(ChoraleError, match="is about one table; this one has 2"):
        model.taught([Example("17", FEWEST, tables, (("a",), ("b",)))])


# -- the loss ----------------------------------------------------------------------------------------------------------


def slow_loss(question: Question, weights: dict[int, float], luck: float) -> float:
    """The loss of a marked utterance, program by program and feature by feature."""
    posed = question.posed
    scores = []
    for parts, prior in zip(posed.programs.tolist(), posed.priors.tolist(), strict=True):
        own = [
            key
            for part in parts
            for key, at in zip(posed.keys.tolist(), posed.part.tolist(), strict=True)
            if at == part
        ]
        scores.append(prior + sum(weights[key] for key in own))
    shares = [np.exp(score - max(scores)) for score in scores]
    fits = [(1 - TEACHING_FLIP) / luck if right else TEACHING_FLIP / (1 - luck) for right in question.right]
    likely = sum(share * fit for share, fit in zip(shares, fits, strict=True)) / sum(shares)
    return -float(np.log(likely + NONE))


def test_the_gradient_is_that_of_the_loss(model: Model) -> None:
    assert isinstance(model.parser, KeyedRanker)
    table = Table(HEADER, town_rows(3)[:2])
    small = KeyedRanker(
        model.domain,
        model.language,
        model.parser.search.model_copy(update={"meanings": 12}),
        model.parser.weights,
        ["call", "call-question", "given-type", "unsaid", "answer-type"],
    )
    asked = Example("1", FEWEST, (table,), (("Imst",),))
    questions = questions_of(small, [asked])
    assert isinstance(questions, Questions)
    [question] = questions.each
    weights = np.random.default_rng(0).normal(size=len(questions.keys))
    gradient, luck = questions.gradient(weights), model.domain.answers.chance(("Imst",))
    for place in range(len(weights)):
        sides = []
        for step in (1e-5, -1e-5):
            moved = weights + step * (np.arange(len(weights)) == place)
            sides.append(slow_loss(question, dict(zip(questions.keys.tolist(), moved.tolist(), strict=True)), luck))
        assert gradient[place] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=1e-5)
