"""Every command with every domain: NLVR, questions about people (constants and answers of their own), the tutorial's.

A refusal passes only for a capability that a domain naturally lacks, and these are listed here.
"""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests import bar, people
from typer.testing import CliRunner

import chorale
from chorale.cli.main import COMMANDS, app
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import write_corpus

ROOT = Path(__file__).resolve().parents[2]

LACKS = {
    "people": {
        "pairs": "relations",
        "draw": "drawing",
        "abstract": "abstractions",
        "see": "not pictures",
    },
    "bar": {"draw": "drawing", "abstract": "abstractions", "see": "not pictures"},
    "nlvr": {},
}
"""What each domain has no use for, by the command that would need it: tables and shelves have no picture to draw or to
see, people share no phrases, and neither has sentences with slots."""

ELSEWHERE = {
    "demo": "is NLVR's by what it shows",
    "download": "fetches a corpus by its name",
    "models": "lists what ships",
    "recipes": "lists what ships",
    "reproduce": "is the paper's table",
    "synthesize": "makes NLVR's corpus",
}
"""Commands that take no domain, and why."""


@dataclass(frozen=True)
class Case:
    """A domain as a user has it: the option that names it, data, a model, and something to ask."""

    name: str
    option: tuple[str, ...]
    data: Path
    model: Path
    dev: Path
    context: Path
    sentence: str
    answer: str
    program: str
    """A whole program that runs in the context, and is longer than need be where laws or contexts can tell."""
    identifier: str


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The working directory, from which the tutorial's domain can be imported; so can the tests."""
    folder = tmp_path_factory.mktemp("matrix")
    bar.write_bar(folder)
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    patch.setenv("PYTHONPATH", f"{ROOT / 'src'}:{ROOT}:{folder}")
    patch.syspath_prepend(str(folder))
    yield folder
    patch.undo()
    sys.modules.pop("bar", None)


@pytest.fixture(scope="module", params=["nlvr", "people", "bar"])
def case(request: pytest.FixtureRequest, home: Path) -> Case:
    """One of the domains, with a model that was trained by the command line."""
    made: dict[str, Callable[[Path], Case]] = {"nlvr": _nlvr, "people": _people, "bar": _bar}
    found = made[request.param](home)
    call("train", "ranker", "--data", found.data, "--out", found.model, *found.option, "--set", "ranker.max_actions=10")
    return found


def _nlvr(home: Path) -> Case:
    data = home / "nlvr"
    write_corpus(data, {"train": 40, "dev": 10})
    dev = data / "dev.jsonl.gz"
    first = Nlvr().read(dev)[0]
    (home / "scene.json").write_text(json.dumps(first.contexts[0].to_json()))
    program = "object_exists(yellow(yellow(all_objects)))"
    sentence = "There is a yellow block."
    name = f"{first.identifier}-0"
    return Case("nlvr", (), data, home / "runs/nlvr", dev, home / "scene.json", sentence, "true", program, name)


def _people(home: Path) -> Case:
    data = people.write_questions(home / "people")
    table = people.PeopleDomain().read(data / "dev.jsonl")[0].contexts[0]
    (home / "table.json").write_text(json.dumps(list(table)))
    name = table[0]["name"]
    program = f"count(who(name, {name}, who(name, {name}, everybody)))"
    sentence, answer = f"What is the pet of {name}?", table[0]["pet"]
    option = ("--domain", "tests.people:PeopleDomain")
    dev = data / "dev.jsonl"
    return Case(
        "people", option, data, home / "runs/people", dev, home / "table.json", sentence, answer, program, "0-0"
    )


def _bar(home: Path) -> Case:
    with redirect_stdout(StringIO()):
        exec(compile(bar.code_of_tutorial(), str(bar.PAGE), "exec"), {"__name__": "bar_data"})
    option, data = ("--domain", "bar:Bar"), home / "bar"
    program, sentence = "exists(red(red(bottles)))", "The leftmost bottle is red."
    dev = data / "dev.jsonl"
    return Case("bar", option, data, home / "runs/bar", dev, home / "shelf.json", sentence, "true", program, "0-0")


def call(*words: object, status: int = 0) -> str:
    """Call a command in this process; gives back what it printed."""
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == status, (words, done.output)
    return done.output


def asked(case: Case, command: str, *words: object) -> str | None:
    """Call a command; None if it refuses for want of a capability that the domain naturally lacks."""
    if lacking := LACKS[case.name].get(command):
        refused = call(command, *words, *case.option, status=2)
        assert (lacking in refused and case.name in refused) or "not pictures" in refused, refused
        return None
    return call(command, *words, *case.option)


def test_every_command_is_in_the_matrix_or_says_why_not() -> None:
    here = set(globals())
    missing = [name for name in COMMANDS if f"test_{name}" not in here and name not in ELSEWHERE]
    assert missing == []


def test_check(case: Case) -> None:
    assert "ok" in str(asked(case, "check", case.dev))


def test_grammar(case: Case) -> None:
    assert "->" in str(asked(case, "grammar"))


def test_actions(case: Case) -> None:
    assert "->" in str(asked(case, "actions", case.program, "--context", case.context))


def test_run(case: Case) -> None:
    if case.name == "people":  # its constants are those of one table, so the program is about what all tables have
        assert "5" in str(asked(case, "run", "count(everybody)", "--data", case.dev))
    else:
        assert "accuracy" in str(asked(case, "run", case.program, "--data", case.dev, "--against-labels"))


def test_simplify(case: Case) -> None:
    said = str(asked(case, "simplify", case.program, "--context", case.context))
    assert len(said.splitlines()[0]) < len(case.program)


