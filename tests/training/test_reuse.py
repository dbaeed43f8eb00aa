"""Runs that begin with the stages of another run end exactly as if they had trained these themselves."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import pytest
from pydantic import BaseModel
from tests.training.killing import Killed, Mortality
from typer.testing import CliRunner

from chorale.cli.main import app
from chorale.engines.engine import Running
from chorale.errors import ChoraleError
from chorale.plumbing.files import read_json, write_json
from chorale.runs.watching import Watcher
from chorale.sweeps.plan import Job, jobs_of
from chorale.sweeps.running import run_jobs
from chorale.training.recipes import Recipe, common_stages, parse_recipe, written_recipe
from chorale.training.train import train

MORE = '  { kind = "rerank", max_actions = 11, beam = 30, epochs = 2, batch = 8 },\n]\n'


@pytest.fixture(scope="session")
def longer(tiny: Path) -> Recipe:
    """The tiny recipe with a reranker after it."""
    text = (tiny / "tiny.toml").read_text()
    return parse_recipe(text.replace("]\n", MORE, 1).replace('"tiny"', '"longer"'))


@pytest.fixture(scope="session")
def first(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny recipe, complete."""
    recipe = parse_recipe((tiny / "tiny.toml").read_text())
    return train(recipe, tiny, tmp_path_factory.mktemp("runs") / "first")


