"""`chorale folds` on a tiny corpus, from the outside."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chorale.cli.main import app

FEW = ["--folds", 2, "--jobs", 2]
RECIPE = """
name = "short"
stages = [{kind = "search", file = "FILE"}, {kind = "mml", max_actions = 9, epochs = 1}]
parser = {token_embedding = 16, encoder = 12, action_embedding = 16}
"""


def chorale(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def recipe(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recipe") / "short.toml"
    path.write_text(RECIPE.replace("FILE", str(tiny / "candidates.jsonl")))
    return path


@pytest.fixture(scope="module")
def done(recipe: Path, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Both of two folds, trained side by side, and what was printed."""
    out = tmp_path_factory.mktemp("folds") / "short"
    result = chorale("folds", recipe, "--data", tiny, "--out", out, *FEW)
    assert result.exit_code == 0, result.output + "".join(path.read_text() for path in out.rglob("*.txt"))
    return out, result


def test_every_utterance_of_train_is_held_out_once(done: tuple[Path, Result]) -> None:
    out, result = done
    found = json.loads((out / "folds.json").read_text())
    assert len(found["utterances"]) == found["figures"]["all"]["utterances"] == 32
    assert {one["fold"] for one in found["utterances"].values()} == {0, 1}
    right = [all(one["right"]) for one in found["utterances"].values()]
    mean = found["figures"]["all"]["consistency"]["utterances"]["mean"]
    assert mean == pytest.approx(sum(right) / 32)
    assert f"{100 * mean:.1f} ± " in result.output
    assert "held out by kind: 2 of 2 folds" in result.output
    assert "chosen on an eighth of the kinds that were kept" in result.output


def test_the_same_command_trains_nothing_twice(done: tuple[Path, Result], recipe: Path, tiny: Path) -> None:
    out, _ = done
    before = {path: path.stat().st_mtime_ns for path in out.glob("fold-*/*.json")}
    again = chorale("folds", recipe, "--data", tiny, "--out", out, "--fold", 1, *FEW, "--json")
    assert again.exit_code == 0, again.output
    kept = json.loads((out / "folds.json").read_text())
    assert json.loads(again.output) == {key: value for key, value in kept.items() if key != "utterances"}
    assert before == {path: path.stat().st_mtime_ns for path in out.glob("fold-*/*.json")}


def test_another_recipe_or_seed_is_refused_before_any_work(done: tuple[Path, Result], recipe: Path, tiny: Path) -> None:
    out, _ = done
    for change in (["--seed", 1], ["--set", "mml.epochs=2"], ["--by", "length"]):
        result = chorale("folds", recipe, "--data", tiny, "--out", out, *FEW, *change)
        assert result.exit_code == 2
        assert "fold-0: this fold was started with other settings" in result.output


def test_what_cannot_be_held_out_is_told(recipe: Path, tiny: Path, nlvr_like: Path, tmp_path: Path) -> None:
    result = chorale("folds", recipe, "--data", tiny, "--out", tmp_path / "out", "--fold", 5)
    assert result.exit_code == 2
    assert "there is no fold 5; they are numbered from 0 to 4" in result.output
    arguments = ["--data", nlvr_like, "--out", tmp_path / "out", "--by", "structure"]
    result = chorale("folds", recipe, *arguments)
    assert result.exit_code == 2
    assert "only synthetic corpora tell it" in result.output
    assert not (tmp_path / "out").exists()


@pytest.fixture
def nlvr_like(data: Path) -> Path:
    """A folder whose train has no known programs."""
    return data.rename(data.with_name("train.json")).parent


def test_compare_gives_the_paired_difference(done: tuple[Path, Result], tmp_path: Path) -> None:
    out, _ = done
    other = json.loads((out / "folds.json").read_text())
    wrong = [one for one in other["utterances"].values() if not all(one["right"])]
    wrong[0]["right"] = [True] * len(wrong[0]["right"])
    (tmp_path / "folds.json").write_text(json.dumps(other))
    found = json.loads(chorale("compare", out, tmp_path, "--json").output)
    assert found["difference"]["consistency"]["utterances"]["mean"] == pytest.approx(1 / 32)
    shown = chorale("compare", out, tmp_path)
    assert "+3.1 ± " in shown.output
    assert "32 utterances" in shown.output
    other["by"] = "length"
    (tmp_path / "folds.json").write_text(json.dumps(other))
    assert "cannot be compared" in chorale("compare", out, tmp_path).output
    assert chorale("compare", out, tmp_path / "nowhere").exit_code == 2