def test_draw(case: Case, tmp_path: Path) -> None:
    if asked(case, "draw", case.dev, case.identifier, "--out", tmp_path / "a.png", "--program", case.program):
        assert (tmp_path / "a.png").stat().st_size


def test_see(case: Case, tmp_path: Path) -> None:
    call("draw", case.context, "--out", "a.png", *case.option) if case.name == "nlvr" else Path("a.png").touch()
    seen = asked(case, "see", "a.png", "--program", case.program)
    assert seen is None or seen.strip() in {"true", "false"}


def test_abstract(case: Case) -> None:
    asked(case, "abstract", case.sentence)


def test_pairs(case: Case) -> None:
    found = asked(case, "pairs", "--data", case.data / case.dev.name.replace("dev", "train"))
    assert found is None or "pair" in found


def test_search(case: Case, tmp_path: Path) -> None:
    asked(case, "search", "--data", case.dev, "--out", tmp_path / "found.jsonl", "--max-actions", 9, "--jobs", 1)
    assert len((tmp_path / "found.jsonl").read_text().splitlines()) > 5


def test_search_of_one_sentence(case: Case) -> None:
    first = chorale.load(case.model, case.option[1] if case.option else None).domain.read(case.dev)[0].sentence
    assert "candidate" in str(asked(case, "search", "--data", case.dev, "--sentence", first, "--max-actions", 9))


def test_train(case: Case) -> None:
    assert (case.model / "model.json").exists()


def test_evaluate(case: Case, tmp_path: Path) -> None:
    page = tmp_path / "mistakes.html"
    words = ("--data", case.dev, "--probe", "--answer-if", 0.3, "--mistakes", page)
    said = str(asked(case, "evaluate", case.model, *words))
    assert "accuracy" in said
    assert ("consistency" in said) == (case.name != "people"), "a question has one table, so there is no consistency"
    assert page.exists()


def test_predict(case: Case, tmp_path: Path) -> None:
    out = tmp_path / "answers.csv"
    words = ("--data", case.dev, "--out", out, "--header", "--programs", tmp_path / "programs.jsonl")
    asked(case, "predict", case.model, *words)
    lines = out.read_text().splitlines()
    assert lines[0] == "identifier,answer"
    assert len(lines) > 10


def test_parse(case: Case) -> None:
    said = str(asked(case, "parse", case.model, case.sentence, "--context", case.context))
    assert "sure" in said
    same = str(asked(case, "parse", case.sentence, "--model", case.model, "--context", case.context))
    assert said == same


def test_ask(case: Case) -> None:
    words = ("--model", case.model, "--answer-if", 0)
    assert f"{case.answer}\n" in str(asked(case, "ask", case.context, case.sentence, *words))


def test_explain(case: Case, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    said = str(asked(case, "explain", case.model, case.sentence, "--context", case.context, "--html", page))
    assert "step by step" in said
    assert f"of this {'picture' if case.name == 'nlvr' else 'table' if case.name == 'people' else 'shelf'}" in said
    assert case.sentence in page.read_text()


def test_mark(case: Case, tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    said = str(asked(case, "mark", marks, case.sentence, case.answer, "--context", case.context))
    assert f"is {case.answer}" in said
    assert "was removed" in str(asked(case, "mark", marks, "--undo"))


def test_teach(case: Case, tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    for _ in range(2):
        asked(case, "mark", marks, case.sentence, case.answer, "--context", case.context)
    said = str(asked(case, "teach", marks, case.model, "--out", tmp_path / "taught"))
    assert "marks)" in said
    assert "taught by " in call("runs", tmp_path)


def test_folds(case: Case, tmp_path: Path) -> None:
    words = ("--data", case.data, "--folds", 3, "--fold", 1, "--out", tmp_path, "--set", "ranker.max_actions=9")
    assert "held out by kind" in str(asked(case, "folds", "ranker", *words))


def test_sweep(case: Case, tmp_path: Path) -> None:
    words = ("--data", case.data, "--seeds", 1, "--out", tmp_path, "--set", "ranker.max_actions=9", "--jobs", 1)
    assert "1 of 1 run done" in str(asked(case, "sweep", "ranker", *words))


def test_compare(case: Case) -> None:
    assert "B = " in str(asked(case, "compare", case.model, case.model, "--data", case.dev))


def test_report(case: Case, tmp_path: Path) -> None:
    asked(case, "report", case.model, "--data", case.dev, "--out", tmp_path / "report.html")
    page = re.sub(r"<style>.*?</style>|<[^>]+>", " ", (tmp_path / "report.html").read_text(), flags=re.DOTALL)
    if case.name != "nlvr":
        assert not [word for word in ("colour", "picture", "image", "scene") if word in page.lower()]


def test_runs(case: Case) -> None:
    assert "complete" in call("runs", case.model)


def test_serve(case: Case, home: Path) -> None:
    words = [sys.executable, "-m", "chorale", "serve", case.model, "--port", 0, "--no-open", *case.option]
    with subprocess.Popen(map(str, words), stdout=subprocess.PIPE, text=True, cwd=home) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split(" is at ")[1].split()[0]
            body = {"sentence": case.sentence, "scene": json.loads(case.context.read_text()), "answer_if": 0}
            found = _posted(f"{address}api/parse", body)
        finally:
            server.terminate()
    assert found["parses"][0]["program"]
    assert found["parses"][0]["steps"], "each part of the program has a value"
    assert found["answer"] is not None


def _posted(address: str, body: object) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)
