"""Consistency is shown only where it says something: not where every utterance has one context."""

from typing import Any

import pytest

from chorale.evaluation.compare import System
from chorale.report.learning import remark, stages_table
from chorale.report.page import results_page
from chorale.report.plots import scores
from chorale.report.tables import TableRow, results_table, shown, steps_of, steps_table
from chorale.sweeps.folds.held_out import HeldOut, figures
from chorale.sweeps.folds.runs import FoldsFile
from chorale.sweeps.folds.tables import compared_folds, folds_table


def system(name: str, *right: tuple[bool, ...]) -> System:
    return System(name, [{str(number): one for number, one in enumerate(right)}] * 2)


SINGLE = system("single", (True,), (False,), (True,)), system("better", (True,), (True,), (True,))
SEVERAL = system("several", (True, False), (False, False)), system("better", (True, True), (True, True))
ONE_FIGURE = [
    {"stage": 1, "kind": "ranker", "epoch": 1, "dev_accuracy": 0.75, "dev_consistency": 0.75, "best": True},
    {"stage": 2, "kind": "ranker", "epoch": 1, "dev_accuracy": 0.5, "dev_consistency": 0.5, "best": True},
    {"stage": 2, "kind": "ranker", "epoch": 2, "dev_accuracy": 0.25, "dev_consistency": 0.25, "best": False},
]


def rows(*systems: System, metrics: Any = ()) -> list[TableRow]:
    return [TableRow(one.name, one.name, {"dev": one}, metrics=metrics) for one in systems]


@pytest.mark.parametrize(("systems", "measures"), [(SINGLE, ["accuracy"]), (SEVERAL, ["accuracy", "consistency"])])
def test_tables_have_the_measures_of_the_utterances(systems: tuple[System, System], measures: list[str]) -> None:
    assert results_table(rows(*systems))[0] == ["row", "seeds", *(f"dev {measure}" for measure in measures)]
    assert [line[2] for line in steps_table(steps_of(rows(*systems)))[1:]] == measures
    assert [one.measure for one in shown(*systems)] == measures
    assert [it for it in ("accuracy", "consistency") if f">{it}</text>" in scores(systems)] == measures


def test_a_page_about_utterances_with_one_context_says_nothing_of_consistency() -> None:
    assert "onsistency" not in results_page("t", rows(*SINGLE, metrics=[ONE_FIGURE]))
    assert "onsistency" in results_page("t", rows(*SEVERAL))


def test_what_was_published_has_both_measures() -> None:
    table = results_table([*rows(*SINGLE), TableRow("old", "Old", published={"dev": (81.0, 60.0)})])
    assert table[0][2:4] == ["dev accuracy", "dev consistency"]


def test_stages_with_equal_figures_have_one() -> None:
    assert stages_table([ONE_FIGURE])[0] == ["stage", "epochs", "kept", "accuracy"]
    assert remark(ONE_FIGURE) == "stage 1 (ranker) was better: 75.0; stage 2 has 50.0"


def folds_file(*right: list[bool]) -> FoldsFile:
    said = {
        str(number): HeldOut(fold=0, group=f"kind {number}", program="p", right=one) for number, one in enumerate(right)
    }
    found = figures(list(said.values())).to_json()
    return FoldsFile(
        format=1, recipe="r", by="kind", folds=1, seed=0, figures={"all": found, "0": found}, utterances=said
    )


def test_folds_are_compared_by_what_they_have() -> None:
    before, after = folds_file([True], [False], [False]), folds_file([True], [True], [False])
    assert folds_table(before)[0][3:] == ["accuracy over utterances", "accuracy over kinds"]
    assert "points of accuracy" in compared_folds(before, after).verdict
    before, after = folds_file([True], [True, False], [False]), folds_file([True], [True, True], [False])
    assert folds_table(before)[0][3] == "consistency over utterances"
    assert "points of consistency" in compared_folds(before, after).verdict
