"""Files of runs with wrong types in them: whoever only looks at runs is told so, or sees what can be seen."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.runs.test_listing import write_run

from chorale.errors import ChoraleError
from chorale.report.learning import stage_results
from chorale.report.looks import note_look
from chorale.report.runs import entries_of, report_page
from chorale.runs.listing import find_runs
from chorale.runs.run import is_busy, open_run, read_metrics, read_progress, read_recipe_table
from chorale.sweeps.plan import Job, jobs_of
from chorale.sweeps.remaining import Remaining

BEFORE = Path(__file__).parent / "before"
FILE = {"file": "a", "sha256": "b"}
BEST = {**FILE, "epoch": 1, "dev_accuracy": 0.5, "dev_consistency": 0.5}


@pytest.mark.parametrize(
    "progress",
    [
        {"stages": -1},
        {"stages": True},
        {"metrics": -5},
        {"state": {"epoch": 1}},
        {"state": {"epoch": "x", "latest": FILE, "best": BEST}},
        {"state": {"epoch": 1, "latest": [], "best": BEST}},
        {"state": {"epoch": 1, "latest": {**FILE, "file": ["a"]}, "best": BEST}},
        {"state": {"epoch": 1, "latest": FILE, "best": {**BEST, "dev_accuracy": 7}}},
        {"state": {"epoch": 1, "latest": {**FILE, "file": "/etc/passwd"}, "best": BEST}},
        {"kept": ["../x"]},
        {"outputs": {"model": {**FILE, "file": "a\0b"}}},
        {"given": [{**FILE, "stage": 0, "name": "model"}]},
    ],
    ids=str,
)
def test_progress_of_wrong_types_is_refused(tmp_path: Path, progress: dict[str, Any]) -> None:
    (tmp_path / "progress.json").write_text(json.dumps({"format": 1, **progress}))
    with pytest.raises(ChoraleError, match=r"progress\.json: damaged"):
        read_progress(tmp_path)


def test_progress_beyond_the_recipe_and_outputs_that_are_not_there_are_refused(tmp_path: Path) -> None:
    recipe = 'name = "x"\nstages = [{kind = "search"}]\n'
    with open_run(tmp_path / "run", recipe, 0, {}) as run, pytest.raises(ChoraleError, match="no stage gave 'model'"):
        run.output("model")
    (tmp_path / "run" / "progress.json").write_text('{"format": 1, "stages": 2}')
    with (
        pytest.raises(ChoraleError, match="more stages are done than the recipe has"),
        open_run(tmp_path / "run", recipe, 0, {}),
    ):
        pass


@pytest.mark.parametrize("recipe", ["", "stages = 3", "stages = [3]", "stages = [{}]", 'stages = []\nname = ["x"]'])
def test_recipes_of_runs_that_are_none_are_told_and_listed(tmp_path: Path, recipe: str) -> None:
    run = write_run(tmp_path / "run")
    (run / "recipe.toml").write_text(recipe)
    with pytest.raises(ChoraleError, match=r"recipe\.toml: damaged"):
        read_recipe_table(run)
    assert [one.state for one in find_runs(tmp_path)] == ["damaged"]
    (tmp_path / "test.json").write_text("")
    with pytest.raises(ChoraleError, match=r"recipe\.toml: damaged"):
        note_look(tmp_path, tmp_path / "test.json", [run])


@pytest.mark.parametrize(
    "line",
    [
        '{"stage": 0, "kind": "mml"}',
        '{"stage": 2, "kind": []}',
        '{"stage": 2, "kind": "mml", "epoch": "x"}',
        '{"stage": 2, "kind": "mml", "loss": "x"}',
        '{"stage": 2, "kind": "mml", "loss": NaN}',
        '{"stage": 2, "kind": "mml", "dev_accuracy": null, "dev_consistency": 1}',
        '{"stage": 2, "kind": "mml", "dev_accuracy": [], "dev_consistency": 1}',
        '{"stage": 2, "kind": "mml", "chosen": {}}',
        "[]",
        '[["stage", 1]]',
        "3",
        2000 * "[",
        "1" * 5000,
        "",
    ],
)
def test_a_sweep_looks_at_metrics_that_are_none_and_goes_on(tmp_path: Path, line: str) -> None:
    job = Job(Path("r.toml"), (), 0, tmp_path, status="running")
    (tmp_path / "metrics.jsonl").write_text(f"{line}\n")
    for name in ("progress.json", "dev.json"):
        (tmp_path / name).write_text(line)
    assert job.last_line == {}
    assert job.result == {}
    assert not job.is_done
    assert Remaining({(job.recipe, job.changes): [1, 2, 3]}, 1).seconds([job]) is None
    if line:
        with pytest.raises(ChoraleError, match=r"metrics\.jsonl:1: damaged"):
            read_metrics(tmp_path)


@pytest.mark.parametrize("dev", ["[]", "{}", '{"accuracy": "x"}', '{"accuracy": 1e400, "consistency": 1}', "3"])
def test_figures_that_are_none_are_told(tmp_path: Path, dev: str) -> None:
    run = write_run(tmp_path / "run", done=True)
    (run / "dev.json").write_text(dev)
    assert Job(Path("r.toml"), (), 0, run).result == {}
    assert find_runs(tmp_path)[0].state == "damaged"


@pytest.mark.parametrize("line", ['{"seconds": 1e999}', '{"seconds": []}', "[]", 2000 * "[", '{"seconds": "x"}'])
def test_times_that_are_none_count_nothing(tmp_path: Path, line: str) -> None:
    (write_run(tmp_path / "run") / "times.jsonl").write_text(f'{{"seconds": 1.5}}\n{line}\n')
    assert find_runs(tmp_path)[0].seconds == 1.5


def test_a_report_tells_which_line_of_metrics_is_damaged(tmp_path: Path) -> None:
    shutil.copytree(BEFORE, tmp_path / "run")
    assert stage_results(read_metrics(tmp_path / "run"))
    (tmp_path / "run" / "metrics.jsonl").write_text('{"stage": 2, "kind": "mml", "dev_accuracy": "x"}\n')
    with pytest.raises(ChoraleError, match=r"metrics\.jsonl:1: damaged"):
        report_page(entries_of([tmp_path / "run"]), None)


def test_metrics_keep_the_order_of_their_keys(tmp_path: Path) -> None:
    line = '{"stage": 2, "zeta": 1, "kind": "mml", "loss": 1, "alpha": null, "epoch": 1}'
    (tmp_path / "metrics.jsonl").write_text(f"{line}\n")
    assert json.dumps(read_metrics(tmp_path)[0]) == line


def test_what_cannot_be_locked_is_not_busy(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    assert not is_busy(tmp_path)


@pytest.mark.parametrize("name", ["..", ".", "", "a\\u0000b", "\\u001b[31m", "x" * 300])
def test_a_recipe_whose_name_is_no_folder_is_refused_by_a_sweep(tmp_path: Path, name: str) -> None:
    (tmp_path / "r.toml").write_text(f'name = "{name}"\nstages = [{{kind = "ranker"}}]\n')
    with pytest.raises(ChoraleError, match="no folder can be called"):
        jobs_of([tmp_path / "r.toml"], [0], [], tmp_path / "out")
