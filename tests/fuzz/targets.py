"""What is fuzzed: a name, some good inputs to begin with, and what is done with the bytes of one.

A target lets nothing but a `ChoraleError` pass for a good end. Files that the input stands for are written into a
folder of the target's own, in memory where the system has such a place.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import tempfile
import urllib.parse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from tests.fuzz import cost, models, tables, wire
from tests.people import PeopleDomain, questions
from tests.playground.conftest import Inline

from chorale.domain import Grounding
from chorale.errors import ChoraleError
from chorale.evaluation.compare import compare
from chorale.language import Program, run
from chorale.model import load, shipped
from chorale.nlvr import reader
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.pixels import scene_from_png
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.synthetic import Knobs, generate
from chorale.playground.answering import Answering
from chorale.playground.app import application
from chorale.plumbing.files import lines, sha256
from chorale.report.runs import entries_of, report_page
from chorale.report.systems import compared_systems
from chorale.runs.marks import Marks
from chorale.runs.reuse import Reuse
from chorale.runs.run import open_run, read_run
from chorale.search.files import read_candidates
from chorale.search.simplify import simplified
from chorale.sweeps.plan import Job
from chorale.sweeps.remaining import Remaining
from chorale.tables.domain import Tables
from chorale.tables.table import Table
from chorale.training.recipes import parse_recipe, shipped_recipes

BEFORE = Path(__file__).parents[1] / "runs" / "before"
FOUND = Path(__file__).parent / "found"
"""What broke something once, by target; the tests try it again."""


@dataclass(frozen=True)
class Target:
    """Something that reads what a stranger wrote."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], object]

    def run(self, content: bytes) -> None:
        """Read an input; a mistake that is told in words is fine."""
        with suppress(ChoraleError):
            self.read(content)

    def found(self) -> list[bytes]:
        """What broke it once."""
        return [path.read_bytes() for path in sorted((FOUND / self.name).glob("*"))]


@cache
def _folder() -> Path:
    if given := os.environ.get("CHORALE_FUZZ"):  # by whoever will tidy it away
        return Path(given)
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="chorale-fuzz-", dir=memory if memory.is_dir() else None))


