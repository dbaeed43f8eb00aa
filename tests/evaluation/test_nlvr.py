"""Evaluation on the real corpus."""

from pathlib import Path

import pytest

from chorale.domain import Reading
from chorale.evaluation.evaluate import evaluate
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr


@pytest.mark.nlvr
def test_always_true_has_the_known_accuracy_and_the_parts_add_up(nlvr: Path) -> None:
    domain = Nlvr()
    utterances = domain.read(nlvr / "dev.json")
    program = Consistent.parse("box_exists(all_boxes)")
    always = [Reading(program, answers=(True,) * len(one.contexts)) for one in utterances]
    seen = {domain.abstractions.kind(utterance.sentence) for utterance in domain.read(nlvr / "train.json")}
    report = evaluate(utterances, always, abstraction=domain.abstractions.kind, seen=seen, kind=domain.kind)
    assert round(100 * report.score.accuracy, 1) == round(100 * report.baseline_accuracy, 1) == 55.3
    assert (report.score.pairs, report.score.groups) == (989, 267)
    for parts in (("seen in train", "not seen in train"), ("towers", "scatter")):
        assert sum(report.parts[part].groups for part in parts) == 267
    assert report.parts["seen in train"].groups > 120  # 45 % even occur word for word