@pytest.fixture(scope="session")
def alone(longer: Recipe, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The longer recipe, trained all by itself."""
    return train(longer, tiny, tmp_path_factory.mktemp("runs") / "alone")


def content(run: Path) -> dict[str, bytes]:
    """All that a run holds but for the times."""
    files = (path for path in run.rglob("*") if path.is_file() and path.name not in {"lock", "times.jsonl"})
    return {str(path.relative_to(run)): path.read_bytes() for path in files}


M = TypeVar("M", bound=BaseModel)


def changed(model: M, **values: object) -> M:
    return model.model_copy(update=values)


class Trained(Watcher):
    """Remembers which stages were really run, and what was noted."""

    def __init__(self) -> None:
        self.stages: list[int] = []
        self.notes: list[str] = []

    def stage(self, index: int, stage: object, epoch: int) -> None:
        self.stages.append(index + 1)

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_a_run_after_another_is_the_run_that_trains_everything(
    first: Path, alone: Path, longer: Recipe, tiny: Path, tmp_path: Path
) -> None:
    watcher = Trained()
    run = train(longer, tiny, tmp_path / "run", after=first, watcher=watcher)
    assert watcher.stages == [6]
    assert watcher.notes == [f"stages 1 to 5 of 6 are taken over from {first}"]
    assert content(run) == content(alone)


def test_only_stages_in_common_are_taken_over(first: Path, recipe: Recipe, tiny: Path, tmp_path: Path) -> None:
    stages = (*recipe.stages[:2], changed(recipe.stages[2], learning_rate=0.01), *recipe.stages[3:])
    other = changed(recipe, name="other", stages=stages)
    watcher = Trained()
    run = train(other, tiny, tmp_path / "run", after=first, watcher=watcher)
    assert watcher.stages == [3, 4, 5]
    assert content(run) == content(train(other, tiny, tmp_path / "alone"))


def test_an_unfinished_run_gives_the_stages_that_it_has_done(
    alone: Path, longer: Recipe, recipe: Recipe, tiny: Path, tmp_path: Path
) -> None:
    class UntilThird(Watcher):
        def line(self, values: object) -> None:
            if isinstance(values, dict) and values["stage"] == 3:
                raise Killed

    with pytest.raises(Killed):
        train(recipe, tiny, tmp_path / "half", watcher=UntilThird())
    watcher = Trained()
    run = train(longer, tiny, tmp_path / "run", after=tmp_path / "half", watcher=watcher)
    assert watcher.stages == [3, 4, 5, 6]
    assert content(run) == content(alone)


def test_killed_while_it_takes_over_it_ends_the_same(
    first: Path, alone: Path, longer: Recipe, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mortality = Mortality(monkeypatch, seed=4)
    for writes in (1, 2, 3, 5, 7, 9, 10):
        mortality.run(writes, lambda: train(longer, tiny, tmp_path / "run", after=first))
    assert mortality.kills > 4
    assert content(train(longer, tiny, tmp_path / "run", after=first)) == content(alone)


def test_a_run_that_goes_on_needs_the_other_no_more(
    first: Path, alone: Path, longer: Recipe, tiny: Path, tmp_path: Path
) -> None:
    class AtOnce(Watcher):
        def stage(self, index: int, stage: object, epoch: int) -> None:
            raise Killed

    shutil.copytree(first, tmp_path / "first")
    with pytest.raises(Killed):
        train(longer, tiny, tmp_path / "run", after=tmp_path / "first", watcher=AtOnce())
    shutil.rmtree(tmp_path / "first")
    run = train(longer, tiny, tmp_path / "run", after=tmp_path / "first")
    assert content(run) == content(alone)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("parser.dropout=0.5", r"parser.dropout: 0.2 before, 0.5 now"),
        ("min_count=2", r"min_count: 1 before, 2 now"),
        ("search.keep=3", r"stages.1.keep: 20 before, 3 now"),
    ],
)
def test_what_differs_first_is_told_if_nothing_is_in_common(
    first: Path, tiny: Path, tmp_path: Path, change: str, message: str
) -> None:
    other = parse_recipe((tiny / "tiny.toml").read_text(), changes=[change, "name=other", "mml.epochs=1"])
    with pytest.raises(ChoraleError, match=f"no finished stage in common with 'other'(.|\n)*{message}$"):
        train(other, tiny, tmp_path / "run", after=first)
    assert not (tmp_path / "run").exists()


def test_another_seed_data_or_version_is_refused(first: Path, longer: Recipe, tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="seed: 0 before, 7 now"):
        train(longer, tiny, tmp_path / "run", after=first, seed=7)
    shutil.copytree(tiny, tmp_path / "data")
    shutil.copy(tmp_path / "data" / "dev.jsonl.gz", tmp_path / "data" / "train.jsonl.gz")
    with pytest.raises(ChoraleError, match="data: train is another file"):
        train(longer, tmp_path / "data", tmp_path / "run", after=first)
    shutil.copytree(first, tmp_path / "first")
    about = read_json(tmp_path / "first" / "run.json")
    write_json(tmp_path / "first" / "run.json", {**about, "versions": {**about["versions"], "torch": "1.0"}})
    with pytest.raises(ChoraleError, match=r"torch: 1\.0 before, "):
        train(longer, tiny, tmp_path / "run", after=tmp_path / "first")


def test_no_run_and_a_run_without_a_finished_stage_are_told(
    recipe: Recipe, tiny: Path, tmp_path: Path, first: Path
) -> None:
    with pytest.raises(ChoraleError, match="no such run"):
        train(recipe, tiny, tmp_path / "run", after=tmp_path / "nowhere")
    (tmp_path / "young").mkdir()
    for name in ("run.json", "recipe.toml"):
        shutil.copy(first / name, tmp_path / "young" / name)
    with pytest.raises(ChoraleError, match="its first stage is not done yet"):
        train(recipe, tiny, tmp_path / "run", after=tmp_path / "young")


@pytest.mark.parametrize("damage", ["change", "remove", "escape"])
def test_files_that_are_not_those_that_were_written_are_not_taken_over(
    first: Path, longer: Recipe, tiny: Path, tmp_path: Path, damage: str
) -> None:
    other = shutil.copytree(first, tmp_path / "first")
    [path] = (other / "stages" / "02-mml").glob("*.safetensors")
    if damage == "change":
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    elif damage == "remove":
        path.unlink()
    else:
        progress = read_json(other / "progress.json")
        progress["given"][0]["file"] = "../escaped"
        write_json(other / "progress.json", progress)
    with pytest.raises(ChoraleError, match=r"damaged or changed|missing|is not a file of the run"):
        train(longer, tiny, tmp_path / "run", after=other)
    assert not (tmp_path / "escaped").exists()


def test_a_run_of_before_there_was_this_gives_all_of_it_or_nothing(
    first: Path, alone: Path, longer: Recipe, recipe: Recipe, tiny: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(first, tmp_path / "first")
    progress = read_json(other / "progress.json")
    del progress["given"]
    write_json(other / "progress.json", progress)
    run = train(longer, tiny, tmp_path / "run", after=other)
    for name in ("metrics.jsonl", "dev.json", "model.safetensors", "model.reranker.safetensors"):
        assert (run / name).read_bytes() == (alone / name).read_bytes()
    with pytest.raises(ChoraleError, match="after stage 5, but not after stage 2"):
        train(changed(recipe, stages=recipe.stages[:2]), tiny, tmp_path / "short", after=other)


def test_stages_in_common_end_at_the_first_difference(recipe: Recipe, longer: Recipe) -> None:
    assert common_stages(recipe, longer) == common_stages(longer, recipe) == 5
    assert common_stages(recipe, changed(recipe, name="x")) == 5
    assert common_stages(recipe, changed(recipe, language="macro")) == 0
    assert common_stages(recipe, changed(recipe, stages=recipe.stages[1:])) == 0


def test_the_command_takes_the_other_run(first: Path, alone: Path, longer: Recipe, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "longer.toml").write_text(written_recipe(longer))
    arguments = ["train", tmp_path / "longer.toml", "--data", tiny, "--out", tmp_path / "run", "--after", first]
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    assert content(tmp_path / "run") == content(alone)


WRITER = """
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
for other in sys.argv[2:]:
    assert (pathlib.Path(other) / "progress.json").exists(), other
folder.mkdir()
(folder / "progress.json").write_text('{"done": true}')
"""


def python(script: str, *words: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script, *map(str, words)])


def sweep(tmp_path: Path, tiny: Path, longer: Recipe) -> list[Job]:
    (tmp_path / "longer.toml").write_text(written_recipe(longer))
    return jobs_of([tmp_path / "longer.toml", tiny / "tiny.toml"], range(2), [], tmp_path / "runs")


def test_a_sweep_trains_what_recipes_have_in_common_once(tiny: Path, longer: Recipe, tmp_path: Path) -> None:
    jobs = sweep(tmp_path, tiny, longer)
    assert [job.after and job.after.folder.relative_to(tmp_path / "runs") for job in jobs] == [
        Path("tiny/seed-0"),
        Path("tiny/seed-1"),
        None,
        None,
    ]

    def start(job: Job) -> Running:
        before = [] if job.after is None else [job.after.folder]
        return python(WRITER, job.folder, *before)

    assert run_jobs(jobs, start, 4, lambda _: None, pause=0.02)


def test_a_sweep_does_not_start_what_would_begin_with_a_failed_run(tiny: Path, longer: Recipe, tmp_path: Path) -> None:
    jobs = sweep(tmp_path, tiny, longer)
    assert not run_jobs(jobs, lambda _: python("raise SystemExit(1)"), 4, lambda _: None, pause=0.02)
    assert [(job.status, job.process is None) for job in jobs] == [("failed", True)] * 2 + [("failed", False)] * 2


def test_metrics_hold_the_lines_of_all_stages(first: Path, longer: Recipe, tiny: Path, tmp_path: Path) -> None:
    run = train(longer, tiny, tmp_path / "run", after=first)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert sorted({line["stage"] for line in lines}) == [1, 2, 3, 4, 5, 6]