def _file(name: str, content: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(content)
    return path


@cache
def _made() -> list[reader.Utterance]:
    lines = "\n".join(line for one in generate("train", 4, Knobs(seed=1)) for line in one.lines())
    return list(reader.read(_file("made.jsonl", lines.encode())).utterances)


@cache
def _domain() -> Nlvr:
    return Nlvr()


@cache
def _grounding() -> Grounding:
    return _domain().ground("consistent", _made())


def _text(content: bytes) -> str:
    return content.decode("utf-8", errors="replace")


# -- programs ----------------------------------------------------------------------------------------------------------


def _programs() -> list[bytes]:
    return [one.program.encode() for one in generate("train", 20, Knobs(seed=2))]


def _read_program(content: bytes) -> None:
    for name in ("consistent", "extended", "macro"):
        language = _domain().bind(name, None, _made()[0].contexts)
        with suppress(ChoraleError):
            program = Program.parse(_text(content), language.grammar)
            assert Program.parse(program.text, language.grammar) == program
            if program.type == language.grammar.root:
                run(program, language)
                simplified(program, _domain(), name, contexts=0)


def _actions() -> list[bytes]:
    grammar = _domain().languages["consistent"].grammar
    return ["\n".join(Program.parse(_text(one), grammar).actions).encode() for one in _programs()]


def _read_actions(content: bytes) -> None:
    grammar = _domain().languages["consistent"].grammar
    names = _text(content).split("\n")
    taken: list[str | int] = [int(one) if one.isdecimal() and len(one) < 9 else one for one in names]
    assert Program.from_actions(taken, grammar).action_ids


# -- data --------------------------------------------------------------------------------------------------------------


def _lines() -> list[bytes]:
    return ["\n".join(one.lines()).encode() for one in generate("train", 3, Knobs(seed=5))]


def _read_data(content: bytes) -> None:
    path = _file("data.json", content)
    reader.check(path)
    reader.read(path, labels_required=False)


def _questions() -> list[bytes]:
    return ["\n".join(questions(3, seed)).encode() for seed in (1, 2)]


def _read_questions(content: bytes) -> None:
    PeopleDomain().read(_file("questions.jsonl", content), labels_required=False)


def _scenes() -> list[bytes]:
    return [json.dumps(scene.to_json()).encode() for scene in _made()[0].contexts]


def _read_scene(content: bytes) -> None:
    codec = _domain().codec
    assert codec is not None
    codec.read_file(_file("scene.json", content))


def _pictures() -> list[bytes]:
    empty = Scene(((), (), ()))
    drawing = _domain().drawing
    assert drawing is not None
    return [drawing.draw(scene, "png") for scene in (*_made()[0].contexts[:2], empty)]


def _read_picture(content: bytes) -> None:
    scene_from_png(_file("picture.png", content))


# -- recipes and what runs leave behind --------------------------------------------------------------------------------


def _recipes() -> list[bytes]:
    changes = b"mml.epochs=3\nstages.1.max_actions=5\nparser.dropout=0.5\n\n"
    return [changes + path.read_bytes() for path in shipped_recipes().values()]


def _read_recipe(content: bytes) -> None:
    changes, _, text = _text(content).partition("\n\n")
    with suppress(ChoraleError):
        parse_recipe(text)
    parse_recipe(text, changes=changes.splitlines())


_RUN_FILES = ("progress.json", "run.json", "recipe.toml", "metrics.jsonl", "dev.json", "times.jsonl")


def _run_files() -> list[bytes]:
    """The name of a file in the first line, and then what it holds."""
    there = [name for name in _RUN_FILES if (BEFORE / name).exists()]
    state = {"file": "stages/02-mml/best-1.safetensors", "sha256": "0" * 64}
    best = {**state, "epoch": 1, "dev_accuracy": 0.5, "dev_consistency": 0.5}
    under_way = {"format": 1, "stages": 1, "state": {"epoch": 2, "latest": state, "best": best}}
    return [
        *(name.encode() + b"\n" + (BEFORE / name).read_bytes() for name in there),
        b"progress.json\n" + json.dumps(under_way).encode(),
        b'times.jsonl\n{"stage": 2, "epoch": 1, "seconds": 1.5}\n',
    ]


def _read_run_file(content: bytes) -> None:
    name, _, inside = content.partition(b"\n")
    folder = _folder() / "runs" / "seed-0"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(BEFORE, folder)
    file = _text(name)
    if file not in _RUN_FILES:
        return
    (folder / file).write_bytes(inside)
    job = Job(Path("r.toml"), (), 0, folder, status="running")
    Remaining({(job.recipe, job.changes): [1, 2, 3]}, 1).seconds([job])
    assert isinstance(job.result, dict)
    with suppress(ChoraleError):
        report_page(entries_of([folder]), None)
    with suppress(ChoraleError):
        compare(*compared_systems([folder, BEFORE])[0])
    recipe, started = (BEFORE / "recipe.toml").read_text(), read_run(BEFORE)
    plain = {"name": "x", "stages": [{"kind": "search"}]}
    with suppress(ChoraleError):
        Reuse.of(folder, plain, started.seed, started.data)
    with suppress(ChoraleError), open_run(folder, recipe, started.seed, started.data) as opened:
        opened.output("model")


_WEIGHTS = ("model.safetensors", "model.reranker.safetensors")


def _models() -> list[bytes]:
    """The JSON of a model; or, after the name of a file of weights, the weights."""
    about = json.loads((shipped()["best"] / "model.json").read_text())
    few = {key: value[:3] if key in {"seen", "familiar"} else value for key, value in about.items()}
    return [
        (BEFORE / "model.json").read_bytes(),
        json.dumps(few).encode(),
        *(name.encode() + b"\n" + (BEFORE / name).read_bytes() for name in _WEIGHTS),
    ]


def _read_model(content: bytes) -> None:
    name, _, inside = content.partition(b"\n")
    source = shipped()["best"] if b'"ranker"' in content[:200] else BEFORE
    folder = _folder() / "model"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in source.glob("model.*"):
        shutil.copy(path, folder)
    if _text(name) in _WEIGHTS:
        (folder / _text(name)).write_bytes(inside)
        about = (folder / "model.json").read_text()
        before = sha256((BEFORE / _text(name)).read_bytes())
        (folder / "model.json").write_text(about.replace(before, sha256(inside)))
    else:
        (folder / "model.json").write_bytes(content)
    load(folder)


def _candidates() -> list[bytes]:
    made = list(generate("train", 4, Knobs(seed=1)))
    lines = [
        {
            "identifier": str(one.number),
            "sentence": one.sentence,
            "candidates": [{"program": one.program, "actions": 5, "fit": -0.5, "prior": -1.5, "unexplained": ["a"]}],
        }
        for one in made
    ]
    return ["\n".join(map(json.dumps, lines)).encode(), json.dumps(lines[0]).encode()]


def _read_candidates(content: bytes) -> None:
    read_candidates(_file("candidates.jsonl", content), _grounding())


# -- the web server ----------------------------------------------------------------------------------------------------


@cache
def _client(model: str) -> TestClient:
    """A server in this process, with a model that ships; what goes wrong inside is raised here."""
    return TestClient(application(Inline(Answering(load(model), invented=100)), model, names=["testserver"]))


def _bodies() -> list[bytes]:
    """A model and an address in the first line, and then the body of a request."""
    program, scene = _text(_programs()[0]), _made()[0].contexts[0].to_json()
    picture = base64.b64encode(_pictures()[0]).decode()
    bodies: dict[str, object] = {
        "best parse": {"sentence": "There is a box with a yellow item.", "scene": scene, "top": 3, "answer_if": 0.5},
        "best run": {"program": program, "scene": scene},
        "best see": {"picture": picture},
        "best distinguish": {"one": program, "other": program, "scene": scene},
        "best change": {"program": program, "scene": scene, "answer": True},
        "best export": {"marks": [{"sentence": "There is a box.", "scene": scene, "answer": True}]},
    }
    table = {"header": ["Name", "Points"], "rows": [["Anna", "3"], ["Bert", "7.5"], ["Cleo", "12"]]}
    best = 'look_up(cells("[Name]", most("[Points] as number", all_rows)))'
    about = {"scene": table, "sentence": "Who had the most points?"}
    bodies |= {
        "tables parse": {**about, "top": 3},
        "tables run": {**about, "program": best},
        "tables distinguish": {**about, "one": best, "other": best.replace("most", "least")},
        "tables export": {"marks": [{**about, "answer_text": "Bert"}]},
    }
    return [f"{name}\n{json.dumps(body)}".encode() for name, body in bodies.items()]


def _read_body(content: bytes) -> None:
    first, _, body = content.partition(b"\n")
    model, _, name = first.partition(b" ")
    address = f"/api/{urllib.parse.quote(name[:100])}"
    client = _client("tables" if model == b"tables" else "best")
    response = client.post(address, content=body, headers={"Content-Type": "application/json"})
    assert response.status_code < 500, response.text
    response.json()


def _marks() -> list[bytes]:
    """Marks of both kinds of domain."""
    scenes = "\n".join(_made_lines())
    table = json.dumps({"identifier": "1-0", "sentence": "how many?", "context": [{"City": "Ost"}], "answer": 1})
    return [b"nlvr\n" + scenes.encode(), b"\xef\xbb\xbfnlvr\n\n" + scenes.encode(), b"tables\n" + table.encode()]


def _made_lines() -> list[str]:
    return list(next(iter(generate("train", 1, Knobs(seed=8)))).lines())


def _read_marks(content: bytes) -> None:
    """Marks that are read can be added to and taken back, and the others stay as they are."""
    first, _, inside = content.partition(b"\n")
    path = _file("marks.jsonl", inside)
    is_table = first == b"tables"
    marks = Marks(path, Tables() if is_table else _domain())
    before = path.read_bytes()
    context: Any = Table(["City"], [["Ost"]]) if is_table else _made()[0].contexts[0]
    name = marks.add("There is a circle", context, 3 if is_table else True)
    assert len(marks.utterances())
    assert marks.undo() == name
    assert path.read_bytes().split(b"\n")[:-1] == [line for _, line in lines(_file("before", before))]


def _readers() -> list[cost.Reader]:
    return [
        (b"recipe", _recipes()[:1], _read_recipe),
        (b"data", _lines()[:1], _read_data),
        (b"program", _programs()[:1], _read_program),
        (b"csv", tables.delimited(), lambda content: tables.read_delimited(_folder(), content)),
        (b"scene", _scenes()[:1], _read_scene),
    ]


def _read_timed(content: bytes) -> None:
    cost.read(_readers(), content, is_timed="CHORALE_FUZZ" in os.environ)


def _requests() -> list[bytes]:
    return wire.requests(_text(_programs()[0]), _made()[0].contexts[0].to_json())


TARGETS = {
    target.name: target
    for target in (
        Target("program", _programs, _read_program),
        Target("actions", _actions, _read_actions),
        Target("data", _lines, _read_data),
        Target("lines", _questions, _read_questions),
        Target("scene", _scenes, _read_scene),
        Target("picture", _pictures, _read_picture),
        Target("recipe", _recipes, _read_recipe),
        Target("model", _models, _read_model),
        Target("run", _run_files, _read_run_file),
        Target("candidates", _candidates, _read_candidates),
        Target("http", _bodies, _read_body),
        Target("wire", _requests, wire.read),
        Target("marks", _marks, _read_marks),
        Target("ranker", lambda: models.seeds(_folder()), lambda content: models.read(_folder(), content)),
        Target("csv", tables.delimited, lambda content: tables.read_delimited(_folder(), content)),
        Target("tables", lambda: tables.databases(_folder()), lambda content: tables.read_database(_folder(), content)),
        Target("questions", tables.questions, lambda content: tables.read_of_questions(_folder(), content)),
        Target("cost", lambda: cost.seeds(_readers()), _read_timed),
    )
}
