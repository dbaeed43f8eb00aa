"""The commands around training: train, sweep, evaluate, predict, parse and compare."""

import gzip
import hashlib
import json
import random
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
from PIL import Image
from typer.testing import CliRunner, Result

from chorale import model as models
from chorale.cli.main import app
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.drawing import to_png
from chorale.nlvr.pictures.scenes import Scene
from chorale.report.looks import LOOKS


def examples(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def chorale(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def runs(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds of the tiny recipe, made by a sweep."""
    folder = tmp_path_factory.mktemp("sweep") / "runs"
    result = chorale("sweep", tiny / "tiny.toml", "--data", tiny, "--seeds", 2, "--out", folder, "--jobs", 2)
    assert result.exit_code == 0, result.output + "".join(path.read_text() for path in folder.rglob("*.txt"))
    return folder / "tiny"


def test_a_sweep_trains_every_seed_and_is_done_the_second_time(runs: Path, tiny: Path) -> None:
    assert sorted(path.name for path in runs.iterdir() if path.is_dir()) == ["seed-0", "seed-1"]
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("model.json")}
    again = chorale("sweep", tiny / "tiny.toml", "--data", tiny, "--seeds", 2, "--out", runs.parent)
    assert again.exit_code == 0
    assert before == {path: path.stat().st_mtime_ns for path in runs.rglob("model.json")}


def test_a_sweep_refuses_a_faulty_recipe_at_once(tiny: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "bad.toml"
    recipe.write_text((tiny / "tiny.toml").read_text().replace("batch", "bach"))
    result = chorale("sweep", recipe, "--data", tiny, "--out", tmp_path / "runs")
    assert result.exit_code == 2
    assert "did you mean 'batch'?" in result.output
    assert not (tmp_path / "runs").exists()


def test_a_sweep_tells_which_run_failed(tiny: Path, tmp_path: Path) -> None:
    arguments = ["--data", tiny, "--seeds", 1, "--out", tmp_path, "--set", "search.file=/nowhere.jsonl"]
    result = chorale("sweep", tiny / "tiny.toml", *arguments)
    assert result.exit_code == 1
    assert "seed-0: failed" in result.output
    assert "/nowhere.jsonl: no such file" in (tmp_path / "tiny" / "seed-0.output.txt").read_text()


def test_train_refuses_a_faulty_recipe_before_it_makes_a_folder(tiny: Path, tmp_path: Path) -> None:
    result = chorale("train", tiny / "tiny.toml", "--data", tiny, "--out", tmp_path / "run", "--set", "mml.epoch=3")
    assert result.exit_code == 2
    assert "--set mml.epoch: there is no such key; did you mean 'epochs'?" in result.output
    assert not (tmp_path / "run").exists()


def test_train_refuses_a_language_that_is_not_there(tiny: Path, tmp_path: Path) -> None:
    arguments = ["--data", tiny, "--out", tmp_path / "run", "--set", "language=consistant"]
    result = chorale("train", tiny / "tiny.toml", *arguments)
    assert result.exit_code == 2
    assert "did you mean 'consistent'?" in result.output
    assert not (tmp_path / "run").exists()


def test_recipes_that_ship_are_listed_and_known_by_name(tiny: Path, tmp_path: Path) -> None:
    listed = json.loads(chorale("recipes", "--json").output)
    assert {"language", "consistency", "iterative_search", "abstract"} <= set(listed)
    assert all(listed.values())
    assert [line.split()[0] for line in chorale("recipes").output.splitlines()] == list(listed)
    short = ["--set", "search.procedure=meaning", "--set", "search.max_actions=5", "--set", "mml.epoch=1"]
    result = chorale("train", "language", "--data", tiny, "--out", tmp_path / "run", *short)
    assert "mml.epoch: there is no such key" in result.output  # so the recipe was found
    for command in (("train", "langage", "--out", tmp_path / "run"), ("sweep", "langage")):
        result = chorale(*command, "--data", tiny)
        assert result.exit_code == 2
        assert "did you mean 'language'?" in result.output
    assert not (tmp_path / "run").exists()


def test_train_explains_its_keys() -> None:
    result = chorale("train", "--keys")
    assert result.exit_code == 0
    assert "mml.patience = 10" in result.output


def test_evaluate_gives_the_figures_of_the_run(runs: Path, tiny: Path) -> None:
    result = chorale("evaluate", runs / "seed-0", "--data", tiny / "dev.jsonl.gz", "--json")
    figures = json.loads(result.output)
    kept = json.loads((runs / "seed-0" / "dev.json").read_text())
    share = figures.pop("right_meaning")  # the tiny corpus is a synthetic one
    assert 0 <= share <= figures["consistency"]
    assert {key: kept[key] for key in figures} == figures
    plain = chorale("evaluate", runs / "seed-0", "--data", tiny / "dev.jsonl.gz")
    assert f"right meaning: {100 * share:.1f} %" in plain.output
    assert f"{100 * figures['consistency']:.1f}" in plain.output
    assert "always 'true' would have accuracy" in plain.output


def test_evaluate_probes_how_often_an_answer_is_a_toss_up(runs: Path, tiny: Path) -> None:
    arguments = ("evaluate", runs / "seed-0", "--data", tiny / "dev.jsonl.gz", "--probe")
    probe = json.loads(chorale(*arguments, "--json").output)["probe"]
    assert 0 <= probe["decisive"] <= probe["toss_ups"] <= 1
    assert set(probe["parts"]) <= {"clear", "toss-up", "decisive"}
    plain = chorale(*arguments)
    assert f"toss-up: {100 * probe['toss_ups']:.1f} %" in plain.output


def test_evaluate_says_nothing_of_true_meaning_if_the_data_does_not_tell_it(
    runs: Path, tiny: Path, tmp_path: Path
) -> None:
    lines = [
        {key: value for key, value in line.items() if key != "program"} for line in examples(tiny / "dev.jsonl.gz")
    ]
    (tmp_path / "plain.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = chorale("evaluate", runs / "seed-0", "--data", tmp_path / "plain.json", "--json")
    assert "right_meaning" not in json.loads(found.output)


def test_predict_writes_both_files_without_labels(runs: Path, tiny: Path, tmp_path: Path) -> None:
    lines = examples(tiny / "dev.jsonl.gz")
    random.Random(1).shuffle(lines)  # so that the pairs of an utterance do not stand together
    (tmp_path / "blind.json").write_text("".join(json.dumps({**line, "label": None}) + "\n" for line in lines))
    output, programs = tmp_path / "predictions.csv", tmp_path / "programs.jsonl"
    arguments = ["--data", tmp_path / "blind.json", "--output", output, "--programs", programs]
    result = chorale("predict", runs / "seed-0", *arguments)
    assert result.exit_code == 0, result.output
    rows = [row.split(",") for row in output.read_text().splitlines()]
    assert [row[0] for row in rows] == [line["identifier"] for line in lines]
    assert {row[1] for row in rows} <= {"true", "false"}
    records = [json.loads(line) for line in programs.read_text().splitlines()]
    groups = {record["identifier"]: iter(record["denotations"]) for record in records}
    said = ["true" if next(groups[row[0].partition("-")[0]]) else "false" for row in rows]
    assert said == [row[1] for row in rows]
    wanted = {"identifier", "sentence", "program", "probability", "denotations", "confidence", "meant", "reasons"}
    assert set(records[0]) == wanted


@pytest.mark.parametrize("option", ["--out", "--output"])
def test_predictions_may_go_to_standard_output(runs: Path, tiny: Path, option: str, tmp_path: Path) -> None:
    data = ["--data", tiny / "dev.jsonl.gz"]
    printed = chorale("predict", runs / "seed-0", *data, option, "-")
    assert printed.exit_code == 0, printed.output
    assert chorale("predict", runs / "seed-0", *data, option, tmp_path / "said.csv").exit_code == 0
    assert (tmp_path / "said.csv").read_text() == printed.output


def test_a_command_that_loads_a_model_computes_with_one_thread(
    runs: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads cost seven times the processor time for a sentence."""
    data, before = tiny / "dev.jsonl.gz", torch.get_num_threads()
    commands = (
        ("parse", runs / "seed-0", "There is a black block"),
        ("evaluate", runs / "seed-0", "--data", data),
        ("predict", runs / "seed-0", "--data", data, "--out", "-"),
        ("compare", runs / "seed-0", runs / "seed-1", "--data", data),
    )
    try:
        for command in commands:
            torch.set_num_threads(2)
            assert chorale(*command).exit_code == 0
            assert torch.get_num_threads() == 1, command
    finally:
        torch.set_num_threads(before)


def test_a_domain_that_is_not_the_models_is_refused(runs: Path, tiny: Path) -> None:
    result = chorale("evaluate", runs / "seed-0", "--data", tiny / "dev.jsonl.gz", "--domain", "nlrv")
    assert result.exit_code == 2
    assert "did you mean 'nlvr'?" in result.output


def test_parse_tells_programs_and_what_they_say(runs: Path, tiny: Path, tmp_path: Path) -> None:
    first = examples(tiny / "dev.jsonl.gz")[0]
    (tmp_path / "scene.json").write_text(json.dumps(first["structured_rep"]))
    result = chorale("parse", runs / "seed-0", first["sentence"], "--scene", tmp_path / "scene.json", "--json")
    best = json.loads(result.output)["parses"][0]
    assert best["denotations"] in ([True], [False])
    assert len(best["attention"]) == len(best["actions"])
    assert best["actions"] == list(Nlvr.languages["consistent"].parse(best["decoded"]).actions)
    plain = chorale("parse", runs / "seed-0", first["sentence"])
    assert best["program"] in plain.output
    assert chorale("parse", runs / "seed-0", "  ").exit_code == 2


def test_parse_says_the_same_of_a_picture_as_of_its_scene(runs: Path, tiny: Path, tmp_path: Path) -> None:
    scenes = [Scene.from_json(example["structured_rep"]) for example in examples(tiny / "dev.jsonl.gz")[:8]]
    answers = set()
    for number, scene in enumerate(scenes):
        picture, data = tmp_path / f"{number}.png", tmp_path / f"{number}.json"
        to_png(scene).save(picture)
        data.write_text(json.dumps(scene.to_json()))
        options = (("--image", picture), ("--scene", data))
        seen = [chorale("parse", runs / "seed-0", "There is a black block", "--json", *it).output for it in options]
        assert json.loads(seen[0]) == json.loads(seen[1])
        answers |= {str(parse["denotations"]) for parse in json.loads(seen[0])["parses"]}
    assert len(answers) == 2  # programs say true of some pictures and false of others


def test_parse_refuses_a_picture_that_is_none_of_nlvr(runs: Path, tmp_path: Path) -> None:
    Image.new("RGB", (40, 40)).save(tmp_path / "small.png")
    result = chorale("parse", runs / "seed-0", "There is a black block", "--image", tmp_path / "small.png")
    assert result.exit_code == 2
    assert "small.png" in result.output


def test_compare_shows_the_step_and_draws_it(runs: Path, tiny: Path, tmp_path: Path) -> None:
    result = chorale("compare", runs / "seed-0", runs, "--plot", tmp_path / "step.svg")
    assert result.exit_code == 0, result.output
    assert "2 seeds" in result.output
    assert (tmp_path / "step.svg").read_text().startswith("<svg")
    measured = chorale("compare", runs, runs, "--data", tiny / "dev.jsonl.gz", "--json")
    assert [step["difference"] for step in json.loads(measured.output)] == [0.0, 0.0]
    assert chorale("compare", runs, tmp_path).exit_code == 2
    assert not (runs / LOOKS).exists()


def test_compare_notes_its_looks_at_a_test_split(runs: Path, tiny: Path, tmp_path: Path) -> None:
    shutil.copy(tiny / "dev.jsonl.gz", tmp_path / "test.jsonl.gz")
    copies = [
        shutil.copytree(runs / name, tmp_path / where / name) for name, where in (("seed-0", "a"), ("seed-1", "b"))
    ]
    for looks in (1, 2):
        result = chorale("compare", *copies, "--data", tmp_path / "test.jsonl.gz")
        assert result.exit_code == 0, result.output
        for copy in copies:
            lines = (copy.parent / LOOKS).read_text().splitlines()
            assert len(lines) == looks
            assert f"noted in {copy.parent / LOOKS}" in result.output
            look = json.loads(lines[-1])
            assert (look["runs"], list(look["recipes"])) == (1, ["tiny"])
            assert look["recipes"]["tiny"] == hashlib.sha256((copy / "recipe.toml").read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "command",
    [("parse", "There is a tower."), ("evaluate", "--data", "d"), ("predict", "--data", "d", "--output", "o")],
)
def test_without_a_run_the_model_inside_the_package_is_asked(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models, "shipped", dict)
    result = chorale(*command)
    assert result.exit_code == 2
    assert "no model ships with this Chorale; name the folder of a run" in result.output


def test_the_model_inside_the_package_is_used_like_that_of_a_run(
    runs: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "shipped", lambda: {"best": runs / "seed-0"})
    data = tiny / "dev.jsonl.gz"
    assert chorale("evaluate", "--data", data).stdout == chorale("evaluate", runs / "seed-0", "--data", data).stdout
    sentence = "There is a black square."
    assert chorale("parse", sentence).output == chorale("parse", runs / "seed-0", sentence).output
    assert "put the sentence in quotes" in chorale("parse", "There", "is", "one").output


def test_runs_are_listed_with_how_far_they_are(runs: Path, tmp_path: Path) -> None:
    result = chorale("runs", runs.parent)
    assert result.exit_code == 0
    heads, *lines = result.output.splitlines()
    assert heads.split() == ["run", "recipe", "seed", "dev", "last", "active", "status"]
    assert [line.split()[0] for line in lines] == [str(runs / "seed-0"), str(runs / "seed-1")]
    kept = json.loads((runs / "seed-1" / "dev.json").read_text())
    [_, entry] = json.loads(chorale("runs", runs.parent, "--json").output)
    assert (entry["state"], entry["recipe"], entry["seed"]) == ("complete", "tiny", 1)
    assert entry["dev"] == {"accuracy": kept["accuracy"], "consistency": kept["consistency"]}
    assert "no runs here" in chorale("runs", tmp_path).output
    assert chorale("runs", tmp_path / "nowhere").exit_code == 2


def test_a_report_and_a_page_of_mistakes_are_single_files(runs: Path, tiny: Path, tmp_path: Path) -> None:
    result = chorale("report", runs, "--data", tiny, "--out", tmp_path / "report.html")
    assert result.output == f"{tmp_path / 'report.html'}: 2 runs\n"
    file, page = tiny / "dev.jsonl.gz", tmp_path / "mistakes.html"
    result = chorale("evaluate", runs / "seed-0", "--data", file, "--mistakes", page)
    kept = json.loads((runs / "seed-0" / "dev.json").read_text())["right"].values()
    wrong = sum(not all(right) for right in kept)
    assert result.output.splitlines()[-1] == f"{page}: {wrong} utterances with a wrong answer"
    for path in (tmp_path / "report.html", page):
        root = ElementTree.fromstring(path.read_text())
        assert root.findall(".//article")
        assert not [key for part in root.iter() for key, _ in part.items() if key in {"src", "href"}]


def test_the_sentences_of_a_test_split_are_not_shown(runs: Path, tiny: Path, tmp_path: Path) -> None:
    test = tmp_path / "test.jsonl.gz"
    shutil.copy(tiny / "dev.jsonl.gz", test)
    for command in (("report", runs, "--out"), ("evaluate", runs / "seed-0", "--mistakes")):
        result = chorale(*command, tmp_path / "page.html", "--data", test)
        assert result.exit_code == 2
        assert "its sentences should stay unseen" in " ".join(result.output.split())
    assert not (tmp_path / "page.html").exists()


def test_models_that_ship_are_listed_the_default_first() -> None:
    found = json.loads(chorale("models", "--json").output)
    assert [one["name"] for one in found] == list(models.shipped())
    plain = chorale("models").output
    for one in found:
        about = json.loads((models.shipped()[one["name"]] / "model.json").read_text())
        assert one["dev"] == {key.removeprefix("dev_"): value for key, value in about["metrics"].items()}
        assert one["summary"] in plain


@pytest.mark.parametrize("name", models.shipped())
def test_the_card_of_a_model_is_shown_by_its_name(name: str) -> None:
    shown = chorale("models", name)
    assert shown.exit_code == 0
    assert shown.output.strip() == (models.shipped()[name] / "README.md").read_text().strip()
    [one] = json.loads(chorale("models", name, "--json").output)
    assert one["name"] == name


def test_a_card_that_is_not_there_is_told_with_the_nearest() -> None:
    refused = chorale("models", "bets")
    assert refused.exit_code == 2
    assert "no model 'bets' ships with Chorale; did you mean 'best'?" in refused.output


def test_predictions_have_a_header_only_when_asked_for(people: Path) -> None:
    data, domain = people.parent / "dev.jsonl", "tests.people:PeopleDomain"
    words = ("predict", people, "--data", data, "--out", "-", "--domain", domain)
    plain, headed = chorale(*words).output, chorale(*words, "--header").output
    assert headed == f"identifier,answer\n{plain}"
    assert plain.startswith("0-0,")
