"""Reports, prediction files and comparisons."""

import json
import math
from dataclasses import dataclass, replace

import pytest
from tests.written import as_csv

from chorale.domain import Answer, Answers, Reading
from chorale.errors import ChoraleError
from chorale.evaluation.compare import System, compare
from chorale.evaluation.evaluate import evaluate
from chorale.evaluation.metrics import Score
from chorale.evaluation.predictions import PredictionLine
from chorale.nlvr import Consistent


@dataclass(frozen=True)
class Said:
    identifier: str
    sentence: str
    contexts: tuple[str, ...]
    answers: tuple[bool | None, ...]
    pairs: tuple[tuple[int, str], ...] = ()


UTTERANCES = [
    Said("1", "a red cat", ("tower", "tower"), (True, False)),
    Said("2", "a red dog", ("scatter", "scatter"), (True, True)),
    Said("3", "a big owl", ("scatter",), (False,)),
]
PROGRAM = Consistent.parse("object_exists(yellow(all_objects))")


def reading(utterance: Said, *answers: Answer, probability: float = 1.0) -> Reading:
    return Reading(PROGRAM, log_probability=math.log(probability), answers=answers, utterance=utterance)


PREDICTIONS = [
    reading(UTTERANCES[0], True, False, probability=0.5),
    reading(UTTERANCES[1], True, False, probability=0.25),
    reading(UTTERANCES[2], True),
]


def test_a_report_gives_all_figures() -> None:
    report = evaluate(
        UTTERANCES,
        PREDICTIONS,
        abstraction=lambda sentence: sentence.rsplit(" ", 1)[0],
        seen={"a red"},
        kind=str,
    )
    assert report.score == Score(pairs=5, right_pairs=3, groups=3, right_groups=1)
    assert (report.baseline, report.baseline_accuracy) == ("true", 0.6)
    assert report.parts == {
        "seen in train": Score(4, 3, 2, 1),
        "not seen in train": Score(1, 0, 1, 0),
        "tower": Score(2, 2, 1, 1),
        "scatter": Score(3, 1, 2, 0),
    }
    assert list(report.parts) == ["scatter", "tower", "seen in train", "not seen in train"]
    assert report.right == {"1": (True, True), "2": (True, False), "3": (False,)}
    assert json.loads(json.dumps(report.to_json()))["parts"]["tower"]["consistency"] == 1.0


def test_without_abstraction_and_kind_there_are_no_parts() -> None:
    assert evaluate(UTTERANCES, PREDICTIONS).parts == {}


def test_unlabelled_utterances_cannot_be_scored() -> None:
    unlabelled = Said("9", "x", ("a",), (None,))
    with pytest.raises(ChoraleError, match="utterance 9 has no labels"):
        evaluate([unlabelled], [reading(unlabelled, True)])
    with pytest.raises(ChoraleError, match="no utterances to score"):
        evaluate([], [])


def test_predictions_are_written_in_the_official_form() -> None:
    assert as_csv(UTTERANCES, PREDICTIONS, Answers()) == "1-0,true\n1-1,false\n2-0,true\n2-1,false\n3-0,true\n"


def test_predictions_come_in_the_order_of_the_data() -> None:
    utterances = [
        Said("7", "x", ("a", "b"), (None, None), ((1, "7-3"), (3, "7-1"))),
        Said("8", "y", ("c",), (None,), ((2, "8-0"),)),
    ]
    said = [reading(utterances[0], True, False), reading(utterances[1], False)]
    assert as_csv(utterances, said, Answers()) == "7-3,true\n8-0,false\n7-1,false\n"


def test_the_domain_says_which_answers_are_right() -> None:
    class Lenient(Answers):
        def agrees(self, said: Answer, wanted: Answer) -> bool:
            return bool(said or not wanted)

    found = evaluate(UTTERANCES, PREDICTIONS, compared=Lenient())
    assert found.right == {"1": (True, True), "2": (True, False), "3": (True,)}


def test_programs_are_one_json_line_per_utterance() -> None:
    line = PredictionLine.of(PREDICTIONS[0], Answers())
    assert line.text.count("\n") == 1
    assert json.loads(line.text) == {
        "identifier": "1",
        "sentence": "a red cat",
        "program": PROGRAM.text,
        "probability": 0.5,
        "denotations": [True, False],
        "confidence": None,
        "meant": None,
        "reasons": [],
    }
    values = PredictionLine.of(reading(UTTERANCES[0], ("a", "b"), frozenset({2, 1}), 7), Answers())
    assert json.loads(values.text)["denotations"] == ["a|b", "1|2", 7]


@pytest.mark.parametrize(("answer_if", "said"), [(0.0, "1-0,true\n1-1,7\n"), (0.6, "1-0,unknown\n1-1,unknown\n")])
def test_what_is_less_sure_than_asked_for_is_written_as_unknown(answer_if: float, said: str) -> None:
    unsure = replace(reading(UTTERANCES[0], True, 7), confidence=0.5)
    assert as_csv(UTTERANCES[:1], [unsure], Answers(), answer_if) == said


def right(*rows: tuple[bool, ...]) -> dict[str, tuple[bool, ...]]:
    return {str(number): row for number, row in enumerate(rows)}


YES, HALF, NO = (True, True), (True, False), (False, False)


def test_comparison_of_a_clear_step() -> None:
    worse = System("worse", [right(NO, NO, YES, NO, NO), right(NO, NO, YES, HALF, NO)])
    better = System("better", [right(YES, YES, YES, YES, YES), right(YES, YES, YES, YES, YES)])
    accuracy, consistency = compare(worse, better)
    assert accuracy.before[0] == pytest.approx(0.25)
    assert consistency.before == pytest.approx((0.2, 0.0))
    assert consistency.after == (1.0, 0.0)
    assert consistency.over_utterances.difference == pytest.approx(0.8)
    assert consistency.over_utterances.p < 0.05
    assert consistency.over_seeds == 0.0
    assert compare(better, worse)[1].over_seeds == 1.0


def test_no_step_is_not_significant() -> None:
    same = System("same", [right(YES, NO, HALF), right(NO, YES, HALF)])
    for step in compare(same, same):
        assert step.over_utterances.p == 1.0
        assert step.over_seeds is not None
        assert step.over_seeds >= 0.5


def test_a_single_seed_says_nothing_about_the_order_of_seeds() -> None:
    one, two = System("one", [right(YES, NO)]), System("two", [right(YES, YES), right(YES, YES)])
    assert [step.over_seeds for step in compare(one, two)] == [None, None]


def test_only_runs_on_the_same_utterances_are_compared() -> None:
    with pytest.raises(ChoraleError, match="other utterances"):
        compare(System("a", [right(YES)]), System("b", [right(YES, NO)]))
    with pytest.raises(ChoraleError, match="no finished runs"):
        compare(System("a", []), System("b", [right(YES)]))
