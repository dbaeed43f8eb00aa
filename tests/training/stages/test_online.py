"""The stage of a ranker by key: what a run leaves behind, and that it ends the same if it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.tables.data import write_data
from tests.training.killing import Impatient, Killed, Mortality

from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.ranker.keyed import KeyedRanker
from chorale.runs.reuse import common_stages
from chorale.runs.watching import Interrupted, Stop, Watcher
from chorale.tables.table import Table
from chorale.training.recipes import Recipe, RecipeError, find_recipe, keys, parse_recipe, read_recipe
from chorale.training.stages.online import OnlineStage
from chorale.training.train import train

STAGE = '{ kind = "online", copies = 1, meanings = 40, passes = 2, averaged = 1 }'
SMALL = f'name = "small"\ndomain = "tables"\nlanguage = "tables"\nstages = [{STAGE}]\n'
SRC = str(Path(__file__).parents[3] / "src")
TOWNS = Table(
    ["City", "Country", "People"], [["Ost", "Norland", "12"], ["Mel", "Sudland", "70"], ["Vin", "Norland", "9"]]
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("data") / "towns")


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(parse_recipe(SMALL), data, tmp_path_factory.mktemp("runs") / "small")


def content(run: Path) -> dict[str, bytes]:
    listed = ["recipe.toml", "metrics.jsonl", "dev.json", "model.json", "model.safetensors", "progress.json"]
    return {name: (run / name).read_bytes() for name in listed}


def ranker_of(run: Path) -> KeyedRanker:
    parser = load(run).parser
    assert isinstance(parser, KeyedRanker)
    return parser


# -- the recipe --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("dropout=1.0", "must be below 1"),
        ("none=0.0", "must be above 0"),
        ("meanings=0", "must be at least 1"),
        ("copies=21", "must be at most 20"),
        ("passes=2.5", "expected a whole number"),
        ("least=-1.0", "must be at least 0"),
        ("contexts=3", "there is no such key"),
    ],
)
def test_settings_out_of_bounds_are_refused(change: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        parse_recipe(SMALL, changes=[f"online.{change}"])


def test_nothing_goes_on_with_a_ranker_as_if_it_were_a_network() -> None:
    with pytest.raises(RecipeError, match="reward does not work with online"):
        parse_recipe(SMALL.replace(STAGE, f'{STAGE}, {{ kind = "reward" }}'))


def test_the_recipe_of_tables_is_quick_as_it_is_and_every_setting_is_documented() -> None:
    shipped = find_recipe("tables")
    assert read_recipe(shipped, quick=True) == read_recipe(shipped)
    rows = {name: text for name, _, text in keys() if name.startswith("online.")}
    assert rows.keys() == {f"online.{name}" for name in OnlineStage.model_fields}
    assert all(rows.values())


def test_only_domains_that_make_utterances_up_can_mix_them_in() -> None:
    recipe = parse_recipe('name = "mixed"\nmix = 5\nstages = [{ kind = "search" }, { kind = "mml" }]\n')
    with pytest.raises(ChoraleError, match="the domain nlvr has no synthesis, which mixed, mix = 5, needs"):
        recipe.check_domain(Nlvr())


def test_stages_of_another_mix_are_not_taken_over() -> None:
    before, after = parse_recipe(SMALL).plain, parse_recipe(f"mix = 5\n{SMALL}").plain
    older = {name: value for name, value in before.items() if name != "mix"}
    assert [common_stages(before, it) for it in (before, after, older)] == [1, 0, 1]


# -- runs --------------------------------------------------------------------------------------------------------------


def test_a_run_holds_a_ranker_that_answers_as_it_did_when_it_was_trained(finished: Path, data: Path) -> None:
    [line] = [json.loads(text) for text in (finished / "metrics.jsonl").read_text().splitlines()]
    model = load(finished)
    ranker = ranker_of(finished)
    assert ranker.search.model_dump() == {"copies": 1, "meanings": 40}
    score = model.evaluate(model.domain.read(data / "dev.tsv")).score
    assert score.accuracy == line["dev_accuracy"] > 0.6
    assert line["features"] >= len(ranker.weights) > 100
    assert ranker.confidence is not None
    assert not [path for path in finished.rglob("*") if path.name.startswith("proposals")]


def test_questions_that_are_made_up_are_learned_from_as_well(finished: Path, data: Path, tmp_path: Path) -> None:
    run = train(parse_recipe(f"mix = 12\n{SMALL}"), data, tmp_path / "mixed")
    known = [set(json.loads((folder / "model.json").read_text())["words"]) for folder in (finished, run)]
    assert known[0] < known[1]
    assert len(ranker_of(run).weights) > len(ranker_of(finished).weights)


def test_it_answers_questions_about_a_table_that_it_never_saw(finished: Path) -> None:
    model = load(finished)
    best = model.parse("how many cities are in norland?", TOWNS)[0]
    assert best.answers == (2.0,)
    assert 0 < best.sure < 1
    assert model.parse("which city has the most people?", TOWNS)[0].answers == (("Mel",),)


def test_a_question_about_no_table_or_several_is_refused_in_words(finished: Path) -> None:
    model = load(finished)
    with pytest.raises(ChoraleError, match="read together with their table"):
        model.parse("how many cities are in norland?")
    with pytest.raises(ChoraleError, match="a question is about one table; this one has 2"):
        model.parse("how many cities are in norland?", [TOWNS, TOWNS])


def test_killed_at_any_write_the_run_ends_the_same(
    finished: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mortality = Mortality(monkeypatch, seed=3)
    recipe, out = parse_recipe(SMALL), tmp_path / "run"
    for writes in (2, 3, 4):
        mortality.run(writes, lambda: train(recipe, data, out))
    train(recipe, data, out)
    assert mortality.kills == 3
    assert content(out) == content(finished)


class Mortal(Watcher):
    """Dies after so many steps."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done = steps, 0

    def step(self, done: int, of: int, loss: float | None = None) -> None:
        self.done += 1
        if self.done == self.steps:
            raise Killed


