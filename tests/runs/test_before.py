"""Runs and models as the commit 13e3360 left them load, evaluate and compare. `before/` is such a run."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chorale.cli.main import app
from chorale.errors import ChoraleError
from chorale.model import load
from chorale.runs.run import read_metrics, read_progress, read_recipe_table, read_right, recipe_differences
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

BEFORE = Path(__file__).parent / "before"


def test_a_model_of_before_says_what_it_said() -> None:
    model = load(BEFORE)
    report = model.evaluate(model.domain.read(BEFORE / "dev.jsonl.gz"))
    before = json.loads((BEFORE / "dev.json").read_text())
    assert {name: list(values) for name, values in report.right.items()} == before.pop("right")
    assert report.to_json() == before


def test_files_of_a_run_of_before_are_read() -> None:
    assert read_progress(BEFORE).done
    assert [line["kind"] for line in read_metrics(BEFORE)] == ["search", "mml", "mml", "mml", "mml", "rerank", "rerank"]
    assert len(read_right(BEFORE / "dev.json")) == 8


def test_the_recipe_of_a_run_of_before_is_read_without_the_keys_that_are_gone() -> None:
    text = (BEFORE / "recipe.toml").read_text()
    assert "clip = 0.0" in text
    assert "query_dropout = 0.0" in text
    table = read_recipe_table(BEFORE)
    assert "query_dropout" not in table["parser"]
    assert not any("clip" in stage for stage in table["stages"])
    assert [stage.kind for stage in parse_recipe(text).stages] == ["search", "mml", "rerank"]


def test_another_value_of_a_key_that_is_gone_is_not_forgotten(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text((BEFORE / "recipe.toml").read_text().replace("clip = 0.0", "clip = 5.0"))
    table = read_recipe_table(tmp_path)
    assert [stage.get("clip") for stage in table["stages"]] == [None, 5.0, 5.0]
    assert "stages.2.clip: 5.0 before, None now" in recipe_differences(table, read_recipe_table(BEFORE))


def test_runs_of_before_are_compared() -> None:
    result = CliRunner().invoke(app, ["compare", str(BEFORE), str(BEFORE), "--json"])
    assert result.exit_code == 0, result.output
    assert [step["difference"] for step in json.loads(result.output)] == [0.0, 0.0]


def test_a_run_of_before_is_not_gone_on_with_as_if_its_recipe_were_of_today(tmp_path: Path) -> None:
    shutil.copytree(BEFORE, tmp_path / "run")
    shutil.copy(BEFORE / "dev.jsonl.gz", tmp_path / "train.jsonl.gz")
    shutil.copy(BEFORE / "dev.jsonl.gz", tmp_path / "dev.jsonl.gz")
    recipe = parse_recipe('name = "old"\nstages = [{ kind = "search" }, { kind = "mml" }]')
    with pytest.raises(ChoraleError, match="this run was started with other settings"):
        train(recipe, tmp_path, tmp_path / "run")
