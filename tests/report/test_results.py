"""The results table and its page: figures are those of the runs, and the page stands alone."""

from pathlib import Path
from xml.etree import ElementTree

from chorale.evaluation.compare import System
from chorale.report.page import results_page
from chorale.report.tables import TableRow, aligned_text, results_table, short_names, steps_of, steps_table

SVG = "{http://www.w3.org/2000/svg}"
BAD = System("bad", [{"1": (True, False), "2": (False, False)}, {"1": (True, True), "2": (False, False)}])
GOOD = System("good", [{"1": (True, True), "2": (True, True)}, {"1": (True, True), "2": (True, False)}])
LINES = [
    {"stage": 1, "kind": "reward", "epoch": 1, "dev_consistency": 0.25, "dev_accuracy": 0.5, "agreement": 0.3},
    {"stage": 1, "kind": "reward", "epoch": 2, "dev_consistency": 0.5, "dev_accuracy": 0.75, "agreement": 0.4},
    {"stage": 1, "kind": "reward", "chosen": 2, "dev_consistency": 0.5, "dev_accuracy": 0.75},
    {"stage": 2, "kind": "reward", "epoch": 1, "dev_consistency": 0.25, "dev_accuracy": 0.5, "best": True},
    {"stage": 2, "kind": "reward", "chosen": 1, "dev_consistency": 0.25, "dev_accuracy": 0.5},
]
ROWS = [
    TableRow("old", "Old", published={"dev": (81.0, 60.0)}),
    TableRow("bad", "Bad <one>", {"dev": BAD}, {"dev": (85.0, 64.0)}, {"dev": [0.25, 0.75]}),
    TableRow("good", "Good", {"dev": GOOD}, metrics=[LINES], numbered=[7]),
]


def test_a_row_has_means_and_deviations_beside_what_was_published() -> None:
    heads, old, bad, good = results_table(ROWS)
    assert heads == ["row", "seeds", "dev accuracy", "dev consistency", "dev published", "dev right meaning"]
    assert old == ["Old", "", "", "", "81.0 / 60.0", ""]
    assert bad == ["Bad <one>", "2", "37.5 ± 17.7", "25.0 ± 35.4", "85.0 / 64.0", "50.0 ± 35.4"]
    assert good == ["Good", "2", "87.5 ± 17.7", "75.0 ± 35.4", "", ""]


def test_steps_go_from_each_row_that_has_runs_to_the_next() -> None:
    [step] = steps_of(ROWS)
    assert (step.before.name, step.after.name, step.split) == ("bad", "good", "dev")
    _, accuracy, consistency = steps_table([step])
    assert accuracy[:4] == ["Bad <one> → Good", "dev", "accuracy", "+50.0"]
    assert consistency[3] == "+50.0"
    assert "better" in accuracy[-1]


def test_one_seed_is_said_to_say_nothing_about_seeds() -> None:
    rows = [TableRow(s.name, s.name, {"dev": System(s.name, s.seeds[:1])}) for s in (GOOD, BAD)]
    _, accuracy, _ = steps_table(steps_of(rows))
    assert accuracy[6] == ""
    assert accuracy[-1].startswith("worse")
    assert accuracy[-1].endswith("one seed says nothing about seeds")


def test_the_page_is_well_formed_and_shows_whether_agreement_helps() -> None:
    text = results_page("A & B", ROWS, ["a < b"], "chorale reproduce --out 'x & y'")
    page = ElementTree.fromstring(text)
    assert page.findtext(".//h1") == "A & B"
    titles = [picture.findtext(f"{SVG}text") for picture in page.findall(f".//{SVG}svg")]
    assert titles[:3] == ["accuracy", "consistency", "on dev"]
    assert "does agreement help?" in titles
    assert page.findtext(".//pre") == "chorale reproduce --out 'x & y'"


def test_the_page_says_where_an_earlier_stage_was_better() -> None:
    page = ElementTree.fromstring(results_page("t", ROWS))
    assert [it.text for it in page.findall(".//li")] == [
        "Seed 7: stage 1 (reward) was better: 75.0 / 50.0; stage 2 has 50.0 / 25.0."
    ]


def test_a_page_without_runs_has_only_what_was_published() -> None:
    page = ElementTree.fromstring(results_page("nothing yet", ROWS[:1]))
    assert not page.findall(f".//{SVG}svg")
    assert len(page.findall(".//table")) == 1


def test_columns_stand_below_each_other() -> None:
    assert aligned_text([["a", "bb", "c"], ["long", "x", "y"]]) == "a     bb  c\nlong  x   y"


def test_folders_are_named_by_as_much_as_tells_them_apart() -> None:
    assert short_names([Path("/x/runs/a/seed-0"), Path("/x/more/a/seed-0")]) == ["runs/a/seed-0", "more/a/seed-0"]