@pytest.mark.parametrize("steps", [5, 17], ids=["proposing", "cross-fitting"])
def test_killed_in_the_middle_it_goes_on_and_ends_the_same(
    finished: Path, data: Path, tmp_path: Path, steps: int
) -> None:
    recipe, out = parse_recipe(SMALL), tmp_path / "run"
    with pytest.raises(Killed):
        train(recipe, data, out, watcher=Mortal(steps))
    [part] = out.rglob("proposals.*.part")
    assert part.stat().st_size > 0
    assert content(train(recipe, data, out)) == content(finished)


def test_asked_to_stop_it_stops_and_ends_the_same(finished: Path, data: Path, tmp_path: Path) -> None:
    recipe, stop = parse_recipe(SMALL), Stop()
    with pytest.raises(Interrupted):
        train(recipe, data, tmp_path / "run", stop=stop, watcher=Impatient(stop, 7))
    assert not (tmp_path / "run" / "model.json").exists()
    assert content(train(recipe, data, tmp_path / "run")) == content(finished)


def test_sigkill_and_start_again_under_another_hash_seed_end_the_same(
    finished: Path, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    out = tmp_path / "run"
    command = [sys.executable, "-m", "chorale", "train", str(tmp_path / "small.toml"), "--data", str(data)]

    def start(hash_seed: int) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": SRC, "PYTHONHASHSEED": str(hash_seed), "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(
            [*command, "--out", str(out)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    process = start(7)
    while process.poll() is None and not any(part.stat().st_size for part in out.rglob("proposals.*.part")):
        time.sleep(0.002)
    process.kill()
    said, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL, said
    again = start(8)
    said, _ = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert content(out) == content(finished)


def test_another_seed_gives_other_weights(finished: Path, data: Path, tmp_path: Path) -> None:
    other = train(parse_recipe(SMALL), data, tmp_path / "run", seed=1)
    assert (other / "model.safetensors").read_bytes() != (finished / "model.safetensors").read_bytes()


# -- settings ----------------------------------------------------------------------------------------------------------


def with_changes(*changes: str) -> Recipe:
    return parse_recipe(SMALL, changes=[f"online.{change}" for change in changes])


def test_templates_that_are_left_out_have_no_weight_and_the_model_knows_it(
    finished: Path, data: Path, tmp_path: Path
) -> None:
    whole = ranker_of(finished)
    assert whole.templates is not None
    left_out = [name for name in whole.templates if "word" in name or "name" in name]
    ranker = ranker_of(train(with_changes(f"without={json.dumps(left_out)}"), data, tmp_path / "run"))
    assert ranker.templates == [name for name in whole.templates if name not in left_out]
    assert 0 < len(ranker.weights) < len(whole.weights)


def test_small_weights_are_not_kept(finished: Path, data: Path, tmp_path: Path) -> None:
    ranker = ranker_of(train(with_changes("least=0.05"), data, tmp_path / "run"))
    assert 0 < len(ranker.weights) < len(ranker_of(finished).weights)
    assert abs(ranker.weights.weights).min() > 0.049


def test_a_template_that_is_not_there_is_named_with_the_nearest_that_is_before_a_run_begins(
    data: Path, tmp_path: Path
) -> None:
    recipe = with_changes('without=["given-next-nam"]')
    with pytest.raises(ChoraleError, match=r"there is no template 'given-next-nam'; did you mean 'given-next-name'\?"):
        train(recipe, data, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_data_that_teach_nothing_are_an_error_in_words(data: Path, tmp_path: Path) -> None:
    folder = write_data(tmp_path / "data")
    lines = (folder / "train.tsv").read_text().splitlines()
    wrong = [line if not number else line.rsplit("\t", 1)[0] + "\tnobody" for number, line in enumerate(lines)]
    (folder / "train.tsv").write_text("\n".join(wrong) + "\n")
    with pytest.raises(ChoraleError, match="stage 1, online: no utterance has a right program to learn from"):
        train(parse_recipe(SMALL), folder, tmp_path / "run")


def test_a_domain_that_proposes_nothing_is_told_so(tiny: Path, tmp_path: Path) -> None:
    recipe = parse_recipe(SMALL.replace('"tables"', '"nlvr"', 1).replace('"tables"', '"extended"'))
    with pytest.raises(ChoraleError, match="stages of kind online do not work with the domain nlvr"):
        train(recipe, tiny, tmp_path / "run", domain=Nlvr())
