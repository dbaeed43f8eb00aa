"""`chorale ask`: what is printed, written and refused; the prompt."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Chorale

from chorale.cli.prompt import Prompt
from chorale.model import Model, load

ROOT = Path(__file__).resolve().parents[2]
SALES = ROOT / "tests" / "tables" / "everyday" / "sales.csv"
QUESTION = "which product has the highest total?"
KEYS = ["answer", "confidence", "reasons", "program", "plain", "sql", "readings"]


@pytest.fixture(scope="module")
def model() -> Model:
    return load("tables")


# -- one question ------------------------------------------------------------------------------------------------------


def test_an_answer_comes_with_what_is_needed_to_check_it(chorale: Chorale) -> None:
    called = chorale("ask", SALES, QUESTION)
    assert called.status == 0, called.err
    assert called.out.startswith("Standing desk\n")
    for part in (
        "% sure\n",
        "read as  What is the Product of the rows with the highest Total?\n",
        'program  look_up(cells("[Product]", most("[Total] as number", all_rows)))\n',
        f"FROM read_csv('{SALES}'",
        "QUALIFY rank()",
    ):
        assert part in called.out


def test_the_same_for_machines(chorale: Chorale) -> None:
    found = chorale("ask", SALES, QUESTION, "--json").json()
    assert isinstance(found, dict)
    assert set(KEYS) <= set(found)
    assert found["answer"] == ["Standing desk"]
    assert found["readings"][0]["answer"] == ["Standing desk"]


@pytest.mark.parametrize("question", ["what is the capital of Mongolia?", "???", "delete everything"])
def test_what_is_not_known_is_no_error(chorale: Chorale, question: str) -> None:
    called = chorale("ask", SALES, question, "--answer-if", 0.999)
    assert called.status == 0
    assert called.out.startswith("not known: ")
    found = chorale("ask", SALES, question, "--json", "--answer-if", 0.999).json()
    assert isinstance(found, dict)
    assert found["answer"] is None
    assert found["reasons"]


def test_whole_numbers_are_whole(chorale: Chorale) -> None:
    assert '"answer": [4]' in chorale("ask", SALES, "how many orders are in lighting?", "--json", "--answer-if", 0).out


# -- several -----------------------------------------------------------------------------------------------------------


def test_several_questions_are_answered_one_after_another(chorale: Chorale, tmp_path: Path) -> None:
    called = chorale("ask", SALES, QUESTION, "who bought a wall clock?")
    assert called.out.index(QUESTION) < called.out.index("Standing desk") < called.out.index("who bought")
    (tmp_path / "asked.txt").write_text(f"\ufeff{QUESTION}\n\n  who bought a wall clock?  \n", encoding="utf-8")
    lines = chorale("ask", SALES, "--questions", tmp_path / "asked.txt", "--json").out.splitlines()
    assert [json.loads(line)["question"] for line in lines] == [QUESTION, "who bought a wall clock?"]


def test_lines_of_standard_input_are_questions(chorale: Chorale) -> None:
    called = chorale("ask", SALES, stdin=f"{QUESTION}\n")
    assert called.status == 0, called.err
    assert "Standing desk" in called.out


def test_a_table_may_come_from_standard_input(chorale: Chorale) -> None:
    assert "Oslo" in chorale("ask", "-", "which city has the most people?", stdin="City,People\nRome,3\nOslo,7\n").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-"], "standard input is the table"),
        (["-", "--questions", "-"], "standard input is the table"),
        ([SALES, "--questions", "nowhere.txt"], "nowhere.txt"),
        ([SALES, " "], "a question is empty"),
        ([SALES, "who?", "--questions", "x"], "not both"),
        (["nowhere.csv", "who?"], "nowhere.csv"),
        ([SALES, "who?", "--html", "no/page.html"], "there is no folder no"),
        ([SALES, "who?", "--separator", "ab"], "expected one character"),
        ([SALES, "who?", "--table", "x"], "leave out --table"),
        ([SALES, "who?", "--encoding", "klingon"], "expected one such as utf-8"),
        ([SALES, "who?", "--model", "tabels"], "did you mean 'tables'?"),
    ],
)
def test_what_cannot_be_asked_says_what_would_be_right(
    chorale: Chorale, words: list[object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called = chorale("ask", *words)
    assert called.status == 2
    assert said in called.err
    assert not called.out
    assert not list(tmp_path.iterdir())


def test_a_file_without_questions_is_refused(chorale: Chorale) -> None:
    assert "no question in it" in chorale("ask", SALES, stdin="\n \n").err


# -- how a table is read -----------------------------------------------------------------------------------------------


def test_what_could_be_read_otherwise_is_said_with_the_option(chorale: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "trips.csv"
    path.write_text("City,Date,Cost\nRome,3/4/2024,100\nOslo,5/6/2024,120\n")
    asked = "when was the trip to Rome?"
    called = chorale("ask", path, asked, "--answer-if", 0, "--json")
    assert "--day-first" in called.json()["notes"][0]  # type: ignore[index]
    assert "--day-first" in chorale("ask", path, asked).err
    called = chorale("ask", path, "in which month was the trip to Rome?", "--day-first")
    assert "note:" not in called.err


def test_a_name_for_a_separator_that_is_hard_to_type(chorale: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("City\tPeople\nRome\t3\nOslo\t7\n")
    for mark in ("tab", "\\t", "\t"):
        assert "Oslo" in chorale("ask", path, "which city has the most people?", "--separator", mark).out


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A database with two tables."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as made:
        made.execute("CREATE TABLE orders (Item TEXT, Amount REAL)")
        made.executemany("INSERT INTO orders VALUES (?, ?)", [("Lamp", 30.0), ("Desk", 200.0)])
        made.execute("CREATE TABLE customers (Name TEXT, City TEXT)")
        made.execute("INSERT INTO customers VALUES ('Ann', 'Rome')")
        made.commit()
    return tmp_path / "shop.db"


def test_a_question_that_needs_two_tables_is_not_answered(chorale: Chorale, shop: Path) -> None:
    called = chorale("ask", shop, "which item?")
    assert called.status == 2
    assert "choose one by --table NAME; there are 'orders', 'customers'" in called.err
    called = chorale("ask", shop, "which item has the largest amount?", "--table", "orders")
    assert called.out.startswith("Desk\n")
    assert "stands for the table; DuckDB reads no SQLite file by itself" in called.out
    called = chorale("ask", shop, "which item did the customers order most?", "--table", "orders", "--answer-if", 0)
    assert called.out.startswith("not known: ")
    assert "'customers' is another table of this file; a question is about one table" in called.out


# -- the page ----------------------------------------------------------------------------------------------------------


def test_the_page_marks_rows_and_cells_of_each_step(chorale: Chorale, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    called = chorale("ask", SALES, QUESTION, "???", html=page)
    assert called.status == 0, called.err
    text = page.read_text()
    assert text.count('<tr class="on"><th scope="row" class="number">12</th>') == 4  # the table, and three steps
    assert "<mark>Standing desk</mark>" in text
    assert "<mark>$1,220.00</mark>" in text
    assert "QUALIFY rank()" in text
    assert text.count("<h1>") == 2
    assert "there is no word in it" in text


# -- the prompt --------------------------------------------------------------------------------------------------------


class Typed:
    """Somebody at a prompt; a line that is an exception is raised."""

    def __init__(self, *lines: str | BaseException) -> None:
        self.lines = list(lines)

    def __call__(self, _: str) -> str:
        line = self.lines.pop(0) if self.lines else EOFError()
        if isinstance(line, BaseException):
            raise line
        return line


@pytest.fixture
def prompt(model: Model) -> Prompt:
    table = model.domain.codec.read_file(SALES)  # type: ignore[union-attr]
    return Prompt(lambda question: model.ask(table, question), SALES, table)


def typed(
    prompt: Prompt,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *lines: str | BaseException,
) -> str:
    monkeypatch.setattr("builtins.input", Typed(*lines))
    prompt.run()
    return capsys.readouterr().out


def test_the_prompt_answers_and_tells_more_about_the_last_answer(
    prompt: Prompt, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = typed(
        prompt, monkeypatch, capsys, ":sql", QUESTION, ":sql", ":why", "", ":columns", ":help", ":whi", ":quit"
    )
    first, _, rest = said.partition("Standing desk")
    assert "15 rows, 9 columns" in first
    assert "ask a question first" in first
    for part in ("QUALIFY", "row 12", "Unit price  number  10 values: $420.00", "Ctrl-D", "did you mean :why?"):
        assert part in rest


@pytest.mark.parametrize("end", [":q", EOFError(), KeyboardInterrupt()])
def test_the_prompt_ends_politely(
    prompt: Prompt,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    end: str | BaseException,
) -> None:
    assert QUESTION not in typed(prompt, monkeypatch, capsys, end, QUESTION)


def test_a_question_that_takes_too_long_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(_: str) -> None:
        raise KeyboardInterrupt

    said = typed(Prompt(endless, SALES, None), monkeypatch, capsys, "who?", ":columns")  # type: ignore[arg-type]
    assert "stopped" in said
    assert "only tables have columns" in said
