"""The ranker's stage: what recipes may say, what a run leaves behind, and that it ends the same if it is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.people import PeopleDomain, write_questions
from tests.training.killing import Impatient, Mortality
from typer.testing import CliRunner

from chorale.cli.main import app
from chorale.domain import Domain, Example
from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.ranker.features import names
from chorale.ranker.posing import pose
from chorale.ranker.ranker import Ranker
from chorale.runs.watching import Interrupted, Stop
from chorale.training.recipes import Recipe, RecipeError, find_recipe, keys, parse_recipe, read_recipe, written_recipe
from chorale.training.stages.ranker import LEAST, RankerStage
from chorale.training.train import train

STAGE = '{ kind = "ranker", max_actions = 12, meanings = 30, contexts = 16, most = 30, steps = 8 }'
SMALL = f'name = "small"\nlanguage = "extended"\nstages = [{STAGE}]\n'
SRC = str(Path(__file__).parents[3] / "src")


@pytest.fixture(scope="session")
def finished(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(parse_recipe(SMALL), tiny, tmp_path_factory.mktemp("runs") / "ranked")


def content(run: Path) -> dict[str, bytes]:
    listed = ["recipe.toml", "metrics.jsonl", "dev.json", "model.json", "model.safetensors", "progress.json"]
    return {name: (run / name).read_bytes() for name in listed}


def stage_of(recipe: Recipe) -> RankerStage:
    [stage] = recipe.stages
    assert isinstance(stage, RankerStage)
    return stage


# -- the recipe ---------------------------------------------------------------------------------------------------


def test_a_template_that_is_not_there_is_named_with_the_nearest_that_is() -> None:
    assert stage_of(parse_recipe(SMALL, changes=['ranker.without=["says", "root"]'])).without == ["says", "root"]
    with pytest.raises(RecipeError, match=r"there is no template 'sayz'; did you mean 'says'\?"):
        parse_recipe(SMALL, changes=['ranker.without=["root", "sayz"]'])
    with pytest.raises(RecipeError, match="expected a list"):
        parse_recipe(SMALL, changes=["ranker.without=3"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("flip=0.5", "must be below 0.5"),
        ("flip=0.0", "must be above 0"),
        ("dropout=1.0", "must be below 1"),
        ("meanings=0", "must be at least 1"),
        ("steps=2.5", "expected a whole number"),
        ("template=1", "there is no such key"),
    ],
)
def test_settings_out_of_bounds_are_refused(change: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        parse_recipe(SMALL, changes=[f"ranker.{change}"])


@pytest.mark.parametrize("after", ['{ kind = "reward" }', '{ kind = "rerank" }', '{ kind = "mml", start = "last" }'])
def test_no_stage_goes_on_with_a_ranker_as_if_it_were_a_network(after: str) -> None:
    with pytest.raises(RecipeError, match="ranker must be the last stage"):
        parse_recipe(SMALL.replace(STAGE, f'{{ kind = "search" }}, {STAGE}, {after}'))


def test_a_recipe_is_written_out_as_it_was_and_has_the_same_form_when_it_must_be_quick() -> None:
    recipe = parse_recipe(SMALL, changes=['ranker.without=["twins"]'])
    assert parse_recipe(written_recipe(recipe)) == recipe
    shipped = find_recipe("ranker")
    assert read_recipe(shipped, quick=True) == read_recipe(shipped)


def test_every_setting_is_documented() -> None:
    rows = {name: text for name, _, text in keys() if name.startswith("ranker.")}
    assert rows.keys() == {f"ranker.{name}" for name in RankerStage.model_fields}
    assert all(rows.values())


# -- runs ---------------------------------------------------------------------------------------------------------


def test_a_run_holds_a_ranker_that_answers_as_it_did_when_it_was_trained(finished: Path, tiny: Path) -> None:
    [line] = [json.loads(text) for text in (finished / "metrics.jsonl").read_text().splitlines()]
    model = load(finished)
    assert isinstance(model.parser, Ranker)
    assert model.parser.search.model_dump() == stage_of(parse_recipe(SMALL)).search.model_dump()
    report = model.evaluate(model.domain.read(tiny / "dev.jsonl.gz"))
    assert (report.score.accuracy, report.score.consistency) == (line["dev_accuracy"], line["dev_consistency"])
    assert line["features"] >= len(model.parser.weights) > 0
    assert min(map(abs, model.parser.weights.values())) >= LEAST
    assert not list(finished.rglob("*.part"))


def test_killed_at_any_write_the_run_ends_the_same(
    finished: Path, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mortality = Mortality(monkeypatch, seed=3)
    recipe, out = parse_recipe(SMALL), tmp_path / "run"
    for writes in (1, 2, 3, 4, 5):
        mortality.run(writes, lambda: train(recipe, tiny, out))
    train(recipe, tiny, out)
    assert mortality.kills >= 4
    assert content(out) == content(finished)


def test_stopped_between_sentences_or_steps_it_ends_the_same(finished: Path, tiny: Path, tmp_path: Path) -> None:
    recipe = parse_recipe(SMALL)
    for steps in (3, 30):
        stop = Stop()
        with pytest.raises(Interrupted):
            train(recipe, tiny, tmp_path / "run", stop=stop, watcher=Impatient(stop, steps))
        assert not (tmp_path / "run" / "model.json").exists()
    assert content(train(recipe, tiny, tmp_path / "run")) == content(finished)


def test_every_process_learns_the_same(finished: Path, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    command = [sys.executable, "-m", "chorale", "train", str(tmp_path / "small.toml"), "--data", str(tiny)]
    environment = {**os.environ, "PYTHONPATH": SRC, "PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "run")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "run") == content(finished)


def test_another_seed_gives_other_weights(finished: Path, tiny: Path, tmp_path: Path) -> None:
    other = train(parse_recipe(SMALL), tiny, tmp_path / "run", seed=1)
    assert (other / "model.safetensors").read_bytes() != (finished / "model.safetensors").read_bytes()


def test_templates_that_are_left_out_have_no_weight_and_the_model_knows_it(tiny: Path, tmp_path: Path) -> None:
    recipe = parse_recipe(SMALL, changes=['ranker.without=["says", "root"]'])
    ranker = load(train(recipe, tiny, tmp_path / "run")).parser
    assert isinstance(ranker, Ranker)
    assert set(ranker.templates or ()) == set(names()) - {"says", "root"}
    assert not {feature[0] for feature in ranker.weights} & {"says", "root"}


def test_equal_sentences_are_one_and_labels_that_are_not_known_say_nothing(tiny: Path) -> None:
    domain, stage = Nlvr(), stage_of(parse_recipe(SMALL))
    first, second = domain.read(tiny / "train.jsonl.gz")[:2]
    said = [
        Example("one", first.sentence, first.contexts, first.answers),
        Example("two", first.sentence.upper() + " !", first.contexts, first.answers),
        Example("three", second.sentence, second.contexts, (None,) * len(second.answers)),
    ]
    corpus, told = Corpus.of(domain, "extended", said), list[tuple[int, int]]()
    ranker = Ranker(domain, "extended", stage.search, {})
    problem, _ = pose(corpus, ranker, stage.flip, lambda *it: told.append(it))
    assert told == [(1, 2), (2, 2)]
    every = np.ones(len(problem.features), dtype=bool)
    posed = problem.posed(every, problem.utterances, 0.001)
    assert len(posed.starts) - 1 == 2
    assert np.diff(posed.starts).max() <= stage.meanings
    assert posed.utterances == 2
    assert posed.likely[posed.said_by == 0].tolist() == posed.likely[posed.said_by == 1].tolist()


def test_a_ranker_learns_of_utterances_with_constants_of_their_own(tmp_path: Path) -> None:
    write_questions(tmp_path, train=60, dev=20)
    recipe = parse_recipe(SMALL.replace("extended", "asking"))
    model = load(train(recipe, tmp_path, tmp_path / "run", domain=PeopleDomain()), PeopleDomain())
    assert model.evaluate(tmp_path / "dev.jsonl").score.accuracy > 0.9  # numbers and tuples of names
    table = ({"name": "zoe", "city": "rome"}, {"name": "hugo", "city": "rome"}, {"name": "bert", "city": "oslo"})
    assert model.answer("How many have rome?", table).answer == 2


# -- what a user can get wrong --------------------------------------------------------------------------------------


class Still(Nlvr):
    """Makes no contexts."""

    variants = Domain.variants


def test_a_domain_that_cannot_make_contexts_is_told_so(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="the domain nlvr makes no contexts"):
        train(parse_recipe(SMALL), tiny, tmp_path / "run", domain=Still())


def test_data_that_teach_nothing_are_an_error_in_words(tiny: Path, tmp_path: Path) -> None:
    recipe = parse_recipe(SMALL, changes=["ranker.meanings=1"])
    with pytest.raises(ChoraleError, match="no sentence has two meanings to choose from"):
        train(recipe, tiny, tmp_path / "run")


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "{run}", "--data", "{data}/dev.jsonl.gz"],
        ["predict", "{run}", "--data", "{data}/dev.jsonl.gz", "--out", "{out}/predictions.csv"],
        ["parse", "{run}", "There is a box with a black item"],
        ["parse", "{run}", "Hello world"],
    ],
    ids=lambda words: words[0],
)
def test_commands_know_a_ranker(finished: Path, tiny: Path, tmp_path: Path, words: list[str]) -> None:
    given = [word.format(run=finished, data=tiny, out=tmp_path) for word in words]
    done = CliRunner().invoke(app, given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.output.strip()
