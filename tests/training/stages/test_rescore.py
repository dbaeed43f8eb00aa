"""The stage that judges the best readings once more: what a run leaves behind, and that torch is for training alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.towns import write_towns
from tests.training.killing import Killed
from tests.training.stages.test_online import Mortal

from chorale.model import Model, load
from chorale.ranker.keyed import KeyedRanker
from chorale.training.recipes import RecipeError, find_recipe, keys, parse_recipe, read_recipe
from chorale.training.stages.rescore import Rescore
from chorale.training.train import train

ONLINE = '{ kind = "online", copies = 1, meanings = 60, passes = 2, averaged = 1, judged = 8 }'
STAGE = (
    '{ kind = "rescore", readings = 5, networks = 2, size = 4, filters = 4, hidden = 6, least_words = 1, '
    "least_labels = 1 }"
)
SMALL = f'name = "small"\ndomain = "tables"\nlanguage = "tables"\nstages = [{ONLINE}, {STAGE}]\n'
SRC = str(Path(__file__).parents[3] / "src")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_towns(tmp_path_factory.mktemp("data"), train=40, dev=10)


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(parse_recipe(SMALL), data, tmp_path_factory.mktemp("runs") / "small")


def content(run: Path) -> dict[str, bytes]:
    listed = ["metrics.jsonl", "dev.json", "model.json", "model.safetensors", "model.rescorer.safetensors"]
    return {name: (run / name).read_bytes() for name in listed}


def test_a_ranker_comes_first_and_nothing_after() -> None:
    with pytest.raises(RecipeError, match="rescore needs a model"):
        parse_recipe(SMALL.replace(f"{ONLINE}, ", ""))
    with pytest.raises(RecipeError, match="rescore must be the last stage"):
        parse_recipe(SMALL.replace(STAGE, f"{STAGE}, {ONLINE}"))


def test_the_recipe_differs_from_that_of_tables_by_this_stage_alone_and_its_settings_are_documented() -> None:
    recipe, tables = (read_recipe(find_recipe(name)) for name in ("tables_rescored", "tables"))
    assert recipe.stages == (*tables.stages, Rescore())
    rows = {name: text for name, _, text in keys() if name.startswith("rescore.")}
    assert rows.keys() == {f"rescore.{name}" for name in Rescore.model_fields}
    assert all(rows.values())


def test_a_run_holds_a_ranker_with_networks_that_answers_as_it_did_when_it_was_trained(
    finished: Path, data: Path
) -> None:
    lines = [json.loads(text) for text in (finished / "metrics.jsonl").read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["online", "rescore"]
    model = load(finished)
    assert isinstance(model.parser, KeyedRanker)
    assert model.parser.rescorer is not None
    assert (model.parser.rescorer.most, len(model.parser.rescorer.networks)) == (5, 2)
    assert model.evaluate(data / "random-split-1-dev.tsv").score.accuracy == lines[-1]["dev_accuracy"] > 0.5


def test_the_networks_have_a_say(finished: Path, data: Path) -> None:
    model = load(finished)
    assert isinstance(model.parser, KeyedRanker)
    asked = model.domain.read(data / "random-split-1-dev.tsv")
    with_networks = [one[0].log_probability for one in model.read(asked)]
    alone = Model(model.parser.with_rescorer(None, model.parser.confidence), model.domain, model.about)
    assert [one[0].log_probability for one in alone.read(asked)] != pytest.approx(with_networks, abs=1e-3)


def test_killed_between_its_networks_it_ends_the_same(finished: Path, data: Path, tmp_path: Path) -> None:
    recipe, out = parse_recipe(SMALL), tmp_path / "run"
    with pytest.raises(Killed):
        train(recipe, data, out, watcher=Mortal(40 + 5 + 1))  # utterances, folds, a network
    assert content(train(recipe, data, out)) == content(finished)


def test_answers_need_no_torch(finished: Path, data: Path) -> None:
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from chorale.model import load\n"
        f"print(load({str(finished)!r}).evaluate({str(data / 'random-split-1-dev.tsv')!r}).score.accuracy)"
    )
    environment = {**os.environ, "PYTHONPATH": SRC}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    expected = json.loads((finished / "metrics.jsonl").read_text().splitlines()[-1])["dev_accuracy"]
    assert float(done.stdout) == expected
