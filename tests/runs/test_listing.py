"""Runs as they are listed: from their files alone, whatever state these are in."""

import json
import shutil
from pathlib import Path

from tests.people import PeopleDomain

from chorale.model import load
from chorale.plumbing.files import locked
from chorale.runs.listing import explain_unfinished, find_runs


def write_run(folder: Path, *, stages: int = 0, done: bool = False) -> Path:
    """A folder that looks like a run with three stages, so many of them finished."""
    folder.mkdir(parents=True)
    (folder / "recipe.toml").write_text(
        'name = "short"\nstages = [{kind = "search"}, {kind = "mml"}, {kind = "mml"}]\n'
    )
    (folder / "run.json").write_text(json.dumps({"format": 1, "seed": 4, "data": {}, "versions": {}}))
    (folder / "progress.json").write_text(json.dumps({"format": 1, "stages": stages, "done": done}))
    (folder / "times.jsonl").write_text('{"stage": 2, "epoch": 1, "seconds": 1.5}\n{"stage": 2, "ep')
    if done:
        (folder / "dev.json").write_text(json.dumps({"accuracy": 0.82, "consistency": 0.65}))
    return folder


def test_runs_are_found_at_any_depth_but_not_inside_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "b" / "seed-0")
    write_run(tmp_path / "a")
    write_run(tmp_path / "a" / "stages" / "inner")
    assert [one.folder for one in find_runs(tmp_path)] == [tmp_path / "a", tmp_path / "b" / "seed-0"]
    assert [one.folder for one in find_runs(tmp_path / "a")] == [tmp_path / "a"]


def test_the_status_says_how_far_a_run_is(tmp_path: Path) -> None:
    write_run(tmp_path / "1", stages=3, done=True)
    write_run(tmp_path / "2", stages=1)
    write_run(tmp_path / "3", stages=2)
    with locked(tmp_path / "3" / "lock", "held"):
        complete, stopped, running = find_runs(tmp_path)
    assert (complete.status, complete.figures, complete.seed) == ("complete", "82.0 / 65.0", 4)
    assert (stopped.status, stopped.figures, stopped.seconds) == ("stopped at stage 2 of 3", "", 1.5)
    assert running.status == "running, stage 3 of 3"


def test_a_damaged_run_is_listed_with_what_is_wrong(tmp_path: Path) -> None:
    (write_run(tmp_path / "1") / "progress.json").write_text("{")
    (write_run(tmp_path / "2", done=True) / "dev.json").write_text("{}")
    first, second = find_runs(tmp_path)
    assert (first.state, second.state) == ("damaged", "damaged")
    assert first.status.startswith("damaged: progress.json: damaged, this is not JSON")
    assert "no accuracy or consistency" in second.status


def test_models_by_themselves_are_listed_when_asked_for(people: Path, tmp_path: Path) -> None:
    model = load(people, PeopleDomain())
    model.save(tmp_path / "copy")
    model.taught(model.domain.read(people.parent / "dev.jsonl")[:1]).save(tmp_path / "taught")
    write_run(tmp_path / "run")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "model.json").write_text('{"format": 1')
    shutil.copytree(people, tmp_path / "whole")
    found = find_runs(tmp_path, models=True)
    assert [(one.folder.name, one.status) for one in found if one.folder.name != "torn"] == [
        ("copy", "a model"),
        ("run", "stopped at stage 1 of 3"),
        ("taught", "taught by 1 sentence"),
        ("whole", "complete"),  # a run, which has a model as well
    ]
    assert {one.recipe for one in found} == {"people", "short", ""}
    [torn] = [one for one in found if one.folder.name == "torn"]
    assert torn.status.startswith("damaged: model.json: damaged, this is not JSON")
    assert [one.folder.name for one in find_runs(tmp_path)] == ["run", "whole"]


def test_a_folder_without_a_model_is_explained(tmp_path: Path) -> None:
    run = write_run(tmp_path / "many" / "seed-4", stages=1)
    said = explain_unfinished(run)
    assert said is not None
    assert "not finished (stopped at stage 2 of 3); resume it: chorale train" in said
    assert said.endswith(f"{run / 'recipe.toml'} --data DIR --out {run} --seed 4")
    with locked(run / "lock", "held"):
        assert "running, stage 2 of 3); wait for it" in (explain_unfinished(run) or "")
    assert explain_unfinished(tmp_path) == f"{tmp_path}: this is a folder of runs; name one of them: {run}"
    assert explain_unfinished(run / "stages") is None
