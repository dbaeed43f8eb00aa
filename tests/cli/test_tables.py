"""Commands with a model of the domain tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Chorale
from tests.towns import town_rows, write_towns

from chorale.model import load
from chorale.nlvr.pictures.synthetic import embedded_corpus

QUESTIONS = "id\tutterance\tcontext\n"


@pytest.fixture
def corpus(towns: Path) -> Path:
    """The folder with the splits."""
    return towns.parent


def questions(folder: Path, *asked: tuple[str, str, str]) -> Path:
    """A file of questions (sentence, name of the table, its text) without answers, as test files have them."""
    lines = []
    for number, (sentence, name, text) in enumerate(asked):
        (folder / name).write_text(text)
        lines.append(f"nt-{number}\t{sentence}\t{name}\n")
    path = folder / "questions.tsv"
    path.write_text(QUESTIONS + "".join(lines))
    return path


# -- predict -----------------------------------------------------------------------------------------------------------


def test_predictions_are_written_as_the_official_scorer_reads_them(
    chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path
) -> None:
    data, out = corpus / "random-split-1-dev.tsv", tmp_path / "predictions.tsv"
    assert chorale("predict", towns, data=data, out=out).status == 0
    asked = [line.split("\t") for line in data.read_text().splitlines()[1:]]
    assert [line.split("\t") for line in out.read_text().splitlines()] == [[row[0], row[3]] for row in asked]


def test_files_without_answers_are_predicted_and_values_stand_on_one_line(
    chorale: Chorale, towns: Path, tmp_path: Path
) -> None:
    table = '"Town","Mayor"\nArnau,"Ada\nKern | Bo\\\\Lind"\nElvas,"3,000"\n'
    data = questions(tmp_path, ("who is the mayor of Arnau?", "a.csv", table), ("mayor of Elvas?", "a.csv", table))
    out = tmp_path / "said.tsv"
    assert chorale("predict", towns, data=data, out=out).status == 0
    assert out.read_text() == "nt-0\tAda Kern | Bo\\Lind\nnt-1\t3,000\n"


def test_a_question_that_has_no_program_has_its_line_all_the_same(
    chorale: Chorale, towns: Path, tmp_path: Path
) -> None:
    table = "Town,Mayor\nArnau,Ada Kern\n"
    data = questions(
        tmp_path, ("how many towns?", "empty.csv", "Town,Mayor\n"), ("who is the mayor of Arnau?", "a.csv", table)
    )
    out, programs = tmp_path / "said.tsv", tmp_path / "programs.jsonl"
    assert chorale("predict", towns, data=data, out=out, programs=programs).status == 0
    assert out.read_text() == "nt-0\nnt-1\tAda Kern\n"
    assert '"program": "", "probability": 0.0, "denotations": [null]' in programs.read_text().splitlines()[0]


def test_what_is_not_sure_is_a_line_with_the_id_alone(
    chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path
) -> None:
    data, out = corpus / "random-split-1-dev.tsv", tmp_path / "said.tsv"
    chorale("predict", towns, data=data, out=out, **{"answer-if": 0.5})
    model = load(towns)
    said = model.predict(model.domain.read(data))
    assert [len(line.split("\t")) for line in out.read_text().splitlines()] == [
        1 + (one.confidence is not None and one.confidence >= 0.5) for one in said
    ]


def test_counts_are_plain_numbers(chorale: Chorale, towns: Path, tmp_path: Path) -> None:
    rows = "".join(f"{town},{mayor}\n" for town, _, mayor, _ in town_rows(3))
    data = questions(tmp_path, ("how many towns are in the list?", "a.csv", f"Town,Mayor\n{rows}"))
    chorale("predict", towns, data=data, out=tmp_path / "said.tsv")
    assert (tmp_path / "said.tsv").read_text() == f"nt-0\t{len(town_rows(3))}\n"


def test_a_question_about_an_empty_table_is_a_wrong_answer_not_an_error(
    chorale: Chorale, towns: Path, tmp_path: Path
) -> None:
    (tmp_path / "e.csv").write_text("Town,Mayor\n")
    (tmp_path / "d.tsv").write_text("id\tutterance\tcontext\ttargetValue\nq-1\thow many towns?\te.csv\t0\n")
    page = tmp_path / "mistakes.html"
    called = chorale("evaluate", towns, data=tmp_path / "d.tsv", mistakes=page)
    assert called.status == 0, called.err
    assert "1 utterance with a wrong answer" in called.out
    assert "how many towns?" in page.read_text()


def test_training_survives_a_dev_question_about_an_empty_table(chorale: Chorale, tmp_path: Path) -> None:
    folder = write_towns(tmp_path / "data", train=30, dev=4)
    (folder / "e.csv").write_text("Town,Mayor\n")
    with open(folder / "random-split-1-dev.tsv", "a") as stream:
        stream.write("q-x\thow many towns?\te.csv\t0\n")
    called = chorale("train", "tables", "--set", "online.passes=2", data=folder, out=tmp_path / "run")
    assert called.status == 0, called.err


# -- explain, parse ----------------------------------------------------------------------------------------------------


def test_an_explanation_has_plain_words_a_trace_and_weights(
    chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path
) -> None:
    table, page = corpus / "csv" / "3.csv", tmp_path / "page.html"
    town, _, mayor, _ = town_rows(3)[2]
    called = chorale("explain", towns, f"who is the mayor of {town}?", context=table, html=page)
    assert called.status == 0, called.err
    assert f"{mayor} of this table" in called.out
    assert f"What is the Mayor of the rows that have a Town of {town.lower()}?" in called.out
    assert re.search(rf"row 3 +a Town of {town.lower()}", called.out)
    assert "what speaks for it" in called.out
    assert re.search(r"given [a-z ]+: look_up, ", page.read_text())


def test_two_questions_about_a_table_may_name_other_words(chorale: Chorale, towns: Path, corpus: Path) -> None:
    """Words of a question are constants; what tells its readings apart is not taken from the one before."""
    table = corpus / "csv" / "3.csv"
    for town, _, mayor, _ in town_rows(3)[:2]:
        called = chorale("explain", towns, f"who is the mayor of {town}?", "--json", context=table)
        assert called.json()["answer"] == [mayor]  # type: ignore[index]


def test_mistakes_are_shown_with_a_trace(chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path) -> None:
    lines = (corpus / "random-split-1-dev.tsv").read_text().splitlines()
    wrong = ["\t".join([*line.split("\t")[:3], "nobody"]) for line in lines[1:]]
    data, page = corpus / "wrong.tsv", tmp_path / "mistakes.html"
    data.write_text("\n".join([lines[0], *wrong]))
    called = chorale("evaluate", towns, data=data, mistakes=page, **{"answer-if": 0.5})
    assert called.status == 0, called.err
    assert "What each part returns" in page.read_text()


def test_a_question_is_parsed_about_a_table(chorale: Chorale, towns: Path, corpus: Path) -> None:
    town, country, _, _ = town_rows(4)[0]
    called = chorale("parse", towns, f"which country is {town} in?", "--json", context=corpus / "csv" / "4.csv")
    assert called.json()["answer"] == [country]  # type: ignore[index]
    assert "give it too" in chorale("parse", towns, "how many towns?").err


# -- training ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", ["language", "weighted", "ranker"])
@pytest.mark.parametrize("command", ["train", "sweep", "folds"])
def test_recipes_that_do_not_work_with_tables_say_so_before_any_work_is_done(
    chorale: Chorale, corpus: Path, tmp_path: Path, command: str, recipe: str
) -> None:
    called = chorale(command, recipe, domain="tables", data=corpus, out=tmp_path / "run")
    assert called.status == 2
    what = "networks" if recipe != "ranker" else "stages of kind ranker"
    assert called.err == (
        f"error: {recipe}: {what} do not work with the domain tables, whose constants come with each utterance; take a "
        "recipe with a stage of kind online, such as tables\n"
    )
    assert not list(tmp_path.iterdir())


def test_the_recipe_of_tables_is_refused_for_another_domain(chorale: Chorale, tmp_path: Path) -> None:
    called = chorale("train", "tables", domain="nlvr", data=embedded_corpus(), out=tmp_path / "run")
    assert called.status == 2
    assert "stages of kind online do not work with the domain nlvr" in called.err


def test_folds_hold_out_whole_tables(chorale: Chorale, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "folds"
    called = chorale("folds", "tables", "--set", "online.passes=2", "--fold", 0, data=corpus, out=out, folds=3)
    assert called.status == 0, called.err
    assert "held out by topic" in called.out
    said = json.loads((out / "folds.json").read_text())["utterances"]
    # Every table was asked two questions; both are held out, or neither is.
    assert {int(name.removeprefix("q-")) ^ 1 for name in said} == {int(name.removeprefix("q-")) for name in said}


def test_runs_are_listed_compared_and_reported(chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path) -> None:
    assert "complete" in chorale("runs", corpus).out
    assert "these seeds show no difference" in chorale("compare", towns, towns).out
    page = tmp_path / "report.html"
    assert chorale("report", towns, data=corpus, out=page).status == 0
    assert "<html" in page.read_text()
    assert "ok, 20 pairs in 20 groups" in chorale("check", corpus / "random-split-1-dev.tsv", domain="tables").out


# -- mark and teach ----------------------------------------------------------------------------------------------------


def test_a_marked_question_is_taught_and_harm_to_others_shows(
    chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path
) -> None:
    marks, table, sentence = tmp_path / "marks.jsonl", corpus / "csv" / "3.csv", "which town has the fewest people?"
    right = min(town_rows(3), key=lambda row: int(row[3]))[0]
    called = chorale("mark", marks, sentence, right, domain="tables", context=table)
    assert called.out == f"{marks}: 1-0 is {right}\n"
    assert json.loads(marks.read_text())["contexts"][0]["path"] == str(table)
    others = corpus / "random-split-1-dev.tsv"
    called = chorale("teach", marks, towns, out=tmp_path / "taught", others=others)
    assert called.status == 0, called.err
    assert "(0 of 1 marks)" in called.out
    assert "(1 of 1 marks)" in called.out
    assert "other sentences are read differently now" in called.out
    called = chorale("parse", tmp_path / "taught", sentence, "--json", context=table)
    assert called.json()["parses"][0]["denotations"] == [[right]]  # type: ignore[index]
    assert "taught by 1 sentence" in chorale("runs", tmp_path).out


def test_a_model_that_is_taught_without_others_to_look_at_says_so(
    chorale: Chorale, towns: Path, corpus: Path, tmp_path: Path
) -> None:
    marks, table = tmp_path / "marks.jsonl", corpus / "csv" / "3.csv"
    chorale("mark", marks, "how many towns are there?", "6", domain="tables", context=table)
    called = chorale("teach", marks, towns, out=tmp_path / "taught")
    assert "no other sentences were looked at; name a data file of them: --others FILE" in called.out


# -- evaluate --probe --------------------------------------------------------------------------------------------------


def test_the_probe_says_how_many_right_answers_stay_right(chorale: Chorale, towns: Path, corpus: Path) -> None:
    data = corpus / "some-dev.tsv"
    data.write_text("".join((corpus / "random-split-1-dev.tsv").read_text().splitlines(keepends=True)[:7]))
    called = chorale("evaluate", towns, "--probe", data=data)
    assert called.status == 0, called.err
    assert "6 right answers of 6, asked again after changes" in called.out
    assert re.search(r"^names +\d+ +100\.0$", called.out, re.MULTILINE)
    assert "toss-up" not in called.out
    found = chorale("evaluate", towns, "--probe", "--json", data=data).json()["robustness"]  # type: ignore[index]
    assert found["right"] == 6
    assert found["every"]["changed"] == 6


# -- reproduce ---------------------------------------------------------------------------------------------------------


def test_the_table_of_tables_stands_beside_published_systems(chorale: Chorale, tmp_path: Path) -> None:
    corpus, out = write_towns(tmp_path / "corpus", train=30, dev=6), tmp_path / "out"
    command = ("reproduce", "--set", "online.passes=3", "--rows", "tables,tables_rescored")
    options = {"domain": "tables", "data": corpus, "seeds": 1, "jobs": 1, "out": out}
    called = chorale(*command, **options)
    assert called.status == 0, called.err
    kept = json.loads((out / "tables" / "seed-0" / "dev.json").read_text())
    [ours] = [line for line in called.out.splitlines() if line.startswith("Chorale, ranker by key")]
    assert f"no          single  {100 * kept['accuracy']:.1f}" in ours
    assert "not measured here" in ours
    [other] = [line for line in called.out.splitlines() if line.startswith("TaPas-large")]
    assert "yes" in other
    assert "48.8" in other
    assert "quoted from memory" in called.out
    page = (out / "results.html").read_text()
    assert "Beside published systems" in page
    assert "NLVR" not in page
    row, _ = json.loads(chorale(*command, "--json", **options).out.splitlines()[-1])
    assert row["dev"]["accuracy"] == [kept["accuracy"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--domain", "tables"], "needs --data"),
        (["--domain", "tables", "--data", "x", "--test"], "official test of WikiTableQuestions is not measured here"),
        (["--domain", "table"], "did you mean 'tables'?"),
        (["--domain", "tables", "--data", "x", "--rows", "language"], "there is no such row"),
        (["--rows", "tables"], "there is no such row"),
    ],
)
def test_what_there_is_no_table_of_is_refused(chorale: Chorale, options: list[str], message: str) -> None:
    called = chorale("reproduce", *options)
    assert called.status == 2
    assert message in called.err
